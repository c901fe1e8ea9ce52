"""What hands are worth, through the public functions, for every game of the catalogue."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from scipy.stats import chi2

from cooncan_sim import CooncanError, catalog, deal_hands, evaluate, min_penalty, parse_hands
from cooncan_sim.games.rulebook import Game
from tests.referee.cards import PACKS, RANKS, SUITS, face
from tests.referee.deadwood import best_melds, least_deadwood
from tests.referee.frame import FAMILY
from tests.sizes import sizes

GAMES = list(catalog.GAMES.values())
RUMMY = [game for game in GAMES if game.key in FAMILY]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
every_rummy = pytest.mark.parametrize("game", RUMMY, ids=lambda game: game.key)


def hands_of(game: Game, count: int, seed: int) -> Iterator[list[str]]:
    """Hands of up to 12 cards, every second one from few ranks and suits."""
    rng = Random(f"{game.key} {seed}")
    pack = PACKS[game.key]
    for n in range(count):
        cards = pack
        if n % 2:
            low = rng.randint(0, len(game.pack.ranks) - 5)
            ranks = game.pack.ranks[low : low + 5] + "2*"
            suits = rng.sample(SUITS, 3)
            cards = [c for c in pack if c[0] in ranks and (c == "*" or c[1] in suits)]
        yield rng.sample(cards, rng.randint(0, min(12, len(cards))))


def random_rules(game: Game, rng: Random) -> dict[str, object]:
    """Some option of every switch that has options in words or numbers."""
    return {
        name: rng.choice(switch.options) for name, switch in game.switches.items() if switch.options
    }


@pytest.mark.plain
def test_an_evaluation_tells_itself() -> None:
    found = evaluate("5h 6H 7♥ KD 2C 10S", "jaques")
    assert found.penalty == 22
    assert found.melds == [["5H", "6H", "7H"]]
    assert found.unmelded == ["TS", "KD", "2C"]
    assert str(found) == "penalty 22\nmelds: 5H 6H 7H\nunmelded: TS KD 2C"
    assert str(evaluate([], "jaques")) == "penalty 0\nno melds"


@pytest.mark.parametrize(
    ("hand", "penalty"),
    [
        ("AS 2S 3S", 0),
        ("QS KS AS", 21),  # no high ace
        ("KS AS 2S", 13),  # no round the corner
        ("7S 7H 7D 7C", 0),
        ("7S 7H", 14),
        ("4S 5S 6S 6H 6D", 9),  # the set, because the run would leave 12
        ("TH JH QH KH", 0),
        ("AS AH AD AC 2S 3S", 0),  # three aces and a run with the fourth
    ],
)
@pytest.mark.plain
def test_penalties_that_anyone_can_check(hand: str, penalty: int) -> None:
    assert evaluate(hand, "jaques").penalty == penalty


@pytest.mark.plain
@every_game
def test_nothing_is_lost_between_text_and_arrays(game: Game) -> None:
    hands = list(hands_of(game, 60, seed=1))
    rows = parse_hands([" ".join(hand) for hand in hands], game.key)
    assert rows.dtype == np.uint64 and rows.shape == (60, game.pack.words)
    for hand, row in zip(hands, rows, strict=True):
        assert Counter(map(game.pack.text, game.pack.cards(row))) == Counter(hand)


@every_game
@pytest.mark.parametrize("count", sizes(plain=12, ordinary=400))
def test_the_parts_of_an_evaluation_make_the_hand(game: Game, count: int) -> None:
    rng = Random(5)
    for hand in hands_of(game, count, seed=2):
        rules = random_rules(game, rng)
        found = evaluate(hand, game.key, rules)
        melded = [face(token) for meld in found.melds for token in meld]
        assert Counter(melded) + Counter(found.unmelded) == Counter(hand)
        rows = parse_hands([" ".join(hand)], game.key)
        assert min_penalty(rows, game.key, rules).tolist() == [found.penalty]


@every_rummy
@pytest.mark.parametrize("count", sizes(plain=12, ordinary=800, soak=100_000))
def test_the_referee_finds_the_same(game: Game, count: int) -> None:
    rng = Random(6)
    for hand in hands_of(game, count, seed=3):
        rules = random_rules(game, rng)
        found = evaluate(hand, game.key, rules)
        assert found.penalty == least_deadwood(hand, game.key, rules), (hand, rules)
        assert found.melds == best_melds(hand, game.key, rules), (hand, rules)


@pytest.mark.plain
def test_parsed_hands_are_masks() -> None:
    rows = parse_hands(["AS KS 5H", "", "10C"], "jaques")
    assert rows.tolist() == [[1 | 1 << 12 | 1 << 20], [0], [1 << 57]]


def test_the_hand_that_is_wrong_is_named() -> None:
    with pytest.raises(CooncanError, match="^hand 1: unknown card '1S'"):
        parse_hands(["AS", "1S"], "jaques")
    with pytest.raises(CooncanError, match="^hand 2: AS stands 2 times"):
        parse_hands(["AS", "", "AS AS"], "jaques")


@pytest.mark.parametrize(
    ("hand", "game", "rules", "said"),
    [
        ("AS", "jaque", {}, r"unknown game 'jaque' \(did you mean 'jaques'\?\); cooncan games "),
        ("AS", "chess", {}, r"unknown game 'chess'; the games are jaques, .*, konkan$"),
        ("AS", "jaques", {"HANDSIZE": 11}, r"no switch 'HANDSIZE' \(did you mean 'HAND_SIZE'\?\)"),
        (
            "AS",
            "jaques",
            {"BID": 1},
            "jaques has no switch 'BID'; cooncan rules jaques lists them$",
        ),
        ("AS", "jaques", {"HAND_SIZE": 12}, "HAND_SIZE cannot be 12: it takes 10, 11"),
        ("AS AS", "jaques", {}, "AS stands 2 times"),
        (["AS", "Joker"], "jaques", {}, "unknown card 'Joker'"),
    ],
)
def test_what_cannot_be_evaluated(hand: object, game: str, rules: dict, said: str) -> None:
    with pytest.raises(CooncanError, match=said):
        evaluate(hand, game, rules)  # type: ignore[arg-type]


# ---- arrays -------------------------------------------------------------------------------


@pytest.mark.plain
@every_game
def test_an_array_may_be_empty_or_a_part_of_another(game: Game) -> None:
    rows = deal_hands(40, 10, game.key, 1)
    before = rows.copy()
    penalties = min_penalty(rows, game.key)
    assert penalties.dtype == np.int64 and penalties.shape == (40,)
    assert min_penalty(rows[::3], game.key).tolist() == penalties[::3].tolist()
    assert min_penalty(rows[:0], game.key).shape == (0,)
    assert (rows == before).all()


@pytest.mark.parametrize(
    "hands",
    [
        np.zeros((3, 1), dtype=np.int64),
        np.zeros(3, dtype=np.uint64),
        np.zeros((3, 2), dtype=np.uint64),
        np.zeros((3, 1, 1), dtype=np.uint64),
    ],
    ids=lambda hands: f"{hands.dtype}{hands.shape}",
)
def test_other_arrays_are_refused(hands: np.ndarray) -> None:
    with pytest.raises(CooncanError, match=r"an array of uint64 with 1 column\(s\), not .*shape"):
        min_penalty(hands, "jaques")


def test_unknown_rules_of_an_array_are_refused() -> None:
    with pytest.raises(CooncanError, match="has no switch"):
        min_penalty(np.zeros((1, 1), dtype=np.uint64), "jaques", {"NONE": 1})


# ---- dealt hands --------------------------------------------------------------------------


@pytest.mark.plain
@every_game
def test_dealt_hands_come_from_one_pack(game: Game) -> None:
    pack = Counter(PACKS[game.key])
    for size in (0, 1, 10, 15, game.pack.size):
        for row in deal_hands(4, size, game.key, 3):
            hand = Counter(map(game.pack.text, game.pack.cards(row)))
            assert hand.total() == size and hand <= pack


@pytest.mark.plain
def test_a_dealt_hand_depends_on_its_seed_and_number_alone() -> None:
    hands = deal_hands(50, 10, "jaques", 7)
    assert (deal_hands(20, 10, "jaques", 7) == hands[:20]).all()
    assert not (deal_hands(50, 10, "jaques", 8) == hands).any()
    assert len({int(hand) for hand in hands[:, 0]}) == 50


def test_dealt_hands_are_the_same_on_every_machine() -> None:
    pack = catalog.game("jaques").pack
    row = deal_hands(3, 10, "jaques", 1)[2]
    assert " ".join(map(pack.text, pack.cards(row))) == "3S 4S 7S QS 3H 5H QH 4D TD KD"


@every_game
def test_every_card_is_dealt_as_often(game: Game) -> None:
    hands = deal_hands(40_000, 10, game.key, 11)
    found = Counter(game.pack.text(card) for row in hands for card in game.pack.cards(row))
    pack = Counter(PACKS[game.key])
    expected = [hands.shape[0] * 10 * copies / game.pack.size for copies in pack.values()]
    # Cards of a hand exclude one another, so the counts vary less than independent ones would.
    less = (game.pack.size - 10) / (game.pack.size - 1)
    deviation = sum((found[card] - n) ** 2 / n for card, n in zip(pack, expected, strict=True))
    assert chi2.sf(deviation / less, len(pack) - 1) > 1e-6


@pytest.mark.parametrize(
    ("count", "size", "seed", "said"),
    [
        (1, 53, 0, "a hand of 53 cards: jaques has 52"),
        (1, -1, 0, "a hand of -1 cards"),
        (-1, 10, 0, "count of dealt hands: a whole number of at least 0, not -1"),
        (1, 10, -1, r"seed -1: it is a whole number from 0 to 2\*\*63 - 1"),
        (1, 10, 2**63, r"seed 9223372036854775808: it is a whole number from 0 to 2\*\*63 - 1"),
    ],
)
def test_hands_that_cannot_be_dealt(count: int, size: int, seed: int, said: str) -> None:
    with pytest.raises(CooncanError, match=said):
        deal_hands(count, size, "jaques", seed)


def test_values_of_single_cards() -> None:
    values = [evaluate([rank + "D"], "jaques").penalty for rank in RANKS]
    assert values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
