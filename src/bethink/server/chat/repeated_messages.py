"""Idempotency of chat: a repeated operation id gets the stored answer and is not run again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import ConflictError
from bethink.json_kinds import is_list, is_object
from bethink.scope.transactions import digest
from bethink.server import transactions
from bethink.server.chat.values import Answer, Called
from bethink.server.idempotency_keys import KEPT_MICROS
from bethink.server.problems import HttpError
from bethink.sessions.repeated_turns import find_stored_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.memory.session import AsyncSession
    from bethink.sessions.values import Body


async def stored_answer(session: AsyncSession, operation: str, message: str, turn: str) -> Answer | None:
    """Return the answer to what was stored under an operation id; its words only as far as they are still there.

    Raises:
        HttpError: 422, the id was used for another message.
    """
    runtime = session._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    try:
        found = await runtime.read_log(
            find_stored_turn, session.scope.namespace, session.session_id, operation, message
        )
    except ConflictError as error:
        raise _reused() from error
    if found is None:
        return None
    head, bodies = found
    return Answer(
        turn=turn,
        session=session.session_id,
        text=next((text for body in reversed(bodies) if (text := _message_text(body))), ""),
        tools=_called(bodies),
        revision=head.revision,
        repeated=True,
    )


async def repeated_unstored(session: AsyncSession, operation: str, message: str, turn: str) -> Answer | None:
    """Return that a turn of which nothing is kept was played already.

    Raises:
        HttpError: 422, the id was used for another message.
    """
    runtime = session._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    asking = runtime.writing()
    found = await runtime.store.read(
        transactions.find_answered,
        runtime.tenant,
        asking.actor,
        _name(session, operation),
        since=asking.now - KEPT_MICROS,
    )
    if found is None:
        return None
    if found.request != digest(message):
        raise _reused()
    return Answer(turn=turn, session=session.session_id, text="", repeated=True)


async def note_unstored(session: AsyncSession, operation: str, message: str, turn: str) -> None:
    """Note that a turn of which nothing is kept was played."""
    runtime = session._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    writing = runtime.writing()
    await runtime.store.write(
        transactions.put_answered,
        runtime.tenant,
        writing.actor,
        _name(session, operation),
        transactions.StoredAnswer(request=digest(message), status=200, subject=turn),
        now=writing.now,
        before=writing.now - KEPT_MICROS,
    )


def _name(session: AsyncSession, operation: str) -> str:
    return digest(str(session.scope.namespace), session.session_id, operation)


def _reused() -> HttpError:
    return HttpError(
        422, "key-reused", "this Idempotency-Key was already used for another message; choose a new one"
    )


def _message_text(body: Body) -> str:
    """Return the words of an assistant's message."""
    if body.get("role") != "assistant":
        return ""
    content = body.get("content")
    parts: list[Any] = content if is_list(content) else [content]
    texts = [part.get("text") if is_object(part) else part for part in parts]
    return "".join(text for text in texts if isinstance(text, str))


def _called(bodies: Sequence[Body]) -> tuple[Called, ...]:
    """Return the calls in items of the SDK, with what was answered."""
    calls = {body.get("call_id"): body for body in bodies if body.get("type") == "function_call"}
    return tuple(
        Called(
            call_id=str(body["call_id"]),
            name=str(call["name"]),
            arguments=str(call["arguments"]),
            output=str(body.get("output")),
        )
        for body in bodies
        if body.get("type") == "function_call_output" and (call := calls.get(body.get("call_id")))
    )
