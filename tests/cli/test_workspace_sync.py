"""`bethink workspace sync` asks before it touches what somebody else wrote."""

from bethink import Memory

RULES = "# Rules\n\n1. build\n2. push\n"
FILES = ("CLAUDE.md", "AGENTS.md", "README.md")


def test_a_folder_with_files_of_people_is_never_synced_unasked(bethink, folder):
    for name in FILES:
        (folder / name).write_text(RULES)
    for arguments in ((), (".",)):
        done = bethink("workspace", "sync", *arguments, "--user", "a")
        assert done.status == 1
        assert "othing was changed" in done.err
    assert {(folder / name).read_text() for name in FILES} == {RULES}
    shown = bethink("workspace", "sync", ".", "--user", "a", "--adopt", "--dry-run", status=0)
    assert "+ note: build" in shown.out
    done = bethink("workspace", "sync", ".", "--user", "a", "--adopt", "--json").json
    assert len(done["notes"]) == 2
    assert {(folder / name).read_text() for name in FILES} == {RULES}
    assert bethink("undo", done["undo"], "--user", "a").status == 0
    with Memory("memory.db") as memory:
        assert memory.scope(user="a").notes().total == 0


def test_a_folder_of_ours_is_synced_from_within_and_removals_wait(bethink, folder, monkeypatch):
    with Memory("memory.db") as memory:
        for number in range(7):
            memory.scope().remember(f"Fact number {number} is here.", keywords=["facts"])
    bethink("workspace", "sync", "notes", status=0)
    monkeypatch.chdir(folder / "notes")
    assert bethink("workspace", "sync", "--db", folder / "memory.db", status=0).out
    (folder / "notes/facts.md").unlink()
    done = bethink("workspace", "sync", "--db", folder / "memory.db", status=1)
    assert "--confirm" in done.out
    assert (
        len(bethink("workspace", "sync", "--confirm", "--db", folder / "memory.db", "--json").json["dropped"])
        == 7
    )


def test_a_coding_agents_file_has_a_block_of_ours_and_no_more(bethink, folder):
    (folder / "AGENTS.md").write_text(RULES)
    with Memory("memory.db") as memory:
        memory.scope().remember("Prefers pnpm to npm.")
    assert "AGENTS.md" in bethink("workspace", "sync", "--for", "codex", "--dry-run", status=0).out
    assert (folder / "AGENTS.md").read_text() == RULES
    bethink("workspace", "sync", "--for", "codex", status=0)
    assert (folder / "AGENTS.md").read_text().startswith(RULES)
    assert "- Prefers pnpm to npm." in (folder / "AGENTS.md").read_text()
    assert sorted(path.name for path in folder.iterdir() if "memory.db" not in path.name) == ["AGENTS.md"]
