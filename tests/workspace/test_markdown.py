"""Blocks hold the exact text of a file, and a page is changed in no other place than where its notes changed."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bethink import marked_blocks
from bethink.workspace.edited_lines import read
from bethink.workspace.markdown import parse
from bethink.workspace.notebook_pages import Row, merge_page, new_page
from bethink.workspace.notebook_state import Page

from .test_foreign_files import pages

texts = st.one_of(
    pages.map(lambda data: data.decode("utf-8", "replace")),
    st.text(st.sampled_from("-*+#`~|<>!=[]: 1.)ab\t\n\r\ufeff\u2028\x0b"), max_size=60),
)
notes = st.text(st.sampled_from("abc -#`|<!>1.\n\r*_~=é"), min_size=1, max_size=24).filter(str.strip)


@settings(max_examples=400, deadline=None)
@given(text=texts)
def test_the_blocks_of_a_file_joined_are_the_file(text):
    assert "".join(block.raw for block in parse(text)) == text


@settings(max_examples=200, deadline=None)
@given(text=texts, said=st.lists(notes, max_size=5, unique_by=lambda each: each.casefold()))
def test_putting_notes_into_a_page_and_taking_them_out_leaves_every_row_that_was_there(text, said):
    rows = [Row(f"n{number}", each) for number, each in enumerate(said)]
    page = merge_page(text, rows, Page("", ours=True), alive={row.id for row in rows})
    left = iter(page.text.splitlines())
    assert all(any(row == other for other in left) for row in text.splitlines() if row.strip())
    again = merge_page(page.text, rows, page, alive={row.id for row in rows})
    assert again == page
    ours = {row.id for row in rows if row.id in page.mine}
    bare = merge_page(page.text, [], page)
    if ours == set(page.shown):
        assert [row for row in bare.text.splitlines() if row.strip() and "##" not in row] == [
            row for row in text.splitlines() if row.strip() and "##" not in row
        ]


@settings(max_examples=200, deadline=None)
@given(said=st.lists(notes, min_size=1, max_size=5))
def test_a_fresh_page_is_read_as_the_notes_that_it_shows(said):
    rows = [Row(f"n{number}", each) for number, each in enumerate(said)]
    made = new_page("topic.md", rows)
    page = merge_page(made, rows, Page("", ours=True), alive={row.id for row in rows})
    assert merge_page(page.text, rows, page, alive={row.id for row in rows}).text == page.text


@settings(max_examples=200, deadline=None)
@given(text=texts, body=texts, more=texts)
def test_a_marked_block_comes_and_goes_and_leaves_the_file_as_it_was(text, body, more):
    plain = [each.replace("bethink:", "") for each in (text, body, more)]
    made = marked_blocks.put(plain[0], plain[1], 1)
    assert marked_blocks.block_version(made) == 1
    assert made.startswith(plain[0])
    again = marked_blocks.put(made, plain[2], 2)
    assert again.startswith(plain[0])
    assert marked_blocks.put(again, marked_blocks.block_text(made), 1) == made
    assert marked_blocks.without_block(made).rstrip("\r\n") == plain[0].rstrip("\r\n")


def test_what_a_file_says_is_read_from_all_kinds_of_blocks():
    text = (
        "\ufeff---\ntitle: x\n---\n\nTitle\n=====\n\n1. build\n2. push\n   with care\n\n```sh\nmake x\n```\n\n"
        "| a | b |\n|---|---|\n\n<div>\nraw\n</div>\n\n[x]: http://example.com\n\n***\n\n- [ ] later\n"
        "- run this:\n  ```\n  - no item\n  ```\n"
    )
    assert [line.text for line in read(text)] == [
        "build", "push\nwith care", "```sh\nmake x\n```", "| a | b |\n|---|---|", "[ ] later",
        "run this:\n  ```\n  - no item\n  ```",
    ]  # fmt: skip
    assert {line.section for line in read(text)} == {"Title"}
