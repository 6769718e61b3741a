"""Map namespaces of LangGraph's store to users, by patterns that name the user's label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bethink.errors import InvalidError

USER: Final = "{user}"
ANY: Final = "*"


@dataclass(frozen=True, slots=True)
class UserNamespaces:
    """How namespaces are told apart by users.

    Without patterns everything belongs to the application. With them, each namespace must have a label where one of
    the patterns says `{user}`, or begin as one that is said to be shared; others are refused.
    """

    users: tuple[tuple[str, ...], ...] = ()
    shared: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, users: str | Iterable[str] | None, shared: Iterable[str]) -> UserNamespaces:
        """Read patterns such as `memories/{user}`, each label between slashes; `*` stands for any label.

        Raises:
            InvalidError: a pattern does not say where the user is, or says it twice.
        """
        given = [users] if isinstance(users, str) else list(users or ())
        patterns = tuple(tuple(each.split("/")) for each in given)
        for pattern in patterns:
            if pattern.count(USER) != 1 or "" in pattern:
                raise InvalidError(
                    f"a pattern must contain the user's label exactly once, such as 'memories/{USER}'",
                    argument="users",
                )
        if shared and not patterns:
            raise InvalidError(
                "shared needs users; without users everything is shared already", argument="shared"
            )
        return cls(patterns, tuple(tuple(each.split("/")) for each in shared))

    def user(self, namespace: Sequence[str]) -> str | None:
        """Return the user of a namespace; None where it belongs to the application.

        Raises:
            InvalidError: it names no user, and is not said to be shared.
        """
        if not self.users:
            return None
        for pattern in self.users:
            at = pattern.index(USER)
            if len(namespace) > at and _begins(namespace, pattern[:at]):
                return namespace[at]
        if any(_begins(namespace, pattern) for pattern in self.shared):
            return None
        shown = " or ".join(repr("/".join(pattern)) for pattern in self.users)
        raise InvalidError(
            f"this namespace belongs to no user; begin it as {shown}, or list it in shared=",
            argument="namespace",
            expected=["/".join(pattern) for pattern in self.users],
        )


def _begins(namespace: Sequence[str], pattern: Sequence[str]) -> bool:
    return len(namespace) >= len(pattern) and all(
        wanted in {ANY, label} for label, wanted in zip(namespace, pattern, strict=False)
    )
