"""Values of webhooks, subscriptions, events and deliveries."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from bethink.sessions.values import DEFAULT_SESSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.server.delegation import Delegation

Mode: TypeAlias = Literal["turn", "append"]  #: the agent answers, or the message is only noted
Scheme: TypeAlias = Literal[
    "standard", "secret"
]  #: an HMAC over each message, or the secret itself in a header
EventKind: TypeAlias = Literal[
    "note.added",
    "note.quarantined",
    "note.forgotten",
    "erased",
    "plan.applied",
    "plan.undone",
    "session.deleted",
]
EVENTS: Final[tuple[EventKind, ...]] = get_args(EventKind)
PATH: Final = "/v1/webhooks/"  #: of the address that messages are sent to
ORIGIN: Final = "webhook:"  #: begins the origin of what came by one


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """One of the secrets of a webhook: sealed, or a digest where that is enough."""

    kept: str
    since: int  #: microseconds
    until: int | None = None  #: when it ends to be good; None while it is the newest


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSpec:
    """What a webhook lets in."""

    mode: Mode = "turn"
    scheme: Scheme = "standard"
    session: str = DEFAULT_SESSION  #: session of messages that name none
    sessions: tuple[str, ...] | None = (
        None  #: sessions that a message may name; None is any, `orders-*` is a prefix
    )
    addresses: tuple[str, ...] = ()  #: networks that messages may come from; any where none is named
    quiet: bool = False  #: the agent's answer is kept from the sender
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """An address at which others leave messages for an agent."""

    id: int
    owner: str  #: of the agent
    agent: str
    delegation: Delegation
    spec: WebhookSpec
    secrets: tuple[Secret, ...]  #: the newest first
    revision: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredMessage:
    """What became of a message that came before."""

    state: Literal["running", "done"]
    session: str
    turn: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionSpec:
    """What a subscriber wants to be told."""

    events: tuple[EventKind, ...] = EVENTS
    namespace: str | None = None  #: events of this namespace only
    everything: bool = False  #: events of every scope of the tenant; admins only
    content: bool = False  #: events include the text of notes
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """Somebody who wants to be told what happened."""

    id: int
    delegation: Delegation
    url: str
    spec: SubscriptionSpec
    secrets: tuple[Secret, ...]
    state: Literal["active", "gone"]  #: gone: its address answered 410
    revision: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened, by ids and kinds alone."""

    kind: EventKind
    event: str  #: its id, the same whoever is told and however often
    at: int  #: microseconds
    note: int | None = None
    subject: Mapping[str, Any] = field(default_factory=dict[str, Any])


State: TypeAlias = Literal["pending", "delivered", "dead", "heard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """News on their way to one target."""

    scope: int
    id: int
    target: str
    event: str
    kind: EventKind
    note: int | None
    subject: Mapping[str, Any]
    state: State
    attempts: int
    due_at: int
    status: int | None  #: HTTP status of the last attempt
    error: str | None  #: why the last try failed, in a word
    at: int
    updated_at: int
