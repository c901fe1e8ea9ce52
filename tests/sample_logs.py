"""Small hand logs made by hand, one a game, that between them hold every kind of action.

Hands and stocks are cut short; within its log every card is accounted for, and the result is what
the actions lead to.
"""

from typing import Any

Log = dict[str, Any]


def _actions(*played: str) -> list[dict[str, Any]]:
    """Actions from lines such as `0 MELD 5H 6H 7H` or `1 LAYOFF 8H on 0`."""
    return [_action(*line.split()) for line in played]


def _action(seat: str, kind: str, *rest: str) -> dict[str, Any]:
    action: dict[str, Any] = {"seat": int(seat), "a": kind}
    text = " ".join(rest)
    if kind == "MELD":
        action["cards"] = list(rest)
    elif kind == "COME_DOWN":
        action["melds"] = [meld.split() for meld in text.split("|")]
    elif kind == "ACCEPT":
        card, hand_cards, melds = text.split(":")
        action |= {"card": card.strip(), "hand_cards": hand_cards.split()}
        action["melds"] = [meld.split() for meld in melds.split("|")]
    elif kind == "ANNOUNCE":
        action["n"] = int(text)
    elif kind in ("LAYOFF", "JOKER_MOVE", "JOKER_SWAP"):
        card, meld = text.split(" on ")
        action |= {"card": card, "meld": int(meld)}
    elif kind not in ("HOLD", "FORCE", "LET_PASS"):
        action["card"] = rest[0]
        if len(rest) > 1:  # DRAW_STOCK 3C recycled 3C 9D
            action["recycled"] = list(rest[2:])
    return action


def _log(game: str, dealer: int, hands: list[str], pile: str, stock: str, **rest: Any) -> Log:
    return {
        "schema": "cooncan-hand/1",
        "game": game,
        "switches": {},
        "players": len(hands),
        "dealer": dealer,
        "seed": 1,
        "deal": 0,
        "strategies": ["greedy"] * len(hands),
        "hands": [hand.split() for hand in hands],
        "pile": pile.split(),
        "stock": stock.split(),
        **rest,
    }


def _result(
    ending: str, winner: int | None, turns: int, hands: list[str], points: list[int], **rest: int
) -> dict[str, Any]:
    left = [hand.split() for hand in hands]
    return {
        "ending": ending,
        "winner": winner,
        "turns": turns,
        "hands": left,
        "points": points,
        **rest,
    }


JAQUES = _log(
    "jaques",
    1,
    ["5H 6H 8H KC TH", "4H 9S 9D QC KH"],
    "7H",
    "QS 9C 9H 2D",
    strategies=["greedy", "hold"],
    actions=_actions(
        "0 DRAW_DISCARD 7H",
        "0 MELD 5H 6H 7H",
        "0 LAYOFF 8H on 0",
        "0 DISCARD KC",
        "1 DRAW_STOCK QS",
        "1 LAYOFF 4H on 0",
        "1 DISCARD KH",
        "0 DRAW_STOCK 9C",
        "0 DISCARD 9C",
        "1 DRAW_DISCARD 9C",
        "1 MELD 9S 9D 9C",
        "1 DISCARD QC",
        "0 DRAW_STOCK 9H",
        "0 LAYOFF 9H on 0",
        "0 LAYOFF TH on 0",
    ),
    result=_result("out", 0, 5, ["", "QS"], [0, 10]),
)

VOID = _log(
    "jaques",
    1,
    ["5H 6H 7H", "8S"],
    "KD",
    "",
    actions=_actions("0 DRAW_DISCARD KD", "0 MELD 5H 6H 7H", "0 HOLD"),
    result=_result("void", None, 1, ["KD", "8S"], [0, 0]),
)

TWO_DECK = _log(
    "two_deck",
    2,
    ["7H 7H KS 7S", "8C 8D 3D", "TS JS QD"],
    "8C",
    "4C AC 7D 5C QS",
    switches={"TWO_DECK_SET_MAX": 5},
    deal=3,
    match={"hand": 4, "scores": [12, 101, 40, 77], "seats": [0, 2, 3]},
    actions=_actions(
        "0 DRAW_STOCK 4C",
        "0 MELD 7H 7H 7S",
        "0 DISCARD 4C",
        "1 DRAW_STOCK AC",
        "1 DISCARD AC",
        "2 DRAW_STOCK 7D",
        "2 LAYOFF 7D on 0",
        "2 DISCARD QD",
        "0 DRAW_STOCK 5C",
        "0 DISCARD 5C",
        "1 DRAW_STOCK QS",
        "1 DISCARD 3D",
        "2 DRAW_DISCARD 3D",
        "2 DISCARD TS",
        "0 DRAW_STOCK 8C recycled 8C 4C AC QD 5C",
        "0 DISCARD 8C",
        "1 DRAW_DISCARD 8C",
        "1 MELD 8C 8C 8D",
        "1 DISCARD QS",
    ),
    result=_result("out", 1, 8, ["KS", "", "3D JS"], [10, 0, 13]),
)

WILD_CARD = _log(
    "wild_card",
    1,
    ["5H 7H 2C 9S", "6H 8H KC 2D"],
    "4S",
    "QS 3C 9D",
    stock_order="per_seat",
    actions=_actions(
        "0 DRAW_STOCK QS",
        "0 MELD 5H 2C=6H 7H",
        "0 DISCARD QS",
        "1 DRAW_STOCK 3C",
        "1 LAYOFF 8H on 0",
        "1 LAYOFF 2D=9H on 0",
        "1 DISCARD KC",
        "0 DRAW_STOCK 9D",
        "0 DISCARD 9D",
        "1 DRAW_DISCARD 9D",
        "1 DISCARD 6H",
    ),
    result=_result("max_turns", None, 4, ["9S", "3C 9D"], [0, 0]),
)

PARTNERSHIP = _log(
    "partnership",
    0,
    ["KH 9C", "4D 5D 6D", "TC 2S", "7D JC"],
    "8S",
    "3H 8D 9D",
    strategies=["team", "greedy", "team", "greedy"],
    actions=_actions(
        "1 DRAW_STOCK 3H",
        "1 MELD 4D 5D 6D",
        "1 DISCARD 3H",
    ),
    result=_result("out", 1, 1, ["KH 9C", "", "TC 2S", "7D JC"], [31, 0]),
)

CONQUIAN = _log(
    "conquian",
    0,
    [
        "AH 3D 5D 7D JD KC KD 2C 6C JC",
        "2S 3S KH 6H 7S 2D QS 3H 4H 6S",
    ],
    "",
    "AS 4S 6D 5S 5C QH",
    strategies=["cq_greedy", "cq_force"],
    actions=_actions(
        "1 ACCEPT AS : 2S 3S : AS 2S 3S",
        "1 DISCARD KH",
        "0 DECLINE KH",
        "0 DECLINE 4S",
        "1 DECLINE 4S",
        "0 FORCE",
        "1 ACCEPT 4S : : AS 2S 3S 4S",
        "1 DISCARD 6H",
        "0 DECLINE 6H",
        "0 ACCEPT 6D : 5D 7D JD : 5D 6D 7D JD",
        "0 DISCARD KC",
        "1 DECLINE KC",
        "1 DECLINE 5S",
        "0 LET_PASS",
        "0 DECLINE 5S",
        "0 DECLINE 5C",
        "1 DECLINE 5C",
        "1 DECLINE QH",
        "0 DECLINE QH",
    ),
    result=_result("draw", None, 8, ["AH 3D KD 2C 6C JC", "7S 2D QS 3H 4H 6S"], [0, 0]),
)

CONQUIAN_JAQUES = _log(
    "conquian_jaques",
    1,
    ["4D 4C QD JD 2C KH AS 2S", "AC 3H"],
    "",
    "4S 4H 3S 5S",
    switches={"CQ_REARRANGE": "free"},
    actions=_actions(
        "0 ACCEPT 4S : 4D 4C : 4S 4D 4C",
        "0 DISCARD 2C",
        "1 DECLINE 2C",
        "1 DECLINE 4H",
        "0 ACCEPT 4H : : 4S 4H 4D 4C",
        "0 DISCARD JD",
        "1 DECLINE JD",
        "1 DECLINE 3S",
        "0 ACCEPT 3S : AS 2S : 4S 4H 4D 4C | AS 2S 3S",
        "0 DISCARD QD",
        "1 DECLINE QD",
        "1 DECLINE 5S",
        "0 ACCEPT 5S : : 4H 4D 4C | AS 2S 3S 4S 5S",
        "0 DISCARD KH",
        "1 DECLINE KH",
    ),
    result=_result("draw", None, 8, ["", "AC 3H"], [0, 0]),
)

DOUBLE_RUM = _log(
    "double_rum",
    2,
    ["6S 7S 8S * 4S KD", "7C QD 7C *", "5S 8D 3S"],
    "7D",
    "JH 9S TC",
    pool=40,
    actions=_actions(
        "0 DRAW_STOCK JH",
        "0 MELD 6S 7S 8S *=9S",
        "0 DISCARD JH",
        "1 DRAW_STOCK 9S",
        "1 JOKER_MOVE 9S on 0",
        "1 MELD 7C 7C *=7",
        "1 DISCARD QD",
        "2 DRAW_STOCK TC",
        "2 DISCARD TC",
        "0 DRAW_DISCARD TC",
        "0 LAYOFF 4S on 0",
        "0 DISCARD KD",
        "1 DRAW_DISCARD KD",
        "1 HOLD",
        "2 DRAW_DISCARD QD",
        "2 LAYOFF 3S on 0",
        "2 DISCARD 8D",
        "0 DRAW_DISCARD 8D",
        "0 DISCARD TC",
        "1 DRAW_DISCARD TC",
        "1 DISCARD KD",
    ),
    result=_result("pool", None, 8, ["8D", "TC", "5S QD"], [-8, -10, -15], pool=73),
)

KONKAN = _log(
    "konkan",
    2,
    [
        "QS KS 7H 7D 7S * 4D 5D",
        "2D 3C 6D 9H KH 4C",
        "9C 9D 9S KH QH JH AS JC 5C *",
    ],
    "",
    "6H 6S 9H TC",
    actions=_actions(
        "2 DISCARD AS",
        "1 DRAW_STOCK 6H",
        "1 DISCARD 6H",
        "0 DRAW_STOCK 6S",
        "0 COME_DOWN QS KS *=AS | 7H 7D 7S",
        "0 DISCARD 6S",
        "2 DRAW_STOCK 9H",
        "2 COME_DOWN 9C 9D 9S 9H | JH QH KH",
        "2 ANNOUNCE 1",
        "2 DISCARD 5C",
        "1 DRAW_STOCK TC",
        "1 DISCARD TC",
        "0 DRAW_DISCARD TC",
        "0 DISCARD 5D",
        "2 DRAW_STOCK AS recycled AS 6H 6S 5C 5D 9C 9D 9S 9H",
        "2 JOKER_SWAP AS on 0",
        "2 DISCARD JC",
        "1 DRAW_STOCK 9D",
        "1 DISCARD 9D",
        "0 DRAW_STOCK 9S",
        "0 DISCARD 9S",
        "2 DRAW_STOCK 5C",
        "2 LAYOFF *=TH on 2",
        "2 LAYOFF *=9H on 2",
        "2 DISCARD 5C",
    ),
    result=_result("out", 2, 10, ["4D TC", "2D 3C 6D 9H KH 4C", ""], [14, 34, -30]),
)

SAMPLES = {
    "jaques": JAQUES,
    "void": VOID,
    "two_deck": TWO_DECK,
    "wild_card": WILD_CARD,
    "partnership": PARTNERSHIP,
    "conquian": CONQUIAN,
    "conquian_jaques": CONQUIAN_JAQUES,
    "double_rum": DOUBLE_RUM,
    "konkan": KONKAN,
}
