"""Each example has its line in the list and a test that runs it; notebooks run, and print what they show."""

import json
import subprocess
import sys

import pytest

from tests.docs.reference import ROOT, module

docs_examples, notebook = module("docs_examples"), module("notebook")
TESTS = "\n".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py") if path.name != "test_site.py"
)
RUN_HERE = {
    "nightly_job.py": ["applied: I live in Oslo. (2 changes)", "again: []", "undone: 0 notes of alice"],
    "erase_a_person.py": ["user erased, 0 remaining", "nothing found: nothing stored"],
    "service_for_many_users.py": ["alice: ['Prefers aisle seats.']", "bob: []", "bob deletes alice's: 404"],
}


def test_the_list_of_examples_is_up_to_date():
    assert (ROOT / "examples/README.md").read_text(encoding="utf-8") == docs_examples.readme(), (
        "run `make pictures`"
    )


@pytest.mark.parametrize("path", docs_examples.files(), ids=lambda path: path.name)
def test_an_example_says_what_it_shows_and_is_run_by_a_test(path):
    assert len(docs_examples.told(path)) > 20
    if path.suffix == ".py":
        kind, _, rest = path.stem.partition("_")
        assert path.stem in TESTS or (kind == "workspace" and f'("{rest}",' in TESTS), (
            f"no test runs {path.name}"
        )


@pytest.mark.parametrize("name", RUN_HERE)
def test_an_example_prints_what_it_promises(name, tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for line in RUN_HERE[name]:
        assert line in done.stdout.splitlines()


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.ipynb")), ids=lambda path: path.name)
def test_a_notebook_runs_offline_and_prints_what_it_shows(path):
    kept = path.read_text(encoding="utf-8")
    assert notebook.text(notebook.run(json.loads(kept))) == kept, "run `make pictures`"


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.ipynb")), ids=lambda path: path.name)
def test_a_notebook_is_one_that_jupyter_opens(path):
    opened = json.loads(path.read_text(encoding="utf-8"))
    assert opened["nbformat"] == 4
    assert len({cell["id"] for cell in opened["cells"]}) == len(opened["cells"])
    for cell in opened["cells"]:
        assert cell["cell_type"] in {"markdown", "code"}
        assert isinstance(cell["source"], list)
        assert ("outputs" in cell) == (cell["cell_type"] == "code")
