"""The plugin for Claude Code's marketplaces is what its format asks for, and the same as what is installed by hand."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

import bethink
from bethink.coding.agents import file_edits, file_of_ours

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "plugins" / "claude-code"
NAME = {"type": "string", "pattern": r"^[a-z0-9]+(-[a-z0-9]+)*$"}
TEXT = {"type": "string", "minLength": 1}
WORDS = {"type": "array", "items": TEXT}
PERSON = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": TEXT, "email": TEXT, "url": TEXT},
    "additionalProperties": False,
}
VERSION = {"type": "string", "pattern": r"^\d+\.\d+\.\d+"}
INSIDE = {"type": "string", "pattern": r"^\./(?!.*\.\.)"}
PLACES = {"anyOf": [INSIDE, {"type": "array", "items": INSIDE}, {"type": "object"}]}
ABOUT = {
    "name": NAME,
    "version": VERSION,
    "description": TEXT,
    "author": PERSON,
    "homepage": TEXT,
    "repository": TEXT,
    "license": TEXT,
    "keywords": WORDS,
    **dict.fromkeys(("commands", "agents", "skills", "hooks", "mcpServers"), PLACES),
}
#: the fields of `plugin.json` and of `marketplace.json`, as the reference of plugins lists them
MANIFEST = {"type": "object", "required": ["name"], "properties": ABOUT, "additionalProperties": False}
MARKETPLACE = {
    "type": "object",
    "required": ["name", "owner", "plugins"],
    "properties": {
        "name": NAME,
        "owner": PERSON,
        "metadata": {"type": "object"},
        "plugins": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["name", "source"],
                "properties": {
                    **ABOUT,
                    "source": INSIDE,
                    "category": TEXT,
                    "tags": WORDS,
                    "strict": {"type": "boolean"},
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}


def read(path):
    return json.loads(path.read_text())


def test_the_marketplace_and_the_manifest_have_the_published_form():
    marketplace, manifest = (
        read(ROOT / ".claude-plugin" / "marketplace.json"),
        read(PLUGIN / ".claude-plugin" / "plugin.json"),
    )
    jsonschema.validate(marketplace, MARKETPLACE)
    jsonschema.validate(manifest, MANIFEST)
    (listed,) = marketplace["plugins"]
    assert (ROOT / listed["source"]).resolve() == PLUGIN
    assert (listed["name"], listed["version"]) == (manifest["name"], manifest["version"])
    assert manifest["version"] == bethink.__version__
    for name in ("hooks", "mcpServers", "skills"):
        assert (PLUGIN / manifest[name]).exists()


@pytest.mark.parametrize("wrong", [{"name": "Two Words"}, {"hooks": "../hooks.json"}, {"skill": "./x"}, {}])
def test_the_form_refuses_what_claude_code_refuses(wrong):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"name": "bethink", **wrong} if wrong else {}, MANIFEST)


def test_hooks_and_server_are_those_of_the_installation(machine):
    hooks, server, _ = file_edits("claude", machine.places, None, ["bethink"], mcp=True)
    assert read(PLUGIN / "hooks" / "hooks.json")["hooks"] == {
        event: [entry] for event, entry in hooks.entries.items()
    }
    assert read(PLUGIN / ".mcp.json") == {"mcpServers": {"bethink": dict(server.entry)}}


def test_the_skill_is_the_one_of_the_package_and_has_the_form_of_skills():
    skill = file_of_ours("SKILL.md")
    assert (PLUGIN / "skills" / "bethink" / "SKILL.md").read_text() == skill
    head = re.match(r"---\nname: ([a-z-]{1,64})\ndescription: (.{1,1024})\n---\n", skill)
    assert head
    assert head[1] == "bethink"
    assert len(skill.splitlines()) < 500
