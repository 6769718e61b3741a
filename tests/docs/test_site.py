"""The site: each page is in the menu once and in llms.txt, links pages it names, has the words people look for."""

import ast
import builtins
import fnmatch
import re
import tomllib
from functools import cache

import pytest
import yaml

from tests.docs.reference import ROOT, module

docs_links, docs_reference = module("docs_links"), module("docs_reference")
DOCS = ROOT / "docs"
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))


class Loader(yaml.SafeLoader):
    """Reads mkdocs.yml, whose tags name functions."""


CONFIG = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader)
MENU = docs_links.titles(CONFIG["nav"])


def test_each_page_is_in_the_menu_once():
    named = [path for _, path in docs_links._entries(CONFIG["nav"])]
    assert sorted(named) == PAGES
    titles = [title for title, _ in docs_links._entries(CONFIG["nav"])]
    assert len(set(titles)) == len(titles)


def test_each_page_is_in_llms_txt():
    (plugin,) = (
        each["llmstxt"] for each in CONFIG["plugins"] if isinstance(each, dict) and "llmstxt" in each
    )
    patterns = [pattern for section in plugin["sections"].values() for pattern in section]
    assert [page for page in PAGES if not any(fnmatch.fnmatch(page, pattern) for pattern in patterns)] == []


@cache
def written(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    make = docs_reference.PAGES.get(page)
    text = text.replace(docs_reference.MARK, make()) if make else text
    return docs_links.linked(text, page, MENU)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_other_pages_by_links(page):
    text = re.sub(
        r"^    .*$", "", docs_links.FENCED.sub("", written(page)), flags=re.MULTILINE
    )  # without code
    assert re.findall(r"(?<![\w/])`?docs/(?!decisions/`)[\w/-]+\.md", text) == []


@pytest.mark.parametrize("page", [page for page in PAGES if not page.startswith("decisions/")])
def test_a_page_uses_no_word_that_only_we_know(page):
    if page in {"contributing.md", "changelog.md", "benchmarks.md"}:
        return
    assert re.findall(r"\(seed 00\d\)|\bstand-ins?\b|\blegs? of the search\b", written(page)) == []


@pytest.mark.parametrize(
    "word",
    [
        "GDPR",
        "privacy",
        "right to be forgotten",
        "multi-tenant",
        "multi-agent",
        "quickstart",
        "tutorial",
        "license",
        "latency",
        "pydantic-ai",
        "CrewAI",
        "JavaScript",
        "TypeScript",
        "API key",
    ],
)
def test_a_word_that_people_search_for_leads_to_a_page(word):
    assert [page for page in PAGES if word.lower() in (DOCS / page).read_text(encoding="utf-8").lower()]


def test_every_extra_is_told():
    told = "".join((DOCS / page).read_text(encoding="utf-8") for page in ("install.md", "frameworks.md"))
    told = told.lower().replace("-", " ")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert [name for name in extras if name.replace("-", " ") not in told] == []
    assert [python for python in re.findall(r"Python :: (3\.\d+)", str(project)) if python not in told] == []


ORDER = "run them in their order"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def borrowed(code):
    """Return the names that a block uses and does not make."""
    tree = ast.parse(code)
    made = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    made |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    made |= {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler)
    }
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    made |= {(each.asname or each.name).partition(".")[0] for node in imports for each in node.names}
    used = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    return used - made - set(dir(builtins))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_whose_blocks_need_those_before_them_says_so(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    needs = [code for code in BLOCK.findall(text) if borrowed(code)]
    assert not needs or ORDER in text, needs[:1]
