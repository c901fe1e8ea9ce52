"""A turn of a strategy of the `jaques` family in a position made up for it, told in one line."""

import numpy as np

from cooncan_sim.catalog import game
from cooncan_sim.games.cooncan_text import FACES
from cooncan_sim.kernel import records
from cooncan_sim.simulate import Plan
from tests.positions import play_turn


def mask(cards: str) -> int:
    """The faces of these cards as one number."""
    return sum(1 << FACES.number(card) for card in cards.split())


def laid_out(
    hand: str, melds: str = "", pile: str = "AC", key: str = "jaques", **fields: object
) -> np.ndarray:
    """The state, shape (1,), of seat 0 to act: after its draw, or before it (`phase`).

    melds: `owner: cards | owner: cards`; pile: its top last; fields: of the table, to be changed,
    `picked` by seat as cards, and `phase`, `stock`, `others` (the other hands).
    """
    others = fields.pop("others", ["3H 9C JD"] * (game(key).players[0] - 1))
    given = {
        "players": len(others) + 1,
        "turn": 0,
        "phase": fields.pop("phase", "TABLE"),
        "hands": [hand.split(), *(other.split() for other in others)],
        "stock": fields.pop("stock", "2D 4H").split(),
        "pile": pile.split(),
        "table": [
            {"owner": int(meld.split(":")[0]), "cards": meld.split(":")[1].split()}
            for meld in melds.split("|")
            if meld
        ],
    }
    played = game(key)
    state = played.part("rulings").script_state(played, played.rules(), given)
    states = records(1, state.dtype)
    states[0] = state
    for seat, cards in fields.pop("picked", {}).items():
        states["table"]["picked"][0, seat] = mask(cards)
    for side, score in enumerate(fields.pop("scores", ())):
        states["table"]["scores"][0, side] = score
    for field, value in fields.items():
        states["table"][field] = value
    return states


def turn(name: str, states: np.ndarray, key: str = "jaques") -> str:
    """What a strategy does from here to the end of the turn."""
    players = int(states["table"]["players"][0])
    return told(play_turn(Plan(key, ((name,) * players,)), states))


def told(actions: list[dict]) -> str:
    """Actions in one line."""
    said = []
    for action in actions:
        cards = action.get("cards") or [action.get("card", "")]
        where = f" on {action['meld']}" if "meld" in action else ""
        said.append(f"{action['a']} {' '.join(cards)}".strip() + where)
    return "; ".join(said)
