"""Claude Agent SDK: the contracts of a session store, which its package has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.suites import Framework, Suite

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTRACTS = 14


def contracts(url: str) -> Iterator[tuple[str, str | None]]:
    """Run the contracts; the kit asks for a store to look at, then for one a contract, and ends at the first miss."""
    import asyncio
    import traceback
    import uuid

    from claude_agent_sdk.testing import run_session_store_conformance

    from bethink import AsyncMemory
    from bethink.integrations.claude_agent_sdk import BethinkSessionStore

    stores: list[BethinkSessionStore] = []

    async def run() -> None:
        async with AsyncMemory(url) as memory:

            def fresh() -> BethinkSessionStore:
                stores.append(BethinkSessionStore(memory, user=uuid.uuid4().hex))
                return stores[-1]

            await run_session_store_conformance(fresh)

    trace = None
    try:
        asyncio.run(run())
    except Exception:  # noqa: BLE001 - whatever a contract raises is what it came to
        trace = traceback.format_exc()
    tried = len(stores) - 1
    assert trace or tried == CONTRACTS, f"the kit has {tried} contracts"
    for number in range(1, tried + 1):
        yield f"contract {number}", trace if number == tried else None


FRAMEWORK = Framework(
    title="Claude Agent SDK",
    extra="claude",
    packages=("claude-agent-sdk==0.2.187",),
    suites=(Suite(name="session store", source="claude-agent-sdk==0.2.187", script=contracts),),
    ours=("tests/integrations/test_claude_agent_sdk.py",),
    remarks="nothing is published for hooks: ours are tested in `tests/integrations/test_claude_agent_sdk.py` with the "
    "SDK's own client over a scripted command line.",
)
