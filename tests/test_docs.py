"""Every Python block of the README and the docs runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```(python[^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
MAX_SKIPPED = 2  #: blocks that need a server or a key
ALONE = [
    ROOT / "docs" / name
    for name in ("workspace.md", "openai-agents.md", "models.md", "recall.md", "context.md")
]  #: documents each of whose blocks runs without those before it


def blocks(file):
    return [
        (head.removeprefix("python").strip(), code, text_before(file, code)) for head, code in found(file)
    ]


def found(file):
    return FENCE.findall(file.read_text(encoding="utf-8"))


def text_before(file, code):
    """Return how many lines stand before a block, so that a traceback names the line of the document."""
    text = file.read_text(encoding="utf-8")
    return text[: text.index(code)].count("\n")


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_python_of_a_document_runs(file, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    for marker, code, line in blocks(file):
        assert marker in {"", "no-run"}, f"{file.name}: unknown marker {marker!r}"
        if not marker:
            exec(compile("\n" * line + code, str(file), "exec", dont_inherit=True), namespace)


@pytest.mark.parametrize(
    ("file", "code", "line"),
    [(file, code, line) for file in ALONE for marker, code, line in blocks(file) if not marker],
    ids=lambda each: str(each)[:20] if isinstance(each, int) else "",
)
def test_a_block_of_a_document_runs_alone(file, code, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile("\n" * line + code, str(file), "exec", dont_inherit=True), {"__name__": "__main__"})


def test_hardly_any_block_is_left_out():
    skipped = [file.name for file in FILES for marker, _, _ in blocks(file) if marker]
    assert len(skipped) <= MAX_SKIPPED, skipped
    assert blocks(ROOT / "README.md")


OUTPUT = re.compile(r"^```python\n(.*?)^```\n+```output\n(.*?)^```", re.MULTILINE | re.DOTALL)
PRINTED = [
    pytest.param(code, told, id=f"{file.relative_to(ROOT)}:{text_before(file, code)}")
    for file in FILES
    for code, told in OUTPUT.findall(file.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("code", "told"), PRINTED)
def test_a_block_with_its_output_runs_alone_and_prints_it(code, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "document", "exec", dont_inherit=True), {"__name__": "__main__"})
    assert capsys.readouterr().out == told


def test_pages_show_what_they_print():
    assert len(PRINTED) >= 8
