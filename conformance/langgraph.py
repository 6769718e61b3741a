"""LangGraph: its checkpointer conformance package, and the tests of its SQLite store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.suites import Framework, Suite, store_url

if TYPE_CHECKING:
    from collections.abc import Iterator


def checkpointer(url: str) -> Iterator[tuple[str, str | None]]:
    """Run every test of the conformance package."""
    import asyncio
    import uuid

    from langgraph.checkpoint.conformance import checkpointer_test, validate
    from langgraph.checkpoint.conformance.report import ProgressCallbacks

    from bethink import Memory
    from bethink.integrations.langgraph import BethinkSaver

    found: list[tuple[str, str | None]] = []

    @checkpointer_test(name="BethinkSaver")
    async def made():
        with Memory(url, tenant=uuid.uuid4().hex) as memory:
            yield BethinkSaver(memory)

    def note(capability: str, test: str, passed: bool, trace: str | None) -> None:
        found.append((f"{capability}: {test}", None if passed else trace or "failed"))

    report = asyncio.run(validate(made, progress=ProgressCallbacks(on_test_result=note)))
    found += [
        (capability, "the capability is missing")
        for capability, result in report.results.items()
        if not result.detected
    ]
    yield from found


def pytest_configure() -> None:
    """Put our store in the place of LangGraph's SQLite stores, before their tests import these."""
    import uuid
    from contextlib import asynccontextmanager, contextmanager

    import langgraph.store.sqlite as theirs

    from bethink import AsyncMemory, Memory
    from bethink.integrations.langgraph import BethinkStore

    class Defaults(BethinkStore):
        """Ours with the default of LangGraph's SQLite stores: a read refreshes only where the configuration says so."""

        def __init__(self, memory, *, ttl=None, **options) -> None:
            super().__init__(memory, ttl=ttl and {"refresh_on_read": False, **ttl}, **options)

    class Store(Defaults):
        @classmethod
        @contextmanager
        def from_conn_string(cls, path, **options):
            with Memory(store_url(path), tenant=uuid.uuid4().hex) as memory:
                yield cls(memory, **options)

        def setup(self) -> None:
            """Do nothing: a memory is ready when it is opened."""

    class AwaitedStore(Defaults):
        @classmethod
        @asynccontextmanager
        async def from_conn_string(cls, path, **options):
            async with AsyncMemory(store_url(path), tenant=uuid.uuid4().hex) as memory:
                yield cls(memory, **options)

        async def setup(self) -> None:
            """Do nothing: a memory is ready when it is opened."""

        async def sweep_ttl(self) -> int:
            return await self.asweep_ttl()

    theirs.SqliteStore = Store  # type: ignore[misc]
    theirs.AsyncSqliteStore = AwaitedStore  # type: ignore[misc]
    _replace_savers()


def pytest_collection_modifyitems(items) -> None:
    """Of LangGraph's tests of graphs, take those that have the checkpointer which ours replaces."""
    for item in list(items):
        if "pregel" in item.path.name:
            params = getattr(getattr(item, "callspec", None), "params", {})
            used = params.get("sync_checkpointer") or params.get("async_checkpointer") or ""
            if not used.startswith("sqlite"):
                items.remove(item)


def _replace_savers() -> None:
    """Put our saver in the place of LangGraph's SQLite savers."""
    import uuid
    from contextlib import asynccontextmanager, contextmanager

    import langgraph.checkpoint.sqlite as theirs
    import langgraph.checkpoint.sqlite.aio as awaited

    from bethink import AsyncMemory, Memory
    from bethink.integrations.langgraph import BethinkSaver

    class Saver(BethinkSaver):
        @classmethod
        @contextmanager
        def from_conn_string(cls, path):
            with Memory(store_url(path), tenant=uuid.uuid4().hex) as memory:
                yield cls(memory)

    class AwaitedSaver(BethinkSaver):
        @classmethod
        @asynccontextmanager
        async def from_conn_string(cls, path):
            async with AsyncMemory(store_url(path), tenant=uuid.uuid4().hex) as memory:
                yield cls(memory)

    theirs.SqliteSaver = Saver  # type: ignore[misc]
    awaited.AsyncSqliteSaver = AwaitedSaver  # type: ignore[misc]


_PRIVATE = "looks into SQL or tables of LangGraph's own store"
_SWEEPER = "starts a thread that sweeps: here what is over is never shown, and later writes remove it"
_RAISES = (
    "wants an error of sync calls in a loop's thread: here they answer, since they do not wait for the loop"
)

FRAMEWORK = Framework(
    title="LangGraph",
    extra="langgraph",
    packages=(
        "langgraph==1.2.22",
        "langgraph-checkpoint==4.3.2",
        "langgraph-checkpoint-conformance==0.0.2",
        "langgraph-checkpoint-sqlite==3.1.2",
        "langgraph-checkpoint-postgres==3.1.0",
        "psycopg-pool>=3.2,<4",
        "pycryptodome>=3.20,<4",
        "pytest-asyncio>=1.4,<2",
        "pytest-mock>=3.14,<4",
        "redis>=5,<8",
        "syrupy>=4,<6",
        "pytest-retry>=1.7,<2",
    ),
    suites=(
        Suite(name="checkpointer", source="langgraph-checkpoint-conformance==0.0.2", script=checkpointer),
        Suite(
            name="saver",
            source="langgraph-checkpoint-sqlite==3.1.2",
            tests=(
                "tests/test_sqlite.py",
                "tests/test_aiosqlite.py",
                "tests/test_conformance_delta.py",
                "tests/test_delta_channel_migration.py",
                "tests/test_delta_parent_walk.py",
                "tests/test_get_delta_channel_history.py",
            ),
            options=("-o", "asyncio_mode=auto"),
            left_out={
                "test_informative_async_errors": "wants the awaited verbs to fail: here they work",
                "test_delta_channel_conformance": "names a capability that the published kit does not have",
                "test_walk_step_looks_up_the_parent_by_primary_key": _PRIVATE,
            },
        ),
        Suite(
            name="graphs with a checkpointer",
            source="langgraph==1.2.22",
            tests=("tests/test_pregel.py", "tests/test_pregel_async.py"),
            options=("-p", "no:asyncio"),
            environ={"NO_DOCKER": "true"},
        ),
        Suite(
            name="store",
            source="langgraph-checkpoint-sqlite==3.1.2",
            tests=("tests/test_store.py", "tests/test_async_store.py", "tests/test_ttl.py"),
            options=("-o", "asyncio_mode=auto"),
            left_out={
                "test_vector_store_initialization": _PRIVATE,
                "test_nonnull_migrations": _PRIVATE,
                "test_escape_glob_literal": _PRIVATE,
                "test_namespace_match_pattern": _PRIVATE,
                "test_list_namespaces_prefix_uses_indexable_condition": _PRIVATE,
                "test_ttl_sweeper": _SWEEPER,
                "test_async_ttl_sweeper": _SWEEPER,
                "test_no_running_loop*": _RAISES,
            },
        ),
    ),
)
