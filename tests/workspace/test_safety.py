"""A workspace leaves alone what is not its own, understands what is removed, and is never closed for good."""

import json
import os
import shutil

import pytest

from bethink import InvalidError, NotFoundError
from bethink.errors import DeniedError
from bethink.workspace.values import Generate, Read

from .runs import LESSON, names, said, shell
from .test_foreign_files import looks


def teach(space, name="work", task="Run the tests. Always run the linter before you commit."):
    space.record(task, LESSON, final_output="All tests pass.", session_id=name)


def text(root, path):
    return (root / path).read_text()


@pytest.fixture
def taught(scope, root):
    with scope.workspace(root) as space:
        teach(space)
        space.record(
            "Build it. Never use sudo here.", shell("make", "ok"), final_output="ok", session_id="build"
        )
    return scope.workspace(root)


# ---- read-only ----------------------------------------------------------------------------------------------------


def test_what_only_reads_writes_neither_files_nor_rows(scope, root, taught):
    (root / "memories/MEMORY.md").write_text(text(root, "memories/MEMORY.md") + "\n- Somebody wrote this.\n")
    rows, files = scope.export(), looks(root)
    reader = scope.workspace(root, read=Read(live_update=False), generate=None)
    with reader:
        assert "linter" in reader.instructions()
        assert reader.search("linter commit")
        reader.sync()
        reader.status()
        with pytest.raises(InvalidError, match="this workspace is read-only"):
            reader.forget("work")
        with pytest.raises(InvalidError, match="Error: This memory is read-only"):
            reader.command({"command": "create", "path": "/memories/x.md", "file_text": "x"})
    assert scope.export() == rows
    assert looks(root) == files
    empty = root.parent / "empty"
    with scope.workspace(empty, read=Read(live_update=False), generate=None) as reader:
        assert "linter" in reader.instructions()
    assert not empty.exists()


def test_what_only_generates_tells_nothing(scope, root, taught):
    writer = scope.workspace(root, read=None)
    assert writer.instructions() is None
    assert writer.summary() == ""
    assert writer.search("linter") == []
    with pytest.raises(InvalidError, match="may not read this memory"):
        writer.command({"command": "view", "path": "/memories/MEMORY.md"})


# ---- what others put there ----------------------------------------------------------------------------------------


def test_files_of_others_stay_byte_for_byte_and_a_large_one_is_named(scope, root, taught):
    theirs = {
        "notes.md": "\ufeff1) a\r\n1) b\r\n".encode(),
        "latin.md": "Café".encode("latin-1"),
        "wide.txt": "wide".encode("utf-16"),
        "big.bin": b"\0" * (17 * 1024 * 1024),
        "deep/er/x.json": b'{"a":   1}',
    }
    for name, data in theirs.items():
        path = root / "memories" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, ns=(5, 5))
    for _ in range(2):
        report = scope.workspace(root).close()
        assert any("big.bin" in remark and "left unchanged" in remark for remark in report.remarks)
    assert {name: (root / "memories" / name).read_bytes() for name in theirs} == theirs
    assert {(root / "memories" / name).stat().st_mtime_ns for name in theirs} == {5}
    teach(scope.workspace(root), "more")
    assert scope.workspace(root).close().learned == ("more",)


def test_a_file_of_ours_that_cannot_be_read_is_named_and_the_rest_goes_on(scope, root, taught):
    index = root / "memories/MEMORY.md"
    index.write_bytes(b"\xff\xfe" + "Mine".encode("utf-16-le"))
    (root / "memories/raw_memories/link.md").symlink_to("/etc/passwd")
    teach(scope.workspace(root), "more")
    report = scope.workspace(root).close()
    assert report.learned == ("more",)
    assert any("MEMORY.md is not valid UTF-8" in remark for remark in report.remarks)
    assert index.read_bytes() == b"\xff\xfe" + "Mine".encode("utf-16-le")
    assert (root / "memories/rollout_summaries").exists()


def test_a_conversation_of_any_size_is_kept_and_read(scope, root):
    line = {
        "updated_at": "2026-05-01T08:00:00+00:00",
        "rollout_id": "long",
        "input": [{"role": "user", "content": "Run the tests. Never push to main directly."}],
        "generated_items": [*LESSON, said("x" * 100_000)],
        "terminal_metadata": {"terminal_state": "completed"},
    }
    (root / "sessions").mkdir(parents=True)
    with (root / "sessions/long.jsonl").open("w") as file:
        for number in range(170):
            line["generated_items"][-1] = said(f"{number} " + "x" * 100_000)
            file.write(json.dumps(line) + "\n")
    assert (root / "sessions/long.jsonl").stat().st_size > 16 * 1024 * 1024
    report = scope.workspace(root).open()
    assert report.learned == ("long",)
    assert report.remarks == ()
    assert "Never push to main directly." in text(root, "memories/MEMORY.md")
    scope.workspace(root).record("And once more.", LESSON, final_output="ok", session_id="long")
    assert scope.workspace(root).close().learned == ("long",)
    with (root / "sessions/long.jsonl").open() as file:
        assert sum(1 for _ in file) == 171


def test_what_somebody_saves_while_a_model_thinks_is_kept(scope, root, taught, monkeypatch):
    from bethink.workspace.phase_engines import RulesPhases

    index = root / "memories/MEMORY.md"
    extract, saved = RulesPhases.extract, []

    def slowly(self, *arguments, **options):
        if not saved:
            saved.append(index.write_text(index.read_text() + "\n- Saved meanwhile.\n"))
        return extract(self, *arguments, **options)

    monkeypatch.setattr(RulesPhases, "extract", slowly)
    teach(scope.workspace(root), "more")
    report = scope.workspace(root).close()
    assert saved
    assert report.learned == ("more",)
    assert "- Saved meanwhile." in index.read_text()
    assert "rollout_id=more" in index.read_text()
    assert [note.text for note in scope.notes() if note.category != "workspace" or "Saved" in note.text]


# ---- removal ------------------------------------------------------------------------------------------------------


def test_a_file_of_others_that_is_moved_or_removed_does_not_come_back(scope, root, taught):
    (root / "memories/plan.md").write_text("# Plan\n\n- Ship it.\n")
    (root / "memories/other.md").write_text("# Other\n\n- Keep it.\n")
    taught.close()
    (root / "memories/plan.md").rename(root / "memories/moved.md")
    taught.close()
    assert "plan.md" not in names(root / "memories")
    (root / "memories/moved.md").unlink()
    taught.close()
    shutil.rmtree(root)
    taught.open()
    found = names(root / "memories")
    assert "other.md" in found
    assert not {"plan.md", "moved.md"} & set(found)


def test_a_conversation_is_forgotten_with_all_that_was_drawn_from_it(scope, root, taught, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(root, copy)
    report = taught.forget("work")
    assert report.forgotten == ("work",)
    for space in (root, copy):
        scope.workspace(space).open()
        everything = "".join(path.read_text() for path in space.rglob("*") if path.is_file())
        assert "linter" not in everything
        assert "sudo" in everything
    assert "linter" not in json.dumps([note.text for note in scope.notes()])
    assert not (root / "sessions/work.jsonl").exists()
    with pytest.raises(NotFoundError, match="no such conversation"):
        taught.forget("work")
    teach(taught, "work", "Deploy it. Always tag the release first.")
    assert taught.close().learned == ("work",)


def test_removing_its_file_forgets_a_conversation_only_where_it_had_been(scope, root, taught, tmp_path):
    (root / "sessions/work.jsonl").unlink()
    report = taught.open()
    assert report.forgotten == ("work",)
    assert "linter" not in text(root, "memories/MEMORY.md")
    elsewhere = tmp_path / "elsewhere"
    assert scope.workspace(elsewhere).open().forgotten == ()
    assert names(elsewhere / "sessions") == ["build.jsonl"]
    shutil.rmtree(root / "sessions")
    assert taught.open().forgotten == ()
    assert names(root / "sessions") == ["build.jsonl"]


def test_many_files_of_conversations_that_are_gone_are_written_again(scope, root):
    with scope.workspace(root) as space:
        for number in range(8):
            space.record(
                f"Build {number}", shell(f"make x{number}", "ok"), final_output="ok", session_id=f"c{number}"
            )
    for number in range(7):
        (root / f"sessions/c{number}.jsonl").unlink()
    report = scope.workspace(root).open()
    assert report.forgotten == ()
    assert "7 files of conversations are missing" in report.remarks[0]
    assert len(names(root / "sessions")) == 8


def test_one_undo_takes_back_all_edits_of_a_settling(scope, root, taught):
    index = root / "memories/MEMORY.md"
    index.write_text(index.read_text() + "\n- One is new.\n- Two are new.\n")
    report = taught.open()
    assert len(report.notes) == 2
    scope.undo(report.undo)
    taught.open()
    assert "are new" not in index.read_text()
    assert not [note for note in scope.notes() if "new" in note.text]


def test_a_folder_that_is_a_link_is_named(scope, root, tmp_path):
    root.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (root / "memories").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DeniedError, match="memories"):
        scope.workspace(root, generate=Generate()).open()
