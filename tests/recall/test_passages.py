from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.notes.values import Note
from bethink.recall.passages import LONGEST_CHUNK, of_item, of_note, said_in, split

from .samples import item


def test_date_and_speaker_are_in_the_words_that_are_found():
    (passage,) = of_item(item(1, "The tent is dry.", speaker="Ruben"), 7)
    assert passage.text == "[1 March 2024] Ruben: The tent is dry."
    assert (passage.kind, passage.owner, passage.seq, passage.words) == ("item", 7, 1, 4)


@pytest.mark.parametrize(
    ("body", "text", "role"),
    [
        ({"role": "user", "content": "hello"}, "hello", "user"),
        (
            {
                "role": "user",
                "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}],
            },
            "a\nb",
            "user",
        ),
        (
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "yes", "annotations": []}],
            },
            "yes",
            "assistant",
        ),
        (
            {"role": "user", "content": [{"type": "input_image", "image_url": "x", "caption": "a red kite"}]},
            "(image: a red kite)",
            "user",
        ),
        (
            {
                "type": "function_call",
                "call_id": "c",
                "name": "book_table",
                "arguments": '{"people": 4, "at": "noon"}',
            },
            "book_table people: 4, at: noon",
            "tool",
        ),
        ({"type": "function_call_output", "call_id": "c", "output": "Table 9"}, "Table 9", "tool"),
        (
            {
                "type": "function_call_output",
                "call_id": "c",
                "output": [{"type": "input_text", "text": "Table 9"}],
            },
            "Table 9",
            "tool",
        ),
        (
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c", "function": {"name": "ring", "arguments": "{"}}],
            },
            "ring {",
            "tool",
        ),
        ({"role": "tool", "tool_call_id": "c", "content": "rang"}, "rang", "tool"),
        ({"content": "no role"}, "no role", "user"),
    ],
)
def test_what_was_said_is_read_whatever_shape_it_has(body, text, role):
    said = said_in(body)
    assert said is not None
    assert (said.text, said.role) == (text, role)


@pytest.mark.parametrize(
    "body",
    [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"role": "system", "content": "be nice"},
        {"role": "developer", "content": "be nice"},
        {"role": "user", "content": "  "},
        {"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png;base64,AAAA"}]},
        {"something": {"else": 1}},
        {},
    ],
)
def test_what_nobody_said_makes_no_passage(body):
    assert said_in(body) is None


def test_a_mask_is_applied_before_anything_is_indexed():
    (passage,) = of_item(item(1, "code 1234"), 1, mask=lambda text: text.replace("1234", "[hidden]"))
    assert "1234" not in passage.text


def test_a_long_text_is_cut_at_the_ends_of_sentences_and_every_piece_says_who_spoke():
    text = " ".join(f"This is sentence number {n} of a rather long story." for n in range(60))
    passages = of_item(item(1, text, speaker="Ines"), 1)
    assert len(passages) > 3
    assert [p.chunk for p in passages] == list(range(len(passages)))
    assert all(p.text.startswith("[1 March 2024] Ines: This is") and p.text.endswith(".") for p in passages)


def test_a_note_is_found_by_its_keywords_too():
    now = datetime(2024, 1, 1, tzinfo=UTC)
    (passage,) = of_note(Note(id="n", text="Aisle.", keywords=("seat",), created_at=now, updated_at=now), 3)
    assert passage.text == "Aisle. (seat)"


@settings(deadline=None)
@given(st.lists(st.text(alphabet="ab .!\n語", max_size=400), max_size=8).map(" ".join))
def test_no_word_is_lost_by_cutting_and_no_piece_is_too_long(text):
    pieces = split(text)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert len(pieces) == 1 or all(len(piece.split()) <= LONGEST_CHUNK for piece in pieces)


@settings(deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "type",
                        "role",
                        "content",
                        "text",
                        "name",
                        "arguments",
                        "output",
                        "tool_calls",
                        "function",
                    ]
                ),
                x,
            )
        ),
    )
)
def test_any_json_is_tolerated(value):
    said_in({"content": value, "role": "user"})
    said_in(value if isinstance(value, dict) else {"output": value})
