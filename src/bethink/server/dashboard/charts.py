"""Draw column charts by day as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

WIDTH: Final = 420
HEIGHT: Final = 120
LEFT: Final = 34  #: room for the numbers
FOOT: Final = 18  #: room for the days
TOP: Final = 8
WIDE: Final = 840
TALL: Final = 110
NAMES: Final = 170  #: room for names before a line of time
LETTERS: Final = 24  #: of a name that are shown there
ROW: Final = 24
COLUMNS: Final = 120  #: places on a line of time


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A number a day, under one name."""

    name: str
    values: Sequence[float]


def columns(days: Sequence[str], series: Sequence[Series], *, title: str) -> Markup:
    """Return a column a day; of several series they stand on one another."""
    totals = [sum(each.values[at] for each in series) for at in range(len(days))]
    most = _round_up(max(totals, default=0.0))
    deep = HEIGHT - FOOT - TOP
    step = (WIDTH - LEFT) / max(1, len(days))
    parts = [_line(TOP, most), _line(TOP + deep / 2, most / 2), _line(TOP + deep, 0)]
    for at, day in enumerate(days):
        base = TOP + deep
        for number, each in enumerate(series):
            tall = each.values[at] / most * deep
            if tall:
                base -= tall
                parts.append(
                    Markup(
                        '<rect class="col col-{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="1">'
                        "<title>{}: {} {}</title></rect>"
                    ).format(
                        number % 4,
                        LEFT + at * step + 1,
                        base,
                        step - 2,
                        tall,
                        day,
                        _number(each.values[at]),
                        each.name,
                    )
                )
    for at in (0, len(days) // 2, len(days) - 1):
        anchor = "start" if at == 0 else "end" if at == len(days) - 1 else "middle"
        x = LEFT + at * step + (step if anchor == "end" else 0)
        parts.append(
            Markup('<text class="axis" x="{:.1f}" y="{}" text-anchor="{}">{}</text>').format(
                x, HEIGHT - 4, anchor, days[at][5:]
            )
        )
    return Markup('<svg class="plot" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        WIDTH, HEIGHT, title, Markup("").join(parts)
    )


def _line(y: float, value: float) -> Markup:
    return Markup(
        '<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>'
        '<text class="axis" x="{}" y="{:.1f}" text-anchor="end">{}</text>'
    ).format(LEFT, WIDTH, y, y, LEFT - 6, y + 3, _short(value))


def _short(value: float) -> str:
    if value >= 1_000_000:  # noqa: PLR2004
        return f"{value / 1_000_000:g}M"
    return f"{value / 1_000:g}k" if value >= 1_000 else f"{value:g}"  # noqa: PLR2004


def _round_up(value: float) -> float:
    """Return the next number that is easily read off an axis; at least 4, so that halves are whole."""
    for power in range(1, 12):
        for digit in (2, 4, 6, 10):
            if value <= (step := digit * 10.0 ** (power - 1)) and step >= 4:  # noqa: PLR2004
                return step
    return value


def moments(found: Sequence[datetime]) -> Markup:
    """Return a line of time with a mark for each instant; those that fall together stand on one another."""
    if not found:
        return Markup("")
    first, last = min(found), max(found)
    span = max((last - first).total_seconds(), 1.0)
    stacked: dict[int, int] = {}
    base = TALL - FOOT
    parts = [Markup('<line class="grid" x1="0" x2="{}" y1="{}" y2="{}"/>').format(WIDE, base, base)]
    for at in sorted(found):
        place = round((at - first).total_seconds() / span * (COLUMNS - 1))
        height = stacked[place] = stacked.get(place, 0) + 1
        parts.append(
            Markup(
                '<circle class="col col-0" cx="{:.1f}" cy="{:.1f}" r="3"><title>{}</title></circle>'
            ).format(
                6 + place * (WIDE - 12) / (COLUMNS - 1),
                max(4, base - 4 - 7 * (height - 1)),
                at.date().isoformat(),
            )
        )
    for x, anchor, at in ((0, "start", first), (WIDE, "end", last)):
        parts.append(
            Markup('<text class="axis" x="{}" y="{}" text-anchor="{}">{}</text>').format(
                x, TALL - 4, anchor, at.date().isoformat()
            )
        )
    return Markup(
        '<svg class="plot" viewBox="0 0 {} {}" role="img" aria-label="{} entries from {} to {}">{}</svg>'
    ).format(
        WIDE, TALL, len(found), first.date().isoformat(), last.date().isoformat(), Markup("").join(parts)
    )


def _number(value: float) -> str:
    """Return a number as people read it."""
    return f"{value:.0f}" if value == int(value) and abs(value) > 1 else f"{value:.3f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """A row of a picture of time: a name, and a mark for each instant, with what it leads to."""

    name: str
    address: str
    color: int
    marks: Sequence[tuple[datetime, str, str]]  #: when, where it leads, and its title


def lanes(rows: Sequence[Lane]) -> Markup:
    """Return a row each over one line of time.

    It is for eyes and pointers alone: whoever shows it has the same as a list, with links that keys reach.
    """
    times = [at for row in rows for at, _, _ in row.marks]
    if not times:
        return Markup("")
    first, last = min(times), max(times)
    span = max((last - first).total_seconds(), 1.0)
    room = WIDE - NAMES - 12

    def across(at: datetime) -> float:
        return NAMES + 6 + (at - first).total_seconds() / span * room

    parts = [_lane(row, TOP + number * ROW + ROW / 2, across) for number, row in enumerate(rows)]
    foot = TOP + len(rows) * ROW
    parts += [
        Markup('<text class="axis" x="{:.0f}" y="{}" text-anchor="{}">{}</text>').format(
            across(at), foot + 14, anchor, at.date().isoformat()
        )
        for anchor, at in ((("start", first), ("end", last)) if last > first else (("start", first),))
    ]
    return Markup('<svg class="plot lanes" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>').format(
        WIDE, foot + FOOT, Markup("").join(parts)
    )


def _lane(row: Lane, y: float, across: Callable[[datetime], float]) -> Markup:
    name = row.name if len(row.name) <= LETTERS else row.name[: LETTERS - 1] + "…"
    parts = [
        Markup('<line class="grid" x1="{}" x2="{}" y1="{:.0f}" y2="{:.0f}"/>').format(NAMES, WIDE, y, y),
        Markup('<a href="{}" tabindex="-1"><text class="lane-name" x="0" y="{:.0f}">{}</text></a>').format(
            row.address, y + 4, name
        ),
    ]
    parts += [
        Markup(
            '<a href="{}" tabindex="-1"><circle class="col col-{}" cx="{:.1f}" cy="{:.0f}" r="5">'
            "<title>{}</title></circle></a>"
        ).format(address, row.color, across(at), y, title)
        for at, address, title in row.marks
    ]
    return Markup("").join(parts)
