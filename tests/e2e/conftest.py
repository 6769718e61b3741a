"""A browser, pages that notice every complaint, and servers for them to look at."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from bethink.server.api_keys import add_key
from bethink.server.options import Options
from bethink.testing.faces import HashingEmbedder
from tests.server.conftest import Listening

SHOTS = Path(__file__).parents[2] / "out" / "dashboard"
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-gpu",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
]
NOTICED = """
window.__noticed = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.__noticed.push(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""


@pytest.fixture(
    scope="module"
)  # it runs an event loop while it is there, which tests of other rooms cannot have
def chromium():
    path = shutil.which("chromium")
    assert path, "these tests look at pages with Chromium: run `make browser`"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


class Looking:
    """One person's browser; whatever a page complains of fails the test, unless it was expected."""

    def __init__(self, chromium, url, **options):
        self.context = chromium.new_context(**{"viewport": WIDE, "reduced_motion": "reduce"} | options)
        self.context.add_init_script(NOTICED)
        self.context.set_default_timeout(30_000)
        self.url = url
        self.complaints = []
        self.expected = []  #: parts of complaints that the test brings about on purpose
        self.page = self.open()

    def open(self):
        page = self.context.new_page()
        page.on("console", lambda told: told.type in {"error", "warning"} and self.note(told.text))
        page.on("pageerror", lambda error: self.note(f"error: {error}"))
        page.on("dialog", self.dialog)
        page.on("requestfailed", self.failed)
        return page

    def note(self, text):
        self.complaints.append(text)

    def dialog(self, dialog):
        self.note(f"dialog: {dialog.message}")
        dialog.dismiss()

    def failed(self, request):
        if request.failure != "net::ERR_ABORTED":  # a page that is left lets go of what it asked for
            self.note(f"request failed: {request.url} {request.failure}")

    def go(self, path="/"):
        self.leave()
        self.page.goto(self.url + path)
        return self.page

    def leave(self):
        """Collect what the page noticed before it goes."""
        if not self.page.url.startswith("about:"):
            self.complaints += self.page.evaluate("() => window.__noticed ?? []")

    def see(self, selector):
        """Wait until something is shown, on a page whose scripts have run."""
        found = self.page.locator(selector)
        found.first.wait_for()
        self.page.wait_for_load_state("load")
        return found

    def gone(self, selector):
        self.page.locator(selector).first.wait_for(state="detached")

    def text(self, selector="main"):
        return self.see(selector).first.inner_text()

    def say(self, message):
        """Send a message, and wait for the answer."""
        self.see("#message")
        before = self.page.locator(".say.assistant:not(.pending)").count()
        self.page.fill("#message", message)
        self.page.press("#message", "Enter")
        self.page.locator(".say.assistant:not(.pending)").nth(before).wait_for()
        self.page.locator("#send").wait_for()
        return self.page.locator(".say.assistant .words").last.inner_text()

    def sign_in(self, key):
        page = self.go("/sign-in")
        page.fill("[name=credential]", key)
        page.press("[name=credential]", "Enter")
        self.see(".menu summary .avatar")

    def close(self):
        self.leave()
        self.context.close()
        unexpected = [text for text in self.complaints if not any(part in text for part in self.expected)]
        assert not unexpected, unexpected


@pytest.fixture
def serve(tmp_path):
    """Start servers."""
    started = []

    def start(**options):
        made = {"db": str(tmp_path / f"{len(started)}.db"), "embedder": HashingEmbedder()} | options
        started.append(Listening(Options(**made)))
        return started[-1]

    yield start
    for each in started:
        each.close()


@pytest.fixture
def looking(chromium):
    """Open browsers."""
    opened = []

    def look(url, **options):
        opened.append(Looking(chromium, url, **options))
        return opened[-1]

    yield look
    for each in opened:
        each.close()


@pytest.fixture
def one(serve, looking):
    """One person, in a browser, on a server without authentication that has an agent."""
    server = serve()
    person = looking(server.url)
    make_agent(person)
    return person


@pytest.fixture
def keys(tmp_path):
    path = tmp_path / "keys.json"
    return path, {name: add_key(path, name) for name in ("alice", "bob")}


def make_agent(person, name="concierge"):
    person.go("/")
    person.page.fill("[name=name]", name)
    person.page.fill("[name=description]", "Plans trips.")
    person.page.click("text=Make it")
    person.see("#message")
