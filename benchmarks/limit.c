/* The evaluator's questions once more, as fast as we can write them in C: the limit for one hand at
   a time, for a batch, and for the best discard. Built by the benchmark, never installed. */

#include <stdint.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef uint64_t u64;

#define LANES(ranks) ((u64)(ranks) * 0x0001000100010001u)
#define VALUE_1 LANES(0x0155)
#define VALUE_2 LANES(0x1E66)
#define VALUE_4 LANES(0x0078)
#define VALUE_8 LANES(0x1F80)
#define ALL LANES(0x1FFF)

static inline int count(u64 mask) { return __builtin_popcountll(mask); }
static inline u64 turned(u64 hand, int by) { return hand >> by | hand << (64 - by); }

static inline u64 fold(u64 mask)
{
    mask |= mask >> 32;
    return (mask | mask >> 16) & 0x1FFF;
}

static inline int64_t value(u64 mask)
{
    return count(mask & VALUE_1) + 2 * count(mask & VALUE_2) + 4 * count(mask & VALUE_4)
           + 8 * count(mask & VALUE_8);
}

static inline u64 running(u64 hand)
{
    u64 starts = hand & hand >> 1 & hand >> 2;
    return starts | starts << 1 | starts << 2;
}

static inline u64 grouped(u64 hand)
{
    u64 b = turned(hand, 16), c = turned(hand, 32), d = turned(hand, 48);
    return hand & ((b & c) | ((b | c) & d));
}

/* The penalty if nothing but the runs of the hand and these cards in sets go down. */
static inline int64_t left(u64 hand, u64 sets) { return value(hand & ~(running(hand) | sets)); }

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Decides rank by rank what becomes of the set wherever a card could go to a run as well. */
static __attribute__((noinline)) int64_t search(u64 hand, u64 open_ranks, int64_t bound)
{
    u64 runs = running(hand), sets = grouped(hand) & open_ranks, both = runs & sets;
    int64_t relaxed = value(hand & ~(runs | sets));
    if (!both || relaxed >= bound)
        return relaxed;
    u64 ranks = fold(both), rank = LANES(ranks & -ranks), held = hand & rank;
    u64 usable = count(held) == 4 ? held & runs : 0;
    sets &= ~rank;
    if (!(ranks & (ranks - 1))) {
        bound = least(bound, least(left(hand & ~held, sets), left(hand, sets)));
        for (; usable; usable &= usable - 1)
            bound = least(bound, left((hand & ~held) | (usable & -usable), sets));
        return bound;
    }
    open_ranks &= ~rank;
    bound = least(bound, search(hand & ~held, open_ranks, bound));
    for (; usable; usable &= usable - 1)
        bound = least(bound, search((hand & ~held) | (usable & -usable), open_ranks, bound));
    return least(bound, search(hand, open_ranks, bound));
}

static inline int64_t least_penalty(u64 hand)
{
    u64 runs = running(hand), sets = grouped(hand);
    if (__builtin_expect((runs & sets) != 0, 0))
        return search(hand, ALL, 1000);
    return value(hand & ~(runs | sets));
}

void one_at_a_time(const u64 *hands, long n, int64_t *out)
{
    for (long i = 0; i < n; i++)
        out[i] = least_penalty(hands[i]);
}

/* Two passes: a loop without branches, which the compiler may make vectors of, then the rest. */
void two_passes(const u64 *hands, long n, int64_t *out)
{
    for (long i = 0; i < n; i++) {
        u64 runs = running(hands[i]), sets = grouped(hands[i]);
        int64_t clear = value(hands[i] & ~(runs | sets));
        out[i] = runs & sets ? -1 : clear;
    }
    for (long i = 0; i < n; i++)
        if (out[i] < 0)
            out[i] = search(hands[i], ALL, 1000);
}

#ifdef __AVX2__
/* The same with vectors by hand, four hands in each, and without a branch for what collides. */
static inline __m256i turned4(__m256i hands, int by)
{
    return _mm256_or_si256(_mm256_srli_epi64(hands, by), _mm256_slli_epi64(hands, 64 - by));
}

/* Four values at once. A table for each four ranks: A 2 3 4, 5 6 7 8, 9 T J Q, and K. */
static inline __m256i value4(__m256i masks)
{
    const __m256i ace = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 2, 3, 3, 4, 5, 6, 4, 5, 6, 7, 7, 8, 9, 10));
    const __m256i five = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 5, 6, 11, 7, 12, 13, 18, 8, 13, 14, 19, 15, 20, 21, 26));
    const __m256i nine = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 9, 10, 19, 10, 19, 20, 29, 10, 19, 20, 29, 20, 29, 30, 39));
    const __m256i king = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 10, 0, 10, 0, 10, 0, 10, 0, 10, 0, 10, 0, 10, 0, 10));
    const __m256i nibble = _mm256_set1_epi8(15);
    /* A set upper bit makes the shuffle give 0, so each table sees every other byte only. */
    const __m256i odd = _mm256_set1_epi16((short)0x8000), even = _mm256_set1_epi16(0x0080);
    __m256i low = _mm256_and_si256(masks, nibble);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(masks, 4), nibble);
    __m256i first = _mm256_add_epi8(_mm256_shuffle_epi8(ace, _mm256_or_si256(low, odd)),
                                    _mm256_shuffle_epi8(five, _mm256_or_si256(high, odd)));
    __m256i last = _mm256_add_epi8(_mm256_shuffle_epi8(nine, _mm256_or_si256(low, even)),
                                   _mm256_shuffle_epi8(king, _mm256_or_si256(high, even)));
    return _mm256_sad_epu8(_mm256_add_epi8(first, last), _mm256_setzero_si256());
}

/* n is a multiple of four. */
void by_hand(const u64 *hands, long n, int64_t *out)
{
    enum { BLOCK = 1024 };
    int colliding[BLOCK + 4];
    for (long start = 0; start < n; start += BLOCK) {
        int end = n - start < BLOCK ? (int)(n - start) : BLOCK, found = 0;
        for (int i = 0; i < end; i += 4) {
            __m256i hand = _mm256_loadu_si256((const __m256i *)(hands + start + i));
            __m256i two = _mm256_and_si256(hand, _mm256_srli_epi64(hand, 1));
            __m256i starts = _mm256_and_si256(two, _mm256_srli_epi64(hand, 2));
            __m256i runs = _mm256_or_si256(
                starts, _mm256_or_si256(_mm256_slli_epi64(starts, 1), _mm256_slli_epi64(starts, 2)));
            __m256i b = turned4(hand, 16), c = turned4(hand, 32), d = turned4(hand, 48);
            __m256i sets = _mm256_and_si256(
                hand, _mm256_or_si256(_mm256_and_si256(b, c),
                                      _mm256_and_si256(d, _mm256_or_si256(b, c))));
            __m256i clear = value4(_mm256_andnot_si256(_mm256_or_si256(runs, sets), hand));
            _mm256_storeu_si256((__m256i *)(out + start + i), clear);
            __m256i none = _mm256_cmpeq_epi64(_mm256_and_si256(runs, sets), _mm256_setzero_si256());
            int collide = ~_mm256_movemask_pd(_mm256_castsi256_pd(none));
            for (int k = 0; k < 4; k++) {
                colliding[found] = i + k;
                found += collide >> k & 1;
            }
        }
        for (int k = 0; k < found; k++)
            out[start + colliding[k]] = search(hands[start + colliding[k]], ALL, 1000);
    }
}
#endif

struct thrown { int64_t card, left; };

static inline int first_to_throw(u64 mask)
{
    int rank = 63 - __builtin_clzll(fold(mask));
    return __builtin_ctzll(mask & LANES(1) << rank);
}

static inline int card_value(int card) { return (card & 15) < 9 ? (card & 15) + 1 : 10; }

/* Where the closed form says nothing: dearest first, until none can better. */
static __attribute__((noinline)) struct thrown try_each(u64 hand)
{
    struct thrown best = {-1, 1000};
    int64_t now = least_penalty(hand);
    for (u64 allowed = hand; allowed;) {
        int card = first_to_throw(allowed);
        if (best.left <= now - card_value(card))
            break;
        int64_t left = least_penalty(hand & ~((u64)1 << card));
        if (left < best.left)
            best = (struct thrown){card, left};
        allowed &= ~((u64)1 << card);
    }
    return best;
}

void best_discards(const u64 *hands, long n, int64_t *cards, int64_t *out)
{
    for (long i = 0; i < n; i++) {
        u64 hand = hands[i], runs = running(hand), sets = grouped(hand);
        u64 loose = hand & ~(runs | sets);
        struct thrown best;
        if (!(runs & sets) && loose) {
            best.card = first_to_throw(loose);
            best.left = value(loose) - card_value((int)best.card);
        } else {
            best = try_each(hand);
        }
        cards[i] = best.card;
        out[i] = best.left;
    }
}
