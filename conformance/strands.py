"""Strands: the tests of its session manager over a repository, and of a memory store under its memory manager."""

from __future__ import annotations

from conformance.suites import Framework, Suite, store_url


def pytest_configure() -> None:
    """Put our repository and our store in the place of those that Strands' tests make for themselves."""
    import atexit
    import tempfile
    import uuid
    from pathlib import Path

    import strands.vended_memory_stores.test_memory_store as theirs
    import tests.fixtures.mock_session_repository as mocked

    from bethink import Memory
    from bethink.integrations.strands import BethinkMemoryStore, BethinkSessionRepository

    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    memory = Memory(store_url(str(Path(folder.name) / "memory.db")))
    memory.__enter__()

    class Repository(BethinkSessionRepository):
        def __init__(self) -> None:
            super().__init__(memory, user=uuid.uuid4().hex)

    class Added(dict[str, str]):
        @property
        def id(self) -> str:
            return self["id"]

    class Store(BethinkMemoryStore):
        __test__ = False

        def __init__(self, *, name, path=None, **options) -> None:
            if path is not None and not path.strip():
                raise ValueError("path must not be empty")
            super().__init__(memory, user=path or name, name=name, **{"description": None, **options})

        async def add(self, content, metadata=None):
            return Added(await super().add(content, metadata))

    mocked.MockedSessionRepository = Repository  # type: ignore[misc]
    theirs.TestMemoryStore = Store  # type: ignore[misc]


_FILE = "looks into the file of Strands' own store"
_WORDS = "wants the count of shared words as the score: ours ranks by meaning as well"
_OF_FILES = (
    "test_export_from_parent_package",
    "test_lazily_exported_from_vended_memory_stores",
    "test_defaults_to_a_sanitized_path_under_the_home_memory_dir",
    "test_uses_the_monkeypatchable_id_generator",
    "test_persists_human_readable_json",
    "test_ephemeral_writes_no_file_and_forgets",
    "test_raises_clear_error_on_*",
    "test_raises_clear_error_when_path_is_unreachable",
    "test_accepts_null_metadata_as_absent",
    "test_keeps_all_entries_under_concurrent_writes",
    "test_reused_across_separate_event_loops",
    "test_loads_a_file_written_in_the_shared_camelcase_format",
    "test_manager_add_writes_to_store",
    "test_ingests_extracted_facts_through_add",
)

FRAMEWORK = Framework(
    title="Strands",
    extra="strands",
    packages=("strands-agents==1.62.0", "pytest-asyncio>=1.4,<2", "boto3", "moto", "ag-ui-protocol"),
    suites=(
        Suite(
            name="session manager",
            source="strands-agents==1.62.0",
            tests=("tests/strands/session/test_repository_session_manager.py",),
            options=("-o", "asyncio_mode=auto", "-o", "asyncio_default_fixture_loop_scope=function"),
        ),
        Suite(
            name="memory store",
            source="strands-agents==1.62.0",
            tests=("tests/strands/vended_memory_stores/test_memory_store/test_store.py",),
            options=("-o", "asyncio_mode=auto", "-o", "asyncio_default_fixture_loop_scope=function"),
            left_out={
                **dict.fromkeys(_OF_FILES, _FILE),
                "test_ranks_higher_overlap_first_with_relevance_score": _WORDS,
                "test_excludes_records_with_no_token_overlap": _WORDS,
                "test_breaks_ties_by_recency": _WORDS,
            },
        ),
    ),
    ours=("tests/integrations/test_strands.py",),
    remarks="the tests of its file and S3 managers look into files and buckets; ours for redaction, isolation, erasure "
    "and agents with a scripted model are in `tests/integrations/test_strands.py`.",
)
