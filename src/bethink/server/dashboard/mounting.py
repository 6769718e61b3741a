"""Put the pages beside the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.server.dashboard import (
    doors,
    grants,
    home,
    notes,
    plans,
    profile,
    runs,
    searching,
    signing,
    stats,
    talks,
    whole,
    work,
)

if TYPE_CHECKING:
    from fastapi import FastAPI

ROUTERS = (signing, home, doors, talks, whole, notes, searching, profile, plans, grants, runs, work, stats)


def add_pages(app: FastAPI) -> None:
    """Add the pages to a server; the description of the API does not name them."""
    for part in ROUTERS:
        app.include_router(part.router, include_in_schema=False)
