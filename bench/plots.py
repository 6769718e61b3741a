"""Draw curves over sizes as SVG by hand: both axes by powers of ten, nothing from elsewhere."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH, HEIGHT = 720, 340
LEFT, RIGHT, TOP, BOTTOM = 70, 215, 36, 46
COLOURS = ("#1d4ed8", "#b45309", "#047857", "#7c3aed", "#be123c", "#475569")
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #334155 } .title { font-weight: 600; font-size: 15px }
.grid { stroke: #cbd5e1; stroke-width: 1 } .axis { stroke: #64748b }
path { fill: none; stroke-width: 2 } rect { fill: #ffffff }
@media (prefers-color-scheme: dark) { text { fill: #cbd5e1 } .grid { stroke: #334155 } rect { fill: #0f172a } }
"""
Points = "Sequence[tuple[float, float]]"


def curves(series: Mapping[str, Points], *, title: str, across: str, up: str) -> str:
    """Return a picture of one curve a name, the highest named first; what is not above zero has no place on it."""
    kept = {name: [(x, y) for x, y in points if x > 0 and y > 0] for name, points in series.items()}
    kept = {name: sorted(points) for name, points in kept.items() if points}
    everything = [point for points in kept.values() for point in points]
    if not everything:
        return ""
    left, right = span([x for x, _ in everything])
    low, high = span([y for _, y in everything])

    def place(x: float, y: float) -> tuple[float, float]:
        over = (math.log10(x) - left) / (right - left)
        above = (math.log10(y) - low) / (high - low)
        return LEFT + over * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - above * (HEIGHT - TOP - BOTTOM)

    parts = [f'<text class="title" x="{LEFT}" y="20">{escape(title)}, {escape(up)}</text>']
    for power in range(low, high + 1):
        _, y = place(10**left, 10**power)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{told(10**power)}</text>')
    for power in range(left, right + 1):
        x, y = place(10**power, 10**low)
        parts.append(f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{y:.1f}" y2="{y + 5:.1f}"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 20:.1f}" text-anchor="middle">{told(10**power)}</text>')
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    parts.append(f'<text x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>')
    highest = sorted(kept, key=lambda name: -kept[name][-1][1])
    for number, (name, points) in enumerate(kept.items()):
        colour = COLOURS[number % len(COLOURS)]
        at = [place(x, y) for x, y in points]
        way = " L".join(f"{x:.1f},{y:.1f}" for x, y in at)
        parts.append(f'<path d="M{way}" stroke="{colour}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in at]
        x, y = WIDTH - RIGHT + 18, TOP + 10 + 20 * highest.index(name)
        parts.append(f'<circle cx="{x}" cy="{y - 4}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{x + 10}" y="{y}">{escape(name)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img"><title>{escape(title)}</title><style>{STYLE}</style>'
        f'<rect width="{WIDTH}" height="{HEIGHT}"/>{"".join(parts)}</svg>\n'
    )


def span(values: Sequence[float]) -> tuple[int, int]:
    """Return the powers of ten between which all values lie, at least one apart."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def told(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
