"""What has changed since results were played: the pages of strategies, or what was asked."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from cooncan_sim import catalog
from cooncan_sim.errors import CooncanError


def digest(strategy: catalog.Strategy, game: str) -> str:
    """A digest of all files that a strategy is made of: its own page, and those it builds on."""
    made = hashlib.sha256()
    for page in catalog.lineage(strategy.page, game):
        made.update(page.path.read_bytes())
    return made.hexdigest()[:16]


def named(strategy: catalog.Strategy, game: str) -> str:
    """What a strategy's digest is kept under: `greedy (jaques)`."""
    return f"{strategy.name} ({game})"


def changed_pages(digests: Mapping[str, str]) -> list[str]:
    """Names of the pages that are not what they were when these digests were taken.

    `digests`: by `named`. A strategy that cannot be found or read any more is passed over. Where
    a page that another builds on may be the one that changed, both are named.
    """
    changed: list[list[catalog.Page]] = []
    as_they_were: set[Path] = set()
    for key, before in digests.items():
        spec, game = key.removesuffix(")").rsplit(" (", 1)
        try:
            strategy = catalog.strategy(spec, game)
            pages = catalog.lineage(strategy.page, game)
        except CooncanError:
            continue
        if digest(strategy, game) == before:
            as_they_were |= {page.path for page in pages}
        else:
            changed.append(pages)
    found = [page for pages in changed for page in _suspects(pages, as_they_were)]
    return list(dict.fromkeys(page.name for page in found))


def _suspects(pages: Sequence[catalog.Page], as_they_were: set[Path]) -> list[catalog.Page]:
    """Of a page and those it builds on: what may have changed, the shipped ones only if need be."""
    bundled = Path(str(resources.files("cooncan_sim.strategies"))).resolve()
    left = [page for page in pages if page.path not in as_they_were] or list(pages[:1])
    own = [page for page in left if not page.path.resolve().is_relative_to(bundled)]
    return own or left


def have_changed(pages: Iterable[str]) -> str:
    """`./low.py has changed`, `./low.py and ./mid.py have changed`."""
    names = list(pages)
    return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} changed"


def difference(manifest: Mapping[str, Any], settings: Mapping[str, Any], quick: bool) -> str:
    """Why results, of this manifest, are not those of these settings: the first thing to name."""
    before = manifest["settings"]
    versions = before["cooncan_sim"], settings["cooncan_sim"]
    if versions[0] != versions[1]:
        return f"they were played by cooncan_sim {versions[0]}, this is {versions[1]}"
    kept = {key: was for key, was in before["strategies"].items() if key in settings["strategies"]}
    pages = changed_pages(kept)
    if pages:
        return f"{have_changed(pages)} since they were played"
    if manifest["quick"] != quick:
        return f"they are those of a run with{'' if manifest['quick'] else 'out'} --quick"
    old, new = ({key: one for key, one in some.items() if key != "strategies"}
                for some in (before, settings))  # fmt: skip
    return f"the question was another: {_first_difference(old, new)}"


def _first_difference(old: Any, new: Any, name: str = "settings") -> str:
    """`deals 1000, now 2000`: the first place where two settings part."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *new]:
            if old.get(key) != new.get(key):
                return _first_difference(old.get(key), new.get(key), key)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for before, after in zip(old, new, strict=True):
            if before != after:
                return _first_difference(before, after, name)
    if isinstance(old, list) and isinstance(new, list):
        return f"{len(old)} {name}, now {len(new)}"
    return f"{name} {_said(old)}, now {_said(new)}"


def _said(setting: Any) -> str:
    if setting is None:
        return "not given"
    if isinstance(setting, dict | list):
        return "given"
    return {True: "yes", False: "no"}[setting] if isinstance(setting, bool) else f"{setting}"
