"""The pages of strategies on their way to another machine, which may lack them or have others."""

import hashlib
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cooncan_sim import catalog
from cooncan_sim.errors import CooncanError


@dataclass(frozen=True)
class Pages:
    """What another machine needs to play these strategies (specs) of a game as they are here.

    files: what the pages contain that are named by a path, those that others build on included.
    The rest are installed there too; digest: of all of them, one after the other.
    """

    game: str
    specs: Sequence[str]
    files: Mapping[str, bytes]
    digest: str

    @classmethod
    def of(cls, game: str, specs: Sequence[str]) -> "Pages":
        pages = _all_pages(game, specs)
        files = {page.name: page.path.read_bytes() for page in pages if catalog.is_path(page.name)}
        return cls(game, tuple(specs), files, _digest(pages))


def _all_pages(game: str, specs: Sequence[str]) -> list[catalog.Page]:
    return [
        page for spec in specs for page in catalog.lineage(catalog.strategy(spec, game).page, game)
    ]


def _digest(pages: Sequence[catalog.Page]) -> str:
    contents = (hashlib.sha256(page.path.read_bytes()).digest() for page in pages)
    return hashlib.sha256(b"".join(contents)).hexdigest()


@contextmanager
def these_pages(pages: Pages) -> Iterator[None]:
    """While the block runs, pages named by a path are read from copies of what they contained.

    Raises CooncanError if the other pages are not here, or not the same.
    """
    token = catalog.copies.set({name: _copy(pages, name) for name in pages.files})
    try:
        with catalog.reading:
            same = _digest(_all_pages(pages.game, pages.specs)) == pages.digest
        if not same:
            raise CooncanError(
                f"its pages of {', '.join(pages.specs)} are others than where they were asked for"
            )
        yield
    finally:
        catalog.copies.reset(token)


def _copy(pages: Pages, name: str) -> Path:
    """The page of this name as a file beside compiled code, in a folder of these pages alone.

    What the catalogue has read and compiled of a file depends on the pages that it builds on.
    """
    import numba

    import cooncan_sim.kernel  # noqa: F401 (says where compiled code is kept)

    named = hashlib.sha256(name.encode()).hexdigest()[:8]  # two may both be called mine.py
    folder = Path(numba.config.CACHE_DIR) / "pages" / pages.digest[:16] / named
    path = folder / Path(name).name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        fresh = folder / uuid.uuid4().hex
        fresh.write_bytes(pages.files[name])
        os.replace(fresh, path)  # whole from the first moment on
    return path
