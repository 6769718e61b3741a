"""Dynamic instructions that end with the injected context."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

from bethink.integrations.openai_agents.scope_and_session import scope_in, session_name
from bethink.json_kinds import is_list, is_object
from bethink.sessions.item_kinds import classify

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from agents import Agent, RunContextWrapper

    from bethink.integrations.openai_agents.scope_and_session import ScopeChoice, SessionChoice
    from bethink.lifecycle.inject.values import Context, Strategy

    Made: TypeAlias = WeakKeyDictionary[RunContextWrapper[Any], Context]

    Base: TypeAlias = str | Callable[[RunContextWrapper[Any], Agent[Any]], str | Awaitable[str]]
    Instructions: TypeAlias = Callable[[RunContextWrapper[Any], Agent[Any]], Awaitable[str]]

_MADE = "bethink_contexts"  #: where a function of instructions keeps what it read for each run
MAX_QUERY = 2_000  #: characters of the latest message that memory is searched by


def memory_instructions(
    base: Base,
    scope: ScopeChoice,
    *,
    session: SessionChoice = None,
    search: bool = True,
    tokens: int | None = None,
    turns: int | None = None,
    strategy: Strategy = "relevance+recency",
    items: str = "session",
    policy: str | None = None,
) -> Instructions:
    """Return `instructions=` for an agent: its own words first, then profile, memories and how to take them.

    What is remembered is read once a run, so that the prompt stays the same from one model call to the next. With
    `memory_input` in the run's configuration it stays the same from turn to turn, too, and what the latest message
    asked for goes behind the history. The notes of `session` are among it when its window has lost something: tell by
    `turns` how it is trimmed.

    Args:
        base: the agent's own instructions, or a function that makes them.
        scope: whose memory, or a function that chooses it from the run's context.
        session: the session of the run.
        search: choose notes by the user's latest message too, not by their age alone.
        tokens: of the memories at most.
        turns: the session's window, where it is trimmed by turns.
        strategy: how notes are ordered: `relevance+recency`, `relevance` or `recency`.
        items: `all` quotes what was said in other sessions as well.
        policy: your own words on how memories are to be taken.
    """
    made: Made = WeakKeyDictionary()

    async def instructions(context: RunContextWrapper[Any], agent: Agent[Any]) -> str:
        own = base if isinstance(base, str) else base(context, agent)
        if inspect.isawaitable(own):
            own = await own
        found = made.get(context)
        if found is None:
            found = made[context] = await scope_in(scope, context).context(
                session=session_name(session, context),
                query=latest_words(context.turn_input) if search else None,
                tokens=tokens,
                turns=turns,
                strategy=strategy,
                items=items,
                policy=policy,
            )
        return f"{own}\n\n{found.text}"

    vars(instructions)[_MADE] = made
    return instructions


def context_in(instructions: object, text: str | None) -> Context | None:
    """Return the context that the instructions of an agent end with; None where they are none of ours."""
    made: Made | None = getattr(instructions, _MADE, None)
    if made is None or text is None:
        return None
    return next((found for found in made.values() if found.text and text.endswith(found.text)), None)


def latest_words(items: Iterable[Any]) -> str | None:
    """Return what the user said last, as far as it is text; None where there is nothing to search by."""
    for item in reversed(list(items)):
        if classify(item).kind != "user":
            continue
        content = item.get("content")
        parts = content if is_list(content) else [content]
        texts = [part.get("text") if is_object(part) else part for part in parts]
        words = " ".join(text for text in texts if isinstance(text, str)).encode("utf-8", "replace").decode()
        return words.replace("\x00", " ").strip()[-MAX_QUERY:] or None
    return None
