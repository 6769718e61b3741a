"""Which folders are one project, and that nothing of one reaches another."""

import itertools
import shutil
import subprocess

import pytest

from bethink.coding.repository import examine_folder, remote_name

REMOTE = "git@github.com:acme/billing.git"
FACTS = {
    "billing": (
        "Always keep invoices immutable.",
        "We decided to round half to even.",
        "Never log card numbers.",
    ),
    "website": (
        "Always use htmx on the website.",
        "We decided to drop React.",
        "Never inline styles in templates.",
    ),
    "firmware": (
        "Always build the firmware with gcc 14.",
        "We decided on a 48 MHz clock.",
        "Never allocate memory.",
    ),
}


def git(folder, *arguments):
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]
    subprocess.run(["git", *who, "-C", str(folder), *arguments], capture_output=True, check=True)


def taught(machine, folder, text, session):
    machine.say(session, folder, text, "Understood.")
    machine.hook("Stop", session, folder)


def test_thirty_sessions_in_three_repositories_each_start_shows_its_own_projects_lessons_only(machine):
    folders = {name: machine.repository(name) for name in FACTS}
    for number, name in zip(range(30), itertools.cycle(FACTS), strict=False):
        taught(machine, folders[name], FACTS[name][number // 3 % 3], f"s{number}")
    for name, folder in folders.items():
        told = machine.start(folder)
        assert all(fact.removeprefix("We decided ")[:-1] in told for fact in FACTS[name]), told
        others = [fact for other in FACTS.keys() - {name} for fact in FACTS[other]]
        assert not [fact for fact in others if fact in told]
        for fact in others:
            assert fact not in machine.ask(folder, fact)
    assert machine.log == ""


def test_worktrees_and_folders_below_are_the_project_of_their_repository(machine):
    app = machine.repository("app")
    taught(machine, app, "Always use pnpm, never npm.", "s1")
    git(app, "worktree", "add", "-q", "../beside", "-b", "beside")
    (app / "src" / "deep").mkdir(parents=True)
    assert "pnpm" in machine.start(machine.home / "beside")
    assert "pnpm" in machine.start(app / "src" / "deep")
    assert len(machine.project_of(app).project.folders) >= 1


def test_a_repository_that_is_renamed_or_moved_keeps_its_memory_without_a_question(machine):
    app = machine.repository("app")
    taught(machine, app, "Always use pnpm, never npm.", "s1")
    (machine.home / "elsewhere").mkdir()
    moved = app.rename(machine.home / "elsewhere" / "renamed")
    assert "pnpm" in machine.start(moved)


def test_a_remote_that_is_renamed_keeps_the_memory(machine):
    app = machine.repository("app", REMOTE)
    taught(machine, app, "Always use pnpm, never npm.", "s1")
    git(app, "remote", "set-url", "origin", "https://github.com/acme/invoicing")
    assert "pnpm" in machine.start(app)
    assert set(machine.project_of(app).project.remotes) == {
        "github.com/acme/billing",
        "github.com/acme/invoicing",
    }


@pytest.mark.parametrize("remote", [REMOTE, None])
def test_a_clone_is_confirmed_once_and_then_is_one_with_the_first(machine, bethink, remote):
    app = machine.repository("app", remote)
    taught(machine, app, "Always use pnpm, never npm.", "s1")
    clone = machine.home / "clone"
    git(machine.home, "clone", "-q", str(app), str(clone))
    if remote:
        git(clone, "remote", "set-url", "origin", remote)
    machine.say("s2", clone, "Always run the linter.", "Yes.")
    machine.hook("Stop", "s2", clone)
    told = machine.start(clone)
    assert "pnpm" not in told
    assert "bethink project confirm" in told
    assert machine.ask(clone, "which package manager, pnpm or npm?") == ""
    bethink("project", "confirm", "--dir", clone, status=0)
    machine.hook("Stop", "s2", clone)
    told = machine.start(clone)
    assert "pnpm" in told
    assert "linter" in told, "what was said before it was confirmed is taken in then"
    assert "linter" in machine.start(app)


def test_a_folder_with_a_copied_remote_can_be_another_project(machine, bethink):
    app = machine.repository("app", REMOTE)
    taught(machine, app, "Always use pnpm, never npm.", "s1")
    other = machine.repository("other", REMOTE)
    assert "bethink project separate" in machine.start(other)
    bethink("project", "separate", "--dir", other, status=0)
    taught(machine, other, "Always use yarn here.", "s2")
    assert "pnpm" not in machine.start(other)
    assert "yarn" in machine.start(other)
    assert "yarn" not in machine.start(app)


def test_a_file_that_points_to_the_repository_of_somebody_else_is_not_believed(machine):
    app = machine.repository("app")
    taught(machine, app, "Always deploy Osprey first.", "s1")
    assert "Osprey" in machine.start(app)
    git(app, "worktree", "add", "-q", "../beside", "-b", "beside")
    strange = machine.home / "strange"
    strange.mkdir()
    shutil.copy(machine.home / "beside" / ".git", strange / ".git")
    assert "Osprey" not in machine.start(strange)


def test_another_repository_in_the_place_of_the_first_gets_nothing_of_it(machine):
    app = machine.repository("app", REMOTE)
    taught(machine, app, "Always deploy Osprey first.", "s1")
    assert "Osprey" in machine.start(app)
    shutil.rmtree(app)
    again = machine.repository("app", "https://example.com/another/app.git")
    assert "Osprey" not in machine.start(again)
    taught(machine, again, "Always use yarn here.", "s2")
    assert "yarn" in machine.start(again)
    assert "Osprey" not in machine.start(again)


def test_a_repository_without_a_commit_begins_a_project_that_it_keeps(machine):
    app = machine.repository("app", commit=False)
    taught(machine, app, "Always use pnpm, never npm.", "s1")
    assert "pnpm" in machine.start(app)
    git(app, "commit", "-q", "--allow-empty", "-m", "Begin")
    assert "pnpm" in machine.start(app)
    git(app, "remote", "add", "origin", REMOTE)
    assert "pnpm" in machine.start(app)


def test_a_folder_without_git_is_known_by_its_path(machine):
    notes = machine.home / "notes"
    notes.mkdir()
    taught(machine, notes, "Always write in British English.", "s1")
    assert "British" in machine.start(notes)
    git(notes, "init", "-q")
    assert "British" in machine.start(notes)


def test_the_home_of_the_user_is_no_project(machine):
    taught(machine, machine.home, "Always answer in short sentences.", "s1")
    assert "short sentences" in machine.start(machine.home)
    app = machine.repository("app")
    assert "short sentences" in machine.start(app), "it is the user's own memory"
    with machine.memory() as memory:
        assert [each.name for each in machine.register(memory).all()] == ["app"]


def test_two_starts_at_once_begin_one_project(machine):
    app = machine.repository("app")
    payload = f'{{"session_id": "s", "cwd": "{app}"}}'
    started = [machine.process(["hook", "SessionStart"], payload) for _ in range(3)]
    assert [machine.finished(each)[0] for each in started] == [0, 0, 0]
    with machine.memory() as memory:
        assert len(machine.register(memory).all()) == 1


def test_a_project_that_is_left_out_is_neither_kept_nor_told(machine, bethink):
    app = machine.repository("app")
    taught(machine, app, "Always use pnpm, never npm.", "s1")
    bethink("project", "exclude", "--dir", app, status=0)
    taught(machine, app, "The codename is Osprey.", "s2")
    assert machine.start(app) == ""
    assert machine.ask(app, "which package manager, pnpm or npm?") == ""
    bethink("project", "include", "--dir", app, status=0)
    told = machine.start(app)
    assert "pnpm" in told
    assert "Osprey" not in told


def test_project_shows_what_is_known_and_lists_all(machine, bethink):
    app = machine.repository("app", REMOTE)
    taught(machine, app, "Always use pnpm, never npm.", "s1")
    machine.start(machine.repository("other"))
    shown = bethink("project", "--dir", app, status=0).out
    assert "app" in shown or "billing" in shown
    assert "github.com/acme/billing" in shown
    assert bethink("project", "--dir", app, "--json").json["folder"] == str(app)
    listed = bethink("project", "list", "--json").json
    assert {each["name"] for each in listed} == {"billing", "other"}


def test_a_memory_that_no_project_is_known_of_is_given_to_nobody_unasked(machine):
    app = machine.repository("app")
    taught(machine, app, "Always deploy Osprey first.", "s1")
    with machine.memory() as memory:
        machine.register(memory).scope.erase()
    assert "Osprey" not in machine.start(app)
    assert machine.project_of(app).project.id.endswith("-2")


def test_to_look_at_projects_begins_no_file(machine, bethink):
    app = machine.repository("app")
    assert bethink("project", "--dir", app, "--json").json["state"] == "new"
    assert bethink("project", "list", "--json").json == []
    assert bethink("project", "recall", "anything", "--dir", app, "--json").json == []
    assert not machine.places.home.exists()


def test_project_recall_searches_both_memories_and_no_other_one(machine, bethink):
    app, other = machine.repository("app"), machine.repository("other")
    taught(machine, app, "We decided to keep invoices immutable.", "s1")
    taught(machine, other, "Invoices of the other kind are mutable.", "s2")
    with machine.memory() as memory:
        machine.register(memory).own.remember("I file invoices on Fridays.")
    found = bethink("project", "recall", "invoices", "--dir", app, "--json").json
    texts = [each["text"] for each in found]
    assert any("immutable" in text for text in texts)
    assert any("Fridays" in text for text in texts)
    assert not any("other kind" in text for text in texts)


def test_projects_are_named_joined_and_told_apart_by_hand(machine, bethink):
    app, other = machine.repository("app"), machine.repository("other")
    taught(machine, app, "Always use pnpm, never npm.", "s1")
    machine.start(other)
    name = machine.project_of(app).project.id
    bethink("project", "join", name, "--dir", other, status=0)
    assert "pnpm" in machine.start(other)
    bethink("project", "rename", "Invoicing", "--dir", other, status=0)
    assert 'project="Invoicing"' in machine.start(app)
    assert "no such project" in bethink("project", "join", "nonsense", "--dir", other, status=1).err


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("git@github.com:acme/app.git", "github.com/acme/app"),
        ("https://user:token@GitHub.com/acme/app/", "github.com/acme/app"),
        ("ssh://git@github.com:22/acme/app.git", "github.com/acme/app"),
        ("https://example.com:8443/group/sub/app.git", "example.com/group/sub/app"),
        ("/srv/git/app.git", ""),
        ("../app", ""),
        ("C:/code/app", ""),
        ("C:\\code\\app", ""),
        ("file:///srv/git/app.git", ""),
        ("ext::sh -c whoami", ""),
        ("", ""),
        ("git@host:", ""),
    ],
)
def test_a_remote_is_known_by_host_and_path_and_a_credential_is_never_part_of_it(url, name):
    assert remote_name(url) == name


@pytest.mark.parametrize("folder", ["", "/nowhere/at/all", "\x00", "C:\\Users\\x", "a" * 5_000])
def test_a_folder_that_is_not_there_is_known_by_its_path(folder):
    assert examine_folder(folder).path in {folder, str(examine_folder(folder).path)}
