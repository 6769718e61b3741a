"""Row-level security of PostgreSQL: refuse roles that bypass the policies of `migrations/postgresql`.

Each table of tenants has a policy that shows a transaction the rows of the tenant that it has set
(`postgresql_connection.py`). Superusers and roles with BYPASSRLS see the rows of every tenant.
"""

from __future__ import annotations

from bethink.errors import StorageError


def check_connected(role: str, *, bypasses: bool, allowed: bool) -> None:
    """Refuse a connection whose role sees the rows of every tenant, unless that is allowed.

    Raises:
        StorageError: the role is a superuser or has BYPASSRLS.
    """
    if bypasses and not allowed:
        raise _bypassing(
            role,
            "connect as a role that is neither superuser nor BYPASSRLS (docs/scale.md), or pass allow_bypass=True",
        )


def check_granted(role: str, *, bypasses: bool) -> None:
    """Refuse to grant rows to a role that sees those of every tenant.

    Raises:
        StorageError: the role is a superuser or has BYPASSRLS.
    """
    if bypasses:
        raise _bypassing(role, "remove SUPERUSER and BYPASSRLS from it")


def _bypassing(role: str, hint: str) -> StorageError:
    return StorageError(
        f"the role {role} bypasses row-level security; {hint}",
        reason="bypassing role",
        role=role,
        outcome="none",
    )
