"""`bethink` alone says what it is, what is installed, where the file is, and what comes next."""


def commands(out):
    return [line.split("  ")[1] for line in out.partition("Next:\n")[2].splitlines() if line.startswith("  ")]


def test_a_newcomer_hears_what_it_is_where_the_file_will_be_and_three_commands(machine, bethink):
    out = bethink(status=0).out
    assert out.startswith("Bethink ")
    assert "memory.db (not created yet" in out
    assert "in no coding agent yet" in out
    assert commands(out)[0] == "bethink install claude"
    assert len(commands(out)) == 3
    assert not (machine.home / "memory.db").exists()
    assert not machine.places.home.exists()


def test_whoever_has_installed_it_sees_where_and_what_to_do_with_it(machine, bethink, monkeypatch):
    bethink("install", "claude", status=0)
    app = machine.repository("app")
    monkeypatch.chdir(app)
    bethink("install", "cursor", "--project", status=0)
    out = bethink(status=0).out
    assert "claude (user), cursor (here)" in out
    assert f"{machine.places.home / 'memory.db'} (not created yet" in out
    assert commands(out)[0] == "bethink import --from claude-code --projects"
    machine.say("s1", app, "Always use pnpm, never npm.", "Yes.")
    machine.hook("Stop", "s1", app)
    machine.given(["Stop"], "no json")
    out = bethink(status=0).out
    assert str(machine.places.home / "memory.db") in out
    assert "1 lines in" in out
    assert commands(out)[0] == 'bethink project recall "words that matter"'


def test_other_commands_find_the_memory_of_hooks_where_the_folder_has_none(machine, bethink):
    app = machine.repository("app")
    machine.say("s1", app, "In all my projects I want type hints.", "Yes.")
    machine.hook("Stop", "s1", app)
    assert "type hints" in bethink("notes", status=0).out
    bethink("remember", "Only here.", "--db", "memory.db", status=0)
    assert "type hints" not in bethink("notes", status=0).out


def test_a_password_is_not_shown(bethink, monkeypatch):
    monkeypatch.setenv("BETHINK_DB", "postgresql://ana:secret@db.example.com/memory")
    out = bethink(status=0).out
    assert "secret" not in out
    assert "db.example.com/memory" in out
