"""What a workspace learns is memory like any other: notes that follow their lines."""

import json

import pytest

from .runs import LESSON, said, shell

RULE = "Always run the linter before you commit."
WORKS = "`pip install pyyaml` works."


def lessons(scope):
    return {note.text: note for note in scope.notes(limit=1000) if "conversation" in note.metadata}


def work(scope, root, conversation="work", asked=f"Run the tests. {RULE}", done=LESSON):
    space = scope.workspace(root)
    space.record(asked, done, final_output="ok", session_id=conversation)
    return space.close()


@pytest.fixture
def index(scope, root):
    work(scope, root)
    return root / "memories/MEMORY.md"


def test_a_lesson_is_a_note_that_names_where_it_comes_from(scope, index):
    note = lessons(scope)[RULE]
    assert (note.source, note.category, note.status) == ("agent", "workspace", "active")
    assert note.metadata["conversation"] == "work"
    assert note.metadata["section"] == "User preferences"
    assert json.loads(note.metadata["workspace"])[0] == "default"
    assert lessons(scope)[WORKS].metadata["section"] == "Reusable knowledge"


def test_a_lesson_is_recalled(scope, index):
    assert RULE in {hit.note.text for hit in scope.recall("what to run before a commit: the linter").hits}


@pytest.mark.parametrize("query", [None, "Which linter before I commit?"])
def test_context_shows_lessons_as_the_agents_below_the_users_older_words(scope, root, query):
    scope.remember("Run the linter with the strict settings.")
    work(scope, root)
    told = scope.context(query=query).text
    row = next(row for row in told.splitlines() if RULE in row or WORKS in row)
    assert "from agent" in row
    assert told.index("strict settings") < told.index("from agent")


def test_many_lessons_leave_the_users_own_words_in_context(scope, root):
    for word in ("tea", "chess", "cycling", "Lisbon", "jazz"):
        scope.remember(f"Likes {word}.")
    commands = [step for number in range(12) for step in shell(f"make part-{number}", "ok")]
    for conversation in range(6):
        done = [step for number in range(12) for step in shell(f"tool-{conversation}-{number} go", "ok")]
        work(scope, root, f"c{conversation}", done=[*commands, *done])
    told = scope.context().text
    assert all(f"Likes {word}." in told for word in ("tea", "chess", "cycling", "Lisbon", "jazz"))


def test_a_lesson_of_a_conversation_in_the_log_names_its_entries(scope, root):
    session = scope.session("work")
    session.add_items([{"role": "user", "content": f"Run the tests. {RULE}"}, *LESSON])
    work(scope, root)
    entries = {item.id: item.body for item in session.items()}
    rule, works = (lessons(scope)[text] for text in (RULE, WORKS))
    assert [entries[each]["role"] for each in rule.sources] == ["user"]
    assert [entries[each]["type"] for each in works.sources] == ["function_call"]


def test_opening_and_closing_again_leaves_lessons_as_they_are(scope, root, index):
    before = lessons(scope)
    work(scope, root, "other")
    scope.workspace(root).open()
    assert {text: note.revision for text, note in before.items()} == {
        text: note.revision for text, note in lessons(scope).items()
    }


def test_a_line_that_is_removed_forgets_its_lesson_until_it_is_undone(scope, root, index):
    note = lessons(scope)[WORKS].id
    index.write_text(index.read_text().replace(f"- {WORKS}\n", ""))
    report = scope.workspace(root).sync()
    assert report.dropped == (note,)
    assert WORKS not in lessons(scope)
    work(scope, root, "other")
    assert WORKS not in lessons(scope)
    assert f"- {WORKS}" not in index.read_text()
    scope.undo(report.undo)
    scope.workspace(root).sync()
    assert lessons(scope)[WORKS].id == note
    assert f"- {WORKS}" in index.read_text()


def test_a_line_that_is_reworded_is_the_writers_own(scope, root, index):
    index.write_text(index.read_text().replace(RULE, "Always run ruff before you commit."))
    scope.workspace(root).sync()
    assert RULE not in {note.text for note in scope.notes()}
    (note,) = [each for each in scope.notes() if each.text == "Always run ruff before you commit."]
    assert (note.source, note.metadata.get("conversation")) == ("user", None)


def test_a_lesson_that_is_forgotten_as_a_note_goes_from_the_files_and_stays_away(scope, root, index):
    scope.forget(lessons(scope)[RULE].id)
    scope.workspace(root).sync()
    work(scope, root, "other")
    for name in ("MEMORY.md", "memory_summary.md"):
        assert f"- {RULE}" not in (root / "memories" / name).read_text()
    assert RULE not in lessons(scope)


def test_a_lesson_that_is_erased_as_a_note_is_not_learned_again(scope, root, index):
    note = lessons(scope)[RULE].id
    scope.erase(note=note)
    work(scope, root, "other")
    assert RULE not in lessons(scope)
    assert note not in {each.id for each in scope.notes(status=None, limit=1000)}
    assert f"- {RULE}" not in index.read_text()


def test_a_lesson_that_is_revised_as_a_note_changes_its_line(scope, root, index):
    scope.revise(lessons(scope)[WORKS].id, "`pip install pyyaml==6.0` works.")
    scope.workspace(root).sync()
    assert f"- {WORKS}\n" not in index.read_text()
    assert "- `pip install pyyaml==6.0` works.\n" in index.read_text()
    assert WORKS not in lessons(scope)


def test_forgetting_a_conversation_forgets_its_lessons_and_no_others(scope, root, index):
    work(scope, root, "build", f"Build it. {RULE} Never use sudo here.", shell("make", "ok"))
    scope.workspace(root).forget("work")
    found = lessons(scope)
    assert WORKS not in found
    assert {RULE, "`make` works."} <= set(found), "the other conversation teaches the rule, too"
    assert {note.metadata["conversation"] for note in found.values()} == {"build"}
    scope.workspace(root).forget("build")
    assert lessons(scope) == {}


def test_lessons_are_erased_with_everything_else(scope, root, index):
    taught = len(lessons(scope))
    receipt = scope.erase()
    assert receipt.erased["notes"] == taught
    assert receipt.remaining == 0, receipt.found
    assert lessons(scope) == {}


def test_lessons_of_another_workspace_are_left_alone(scope, root, index, tmp_path):
    other = scope.workspace(tmp_path / "other", name="other")
    other.record("Run it. Never use sudo here.", [said("ok")], final_output="ok", session_id="work")
    other.close()
    other.forget("work")
    assert RULE in lessons(scope)
    assert "Never use sudo here." not in lessons(scope)


def test_work_that_holds_no_signal_is_kept_as_a_short_summary(scope, root):
    look = {"type": "function_call", "call_id": "1", "name": "read_invoice", "arguments": '{"number": "A-7"}'}
    report = work(scope, root, "bills", "What does invoice A-7 come to?", [
        look,
        {"type": "function_call_output", "call_id": "1", "output": "total: 120 euros"},
        *shell("ls bills", "a-7.pdf"),
        said("It comes to 120 euros."),
    ])  # fmt: skip
    assert report.learned == ("bills",)
    (path,) = (root / "memories/rollout_summaries").iterdir()
    summary = path.read_text()
    assert "# What does invoice A-7 come to?" in summary
    assert "Outcome: success" in summary
    assert "- `read_invoice`\n- `ls bills`\n" in summary
    assert len(summary) < 1000
    assert "What does invoice A-7 come to?" in scope.workspace(root).instructions()
    assert f"rollout_summaries/{path.name}" in (root / "memories/MEMORY.md").read_text()
    assert lessons(scope) == {}, "what teaches nothing is no lesson"


def test_a_conversation_without_work_leaves_no_summary(scope, root):
    report = work(scope, root, "talk", "Hello, how are you?", [said("Fine.")])
    assert (report.learned, report.passed) == ((), ("talk",))
    assert not (root / "memories/rollout_summaries").exists()


def test_lessons_wait_where_the_setting_says_that_somebody_has_to_approve_them(root):
    from bethink import Memory
    from bethink.settings import Settings

    with Memory(":memory:", settings=Settings(admission="covered,family:workspace=pending")) as memory:
        scope = memory.scope(user="alice")
        for _ in range(2):
            work(scope, root)
        waiting = [note.text for note in scope.notes(status="pending")]
        assert {RULE, WORKS} < set(waiting)
        assert len(waiting) == len(set(waiting))  # once each, however often the workspace is closed
        assert RULE not in scope.context(query="Which linter?").text
