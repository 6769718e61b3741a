"""`bethink workspace`: files in step with memory, from the command line."""

from bethink import Memory


def test_a_directory_is_kept_in_step_and_conflicts_are_told(bethink, folder):
    with Memory("memory.db") as memory:
        note = memory.scope().remember("Prefers pnpm to npm.", keywords=["packages"]).id
    assert bethink("workspace", "sync", "notes").status == 0
    page = folder / "notes/packages.md"
    page.write_text(page.read_text().replace("pnpm to npm", "yarn to npm"))
    with Memory("memory.db") as memory:
        memory.scope().revise(note, "Prefers bun to npm.")
    done = bethink("workspace", "sync", "notes")
    assert done.status == 1
    assert "conflict: packages.md" in done.out
    assert "Prefers bun" in page.read_text()
    assert "Prefers yarn" in page.read_text()


def test_a_workspace_is_opened_closed_and_looked_at(bethink, folder):
    assert bethink("workspace", "open", "project").status == 0
    (folder / "project/memories/MEMORY.md").write_text("- The port is 8080.\n")
    shown = bethink("workspace", "status", "project", "--json").json
    assert shown["edited"] == ["memories/MEMORY.md"]
    assert len(bethink("workspace", "close", "project", "--json").json["notes"]) == 1
    assert "The port is 8080." in (folder / "project/memories/MEMORY.md").read_text()
    wrong = bethink("workspace", "open", "project", "--memories-dir", "../out")
    assert wrong.status == 1
    assert "must not escape root" in wrong.err


def test_a_conversation_is_forgotten_by_its_name(bethink, folder):
    line = '{"input": [{"role": "user", "content": "Never use sudo here."}], "generated_items": []}'
    (folder / "project/sessions").mkdir(parents=True)
    (folder / "project/sessions/talk.jsonl").write_text(line + "\n")
    assert bethink("workspace", "open", "project", "--json").json["learned"] == ["talk"]
    assert bethink("workspace", "forget", "project", "talk", "--json").json["forgotten"] == ["talk"]
    assert not (folder / "project/sessions/talk.jsonl").exists()
    assert "no such conversation" in bethink("workspace", "forget", "project", "talk", status=1).err
