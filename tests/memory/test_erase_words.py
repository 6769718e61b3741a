"""An erased note takes its words with it: from files always, from the conversation where that is asked for."""

from __future__ import annotations

import json

import pytest

from bethink import InvalidError, Memory
from bethink.storage.backup import backup

WORDS = "I am vegetarian and allergic to peanuts."
MESSAGE = f"{WORDS} Please book a table."
CALL = {
    "type": "function_call",
    "call_id": "c1",
    "name": "remember",
    "arguments": json.dumps({"text": WORDS, "quoted": f'"{WORDS}"'}),
}
LOG = [
    {"role": "user", "content": MESSAGE},
    CALL,
    {"type": "function_call_output", "call_id": "c1", "output": f"kept: {WORDS}"},
    {"role": "assistant", "content": "A table for two it is."},
]


@pytest.fixture
def memory(tmp_path):
    with Memory(str(tmp_path / "memory.db"), embedder=None) as opened:
        yield opened


@pytest.fixture
def alice(memory):
    scope = memory.scope(user="alice")
    scope.session("dinner").append(LOG)
    scope.consolidate(session="dinner")
    assert [note.text for note in scope.notes()] == [WORDS]
    return scope


def only_note(scope):
    (note,) = scope.notes()
    return note.id


def holding(folder, word=b"vegetarian"):
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and word in path.read_bytes())


def test_without_its_items_the_receipt_says_what_is_left_and_where(alice):
    receipt = alice.erase(note=only_note(alice))
    items = {item.id: item for item in alice.session("dinner").items()}
    assert [items[each].body["type" if "type" in items[each].body else "role"] for each in receipt.items] == [
        "user",
        "function_call",
        "function_call_output",
    ]
    assert receipt.remaining == receipt.found["items"] == 3
    assert json.loads(receipt.to_json())["items"] == list(receipt.items)
    assert receipt.items[0] in str(receipt)
    assert [item.body for item in items.values()] == LOG


def test_with_its_items_no_byte_of_its_words_is_left(tmp_path, memory, alice):
    receipt = alice.erase(note=only_note(alice), items=True)
    assert (receipt.remaining, receipt.items) == (0, ()), receipt.found
    assert receipt.erased["items redacted"] == 3
    assert not [hit for hit in alice.recall("vegetarian peanuts table") if "vegetarian" in hit.text]
    memory.close()
    assert holding(tmp_path) == []


def test_redacted_items_keep_their_places_and_pairs(alice):
    alice.erase(note=only_note(alice), items=True)
    session = alice.session("dinner")
    bodies = [item.body for item in session.items()]
    assert bodies[0] == {"role": "user", "content": "[erased]"}
    assert (bodies[1]["call_id"], bodies[1]["name"]) == ("c1", "remember")
    assert json.loads(bodies[1]["arguments"])["text"] == "[erased]"
    assert bodies[2]["output"] == "kept: [erased]"
    assert bodies[3] == LOG[3]
    assert len(session.window()) == 4


def test_the_staged_note_that_it_was_made_from_goes_with_it(alice):
    staged = only_note(alice)
    (source,) = alice.get(staged).sources
    alice.erase(note=staged)
    assert alice.get(source) is None


def test_other_notes_of_the_same_message_stay(memory):
    scope = memory.scope(user="bob")
    session = scope.session("talk")
    session.append([{"role": "user", "content": "I live in Lisbon. I am allergic to peanuts."}])
    scope.consolidate(session="talk")
    notes = {note.text: note.id for note in scope.notes()}
    allergy = next(text for text in notes if "peanuts" in text)
    scope.erase(note=notes[allergy], items=True)
    assert [note.text for note in scope.notes()] == [text for text in notes if text != allergy]


def test_items_that_were_replaced_keep_no_earlier_version(memory):
    scope = memory.scope(user="bob")
    session = scope.session("talk")
    session.append([{"role": "user", "content": f"{WORDS} One."}])
    session.replace(1, {"role": "user", "content": f"{WORDS} Two."})
    note = scope.remember(WORDS)
    assert scope.erase(note=note.id, items=True).remaining == 0
    assert session.versions(1) == []


def test_files_of_notebooks_lose_the_words_and_nothing_comes_back(tmp_path, alice):
    alice.remember("Prefers the corner table.")
    notebooks = [alice.notebook(tmp_path / name) for name in ("one", "two")]
    for notebook in notebooks:
        notebook.sync()
    assert holding(tmp_path / "one")
    assert holding(tmp_path / "two")
    note = next(note.id for note in alice.notes() if "vegetarian" in note.text)
    alice.erase(note=note, items=True)
    assert holding(tmp_path / "one") + holding(tmp_path / "two") == []
    for notebook in notebooks:
        report = notebook.sync()
        assert not report.waiting
    assert [note.text for note in alice.notes()] == ["Prefers the corner table."]
    assert holding(tmp_path / "one", b"corner table")


def test_a_notebook_that_is_not_there_is_named(tmp_path, alice):
    alice.notebook(tmp_path / "notes").sync()
    (tmp_path / "notes").rename(tmp_path / "elsewhere")
    receipt = alice.erase(note=only_note(alice), items=True)
    assert any(str(tmp_path / "notes") in each for each in receipt.retained)


def test_a_file_that_leads_elsewhere_is_left_and_named(tmp_path, alice):
    alice.notebook(tmp_path / "notes").sync()
    page = tmp_path / "notes" / "MEMORY.md"
    page.rename(tmp_path / "theirs.md")
    page.symlink_to(tmp_path / "theirs.md")
    receipt = alice.erase(note=only_note(alice), items=True)
    assert receipt.found == {"file MEMORY.md": 1}
    assert WORDS in (tmp_path / "theirs.md").read_text("utf-8")


def test_a_lesson_of_a_workspace_leaves_its_summaries_and_with_items_its_conversation(tmp_path, memory):
    rule = "Always run the linter before you commit."
    scope = memory.scope(user="dev")
    space = scope.workspace(tmp_path / "work")
    space.record(f"Run the tests. {rule}", [], final_output="ok", session_id="work")
    space.close()
    note = next(note for note in scope.notes(limit=100) if note.text == rule)
    named = scope.erase(note=note.id)
    assert named.found.get("workspace_segments") == 1
    assert holding(tmp_path / "work", b"the linter before") == ["work.jsonl"]
    space.sync()
    assert scope.notes(limit=100).total == 0
    assert holding(tmp_path / "work", b"the linter before") == ["work.jsonl"]


def test_with_items_the_conversation_of_a_workspace_says_it_no_more(tmp_path, memory):
    rule = "Always run the linter before you commit."
    scope = memory.scope(user="dev")
    space = scope.workspace(tmp_path / "work")
    space.record(f"Run the tests. {rule}", [], final_output="ok", session_id="work")
    space.close()
    note = next(note for note in scope.notes(limit=100) if note.text == rule)
    assert scope.erase(note=note.id, items=True).remaining == 0
    space.sync()
    memory.close()
    assert holding(tmp_path, b"the linter before") == []


def test_a_mirror_is_written_again(tmp_path, memory, alice):
    mirror = memory.mirror((tmp_path / "mirror").as_uri())
    mirror.sync()
    assert holding(tmp_path / "mirror")
    alice.erase(note=only_note(alice), items=True)
    assert holding(tmp_path / "mirror") == []


def test_a_restored_backup_has_the_items_redacted_again(tmp_path, memory, alice):
    from bethink.lifecycle.erase.backup_restore import restore

    copy = tmp_path / "copy.db"
    backup(str(tmp_path / "memory.db"), copy)
    alice.erase(note=only_note(alice), items=True)
    memory.close()
    restore(copy, str(tmp_path / "memory.db"), now=2_000_000_000_000_000, force=True)
    with Memory(str(tmp_path / "memory.db"), embedder=None) as back:
        scope = back.scope(user="alice")
        assert scope.session("dinner").items()[0].body == {"role": "user", "content": "[erased]"}
        assert scope.notes().total == 0


def test_items_go_with_a_note_only(alice):
    with pytest.raises(InvalidError) as refused:
        alice.erase(items=True)
    assert refused.value.facts["argument"] == "items"


def test_words_are_found_and_taken_out_in_every_store(url, tenant):
    quoted = 'Says "café 100%!_" to peanuts\\almonds.'
    with Memory(url, tenant=tenant, embedder=None) as opened:
        scope = opened.scope(user="carol")
        scope.session("talk").append([{"role": "user", "content": f"{quoted} Often."}])
        note = scope.remember(quoted)
        named = scope.erase(note=note.id)
        assert (named.found, len(named.items)) == ({"items": 1}, 1)
        note = scope.remember(quoted)
        assert scope.erase(note=note.id, items=True).remaining == 0
        assert scope.session("talk").items()[0].body == {"role": "user", "content": "[erased] Often."}
