"""Execute one run of a team: plan, work in parallel, synthesize."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bethink.errors import BethinkError
from bethink.integrations.openai_agents.instructions import latest_words
from bethink.server.agents import tools_of
from bethink.server.chat.events import Event
from bethink.server.chat.failures import caller_error
from bethink.server.chat.runs import Run
from bethink.server.chat.token_usage import record_usage, used_up
from bethink.server.chat.values import Usage
from bethink.server.problems import HttpError, status_of
from bethink.server.teams import instructions
from bethink.server.teams.assigning import assign_tool
from bethink.server.teams.values import Task
from bethink.tools.registry import tools as registered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bethink.memory.scope import AsyncScope
    from bethink.server.agents import Agent
    from bethink.server.chat.models import ChosenModel, Models, Role
    from bethink.server.teams.values import Team
    from bethink.tools.values import Reach, Tool


@dataclass(slots=True, kw_only=True)
class Play:
    """One run of a team for one caller, and how far it has come."""

    id: str
    team: Team
    members: Mapping[str, Agent]
    scopes: Mapping[str, AsyncScope]  #: each member's scope, with the caller's rights
    reaches: Mapping[str, Reach]  #: what each member's tools may access, with the caller's rights
    message: str
    models: Models
    tell: Callable[[Event], None]
    tasks: list[Task] = field(default_factory=list[Task])
    usage: Usage = field(default_factory=Usage)
    offline: bool = False
    calls: int = 0  #: model calls so far, of all members

    async def play(self) -> str:
        """Return the answer of the team.

        Raises:
            BethinkError: the run took too long or too many calls, or no worker and no synthesizer could answer.
        """
        seconds = self.team.spec.timeout_seconds
        try:
            async with asyncio.timeout(seconds):
                await self._plan()
                await self._work()
                return await self._join()
        except TimeoutError:
            raise HttpError(
                504, "timeout", f"the run took longer than {seconds:g} s", limit=seconds, unit="seconds"
            ) from None

    async def _plan(self) -> None:
        spec, asked = self.team.spec, list[tuple[str, str]]()
        tool = assign_tool(spec.workers, lambda worker, task: asked.append((worker, task)))
        prompt = instructions.planner(self.team.name, [self.members[each] for each in spec.workers])
        await self._member(spec.planner, "plan", prompt, self.message, extra=[tool])
        given = asked or [(worker, self.message) for worker in spec.workers]
        self.tasks = [Task(worker=worker, task=task) for worker, task in given]
        self.tell(
            Event(kind="plan", data={"tasks": [{"worker": worker, "task": task} for worker, task in given]})
        )

    async def _work(self) -> None:
        at_once = asyncio.Semaphore(self.team.spec.max_concurrent)
        try:
            async with asyncio.TaskGroup() as group:
                for place in range(len(self.tasks)):
                    group.create_task(self._one(place, at_once))
        except ExceptionGroup as defects:
            raise defects.exceptions[0] from None
        if all(task.error is not None for task in self.tasks):
            raise HttpError(
                502,
                "team",
                "no worker completed its task; see `errors`",
                errors=[task.error for task in self.tasks],
            )

    async def _one(self, place: int, at_once: asyncio.Semaphore) -> None:
        """Let a worker do its task; where it cannot, the others go on, and the synthesizer is told."""
        async with at_once:
            task = self.tasks[place]
            prompt = instructions.worker(self.team.name, shares=self.reaches[task.worker].team is not None)
            try:
                text = await self._member(task.worker, "work", prompt, task.task)
            except BethinkError as error:
                self.tasks[place] = replace(task, error=status_of(error)[1])
            else:
                self.tasks[place] = replace(task, text=text)
            done = self.tasks[place]
            self.tell(
                Event(kind="task", data={"worker": done.worker, "text": done.text, "error": done.error})
            )

    async def _join(self) -> str:
        spec = self.team.spec
        prompt = instructions.synthesizer(self.team.name)
        return await self._member(
            spec.synthesizer, "join", prompt, instructions.findings(self.message, self.tasks), aloud=True
        )

    async def _member(
        self,
        name: str,
        role: Role,
        prompt: str,
        message: str,
        *,
        extra: Sequence[Any] = (),
        aloud: bool = False,
    ) -> str:
        """Let one member speak, with its own memory of the caller and what the team shares."""
        agent, scope, reach = self.members[name], self.scopes[name], self.reaches[name]
        chosen = self.models.choose(agent.spec, role=role, used_up=await used_up(scope))
        self.offline = self.offline or chosen.offline
        run = Run(
            name=agent.name,
            instructions=await self._instructions(agent, scope, prompt, message),
            chosen=chosen,
            max_turns=agent.spec.max_turns,
            temperature=agent.spec.temperature,
            tell=self.tell if aloud else self._inner(agent.name),
            before=self._count,
        )
        try:
            text, _ = await run.play(message, [*run.tools(tools_in_team(agent, reach), reach), *extra])
        except Exception as error:
            raise _caller_error(error, chosen, run.max_turns) from error
        finally:
            await self._account(scope, run)
        return text

    async def _instructions(self, agent: Agent, scope: AsyncScope, prompt: str, message: str) -> str:
        parts = [agent.spec.system_prompt, prompt]
        if agent.spec.primitives.memory.enabled:
            query = latest_words([{"role": "user", "content": message}])
            parts.append((await scope.context(query=query)).text)
        return "\n\n".join(part for part in parts if part)

    async def _account(self, scope: AsyncScope, run: Run) -> None:
        used = run.usage
        self.usage = Usage(
            requests=self.usage.requests + used.requests,
            tokens_in=self.usage.tokens_in + used.input_tokens,
            tokens_out=self.usage.tokens_out + used.output_tokens,
        )
        await record_usage(scope, None, used)

    def _count(self) -> None:
        most = self.team.spec.max_turns
        if self.calls >= most:
            raise HttpError(
                502, "max-turns", "the team has used all of its model calls", limit=most, actual=self.calls
            )
        self.calls += 1

    def _inner(self, name: str) -> Callable[[Event], None]:
        """Pass on which tools a member calls, under its name; its words come with its task."""

        def tell(event: Event) -> None:
            if event.kind != "delta":
                self.tell(replace(event, data={**event.data, "agent": name}))

        return tell


def tools_in_team(agent: Agent, reach: Reach) -> list[Tool]:
    """Return the tools of an agent, with those of its pools and of what the team shares."""
    offered = {tool.name: tool for tool in tools_of(agent)}
    families = [name for name, there in (("pools", reach.pools), ("team", reach.team)) if there]
    if agent.spec.primitives.memory.enabled:
        offered |= {tool.name: tool for tool in registered(families)}  # pyright: ignore[reportArgumentType]
    return list(offered.values())


def _caller_error(error: Exception, chosen: ChosenModel, max_turns: int) -> Exception:
    return caller_error(error, chosen, seconds=0, max_turns=max_turns)
