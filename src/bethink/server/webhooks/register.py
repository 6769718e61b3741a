"""The incoming webhooks of an agent, managed by their owner."""

from __future__ import annotations

from ipaddress import ip_network
from typing import TYPE_CHECKING, Any, Final, TypedDict

from bethink.errors import InvalidError, NotFoundError
from bethink.ids import to_text
from bethink.scope.labels import label
from bethink.server.agents import namespace_of
from bethink.server.delegation import Delegation
from bethink.server.webhooks import transactions
from bethink.server.webhooks.inbound import place_of
from bethink.server.webhooks.secret_rotation import new_secret, rotate_secrets, valid_secrets
from bethink.server.webhooks.values import PATH

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bethink.memory.memory import AsyncMemory
    from bethink.server.agents import Agent, Agents
    from bethink.server.webhooks.secret_encryption import SecretEncryption
    from bethink.server.webhooks.values import Mode, Scheme, Webhook, WebhookSpec
    from bethink.server.webhooks.webhook_ids import WebhookIds

MAX_WEBHOOKS: Final = 100  #: maximum webhooks per agent


class WebhookShown(TypedDict):
    """What an owner sees of a webhook: all but its secrets."""

    id: str
    path: str
    origin: str
    agent: str
    owner: str
    acts_for: str | None
    mode: Mode
    scheme: Scheme
    session: str
    sessions: Sequence[str] | None
    addresses: Sequence[str]
    quiet: bool
    description: str
    good_secrets: int
    revision: int
    created_at: datetime
    updated_at: datetime


class WebhookMade(WebhookShown):
    """A webhook with its new secret, which is seen this once."""

    secret: str


class Webhooks:
    """The webhooks of the agents of a tenant, as one caller may see them."""

    def __init__(
        self, memory: AsyncMemory, agents: Agents, seals: SecretEncryption, names: WebhookIds
    ) -> None:
        self._runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        self._agents = agents
        self._seals = seals
        self._names = names

    async def create(self, name: str, spec: WebhookSpec, *, owner: str | None = None) -> WebhookMade:
        """Open a webhook for an agent; its secret is in the answer, and never seen again.

        Raises:
            InvalidError: a session or a network is none, or the agent has as many webhooks as it may.
            DeniedError: the agent is somebody else's.
        """
        agent = await self._agents.owned(name, owner=owner)
        check_spec(spec)
        if len(await self._all(agent)) >= MAX_WEBHOOKS:
            raise InvalidError(
                f"an agent may have at most {MAX_WEBHOOKS} webhooks; remove one", argument="name"
            )
        number, now = self._runtime.fresh(), self._runtime.now()
        where = place_of(self._runtime.tenant, number)
        shown, secret = new_secret(self._seals, where=where, scheme=spec.scheme, now=now)
        delegation = Delegation.of(self._runtime.principal)
        kept = await self._put(number, (agent.owner, agent.name), delegation, spec, (secret,))
        return {**self.show(kept), "secret": shown}

    async def all(self, name: str, *, owner: str | None = None) -> list[Webhook]:
        """Return the webhooks of an agent, oldest first.

        Raises:
            DeniedError: the agent is somebody else's.
        """
        return await self._all(await self._agents.owned(name, owner=owner))

    async def get(self, name: str, webhook: str, *, owner: str | None = None) -> Webhook:
        """Return a webhook of an agent.

        Raises:
            NotFoundError: the agent has no such webhook.
            DeniedError: the agent is somebody else's.
        """
        agent = await self._agents.owned(name, owner=owner)
        read = self._names.read(webhook)
        if read is not None and read[0] == self._runtime.tenant:
            found = await self._runtime.store.read(transactions.find_webhook, *read)
            if found is not None and (found.owner, found.agent) == (agent.owner, agent.name):
                return found
        raise NotFoundError("this agent has no such webhook", kind="webhook", id=webhook)

    async def rotate(self, name: str, webhook: str, *, overlap: int, owner: str | None = None) -> WebhookMade:
        """Give a webhook a new secret; those before are good for `overlap` seconds more."""
        found = await self.get(name, webhook, owner=owner)
        now = self._runtime.now()
        where = place_of(self._runtime.tenant, found.id)
        shown, secret = new_secret(self._seals, where=where, scheme=found.spec.scheme, now=now)
        secrets = rotate_secrets(found.secrets, secret, now=now, overlap=overlap)
        kept = await self._put(found.id, (found.owner, found.agent), found.delegation, found.spec, secrets)
        return {**self.show(kept), "secret": shown}

    async def remove(self, name: str, webhook: str, *, owner: str | None = None) -> None:
        """Close a webhook: what comes to its address is answered 404."""
        found = await self.get(name, webhook, owner=owner)
        agent = await self._agents.owned(name, owner=owner)
        namespace = namespace_of(agent, found.delegation.who, tenant=self._runtime.tenant)
        await self._runtime.store.write(
            transactions.remove_webhook, self._runtime.tenant, found.id, namespace
        )

    def show(self, webhook: Webhook) -> WebhookShown:
        """Return what an owner sees of a webhook: all but its secrets."""
        spec, now = webhook.spec, self._runtime.now()
        name = self._names.name(self._runtime.tenant, webhook.id)
        return {
            "id": name,
            "path": f"{PATH}{name}",
            "origin": f"webhook:{to_text('w', webhook.id)}",
            "agent": webhook.agent,
            "owner": webhook.owner,
            "acts_for": webhook.delegation.id or None,
            "mode": spec.mode,
            "scheme": spec.scheme,
            "session": spec.session,
            "sessions": spec.sessions,
            "addresses": spec.addresses,
            "quiet": spec.quiet,
            "description": spec.description,
            "good_secrets": len(valid_secrets(webhook.secrets, now)),
            "revision": webhook.revision,
            "created_at": webhook.created_at,
            "updated_at": webhook.updated_at,
        }

    async def _all(self, agent: Agent) -> list[Webhook]:
        return await self._runtime.store.read(
            transactions.webhooks_of, self._runtime.tenant, agent.owner, agent.name
        )

    async def _put(self, *given: Any) -> Webhook:
        runtime = self._runtime
        return await runtime.store.write(transactions.put_webhook, runtime.tenant, *given, now=runtime.now())


def check_spec(spec: WebhookSpec) -> WebhookSpec:
    """Return what a webhook may be made of.

    Raises:
        InvalidError: a session or a network is none.
    """
    label(spec.session, argument="session")
    for each in spec.sessions or ():
        label(each.removesuffix("*") or "*", argument="sessions")
    for each in spec.addresses:
        try:
            ip_network(each)
        except ValueError:
            raise InvalidError(
                "an address must be a network such as 203.0.113.0/24 or 2001:db8::/32", argument="addresses"
            ) from None
    return spec
