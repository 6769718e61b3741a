"""LangGraph: its checkpointer conformance package, and the tests of its SQLite store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.suites import Framework, Suite

if TYPE_CHECKING:
    from collections.abc import Iterator


def checkpointer(url: str) -> Iterator[tuple[str, str | None]]:
    """Run every test of the conformance package."""
    import asyncio
    import uuid

    from bethink.integrations.langgraph import BethinkSaver
    from langgraph.checkpoint.conformance import checkpointer_test, validate
    from langgraph.checkpoint.conformance.report import ProgressCallbacks

    from bethink import Memory

    found: list[tuple[str, str | None]] = []

    @checkpointer_test(name="BethinkSaver")
    async def made():
        with Memory(url, tenant=uuid.uuid4().hex) as memory:
            yield BethinkSaver(memory)

    def note(capability: str, test: str, passed: bool, trace: str | None) -> None:
        found.append((f"{capability}: {test}", None if passed else trace or "failed"))

    report = asyncio.run(validate(made, progress=ProgressCallbacks(on_test_result=note)))
    found += [
        (capability, "the capability is missing")
        for capability, result in report.results.items()
        if not result.detected
    ]
    yield from found


FRAMEWORK = Framework(
    title="LangGraph",
    extra="langgraph",
    packages=(
        "langgraph==1.2.22",
        "langgraph-checkpoint==4.3.2",
        "langgraph-checkpoint-conformance==0.0.2",
        "langgraph-checkpoint-sqlite==3.1.2",
    ),
    suites=(
        Suite(name="checkpointer", source="langgraph-checkpoint-conformance==0.0.2", script=checkpointer),
    ),
)
