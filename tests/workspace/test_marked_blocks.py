"""A coding agent's file belongs to its people; Bethink has a marked block in it, and touches nothing else."""

import subprocess

import pytest

from bethink import InvalidError

from .test_foreign_files import RULES, looks
from .test_removals import git


def read(path):
    """Return a file as it is: line ends, too."""
    return path.read_bytes().decode()


@pytest.fixture
def project(tmp_path):
    """A repository as people have them."""
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    for name in ("CLAUDE.md", "AGENTS.md", "README.md"):
        (root / name).write_text(RULES)
    (root / "docs/guide.md").write_bytes("\ufeff# Guide\r\n\r\n- one\r\n".encode())
    (root / "node_modules/x").mkdir(parents=True)
    (root / "node_modules/x/README.md").write_text("# X\n\n- Not ours.\n")
    (root / ".gitignore").write_text("node_modules/\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    return root


def test_in_a_repository_git_status_is_clean_but_for_what_was_asked_for(scope, project):
    scope.remember("Prefers pnpm to npm.", keywords=["packages"])
    with pytest.raises(InvalidError):
        scope.notebook(project).sync()
    scope.notebook(project).sync(adopt=True)
    assert git(project, "status", "--porcelain") == ""
    assert {note.text for note in scope.notes()} == {"Prefers pnpm to npm.", "build", "push", "one"}
    report = scope.notebook(project, agent="codex").sync()
    assert report.written == ("AGENTS.md",)
    assert git(project, "status", "--porcelain") == " M AGENTS.md\n"
    changed = git(project, "diff", "--numstat").split()
    assert changed[1] == "0", "no line of theirs went"
    assert read(project / "AGENTS.md").startswith(RULES)
    assert not scope.notebook(project, agent="codex").sync().written
    git(project, "checkout", "-q", "AGENTS.md")
    scope.notebook(project).sync()
    assert git(project, "status", "--porcelain") == ""


@pytest.mark.parametrize("agent", ["codex", "copilot", "gemini", "cursor"])
def test_the_block_is_all_that_is_touched(scope, project, agent):
    note = scope.remember("Prefers pnpm to npm.").id
    book = scope.notebook(project / "docs", agent=agent)
    before = looks(project)
    (name,) = book.sync().written
    path = project / name
    text = read(path)
    assert "- Prefers pnpm to npm.\n<!-- bethink:end -->" in text
    if agent == "cursor":
        assert text.startswith("---\ndescription:")
        assert "alwaysApply: true" in text
    after = looks(project)
    assert {key: value[0] for key, value in after.items() if key in before and key != name} == {
        key: value[0] for key, value in before.items() if key != name
    }
    scope.revise(note, "Prefers bun to npm.")
    book.sync()
    assert read(path).replace("begin 2 ", "begin 1 ") == text.replace("pnpm", "bun")
    scope.forget(note)
    book.sync()
    assert "bun" not in read(path)


def test_claude_code_is_told_in_its_own_memory_and_not_in_the_project(scope, project, monkeypatch, tmp_path):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    scope.remember("Prefers pnpm to npm.")
    memory = (
        tmp_path / "claude/projects" / str(project).replace("/", "-").replace("_", "-") / "memory/MEMORY.md"
    )
    memory.parent.mkdir(parents=True)
    memory.write_text("# What Claude noted\n\n- [port](port.md)\n")
    scope.notebook(project, agent="claude-code").sync()
    assert memory.read_text().startswith("# What Claude noted\n\n- [port](port.md)\n\n<!-- bethink:begin 1 ")
    assert git(project, "status", "--porcelain") == ""


def test_what_is_edited_between_the_marks_is_learned_and_what_is_outside_is_not_until_it_is_adopted(
    scope, project
):
    scope.remember("Prefers pnpm to npm.")
    book = scope.notebook(project, agent="codex")
    book.sync()
    path = project / "AGENTS.md"
    path.write_text(
        read(path).replace("- Prefers pnpm to npm.", "- Prefers bun to npm.\n1. Node is pinned to 22.")
    )
    path.write_text(read(path) + "\nOutside of it.\n")
    before = read(path)
    book.sync()
    assert {note.text for note in scope.notes()} == {"Prefers bun to npm.", "Node is pinned to 22."}
    assert read(path) == before
    book.sync(adopt=True)
    assert {"build", "push", "Outside of it."} < {note.text for note in scope.notes()}
    book.sync()
    assert read(path) == before, "what stands outside is not said twice"


def test_a_file_with_other_line_ends_keeps_them(scope, project):
    path = project / "AGENTS.md"
    path.write_bytes(b"# Rules\r\n\r\n1. build")
    scope.remember("Prefers pnpm to npm.")
    scope.notebook(project, agent="codex").sync()
    data = path.read_bytes()
    assert data.startswith(b"# Rules\r\n\r\n1. build\r\n\r\n<!-- bethink:begin")
    assert data.count(b"\n") == data.count(b"\r\n")


def test_taking_the_marks_out_forgets_nothing(scope, project):
    scope.remember("Prefers pnpm to npm.")
    book = scope.notebook(project, agent="codex")
    book.sync()
    (project / "AGENTS.md").write_text(RULES)
    book.sync()
    assert scope.notes().total == 1
    assert "pnpm" in read(project / "AGENTS.md")


def test_an_earlier_state_of_the_block_forgets_nothing(scope, project):
    scope.remember("Prefers pnpm to npm.")
    book = scope.notebook(project, agent="codex")
    book.sync()
    old = read(project / "AGENTS.md")
    scope.remember("Uses ruff.")
    book.sync()
    (project / "AGENTS.md").write_text(old)
    report = book.sync()
    assert report.dropped == ()
    assert len(report.waiting) == 1
    assert scope.notes().total == 2


def test_broken_marks_are_named_and_nothing_is_written(scope, project):
    scope.remember("Prefers pnpm to npm.")
    path = project / "AGENTS.md"
    path.write_text(RULES + "<!-- bethink:begin 1 -->\n- x\n")
    with pytest.raises(InvalidError, match="not one matching pair"):
        scope.notebook(project, agent="codex").sync()
    assert read(path) == RULES + "<!-- bethink:begin 1 -->\n- x\n"
    path.write_bytes(RULES.encode("utf-16"))
    with pytest.raises(InvalidError, match=r"AGENTS\.md is not valid UTF-8"):
        scope.notebook(project, agent="codex").sync()


def test_a_file_that_is_a_link_is_named_and_left(scope, project):
    scope.remember("Prefers pnpm to npm.")
    (project / "GEMINI.md").symlink_to("AGENTS.md")
    with pytest.raises(Exception, match=r"GEMINI.md is a symbolic link"):
        scope.notebook(project, agent="gemini").sync()
    assert read(project / "AGENTS.md") == RULES
    assert (project / "GEMINI.md").is_symlink()


def test_erasing_takes_the_block_out_and_leaves_the_file_as_it_was(scope, project):
    scope.remember("Prefers pnpm to npm.")
    for agent in ("codex", "cursor", "gemini"):
        scope.notebook(project, agent=agent).sync()
    scope.notebook(project).sync(adopt=True)
    receipt = scope.erase()
    assert receipt.remaining == 0, receipt.found
    assert read(project / "AGENTS.md") == RULES
    assert not (project / "GEMINI.md").exists()
    assert git(project, "status", "--porcelain", "--untracked-files=all") in {
        "", "?? .cursor/rules/bethink.mdc\n",
    }  # fmt: skip
    assert (
        "pnpm"
        not in subprocess.run(
            ["grep", "-r", "pnpm", str(project)], check=False, capture_output=True, text=True
        ).stdout
    )
