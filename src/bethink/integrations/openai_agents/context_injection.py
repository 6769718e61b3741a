"""Inject recalled context as an input item behind the history, without storing it in a session."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, cast

from agents.run import ModelInputData

from bethink.integrations.openai_agents.instructions import context_in
from bethink.sessions.item_kinds import classify

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from agents.items import TResponseInputItem
    from agents.run import CallModelData
    from agents.run_config import CallModelInputFilter


def memory_input(
    then: CallModelInputFilter | None = None,
) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """Return `call_model_input_filter=` for a `RunConfig`, so that the prompt cache holds from turn to turn.

    Of what `memory_instructions` says, policy, profile and core notes stay in the instructions: they are the same in
    every turn. What the query picked goes behind the history, right before the latest message of the user. It is sent
    and never stored. An agent without `memory_instructions` is left as it is. `then` is a filter of your own, which
    sees the result.

    `run` does it by itself. Where a server keeps the conversation (`conversation_id`, `previous_response_id`) leave
    it out: the server would keep the item, too.
    """

    async def filtered(data: CallModelData[Any]) -> ModelInputData:
        given = data.model_data
        context = context_in(data.agent.instructions, given.instructions)
        if context is not None and given.instructions is not None:
            own = given.instructions.removesuffix(context.text)
            given = ModelInputData(
                input=behind_history(given.input, context.suffix), instructions=f"{own}{context.prefix}"
            )
        if then is None:
            return given
        data.model_data = given
        answer = then(data)
        return await answer if inspect.isawaitable(answer) else answer

    return filtered


def behind_history(items: Sequence[TResponseInputItem], text: str) -> list[TResponseInputItem]:
    """Return the input with a text before the latest message of the user; as it is where there is no text."""
    found = list(items)
    if text:
        users = [place for place, item in enumerate(found) if classify(item).kind == "user"]
        item = cast("TResponseInputItem", {"role": "user", "content": text})
        found.insert(users[-1] if users else len(found), item)
    return found
