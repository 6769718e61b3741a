"""Invariants of distillation, for any text."""

from __future__ import annotations

import json
import re
import string
from datetime import date
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.lifecycle.distill import RulesDistiller
from bethink.sessions.values import Item

TODAY = date(2026, 3, 3)
SAID = [
    json.loads(line)["text"]
    for path in sorted(Path(__file__).parent.glob("*.jsonl"))
    for line in path.read_text("utf-8").splitlines()
]
PIECES = sorted(
    {word for text in SAID for word in text.split()}
    | {"I", "I'm", "don't", "\n", "?", "until", "remember that"}
)
ANY = st.text(max_size=300)
SHUFFLED = st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join)
TURNS = st.lists(st.one_of(st.sampled_from(SAID), SHUFFLED, ANY), max_size=6)
BODIES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "content", "type", "text", "arguments", "tool_calls", "function", "input", "seat"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def session(said):
    return [
        Item(id=str(index), session="s", seq=index, body={"role": "user", "content": text}, at=None)
        for index, text in enumerate(said)
    ]


def words(text):
    return re.findall(r"[^\W_]+(?:'[^\W_]+)?", text.replace("’", "'").replace("‘", "'").casefold())


@settings(max_examples=150, deadline=None)
@given(TURNS)
def test_any_session_is_distilled_alike_twice_and_what_was_injected_is_never_learned(said):
    items = session(said)
    first = RulesDistiller().distill(items, today=TODAY)
    assert first == RulesDistiller().distill(items, today=TODAY)
    injected = [candidate.text for candidate in first.kept]
    again = RulesDistiller().distill(items, injected=injected, today=TODAY)
    assert not {candidate.text for candidate in again.kept} & set(injected)


@settings(max_examples=150, deadline=None)
@given(TURNS)
def test_a_note_uses_no_word_that_its_source_does_not_hold(said):
    for candidate in RulesDistiller().distill(session(said), today=TODAY).kept:
        source = said[int(candidate.sources[0])]
        if candidate.language in {"ja", "zh"}:
            squeezed = re.sub(r"[\W_]", "", source)
            assert all(sign in squeezed for sign in re.sub(r"[\W_]", "", candidate.text))
            continue
        assert set(words(candidate.text)) <= set(words(source))


@settings(max_examples=100, deadline=None)
@given(TURNS)
def test_keywords_are_one_to_three_plain_words_and_sources_are_items(said):
    outcome = RulesDistiller().distill(session(said), today=TODAY)
    ids = {str(index) for index in range(len(said))}
    for candidate in outcome.kept:
        assert 1 <= len(candidate.keywords) <= 3
        assert all(set(word) <= set(string.ascii_lowercase) for word in candidate.keywords)
        assert set(candidate.sources) <= ids
        assert candidate.text.strip()
    for dropped in outcome.dropped:
        assert dropped.reason
        assert set(dropped.sources) <= ids


@settings(max_examples=150, deadline=None)
@given(st.lists(BODIES, max_size=4))
def test_no_shape_of_an_item_raises(bodies):
    items = [
        Item(
            id=str(index),
            session="s",
            seq=index,
            body=body if isinstance(body, dict) else {"content": body},
            at=None,
        )
        for index, body in enumerate(bodies)
    ]
    RulesDistiller().distill(items, today=TODAY)


@settings(max_examples=60, deadline=None)
@given(st.dates(), st.sampled_from([text for text in SAID if len(text) < 200]))
def test_no_day_of_the_calendar_raises(today, text):
    RulesDistiller().distill(session([text]), today=today)


def test_negation_is_never_lost():
    negation = re.compile(
        r"\b(?:not|never|no|cannot)\b|n't\b|\bdont\b|\b(?:nicht|nie|kein\w*)\b|\b(?:pas|jamais)\b|\b(?:nunca)\b|ません|ない|[不没]",
        re.IGNORECASE,
    )
    interjection = re.compile(r"^(?:no|non|nein)(?: \w+)?,\s|^不\w{1,2}，|^n'oublie pas que ", re.IGNORECASE)
    for text in SAID:
        outcome = RulesDistiller().distill(session([text]), today=TODAY)
        if not outcome.dropped and not outcome.forgets:  # what was dropped may hold the negation
            kept = " ".join(candidate.text for candidate in outcome.kept)
            said = len(negation.findall(text)), len(negation.findall(interjection.sub("", text)))
            assert len(negation.findall(kept)) in said, (text, kept)
