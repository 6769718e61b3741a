"""Put the pages beside the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.server.dashboard import (
    agents,
    conversations,
    demo,
    export_and_erase,
    grants,
    importing,
    known_map,
    notes,
    plans,
    profile,
    runs,
    search,
    sign_in,
    stats,
    triggers,
    work,
)

if TYPE_CHECKING:
    from fastapi import FastAPI

ROUTERS = (
    sign_in,
    agents,
    triggers,
    conversations,
    demo,
    export_and_erase,
    importing,
    known_map,
    notes,
    search,
    profile,
    plans,
    grants,
    runs,
    work,
    stats,
)


def add_pages(app: FastAPI) -> None:
    """Add the pages to a server; the description of the API does not name them."""
    for part in ROUTERS:
        app.include_router(part.router, include_in_schema=False)
