"""The dispatcher: find new events, queue deliveries (outbox), send them signed, retry with backoff."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import BethinkError, DeniedError, NotFoundError
from bethink.ids import note_id, to_number, to_text
from bethink.scope.namespace import Namespace
from bethink.server.agents import Agents, namespace_of
from bethink.server.background import transactions as jobs
from bethink.server.background.values import On
from bethink.server.webhooks import transactions
from bethink.server.webhooks.event_recording import end
from bethink.server.webhooks.events import Target, changed_scopes, collect_erasures, collect_events
from bethink.server.webhooks.retry_schedule import after_failure
from bethink.server.webhooks.secret_rotation import signing_keys
from bethink.server.webhooks.signing import headers
from bethink.server.webhooks.ssrf import ForbiddenAddress, way_to
from bethink.server.webhooks.subscriptions import place_of
from bethink.server.webhooks.values import SubscriptionSpec
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import httpx

    from bethink.memory.memory import AsyncMemory
    from bethink.server.background.values import Task
    from bethink.server.options import Work as Doing
    from bethink.server.webhooks.secret_encryption import SecretEncryption
    from bethink.server.webhooks.values import Delivery, Subscription

SCOPES: Final = 200  #: maximum scopes checked for events in one run
BATCH: Final = 100  #: deliveries of one run
AT_ONCE: Final = 8
CONNECT_SECONDS: Final = 5.0
GONE: Final = 410
WITHDRAWN: Final = "may not be read"  #: any more, by whoever wanted to be told
_END: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryResult:
    """How one try went."""

    status: int | None = None
    error: str | None = None  #: a word; None where it was taken
    wait: float | None = None  #: seconds that the receiver asked for


class Dispatcher:
    """Sends news over one pool of connections."""

    def __init__(self, seals: SecretEncryption, work: Doing, *, chance: Callable[[], float]) -> None:
        self._seals = seals
        self._private = work.private
        self._seconds = work.deliver_seconds
        self._chance = chance
        self._client: httpx.AsyncClient | None = None

    async def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    # ---- finding out --------------------------------------------------------------------------------------------

    async def listen(self, memory: AsyncMemory) -> tuple[int, bool]:
        """Queue what happened since the last time; return of how many scopes, and whether there may be more."""
        runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        tenant, now = runtime.tenant, runtime.now()
        tasks = {to_text("t", each.id): each for each in await _by_events(memory)}
        targets = await self._targets(memory, list(tasks.values()))
        if not targets:
            await runtime.store.write(end, tenant)
            return 0, False
        woken: set[str] = set()
        rows = await runtime.store.read(changed_scopes, tenant, limit=SCOPES)
        for row in rows:
            woken |= await runtime.store.write(
                collect_events, tenant, row, targets, fresh=runtime.fresh, now=now
            )
        woken |= await runtime.store.write(collect_erasures, tenant, targets, fresh=runtime.fresh, now=now)
        for word in woken & tasks.keys():
            schedule = tasks[word].spec.schedule
            pause = schedule.pause if isinstance(schedule, On) else 0
            await runtime.store.write(jobs.wake_job, tenant, word, pause=pause, now=now)
        return len(rows), len(rows) == SCOPES

    async def _targets(self, memory: AsyncMemory, tasks: list[Task]) -> list[Target]:
        runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        found = [
            Target(
                word=to_text("s", each.id),
                delegation=each.delegation,
                spec=each.spec,
                since=round(each.created_at.timestamp() * 1_000_000),
            )
            for each in await runtime.store.read(transactions.all_subscriptions, runtime.tenant)
            if each.state == "active"
        ]
        for task in tasks:
            try:
                agent = await Agents(memory).get(task.agent, owner=task.owner)
            except NotFoundError:
                continue
            namespace = namespace_of(agent, task.delegation.who, tenant=runtime.tenant)
            job = await runtime.store.read(jobs.find_job, runtime.tenant, to_text("t", task.id))
            deaf = None
            if job is not None and job.started_at is not None:
                last = _END if job.holder is not None or job.ended_at is None else job.ended_at
                deaf = (str(namespace), job.started_at, last)
            events = task.spec.schedule.events if isinstance(task.spec.schedule, On) else ()
            found.append(
                Target(
                    word=to_text("t", task.id),
                    delegation=task.delegation,
                    spec=SubscriptionSpec(events=events),
                    since=round(task.updated_at.timestamp() * 1_000_000),
                    task=True,
                    deaf=deaf,
                )
            )
        return found

    # ---- sending ------------------------------------------------------------------------------------------------

    async def deliver(self, memory: AsyncMemory) -> dict[str, int]:
        """Send what is due, and return how many were delivered, put off and given up."""
        runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        due = await runtime.store.read(
            transactions.due_deliveries, runtime.tenant, now=runtime.now(), limit=BATCH
        )
        known: dict[str, Subscription | None] = {}
        for word in {each.target for each in due}:
            known[word] = await runtime.store.read(
                transactions.find_subscription, runtime.tenant, to_number("s", word) or 0
            )
        slots = asyncio.Semaphore(AT_ONCE)

        async def one(each: Delivery) -> str:
            async with slots:
                return await self._one(memory, each, known[each.target])

        ends = await asyncio.gather(*map(one, due))
        return {name: ends.count(name) for name in dict.fromkeys(ends)}

    async def _one(self, memory: AsyncMemory, each: Delivery, to: Subscription | None) -> str:
        runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        if to is None or to.state != "active":
            result = DeliveryResult(error="subscription ended")
        elif not await _may_receive(memory, each, to):
            result = DeliveryResult(error=WITHDRAWN)
        else:
            result = await self._try(memory, each, to)
        now = runtime.now()
        state, due = after_failure(each.attempts + 1, now, wait=result.wait, chance=self._chance())
        if result.error is None:
            state, due = "delivered", now
        elif to is None or to.state != "active" or result.status == GONE or result.error == WITHDRAWN:
            state, due = "dead", now
        await runtime.store.write(
            transactions.put_delivery,
            runtime.tenant,
            each,
            state,
            due=due,
            status=result.status,
            error=result.error,
            now=now,
        )
        if result.status == GONE and to is not None:
            await runtime.store.write(transactions.end_subscription, runtime.tenant, to.id, now=now)
        return "put off" if state == "pending" else state

    async def _try(self, memory: AsyncMemory, each: Delivery, to: Subscription) -> DeliveryResult:
        import httpx  # here, since it is slow to load and most servers tell nobody anything

        runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        try:
            where = place_of(runtime.tenant, to.id)
            keys = signing_keys(to.secrets, self._seals, where=where, now=runtime.now())
        except BethinkError:
            return DeliveryResult(error="secret sealed")
        body = await _body(memory, each, to)
        stamped = headers(keys, each.event, runtime.now() // 1_000_000, body)
        try:
            async with asyncio.timeout(self._seconds):
                way = await way_to(to.url, private=self._private)
                request = self._opened().build_request(
                    "POST",
                    way.url,
                    content=body,
                    headers={"host": way.host, "content-type": "application/json", **stamped},
                    extensions={"sni_hostname": way.name},
                )
                answer = await self._opened().send(request, stream=True)  # what it says is of no interest
                await answer.aclose()
        except ForbiddenAddress as error:
            return DeliveryResult(error=error.reason)
        except TimeoutError:
            return DeliveryResult(error="timeout")
        except httpx.HTTPError as error:
            return DeliveryResult(error=_word(error))
        if answer.is_success:
            return DeliveryResult(status=answer.status_code)
        kind = "redirect" if answer.is_redirect else "refused"
        return DeliveryResult(status=answer.status_code, error=kind, wait=_wait(answer.headers))

    def _opened(self) -> httpx.AsyncClient:
        import httpx

        if self._client is None:
            self._client = httpx.AsyncClient(
                follow_redirects=False,
                trust_env=False,  # no proxy stands between: it would look names up again
                verify=httpx.create_ssl_context(),
                timeout=httpx.Timeout(self._seconds, connect=CONNECT_SECONDS),
                limits=httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=0),
            )
        return self._client


async def _by_events(memory: AsyncMemory) -> list[Task]:
    """Return the tasks that begin when something happens."""
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    found = await runtime.store.read(jobs.all_tasks, runtime.tenant)
    return [each for each in found if each.spec.enabled and isinstance(each.spec.schedule, On)]


async def _may_receive(memory: AsyncMemory, each: Delivery, to: Subscription) -> bool:
    """Tell whether a subscriber may still read what the news are of."""
    named = each.subject.get("namespace") or to.spec.namespace
    if named is None or to.spec.everything:
        return True
    own = to.delegation.over(memory)._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    try:
        await own.check("read", Namespace.parse(named, tenant=own.tenant))
    except (DeniedError, NotFoundError):
        return False
    return True


async def _body(memory: AsyncMemory, each: Delivery, to: Subscription) -> bytes:
    """Return what is sent: ids and kinds; the text of a note, as it is now, where the subscriber asked for it."""
    data: dict[str, Any] = {"id": each.event, **each.subject}
    if each.note is not None:
        data["note"] = note_id(each.note)
        if to.spec.content:
            data["text"] = await _text(memory, each.subject, note_id(each.note), to)
    payload = {"type": each.kind, "timestamp": to_datetime(each.at).isoformat(), "data": data}
    return json.dumps(payload, separators=(",", ":")).encode("ascii")


async def _text(memory: AsyncMemory, subject: Mapping[str, Any], note: str, to: Subscription) -> str | None:
    own = memory if to.spec.everything else to.delegation.over(memory)
    try:
        found = await own.namespace(subject["namespace"]).get(note)
    except BethinkError:  # what was granted is no longer, or the pool is gone
        return None
    return None if found is None else found.text


def _wait(given: httpx.Headers) -> float | None:
    """Return how many seconds a receiver asks to be left alone."""
    word = given.get("retry-after", "")
    return float(word) if word.isascii() and word.isdecimal() and len(word) <= 6 else None  # noqa: PLR2004


def _word(error: httpx.HTTPError) -> str:
    import httpx

    if isinstance(error, httpx.TimeoutException):
        return "timeout"
    return "no connection" if isinstance(error, httpx.ConnectError) else "broken connection"
