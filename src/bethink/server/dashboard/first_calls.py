"""Generate first API calls for the visitor: with the server's URL and the caller's name."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from bethink.server.mcp_mount import is_installed

if TYPE_CHECKING:
    from fastapi import Request

    from bethink.memory.memory import AsyncMemory
    from bethink.scope.namespace import Namespace

AGENT: Final = "default"  #: whose memory a first visitor writes into: the same that `bethink remember` takes
NOTE: Final = "Prefers aisle seats."
QUESTION: Final = "Where does she like to sit?"
KEY: Final = "BETHINK_KEY"  #: the variable of the environment that stands for a key in what is shown


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCalls:
    """What is typed first, by the way in which a client reaches the server."""

    namespace: Namespace  #: the namespace that all calls write to
    keyed: bool  #: whether the calls contain an API key
    rest: str
    mcp: str | None  #: None where MCP is not installed
    cli: str


def first_calls(request: Request, memory: AsyncMemory) -> FirstCalls:
    """Return the first calls to the server that a request reached, for whoever asks."""
    base = str(request.base_url).rstrip("/")
    principal = request.state.caller.principal
    user = None if principal is None else principal.id
    namespace = memory.scope(agent=AGENT, user=user).namespace
    keyed = request.app.state.options.auth == "bearer"
    return FirstCalls(
        namespace=namespace,
        keyed=keyed,
        rest=_rest(f"{base}/v1/scopes/{quote(str(namespace), safe=':')}", keyed=keyed),
        mcp=_mcp(base, keyed=keyed) if is_installed() else None,
        cli=_cli(user),
    )


def _rest(scope: str, *, keyed: bool) -> str:
    key = f' -H "X-API-Key: ${KEY}"' if keyed else ""
    return "\n".join(
        f"curl {shlex.quote(f'{scope}/{verb}')}{key} \\\n"
        f"  -H 'content-type: application/json' -d {shlex.quote(json.dumps(given))}"
        for verb, given in (("notes", {"text": NOTE}), ("recall", {"query": QUESTION}))
    )


def _mcp(base: str, *, keyed: bool) -> str:
    key = f' \\\n  --header "Authorization: Bearer ${KEY}"' if keyed else ""
    return f"claude mcp add --transport http bethink {shlex.quote(f'{base}/mcp/{AGENT}')}{key}"


def _cli(user: str | None) -> str:
    whose = "" if user is None else f" --user {shlex.quote(user)}"
    return f'bethink remember "{NOTE}"{whose} --db DATABASE\nbethink recall "{QUESTION}"{whose} --db DATABASE'
