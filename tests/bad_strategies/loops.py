"""Never comes to an answer."""

GAMES = ("jaques",)
BASE = "greedy"


def choose_discard(table, seat):
    card = 0
    while table.turn >= 0:
        card = 1 - card
    return card
