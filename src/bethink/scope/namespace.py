"""Namespaces: the address of a memory, as columns and as text.

A namespace is compared by its columns; its text is a rendering, one to one within a tenant:

    agent:concierge                      what the agent keeps when nobody is authenticated
    agent:concierge:u:alice              Alice's memory with that agent
    agent:concierge:u:alice:s:trip       the same, of one session only
    agent:o:bob:concierge:u:alice        the like-named agent that Bob owns
    org:engineering-docs                 a pool, under the name it was registered with
    team:research-team                   a team

The owner stands before the name, so that no agent's text begins with that of another, and what lies below a
namespace in text lies below it in columns too. Labels are percent-encoded; one that is exactly `o`, `u` or
`s` is encoded as well, since bare they are the markers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from bethink.errors import InvalidError
from bethink.scope.labels import MARKERS, decode, encode, label
from bethink.scope.values import SYSTEM

Kind: TypeAlias = Literal["agent", "pool", "team"]
_KINDS = get_args(Kind)

DEFAULT_TENANT = "default"
POOL_LABELS = 8  #: of a pool's name, at most
POOL_BYTES = 512  #: of a pool's name as it is written: an index of PostgreSQL takes no row of three thousand


@dataclass(frozen=True, slots=True, kw_only=True)
class Namespace:
    """Where something lives, column by column.

    Pools and teams are registered once a tenant under their name: who owns them is in the register and not
    here, so their `owner` is always `system`, and they have neither user nor session.
    """

    tenant: str = DEFAULT_TENANT  #: the customer of a deployment
    kind: Kind = "agent"  #: what sort of place it is
    owner: str = SYSTEM  #: whose agent it is
    name: str  #: the name of the agent, the pool or the team
    user: str | None = None  #: whose memory it is; None for an agent without users
    session: str | None = None  #: where it is of one session only

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "tenant", label(self.tenant, argument="tenant"))
        put(self, "owner", label(self.owner, argument="owner"))
        if self.kind not in _KINDS:
            raise InvalidError(f"kind must be 'agent', 'pool' or 'team', got {self.kind!r}", argument="kind")
        if self.kind == "pool":
            put(self, "name", pool_name(self.name))
        else:
            put(self, "name", label(self.name, argument="team" if self.kind == "team" else "agent"))
        if self.kind != "agent" and (self.user, self.session, self.owner) != (None, None, SYSTEM):
            raise InvalidError(
                f"a {self.kind} is shared and has no user, session or owner of its own",
                argument="kind",
            )
        if self.user is not None:
            put(self, "user", label(self.user, argument="user"))
        if self.session is not None:
            put(self, "session", label(self.session, argument="session"))

    def __str__(self) -> str:
        if self.kind == "pool":
            return self.name
        owner = "" if self.owner == SYSTEM else f"o:{encode(self.owner)}:"
        text = f"{self.kind}:{owner}{encode(self.name)}"
        if self.user is not None:
            text += f":u:{encode(self.user)}"
        if self.session is not None:
            text += f":s:{encode(self.session)}"
        return text

    @classmethod
    def parse(cls, text: str, *, tenant: str = DEFAULT_TENANT) -> Namespace:
        """Read a namespace's text back, label by label.

        Two older forms are understood and never written: `agent:NAME:SESSION`, from before sessions had a
        marker, and `agent:OWNER:NAME:u:USER`, from before owners had one.
        """
        match text.split(":"):
            case ["agent", "o", owner, name, *rest]:
                return _agent(tenant, owner, name, rest)
            case ["agent", owner, name, "u", user] if not {owner, name} & MARKERS:
                return _agent(tenant, owner, name, ["u", user])
            case ["agent", name, *rest]:
                return _agent(tenant, SYSTEM, name, rest)
            case ["team", name]:
                return cls(tenant=tenant, kind="team", name=_plain(name))
            case ["team", *_]:
                raise InvalidError(
                    "a team's namespace must be team:NAME; write a colon in the name as %3A",
                    argument="namespace",
                )
            case _:
                return cls(tenant=tenant, kind="pool", name=text)


def actor_text(owner: str, agent: str, user: str | None) -> str:
    """Return the text that names an agent and its user, for keys of conversations."""
    return str(Namespace(owner=owner, name=agent, user=user)).removeprefix("agent:")


def pool_name(text: str) -> str:
    """Return a pool's name in its one written form, or refuse it.

    The name is its own rendering. It may not read as an agent, a team or somebody's private memory, encoded
    or not, in whichever case: declaring such a pool would otherwise be a way into them.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(f"pool must be a str, got {type(text).__name__}", argument="pool")
    labels = [decode(each, argument="pool") for each in text.split(":")]
    first = _unescaped(labels[0]).partition(":")[0]
    if first.casefold() in {"agent", "team"}:
        raise InvalidError(
            f"a pool's name must not begin with {first!r}, which marks another kind of memory; try org:NAME",
            argument="pool",
        )
    if any(each.casefold() == "u" for each in labels):
        raise InvalidError(
            "a pool's name must not contain the label 'u', which marks a user's own memory; choose "
            "another name",
            argument="pool",
        )
    if len(labels) > POOL_LABELS:
        raise InvalidError(
            f"a pool's name may have at most {POOL_LABELS} labels, got {len(labels)}",
            argument="pool",
            limit=POOL_LABELS,
            actual=len(labels),
        )
    written = ":".join(encode(each) for each in labels)
    size = len(written.encode())
    if size > POOL_BYTES:
        raise InvalidError(
            f"a pool's name may have at most {POOL_BYTES} bytes, got {size}; shorten it",
            argument="pool",
            limit=POOL_BYTES,
            actual=size,
        )
    return written


def _unescaped(text: str) -> str:
    """Return what a client may end up with that decodes a name once too often, however often it does."""
    if "%" not in text:
        return text
    from urllib.parse import unquote  # here, since few names have it and it is slow to load

    while (plain := unquote(text)) != text:
        text = plain
    return text


def _agent(tenant: str, owner: str, name: str, rest: list[str]) -> Namespace:
    user: str | None = None
    session: str | None = None
    match rest:
        case []:
            pass
        case ["u", user]:
            pass
        case ["s", session] | [session]:
            pass
        case ["u", user, "s", session] | ["u", user, session]:
            pass
        case _:
            raise InvalidError(
                "an agent's namespace must be agent:NAME, then u:USER, then s:SESSION; write colons "
                "within them as %3A",
                argument="namespace",
            )
    return Namespace(
        tenant=tenant,
        owner=_plain(owner),
        name=_plain(name),
        user=None if user is None else _plain(user),
        session=None if session is None else _plain(session),
    )


def _plain(text: str) -> str:
    if text in MARKERS:
        raise InvalidError(
            f"{text!r} is reserved as a marker; write it as {encode(text)}",
            argument="namespace",
        )
    return decode(text, argument="namespace")
