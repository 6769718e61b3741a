"""Resolve namespace templates of agent and team specs, such as `{user_id}`.

A template names its memory in labels with placeholders: `agent:{agent_name}:{session_id}`. It is read label
by label, each in one pass, and what is put in is encoded, so no name can add a label, forge a marker or be
expanded again. What has a column of its own is taken out of the template and comes back from the column:

    {session_id}                the session, rendered only where a session store was asked for
    {user_id}, {principal_id}   the user, rendered last whether or not the template says so, and never twice
    {agent_owner} as a label    the owner, rendered where it is not `system`

Hence, for the agent `bot` of the system and the user `alice`:

    (none)                          agent:bot:u:alice
    agent:{agent_name}              agent:bot:u:alice
    agent:{agent_name}:{session_id} agent:bot:u:alice
    agent:{agent_name}:u:{user_id}  agent:bot:u:alice
    {agent_name}-{session_id}       agent:bot-:u:alice
    {session_id}                    agent:bot:u:alice
    a:{session_id}:{agent_name}     agent:%3Aa%3Abot:u:alice

The dash stays where the session went: without it, two templates that differ would come to share memory. A
template of which nothing remains falls back to the agent's name: otherwise all such agents of a user would
share one nameless memory. And every private template, whatever it says, is held under its own agent's owner,
so no spec can write its way into somebody else's agent.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bethink.errors import InvalidError
from bethink.scope.labels import MARKERS, decode, encode
from bethink.scope.namespace import DEFAULT_TENANT, Kind, Namespace
from bethink.scope.values import SYSTEM

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.scope.values import Principal

AGENT_TEMPLATE = "agent:{agent_name}"
TEAM_TEMPLATE = "team:{team_name}"

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_TAKEN_OUT: dict[Kind, frozenset[str]] = {
    "agent": frozenset({"session_id", "user_id", "principal_id"}),
    "pool": frozenset({"session_id"}),
    "team": frozenset({"session_id"}),
}
_PUT_IN: dict[Kind, frozenset[str]] = {
    "agent": frozenset({"agent_name", "agent_owner"}),
    "pool": frozenset({"agent_name", "agent_owner"}),
    "team": frozenset({"team_name"}),
}
_ANNOUNCED_BY = {"session_id": "s", "user_id": "u", "principal_id": "u", "agent_owner": "o"}


def check_template(template: str | None, *, kind: Kind = "agent") -> None:
    """Raise `InvalidError` for a template that could not be resolved; for the moment when a spec is saved."""
    match kind:
        case "agent":
            resolve_private(template, agent="agent", principal=None)
        case "pool":
            resolve_pool(template or "", agent="agent-name")
        case "team":
            resolve_team(template, team="team-name")


def resolve_private(
    template: str | None,
    *,
    agent: str,
    principal: Principal | None,
    owner: str = SYSTEM,
    tenant: str = DEFAULT_TENANT,
    session: str | None = None,
    session_store: bool = False,
) -> Namespace:
    """Return where an agent keeps what it learns of a user, or of nobody in particular.

    `session_store` asks for a memory of one session only; a template alone never does.
    """
    if session_store and session is None:
        raise InvalidError("a session store's template needs session=", argument="session")
    written = (template or AGENT_TEMPLATE).removeprefix("agent:")
    labels = _expand(written, kind="agent", values={"agent_name": agent, "agent_owner": owner})
    return Namespace(
        tenant=tenant,
        owner=owner,
        name=_base(labels or [encode(agent)]),
        user=None if principal is None else principal.id,
        session=session if session_store else None,
    )


def resolve_pool(
    template: str, *, agent: str, owner: str = SYSTEM, tenant: str = DEFAULT_TENANT
) -> Namespace:
    """Return the pool that an agent's spec declares; whether anyone may use it is for its grants to say."""
    labels = _expand(template, kind="pool", values={"agent_name": agent, "agent_owner": owner})
    return Namespace(tenant=tenant, kind="pool", name=":".join(labels))


def resolve_team(template: str | None, *, team: str, tenant: str = DEFAULT_TENANT) -> Namespace:
    """Return where a team keeps what its members share."""
    labels = _expand(template or TEAM_TEMPLATE, kind="team", values={"team_name": team})
    match labels:
        case ["team", name]:
            return Namespace(tenant=tenant, kind="team", name=decode(name, argument="template"))
        case _:
            raise InvalidError(
                f"a team's template must be one label after 'team:', such as {TEAM_TEMPLATE}",
                argument="template",
            )


def _expand(template: str, *, kind: Kind, values: Mapping[str, str]) -> list[str]:
    """Return the template's labels, encoded, with the values put in."""
    labels: list[str] = []
    for raw in template.split(":"):
        names = _PLACEHOLDER.findall(raw)
        _check(raw, names, kind)
        literal = _PLACEHOLDER.sub("", raw)
        out = _TAKEN_OUT[kind]
        if not literal and (out.issuperset(names) or (kind == "agent" and names == ["agent_owner"])):
            if labels and labels[-1] == _ANNOUNCED_BY[names[0]]:
                labels.pop()
            continue
        labels.append(
            _PLACEHOLDER.sub(lambda found: encode(values[found[1]]) if found[1] in values else "", raw)
        )
    for each in labels:
        decode(each, argument="template")
        if each in MARKERS and (kind == "agent" or each == "u"):
            raise InvalidError(
                f"the label {each!r} is reserved in a template; remove it",
                argument="template",
            )
    return labels


def _check(raw: str, names: list[str], kind: Kind) -> None:
    known = _PUT_IN[kind] | _TAKEN_OUT[kind]
    for each in names:
        if each not in known:
            raise InvalidError(
                f"unknown placeholder {{{each}}} in a template of this kind ({kind}); "
                f"available: {', '.join(f'{{{name}}}' for name in sorted(known))}",
                argument="template",
                actual=each,
            )
    rest = _PLACEHOLDER.sub("", raw)
    if "{" in rest or "}" in rest:
        raise InvalidError(
            "unbalanced brace in the template; close it, or write %7B or %7D", argument="template"
        )
    if not raw:
        raise InvalidError(
            "the template contains an empty label; remove the extra colon", argument="template"
        )


def _base(labels: list[str]) -> str:
    """Return the labels as one name, one to one: several are kept encoded behind a leading colon."""
    plain = [decode(each, argument="template") for each in labels]
    if len(plain) == 1 and not plain[0].startswith(":"):
        return plain[0]
    return "".join(":" + encode(each) for each in plain)
