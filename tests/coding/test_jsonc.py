"""Settings of people are changed where that is asked for, and nowhere else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.coding import jsonc
from bethink.errors import InvalidError

WRITTEN = """// mine
{
    "theme": "dark", /* never light */
    "hooks": {
        // what runs after an edit
        "Stop": [
            {"hooks": [{"type": "command", "command": "say done"}]}, // loud
        ],
    },
    "last": [1, 2.5, -3e2, true, null, "é \\" // no comment"]
}
"""


def test_what_is_put_in_leaves_comments_commas_and_order_as_they_were():
    made = jsonc.add(WRITTEN, ["hooks", "Stop"], {"hooks": []})
    made = jsonc.put(made, ["mcpServers", "bethink"], {"command": "bethink"})
    kept = [line for line in made.splitlines() if line in WRITTEN.splitlines()]
    assert [line for line in WRITTEN.splitlines() if line not in kept] == [
        '    "last": [1, 2.5, -3e2, true, null, "é \\" // no comment"]'
    ]
    found = jsonc.parse(made).plain()
    assert found["hooks"]["Stop"][1] == {"hooks": []}
    assert found["mcpServers"] == {"bethink": {"command": "bethink"}}
    assert "    " * 3 + '"command": "bethink"' in made


def test_what_was_put_in_comes_out_again_without_a_trace():
    made = jsonc.add(WRITTEN, ["hooks", "Stop"], {"a": 1})
    made = jsonc.add(made, ["hooks", "SessionStart"], {"a": 1})
    made = jsonc.put(made, ["mcpServers", "bethink"], {"command": "bethink"})
    for event in ("Stop", "SessionStart"):
        made = jsonc.drop(made, ["hooks", event], lambda each: each == {"a": 1})
    made = jsonc.remove(made, ["hooks", "SessionStart"])
    made = jsonc.remove(made, ["mcpServers", "bethink"])
    assert jsonc.parse(made).plain() == jsonc.parse(WRITTEN).plain()
    assert [line.rstrip(",") for line in made.splitlines()] == [
        line.rstrip(",") for line in WRITTEN.splitlines()
    ]


@pytest.mark.parametrize("text", ["", "  \n", "{}", "{ }\n", "\ufeff{}\n"])
def test_an_empty_file_is_begun(text):
    assert jsonc.parse(jsonc.put(text, ["a", "b"], [1])).plain() == {"a": {"b": [1]}}


def test_line_ends_and_indents_of_the_file_are_kept():
    text = '{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}\r\n'
    made = jsonc.put(text, ["a", "c"], {"d": 2})
    assert made == '{\r\n\t"a": {\r\n\t\t"b": 1,\r\n\t\t"c": {\r\n\t\t\t"d": 2\r\n\t\t}\r\n\t}\r\n}\r\n'


def test_a_value_that_is_there_already_changes_nothing():
    assert jsonc.put(WRITTEN, ["theme"], "dark") == WRITTEN


@pytest.mark.parametrize(
    "text",
    ["{", '{"a": }', '{"a": 1} x', "[1 2]", "{'a': 1}", '{"a": 01}', '"a', "{" * 200, "nope", "/* open"],
)
def test_what_is_not_json_is_refused_with_its_line(text):
    with pytest.raises(InvalidError, match="line 1"):
        jsonc.parse(text)


@pytest.mark.parametrize("path", [["theme", "x"], ["last", "x"]])
def test_a_value_in_the_way_is_not_overwritten(path):
    with pytest.raises(InvalidError, match="must be an object"):
        jsonc.put(WRITTEN, path, 1)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=3), values, max_size=4),
    st.text(max_size=3),
    values,
    st.sampled_from([None, 2]),
)
def test_any_json_gets_and_loses_a_value(given_, name, value, indent):
    text = json.dumps(given_, indent=indent)
    made = jsonc.put(text, ["\0new", name], value)
    assert jsonc.parse(made).plain() == {**given_, "\0new": {name: value}}
    assert json.loads(jsonc.remove(made, ["\0new", name])) == given_
