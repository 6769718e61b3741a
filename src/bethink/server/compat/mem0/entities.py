"""mem0's entities (user, agent, app, run) and the scopes that they map to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import DeniedError, InvalidError
from bethink.scope.labels import label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.scope.namespace import Namespace
    from bethink.scope.values import Principal

NO_AGENT: Final = "default"  #: the agent in whose scopes memories are kept that name none
IDS: Final = ("user_id", "agent_id", "app_id", "run_id")
KINDS: Final = {"user": "user_id", "agent": "agent_id", "app": "app_id", "run": "run_id"}
ANY: Final = "*"  #: matches any value in a filter
RUN_BYTES: Final = 120  #: maximum length of a run id, which becomes a session name
SESSION: Final = "mem0"  #: the session that keeps the messages of `add`; `mem0:RUN` with a run


@dataclass(frozen=True, slots=True, kw_only=True)
class Entities:
    """Whose a memory is, in mem0's words; what is not said is None."""

    user_id: str | None = None
    agent_id: str | None = None
    app_id: str | None = None
    run_id: str | None = None

    @property
    def labels(self) -> dict[str, str]:
        """Return what is kept in the metadata of a note, since no scope is made of it."""
        return {
            name: value
            for name, value in (("app_id", self.app_id), ("run_id", self.run_id))
            if value is not None
        }

    @property
    def session(self) -> str:
        """Return the name of the session that keeps the messages."""
        return session_of(self.run_id)


def scope_of(memory: AsyncMemory, who: Entities) -> AsyncScope:
    """Return the scope in which the memories of these ids are kept. This is the whole mapping.

    * `user_id` is the user of the scope: isolation, export and erasure are the user's.
    * `agent_id` is the agent of the scope; without one it is the agent `default`. With an agent and no user, it is
      what the agent keeps of itself.
    * `app_id` and `run_id` are labels of the note, `app_id` and `run_id` in its metadata. A run has a session of its
      own for its messages, `mem0:RUN`; the others are in the session `mem0`.
    """
    return memory.scope(agent=who.agent_id or NO_AGENT, user=who.user_id)


def entities_of(namespace: Namespace, metadata: Mapping[str, Any]) -> Entities:
    """Return the ids that a note in a scope has: the other direction of `scope_of`."""
    label = {name: value if isinstance(value := metadata.get(name), str) else None for name in IDS[2:]}
    agent = None if namespace.name == NO_AGENT else namespace.name
    return Entities(user_id=namespace.user, agent_id=agent, **label)


def session_of(run_id: str | None) -> str:
    """Return the session that keeps the messages of a run, or of none."""
    return SESSION if run_id is None else f"{SESSION}:{run_id}"


def is_ours(session: str) -> bool:
    """Tell whether a session was made for messages that came by this API."""
    return session == SESSION or session.startswith(f"{SESSION}:")


def parse_entities(given: Mapping[str, Any], *, argument: str = "user_id") -> Entities:
    """Return the ids that a request names.

    Raises:
        InvalidError: one of them is no text, or the agent has the name that stands for none.
    """
    labels: dict[str, str] = {}
    for name in IDS:
        value: Any = given.get(name)
        if value is None or value == "":
            continue
        word: Any = str(value) if type(value) is int else value
        labels[name] = word if word == ANY else label(word, argument=name)
    if len(labels.get("run_id", "").encode()) > RUN_BYTES:
        raise InvalidError(f"run_id has {RUN_BYTES} bytes at most: shorten or hash it", argument="run_id")
    if labels.get("agent_id") == NO_AGENT:
        raise InvalidError(
            f"agent_id {NO_AGENT!r} stands for no agent here: leave agent_id out", argument=argument
        )
    return Entities(**labels)


def own_user(principal: Principal | None) -> str | None:
    """Return the one user whom a caller's key is bound to; None for the application and for admins."""
    return None if principal is None or principal.admin else principal.id


def for_caller(who: Entities, principal: Principal | None) -> Entities:
    """Return the ids as the caller may mean them: a key that is bound to a user means that user where none is named.

    Raises:
        InvalidError: a key of the application names nobody at all.
        DeniedError: a key that is bound to a user names somebody else.
    """
    if ANY in {who.user_id, who.agent_id, who.app_id, who.run_id}:
        raise InvalidError("'*' is nobody's id: name whose memory it is", argument="user_id")
    own = own_user(principal)
    if own is not None:
        check_own(who.user_id, own)
        return Entities(user_id=own, agent_id=who.agent_id, app_id=who.app_id, run_id=who.run_id)
    if who == Entities():
        raise InvalidError(f"pass at least one of {', '.join(IDS)}", argument="user_id")
    return who


def check_own(user: str | None, own: str) -> None:
    """Make sure that a key that is bound to a user means that user.

    Raises:
        DeniedError: it means another.
    """
    if user not in {None, own}:
        raise DeniedError(
            f"this key is bound to the user {own!r}: use a key of that user, or an admin's key for all",
            principal=own,
            right="read",
            namespace=str(user),
        )
