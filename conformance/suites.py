"""What a framework's file in this folder says: what to install, which tests to fetch, and what is left out.

A file `conformance/<framework>.py` holds `FRAMEWORK`, a `Framework`. It is imported twice: by the runner, which has
none of the frameworks, and in the environment of its own, as a plugin of pytest, which has them. So it imports them,
and `bethink.integrations`, inside its functions only. As a plugin it may have any hook of pytest: `pytest_configure` is
where a framework's own store is replaced by ours, before its tests import it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

SQLITE, POSTGRESQL = "sqlite", "postgresql"
STORE = (
    "BETHINK_CONFORMANCE_STORE"  #: in the environment of tests: `sqlite`, or the URL of an empty PostgreSQL
)
LEFT_OUT = "BETHINK_CONFORMANCE_LEFT_OUT"  #: in the environment of tests: names of tests, as JSON

#: yields what was tested, with what went wrong, or None; it is given the URL of an empty store
Script: TypeAlias = Callable[[str], Iterator[tuple[str, str | None]]]


@dataclass(frozen=True, kw_only=True)
class Suite:
    """One set of tests that a framework publishes."""

    name: str  #: as the table shows it
    source: str  #: the distribution that has the tests, such as `langgraph-checkpoint-sqlite==3.1.2`
    tests: Sequence[str] = ()  #: files in its source archive, which pytest runs; or
    classes: Sequence[
        str
    ] = ()  #: files in `conformance/kits`, which inherit the classes of tests that it has; or
    script: Script | None = None  #: what runs the tests that an installed package has
    stores: Sequence[str] = (SQLITE, POSTGRESQL)
    left_out: Mapping[str, str] = field(
        default_factory=dict[str, str]
    )  #: names of tests, or file::class::name (fnmatch), and why
    options: Sequence[str] = ()  #: further arguments of pytest
    environ: Mapping[str, str] = field(
        default_factory=dict[str, str]
    )  #: further variables of the environment


@dataclass(frozen=True, kw_only=True)
class Framework:
    """A framework, and how what it publishes is run against Bethink."""

    title: str  #: as the table shows it
    extra: str  #: of Bethink: `bethink[extra]` is what is tested
    packages: Sequence[
        str
    ]  #: what else its environment has, pinned: the first is the framework, which the table names
    suites: Sequence[Suite] = ()
    ours: Sequence[str] = ()  #: files of our own tests that the development environment cannot run
    remarks: str = ""  #: a sentence below the table: what is not published, and what stands for it


def store_url(path: str) -> str:
    """Return the URL of the store that is being tested: a file, unless a PostgreSQL was given."""
    given = os.environ.get(STORE, SQLITE)
    return path if given == SQLITE else given
