/* `greedy` against `greedy` at jaques for two players, strategy and loop in one: the limit for
   whole hands. It draws the same cards as the engine (same streams, same lazy shuffle) and must
   come to the same results; rules are the defaults. Built by the benchmark, never installed. */

#include <stdint.h>
#include <string.h>

typedef uint64_t u64;

enum { PACK = 52, PLAYERS = 2, DEALT = 10, MOST_TURNS = 1000, MOST_MELDS = 20, STALLED_ROUNDS = 4 };
enum { DEALER = 0, DEAL = 1, RECYCLE = 3 };
enum { RUN, SET };

static const u64 WEYL = 0x9E3779B97F4A7C15u;
static const u64 ALL = 0x1FFF1FFF1FFF1FFFu;
static const u64 ONES = 0x0001000100010001u;
static const int8_t FACES[PACK] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 16, 17, 18, 19, 20,
    21, 22, 23, 24, 25, 26, 27, 28, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41,
    42, 43, 44, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60,
};

/* ---- streams ---- */

static inline u64 mix(u64 word)
{
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

static inline u64 stream(u64 seed, u64 deal, u64 purpose, u64 index)
{
    u64 word = mix(seed + WEYL);
    word = mix(word ^ (deal + WEYL));
    return mix(word ^ mix(purpose * WEYL + index));
}

static inline int scaled(u64 word, u64 n) { return (int)(((word >> 7) * n) >> 57); }

/* ---- words of cards ---- */

static inline int count(u64 mask) { return __builtin_popcountll(mask); }
static inline int lowest(u64 mask) { return __builtin_ctzll(mask); }
static inline u64 bit(int card) { return (u64)1 << card; }
static inline u64 fold(u64 mask)
{
    mask |= mask >> 32;
    return (mask | mask >> 16) & 0x1FFF;
}
static inline u64 spread(u64 ranks) { return ranks * ONES; }

static inline int value(u64 mask)
{
    return count(mask & 0x0155 * ONES) + 2 * count(mask & 0x1E66 * ONES)
           + 4 * count(mask & 0x0078 * ONES) + 8 * count(mask & 0x1F80 * ONES);
}

static inline int card_value(int card) { return (card & 15) < 9 ? (card & 15) + 1 : 10; }

static inline int first_to_throw(u64 mask)
{
    int rank = 63 - __builtin_clzll(fold(mask));
    return lowest(mask & (ONES << rank));
}

static inline int last_to_throw(u64 mask)
{
    return 63 - __builtin_clzll(mask & (ONES << lowest(fold(mask))));
}

static inline u64 running(u64 hand)
{
    u64 starts = hand & hand >> 1 & hand >> 2;
    return starts | starts << 1 | starts << 2;
}

static inline u64 turned(u64 hand, int by) { return hand >> by | hand << (64 - by); }

static inline u64 grouped(u64 hand)
{
    u64 b = turned(hand, 16), c = turned(hand, 32), d = turned(hand, 48);
    return hand & ((b & c) | (c & d) | (b & d));
}

/* ---- melds in hand ---- */

static int search(u64 hand, u64 open_ranks, int bound)
{
    u64 runs = running(hand), sets = grouped(hand) & open_ranks;
    int relaxed = value(hand & ~(runs | sets));
    if (!(runs & sets) || relaxed >= bound)
        return relaxed;
    u64 rank = ONES << lowest(fold(runs & sets)), held = hand & rank, usable = held & runs;
    open_ranks &= ~rank;
    int found = search(hand & ~held, open_ranks, bound);
    int best = found < bound ? found : bound;
    if (count(held) == 4) {
        for (u64 rest = usable; rest; rest &= rest - 1) {
            found = search(hand & ~held | (rest & -rest), open_ranks, best);
            best = found < best ? found : best;
        }
        if (count(usable) == 1)
            return best;
    }
    found = search(hand, open_ranks, best);
    return found < best ? found : best;
}

static inline int least_penalty(u64 hand)
{
    u64 runs = running(hand), sets = grouped(hand);
    return runs & sets ? search(hand, ALL, 1000) : value(hand & ~(runs | sets));
}

struct thrown { int card, left; };

static __attribute__((noinline)) struct thrown try_each(u64 hand, u64 allowed)
{
    struct thrown best = {-1, 1000};
    int now = least_penalty(hand);
    while (allowed) {
        int card = first_to_throw(allowed);
        if (best.left <= now - card_value(card))
            break;
        int left = least_penalty(hand & ~bit(card));
        if (left < best.left)
            best = (struct thrown){card, left};
        allowed &= ~bit(card);
    }
    return best;
}

static inline struct thrown best_discard(u64 hand, u64 allowed)
{
    u64 runs = running(hand), sets = grouped(hand), loose = hand & ~(runs | sets);
    if (!(runs & sets) && loose & allowed) {
        int card = first_to_throw(loose & allowed);
        return (struct thrown){card, value(loose) - card_value(card)};
    }
    return try_each(hand, allowed);
}

struct melds { int left; u64 runs, sets; };

/* The order of the search decides between results that leave as much: see the engine's twin. */
static struct melds first_best(u64 rest, u64 loose, u64 runs, u64 sets, int target, int fewest)
{
    u64 stay = loose | (rest & ~(running(rest) | grouped(rest)));
    struct melds best = {fewest, 0, 0}, found;
    if (value(stay) > target || count(stay) >= fewest)
        return best;
    if (!rest)
        return (struct melds){count(loose), runs, sets};
    u64 first = rest & -rest, meld = first, next;
    while ((next = meld << 1 & rest & ~meld))
        meld |= next;
    for (; count(meld) >= 3; meld &= meld >> 1) {
        found = first_best(rest & ~meld, loose, runs | meld, sets, target, best.left);
        best = found.left < best.left ? found : best;
    }
    u64 others = rest & spread(fold(first)) & ~first, out = count(others) == 3 ? others : 0;
    if (count(others) >= 2) {
        meld = first | others;
        found = first_best(rest & ~meld, loose, runs, sets | meld, target, best.left);
        best = found.left < best.left ? found : best;
    }
    while (out) {
        u64 last = bit(63 - __builtin_clzll(out));
        out &= ~last;
        meld = (first | others) & ~last;
        found = first_best(rest & ~meld, loose, runs, sets | meld, target, best.left);
        best = found.left < best.left ? found : best;
    }
    found = first_best(rest & ~first, loose | first, runs, sets, target, best.left);
    return found.left < best.left ? found : best;
}

static inline struct melds best_melds(u64 hand)
{
    u64 runs = running(hand), sets = grouped(hand);
    if (!(runs & sets))
        return (struct melds){0, runs, sets};
    return first_best(hand, 0, 0, 0, least_penalty(hand), 53);
}

/* ---- the hand ---- */

struct state {
    u64 seed, deal, rng, hands[PLAYERS];
    u64 run_ends, set_gaps; /* faces that fit the table; with the default rules the same for all */
    u64 melds[MOST_MELDS];
    int kinds[MOST_MELDS];
    int meld_count, stock, next, size, recycled, pile_size, quiet, turns;
    int8_t order[PACK], pile[PACK];
};

static void shuffle(struct state *s, u64 cards, u64 purpose, u64 index)
{
    s->rng = stream(s->seed, s->deal, purpose, index);
    s->next = s->size = 0;
    for (; cards; cards &= cards - 1)
        s->order[s->size++] = (int8_t)lowest(cards);
}

static inline int next_card(struct state *s)
{
    s->rng += WEYL;
    int i = s->next++, j = i + scaled(mix(s->rng), (u64)(s->size - i));
    int8_t card = s->order[j];
    s->order[j] = s->order[i];
    s->order[i] = card;
    return card;
}

static int deal_hand(struct state *s, u64 seed, u64 deal)
{
    *s = (struct state){.seed = seed, .deal = deal};
    s->rng = stream(seed, deal, DEAL, 0);
    s->size = PACK;
    memcpy(s->order, FACES, PACK);
    for (int p = 0; p < PLAYERS; p++)
        for (int i = 0; i < DEALT; i++)
            s->hands[p] |= bit(next_card(s));
    s->pile[s->pile_size++] = (int8_t)next_card(s);
    s->stock = PACK - s->next;
    return scaled(mix(stream(seed, deal, DEALER, 0)), PLAYERS);
}

static void recycle(struct state *s)
{
    u64 cards = 0;
    s->stock = s->pile_size - 1;
    for (int i = 0; i < s->stock; i++)
        cards |= bit(s->pile[i]);
    s->pile[0] = s->pile[s->stock];
    s->pile_size = 1;
    shuffle(s, cards, RECYCLE, 8 * (u64)++s->recycled);
}

static inline u64 room(int kind, u64 cards)
{
    u64 faces = kind == RUN ? cards << 1 | cards >> 1 : spread(fold(cards));
    return faces & ALL & ~cards;
}

static void reopen(struct state *s)
{
    s->run_ends = s->set_gaps = 0;
    for (int m = 0; m < s->meld_count; m++)
        *(s->kinds[m] == RUN ? &s->run_ends : &s->set_gaps) |= room(s->kinds[m], s->melds[m]);
}

static void lay(struct state *s, int kind, u64 cards)
{
    s->kinds[s->meld_count] = kind;
    s->melds[s->meld_count++] = cards;
}

/* Lays the melds of a hand in the order of their first cards; the cards that are left. */
static u64 lay_melds(struct state *s, u64 hand, struct melds melds)
{
    for (u64 all; (all = melds.runs | melds.sets);) {
        u64 first = all & -all, meld = first, next;
        if (first & melds.sets) {
            meld = melds.sets & spread(fold(first));
            lay(s, SET, meld);
        } else {
            while ((next = meld << 1 & melds.runs & ~meld))
                meld |= next;
            lay(s, RUN, meld);
        }
        melds.runs &= ~meld;
        melds.sets &= ~meld;
        hand &= ~meld;
    }
    return hand;
}

/* Lays off all that fits: runs before sets, in throw order, on the oldest meld that takes it. */
static u64 lay_off(struct state *s, u64 hand)
{
    while (hand & (s->run_ends | s->set_gaps)) {
        int kind = hand & s->run_ends ? RUN : SET, m = 0;
        u64 card = bit(first_to_throw(hand & (kind == RUN ? s->run_ends : s->set_gaps)));
        while (s->kinds[m] != kind || !(room(kind, s->melds[m]) & card))
            m++;
        s->melds[m] |= card;
        hand &= ~card;
        reopen(s);
    }
    return hand;
}

/* Plays a hand to its end: the winner, or -1 for one that is void or stopped by MOST_TURNS. */
static int play_hand(struct state *s, int turn)
{
    for (;;) {
        u64 hand = s->hands[turn];
        int stalled = s->quiet / (STALLED_ROUNDS * PLAYERS) & 1, taken = -1;
        int from_pile = s->stock == 0 && s->pile_size <= 1;
        if (!from_pile && s->pile_size) {
            int top = s->pile[s->pile_size - 1];
            from_pile = (bit(top) & (s->run_ends | s->set_gaps)) != 0;
            if (!from_pile) {
                int now = stalled ? best_discard(hand, hand).left : least_penalty(hand);
                from_pile = best_discard(hand | bit(top), hand).left < now;
            }
        }
        if (from_pile) {
            taken = s->pile[--s->pile_size];
            hand |= bit(taken);
        } else {
            if (s->stock == 0)
                recycle(s);
            hand |= bit(next_card(s));
            s->stock--;
        }
        u64 before = hand;
        struct melds melds = best_melds(hand);
        if (melds.runs | melds.sets) {
            hand = lay_melds(s, hand, melds);
            reopen(s);
        }
        hand = lay_off(s, hand);
        s->turns++;
        s->quiet = hand == before ? s->quiet + 1 : 0;
        if (!hand) {
            s->hands[turn] = 0;
            return turn;
        }
        if (hand != before && stalled)
            stalled = 0;
        u64 allowed = taken >= 0 ? hand & ~bit(taken) : hand;
        if (allowed) {
            int card;
            if (stalled) {
                melds = best_melds(hand);
                u64 loose = allowed & ~(melds.runs | melds.sets);
                card = last_to_throw(loose ? loose : allowed);
            } else {
                card = best_discard(hand, allowed).card;
            }
            hand &= ~bit(card);
            s->pile[s->pile_size++] = (int8_t)card;
        }
        s->hands[turn] = hand;
        if (!hand)
            return turn;
        if (s->turns >= MOST_TURNS || (s->stock == 0 && s->pile_size == 0))
            return -1;
        turn = !turn;
    }
}

/* Plays deals first … first + count - 1; winner: int8, turns: int32, points: int16 (hand, seat). */
void play_deals(u64 seed, u64 first, long hands, int8_t *winner, int32_t *turns, int16_t *points)
{
    struct state s;
    for (long h = 0; h < hands; h++) {
        int dealer = deal_hand(&s, seed, first + (u64)h);
        winner[h] = (int8_t)play_hand(&s, !dealer);
        turns[h] = s.turns;
        for (int p = 0; p < PLAYERS; p++)
            points[PLAYERS * h + p] = (int16_t)(winner[h] < 0 ? 0 : value(s.hands[p]));
    }
}
