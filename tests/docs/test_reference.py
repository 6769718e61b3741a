"""The reference has every verb, value, setting, error, tool and route, each with an example that runs."""

import ast
import dataclasses
import re

import pytest

import bethink
from bethink import Settings
from bethink.testing.faces import HashingEmbedder
from tests.docs.reference import ROOT, module

docs_errors, docs_reference = module("docs_errors"), module("docs_reference")
docs_rest, docs_tools, docs_values = module("docs_rest"), module("docs_tools"), module("docs_values")

PYTHON = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
TITLES = {"ProfileHandle": "Profile"}


def section(page, title):
    return re.split(r"^## ", page.partition(f"\n## {title}\n")[2], flags=re.MULTILINE)[0]


@pytest.mark.parametrize("name", docs_values.FACE)
def test_each_verb_of_a_class_is_used_in_its_example(name):
    told = section(PYTHON, TITLES.get(name, name))
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", told, re.MULTILINE | re.DOTALL))
    used = {node.attr for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Attribute)}
    verbs = {verb for owner, verb, _, _ in docs_values.verbs() if owner == name}
    assert f"::: bethink.sync.{name}\n" in told + "\n"
    assert verbs - used - {"mirror", "session", "workspace", "notebook", "turn", "fork"} == set()


@pytest.mark.parametrize("name", docs_values.FACE)
def test_each_verb_says_what_it_does(name):
    from bethink import sync

    kind = getattr(sync, name)
    verbs = [getattr(kind, verb) for owner, verb, _, _ in docs_values.verbs() if owner == name]
    assert [verb.__name__ for verb in verbs if not isinstance(verb, property) and not verb.__doc__] == []


@pytest.mark.parametrize("value", docs_values.values(), ids=lambda value: value.__name__)
def test_each_field_of_a_value_is_told(value):
    fields = docs_values.fields(value)
    assert {field.name for field in fields} == {
        field.name for field in dataclasses.fields(value) if not field.name.startswith("_")
    }
    assert [field.name for field in fields if len(field.meaning) < 3] == []


def test_every_public_value_is_on_the_page():
    page = docs_values.page()
    for name in bethink.__all__:
        kind = getattr(bethink, name)
        if dataclasses.is_dataclass(kind) and kind is not Settings:
            assert f"\n## `{name}` {{ #" in f"\n{page}"


def test_links_of_the_values_page_lead_somewhere():
    page = docs_values.page()
    assert set(re.findall(r"\]\(#([\w.]+)\)", page)) <= set(re.findall(r"\{ #([\w.]+) \}", page))


def test_every_error_has_an_example_that_raises_it(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    names = {kind.__name__ for kind in docs_errors.kinds()}
    assert names == set(docs_errors.EXAMPLES) == set(docs_errors.SHOWN)
    for name in sorted(names):
        assert docs_errors.output(name).strip(), name
        assert f"\n## `{name}` {{" in f"\n{docs_errors.page()}"


def test_every_attribute_of_an_error_is_told():
    page = docs_errors.page()
    assert re.findall(r"^\| `(\w+)` \|  \|", page, re.MULTILINE) == []


def test_every_setting_is_told_and_can_be_set(monkeypatch, tmp_path):
    page = docs_reference.settings()
    for each in dataclasses.fields(Settings):
        assert f"| `{each.name}` | `BETHINK_{each.name.upper()}` |" in page
    monkeypatch.chdir(tmp_path)
    namespace = {}
    exec(docs_reference.settings_program(), namespace)
    assert namespace["settings"] == Settings()
    namespace["memory"].close()


def test_every_tool_has_a_call_that_is_done():
    tools = {tool.name for _, members in docs_tools.chosen() for tool in members}
    assert tools == {name for name, _ in docs_tools.EXAMPLES}
    answers = docs_tools.played()
    assert [
        name for name, answer in answers.items() if answer.startswith(("Not done", "Nothing", "There is no"))
    ] == []
    page = docs_tools.page()
    assert all(f"### `{name}`" in page for name in tools)


def test_every_route_is_told_and_every_group_has_a_call():
    described, page = docs_rest.description(), docs_rest.page()
    tags = set()
    for path, verbs in described["paths"].items():
        for verb, operation in verbs.items():
            assert f"| `{verb.upper()} {path}` |" in page
            tags |= set(operation.get("tags") or ["other"])
    assert tags == {call.tag for call in docs_rest.EXAMPLES}
    assert set(re.findall(r"\]\(#(schema-[\w-]+)\)", page)) <= set(
        re.findall(r"\{ #(schema-[\w-]+) \}", page)
    )


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.anyio
async def test_each_call_of_the_rest_reference_succeeds(tmp_path):
    import httpx

    from bethink.server.app import create_app
    from bethink.server.options import Options, Work

    options = Options(db=str(tmp_path / "memory.db"), embedder=HashingEmbedder(), work=Work(here=False))
    app = create_app(options)
    failed = []
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for call in docs_rest.EXAMPLES:
                given = {} if call.body is None else {"json": call.body}
                answer = await client.request(call.verb, call.path, **given)
                if not answer.is_success:
                    failed.append((call.verb, call.path, answer.status_code, answer.text[:300]))
    assert failed == []
