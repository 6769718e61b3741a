"""The pictures of the dashboard in the docs: taken of the pages as they are; `make screenshots` writes them anew."""

import json
import os
import re
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from bethink.cli.demo_data import demo_path
from bethink.server.dashboard import uploads
from tests.e2e.conftest import CHAT, SHOTS, SPACE
from tests.imports.exports import chatgpt

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "images" if os.environ.get("BETHINK_WRITE_PICTURES") else SHOTS / "docs"
SIZE = {"width": 1160, "height": 740}
KNOWN = (
    ("My wife Anna works at Siemens.", "2023-04-01"),
    ("Met Anna's sister Lena in Hamburg.", "2023-08-12"),
    ("Moved from Berlin to San Francisco with Anna.", "2024-02-01"),
    ("Works on the Atlas project with Maria Silva.", "2024-06-10"),
    ("Visited Lena in Hamburg with Anna.", "2024-12-20"),
    ("The launch of Atlas is in Lisbon.", "2025-05-02"),
    ("Stays in Lisbon near the Chiado when he meets Maria Silva.", "2025-09-14"),
)


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Uploads lie in a folder of the test."""
    monkeypatch.setattr(uploads.tempfile, "gettempdir", lambda: str(tmp_path))


@pytest.fixture
def take(looking):
    """Open a browser whose pictures go to the docs."""

    def opened(url):
        person = looking(url, viewport=SIZE, color_scheme="light", device_scale_factor=1)

        def picture(name, path=None, see="main"):
            if path is not None:
                person.go(path)
            person.see(see)
            FOLDER.mkdir(parents=True, exist_ok=True)
            person.page.screenshot(path=FOLDER / f"dashboard-{name}.png", animations="disabled")

        return person, picture

    return opened


def test_pictures_of_a_first_visit_are_taken(serve, take, tmp_path):
    person, picture = take(serve().url)
    picture("welcome", "/", "text=Play the demo")
    export = tmp_path / "conversations.json"
    export.write_text(json.dumps([chatgpt(), chatgpt("c2", "Coffee")]))
    person.go(f"{SPACE}/import").set_input_files("#file", export)
    person.page.click("text=Look at what is in it")
    picture("import", see="text=Nothing was kept yet.")


def test_pictures_of_a_memory_are_taken(serve, take, tmp_path):
    desk = SimpleNamespace(named=str(tmp_path / "demo.db"), tenant="default", kept_by={})
    with ThreadPoolExecutor() as aside:  # an event loop of the browser runs in this one
        path = aside.submit(demo_path, desk).result()
    person, picture = take(serve(db=path).url)
    picture("chat", f"{CHAT}trip-to-lisbon", ".say.assistant")
    person.go(f"{SPACE}/search?q=Which+seat+should+I+book+on+the+plane%3F")
    person.page.locator(".why summary").first.click()
    picture("search", see=".parts")
    for text, at in KNOWN:
        note = {"text": text, "valid_from": f"{at}T00:00:00Z"}
        assert (
            httpx.post(f"{person.url}/v1/scopes/agent:concierge:u:noop/notes", json=note).status_code == 201
        )
    picture("map", f"{SPACE}/map", "svg.lanes")
    picture("timeline", f"{SPACE}/timeline", "svg.plot")


def test_the_docs_show_every_picture_and_no_other():
    shown = set(re.findall(r"images/(dashboard-[a-z]+\.png)", (DOCS / "dashboard.md").read_text()))
    taken = set(re.findall(r'picture\("([a-z]+)"', Path(__file__).read_text()))
    assert shown == {f"dashboard-{name}.png" for name in taken}
    assert shown == {path.name for path in (DOCS / "images").glob("dashboard-*.png")}
    for name in shown:
        width, height = struct.unpack(">II", (DOCS / "images" / name).read_bytes()[16:24])
        assert (width, height) == (SIZE["width"], SIZE["height"]), f"{name}: run `make screenshots`"
