"""Tables of cells for a terminal and for a notebook; the first row is the head."""

import html
from collections.abc import Sequence

Cells = Sequence[Sequence[str]]


def text_table(cells: Cells, numbers: bool = False) -> str:
    """In columns two spaces apart; `numbers`: all columns but the first to the right."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = [
            cell.rjust(width) if numbers and place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def html_table(cells: Cells, caption: str = "") -> str:
    """The same as an HTML table."""
    head, *rows = [[html.escape(cell) for cell in row] for row in cells]
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{title}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def html_lines(lines: Sequence[str]) -> str:
    """Sentences as one paragraph, a line each."""
    return f"<p>{'<br>'.join(map(html.escape, lines))}</p>"
