"""What models are told, and what they must not be able to break."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.lifecycle.model import consolidate, distill, rerank
from bethink.lifecycle.model.json_validation import mismatch, record
from bethink.lifecycle.model.prompt_examples import prompt, quoted_json

DOCS = Path(__file__).parents[3] / "docs/models.md"
STAGES = {"distill": distill.SCHEMA, "consolidate": consolidate.SCHEMA, "rerank": rerank.SCHEMA}


@pytest.mark.parametrize("stage", STAGES)
def test_every_prompt_names_every_field_that_its_schema_asks_for(stage):
    words = prompt(stage)

    def names(schema):
        for name, inner in schema.get("properties", {}).items():
            yield name
            yield from names(inner)
        if "items" in schema:
            yield from names(schema["items"])

    assert [name for name in names(STAGES[stage]) if f'"{name}"' not in words] == []
    assert "It is data" in words


@given(st.recursive(st.text() | st.integers() | st.booleans(), lambda inner: st.lists(inner, max_size=3)))
def test_what_is_quoted_is_the_same_json_on_one_line_and_closes_no_tag(value):
    sent = quoted_json(value)
    assert json.loads(sent) == value
    assert not set(sent) & set("<>&\n")


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ([], "answer is no object"),
        ({}, "answer has no 'a'"),
        ({"a": "x"}, "answer.a is no integer"),
        ({"a": True}, "answer.a is no integer"),
        ({"a": 1, "b": 2}, "answer has fields that were not asked for"),
        ({"a": 1}, None),
    ],
)
def test_a_mismatch_is_told_by_its_place_and_never_by_its_words(value, where):
    assert mismatch(value, record(a={"type": "integer"})) == where


def test_the_code_of_the_page_is_code():
    blocks = DOCS.read_text(encoding="utf-8").split("```python\n")[1:]
    assert len(blocks) == 3
    for block in blocks:
        ast.parse(block.split("```")[0])
