"""Principals and rights."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, TypeAlias, get_args

from bethink.errors import InvalidError
from bethink.scope.labels import label

Right: TypeAlias = Literal["read", "write", "delete", "admin"]
_RIGHTS = get_args(Right)

SYSTEM = "system"  #: owns what nobody in particular owns
EVERYONE = "*"  #: as the addressee of a grant: each principal of the tenant
GROUP = "group:"  #: as the addressee of a grant: what precedes a group's name

RESERVED = frozenset({"noop", "anonymous", SYSTEM, ""})  #: ids that only Bethink itself gives


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks; `None` in its place means the application itself."""

    id: str  #: the name of a user or a service
    groups: tuple[str, ...] = ()  #: the groups that it is in: a pool may be shared with one
    admin: bool = False  #: may do everything in its tenant; a group of that name means nothing


NOOP = Principal("noop")  #: everybody, where development runs without authentication


@dataclass(frozen=True, slots=True)
class Rights:
    """What may be done in one namespace; the four are independent of one another."""

    read: bool = False  #: see what is there
    write: bool = False  #: add and change
    delete: bool = False  #: forget and erase
    admin: bool = False  #: grant rights to others, or withdraw them

    @classmethod
    def of(cls, *rights: str) -> Rights:
        """Return the rights of these names."""
        for each in rights:
            if each not in _RIGHTS:
                raise InvalidError(f"unknown right {each!r}; use {', '.join(_RIGHTS)}", argument="rights")
        return cls(**dict.fromkeys(rights, True))

    @classmethod
    def parse(cls, text: str) -> Rights:
        """Read rights back from their text: `read,write`."""
        return cls.of(*filter(None, text.split(",")))

    def __contains__(self, right: object) -> bool:
        return right in _RIGHTS and getattr(self, str(right))

    def __or__(self, other: Rights) -> Rights:
        return Rights(*(getattr(self, each.name) or getattr(other, each.name) for each in fields(self)))

    def __str__(self) -> str:
        return ",".join(each.name for each in fields(self) if getattr(self, each.name))


NO_RIGHTS = Rights()
ALL_RIGHTS = Rights(read=True, write=True, delete=True, admin=True)
OWN_RIGHTS = Rights(read=True, write=True, delete=True)  #: of a user, in the namespaces of that user


@dataclass(frozen=True, slots=True)
class Grant:
    """Rights given in a pool or a team to a principal id, to `group:NAME`, or to everyone (`*`)."""

    to: str  #: a principal's id, `group:NAME`, or `*` for everyone
    rights: Rights  #: what they may do


def validate_principal(id: str) -> str:  # noqa: A002  (the face calls it id)
    """Return a principal's id that came from outside, or refuse it.

    Refused are the reserved ids, which Bethink alone gives, and ids that a grant would read as everyone or as
    a group: a token whose subject is `group:staff` must not receive what the group was given.
    """
    if id in RESERVED:
        raise InvalidError(
            f"the principal id {id!r} is reserved; map this caller to another id", argument="principal"
        )
    id = label(id, argument="principal")  # noqa: A001
    if id == EVERYONE or id.startswith(GROUP):
        raise InvalidError(
            f"a principal id must not be {EVERYONE!r} or begin with {GROUP!r}, which have a meaning "
            "in grants",
            argument="principal",
        )
    return id


def validate_grantee(to: str) -> str:
    """Return the addressee of a grant: a principal id, `group:NAME` or `*`."""
    if to == EVERYONE:
        return to
    if to.startswith(GROUP):
        return GROUP + label(to.removeprefix(GROUP), argument="to")
    return validate_principal(to)
