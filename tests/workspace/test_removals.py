"""What people take out of files is forgotten; what a checkout, a stash or an unfinished clone leaves out is not."""

import shutil
import subprocess

import pytest

FACTS = [f"Fact number {word} stands here." for word in "one two three four five six seven eight".split()]  # noqa: SIM905


def git(root, *arguments):
    done = subprocess.run(
        ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout


def texts(scope):
    return {note.text for note in scope.notes(limit=1000)}


@pytest.fixture
def book(scope, root):
    for fact in FACTS:
        scope.remember(fact, keywords=["facts"])
    scope.remember("Uses ruff.", keywords=["tools"])
    book = scope.notebook(root)
    book.sync()
    return book


def test_a_few_lines_that_are_taken_out_are_forgotten_and_one_undo_takes_back_the_whole_sync(
    scope, root, book
):
    page = root / "facts.md"
    rows = page.read_text().splitlines(keepends=True)
    page.write_text("".join(rows[:3] + rows[6:]) + "- A new fact.\n")
    (root / "tools.md").write_text("# tools\n\n- Uses ruff and pyright.\n")
    report = book.sync()
    assert len(report.dropped) == 3
    assert {"A new fact.", "Uses ruff and pyright."} < texts(scope)
    scope.undo(report.undo)
    assert texts(scope) == {*FACTS, "Uses ruff."}
    book.sync()
    assert all(fact in page.read_text() for fact in FACTS)
    assert "A new fact" not in page.read_text()


def test_more_than_a_few_removals_wait_for_a_word(scope, root, book):
    page = root / "facts.md"
    page.write_text("# facts\n\n- Fact number one stands here.\n- Meanwhile this came.\n")
    report = book.sync()
    assert report.dropped == ()
    assert len(report.waiting) == 7
    assert texts(scope) >= {*FACTS, "Meanwhile this came."}
    assert page.read_text() == "# facts\n\n- Fact number one stands here.\n- Meanwhile this came.\n"
    shown = book.sync(dry_run=True).diff
    assert shown.count("(its line is gone: --confirm)") == 7
    assert book.sync().waiting == report.waiting
    assert len(book.sync(confirm=True).dropped) == 7
    assert texts(scope) == {FACTS[0], "Meanwhile this came.", "Uses ruff."}
    assert book.sync().waiting == ()


def test_lines_that_wait_can_be_written_again(scope, root, book):
    (root / "facts.md").unlink()
    assert len(book.sync().waiting) == 8
    assert not (root / "facts.md").exists()
    book.sync(restore=True)
    assert all(fact in (root / "facts.md").read_text() for fact in FACTS)
    assert book.sync().waiting == ()
    assert texts(scope) == {*FACTS, "Uses ruff."}


def test_lines_that_come_back_are_what_they_were(scope, root, book):
    shutil.move(root / "facts.md", root.parent / "away.md")
    assert len(book.sync().waiting) == 8
    shutil.move(root.parent / "away.md", root / "facts.md")
    report = book.sync()
    assert (report.waiting, report.notes, report.dropped) == ((), (), ())
    assert texts(scope) == {*FACTS, "Uses ruff."}


def test_a_page_that_is_renamed_keeps_its_notes_and_stays_in_step(scope, root, book):
    before = {note.text: note.id for note in scope.notes(limit=100)}
    (root / "facts.md").rename(root / "truths.md")
    report = book.sync()
    assert (report.dropped, report.notes, report.waiting) == ((), (), ())
    assert {note.text: note.id for note in scope.notes(limit=100)} == before
    assert "(truths.md): 8 notes" in (root / "MEMORY.md").read_text()
    assert not (root / "facts.md").exists()
    scope.revise(before[FACTS[0]], "Fact number one moved on.")
    book.sync()
    assert "- Fact number one moved on." in (root / "truths.md").read_text()


def test_a_line_that_moves_to_another_page_takes_its_note_along(scope, root, book):
    number = next(note.id for note in scope.notes(limit=100) if note.text == FACTS[2])
    page = root / "facts.md"
    page.write_text(page.read_text().replace(f"- {FACTS[2]}\n", ""))
    (root / "tools.md").write_text((root / "tools.md").read_text() + f"- {FACTS[2]}\n")
    report = book.sync()
    assert report.moved == (number,)
    assert (report.dropped, report.notes) == ((), ())
    assert scope.get(number).metadata["file"] == "tools.md"
    assert FACTS[2] not in page.read_text()
    assert not book.sync().written


def test_a_checkout_of_another_commit_forgets_nothing(scope, root, book):
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    scope.remember("Came after the commit.", keywords=["tools"])
    book.sync()
    git(root, "commit", "-qam", "two")
    assert book.sync().waiting == ()
    git(root, "checkout", "-q", "HEAD~1")
    report = book.sync()
    assert report.dropped == ()
    assert "Came after the commit." in texts(scope)
    git(root, "checkout", "-q", "-")
    assert book.sync().waiting == ()
    assert "Came after the commit." in texts(scope)


def test_a_stash_forgets_nothing_and_a_commit_that_takes_a_line_out_does(scope, root):
    root.mkdir()
    (root / "rules.md").write_text("- Deploy on Mondays.\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    book = scope.notebook(root)
    book.sync(adopt=True)
    (root / "rules.md").write_text("- Deploy on Mondays.\n- Tell Bob.\n")
    book.sync()
    git(root, "stash")
    report = book.sync()
    assert len(report.waiting) == 1
    assert "Tell Bob." in texts(scope)
    git(root, "stash", "pop")
    assert book.sync().waiting == ()
    git(root, "commit", "-qam", "two")
    book.sync()
    (root / "rules.md").write_text("- Tell Bob.\n")
    git(root, "commit", "-qam", "three")
    assert len(book.sync().dropped) == 1
    assert texts(scope) == {"Tell Bob."}


def test_an_older_copy_of_the_folder_forgets_nothing(scope, root, book, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(root, copy)
    scope.remember("Came later.", keywords=["tools"])
    book.sync()
    shutil.rmtree(root)
    shutil.copytree(copy, root)
    report = book.sync()
    assert report.dropped == ()
    assert "Came later." in texts(scope)
    book.sync(restore=True)
    assert "Came later." in (root / "tools.md").read_text()


def test_files_and_notes_that_came_while_a_sync_was_cut_off_are_not_taken_for_removed(
    scope, root, book, monkeypatch
):
    from bethink.workspace.directory import Directory

    scope.remember("Came just now.", keywords=["tools"])

    def cut_off(self, path, data, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(Directory, "write", cut_off)
    with pytest.raises(KeyboardInterrupt):
        book.sync()
    monkeypatch.undo()
    report = book.sync()
    assert (report.dropped, report.waiting) == ((), ())
    assert "Came just now." in (root / "tools.md").read_text()
