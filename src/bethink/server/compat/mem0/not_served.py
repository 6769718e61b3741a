"""Paths of mem0's API that are not supported: each answers with the alternative."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.server.openapi import Router
from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from starlette.responses import Response

router = Router(tags=["mem0"])
_INSTEAD = {
    "/v1/feedback/": "feedback is not kept: change a memory by update, or delete it",
    "/v1/exports/": "exports are made by `bethink export`, or by GET /v1/scopes/{namespace}/export",
    "/v1/exports/get/": "exports are made by `bethink export`, or by GET /v1/scopes/{namespace}/export",
    "/v1/summary/": "summaries are not made: POST /v1/scopes/{namespace}/context has what is known within a budget",
    "/v1/events/": "add answers when it is done: there are no events to wait for",
    "/v1/event/{id}/": "add answers when it is done: there are no events to wait for",
    "/v2/entities/user/{name}/profile/": "profiles are read at GET /v1/scopes/{namespace}/profile",
    "/v2/profiles/jobs/": "profiles are written as memories are learned: there are no jobs",
    "/v2/profiles/jobs/{id}/": "profiles are written as memories are learned: there are no jobs",
    "/v2/profiles/settings/": "profiles are described in Python, by memory.profile_schema(…)",
    "/api/v1/orgs/organizations/{org}/": "there are no organizations: a tenant is chosen by the key",
    "/api/v1/orgs/organizations/{org}/members/": "there are no members: `bethink key` makes keys",
    "/api/v1/orgs/organizations/{org}/projects/": "there are no projects: a tenant is chosen by the key",
    "/api/v1/orgs/organizations/{org}/projects/{project}/": "there are no projects: settings are options of `serve`",
    "/api/v1/orgs/organizations/{org}/projects/{project}/members/": "there are no members: `bethink key` makes keys",
    "/api/v1/webhooks/projects/{project}/": "webhooks are subscriptions: POST /v1/subscriptions",
    "/api/v1/webhooks/{webhook}/": "webhooks are subscriptions: POST /v1/subscriptions",
}


def _not_served(sentence: str) -> Any:
    async def answer() -> Response:
        raise HttpError(501, "not-served", f"Bethink does not serve this part of mem0's API: {sentence}")

    return answer


for _path, _sentence in _INSTEAD.items():
    router.add_api_route(
        _path,
        _not_served(_sentence),
        methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        include_in_schema=False,
    )
