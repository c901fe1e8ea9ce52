"""What was played, in one sentence, and how those play who played it."""

import re
from collections.abc import Mapping, Sequence

import pandas as pd

from cooncan_sim import catalog
from cooncan_sim.errors import CooncanError
from cooncan_sim.reports.parts import Part, Sentence
from cooncan_sim.reports.tables import called, game_names, listed, named, singular

MOST_NAMED = 4  # labels that one sentence can hold
KINDS = ("comparisons", "conditionals", "contrasts", "observations")


def asked(results: Mapping[str, pd.DataFrame]) -> str:
    """One sentence: what was compared with what, or watched, in which games, by how many."""
    for kind in KINDS:
        if kind in results and len(results[kind]):
            return _asked(kind, results[kind])
    return ""


def _asked(kind: str, found: pd.DataFrame) -> str:
    keys = found["game"] if kind != "contrasts" else found["control_game"]
    games = "all games" if keys.nunique() > MOST_NAMED else game_names(keys)
    at = f"at {games} with {_tables(found['players'])} players"
    if kind == "observations":
        return f"Watched: hands {at}, who all play {_names(found['strategy'])}."
    if kind == "contrasts" and (found["switch"] != "").any():
        return f"Compared: every house rule with its other settings, one at a time, {at}."
    forms, others = (_labels(found[f"{side}_label"]) for side in ("treatment", "control"))
    if kind == "contrasts":
        games = list(dict.fromkeys([*found["treatment_game"], *found["control_game"]]))
        at = f"at {game_names(games)} with {_tables(found['players'])} players"
    return f"Compared: {forms} with {others}, {at}."


def _tables(players: Sequence[int] | pd.Series) -> str:
    """`two`, `two, three or four`, `two to eight`."""
    numbers = sorted({int(number) for number in players})
    if len(numbers) > MOST_NAMED - 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{named(numbers[0])} to {named(numbers[-1])}"
    return listed([named(number) for number in numbers], "or")


def _labels(labels: pd.Series) -> str:
    every = list(dict.fromkeys(map(singular, labels)))
    if len(every) > MOST_NAMED:
        return f"{', '.join(every[:MOST_NAMED])} and others"
    return listed(every, "or")


def _names(strategies: pd.Series) -> str:
    return listed([called(name) for name in _specs(strategies)], "or")


def _specs(strategies: pd.Series) -> list[str]:
    """Each strategy once, also those that share a table."""
    several = [re.split(r",\s*(?![^(]*\))", one) for one in strategies]
    return list(dict.fromkeys(name.strip() for names in several for name in names))


def part(results: Mapping[str, pd.DataFrame]) -> Part | None:
    """How each strategy plays, in the words of its page; None where no page is at hand."""
    sentences: list[Sentence] = []
    for name, (about, labels) in _pages(results).items():
        also = f" ({listed(labels)})" if labels else ""
        sentences.append([f"{called(name)}{also}: {about}"])
    return Part("How they play", sentences) if sentences else None


def _pages(results: Mapping[str, pd.DataFrame]) -> dict[str, tuple[str, list[str]]]:
    """By the name of a page: what it says of itself, and what a question calls its players."""
    found: dict[str, tuple[str, list[str]]] = {}
    for game, spec, label in _used(results):
        try:
            page = catalog.strategy(spec, game).page
        except CooncanError:  # its file is not here any more
            continue
        _, labels = found.setdefault(page.name, (_about(page.about), []))
        label = singular(label)
        if label and label not in labels and len(labels) < MOST_NAMED:
            labels.append(label)
    return found


def _used(results: Mapping[str, pd.DataFrame]) -> list[tuple[str, str, str]]:
    """Game, strategy and label of all that took part, in order."""
    used: list[tuple[str, str, str]] = []
    for kind in (*KINDS, "decisions"):
        for row in results[kind].itertuples() if kind in results else ():
            if kind in ("comparisons", "conditionals"):
                used += [(row.game, row.treatment, row.treatment_label),
                         (row.game, row.control, row.control_label),
                         (row.game, row.field, "")]  # fmt: skip
            else:
                game = row.control_game if kind == "contrasts" else row.game
                used += [(game, spec, "") for spec in _specs(pd.Series([row.strategy]))]
    return list(dict.fromkeys(used))


def _about(words: str) -> str:
    """A page's own words in one line, without its sources."""
    plain = re.sub(r"\s+", " ", words.split("Source:")[0].split("Sources:")[0]).strip()
    return re.sub(r"`([^`]*)`", r"“\1”", plain)
