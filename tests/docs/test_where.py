"""The table of CONTRIBUTING.md names files that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_table_of_where_things_are_names_files_that_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Where is")[2]
    paths = re.findall(r"`([a-z_0-9/]+(?:\.[a-z]+)?)`", text.partition("\n## ")[0])
    named = [path for path in paths if "/" in path and not path.startswith(("src/", "tests/"))]
    assert len(named) > 80
    assert not [path for path in named if not (ROOT / "src" / "bethink" / path).exists()]


def test_the_steps_name_files_that_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Five steps")[2]
    named = re.findall(
        r"`((?:imports|server|lifecycle|recall|notes|storage|integrations|cli)/[a-z_0-9/]+\.py)`", text
    )
    assert len(named) > 30
    assert not [path for path in named if not (ROOT / "src" / "bethink" / path).exists()]
