"""Draw plots as plain SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.evals.metrics import Interval

WIDTH: Final = 720
LABEL: Final = 250
ROW: Final = 22
END: Final = 90  #: room for the number at the right


def bars(rows: Sequence[tuple[str, Interval]], *, title: str, most: float = 1.0) -> str:
    """Return a bar for each value, with its range as a whisker."""
    scale = (WIDTH - LABEL - END) / (max(most, *(each.high for _, each in rows)) or 1.0)
    parts: list[str] = []
    for place, (name, each) in enumerate(rows):
        y = place * ROW + 4
        middle = y + 8
        low, high = (LABEL + each.low * scale, LABEL + each.high * scale)
        parts += [
            _label(name, y),
            f'<rect class="bar" x="{LABEL}" y="{y}" width="{each.mean * scale:.1f}" height="15"/>',
            f'<line class="range" x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}"/>',
            *(
                f'<line class="range" x1="{x:.1f}" x2="{x:.1f}" y1="{middle - 4}" y2="{middle + 4}"/>'
                for x in (low, high)
            ),
            _number(each.mean, y),
        ]
    return _picture(parts, len(rows), title)


def counts(values: Mapping[str, float], *, title: str) -> str:
    """Return a bar for each number."""
    most = max(values.values(), default=0.0) or 1.0
    scale = (WIDTH - LABEL - END) / most
    parts: list[str] = []
    for place, (name, value) in enumerate(values.items()):
        y = place * ROW + 4
        parts += [
            _label(name, y),
            f'<rect class="count" x="{LABEL}" y="{y}" width="{value * scale:.1f}" height="15"/>',
            _number(value, y),
        ]
    return _picture(parts, len(values), title)


def number_text(value: float) -> str:
    """Return a number as people read it."""
    return f"{value:.0f}" if value == int(value) and abs(value) > 1 else f"{value:.3f}"


def _label(name: str, y: int) -> str:
    return f'<text class="name" x="{LABEL - 8}" y="{y + 12}" text-anchor="end">{escape(name)}</text>'


def _number(value: float, y: int) -> str:
    return f'<text class="number" x="{WIDTH - END + 10}" y="{y + 12}">{number_text(value)}</text>'


def _picture(parts: Sequence[str], rows: int, title: str) -> str:
    height = rows * ROW + 8
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )
