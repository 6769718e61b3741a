"""The job runner: find what is due, hold its lease while it runs, record the outcome."""

from __future__ import annotations

import asyncio
import os
import random
import secrets
import socket
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import BethinkError
from bethink.server import audit
from bethink.server.background import transactions
from bethink.server.background.jobs import JobContext, next_due, nothing_to_do, plan_jobs, run_job
from bethink.server.background.schedules import retry_due
from bethink.server.background.values import JobOutcome
from bethink.server.webhooks.dispatcher import Dispatcher

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Mapping

    from bethink.memory.memory import AsyncMemory
    from bethink.server.background.values import ClaimedJob, Status
    from bethink.server.chat.runtime import ChatRuntime
    from bethink.server.options import Options
    from bethink.server.tenants import Tenants
    from bethink.server.webhooks.secret_encryption import SecretEncryption

MAX_ATTEMPTS: Final = 5  #: unfinished attempts after which a job waits for its next regular run
DUE_AT_ONCE: Final = 100
ROUND: Final = 64  #: tenants whose jobs are looked at in one round
PATIENCE: Final = 10  #: factor on the polling interval while the store does not answer


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRun:
    """One run of a job, as it is told to whoever looks on."""

    tenant: str
    job: str
    status: Status
    seconds: float
    outcome: Mapping[str, Any]


class JobRunner:
    """Does the jobs of some tenants, several at a time; other processes may do the same beside it."""

    def __init__(
        self,
        options: Options,
        tenants: Tenants,
        context: JobContext,
        *,
        named: Iterable[str] = (),
        tell: Callable[[JobRun], None] = lambda _: None,
    ) -> None:
        self._options = options
        self._tenants = tenants
        self._context = context
        self._named = tuple(named)  #: whose jobs are done; else those of the tenants that are open
        self._tell = tell
        self._holder = f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"
        self._planned: set[str] = set()
        self._reached = 0
        self._running: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()

    @asynccontextmanager
    async def beside(self) -> AsyncGenerator[None]:
        """Do what is due for as long as the block lasts; then finish what is under way."""
        if not self._options.work.here:
            yield
            return
        running = asyncio.create_task(self.run())
        try:
            yield
        finally:
            self.stop()
            await running

    async def close(self) -> None:
        """Let go of connections."""
        await self._context.dispatcher.close()

    def stop(self) -> None:
        """Begin nothing more."""
        self._stopping.set()

    async def run(self) -> None:
        """Do what is due, until `stop`; what is under way then is finished first."""
        while not self._stopping.is_set():
            pause = self._options.work.poll_seconds
            for tenant in self._next():
                try:
                    await self._begin(tenant, self._options.work.at_once - len(self._running))
                except (
                    BethinkError
                ) as error:  # the store does not answer just now: it is asked again, less often
                    audit.log_background_failure("background", error)
                    pause = self._options.work.poll_seconds * PATIENCE
                except Exception as error:  # noqa: BLE001 - the outermost place: other tenants have jobs too
                    audit.log_defect(error)
                    pause = self._options.work.poll_seconds * PATIENCE
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stopping.wait()
        await self._drained()

    async def once(self) -> None:
        """Do each job once that is due now."""
        for tenant in self._served():
            done: set[str] = set()
            while names := [name for name in await self._due(tenant) if name not in done]:
                for name in names[: self._options.work.at_once]:
                    done.add(name)
                    await self._take(tenant, name)
                await self._drained()
        await self._drained()

    async def _drained(self) -> None:
        while self._running:
            await asyncio.wait(self._running)

    def _next(self) -> list[str]:
        """Return whose jobs are looked at now: of many tenants some in each round, one after another."""
        served = self._served()
        if len(served) <= ROUND:
            return list(served)
        served = sorted(served)  # those that are open stand in the order of their use, which changes
        begin = self._reached % len(served)
        self._reached = begin + ROUND
        return [served[(begin + place) % len(served)] for place in range(ROUND)]

    def _served(self) -> tuple[str, ...]:
        return self._named or tuple(dict.fromkeys((self._options.tenant, *self._tenants.open)))

    async def _begin(self, tenant: str, free: int) -> None:
        for name in (await self._due(tenant))[: max(0, free)]:
            await self._take(tenant, name)

    async def _due(self, tenant: str) -> list[str]:
        async with self._tenants.using(tenant) as memory:
            if tenant not in self._planned:
                await plan_jobs(memory, self._options)
                self._planned.add(tenant)
            runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            found = await runtime.store.read(
                transactions.due_jobs, tenant, now=runtime.now(), limit=DUE_AT_ONCE
            )
            return [name for name, due in found if not await nothing_to_do(memory, name, due)]

    async def _take(self, tenant: str, name: str) -> None:
        async with self._tenants.using(tenant) as memory:
            runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            now = runtime.now()
            taken = await runtime.store.write(
                transactions.claim_job, tenant, name, self._holder, until=now + self._lease, now=now
            )
        if taken is not None:
            task = asyncio.create_task(self._done(tenant, taken))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    @property
    def _lease(self) -> int:
        return int(self._options.work.lease_seconds * 1_000_000)

    async def _done(self, tenant: str, taken: ClaimedJob) -> None:
        """Do one job to its end, and let go of it."""
        try:
            async with self._tenants.using(tenant) as memory:
                runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
                began = runtime.now()
                ended = await self._held(memory, taken)
                now = runtime.now()
                if ended is not None and await runtime.store.write(
                    transactions.release_job, tenant, taken.name, self._holder, ended, now=now
                ):
                    ran = JobRun(
                        tenant=tenant,
                        job=taken.name,
                        status=ended.status,
                        seconds=(now - began) / 1_000_000,
                        outcome=ended.outcome,
                    )
                    audit.log_job(ran)
                    self._tell(ran)
        except BethinkError as error:  # the lease ends by itself, and then the job is taken again
            audit.log_background_failure(taken.name, error)

    async def _held(self, memory: AsyncMemory, taken: ClaimedJob) -> JobOutcome | None:
        """Do a job while its lease is renewed; None where somebody else took it over."""
        if taken.attempts > MAX_ATTEMPTS:
            due = await next_due(memory, taken)
            return JobOutcome(status="abandoned", outcome={"attempts": taken.attempts - 1}, due_at=due)
        doing = asyncio.create_task(self._ended(memory, taken))
        holding = asyncio.create_task(self._renewed(memory, taken.name))
        try:
            await asyncio.wait({doing, holding}, return_when=asyncio.FIRST_COMPLETED)
            return doing.result() if doing.done() else None
        finally:
            for task in (doing, holding):
                task.cancel()
            await asyncio.gather(doing, holding, return_exceptions=True)

    async def _renewed(self, memory: AsyncMemory, name: str) -> None:
        """Hold a job for longer, again and again; return when it was lost."""
        runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        while True:
            await asyncio.sleep(self._options.work.lease_seconds / 3)
            until = runtime.now() + self._lease
            with suppress(
                BethinkError
            ):  # a store that does not answer now is asked again, while the lease lasts
                if not await runtime.store.write(
                    transactions.renew_job, runtime.tenant, name, self._holder, until=until
                ):
                    return

    async def _ended(self, memory: AsyncMemory, taken: ClaimedJob) -> JobOutcome:
        try:
            return await run_job(self._context, memory, taken)
        except BethinkError as error:
            outcome: dict[str, Any] = {"error": type(error).__name__}
        except Exception as error:  # noqa: BLE001 - the outermost place of a job: its words may quote memories
            audit.log_defect(error)
            outcome = {"error": "defect"}
        failures = int(taken.before.get("failures", 0)) + 1
        now = memory._runtime.now()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        due = retry_due(failures, now, await next_due(memory, taken))
        return JobOutcome(status="failed", outcome={**outcome, "failures": failures}, due_at=due)


def background_of(
    options: Options,
    tenants: Tenants,
    chat: ChatRuntime,
    seals: SecretEncryption,
    *,
    named: Iterable[str] = (),
    tell: Callable[[JobRun], None] = lambda _: None,
) -> JobRunner:
    """Return what does the jobs of a server, or of a worker."""
    dispatcher = Dispatcher(seals, options.work, chance=random.random)
    return JobRunner(
        options,
        tenants,
        JobContext(options=options, chat=chat, dispatcher=dispatcher),
        named=named,
        tell=tell,
    )
