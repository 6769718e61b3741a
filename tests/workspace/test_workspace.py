"""What a run teaches is in the files of the workspace when it is opened again, and comes back when files are lost."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap

import pytest

from bethink import DeniedError, InvalidError, Memory, Principal
from bethink.workspace.values import Generate, Layout, Read

from .runs import LESSON, names, said, shell

HERE = os.path.dirname(__file__)  # noqa: PTH120


def text(root, path):
    return (root / path).read_text()


def teach(space, conversation="work", task="Run the tests of this project."):
    space.record(task, LESSON, final_output="All tests pass.", session_id=conversation)


# ---- two runs, close, reopen --------------------------------------------------------------------------------------


def test_the_lesson_of_two_runs_is_injected_and_found_through_the_index(scope, root):
    with scope.workspace(root) as space:
        assert space.instructions() is None
        teach(space)
        space.record("Always run the linter before you commit.", [said("I will.")], final_output="I will.",
                     session_id="work")  # fmt: skip
    again = scope.workspace(root)
    again.open()
    told = again.instructions()
    assert "`pip install pyyaml`" in told
    assert "Always run the linter before you commit." in told
    assert "memories/MEMORY.md" in told
    found = again.search("pytest yaml")[0]
    assert found.path == "memories/MEMORY.md"
    assert "until `pip install pyyaml`" in found.text
    reference = next(row for row in text(root, "memories/MEMORY.md").splitlines() if "rollout_id=work" in row)
    summary = reference.removeprefix("- ").split(" ")[0]
    assert "12 passed" not in text(root, f"memories/{summary}"), "outputs are not copied"
    assert "`pytest -q` works." in text(root, f"memories/{summary}")


def test_several_runs_of_one_conversation_make_one_rollout(scope, root):
    with scope.workspace(root) as space:
        teach(space)
        teach(space, task="Run them again.")
        teach(space, "other")
    assert names(root / "sessions") == ["other.jsonl", "work.jsonl"]
    assert len(text(root, "sessions/work.jsonl").splitlines()) == 2


def test_a_segment_has_its_keys_in_order_and_leaves_out_orders_and_thoughts(scope, root):
    space = scope.workspace(root)
    space.record(
        [{"role": "system", "content": "be nice"}, {"role": "user", "content": "Go on"}],
        [
            {"type": "reasoning", "summary": []},
            {"role": "developer", "content": "x"},
            {"type": "code_interpreter_call", "id": "c"},
            *shell("ls", "a"),
        ],
        interruptions=[{"type": "function_call", "name": "deploy", "call_id": "d", "arguments": "{}"}],
        conversation_id="user:42/thread",
    )
    (name,) = names(root / "sessions")
    made = json.loads(text(root, f"sessions/{name}"))
    assert list(made) == [
        "updated_at", "rollout_id", "input", "generated_items", "interruptions", "terminal_metadata",
    ]  # fmt: skip
    assert name.startswith("id-")
    assert made["rollout_id"] == name.removesuffix(".jsonl")
    assert [each.get("role") for each in made["input"]] == ["user"]
    assert [each["type"] for each in made["generated_items"]] == ["function_call", "function_call_output"]
    assert made["terminal_metadata"] == {
        "terminal_state": "interrupted",
        "exception_type": None,
        "exception_message": None,
        "has_final_output": False,
    }


def test_an_error_is_told_by_its_class(scope, root):
    class MaxTurnsExceeded(Exception):
        pass

    space = scope.workspace(root)
    space.record(
        "Go", shell("make", "gcc: fatal error", code=2), error=MaxTurnsExceeded("10"), session_id="w"
    )
    made = json.loads(text(root, "sessions/w.jsonl"))
    assert made["terminal_metadata"]["terminal_state"] == "max_turns_exceeded"
    space.close()
    assert "terminal_state: max_turns_exceeded" in text(root, "memories/raw_memories/w.md")
    assert "task_outcome: fail" in text(root, "memories/raw_memories/w.md")


def test_the_conversation_is_named_by_the_first_id_that_is_given(scope, root):
    space = scope.workspace(root)
    ids = {"conversation_id": "c", "session_id": "s", "group_id": "g"}
    for name in list(ids):
        assert space.record("Hello", **ids) == ids[name]
        ids.pop(name)
    assert space.record("Hello").startswith("run-")
    assert space.record("Hello", session_id="  ", group_id="g") == "g"


def test_small_talk_is_not_remembered(scope, root):
    with scope.workspace(root) as space:
        space.record("Hello, how are you?", [said("Fine.")], final_output="Fine.", session_id="talk")
    report = scope.workspace(root).close()
    assert not report.learned
    assert text(root, "memories/MEMORY.md") == ""
    assert not (root / "memories/raw_memories.md").exists()


def test_closing_twice_and_opening_again_change_nothing(scope, root):
    with scope.workspace(root) as space:
        teach(space)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    for _ in range(2):
        report = scope.workspace(root).open()
        assert (report.written, report.learned, report.notes) == ((), (), ())
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


# ---- the headers that others read ---------------------------------------------------------------------------------


def test_files_have_the_heads_that_readers_of_this_layout_expect(scope, root):
    with scope.workspace(root) as space:
        teach(space)
    raw = text(root, "memories/raw_memories/work.md").split("\n")
    assert [row.split(":")[0] for row in raw[:5]] == [
        "rollout_id", "updated_at", "rollout_path", "rollout_summary_file", "terminal_state",
    ]  # fmt: skip
    assert raw[2] == "rollout_path: sessions/work.jsonl"
    assert raw[5] == ""
    summary = text(root, f"memories/{raw[3].split(': ')[1]}").split("\n")
    assert [row.split(":")[0] for row in summary[:4]] == [
        "session_id", "updated_at", "rollout_path", "terminal_state",
    ]  # fmt: skip
    selection = json.loads(text(root, "memories/phase_two_selection.json"))
    assert list(selection) == ["version", "updated_at", "selected"]
    assert list(selection["selected"][0]) == [
        "rollout_id", "updated_at", "rollout_path", "rollout_summary_file", "terminal_state",
    ]  # fmt: skip
    assert text(root, "memories/raw_memories.md") == text(root, "memories/raw_memories/work.md").rstrip("\n")


def test_what_another_program_left_in_this_layout_is_taken_over(scope, root):
    (root / "sessions").mkdir(parents=True)
    (root / "memories/raw_memories").mkdir(parents=True)
    (root / "memories/rollout_summaries").mkdir()
    line = {
        "updated_at": "2026-05-01T08:00:00+00:00",
        "rollout_id": "left",
        "input": [{"role": "user", "content": "Run the tests. Never push to main directly."}],
        "generated_items": LESSON,
        "terminal_metadata": {"terminal_state": "completed"},
    }
    (root / "sessions/left.jsonl").write_text(json.dumps(line) + '\n{"cut": "off')
    (root / "memories/raw_memories/old.md").write_text(
        "rollout_id: old\nupdated_at: 2026-04-01T08:00:00+00:00\nrollout_path: sessions/old.jsonl\n"
        "rollout_summary_file: rollout_summaries/old_fix_login.md\nterminal_state: completed\n\n"
        "---\ndescription: d\ntask: Fix the login\ntask_group: web\ntask_outcome: success\nkeywords: login\n---\n\n"
        "### Task 1: Fix the login\n\nReusable knowledge:\n- `npm test` needs node 22.\n"
    )
    (root / "memories/rollout_summaries/old_fix_login.md").write_text("session_id: abc\n\nFixed it.\n")
    report = scope.workspace(root).open()
    assert report.learned == ("left",)
    index = text(root, "memories/MEMORY.md")
    assert "`npm test` needs node 22." in index
    assert "rollout_summaries/old_fix_login.md" in index
    assert "Never push to main directly." in index
    assert text(root, "memories/rollout_summaries/old_fix_login.md").startswith("session_id: abc\n")


# ---- layouts ------------------------------------------------------------------------------------------------------


def test_another_layout_shares_nothing_and_the_same_layout_everything(scope, root):
    finance = Layout("memories/finance", "sessions/finance")
    with scope.workspace(root) as space:
        teach(space)
    with scope.workspace(root, layout=finance) as other:
        assert other.instructions() is None
        other.record("Use euros, not dollars.", [said("ok")], final_output="ok", session_id="work")
    with scope.workspace(root) as space:
        assert "euros" not in space.instructions()
    with scope.workspace(root, layout=finance) as other:
        assert "euros" in other.instructions()
        assert "pyyaml" not in other.instructions()
    assert "pyyaml" in scope.workspace(root, layout=Layout()).instructions()


def test_layouts_that_share_one_folder_are_refused(scope, root):
    with scope.workspace(root):
        pass
    with pytest.raises(InvalidError, match="memories_dir='memories'"):
        scope.workspace(root, layout=Layout("memories", "elsewhere")).open()
    with pytest.raises(InvalidError, match="sessions_dir='sessions'"):
        scope.workspace(root, layout=Layout("elsewhere", "sessions")).open()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {"memories_dir": "/tmp"},
            "layout.memories_dir must be relative to the sandbox workspace root, got: /tmp",
        ),
        ({"sessions_dir": "../x"}, "layout.sessions_dir must not escape root, got: ../x"),
        ({"memories_dir": "."}, "layout.memories_dir must be non-empty"),
        ({"memories_dir": ""}, "layout.memories_dir must be non-empty"),
    ],
)
def test_a_layout_stays_within_the_workspace(given, sentence):
    with pytest.raises(InvalidError) as caught:
        Layout(**given)
    assert str(caught.value) == sentence


def test_a_workspace_reads_or_generates(scope, root):
    with pytest.raises(InvalidError, match="at least one of `read` or `generate`"):
        scope.workspace(root, read=None, generate=None)
    for most in (0, 4097):
        with pytest.raises(InvalidError, match="max_raw_memories_for_consolidation must be"):
            Generate(max_raw_memories_for_consolidation=most)
    reader = scope.workspace(root, read=Read(live_update=False), generate=False)
    with pytest.raises(InvalidError, match="this workspace is read-only"):
        reader.record("Hello")
    with scope.workspace(root, read=None) as writer:
        teach(writer)
        assert writer.instructions() is None
    assert "Do not change any file" in reader.instructions()
    reader.open()
    assert "pyyaml" in reader.instructions()


# ---- forgetting ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forgotten", ["delete", "archive"])
def test_the_cap_forgets_the_conversation_that_was_written_to_first(scope, root, forgotten):
    generate = Generate(max_raw_memories_for_consolidation=2, forgotten=forgotten)
    with scope.workspace(root, generate=generate) as space:
        for name in ("first", "second", "third"):
            space.record(
                f"Build the {name} thing", shell(f"make {name}", "ok"), final_output="ok", session_id=name
            )
        space.record("Once more", shell("make first-again", "ok"), final_output="ok", session_id="first")
    everything = "".join(
        path.read_text() for path in root.rglob("*") if path.is_file() and "archive" not in str(path)
    )
    assert ("make second" in everything) == (forgotten == "archive")
    assert names(root / "memories/raw_memories") == ["first.md", "third.md"]
    assert "second" not in text(root, "memories/MEMORY.md")
    assert (root / "memories/archive/second.md").exists() == (forgotten == "archive")
    assert not scope.workspace(root, generate=generate).open().written
    if forgotten == "delete":
        assert "make second" not in json.dumps(scope.export())
        assert not (root / "sessions/second.jsonl").exists()


def test_a_conversation_that_goes_on_keeps_the_name_of_its_summary(scope, root):
    for task in ("Fix the login page.", "Now the other one."):
        with scope.workspace(root) as space:
            space.record(task, shell("make login", "ok"), final_output="ok", session_id="w")
    assert names(root / "memories/rollout_summaries") == ["w_fix-the-login-page.md"]


# ---- nothing is lost ----------------------------------------------------------------------------------------------


def test_files_that_are_lost_are_written_anew(scope, root):
    with scope.workspace(root) as space:
        teach(space)
        (root / "memories/skills/release").mkdir(parents=True)
        (root / "memories/skills/release/SKILL.md").write_text("# How to release\n")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    shutil.rmtree(root)
    space = scope.workspace(root)
    assert "memories/MEMORY.md" in space.status().missing
    space.open()
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_a_run_that_was_cut_off_is_remembered_at_the_next_open(tmp_path, scope, root):
    script = textwrap.dedent(
        f"""
        import os, signal, sys
        sys.path.insert(0, {HERE!r})
        from runs import LESSON
        from bethink import Memory
        memory = Memory({str(tmp_path / "other.db")!r}, embedder=None)
        space = memory.scope(agent="reviewer", user="alice").workspace({str(root)!r})
        space.open()
        space.record("Run the tests of this project.", LESSON, final_output="ok", session_id="whole")
        space.record("Build it", LESSON[:4], session_id="half", run_id="1", under_way=True)
        os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    with Memory(str(tmp_path / "other.db"), embedder=None) as memory:
        space = memory.scope(agent="reviewer", user="alice").workspace(root)
        assert space.status().running == 1
        report = space.open()
        assert sorted(report.learned) == ["half", "whole"]
        assert "`pip install pyyaml`" in space.instructions()
    assert "terminal_state: cancelled" in text(root, "memories/raw_memories/half.md")


def test_a_run_under_way_is_kept_once_however_often_it_is_noted(scope, root):
    space = scope.workspace(root)
    for much in (0, 2, 4):
        space.record("Go", LESSON[:much], session_id="w", run_id="r", under_way=True)
    assert not (root / "sessions/w.jsonl").exists()
    space.record("Go", LESSON, final_output="ok", session_id="w", run_id="r")
    assert len(text(root, "sessions/w.jsonl").splitlines()) == 1
    assert space.close().learned == ("w",)


def test_an_agent_of_another_user_has_no_way_in(memory, scope, root):
    with scope.workspace(root) as space:
        teach(space)
    theirs = memory.acting_as(Principal("bob")).scope(agent="reviewer", user="alice").workspace(root)
    for call in (
        theirs.open,
        theirs.close,
        theirs.sync,
        theirs.status,
        theirs.summary,
        theirs.instructions,
        lambda: theirs.search("pytest"),
        lambda: theirs.record("Hello"),
        lambda: theirs.command({"command": "view", "path": "/memories"}),
    ):
        with pytest.raises(DeniedError):
            call()


def test_erasing_a_scope_takes_rows_and_files_and_leaves_the_users_own(scope, root):
    (root / "src").mkdir(parents=True)
    (root / "src/main.py").write_text("print('pyyaml')\n")
    with scope.workspace(root) as space:
        teach(space)
    receipt = scope.erase()
    assert receipt.remaining == 0, receipt.found
    assert receipt.erased["workspace_segments"] == 1
    assert [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()] == ["src/main.py"]
    scope.workspace(root).open()
    assert text(root, "memories/MEMORY.md") == ""
