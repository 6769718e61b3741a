"""The statistics page: what memories hold and what the lifecycle counted."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from bethink.health.service import count
from bethink.lifecycle.metrics import measure
from bethink.server.dashboard.charts import Series, columns
from bethink.server.dashboard.dependencies import html
from bethink.server.dependencies import Memory
from bethink.times import now

if TYPE_CHECKING:
    from bethink.health.values import Stats

router = APIRouter()
DAYS = 30
COUNTS: Final = (
    ("Notes written", ("written", "remembered")),
    ("Writes blocked by the guard", ("blocked",)),
    ("Conflicts settled", ("conflicts",)),
)


@router.get("/stats")
async def stats(request: Request, memory: Memory) -> Response:
    """Show the numbers of every scope that the caller may see."""
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    principal = runtime.principal
    seen = None
    if principal is not None and not principal.admin:
        seen = [scope.namespace for scope in await memory.scopes()]
    found = await count(runtime.store, runtime.tenant, only=seen)
    return html(request, "stats.html", stats=found, whole=seen is None, plots=_plots(found))


def _plots(found: Stats) -> list[dict[str, Any]]:
    days = _days()
    made = [
        _plot(title, days, Series(name=title, values=[_sum(found.days.get(day, {}), names) for day in days]))
        for title, names in COUNTS
    ]
    first = [measure(found.days.get(day, {})).time_to_personalization or 0.0 for day in days]
    made.append(_plot("Turns until the first lasting note", days, Series(name="turns", values=first)))
    operations = sorted({name for day in days for name in found.spend.get(day, {})})
    spent = [
        Series(name=name, values=[float(found.spend.get(day, {}).get(name, 0)) for day in days])
        for name in operations
    ]
    if spent:
        made.append(_plot("Tokens used by models", days, *spent))
    return made


def _plot(title: str, days: list[str], *series: Series) -> dict[str, Any]:
    total = sum(sum(each.values) for each in series)
    table = [
        (day, [each.values[at] for each in series])
        for at, day in enumerate(days)
        if any(each.values[at] for each in series)
    ]
    return {
        "title": title,
        "svg": columns(days, series, title=f"{title}, by day, the last {len(days)} days"),
        "total": total,
        "names": [each.name for each in series],
        "table": table,
    }


def _days() -> list[str]:
    today: date = now().date()
    return [(today - timedelta(days=ago)).isoformat() for ago in range(DAYS - 1, -1, -1)]


def _sum(counts: Any, names: tuple[str, ...]) -> float:
    return float(sum(counts.get(name, 0) for name in names))
