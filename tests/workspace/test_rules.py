"""The pure parts: what is cut, what is kept, how files are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.workspace.commands_run import Command, commands, lessons
from bethink.workspace.edited_lines import compare, read
from bethink.workspace.rollout_ids import checked_slug, safe_id, slug_of
from bethink.workspace.rollouts import belongs_in_rollout, line, lines
from bethink.workspace.truncation import middle_out, whole_lines

from .runs import shell


@given(st.text(max_size=2000), st.integers(1, 200))
def test_a_text_that_is_cut_fits_and_keeps_both_ends(text, tokens):
    cut = middle_out(text, tokens)
    whole = text.encode("utf-8", "replace")
    assert len(cut.encode("utf-8", "replace")) <= tokens * 4
    if len(whole) <= tokens * 4:
        assert cut == text
    elif tokens > 20:
        assert text.startswith(cut.split("...")[0])
        assert " tokens truncated..." in cut


def test_the_limits_are_tokens_of_four_bytes():
    text = "a" * 60_000 + "b" * 40_000
    cut = middle_out(text, 15_000)
    assert 59_900 < len(cut.encode()) <= 60_000
    assert cut.startswith("a" * 20_000)
    assert cut.endswith("b" * 20_000)


@given(st.lists(st.text(alphabet="abc", max_size=40), max_size=60), st.integers(1, 80))
def test_of_many_lines_the_first_and_the_last_stay(rows, tokens):
    first, last, gone = whole_lines(rows, tokens)
    assert len(first) + len(last) + gone == len(rows)
    assert rows[: len(first)] == first
    assert not last or rows[-len(last) :] == last


@pytest.mark.parametrize("given_", ["a", "chat-1", "A.b_c-9", "x" * 128])
def test_an_id_that_can_name_a_file_is_left(given_):
    assert safe_id(given_) == given_


@given(st.text(min_size=1, max_size=300))
def test_any_id_names_a_file_and_always_the_same(text):
    name = safe_id(text)
    assert name == safe_id(text)
    assert name.isascii()
    assert not set(name) & set("/\\:\0 \n")
    assert name not in {".", ".."}


def test_a_slug_is_checked():
    assert checked_slug("fix-login.md") == "fix-login"
    assert checked_slug("../x") is None
    assert checked_slug("Fix") is None
    assert slug_of("Fix the Login page, please!") == "fix-the-login-page-please"
    assert slug_of("修复") == "conversation"


@given(st.binary(max_size=500))
def test_a_file_that_is_damaged_is_read_as_far_as_it_can_be(data):
    list(lines(data))


def test_lines_around_a_damaged_one_are_read():
    assert list(lines(b'{"a": 1}\n{"b"\n\n[1]\n{"c":2}')) == [line({"a": 1}), line({"c": 2})]


@pytest.mark.parametrize(
    ("item", "stays"),
    [
        ({"role": "user"}, True), ({"role": "tool"}, True), ({"role": "system"}, False),
        ({"role": "developer", "type": "message"}, False), ({"type": "reasoning"}, False),
        ({"type": "compaction"}, False), ({"type": "image_generation_call"}, False),
        ({"type": "file_search_call"}, False), ({"type": "apply_patch_call_output"}, True),
        ({"type": "mcp_approval_request"}, True), ({"type": "web_search_call"}, True), ({}, False),
    ],
)  # fmt: skip
def test_what_belongs_in_the_record(item, stays):
    assert belongs_in_rollout(item) == stays


def test_a_failure_is_told_with_what_helped():
    run = commands(
        (str(place), item)
        for place, item in enumerate(
            [
                *shell("make test", "make: *** [test] Error 2", code=2),
                *shell("cat Makefile", "x"),
                *shell("make deps", "ok"),
                *shell("make test", "ok"),
                *shell("ruff check", "error: bad", code=1),
                *shell("docker ps", "Cannot connect to the Docker daemon", code=1),
                *shell("docker ps --context other", "ok"),
            ]
        )
    )
    works, failed = lessons(run)
    assert "`make deps` works." in works
    assert failed == [
        "`make test` failed (make: *** [test] Error 2); `make deps` worked.",
        "`ruff check` failed (error: bad), and nothing in that run put it right.",
        "`docker ps` failed (Cannot connect to the Docker daemon); `docker ps --context other` worked.",
    ]


def test_other_shapes_of_commands_are_read():
    items = [
        {"type": "shell_call", "call_id": "a", "action": {"commands": ["make"]}},
        {
            "type": "shell_call_output", "call_id": "a",
            "output": [{"stdout": "", "stderr": "gcc: fatal error", "outcome": {"type": "exit", "exit_code": 1}}],
        },
        {"type": "local_shell_call", "call_id": "b", "action": {"command": ["bash", "-lc", "ls -la"]}},
        {"type": "function_call", "call_id": "c", "name": "x", "arguments": "not json"},
    ]  # fmt: skip
    assert commands(enumerate(items)) == [
        Command(text="make", ok=False, fault="gcc: fatal error", item=0),
        Command(text="ls -la", item=2),
    ]


@given(st.text(max_size=400))
def test_any_file_can_be_read_and_is_no_edit_of_itself(text):
    read(text)
    assert not compare(text, text)


def test_moving_lines_about_is_no_edit():
    assert not compare("# A\n\n- one\n- two\n", "## B\n\n- two\n\n- one")
