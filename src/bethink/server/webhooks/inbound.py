"""Incoming webhooks: verify the signature, deduplicate, store the message for its agent."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypedDict
from urllib.parse import unquote

from bethink.errors import InvalidError, NotFoundError
from bethink.ids import to_text
from bethink.server.agents import Agents
from bethink.server.authentication import Caller
from bethink.server.problems import HttpError
from bethink.server.webhooks import transactions
from bethink.server.webhooks.events import fingerprint
from bethink.server.webhooks.secret_rotation import matches_secret, signing_keys
from bethink.server.webhooks.signing import ID, head_fault, signature_error
from bethink.server.webhooks.values import ORIGIN

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.types import Scope

    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.server.chat.runtime import ChatRuntime
    from bethink.server.options import Options
    from bethink.server.tenants import Tenants
    from bethink.server.webhooks.secret_encryption import SecretEncryption
    from bethink.server.webhooks.values import Webhook, WebhookSpec
    from bethink.server.webhooks.webhook_ids import WebhookIds

SECRET: Final = "x-webhook-secret"  # noqa: S105 - the name of a header
KEY: Final = "x-idempotency-key"
KEPT_MICROS: Final = 7 * 24 * 3_600 * 1_000_000  #: how long message ids are kept for deduplication
AGAIN_SECONDS: Final = 5
SLACK_SECONDS: Final = 60


class Replied(TypedDict):
    """What the agent answered; null where that is kept from the sender."""

    response: str | None
    model: str | None  #: None where it had answered before, and only its answer is known
    session_id: str
    turn: str


class Noted(TypedDict):
    """The message was noted; nobody answers."""

    status: Literal["noted"]
    session_id: str
    revision: int


class Duplicate(TypedDict):
    """The message came before; these are the ids of that time."""

    status: Literal["duplicate"]
    session_id: str
    turn: str | None


class Left(NamedTuple):
    """Where a message is left."""

    tenant: str
    webhook: Webhook


class InboundWebhooks:
    """Tells who a message is from, in the place of tokens and keys."""

    def __init__(
        self, options: Options, tenants: Tenants, seals: SecretEncryption, names: WebhookIds
    ) -> None:
        self._options = options
        self._tenants = tenants
        self._seals = seals
        self._names = names

    async def left(self, name: str, scope: Scope, headers: Headers) -> Left:
        """Return the webhook that a message is left at, before its body is read.

        Raises:
            NotFoundError: there is no such webhook.
            HttpError: 401, the message has not the form of a signed one; 403, it comes from elsewhere than it may.
        """
        try:
            read = self._names.read(unquote(name))
        except InvalidError as error:  # nothing can have been registered without a key
            raise HttpError(503, "unavailable", "this server has no key for webhooks") from error
        if read is None:
            raise _missing()
        tenant, number = read
        async with self._tenants.using(tenant) as memory:
            runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            webhook = await runtime.store.read_inline(transactions.find_webhook, tenant, number)
        if webhook is None:
            raise _missing()
        scope["state"]["named"] = {"webhook": to_text("w", webhook.id)}
        at = self._options.clock().timestamp()
        if webhook.spec.scheme == "secret":
            good = matches_secret(webhook.secrets, headers.get(SECRET, ""), round(at * 1_000_000))
            wrong = None if good else "X-Webhook-Secret is missing or wrong"
        else:
            wrong = head_fault(headers, now=int(at))
        if wrong is not None:
            raise HttpError(401, "unauthorized", wrong)
        _check_source(webhook.spec, scope)
        return Left(tenant, webhook)

    def caller(self, left: Left, scope: Scope, headers: Headers, body: bytes) -> Caller:
        """Return for whom a message is, and leave the webhook in the state of the request.

        Raises:
            HttpError: 401, the message is not signed as it must be.
            DeniedError: who registered the webhook may no longer do so.
        """
        webhook, at = left.webhook, self._options.clock().timestamp()
        if webhook.spec.scheme != "secret":
            place = place_of(left.tenant, webhook.id)
            keys = signing_keys(webhook.secrets, self._seals, where=place, now=round(at * 1_000_000))
            wrong = signature_error(keys, headers, body, now=int(at))
            if wrong is not None:
                raise HttpError(401, "unauthorized", wrong)
        delegation = webhook.delegation.check(self._options.auth)
        scope["state"]["webhook"] = webhook
        return Caller(tenant=left.tenant, principal=delegation.who, through=ORIGIN + to_text("w", webhook.id))


async def receive_message(
    chat: ChatRuntime,
    memory: AsyncMemory,
    webhook: Webhook,
    message: str,
    session: str | None,
    headers: Headers,
    *,
    seconds: float,
) -> Replied | Noted | Duplicate:
    """Answer a message, or note it, once: one that comes again is told what became of the first.

    Args:
        chat: where turns are played.
        memory: narrowed to whoever registered the webhook.
        webhook: that the message was left at.
        message: what it says.
        session: where it belongs; the webhook's own where it does not say.
        headers: of the request.
        seconds: that an answer may take at most.

    Raises:
        HttpError: 403, the session is not one of the webhook's; 409, the message is being answered; 429 and 408
            as in a chat.
        NotFoundError: the agent is there no more.
    """
    spec, word = webhook.spec, to_text("w", webhook.id)
    session = session or spec.session
    if not may_write_session(session, spec):
        raise HttpError(403, "denied", "this webhook may not write to that session", argument="session_id")
    agents = Agents(memory, entrusted=(webhook.owner, webhook.agent))
    agent = await agents.get(webhook.agent, owner=webhook.owner)
    scope = agents.scope(agent)
    given = headers.get(ID) or (headers.get(KEY) if spec.scheme == "secret" else None)
    mark = None if given is None else fingerprint(word, given)
    if mark is not None:
        before = await _claimed(scope, webhook, mark, session, seconds)
        if before is not None:
            return before
    settled, turn = False, None
    answered: Replied | Noted
    try:
        if spec.mode == "append":
            items = [{"role": "user", "content": message}]
            head = await scope.session(session).append(items, origin=ORIGIN + word, operation=mark)
            answered = {"status": "noted", "session_id": session, "revision": head.revision}
        else:
            reply = await chat.turn(agents, agent, session, message, origin=ORIGIN + word, operation=mark)
            turn = reply.turn
            words = None if spec.quiet else reply.text
            answered = {"response": words, "model": reply.model, "session_id": session, "turn": reply.turn}
        if mark is not None:
            await _settle(scope, webhook, mark, turn)
        settled = True
    finally:
        if mark is not None and not settled:
            await _release(scope, webhook, mark)
    return answered


def may_write_session(session: str, spec: WebhookSpec) -> bool:
    """Tell whether a message may go to a session: to the webhook's own always, to others as it was made."""
    if spec.sessions is None or session == spec.session:
        return True
    return any(
        session.startswith(each[:-1]) if each.endswith("*") else session == each for each in spec.sessions
    )


def place_of(tenant: str, number: int) -> str:
    """Return where the secrets of a webhook are sealed for."""
    return f"webhook/{tenant}/{number}"


async def _claimed(
    scope: AsyncScope, webhook: Webhook, mark: str, session: str, seconds: float
) -> Duplicate | None:
    """Take a message; return the answer to one that came before."""
    runtime = scope._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    writing = runtime.writing()
    known = await runtime.write(
        "write",
        transactions.claim_message,
        scope.namespace,
        webhook.id,
        mark,
        session,
        until=writing.now + int((seconds + SLACK_SECONDS) * 1_000_000),
        before=writing.now - KEPT_MICROS,
        writing=writing,
    )
    if known is None:
        return None
    if known.state == "running":
        raise HttpError(
            409,
            "conflict",
            "this message is still being answered; send it again later to get the answer",
            headers={"retry-after": str(AGAIN_SECONDS)},
        )
    return {"status": "duplicate", "session_id": known.session, "turn": known.turn}


async def _settle(scope: AsyncScope, webhook: Webhook, mark: str, turn: str | None) -> None:
    runtime = scope._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    now = runtime.now()
    await runtime.write("write", transactions.record_answer, scope.namespace, webhook.id, mark, turn, now=now)


async def _release(scope: AsyncScope, webhook: Webhook, mark: str) -> None:
    runtime = scope._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    await runtime.write("write", transactions.release_message, scope.namespace, webhook.id, mark)


def _missing() -> NotFoundError:
    return NotFoundError("no such webhook; check its address with its owner", kind="webhook")


def _check_source(spec: WebhookSpec, scope: Scope) -> None:
    if not spec.addresses:
        return
    client = scope.get("client")
    try:
        address = ip_address(client[0]) if client else None
    except ValueError:
        address = None
    if address is None or not any(address in ip_network(each) for each in spec.addresses):
        raise HttpError(403, "denied", "this webhook does not accept messages from this address")
