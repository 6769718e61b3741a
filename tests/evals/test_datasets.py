"""Data sets of others, in their own formats, become conversations with questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bethink.errors import InvalidError, NotFoundError
from bethink.evals import beam, convomem, dataset_files, locomo, longmemeval

DATA = Path(__file__).parent.parent / "data"


def by_id(dataset):
    return {one.id: one for one in dataset.conversations}


def test_longmemeval_gives_each_question_its_own_history_in_order():
    dataset = longmemeval.read(DATA / "longmemeval.json")
    assert dataset.questions == 3
    boots, concerts, parrot = dataset.conversations
    assert [turn.id for turn in boots.turns] == [
        "answer_boots:1",
        "answer_boots:2",
        "talk_2:1",
        "talk_2:2",
        "talk_2#2:1",
    ]
    assert boots.turns[0].item.at.isoformat() == "2024-03-02T10:15:00+00:00"
    (asked,) = boots.questions
    assert (asked.id, asked.category, asked.gold) == ("q-boots", "single-session-user", {"answer_boots:1"})
    assert asked.sessions == {"answer_boots"}
    assert concerts.questions[0].gold == {"answer_one:1"}
    assert concerts.questions[0].sessions == {"answer_one", "answer_two"}
    assert (parrot.questions, parrot.left_out) == ((), 1)


def test_beam_gives_each_chat_its_batches_with_the_date_that_was_last_named():
    short, plans = beam.read(DATA / "beam").conversations
    assert [(turn.id, turn.session) for turn in short.turns][3:5] == [("3", "batch 1"), ("4", "batch 2")]
    assert short.turns[0].item.body["content"].endswith("behind the shed.")
    assert short.turns[3].item.at.day == 2
    assert {one.category: one.gold for one in short.questions} == {
        "information_extraction": {"2"},
        "knowledge_update": {"0", "4"},
    }
    assert short.left_out == 2
    assert [turn.id for turn in plans.turns] == ["0", "1", "0#2"]
    assert [one.gold for one in plans.questions] == [{"1"}]
    assert plans.left_out == 1


def test_convomem_finds_the_evidence_among_the_messages_in_both_forms():
    cases = by_id(convomem.read(DATA / "convomem"))
    alone = cases["user persona 1"]
    assert [one.gold for one in alone.questions] == [{"1:3"}]
    assert (alone.questions[0].category, alone.turns[1].item.body["role"]) == ("user", "assistant")
    assert (cases["user persona 2"].left_out, cases["abstention persona 1"].left_out) == (1, 1)
    assert [one.gold for one in cases["user batched_000 1"].questions] == [{"1:1"}, {"2:1"}]


@pytest.mark.parametrize("piece", [1, 7, 64, 1 << 20])
def test_an_array_is_read_entry_by_entry_wherever_its_file_is_cut(tmp_path, monkeypatch, piece):
    monkeypatch.setattr(dataset_files, "_PIECE", piece)
    entries = [{"a": "x, ] é" * 5, "b": [1, [2]]}, {}, {"c": None}]
    path = tmp_path / "some.json"
    path.write_text(json.dumps(entries, indent=2, ensure_ascii=False), encoding="utf-8")
    assert list(dataset_files.entries(path)) == entries
    path.write_text(" [ ] ", encoding="utf-8")
    assert list(dataset_files.entries(path)) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{}", "does not contain a JSON array"),
        ("", "does not contain a JSON array"),
        ('[{"a": 1}', "not valid JSON"),
        ('[{"a": 1} {"b": 2}]', "comma"),
        ('[{"a": }]', "not valid JSON"),
        ("[" * 200_000, "not valid JSON"),
    ],
)
def test_what_is_no_array_is_told(tmp_path, text, why):
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(InvalidError, match=why):
        list(dataset_files.entries(path))


def test_a_file_that_is_not_there_or_not_readable_is_told(tmp_path):
    with pytest.raises(NotFoundError):
        longmemeval.read(tmp_path / "none.json")
    with pytest.raises(NotFoundError, match=r"chat\.json"):
        beam.read(tmp_path)
    with pytest.raises(NotFoundError, match="no JSON file"):
        convomem.read(tmp_path)
    with pytest.raises(InvalidError, match="folder"):
        longmemeval.read(tmp_path)
    (tmp_path / "latin.json").write_bytes('["é"]'.encode("latin-1"))
    with pytest.raises(InvalidError, match="UTF-8"):
        list(dataset_files.entries(tmp_path / "latin.json"))


def changed(change):
    entries = json.loads((DATA / "longmemeval.json").read_text())
    change(entries[1])
    return json.dumps(entries)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda entry: entry.pop("haystack_dates"), r"entry 2, 'haystack_dates' is missing"),
        (lambda entry: entry.update(question_id=3), r"entry 2, 'question_id' must be a string"),
        (lambda entry: entry["haystack_dates"].pop(), "have different lengths"),
        (lambda entry: entry.update(haystack_dates=["secret words"] * 3), "a date must have the form"),
        (lambda entry: entry.update(haystack_sessions=[["secret words"]] * 3), "an object with 'content'"),
        (lambda entry: entry.update(haystack_sessions=["x"] * 3), "an object with 'content'"),
    ],
)
def test_a_question_of_longmemeval_that_does_not_fit_is_told_without_its_words(tmp_path, change, why):
    path = tmp_path / "s.json"
    path.write_text(changed(change))
    with pytest.raises(InvalidError, match=why) as raised:
        list(longmemeval.read(path).conversations)
    assert "LongMemEval" in str(raised.value)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("chat.json", '[{"batch_number": 1}]', "expected a batch of turns"),
        ("chat.json", '[{"turns": [[{"role": "user", "content": "x"}]]}]', "'id' is missing"),
        (
            "chat.json",
            '[{"turns": [[{"role": "user", "id": 1, "content": "x", "time_anchor": "soon"}]]}]',
            "date",
        ),
        ("chat.json", '[{"turns": [7]}]', "an object with"),
        ("probing_questions/probing_questions.json", "[]", "kinds of questions"),
        ("probing_questions/probing_questions.json", '{"summarization": 1}', "must be a list"),
        ("probing_questions/probing_questions.json", '{"summarization": [{}]}', "'question' is missing"),
        ("probing_questions/probing_questions.json", '{"summarization": ["x"]}', "an object with"),
    ],
)
def test_a_chat_of_beam_that_does_not_fit_is_told(tmp_path, file, text, why):
    (tmp_path / "probing_questions").mkdir()
    for name in ("chat.json", "probing_questions/probing_questions.json"):
        (tmp_path / name).write_text((DATA / "beam/1" / name).read_text())
    (tmp_path / file).write_text(text)
    with pytest.raises(InvalidError, match=why):
        list(beam.read(tmp_path).conversations)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{}", "'evidence_items' is missing"),
        ('{"evidence_items": [{}]}', "'conversations' is missing"),
        ('{"evidence_items": [7]}', "an object with"),
        ('[{"evidenceItems": [], "conversations": [{"messages": [{"text": "x"}]}]}]', "'speaker' is missing"),
        ('[{"evidenceItems": [{"question": "x"}], "conversations": []}]', "'message_evidences' is missing"),
    ],
)
def test_a_case_of_convomem_that_does_not_fit_is_told(tmp_path, text, why):
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(InvalidError, match=why):
        list(convomem.read(path).conversations)


def test_an_entry_of_locomo_that_does_not_fit_is_told(tmp_path):
    path = tmp_path / "odd.json"
    path.write_text('[{"sample_id": "x", "conversation": {"speaker_a": "Ines", "session_1": []}}]')
    with pytest.raises(InvalidError, match="'session_1_date_time' is missing"):
        locomo.read(path)
