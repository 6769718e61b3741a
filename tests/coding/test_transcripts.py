"""Months of transcripts that lie on a machine are taken in once, each into the memory of its project."""

import json

CODE = "```python\ndef total(rows):\n    return sum(rows)\n```"


def test_everything_on_the_machine_is_taken_in_and_found_by_project(machine, bethink):
    billing, website = machine.repository("billing"), machine.repository("website")
    machine.say("b1", billing, "We decided to keep invoices immutable.", f"Like this:\n{CODE}")
    machine.say(
        "w1", website, "We tried React and dropped it: the bundle was too large.", "Back to htmx, then."
    )
    machine.say(
        "b2",
        billing,
        "Run the tests.",
        *machine.ran("b2", billing, "pytest billing", "Exit code 1\nFAILED test_rounding", failed=True),
        "No, round half to even, not half up.",
    )
    told = bethink("import", "--from", "claude-code", "--projects", "--json").json
    assert told["projects"]["billing"]["sessions"] == 2
    assert told["skipped"] == {}

    def found(query, folder):
        return [each["text"] for each in bethink("project", "recall", query, "--dir", folder, "--json").json]

    assert any("immutable" in text for text in found("may invoices change?", billing))
    assert any("dropped it" in text for text in found("why did we drop React?", website))
    assert any("test_rounding" in text for text in found("which rounding test failed?", billing))
    assert not any("React" in text for text in found("React", billing))
    with machine.memory() as memory:
        scope = machine.register(memory).memory_of(machine.project_of(billing).project)
        line = scope.timeline("rounding half to even", roles=["user", "tool", "assistant"])
        assert [entry.item.at for entry in line.entries if entry.item] == sorted(
            entry.item.at for entry in line.entries if entry.item
        )
        assert any("half to even" in entry.text for entry in line.entries)
        bodies = [item.body for item in scope.session("claude-code-b1").items().entries]
    assert bodies[1]["content"] == f"Like this:\n{CODE}"


def test_taking_in_again_adds_only_what_is_new_and_hooks_go_on_from_there(machine, bethink):
    app = machine.repository("app")
    machine.say("s1", app, "We decided to keep invoices immutable.", "Yes.")
    first = bethink("import", "--from", "claude-code", "--projects", "--json").json
    assert first["projects"]["app"]["new items"] == 2
    again = bethink("import", "--from", "claude-code", "--projects", "--json").json
    assert again["projects"]["app"]["new items"] == 0
    machine.say("s1", app, "And credit notes too.")
    machine.hook("Stop", "s1", app)
    assert (
        bethink("import", "--from", "claude-code", "--projects", "--json").json["projects"]["app"][
            "new items"
        ]
        == 0
    )


def test_what_is_left_out_is_told_with_the_reason(machine, bethink):
    app, hidden = machine.repository("app", "git@example.com:a/app.git"), machine.repository("hidden")
    clone = machine.repository("clone", "git@example.com:a/app.git")
    bethink("project", "exclude", hidden, status=0)
    for session, folder in (("s1", app), ("s2", hidden), ("s3", clone)):
        machine.say(session, folder, "We decided to keep invoices immutable.", "Yes.")
    (machine.transcript("s1").parent / "empty.jsonl").write_text("")
    (machine.transcript("s1").parent / "other.jsonl").write_text(
        json.dumps({"role": "user", "content": "x"}) + "\n"
    )
    told = bethink("import", "--from", "claude-code", "--projects", "--json").json
    assert told["projects"].keys() == {"app"}
    assert told["skipped"] == {
        "it does not say in which folder it was": 2,
        "it is left out": 1,
        "it is to be confirmed": 1,
    }


def test_a_rollout_of_codex_keeps_its_session_when_it_is_read_in_pieces(machine, bethink):
    app = machine.repository("app")
    path = machine.home / ".codex" / "sessions" / "2026" / "11" / "20" / "rollout-1.jsonl"
    path.parent.mkdir(parents=True)

    def line(kind, payload):
        return json.dumps({"timestamp": "2026-11-20T10:00:00.000Z", "type": kind, "payload": payload}) + "\n"

    def said(text):
        content = [{"type": "input_text", "text": text}]
        return line("response_item", {"type": "message", "role": "user", "content": content})

    path.write_text(line("session_meta", {"id": "c1", "cwd": str(app)}) + said("We keep invoices immutable."))
    bethink("import", "--from", "codex", "--projects", status=0)
    with path.open("a") as file:
        file.write(said("And credit notes too."))
    bethink("import", "--from", "codex", "--projects", status=0)
    with machine.memory() as memory:
        scope = machine.register(memory).memory_of(machine.project_of(app).project)
        assert [each.id for each in scope.sessions().entries] == ["codex-c1"]
        said_there = [item.body["content"] for item in scope.session("codex-c1").items().entries]
    assert said_there == ["We keep invoices immutable.", "And credit notes too."]


def test_only_agents_whose_transcripts_say_where_they_belong_can_be_taken_in_by_project(machine, bethink):
    assert "--from claude-code or codex" in bethink("import", "--projects", "--from", "gemini", status=1).err
    assert "not a folder of transcripts" in bethink("import", "--projects", "--from", "codex", status=1).err
