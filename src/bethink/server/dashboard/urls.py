"""URLs of the dashboard's pages.

A label of a path (an agent, its owner, a session) is written as in a namespace and then percent-encoded, so that
a name with a slash, a question mark or a colon is one part of the path, and comes back as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from bethink.scope.labels import decode, encode

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.server.agents import Agent
    from bethink.server.teams.values import Team

SIGN_IN = "/sign-in"
STATIC = "/static/"
DEMO = "demo-concierge"  #: the agent of the demo
API = ("/v1/", "/mcp", "/openapi.json", "/metrics")  #: what begins so is no page


def is_page(path: str) -> bool:
    """Tell whether a URL path belongs to one of the dashboard's pages."""
    return not path.startswith(API) and path != "/v1"


def part(name: str) -> str:
    """Write a label as one part of a path."""
    return quote(encode(name), safe="")


def label_of(written: str, *, argument: str) -> str:
    """Read a label of a path back, once the server has undone the percent-encoding.

    Raises:
        InvalidError: it is no label.
    """
    return decode(written, argument=argument)


def agent(which: Agent, *rest: str, **query: Any) -> str:
    """Return the address of a page of an agent."""
    return _joined(f"/agents/{part(which.owner)}/{part(which.name)}", rest, query)


def talk(which: Agent, session: str, *rest: str, **query: Any) -> str:
    """Return the address of a conversation, or of a page about it."""
    return agent(which, "chat", part(session), *rest, **query)


def team(which: Team, *rest: str, **query: Any) -> str:
    """Return the address of a page of a team that runs."""
    return _joined(f"/teams/{part(which.owner)}/{part(which.name)}", rest, query)


def memory(namespace: Namespace | str, *rest: str, **query: Any) -> str:
    """Return the address of a page of a namespace."""
    return _joined(f"/memory/{quote(str(namespace), safe='')}", rest, query)


def source(namespace: Namespace | str, which: str) -> str:
    """Return the address of what a note was made from: another note, or what somebody said."""
    return memory(namespace, "notes" if which.startswith("n") else "said", which)


def is_demo(namespace: Namespace) -> bool:
    """Tell whether a namespace is that of the demo."""
    return namespace.kind == "agent" and namespace.name == DEMO


def is_here(address: str) -> bool:
    """Tell whether an address that came with a request leads to a page of ours, and nowhere else."""
    return address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()


def _joined(path: str, rest: tuple[str, ...], query: dict[str, Any]) -> str:
    path = "/".join([path, *rest])
    filled = {name: value for name, value in query.items() if value not in {None, ""}}
    return f"{path}?{urlencode(filled)}" if filled else path
