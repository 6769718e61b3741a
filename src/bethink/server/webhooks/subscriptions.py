"""Subscriptions to a tenant's events, managed by their owners."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, TypedDict

from bethink.errors import DeniedError, InvalidError, NotFoundError
from bethink.ids import to_number, to_text
from bethink.scope.namespace import Namespace
from bethink.server.delegation import Delegation
from bethink.server.webhooks import transactions
from bethink.server.webhooks.event_recording import begin
from bethink.server.webhooks.secret_rotation import new_secret, rotate_secrets, valid_secrets
from bethink.server.webhooks.ssrf import check_url

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bethink.memory.memory import AsyncMemory
    from bethink.server.webhooks.secret_encryption import SecretEncryption
    from bethink.server.webhooks.values import Delivery, EventKind, State, Subscription, SubscriptionSpec

MAX_SUBSCRIPTIONS: Final = 100  #: maximum subscriptions per principal
END: Final = (1 << 63) - 1


class SubscriptionShown(TypedDict):
    """What somebody sees of their subscription: all but its secrets."""

    id: str
    url: str
    events: Sequence[EventKind]
    namespace: str | None
    everything: bool
    content: bool
    description: str
    acts_for: str | None
    state: Literal["active", "gone"]
    good_secrets: int
    revision: int
    created_at: datetime
    updated_at: datetime


class SubscriptionMade(SubscriptionShown):
    """A subscription with its new secret, which is seen this once."""

    secret: str


class Subscriptions:
    """The subscriptions of a tenant, as one caller may see them: their own, and all of them for an admin."""

    def __init__(self, memory: AsyncMemory, seals: SecretEncryption, *, private: bool) -> None:
        self._runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        self._seals = seals
        self._private = private

    async def create(self, url: str, spec: SubscriptionSpec) -> SubscriptionMade:
        """Send news to a URL from now on; the secret that they are signed with is seen this once.

        Raises:
            InvalidError: news are not sent to this URL, or there are as many subscriptions as there may be.
            DeniedError: only an admin hears of every scope, and others of what they may read.
            NotFoundError: the namespace is of a pool or a team that is not registered.
        """
        principal = self._runtime.principal
        check_url(url, private=self._private)
        if spec.everything and principal is not None and not principal.admin:
            raise DeniedError(
                "only an admin may subscribe to every scope; leave out `everything`, or name a namespace",
                principal=principal.id,
                right="admin",
            )
        if spec.namespace is not None:
            await self._check_named(spec, Namespace.parse(spec.namespace, tenant=self._runtime.tenant))
        delegation = Delegation.of(principal)
        own = [each for each in await self.all() if each.delegation.id == delegation.id]
        if len(own) >= MAX_SUBSCRIPTIONS:
            raise InvalidError(
                f"at most {MAX_SUBSCRIPTIONS} subscriptions are allowed; delete one", argument="url"
            )
        number, now = self._runtime.fresh(), self._runtime.now()
        where = place_of(self._runtime.tenant, number)
        shown, secret = new_secret(self._seals, where=where, scheme="standard", now=now)
        tenant = self._runtime.tenant
        await self._runtime.store.write(begin, tenant, now=now)
        kept = await self._runtime.store.write(
            transactions.put_subscription, tenant, number, delegation, url, spec, (secret,), now=now
        )
        return {**self.show(kept), "secret": shown}

    async def all(self) -> list[Subscription]:
        """Return the caller's subscriptions, oldest first."""
        found = await self._runtime.store.read(transactions.all_subscriptions, self._runtime.tenant)
        return [each for each in found if self._may_see(each)]

    async def get(self, word: str) -> Subscription:
        """Return a subscription.

        Raises:
            NotFoundError: the caller has none of this id.
        """
        number = to_number("s", word)
        if number is not None:
            found = await self._runtime.store.read(
                transactions.find_subscription, self._runtime.tenant, number
            )
            if found is not None and self._may_see(found):
                return found
        raise NotFoundError("no such subscription of yours", kind="subscription", id=word)

    async def rotate(self, word: str, *, overlap: int) -> SubscriptionMade:
        """Sign with a new secret; for `overlap` seconds messages are signed with those before as well."""
        found = await self.get(word)
        now, where = self._runtime.now(), place_of(self._runtime.tenant, found.id)
        shown, secret = new_secret(self._seals, where=where, scheme="standard", now=now)
        secrets = rotate_secrets(found.secrets, secret, now=now, overlap=overlap)
        kept = await self._runtime.store.write(
            transactions.put_subscription,
            self._runtime.tenant,
            found.id,
            found.delegation,
            found.url,
            found.spec,
            secrets,
            now=now,
        )
        return {**self.show(kept), "secret": shown}

    async def remove(self, word: str) -> None:
        """End a subscription; what waits for it is dropped."""
        found = await self.get(word)
        await self._runtime.store.write(
            transactions.remove_subscription, self._runtime.tenant, found.id, to_text("s", found.id)
        )

    async def deliveries(
        self, word: str, *, state: State | None, limit: int, below: int = END
    ) -> tuple[list[Delivery], int]:
        """Return what was, and is to be, delivered, newest first, with the true total."""
        found = await self.get(word)
        return await self._runtime.store.read(
            transactions.deliveries_to,
            self._runtime.tenant,
            to_text("s", found.id),
            state=state,
            limit=limit,
            below=below,
        )

    async def retry(self, word: str, delivery: str) -> None:
        """Retry a failed delivery.

        Raises:
            NotFoundError: there are no such news that were given up.
        """
        found, number = await self.get(word), to_number("d", delivery)
        target, now = to_text("s", found.id), self._runtime.now()
        done = number is not None and await self._runtime.store.write(
            transactions.retry, self._runtime.tenant, target, number, now=now
        )
        if not done:
            raise NotFoundError("no such failed delivery", kind="delivery", id=delivery)

    def show(self, each: Subscription) -> SubscriptionShown:
        """Return what somebody sees of their subscription: all but its secrets."""
        return {
            "id": to_text("s", each.id),
            "url": each.url,
            "events": each.spec.events,
            "namespace": each.spec.namespace,
            "everything": each.spec.everything,
            "content": each.spec.content,
            "description": each.spec.description,
            "acts_for": each.delegation.id or None,
            "state": each.state,
            "good_secrets": len(valid_secrets(each.secrets, self._runtime.now())),
            "revision": each.revision,
            "created_at": each.created_at,
            "updated_at": each.updated_at,
        }

    async def _check_named(self, spec: SubscriptionSpec, namespace: Namespace) -> None:
        """Make sure that what will act for the caller, who then is no admin, may read what is named."""
        who = Delegation.of(self._runtime.principal).who
        own = self._runtime if who is None or spec.everything else replace(self._runtime, principal=who)
        await own.check("read", namespace)

    def _may_see(self, each: Subscription) -> bool:
        principal = self._runtime.principal
        return principal is None or principal.admin or each.delegation.id == principal.id


def place_of(tenant: str, number: int) -> str:
    """Return where the secrets of a subscription are sealed for."""
    return f"subscription/{tenant}/{number}"
