"""How far a long run has come: on stderr, and only where a person is watching."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Tick = Callable[[int], None]


@contextmanager
def progress(total: int, unit: str) -> Iterator[Tick]:
    """A bar with rate and time left while the block runs; `tick(n)` says that n more are done.

    `unit` is what is counted, in the plural: `deals`. Ticks may come from any thread. Where
    stderr is no terminal nothing is shown.
    """
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed or 0:,.0f} {unit}/s")

    columns = (
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} " + unit),
        BarColumn(),
        Rate(),
        TextColumn("time left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(unit, total=total)
        yield lambda count: bar.advance(task, count)
