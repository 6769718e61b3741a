"""Mount the dashboard's routers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.server.dashboard import (
    agents,
    conversations,
    demo,
    entity_map,
    export_and_erase,
    grants,
    importing,
    jobs_and_deliveries,
    notes,
    plans,
    profile,
    runs,
    search,
    sign_in,
    stats,
    webhooks_and_tasks,
)

if TYPE_CHECKING:
    from fastapi import FastAPI

ROUTERS = (
    sign_in,
    agents,
    webhooks_and_tasks,
    conversations,
    demo,
    export_and_erase,
    importing,
    entity_map,
    notes,
    search,
    profile,
    plans,
    grants,
    runs,
    jobs_and_deliveries,
    stats,
)


def add_pages(app: FastAPI) -> None:
    """Add the pages to a server; the description of the API does not name them."""
    for part in ROUTERS:
        app.include_router(part.router, include_in_schema=False)
