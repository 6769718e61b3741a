"""What becomes of the exports of other systems: said here of each, in files as they write them."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from datetime import UTC, datetime

import apsw
import pytest

from bethink import InvalidError, NotFoundError
from bethink.imports.format_detection import open_source

from . import exports


def texts(memory, session, **scope):
    return [body.get("content") for body in memory.scope(**scope).session(session).get_items()]


def notes(memory, **scope):
    return {note.text: note for note in memory.scope(**scope).notes(status=None)}


# ---- chats -------------------------------------------------------------------------------------------------------


def test_chatgpt_the_visible_path_is_a_session_and_an_edited_one_another(bring, memory, write):
    report = bring(write("conversations.json", [exports.chatgpt(), exports.chatgpt("c2", "Again")]))
    assert report.format == "chatgpt"
    assert texts(memory, "chatgpt-c1") == ["[image]\nI like jasmine tea best.", "Noted, jasmine tea."]
    assert texts(memory, "chatgpt-c1-branch-a1") == ["I like coffee best.", "Coffee it is."]
    session = memory.scope().session("chatgpt-c1")
    assert session.info().title == "Tea"
    assert next(iter(session.items())).at == datetime(2026, 1, 1, 0, 0, 20, tzinfo=UTC)
    assert report.left["a call of a tool"] == 2
    assert report.left["the output of a tool"] == 2
    assert report.left["a write to ChatGPT's own memory"] == 2
    assert report.left["an image, sound or file (replaced by a placeholder)"] == 2
    assert report.notes == 1, "custom instructions once, not once a conversation"
    assert notes(memory)["I am a gardener in Porto."].source == "import"
    assert (
        memory.scope()
        .recall("Which tea do I like best?", kinds=("item",))[0]
        .text.endswith("jasmine tea best.")
    )


def test_chatgpt_the_archive_as_it_was_sent(bring, memory, write):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations-000.json", json.dumps([exports.chatgpt("c1")]))
        archive.writestr("conversations-001.json", json.dumps([exports.chatgpt("c2")]))
        archive.writestr("user.json", json.dumps({"id": "me", "email": "a@b.c"}))
        archive.writestr("chat.html", "<html>")
        archive.writestr("../../evil.txt", "x")
        archive.writestr("file-1.png", b"\x89PNG")
    report = bring(write("chatgpt.zip", held.getvalue()))
    assert report.kept == 8
    assert set(report.sessions["agent:default"]) == {
        "chatgpt-c1", "chatgpt-c1-branch-a1", "chatgpt-c2", "chatgpt-c2-branch-a1"
    }  # fmt: skip
    assert sum(count for reason, count in report.left.items() if reason.startswith("a file of")) == 4
    assert report.broken == []


def test_chatgpt_a_circle_and_a_lost_parent_are_said_and_the_rest_is_kept(bring, memory, write):
    circle, orphan = exports.chatgpt("c1"), exports.chatgpt("c2")
    circle["mapping"]["u2"]["parent"] = "a2"
    orphan["mapping"]["u2"]["parent"] = "nowhere"
    report = bring(write("conversations.json", [circle, orphan, exports.chatgpt("c3")]))
    assert [broken.line for broken in report.broken] == [1, 2]
    assert "circle" in report.broken[0].reason
    assert texts(memory, "chatgpt-c3")[1] == "Noted, jasmine tea."
    assert texts(memory, "chatgpt-c2")[1] == "Noted, jasmine tea."


def test_claude_the_newest_branch_is_the_session(bring, memory, write):
    report = bring(write("conversations.json", [exports.claude()]))
    assert report.format == "claude"
    assert texts(memory, "claude-c1") == ["I ride to work every day.\n[file: a.txt]", "A newer answer."]
    assert texts(memory, "claude-c1-branch") == ["An old answer."]
    assert report.left == {"the text of an attachment (its name is kept)": 1}
    assert memory.scope().session("claude-c1").info().title == "Bikes"


def test_claude_memories_and_projects_become_notes(bring, memory, write):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("conversations.json", json.dumps([exports.claude()]))
        archive.writestr("memories.json", json.dumps([exports.MEMORIES]))
        archive.writestr("projects/p1.json", json.dumps(exports.PROJECT))
        archive.writestr("users.json", json.dumps([{"uuid": "acc", "email_address": "a@b.c"}]))
    report = bring(write("claude.zip", held.getvalue()))
    found = notes(memory)
    assert set(found) == {
        "Rides to work daily.", "Writes Rust.", "Lives in Ghent with two cats.", "Allergic to hazelnuts",
        "Garden: Answer in Dutch.",
    }  # fmt: skip
    assert found["Allergic to hazelnuts"].valid_from == datetime(2026, 3, 2, tzinfo=UTC)
    assert found["Writes Rust."].keywords == ("work",)
    assert found["Writes Rust."].metadata["written_by"] == "model"
    assert report.left["a document of a project"] == 1
    assert report.kept == 3


# ---- coding agents -----------------------------------------------------------------------------------------------


def test_claude_code_lines_are_kept_untouched_once_each_and_found(bring, memory, write):
    report = bring(write("s1.jsonl", *exports.CLAUDE_CODE, lines=True))
    assert (report.format, report.kept, report.known) == ("claude-code", 4, 1)
    session = memory.scope().session("claude-code-s1")
    assert session.get_items() == exports.CLAUDE_CODE[1:5]
    assert session.window() == exports.CLAUDE_CODE[1:5]
    assert memory.scope().recall("npm or pnpm?")[0].text == "From now on I always use pnpm instead of npm."
    assert not any("moon" in hit.text for hit in memory.scope().recall("Who lives on the moon?"))
    assert [each.text for each in memory.scope().distill("claude-code-s1").kept if "pnpm" in each.text]
    assert report.left["a line of a sub-agent"] == 1


def test_all_projects_of_a_machine_are_one_import(bring, memory, write, tmp_path):
    write("projects/-w/s1.jsonl", *exports.CLAUDE_CODE, lines=True)
    write("projects/-v/s2.jsonl", *[{**each, "sessionId": "s2"} for each in exports.CLAUDE_CODE], lines=True)
    write("projects/-v/memory/notes.txt", "nothing")
    report = bring(tmp_path / "in" / "projects")
    assert report.sessions == {"agent:default": {"claude-code-s1": 5, "claude-code-s2": 5}}


def test_codex_reads_the_log_of_the_model_alone(bring, memory, write):
    report = bring(write("rollout-x.jsonl", *exports.CODEX, lines=True))
    assert (report.format, report.kept) == ("codex", 4)
    assert (
        memory.scope().recall("When do I run make test?")[0].text == "Always run make test before you commit."
    )
    assert report.left["a line of type event_msg"] == 1
    assert len(memory.scope().session("codex-s9").window()) == 4


@pytest.mark.parametrize("turns", [1, 2, 9])
def test_codex_turns_that_were_rolled_back_are_left_out(bring, memory, write, turns):
    said = [
        exports.codex_line("response_item", exports.codex_said(role, text))
        for text in ("one", "two")
        for role in ("user", "assistant")
    ]
    back = exports.codex_line("event_msg", {"type": "thread_rolled_back", "num_turns": turns})
    after = exports.codex_line("response_item", exports.codex_said("user", "three"))
    report = bring(write("rollout-x.jsonl", exports.CODEX[0], *said, back, after, lines=True))
    kept = [body["payload"]["content"][0]["text"] for body in memory.scope().session("codex-s9").get_items()]
    assert kept == [*(["one", "one"] if turns == 1 else []), "three"]
    assert report.left["a line of a turn that was rolled back"] == (2 if turns == 1 else 4)


def test_a_rollout_that_was_compressed_is_read_and_a_damaged_one_is_said(bring, memory, write, tmp_path):
    zstandard = pytest.importorskip("zstandard")
    plain = write("rollout-x.jsonl", *exports.CODEX, lines=True).read_bytes()
    packed = zstandard.compress(plain)
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions/rollout-x.jsonl.zst").write_bytes(packed)
    assert bring(tmp_path / "sessions").kept == 4
    with pytest.raises(InvalidError, match="damaged"):
        bring(write("rollout-y.jsonl.zst", packed[:9] + b"xxxx" + packed[13:]))


def openviking(folder):
    """Write what OpenViking keeps, as its documentation describes it."""
    memories = folder / "user/ana/memories"
    (memories / "preferences").mkdir(parents=True)
    (memories / "profile.md").write_text("# Profile\n\nAna is a gardener in Porto.\n")
    (memories / "preferences/travel.md").write_text("Prefers window seats.\n")
    (memories / "preferences/.abstract.md").write_text("Generated: what Ana prefers.\n")
    (memories / "preferences/.overview.md").write_text("Generated: travel, windows.\n")
    talk = folder / "session/s1"
    talk.mkdir(parents=True)
    said = (("user", "I moved to Porto."), ("assistant", "Noted."))
    rows = [
        {"id": f"m{number}", "role": role, "parts": [{"type": "text", "text": text}]}
        for number, (role, text) in enumerate(said)
    ]
    (talk / "messages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_folder_of_openviking_gives_notes_of_its_users_and_sessions(bring, memory, tmp_path):
    openviking(tmp_path / "viking")
    report = bring(tmp_path / "viking")
    assert (report.format, report.kept) == ("markdown+openviking", 2)
    found = sorted(note.text for note in memory.scope(user="ana").notes())
    assert found == ["profile: Ana is a gardener in Porto.", "travel: Prefers window seats."]
    assert memory.scope().session("openviking-s1").info().count == 2


def test_a_pack_of_openviking_is_read_without_what_it_generated(bring, memory, tmp_path):
    openviking(tmp_path / "viking")
    with zipfile.ZipFile(tmp_path / "ana.ovpack", "w") as archive:
        for path in sorted((tmp_path / "viking").rglob("*")):
            place = path.relative_to(tmp_path / "viking").as_posix().replace("/.", "/_._")
            if path.is_file():
                archive.write(path, f"pack/{place}")
        archive.writestr("pack/_._ovpack_manifest.json", "{}")
    report = bring(tmp_path / "ana.ovpack")
    assert report.notes == 2
    assert report.kept == 2
    assert "Generated" not in str([note.text for note in memory.scope(user="ana").notes()])


def test_gemini_chats_are_read_without_what_was_rewound(bring, memory, write):
    report = bring(write("session-1.jsonl", *exports.GEMINI_CLI, lines=True))
    assert report.format == "gemini"
    assert texts(memory, "gemini-g") == ["Use tabs please.", "Tabs it is."]
    assert report.left["a message that was rewound"] == 1


def test_takeout_is_put_in_the_order_of_time(bring, memory, write):
    report = bring(write("MyActivity.json", exports.TAKEOUT))
    ((session, count),) = report.sessions["agent:default"].items()
    assert count == 4
    assert texts(memory, session) == [
        "Plan a trip to Bruges",
        "Day 1\nBelfry",
        "And for two days?",
        "Two days & nights.",
    ]
    assert report.left == {"an activity that is not a prompt": 1, "another draft of an answer": 1}


# ---- memories of others --------------------------------------------------------------------------------------------


def test_mem0_goes_to_the_users_that_it_names_and_secrets_stay_away(bring, memory, write):
    report = bring(write("mem0.json", exports.MEM0))
    assert (report.format, report.notes) == ("mem0", 2)
    found = notes(memory, user="ana")["Prefers window seats"]
    assert (found.source, found.valid_from) == ("import", datetime(2026, 3, 2, 10, tzinfo=UTC))
    assert found.metadata == {"topic": "travel", "imported_from": "mem0", "imported_id": "9b1c"}
    assert notes(memory, user="ana")["Is allergic to walnuts"].keywords == ("health",)
    assert [each.id for each in report.unkept] == ["9b1e"]
    assert "sk-proj" not in repr(report)
    assert notes(memory, user="bob") == {}


def test_mem0_all_to_one_user_where_that_is_wanted(bring, memory, write):
    bring(write("mem0.json", exports.MEM0), user="me")
    assert set(notes(memory, user="me")) == {"Prefers window seats", "Is allergic to walnuts"}


def test_mem0_rows_of_its_vector_store(bring, memory, write):
    report = bring(write("points.jsonl", *exports.MEM0_ROWS, lines=True))
    assert (report.format, report.notes, report.left) == ("mem0", 1, {"an entity that mem0 derived": 1})
    assert set(notes(memory, user="ana")) == {"Plays the cello"}


def test_junk_and_doubles_are_left_out_with_a_list_where_that_is_wanted(bring, memory, write):
    junk = [
        ("m1", "Prefers window seats on flights"),
        ("m2", "prefers window seats on flights."),
        ("m3", "The user greeted the assistant"),
        ("m4", "ok"),
        ("m5", "Plays the cello in an orchestra"),
    ]
    rows = [{"id": id_, "memory": text, "hash": id_, "user_id": "ana", "created_at": f"2026-01-0{n}T00:00:00+00:00"}
            for n, (id_, text) in enumerate(junk, 1)]  # fmt: skip
    report = bring(write("mem0.json", rows), clean=True)
    assert set(notes(memory, user="ana")) == {
        "Prefers window seats on flights",
        "Plays the cello in an orchestra",
    }
    reasons = {each.id: each.reason for each in report.unkept}
    assert set(reasons) == {"m2", "m3", "m4"}
    assert reasons["m2"] == "duplicate: m1 says the same"


@pytest.mark.parametrize(("data", "said", "kept"), [
    (exports.LETTA, ["I moved to Porto last week.", "How lovely!"], {"Lives in Porto"}),
    (exports.LETTA_OLD, ["I collect stamps."], {"Collects stamps"}),
])  # fmt: skip
def test_letta_files_of_both_forms(bring, memory, write, data, said, kept):
    report = bring(write("sam.af", data))
    assert report.format == "letta"
    (session,) = report.sessions["agent:default"]
    assert texts(memory, session) == said
    assert set(notes(memory)) == kept
    assert "hunter2" not in json.dumps(memory.scope().export())


def test_zep_facts_that_are_over_are_said_and_not_kept(bring, memory, write):
    report = bring(write("edges.json", {"edges": exports.GRAPHITI}))
    assert set(notes(memory, user="ana")) == {"Ana lives in Porto"}
    assert [(each.id, each.reason) for each in report.unkept] == [("e0", "it stopped being true")]


def test_zep_messages_keep_their_speakers(bring, memory, write):
    report = bring(write("messages.json", {"messages": exports.ZEP}))
    items = list(memory.scope().session("zep-zs").items())
    assert [(item.speaker, item.body["role"]) for item in items] == [("Ana", "user"), ("bot", "assistant")]
    assert report.left == {"a deleted message": 1}


def test_langgraph_store_items_with_words_become_notes(bring, memory, write):
    report = bring(write("store.json", exports.LANGGRAPH))
    assert set(notes(memory, user="ana")) == {"Allergic to nuts", "Sings in a choir"}
    assert report.left == {"an item without words": 1}


def test_langgraph_sqlite_store(bring, memory, tmp_path):
    path = tmp_path / "store.sqlite"
    connection = apsw.Connection(str(path))
    connection.execute(
        "create table store (prefix text, key text, value text, created_at text, updated_at text)"
    )
    connection.execute(
        "insert into store values (?, ?, ?, ?, ?)",
        (
            "memories.ana",
            "k",
            json.dumps({"content": "Sings in a choir"}),
            "2026-02-02 00:00:00",
            "2026-02-02 00:00:00",
        ),
    )
    connection.close()
    report = bring(path)
    assert report.format == "langgraph"
    assert notes(memory, user="ana")["Sings in a choir"].valid_from == datetime(2026, 2, 2, tzinfo=UTC)


@pytest.mark.parametrize("form", ["lines", "one line", "graph"])
def test_mcp_memory_in_every_form_it_is_found_in(bring, memory, write, form):
    if form == "lines":
        path = write("memory.jsonl", *exports.MCP, lines=True)
    elif form == "one line":
        path = write("memory.jsonl", "".join(json.dumps(each) for each in exports.MCP))
    else:
        path = write("graph.json", {"entities": exports.MCP[:1], "relations": exports.MCP[1:]})
    report = bring(path)
    assert report.format == "mcp-memory"
    assert set(notes(memory)) == {"Ana: Vegetarian", "Ana plays chess", "Ana works at Acme."}
    assert report.broken == []


def test_a_folder_of_markdown(bring, memory, write, tmp_path):
    write("vault/people/Ana.md", exports.NOTE)
    write("vault/.obsidian/app.md", "- settings are no facts")
    write("vault/MEMORY.md", "# Preferences\n- Short answers\n")
    (tmp_path / "secret.md").write_text("- outside the folder")
    (tmp_path / "in" / "vault" / "link.md").symlink_to(tmp_path / "secret.md")
    report = bring(tmp_path / "in" / "vault")
    found = notes(memory)
    assert report.format == "markdown"
    assert set(found) == {"Ana: Vegetarian (told May)", "Ana: works_at Acme", "Short answers"}
    assert found["Ana: Vegetarian (told May)"].keywords == ("diet", "food", "people")
    assert found["Ana: Vegetarian (told May)"].valid_from == datetime(2026, 5, 1, tzinfo=UTC)
    assert found["Short answers"].metadata["page"] == "MEMORY.md"


def agents_sdk(path, *, advanced=False):
    connection = apsw.Connection(str(path))
    connection.execute(
        "create table agent_sessions (session_id text primary key, created_at text, updated_at text)"
    )
    connection.execute(
        "create table agent_messages (id integer primary key, session_id text, message_data text, created_at text)"
    )
    rows = [
        {"role": "user", "content": "I work nights at the harbour."},
        {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "ok"},
        {"role": "assistant", "content": "Understood."},
        {"__enc__": 1, "v": 1, "kid": "hkdf-v1", "payload": "gAAAA"},
    ]
    for number, row in enumerate(rows, 1):
        connection.execute(
            "insert into agent_messages values (?, 's1', ?, ?)",
            (number, json.dumps(row), f"2026-01-01 00:00:0{number}"),
        )
    if advanced:
        connection.execute(
            "create table message_structure"
            " (session_id text, message_id integer, branch_id text, sequence_number integer)"
        )
        for number, branch in ((1, "main"), (2, "main"), (3, "main"), (4, "other")):
            connection.execute(
                "insert into message_structure values ('s1', ?, ?, ?)", (number, branch, number)
            )
    connection.close()
    return rows


@pytest.mark.parametrize("advanced", [False, True])
def test_sessions_of_the_agents_sdk(bring, memory, tmp_path, advanced):
    rows = agents_sdk(tmp_path / "agents.db", advanced=advanced)
    report = bring(tmp_path / "agents.db", wanted="openai-agents")
    scope = memory.scope()
    if advanced:
        assert scope.session("s1").get_items() == rows[:3]
        assert scope.session("s1-other").get_items() == rows[3:4]
    else:
        assert scope.session("s1").get_items() == rows[:4]
    assert next(iter(scope.session("s1").items())).at == datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert report.left == {"an encrypted message (pass its key with --key-file)": 1}


# ---- every one of them -----------------------------------------------------------------------------------------

FILES = {
    "chatgpt": ("conversations.json", [[exports.chatgpt()]], False),
    "claude": ("conversations.json", [[exports.claude()]], False),
    "claude memories": ("memories.json", [[exports.MEMORIES]], False),
    "claude code": ("s1.jsonl", exports.CLAUDE_CODE, True),
    "codex": ("rollout.jsonl", exports.CODEX, True),
    "gemini": ("chat.jsonl", exports.GEMINI_CLI, True),
    "takeout": ("MyActivity.json", [exports.TAKEOUT], False),
    "mem0": ("mem0.json", [exports.MEM0], False),
    "letta": ("sam.af", [exports.LETTA], False),
    "zep": ("edges.json", [exports.GRAPHITI], False),
    "zep messages": ("messages.json", [exports.ZEP], False),
    "langgraph": ("store.json", [exports.LANGGRAPH], False),
    "mcp": ("memory.jsonl", exports.MCP, True),
}


@pytest.mark.parametrize("name", FILES)
def test_a_dry_run_says_the_same_and_writes_nothing(bring, memory, write, name):
    file, values, lines = FILES[name]
    path = write(file, *values, lines=lines)
    dry = bring(path, dry_run=True)
    assert memory.scopes() == []
    wet = bring(path)
    assert (dry.kept, dry.left, dry.broken) == (wet.kept + wet.known, wet.left, wet.broken)
    assert dry.notes == wet.notes + sum(each.reason.startswith("the guard") for each in wet.unkept)
    assert dry.sessions == wet.sessions
    assert not wet.undated


@pytest.mark.parametrize("name", FILES)
def test_bringing_it_twice_changes_nothing_and_what_was_taken_back_stays_away(bring, memory, write, name):
    file, values, lines = FILES[name]
    path = write(file, *values, lines=lines)
    first = bring(path)
    before = {str(scope.namespace): scope.export() for scope in memory.scopes()}
    again = bring(path)
    assert (again.kept, again.notes) == (0, 0)
    assert again.notes_known == first.notes
    assert {str(scope.namespace): scope.export() for scope in memory.scopes()} == before
    for scope in memory.scopes():
        for note in scope.notes():
            scope.forget(note.id)
        for session in scope.sessions():
            scope.session(session.id).delete()
    third = bring(path)
    assert (third.kept, third.notes) == (0, 0)
    assert third.deleted > 0 or not first.kept


@pytest.mark.parametrize("name", FILES)
def test_a_compressed_file_is_read_as_it_was(bring, memory, write, name):
    file, values, lines = FILES[name]
    plain = write(file, *values, lines=lines)
    packed = plain.with_name(file + ".gz")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert (again := bring(packed, dry_run=True)).format == (first := bring(plain, dry_run=True)).format
    assert (again.kept, again.notes, again.left) == (first.kept, first.notes, first.left)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_a_file_that_breaks_off_is_read_up_to_there_and_said(bring, memory, write, name, part):
    file, values, lines = FILES[name]
    whole = write(file, *values, lines=lines).read_bytes()
    cut = write("cut-" + file, whole[: int(len(whole) * part)])
    try:
        report = bring(cut)
    except InvalidError as error:
        refused = str(error)
    else:
        refused = None
        assert report.broken
        assert bring(cut).kept == 0
    assert refused is None or "JSON" in refused or "form" in refused


def test_a_compressed_file_that_breaks_off_is_said(bring, write):
    packed = gzip.compress(json.dumps([exports.chatgpt(f"c{n}") for n in range(400)]).encode())
    path = write("conversations.json.gz", packed[: len(packed) // 2])
    with pytest.raises(InvalidError, match="incomplete"):
        bring(path)


def test_an_archive_that_breaks_off_is_said(bring, write):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("conversations.json", json.dumps([exports.chatgpt()]))
    with pytest.raises(InvalidError, match="incomplete"):
        bring(write("chatgpt.zip", held.getvalue()[:500]))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_other_encodings_that_say_so_are_read(bring, memory, write, encoding):
    path = write("conversations.json", json.dumps([exports.claude()], ensure_ascii=False).encode(encoding))
    assert bring(path).kept == 3


def test_one_that_does_not_say_so_is_refused(bring, write):
    data = json.dumps([exports.chatgpt(title="Thé à la menthe")], ensure_ascii=False).encode("latin-1")
    with pytest.raises(InvalidError, match="UTF-8"):
        bring(write("conversations.json", data))


@pytest.mark.parametrize(("name", "data", "says"), [
    ("a.json", {"something": [1], "else": "x"}, "it looks like {something, else}"),
    ("a.html", "<!DOCTYPE html><html></html>", "web page"),
    ("a.db", b"SQLite format 3\0" + b"x" * 100, "database"),
])  # fmt: skip
def test_a_wrong_file_gets_the_name_of_what_it_looks_like(write, name, data, says):
    with pytest.raises(InvalidError, match=says.replace("{", r"\{")):
        list(open_source(write(name, data)).entries)


def test_a_database_of_another_program_and_one_of_our_own_are_told(tmp_path, memory):
    path = tmp_path / "photos.db"
    apsw.Connection(str(path)).execute("create table photos (id integer)")
    with pytest.raises(InvalidError, match="its tables are photos"):
        open_source(path)
    with pytest.raises(InvalidError, match="bethink copy"):
        open_source(tmp_path / "memory.db")


def test_one_may_say_what_it_is_and_is_told_where_it_is_not(write, tmp_path):
    path = write("mem0.json", exports.MEM0)
    assert open_source(path, wanted="mem0").format == "mem0"
    with pytest.raises(InvalidError, match="looks like mem0, not chatgpt"):
        open_source(path, wanted="chatgpt")
    with pytest.raises(InvalidError, match="--from must be one of"):
        open_source(path, wanted="word")
    with pytest.raises(InvalidError, match="pass a file"):
        open_source(None)
    with pytest.raises(NotFoundError):
        open_source(tmp_path / "absent.json")


def test_times_in_the_future_and_of_long_ago_come_as_they_are(bring, memory, write):
    rows = [
        {"role": "user", "content": "From the future.", "at": "2999-01-01T00:00:00Z"},
        {"role": "user", "content": "From long ago.", "at": -1000},
    ]
    bring(write("talk.jsonl", *rows, lines=True))
    years = [item.at.year for item in memory.scope().session("dashboard").items()]
    assert years == [2999, 1969]


def test_messages_of_other_frameworks_have_the_time_that_they_give(bring, memory, write):
    event = {"author": "user", "content": {"role": "user", "parts": [{"text": "I keep bees."}]}, "id": "e",
             "timestamp": 1767225600.5}  # fmt: skip
    strange = {"type": "diary_v3", "of": "x"}
    report = bring(write("events.jsonl", event, strange, lines=True))
    assert next(iter(memory.scope().session("dashboard").items())).at.year == 2026
    assert report.unread == {"{type: diary_v3, of}": 1}
    assert report.undated == 1


def test_a_large_file_is_read_without_holding_it(bring, tmp_path):
    import tracemalloc

    path = tmp_path / "conversations.json"
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number in range(3_000):
            one = exports.chatgpt(f"c{number}")
            one["mapping"]["u2"]["message"]["content"]["parts"].append("x" * 10_000)
            file.write(("," if number else "") + json.dumps(one))
        file.write("]")
    assert path.stat().st_size > 30 << 20
    tracemalloc.start()
    found = sum(1 for _ in open_source(path).entries)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found > 3_000 * 4
    assert most < 15 << 20
