"""Files are dropped, chosen with keys, or sent without a script: looked at, imported, with a receipt at the end."""

import json

import pytest

from bethink.server.dashboard import uploads
from tests.imports.exports import chatgpt

SPACE = "/memory/agent:concierge:u:noop"
LINES = "\n".join(json.dumps({"role": "user", "content": f"Line {n} of a long talk."}) for n in range(3_000))
DROP = """([name, text]) => {
  const given = new DataTransfer();
  given.items.add(new File([text], name));
  for (const kind of ["dragenter", "dragover", "drop"])
    document.querySelector("#drop").dispatchEvent(
      new DragEvent(kind, { dataTransfer: given, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Uploads lie in a folder of the test."""
    monkeypatch.setattr(uploads.tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path


@pytest.fixture
def person(serve, looking):
    """Somebody at a server that takes small bodies, so that files come in pieces."""
    return looking(serve(body_bytes=64 << 10).url)


def test_a_file_is_dropped_looked_at_and_imported(person):
    page = person.go(f"{SPACE}/import")
    assert page.locator("#drop").evaluate("(each) => !each.classList.contains('over')")
    page.evaluate(DROP, ["talk.jsonl", LINES])
    page.wait_for_url("**/import/*")
    assert "3,000" in person.text(".tiles")
    assert "Nothing was kept yet." in person.text("main")
    page.click("text=Import into concierge")
    person.see("text=The receipt as JSON")
    assert "3,000" in person.text(".tiles")
    page.click("text=See it on the time line")
    person.see("text=Line 0 of a long talk.")


def test_a_file_is_chosen_and_imported_with_keys_alone(person, tmp_path):
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([chatgpt()]))
    page = person.go(SPACE)
    # Asked of Chromium early: an Enter could be faster than that.
    page.on("filechooser", lambda _chooser: None)
    page.get_by_role("link", name="Import", exact=True).focus()
    page.keyboard.press("Enter")
    person.see("#file")
    page.locator("#main").focus()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "file":
            break
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(path)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/import/*")
    assert "Conversations of ChatGPT" in person.text("main")
    page.get_by_role("button", name="Import into concierge").focus()
    page.keyboard.press("Enter")
    person.see("text=The receipt as JSON")


def test_what_cannot_be_read_is_said_where_it_was_dropped(person):
    page = person.go(f"{SPACE}/import")
    person.expected.append("422")
    page.evaluate(DROP, ["photo.json", '{"pixels": 1}'])
    page.wait_for_url("**/import/*")
    assert "photo.json is in an unknown format" in person.text("#upload-wrong")
    page.evaluate(DROP, ["talk.jsonl", LINES[:40_000]])
    person.see("text=Import into concierge")


def test_too_many_files_are_refused_before_they_are_sent(person):
    page = person.go(f"{SPACE}/import")
    page.evaluate("() => { document.querySelector('#upload').dataset.mostFiles = 0; }")
    page.evaluate(DROP, ["talk.jsonl", LINES])
    assert "zip archive" in person.text("#upload-wrong")
    assert page.evaluate("document.activeElement.id") == "file"


def test_an_upload_goes_on_where_the_server_is_busy(person):
    page = person.go(f"{SPACE}/import")
    person.expected.append("503")
    refused = []

    def busy(route):
        if len(refused) < 2:
            refused.append(route.request.url)
            route.fulfill(status=503, headers={"retry-after": "0.01"}, body="{}")
        else:
            route.continue_()

    page.route("**/files?*", busy)
    page.evaluate(DROP, ["talk.jsonl", LINES])
    page.wait_for_url("**/import/*")
    assert "3,000" in person.text(".tiles")
    assert len(refused) == 2


def test_files_are_imported_without_a_script(serve, looking, tmp_path):
    path = tmp_path / "talk.jsonl"
    path.write_text(LINES)
    person = looking(serve().url, java_script_enabled=False)
    page = person.open()
    page.goto(f"{person.url}{SPACE}/import")
    page.set_input_files("#file", path)
    page.click("text=Look at what is in it")
    page.click("text=Import into concierge")
    assert "Imported" in page.locator("main").inner_text()
    assert "3,000" in page.locator(".tiles").inner_text()
