"""Files that are imported on the pages: looked at first, then kept by the service that `bethink import` has."""

import io
import json
import re
import zipfile
from pathlib import Path

import httpx
import pytest

from bethink.server.dashboard import uploads
from bethink.server.dashboard.uploads import Uploads, file_name
from tests.imports.exports import chatgpt, claude

pytestmark = pytest.mark.anyio

HTML = {"accept": "text/html"}
OWN = "http://localhost/memory/agent:bot:u:alice"
DATA = Path(__file__).parents[1] / "data"
TALK = "\n".join(
    json.dumps(each)
    for each in (
        {"role": "user", "content": "I keep bees in Porto.", "at": "2026-01-02T10:00:00Z"},
        {"role": "assistant", "content": "How many hives?", "at": "2026-01-02T10:00:05Z"},
    )
)


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Uploads lie in a folder of the test."""
    monkeypatch.setattr(uploads.tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path


def lying(folder):
    return [path for path in folder.glob("bethink-uploads-*/*/*/files/*") if path.is_file()]


async def uploaded(client, name, content, *, place=OWN):
    files = [("file", (name, content))]
    return await client.post(f"{place}/import", files=files, headers=HTML)


async def seen(client, answer):
    assert answer.status_code == 303, answer.text
    return await client.get(f"http://localhost{answer.headers['location']}", headers=HTML)


def zipped(**members):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "."), text)
    return made.getvalue()


FILES = {
    "chatgpt": ("conversations.json", json.dumps([chatgpt()]), "Conversations of ChatGPT"),
    "chatgpt as it was sent": (
        "export.zip",
        zipped(conversations__json=json.dumps([chatgpt()]), chat__html="<html></html>"),
        "Conversations of ChatGPT",
    ),
    "claude": ("conversations.json", json.dumps([claude()]), "Conversations of Claude"),
    "mem0": ("mem0.json", (DATA / "mem0_export.json").read_bytes(), "Memories of mem0"),
    "jsonl": ("talk.jsonl", TALK, "Messages, a line each"),
    "markdown": ("Garden.md", "# Garden\n\n- The roses want water on Fridays.\n", "Markdown notes"),
}


@pytest.mark.parametrize("name", FILES)
async def test_a_file_is_looked_at_and_then_kept_once(doors, temporary, name):
    alice = doors["alice"]
    file, content, called = FILES[name]
    answer = await uploaded(alice, file, content)
    looked = await seen(alice, answer)
    assert called in looked.text
    assert "Nothing was kept yet." in looked.text
    for what in ("notes", "sessions"):
        assert (await alice.get(f"/scopes/agent:bot:u:alice/{what}")).json()["total"] == 0
    kept = await seen(alice, await alice.post(f"http://localhost{answer.headers['location']}", headers=HTML))
    assert "Imported" in kept.text
    counts = {
        what: (await alice.get(f"/scopes/agent:bot:u:alice/{what}")).json() for what in ("notes", "sessions")
    }
    assert sum(each["total"] for each in counts.values())
    assert not lying(temporary)
    again = await uploaded(alice, file, content)
    await alice.post(f"http://localhost{again.headers['location']}", headers=HTML)
    for what, before in counts.items():
        assert (await alice.get(f"/scopes/agent:bot:u:alice/{what}")).json()["total"] == before["total"]
    assert (await alice.get("/namespaces")).json()["entries"] == ["agent:bot:u:alice"]


async def test_what_a_file_names_goes_nowhere_but_where_it_was_dropped(doors):
    root = doors["root"]
    line = {"role": "user", "content": "I am Carol.", "user": "carol", "agent": "other"}
    answer = await uploaded(
        root, "talk.jsonl", json.dumps(line), place="http://localhost/memory/agent:bot:u:root"
    )
    await root.post(f"http://localhost{answer.headers['location']}", headers=HTML)
    assert (await root.get("/namespaces")).json()["entries"] == ["agent:bot:u:root"]


async def test_a_private_agent_of_somebody_is_given_what_is_dropped_there(doors):
    alice = doors["alice"]
    place = "http://localhost/memory/agent:o:alice:bot:u:alice"
    answer = await uploaded(alice, "mem0.json", (DATA / "mem0_export.json").read_bytes(), place=place)
    await alice.post(f"http://localhost{answer.headers['location']}", headers=HTML)
    assert (await alice.get("/namespaces")).json()["entries"] == ["agent:o:alice:bot:u:alice"]


async def test_an_export_of_our_own_is_taken_in_as_a_whole(doors):
    alice = doors["alice"]
    await alice.post("/scopes/agent:bot:u:alice/notes", json={"text": "Keeps bees."})
    export = (await alice.get(f"{OWN}/export", headers=HTML)).content
    place = "http://localhost/memory/agent:new:u:alice"
    answer = await uploaded(alice, "export.json", export, place=place)
    assert "An export of Bethink" in (await seen(alice, answer)).text
    assert (await alice.get("/scopes/agent:new:u:alice/notes")).json()["total"] == 0
    await alice.post(f"http://localhost{answer.headers['location']}", headers=HTML)
    assert (await alice.get("/scopes/agent:new:u:alice/notes")).json()["total"] == 1


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("notes.csv", "just,some\nwords,here", "notes.csv"),
        ("broken.json", '[{"mapping": ', "broken.json"),
        ("archive.zip", b"PK\x03\x04 no archive", "archive.zip"),
        ("memory.db", b"SQLite format 3\x00" + b"\x00" * 100, "bethink import"),
        ("empty.json", "", "empty.json"),
        ("<script>alert(1)</script>.json", '{"a": 1}', "unknown format"),
    ],
)
async def test_a_file_that_cannot_be_read_is_answered_with_a_sentence(doors, temporary, name, content, told):
    alice = doors["alice"]
    answer = await seen(alice, await uploaded(alice, name, content))
    assert answer.status_code == 422
    wrong = re.search(r'id="upload-wrong" role="alert">([^<]+)<', answer.text)[1]
    assert told in wrong
    assert str(temporary) not in answer.text
    assert "<script>alert" not in answer.text
    assert not lying(temporary)


async def test_lines_that_cannot_be_read_are_named_and_the_rest_is_kept(doors):
    alice = doors["alice"]
    answer = await uploaded(alice, "talk.jsonl", f"{TALK}\n{{not json\n")
    looked = (await seen(alice, answer)).text
    assert "line 3: not valid JSON" in looked
    kept = await seen(alice, await alice.post(f"http://localhost{answer.headers['location']}", headers=HTML))
    assert "line 3: not valid JSON" in kept.text
    assert re.search(r"<dt>Messages</dt><dd>2<", kept.text)


async def test_uploads_are_of_who_made_them_and_of_where_they_were_dropped(doors):
    alice, bob, root = doors["alice"], doors["bob"], doors["root"]
    where = (await uploaded(alice, "talk.jsonl", TALK)).headers["location"]
    assert (await uploaded(bob, "talk.jsonl", TALK)).status_code == 404
    for other in (bob, root, doors["other"], doors["mallory"]):
        assert (await other.get(f"http://localhost{where}", headers=HTML)).status_code == 404
        assert (await other.post(f"http://localhost{where}", headers=HTML)).status_code == 404
    elsewhere = where.replace("agent%3Abot%3Au%3Aalice", "agent%3Ax%3Au%3Aalice")
    assert elsewhere != where
    assert (await alice.get(f"http://localhost{elsewhere}", headers=HTML)).status_code == 404
    for odd in ("0" * 32, "%2E%2E%2F" * 3, "files"):
        assert (await alice.get(f"{OWN}/import/{odd}", headers=HTML)).status_code in {404, 405, 422}, odd


async def test_who_may_only_read_imports_nothing(doors):
    alice, bob = doors["alice"], doors["bob"]
    await alice.post("/pools", json={"name": "org:docs"})
    await alice.put("/pools/org:docs/grants/bob", json={"rights": ["read"]})
    page = (await bob.get("http://localhost/memory/org:docs/import", headers=HTML)).text
    assert 'type="file"' not in page
    assert (await uploaded(bob, "a.json", "[]", place="http://localhost/memory/org:docs")).status_code == 403
    begun = await bob.post("http://localhost/memory/org:docs/import/uploads", data={"size": "1"})
    assert begun.status_code == 403


async def test_conversations_are_dropped_into_no_pool(doors):
    alice = doors["alice"]
    await alice.post("/pools", json={"name": "org:docs"})
    answer = await uploaded(alice, "talk.jsonl", TALK, place="http://localhost/memory/org:docs")
    assert "choose a private memory" in (await seen(alice, answer)).text


async def test_a_form_with_files_needs_the_token_of_its_page(serving, keys, anyio_backend):
    path, made = keys
    own = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
    async with serving(auth="bearer", keys=path) as client:
        transport = httpx.ASGITransport(client.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost", headers=HTML
        ) as browser:
            await browser.post("/sign-in", data={"credential": made["alice"], "next": "/"}, headers=own)
            page = (await browser.get(f"{OWN}/import")).text
            token = re.search(r'name="csrf" value="([^"]+)"', page)[1]
            files = [("file", ("talk.jsonl", TALK))]
            for data, headers, status in (
                ({}, own, 403),
                ({"csrf": "x" * len(token)}, own, 403),
                ({"csrf": token}, {"sec-fetch-site": "cross-site"}, 403),
                ({"csrf": token}, own, 303),
            ):
                answer = await browser.post(f"{OWN}/import", data=data, files=files, headers=headers)
                assert answer.status_code == status, data
            where = answer.headers["location"]
            assert (await browser.post(where, headers=own)).status_code == 403
            piece = f"{where}/files?name=b.jsonl&at=0"
            assert (await browser.put(piece, content=TALK, headers=own)).status_code == 403


# ---- in pieces ---------------------------------------------------------------------------------------------------


async def begun(client, size):
    answer = await client.post(f"{OWN}/import/uploads", data={"size": str(size)})
    assert answer.status_code == 201, answer.text
    return f"http://localhost{answer.json()['address']}"


async def test_a_file_comes_in_pieces_and_a_piece_that_is_sent_again_changes_nothing(doors):
    alice, text = doors["alice"], TALK.encode()
    where = await begun(alice, len(text))
    for at in (0, 20, 20, 40):
        piece = text[at : at + 20] if at < 40 else text[40:]
        sent = await alice.put(f"{where}/files", params={"name": "talk.jsonl", "at": at}, content=piece)
        assert sent.status_code == 204
    gap = await alice.put(f"{where}/files", params={"name": "talk.jsonl", "at": 9_999}, content=b"x")
    assert gap.status_code == 409
    assert re.search(r"<dt>Messages</dt><dd>2<", (await alice.get(where, headers=HTML)).text)


async def test_an_import_says_how_far_it_is_and_where_its_receipt_is(doors):
    alice = doors["alice"]
    lines = "\n".join(json.dumps({"role": "user", "content": f"Line {n}"}) for n in range(1_500))
    where = await begun(alice, len(lines))
    await alice.put(f"{where}/files", params={"name": "talk.jsonl", "at": 0}, content=lines)
    answer = await alice.post(where, headers={"accept": "text/event-stream"})
    *_, last = answer.text.strip().split("\n\n")
    assert last.startswith("event: over")
    address = json.loads(last.partition("data: ")[2])["address"]
    page = (await alice.get(f"http://localhost{address}", headers=HTML)).text
    assert re.search(r"<dt>Messages</dt><dd>1,500<", page)
    receipt = page.partition("<pre")[2]
    assert "sha256" in receipt
    repeated = await alice.post(where, headers={"accept": "text/event-stream"})
    assert "event: over" in repeated.text


async def test_what_fails_while_it_is_imported_is_said_and_the_files_stay(doors, temporary):
    alice = doors["alice"]
    where = await begun(alice, 10)
    await alice.put(f"{where}/files", params={"name": "a.json", "at": 0}, content=b'{"a": 1}')
    answer = await alice.post(where, headers={"accept": "text/event-stream"})
    assert "event: failed" in answer.text
    assert "unknown format" in answer.text
    assert len(lying(temporary)) == 1
    await alice.post(f"{where}/delete", headers=HTML)
    assert not lying(temporary)
    assert (await alice.get(where, headers=HTML)).status_code == 404


async def test_what_is_too_large_or_too_much_is_refused(doors, monkeypatch):
    alice = doors["alice"]
    monkeypatch.setattr(uploads, "MOST_BYTES", 100)
    refused = await alice.post(f"{OWN}/import/uploads", data={"size": "101"})
    assert refused.status_code == 413
    assert "bethink import" in refused.json()["detail"]
    where = await begun(alice, 1)  # whatever was said, the pieces count
    sent = await alice.put(f"{where}/files", params={"name": "a", "at": 0}, content=b"x" * 101)
    assert sent.status_code == 413
    monkeypatch.setattr(uploads, "ALL_BYTES", 150)
    await alice.put(f"{where}/files", params={"name": "a", "at": 0}, content=b"x" * 90)
    assert (await alice.post(f"{OWN}/import/uploads", data={"size": "90"})).status_code == 413


async def test_old_uploads_go_and_nobody_keeps_many(doors, temporary, monkeypatch):
    alice = doors["alice"]
    waiting = [await begun(alice, 10) for _ in range(uploads.MOST_WAITING + 3)]
    left = [where for where in waiting if (await alice.get(where, headers=HTML)).status_code != 404]
    assert len(left) == uploads.MOST_WAITING
    monkeypatch.setattr(uploads, "KEPT_SECONDS", -1)
    newest = await begun(alice, 10)
    assert len(list(temporary.glob("bethink-uploads-*/*/*"))) == 1
    assert newest.rpartition("/")[2] in str(next(temporary.glob("bethink-uploads-*/*/*")))


def test_a_name_leads_out_of_no_folder():
    for given, kept in (
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\talk.json", "talk.json"),
        ("..", "file"),
        (".hidden", "hidden"),
        ("a\x00b\n.json", "ab.json"),
        ("x" * 300 + ".jsonl", "x" * (uploads.LONGEST_NAME - 20) + ".jsonl"),
        ("", "file"),
    ):
        assert file_name(given) == kept


def test_a_folder_that_others_may_read_is_not_used(temporary):
    from bethink import Memory
    from bethink.errors import StorageError

    with Memory(":memory:", embedder=None) as memory:
        namespace = memory.scope(agent="bot", user="alice").namespace
    Uploads(None, namespace)
    (folder,) = temporary.glob("bethink-uploads-*")
    assert folder.stat().st_mode & 0o077 == 0
    folder.chmod(0o755)
    with pytest.raises(StorageError):
        Uploads(None, namespace)
