"""A sandboxed agent that knows in its second sandbox what it learned in its first; a script stands in for the model.

pip install 'bethink[agents]'; python examples/workspace_sandbox.py [DIR]
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from agents import RunConfig, SQLiteSession, set_tracing_disabled
from agents.sandbox import Manifest, SandboxAgent, SandboxRunConfig
from agents.sandbox.capabilities import Filesystem, Shell
from agents.sandbox.sandboxes.unix_local import UnixLocalSandboxClient

from bethink import AsyncMemory
from bethink.integrations.openai_agents import BethinkMemory
from bethink.testing.models import Script, calls, says


async def visit(memory: BethinkMemory, root: Path, message: str, model: Script) -> str:
    """Run the agent once in a sandbox of its own, and return what its model was told."""
    root.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 - once, before anything runs
    sandbox = await UnixLocalSandboxClient().create(manifest=Manifest(root=str(root)))
    async with sandbox:
        agent = SandboxAgent(name="reviewer", model=model, capabilities=[Filesystem(), Shell(), memory])
        await memory.run(
            agent,
            message,
            session=SQLiteSession(f"visit-{root.name}"),
            run_config=RunConfig(sandbox=SandboxRunConfig(session=sandbox)),
        )
    return model.prompts[-1]


async def main(directory: str) -> None:
    set_tracing_disabled(True)
    async with AsyncMemory(str(Path(directory) / "memory.db")) as store:
        memory = BethinkMemory(store.scope(agent="reviewer", user="alice"))
        first = Script(calls("exec_command", cmd="ls"), says("I will."))
        await visit(memory, Path(directory) / "one", "Always run `make setup` before `make check`.", first)
        told = await visit(memory, Path(directory) / "two", "Check the project.", Script(says("Done.")))
        print(told[told.index("## Memory of this workspace") :])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()))
