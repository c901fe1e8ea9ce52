"""Ways to spoil a hand log, and what the referee should say of each.

A function changes the log it is given and says whether it could: not every log has, for instance,
a lay-off to make illegal.
"""

from collections.abc import Callable

from tests.referee.cards import PACKS, stands_for
from tests.referee.log import state_after
from tests.referee.melds import extended, kind_of


def _first(log: dict, kind: str) -> int | None:
    return next((n for n, act in enumerate(log["actions"]) if act["a"] == kind), None)


def _first_discard(log: dict) -> int:
    """There is one in every hand of the samples."""
    return next(n for n, act in enumerate(log["actions"]) if act["a"] == "DISCARD")


def _wrong_winner(log: dict) -> bool:
    winner = log["result"]["winner"]
    log["result"]["winner"] = 0 if winner is None else (winner + 1) % log["players"]
    return True


def _winner_of_a_stopped_hand(log: dict) -> bool:
    log["result"]["winner"] = 0
    return log["result"]["ending"] != "out"


def _wrong_ending(log: dict) -> bool:
    log["result"]["ending"] = "void" if log["result"]["ending"] == "out" else "out"
    return True


def _wrong_turns(log: dict) -> bool:
    log["result"]["turns"] += 1
    return True


def _wrong_points(log: dict) -> bool:
    log["result"]["points"][-1] += 1
    return True


def _swapped_points(log: dict) -> bool:
    points = log["result"]["points"]
    points.reverse()
    return points != points[::-1]


def _wrong_last_hand(log: dict) -> bool:
    hands = log["result"]["hands"]
    hand = max(hands, key=len)
    hand[0] = next(card for card in PACKS[log["game"]] if card not in hand)
    return True


def _last_hand_short(log: dict) -> bool:
    max(log["result"]["hands"], key=len).pop()
    return True


def _illegal_layoff(log: dict) -> bool:
    place = _first(log, "LAYOFF")
    if place is None:
        return False
    state = state_after(log, place)
    card = log["actions"][place]["card"]
    for number, meld in enumerate(state.table):
        if extended(meld.cards, card, state.rules) is None:
            log["actions"][place]["meld"] = number
            return True
    return False


def _layoff_on_no_meld(log: dict) -> bool:
    place = _first(log, "LAYOFF")
    if place is not None:
        log["actions"][place]["meld"] = 50
    return place is not None


def _layoff_at_the_other_end(log: dict) -> bool:
    for place, action in enumerate(log["actions"]):
        if action["a"] != "LAYOFF":
            continue
        state = state_after(log, place)
        cards = state.table[action["meld"]].cards
        if kind_of(cards, state.rules) == "run":
            at_low_end = kind_of((action["card"], *cards), state.rules) == "run"
            action["end"] = "high" if at_low_end else "low"
            return True
    return False


def _taken_card_thrown_back(log: dict) -> bool:
    for place, action in enumerate(log["actions"][:-1]):
        follows = log["actions"][place + 1]
        if action["a"] != "DRAW_DISCARD" or follows["a"] != "DISCARD":
            continue
        if state_after(log, place + 1).hand.count(action["card"]) == 1:
            follows["card"] = action["card"]
            return True
    return False


def _card_conjured(log: dict) -> bool:
    log["hands"][0][0] = log["hands"][1][0]
    return True


def _card_lost(log: dict) -> bool:
    log["stock"].pop()
    return True


def _card_too_many(log: dict) -> bool:
    log["hands"][0].append(log["stock"].pop())
    return True


def _strange_card(log: dict) -> bool:
    log["stock"][0] = "1X"
    return True


def _joker_in_the_pack(log: dict) -> bool:
    log["stock"][-1] = "*"
    return True


def _empty_pile(log: dict) -> bool:
    log["stock"].append(log["pile"].pop())
    return True


def _renewing(log: dict) -> dict | None:
    return next((action for action in log["actions"] if "recycled" in action), None)


def _renewal_left_out(log: dict) -> bool:
    action = _renewing(log)
    return action is not None and bool(action.pop("recycled"))


def _renewal_not_due(log: dict) -> bool:
    action = log["actions"][0]
    action["recycled"] = [action["card"]]
    return True


def _renewal_with_the_top(log: dict) -> bool:
    action = _renewing(log)
    if action is None:
        return False
    place = next(n for n, act in enumerate(log["actions"]) if act is action)
    action["recycled"].append(state_after(log, place).pile[-1])
    return True


def _renewal_one_short(log: dict) -> bool:
    action = _renewing(log)
    return action is not None and len(action["recycled"]) > 1 and bool(action["recycled"].pop())


def _renewal_with_another_card(log: dict) -> bool:
    action = _renewing(log)
    if action is None or len(action["recycled"]) < 2:
        return False
    missing = [card for card in PACKS[log["game"]] if card not in action["recycled"]]
    action["recycled"][-1] = missing[0]
    return True


def _renewal_in_another_order(log: dict) -> bool:
    """The card drawn is no longer the first of the new stock."""
    action = _renewing(log)
    if action is None or action["a"] == "DRAW_DISCARD" or "stock_order" in log:
        return False
    stock = action["recycled"]
    stock.reverse()
    return stock[0] != action["card"]


def _wrong_seat(log: dict) -> bool:
    log["actions"][0]["seat"] = (log["actions"][0]["seat"] + 1) % log["players"]
    return True


def _wrong_seat_within_a_turn(log: dict) -> bool:
    log["actions"][1]["seat"] = (log["actions"][1]["seat"] + 1) % log["players"]
    return True


def _wrong_dealer(log: dict) -> bool:
    log["dealer"] = (log["dealer"] + 1) % log["players"]
    return True


def _wrong_stock_card(log: dict) -> bool:
    place = _first(log, "DRAW_STOCK")
    if place is None:
        return False
    state = state_after(log, place)
    if "stock_order" in log:
        log["actions"][place]["card"] = state.pile[-1]
        return state.pile[-1] not in state.stock
    log["actions"][place]["card"] = state.stock[-1]
    return state.stock[-1] != state.stock[0]


def _wrong_discard_taken(log: dict) -> bool:
    place = _first(log, "DRAW_DISCARD")
    if place is None:
        return False
    taken = log["actions"][place]["card"]
    log["actions"][place]["card"] = next(c for c in PACKS[log["game"]] if c != taken)
    return True


def _draw_without_its_card(log: dict) -> bool:
    return bool(log["actions"][0].pop("card"))


def _discard_of_a_card_not_held(log: dict) -> bool:
    place = _first_discard(log)
    state = state_after(log, place)
    held = {*state.hand}
    log["actions"][place]["card"] = next(c for c in PACKS[log["game"]] if c not in held)
    return True


def _meld_of_two(log: dict) -> bool:
    place = _first(log, "MELD")
    if place is not None:
        log["actions"][place]["cards"] = log["actions"][place]["cards"][:2]
    return place is not None


def _meld_out_of_order(log: dict) -> bool:
    for action in log["actions"]:
        if action["a"] == "MELD" and len({stands_for(card)[0] for card in action["cards"]}) > 1:
            action["cards"].reverse()
            return True
    return False


def _meld_before_the_draw(log: dict) -> bool:
    for place, action in enumerate(log["actions"]):
        if action["a"] == "MELD" and log["actions"][place - 1]["a"].startswith("DRAW"):
            log["actions"][place - 1 : place + 1] = [action, log["actions"][place - 1]]
            return True
    return False


def _wild_meaning_changed(log: dict) -> bool:
    for action in log["actions"]:
        for number, card in enumerate(action.get("cards", [])):
            if "=" in card:
                meaning = stands_for(card)
                other = "4" if meaning[0] == "9" else "9"
                action["cards"][number] = card.partition("=")[0] + "=" + other + meaning[1:]
                return True
    return False


def _hold_with_a_card_to_throw(log: dict) -> bool:
    place = _first_discard(log)
    log["actions"][place] = {"seat": log["actions"][place]["seat"], "a": "HOLD"}
    return True


def _action_after_the_end(log: dict) -> bool:
    log["actions"].append({"seat": 0, "a": "DRAW_STOCK", "card": "5H"})
    return True


def _last_action_missing(log: dict) -> bool:
    log["actions"].pop()
    return True


def _draw_missing(log: dict) -> bool:
    del log["actions"][0]
    return True


def _discard_missing(log: dict) -> bool:
    del log["actions"][_first_discard(log)]
    return True


def _second_draw(log: dict) -> bool:
    log["actions"].insert(1, log["actions"][0])
    return True


def _second_discard(log: dict) -> bool:
    place = _first_discard(log)
    log["actions"].insert(place + 1, log["actions"][place])
    return True


def _unknown_action(log: dict) -> bool:
    log["actions"].insert(1, {"seat": log["actions"][0]["seat"], "a": "REARRANGE"})
    return True


def _unknown_switch(log: dict) -> bool:
    log["switches"]["KK_TIE"] = "shared"
    return True


def _bad_option(log: dict) -> bool:
    log["switches"]["ONLY_TAKEN_LEFT"] = "keep"
    return True


def _default_switch(log: dict) -> bool:
    log["switches"]["ILLEGAL_MELD"] = "prevented"
    return True


def _one_player_too_few(log: dict) -> bool:
    log["players"] -= 1
    return True


def _field_missing(log: dict) -> bool:
    del log["result"]
    return True


SPOILT: list[tuple[Callable[[dict], bool], str]] = [
    (_wrong_winner, "winner"),
    (_winner_of_a_stopped_hand, "winner"),
    (_wrong_ending, "ending"),
    (_wrong_turns, "turns"),
    (_wrong_points, "points"),
    (_swapped_points, "points"),
    (_wrong_last_hand, "result: hands"),
    (_last_hand_short, "result: hands"),
    (_illegal_layoff, "R-JAQ-28|R-JAQ-14|R-PAR-03"),
    (_layoff_on_no_meld, "R-JAQ-14"),
    (_layoff_at_the_other_end, "R-JAQ-28"),
    (_taken_card_thrown_back, "R-JAQ-16"),
    (_card_conjured, "deal: .. is missing"),
    (_card_lost, "deal: .. is missing"),
    (_card_too_many, "deal: every player"),
    (_strange_card, "no card"),
    (_joker_in_the_pack, "not in the pack"),
    (_empty_pile, "discard pile"),
    (_renewal_left_out, "R-JAQ-17"),
    (_renewal_not_due, "R-JAQ-17"),
    (_renewal_with_the_top, "R-JAQ-17"),
    (_renewal_one_short, "R-JAQ-17"),
    (_renewal_with_another_card, "R-JAQ-17"),
    (_renewal_in_another_order, "R-COM-13"),
    (_wrong_seat, "R-JAQ-19"),
    (_wrong_seat_within_a_turn, "R-JAQ-19"),
    (_wrong_dealer, "R-JAQ-19|seat 0 deals"),
    (_wrong_stock_card, "R-COM-13"),
    (_wrong_discard_taken, "R-COM-10"),
    (_draw_without_its_card, "card is missing"),
    (_discard_of_a_card_not_held, "R-COM-06"),
    (_meld_of_two, "R-JAQ-12|R-WLD-02"),
    (_meld_out_of_order, "R-JAQ-12|R-WLD-02"),
    (_meld_before_the_draw, "R-JAQ-11"),
    (_wild_meaning_changed, "R-WLD-02"),
    (_hold_with_a_card_to_throw, "R-COM-08"),
    (_action_after_the_end, "R-COM-09"),
    (_last_action_missing, "has not ended"),
    (_draw_missing, "R-JAQ-11|R-JAQ-15"),
    (_discard_missing, "R-JAQ-10|R-JAQ-19"),
    (_second_draw, "R-JAQ-10"),
    (_second_discard, "R-JAQ-19"),
    (_unknown_action, "no such action"),
    (_unknown_switch, "no switch KK_TIE"),
    (_bad_option, "ONLY_TAKEN_LEFT cannot be"),
    (_default_switch, "at its default"),
    (_one_player_too_few, "not one for each player|not for"),
    (_field_missing, "result is missing"),
]
