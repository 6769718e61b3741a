"""Files belong to the people who wrote them: no sync changes a byte or a time of a file that Bethink did not make."""

import os
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bethink import InvalidError, Memory
from bethink.errors import LimitError
from bethink.workspace import folder_listing

RULES = "# Rules\n\n1. build\n2. push\n"

_words = st.text(st.sampled_from("ab é日-*_`.#|>0 \t"), max_size=12)
_rows = st.one_of(
    _words,
    st.builds("- {}".format, _words),
    st.builds("{}. {}".format, st.integers(1, 12), _words),
    st.builds("# {}".format, _words),
    st.builds("| {} | b |".format, _words),
    st.builds("    {}".format, _words),
    st.sampled_from(
        [
            "```",
            "~~~",
            "---",
            "===",
            "<div>",
            "</div>",
            "<!-- a",
            "-->",
            "[x]: y",
            "> quoted",
            "- [ ] todo",
            "",
        ]
    ),
)
_ends = st.sampled_from(["\n", "\r\n", "\r"])
pages = st.builds(
    lambda rows, end, last, mark, codec: (mark + end.join(rows) + (end if last else "")).encode(
        codec, "replace"
    ),
    st.lists(_rows, max_size=12),
    _ends,
    st.booleans(),
    st.sampled_from(["", "\ufeff", "---\ntitle: x\n---\n"]),
    st.sampled_from(["utf-8", "utf-8", "utf-8", "latin-1", "utf-16"]),
)
names = st.sampled_from(
    ["CLAUDE.md", "AGENTS.md", "README.md", "readme.md", "MEMORY.md", "notes.md", "docs/a.md", "docs/日本.md",
     "node_modules/x/README.md", "src/main.py", "memories/MEMORY.md", f"{'é' * 126}.md"]
)  # fmt: skip
trees = st.dictionaries(names, pages, max_size=6)
SLOW = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def grow(root, tree):
    for name, data in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, ns=(1_700_000_000_000_000_001, 1_700_000_000_000_000_003))
    for folder, _, _ in os.walk(root, topdown=False):
        os.utime(folder, ns=(1_700_000_000_000_000_005, 1_700_000_000_000_000_007))


def looks(root):
    """Return every file and folder below a root: what it holds and when it was written."""
    found = {}
    for path in sorted([root, *root.rglob("*")]):
        status = path.lstat()
        found[str(path.relative_to(root))] = (
            path.read_bytes() if path.is_file() else None, status.st_mtime_ns, status.st_mode
        )  # fmt: skip
    return found


@SLOW
@given(tree=trees, adopt=st.booleans(), dry_run=st.booleans())
def test_syncing_any_tree_with_no_notes_behind_it_changes_no_byte_and_no_time(
    tmp_path_factory, tree, adopt, dry_run
):
    root = tmp_path_factory.mktemp("tree")
    grow(root, tree)
    before = looks(root)
    with Memory(":memory:", embedder=None) as memory:
        book = memory.scope(user="a").notebook(root)
        for _ in range(3):
            if tree and not adopt:
                with pytest.raises(InvalidError, match="--adopt"):
                    book.sync(dry_run=dry_run)
            else:
                report = book.sync(adopt=adopt, dry_run=dry_run)
                assert (report.written, report.removed, report.dropped) == ((), (), ())
            assert looks(root) == before
        if dry_run or not adopt:
            assert memory.scope(user="a").notes().total == 0


def test_a_folder_that_holds_somebodys_files_is_left_alone_until_it_is_adopted(scope, root):
    grow(root, {"CLAUDE.md": RULES.encode(), "AGENTS.md": RULES.encode(), "README.md": RULES.encode()})
    before = looks(root)
    with pytest.raises(InvalidError, match=r"3 Markdown pages.*--adopt"):
        scope.notebook(root).sync()
    assert scope.notes().total == 0
    report = scope.notebook(root).sync(adopt=True)
    assert {note.text for note in scope.notes()} == {"build", "push"}
    assert len(report.notes) == 2
    scope.remember("Prefers pnpm to npm.", keywords=["packages"])
    assert not scope.notebook(root).sync().written
    assert looks(root) == before


def test_what_is_edited_in_an_adopted_folder_is_followed_and_nothing_is_written_there(scope, root):
    grow(root, {"CLAUDE.md": RULES.encode()})
    scope.notebook(root).sync(adopt=True)
    (root / "CLAUDE.md").write_text("# Rules\n\n1. build\n2. push to staging\n3. tell Bob\n")
    before = looks(root)
    scope.notebook(root).sync()
    assert {note.text for note in scope.notes()} == {"build", "push to staging", "tell Bob"}
    note = next(note for note in scope.notes() if note.text == "tell Bob")
    scope.revise(note.id, "tell Carol")
    (remark,) = scope.notebook(root).sync().remarks
    assert remark.startswith("CLAUDE.md still contains the text of note ")
    assert looks(root) == before


def test_a_dry_run_shows_what_would_be_done_and_does_nothing(scope, root):
    grow(root, {"CLAUDE.md": RULES.encode()})
    before = looks(root)
    shown = scope.notebook(root).sync(adopt=True, dry_run=True).diff
    assert shown.splitlines() == ["+ note: build", "+ note: push"]
    assert scope.notes().total == 0
    assert looks(root) == before
    empty = root.parent / "empty"
    scope.remember("Prefers pnpm to npm.", keywords=["packages"])
    shown = scope.notebook(empty).sync(dry_run=True)
    assert "+- Prefers pnpm to npm." in shown.diff.splitlines()
    assert shown.written == ("MEMORY.md", "packages.md")
    assert not empty.exists()


def test_in_a_folder_of_ours_what_people_write_stays_byte_for_byte(scope, root):
    scope.remember("Prefers pnpm to npm.", keywords=["packages"])
    book = scope.notebook(root)
    book.sync()
    theirs = (
        "\ufeff---\r\ntitle: Mine\r\n---\r\n\r\n1. first\r\n1. second\r\n\r\n| a | b |\r\n|---|---|\r\n"
        "\r\n<div>\r\n  raw\r\n</div>\r\n\r\n```sh\r\nmake x\r\n```\r\n\r\nText  with   spaces\t\r\n"
    ).encode()
    (root / "mine.md").write_bytes(theirs)
    page = root / "packages.md"
    page.write_bytes(page.read_bytes() + b"\n1) one\n1) two\n\n<!-- a remark -->\n\n| x |\n|---|\n")
    mine = page.read_bytes()
    book.sync()
    scope.remember("Uses ruff.", keywords=["packages"])
    note = next(note for note in scope.notes() if "pnpm" in note.text)
    scope.revise(note.id, "Prefers bun to npm.")
    book.sync()
    assert (root / "mine.md").read_bytes() == theirs
    expected = mine.replace(b"- Prefers pnpm to npm.\n", b"- Uses ruff.\n- Prefers bun to npm.\n")
    assert page.read_bytes() == expected


def test_what_is_no_utf8_is_left_alone_and_named(scope, root):
    tree = {
        "latin.md": "Café\n".encode("latin-1"),
        "wide.md": "Wide\n".encode("utf-16"),
        "good.md": b"Good\n",
    }
    grow(root, tree)
    (root / "link.md").symlink_to(root / "good.md")
    os.mkfifo(root / "pipe.md")
    before = dict(tree.items())
    report = scope.notebook(root).sync(adopt=True)
    assert [note.text for note in scope.notes()] == ["Good"]
    assert {remark.split(" ")[0] for remark in report.remarks} == {
        "latin.md",
        "wide.md",
        "link.md",
        "pipe.md",
    }
    assert {name: (root / name).read_bytes() for name in tree} == before


def test_a_page_that_cannot_be_read_any_more_is_not_taken_for_removed(scope, root):
    grow(root, {"notes.md": b"- The port is 8080.\n", "other.md": b"- Uses ruff.\n"})
    scope.notebook(root).sync(adopt=True)
    (root / "notes.md").write_bytes("- The port is 8080.\n".encode("utf-16"))
    (root / ".gitignore").write_text("other.md\n")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    report = scope.notebook(root).sync()
    assert report.dropped == ()
    assert scope.notes().total == 2
    assert len(report.remarks) == 2


def test_what_git_ignores_and_what_is_built_holds_no_memory(scope, root):
    line = b"- A fact of its own here: %s\n"
    tree = {
        name: line % name.encode()
        for name in (
            "a.md", "docs/b.md", "node_modules/p/README.md", ".venv/lib/x.md", "build/c.md", "private/d.md",
            "docs/draft-1.md", "docs/keep.md", "secret.md", "docs/deep/e.md",
        )
    }  # fmt: skip
    tree[".gitignore"] = b"private/\n/secret.md\n# a remark\n"
    tree["docs/.gitignore"] = b"draft-*.md\ndeep\n*.md\n!b.md\n!keep.md\n"
    grow(root, tree)
    scope.notebook(root).sync(adopt=True)
    assert {note.metadata["file"] for note in scope.notes()} == {"a.md", "docs/b.md", "docs/keep.md"}


def test_a_folder_that_is_too_large_is_refused_with_a_sentence(scope, root, monkeypatch):
    monkeypatch.setattr(folder_listing, "MAX_PAGES", 3)
    grow(root, {f"{number}.md": b"- A fact\n" for number in range(4)})
    before = looks(root)
    with pytest.raises(LimitError, match="more than 3 Markdown files; name a subfolder"):
        scope.notebook(root).sync(adopt=True)
    assert looks(root) == before
    monkeypatch.setattr(folder_listing, "MAX_PAGES", 30)
    monkeypatch.setattr(folder_listing, "MAX_PAGE", 5)
    (remark, *_) = scope.notebook(root).sync(adopt=True).remarks
    assert "at most 5 are read" in remark


def test_the_notebook_of_another_memory_is_left_alone(scope, memory, root):
    scope.remember("Prefers pnpm to npm.", keywords=["packages"])
    scope.notebook(root).sync()
    before = looks(root)
    theirs = memory.scope(agent="reviewer", user="bob")
    with pytest.raises(InvalidError, match="notebook of another memory"):
        theirs.notebook(root).sync()
    assert looks(root) == before
    theirs.notebook(root).sync(adopt=True)
    assert {note.text for note in theirs.notes()} == {"Prefers pnpm to npm."}
    assert looks(root) == before
    assert scope.notes().total == 1
    scope.notebook(root).sync()
    assert looks(root) == before


def test_twins_in_another_case_are_both_kept(scope, root):
    scope.remember("Prefers pnpm to npm.", keywords=["packages"])
    book = scope.notebook(root)
    (root).mkdir()
    book.sync()
    scope.remember("Needs a database.", keywords=["tests"])
    (root / "Tests.md").write_bytes(b"# Mine\n\n- Run them twice.\n")
    book.sync()
    assert (root / "Tests.md").read_bytes() == b"# Mine\n\n- Run them twice.\n"
    assert "Needs a database." in (root / "bethink-tests.md").read_text()


def test_a_file_that_is_saved_while_a_sync_goes_on_is_kept_and_merged(scope, root):
    from bethink.workspace.directory import Directory

    scope.remember("Prefers pnpm to npm.", keywords=["packages"])
    book = scope.notebook(root)
    book.sync()
    note = scope.notes()[0]
    scope.revise(note.id, "Prefers bun to npm.")
    page = root / "packages.md"
    write, saved = Directory.write, []

    def and_an_editor_saves(self, path, data, **options):
        if path == "packages.md" and not saved:
            saved.append(page.write_text(page.read_text() + "- Saved meanwhile.\n"))
        return write(self, path, data, **options)

    Directory.write = and_an_editor_saves
    try:
        report = book.sync()
    finally:
        Directory.write = write
    assert saved
    assert page.read_text() == "# packages\n\n- Prefers bun to npm.\n- Saved meanwhile.\n"
    assert {note.text for note in scope.notes()} == {"Prefers bun to npm.", "Saved meanwhile."}
    assert not report.conflicts
