"""A graph of LangGraph whose threads and long-term memory are in one file: python examples/langgraph_memory.py

The first conversation is interrupted for an approval, and goes on in what stands for another process. The second one,
in another thread, finds what the first one put into the store. No model and no key.
"""

from __future__ import annotations

import sys
from operator import add
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime  # noqa: TC002 - read at run time
from langgraph.types import Command, interrupt

from bethink import Memory
from bethink.integrations.langgraph import BethinkSaver, BethinkStore


class State(TypedDict):
    said: str
    answers: Annotated[list[str], add]


class Context(TypedDict):
    user_id: str


def remember(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Put what was said into the store, once the user has agreed."""
    assert runtime.store is not None
    if state["said"].startswith("Remember"):
        agreed = interrupt("May I remember that?")
        if agreed:
            namespace = ("memories", runtime.context["user_id"])
            runtime.store.put(namespace, str(len(state["said"])), {"text": state["said"]})
    return {}


def answer(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Answer from what is found in the store."""
    assert runtime.store is not None
    found = runtime.store.search(("memories", runtime.context["user_id"]), query=state["said"], limit=1)
    return {"answers": [f"You said: {found[0].value['text']}" if found else "I know nothing of that."]}


def build(memory: Memory) -> Any:
    builder = StateGraph(State, context_schema=Context)
    builder.add_node("remember", remember)
    builder.add_node("answer", answer)
    builder.add_edge(START, "remember")
    builder.add_edge("remember", "answer")
    builder.add_edge("answer", END)
    return builder.compile(
        store=BethinkStore(memory, users="memories/{user}"),
        checkpointer=BethinkSaver(memory, user_key="user_id", keep=20),
    )


def main(path: str = "langgraph-memory.db") -> None:
    first = {"configurable": {"thread_id": "monday", "user_id": "ana"}}
    second = {"configurable": {"thread_id": "friday", "user_id": "ana"}}
    other = {"configurable": {"thread_id": "friday", "user_id": "bob"}}
    with Memory(path) as memory:
        asked = build(memory).invoke(
            {"said": "Remember that I eat no meat.", "answers": []}, first, context={"user_id": "ana"}
        )
        print("asks:", asked["__interrupt__"][0].value)
    with Memory(path) as memory:
        graph = build(memory)
        print(
            "goes on:", graph.invoke(Command(resume=True), first, context={"user_id": "ana"})["answers"][-1]
        )
        question = {"said": "Is there a vegetarian restaurant?", "answers": []}
        print("in another thread:", graph.invoke(question, second, context={"user_id": "ana"})["answers"][-1])
        print("another user:", graph.invoke(question, other, context={"user_id": "bob"})["answers"][-1])
        print("left after erasing:", memory.erase(user="ana").remaining)
        print("after that:", graph.invoke(question, second, context={"user_id": "ana"})["answers"][-1])


if __name__ == "__main__":
    main(*sys.argv[1:])
