"""Say where a workspace stands, without changing anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.workspace import transactions
from bethink.workspace.bench import BASE, EDITED
from bethink.workspace.files import text_of
from bethink.workspace.values import Standing

if TYPE_CHECKING:
    from bethink.workspace.bench import Bench


async def status(bench: Bench) -> Standing:
    """Compare what the store holds with what lies in the files."""
    spot = bench.spot
    held = await bench.store.read(transactions.load, bench.namespace, spot, now=bench.writing().now)
    edited: list[str] = []
    missing: list[str] = []
    for path, content in held.files.items():
        if path.startswith((spot.memory("archive/"), ".bethink/")):
            continue
        found = await bench.files.read(path)
        if found is None:
            missing.append(path)
        elif path in {spot.memory(name) for name in EDITED} and content != text_of(found):
            base = await bench.files.read(spot.memory(f"{BASE}/{path.rpartition('/')[2]}"))
            edited += [path] if base != found else []
    return Standing(
        directory=bench.files.directory or "",
        name=spot.name,
        layout=spot.layout,
        remembered=sum(bool(each.extract) and not each.archived for each in held.rollouts.values()),
        waiting=sum(each.extracted < each.segments for each in held.rollouts.values()),
        running=len(held.running),
        edited=tuple(edited),
        missing=tuple(missing),
    )
