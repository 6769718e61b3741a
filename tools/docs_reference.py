"""Write the reference pages of the site from the code itself: a hook of MkDocs, and a command that shows one page.

    python tools/docs_reference.py reference/cli.md

Pages of `docs/reference/` hold a sentence and `<!-- generated -->`; what stands there in the site is made here, from the
settings, the values, the errors, the tools, the commands and the description of the API. The site gets `openapi.json`, too.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import docs_cli
import docs_errors
import docs_examples
import docs_links
import docs_rest
import docs_tables
import docs_tools
import docs_values
import docs_verbs

MARK = "<!-- generated -->"


def on_files(files: Any, *, config: Any, **_: Any) -> Any:
    """Add the description of the API to the site (MkDocs calls this)."""
    from mkdocs.structure.files import File

    described = json.dumps(docs_rest.description(), indent=1, ensure_ascii=False)
    files.append(File.generated(config, "openapi.json", content=described))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """Fill in the generated part of a page, and link the pages that it names (MkDocs calls this)."""
    make = PAGES.get(page.file.src_uri)
    filled = markdown.replace(MARK, make()) if make else markdown
    return docs_links.linked(filled, page.file.src_uri, docs_links.titles(config.nav))


def settings() -> str:
    """Return a row for each setting, with how it is set in Python and as a variable."""
    from bethink.settings import Settings

    told = ["| setting | variable | default | what it does |", "|---|---|---|---|"]
    for each in dataclasses.fields(Settings):
        meaning = docs_tables.cell(each.metadata["help"])
        told.append(
            f"| `{each.name}` | `BETHINK_{each.name.upper()}` | `{each.default}` | {meaning[:1].upper()}{meaning[1:]} |"
        )
    told += [
        "",
        "All of them, as they are where nothing is said:",
        "",
        "```python",
        settings_program(),
        "```",
    ]
    return "\n".join(told)


def settings_program() -> str:
    """Return a program that names every setting."""
    from bethink.settings import Settings

    lines = [f"    {each.name}={each.default!r}," for each in dataclasses.fields(Settings)]
    return "\n".join(
        [
            "from bethink import Memory, Settings",
            "",
            "settings = Settings(",
            *[line.replace("'", '"') for line in lines],
            ")",
            'memory = Memory("memory.db", settings=settings)',
        ]
    )


PAGES = {
    "examples.md": docs_examples.page,
    "reference/verbs.md": docs_verbs.page,
    "reference/settings.md": settings,
    "reference/values.md": docs_values.page,
    "reference/errors.md": docs_errors.page,
    "reference/tools.md": docs_tools.page,
    "reference/cli.md": docs_cli.page,
    "reference/rest.md": docs_rest.page,
}

if __name__ == "__main__":
    print(PAGES[sys.argv[1]]())
