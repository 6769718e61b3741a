"""The team runtime: runs continue in the background and belong to their caller."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from bethink.ids import to_text
from bethink.pages import Page
from bethink.scope.transactions import digest
from bethink.server.chat.accepted_runs import AcceptedRuns
from bethink.server.chat.events import Event
from bethink.server.chat.running_turns import RunLocation
from bethink.server.problems import HttpError, status_of
from bethink.server.teams import records
from bethink.server.teams.register import shared_memory

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Hashable, Mapping, Sequence

    from bethink.memory.scope import AsyncScope
    from bethink.server.agents import Agent
    from bethink.server.chat.accepted_runs import AcceptedRun
    from bethink.server.chat.models import Models
    from bethink.server.chat.runtime import ChatRuntime
    from bethink.server.teams.execution import Play
    from bethink.server.teams.register import Teams
    from bethink.server.teams.values import RunState, Team, TeamRun

GRACE_SECONDS = 30.0  #: time for running team runs to finish when the server stops
MAX_RUNS = 4  #: concurrent runs per team and caller


class TeamRuntime:
    """Plays runs of teams over the models of the chats."""

    def __init__(self, chats: ChatRuntime) -> None:
        self._chats = chats
        self._stage = AcceptedRuns()

    async def start(self, teams: Teams, team: Team, message: str, *, operation: str | None = None) -> TeamRun:
        """Begin a run, and return at once what is known of it.

        Raises:
            HttpError: 429 where too many runs go on, 501 without the SDK, 422 where the key was used otherwise.
            NotFoundError: a member of the team is not there for the caller.
        """
        again = await self._again(teams, team, message, operation)
        if again is not None:
            return again
        playing = await self._accept(teams, team, message, operation)
        return await records.read(teams.scope(team), team, playing.id)

    async def run(self, teams: Teams, team: Team, message: str, *, operation: str | None = None) -> TeamRun:
        """Play a run to its end.

        Raises:
            HttpError: as `start` has it; 504 where it took too long, 409 where it was cancelled.
        """
        again = await self._again(teams, team, message, operation)
        if again is not None:
            return again
        return await (await self._accept(teams, team, message, operation)).answer()

    async def stream(
        self, teams: Teams, team: Team, message: str, *, operation: str | None = None
    ) -> AsyncGenerator[Event]:
        """Yield what happens in a run; what goes wrong before it begins is raised, afterwards it is an event."""
        again = await self._again(teams, team, message, operation)
        if again is not None:
            for event in (_begun(again.run, again.team), _finished(again)):
                yield event
            return
        async for event in (await self._accept(teams, team, message, operation)).events():
            yield event

    async def read(self, teams: Teams, team: Team, run: str) -> TeamRun:
        """Return a run of the caller.

        Raises:
            NotFoundError: there is none, or it is another caller's.
        """
        scope = teams.scope(team)
        (found,) = await self._as_they_stand(scope, team, [await records.read(scope, team, run)])
        return found

    async def listing(self, teams: Teams, team: Team, limit: int, cursor: str | None) -> Page[TeamRun]:
        """List the caller's runs, the newest first, without their words."""
        scope = teams.scope(team)
        page = await records.listing(scope, team, limit, cursor)
        return Page(await self._as_they_stand(scope, team, page.entries), page.total, page.next)

    async def cancel(self, teams: Teams, team: Team, run: str) -> bool:
        """Stop a run of the caller; False where it has ended. One that another process plays is stopped there.

        Raises:
            NotFoundError: there is none, or it is another caller's.
        """
        scope = teams.scope(team)
        if (await self.read(teams, team, run)).state != "running":
            return False
        playing = next((each for each in self._stage.at(_key(scope)) if each.id == run), None)
        return await playing.stop() if playing is not None else await RunLocation(scope).stop(run)

    async def close(self) -> None:
        """Take no more runs, and let those that go on come to their end, as far as that is soon."""
        await self._stage.close(GRACE_SECONDS)

    async def _as_they_stand(
        self, scope: AsyncScope, team: Team, runs: Sequence[TeamRun]
    ) -> tuple[TeamRun, ...]:
        """Return runs as they stand: one that nobody plays any more is lost, unless it ended while we looked."""
        going = await self._under_way(scope)
        found: list[TeamRun] = []
        for each in runs:
            run = each
            if run.state == "running" and run.run not in going:
                again = await records.read(scope, team, run.run)
                state = "lost" if again.state == "running" else again.state
                run = replace(again if run.message else run, state=state)
            found.append(run)
        return tuple(found)

    async def _under_way(self, scope: AsyncScope) -> set[str]:
        """Return the runs that go on, in this process and in others."""
        own = self._stage.at(_key(scope))
        return {each.id for each in own} | set(await RunLocation(scope).others(own))

    async def _again(self, teams: Teams, team: Team, message: str, operation: str | None) -> TeamRun | None:
        """Return the run that the same was asked for before; one that goes on is waited for."""
        if operation is None:
            return None
        scope, number = teams.scope(team), _number(operation)
        playing = next((each for each in self._stage.at(_key(scope)) if each.id == number), None)
        if playing is not None:
            await playing.answer()
        if await scope.session(number).info() is None:
            return None
        found = await self.read(teams, team, number)
        if found.message != message:
            raise HttpError(
                422,
                "key-reused",
                "this Idempotency-Key was already used for another message; choose a new one",
            )
        return replace(found, repeated=True)

    async def _accept(
        self, teams: Teams, team: Team, message: str, operation: str | None
    ) -> AcceptedRun[TeamRun]:
        models, members = await self._chats.models(), await teams.members(team)
        scope = teams.scope(team)
        if len(await self._under_way(scope)) >= MAX_RUNS:
            raise HttpError(
                429,
                "busy",
                "this team is already working on several of your requests; try again when one is done",
                headers={"retry-after": "1"},
                limit=MAX_RUNS,
                unit="runs",
            )
        run = to_text("t", teams.agents.fresh()) if operation is None else _number(operation)
        await RunLocation(scope).announce(
            run
        )  # before anybody can read of it, so that nobody takes it for lost
        await records.begin(scope, run, message)
        return self._stage.start(
            _key(scope),
            run,
            lambda playing: self._play(playing, teams, team, members, message, models),
            named="run",
        )

    async def _play(
        self,
        playing: AcceptedRun[TeamRun],
        teams: Teams,
        team: Team,
        members: Mapping[str, Agent],
        message: str,
        models: Models,
    ) -> TeamRun:
        from bethink.server.teams.execution import Play

        scope, shared = teams.scope(team), shared_memory(team.name, team.spec)
        async with self._chats.lent(teams.agents), RunLocation(scope).shown(playing):
            play = Play(
                id=playing.id,
                team=team,
                members=members,
                scopes={name: teams.agents.scope(agent) for name, agent in members.items()},
                reaches={
                    name: replace(teams.agents.reach(agent), team=shared) for name, agent in members.items()
                },
                message=message,
                models=models,
                tell=playing.tell,
            )
            playing.tell(_begun(playing.id, team.name))
            try:
                text = await play.play()
            except asyncio.CancelledError:
                await _keep(scope, play, "cancelled")
                raise
            except Exception as error:
                await _keep(scope, play, "failed", error=status_of(error)[1])
                raise
            playing.settle()
            await _keep(scope, play, "done", text=text)
            run = await records.read(scope, team, playing.id)
            playing.tell(_finished(run))
            return run


async def _keep(
    scope: AsyncScope, play: Play, state: RunState, *, text: str | None = None, error: str | None = None
) -> None:
    """Keep what became of a run; a task that nobody came to is one that was not done."""
    tasks = tuple(
        replace(each, error="unfinished") if each.text is None and each.error is None else each
        for each in play.tasks
    )
    await records.finish(
        scope,
        play.id,
        team=play.team.name,
        state=state,
        text=text,
        tasks=tasks,
        usage=play.usage,
        offline=play.offline,
        error=error,
    )


def _begun(run: str, team: str) -> Event:
    return Event(kind="run", data={"run": run, "team": team})


def _finished(run: TeamRun) -> Event:
    names = ("run", "team", "state", "text", "usage", "offline", "repeated")
    return Event(kind="done", data={name: getattr(run, name) for name in names})


def _number(operation: str) -> str:
    """Return the id of a run that is the same when the same is asked again."""
    return to_text("t", int(digest(operation)[:15], 16))


def _key(scope: AsyncScope) -> Hashable:
    return scope.namespace
