"""The planner's tool for assigning tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from agents import FunctionTool

from bethink.errors import InvalidError
from bethink.tools.calls import check_arguments
from bethink.tools.schemas import arguments, text
from bethink.tools.values import Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ASSIGN: Final = "assign"
MAX_TASKS: Final = 64


def assign_tool(workers: Sequence[str], assign: Callable[[str, str], None]) -> FunctionTool:
    """Return the tool; it knows the workers by their names."""
    given = 0
    worker = {**text("the worker who is to do it"), "enum": list(workers)}
    tool = Tool(
        name=ASSIGN,
        family="team",
        description="Give a worker a task. The workers do their tasks at the same time, and know only their own.",
        parameters=arguments(worker=worker, task=text("what is to be done, with all that is needed for it")),
        act=_never,
    )

    async def invoke(_: Any, written: str) -> str:
        nonlocal given
        try:
            wanted = check_arguments(tool, written)
        except InvalidError as error:
            return f"Not done: {error}"
        if wanted["worker"] not in workers:
            return f"Not done: there is no such worker. There are: {', '.join(workers)}."
        if given >= MAX_TASKS:
            return f"Not done: there are {MAX_TASKS} tasks already."
        given += 1
        assign(wanted["worker"], wanted["task"])
        return f"Assigned to {wanted['worker']}."

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=dict(tool.parameters),
        on_invoke_tool=invoke,
        strict_json_schema=True,
    )


async def _never(*_: Any) -> Any:
    raise AssertionError("the planner's own tool is called through the SDK")
