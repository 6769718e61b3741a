"""Every page for people who use keys, a screen reader, a small telephone or strong contrasts: axe finds nothing."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe

from bethink.server.dashboard import uploads
from tests.e2e.conftest import CHAT, PAGES, SPACE

PHONE = {"width": 360, "height": 740}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
TABBED = """() => [...document.querySelectorAll(
  "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled && each.tabIndex >= 0
    && !each.closest("dialog:not([open])"))
  .map((each, number) => { each.dataset.number = number; return number; })"""
FOCUSED = """() => {
  const each = document.activeElement;
  const style = getComputedStyle(each), box = each.closest(".composer-box");
  const seen = style.outlineStyle !== "none" || (box && getComputedStyle(box).boxShadow !== "none");
  const { top, bottom, left, right } = each.getBoundingClientRect();
  const head = document.querySelector(".top").getBoundingClientRect().bottom;
  const covered = !each.closest(".top") && !each.matches(".skip") && bottom <= head - 1;
  const away = right < 0 || left > innerWidth || bottom < 0 || top > innerHeight;
  return [each.dataset.number ?? null, `${each.outerHTML.slice(0, 90)}`, Boolean(seen), covered || away];
}"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Uploads lie in a folder of the test."""
    monkeypatch.setattr(uploads.tempfile, "gettempdir", lambda: str(tmp_path))


def violations(page):
    found = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{each['id']}: {each['help']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for each in found
        for node in each["nodes"]
    ]


def audited(person, pages):
    """Return what axe says of pages, by their name."""
    found = {}
    for name, path in pages.items():
        page = person.go(path)
        page.wait_for_load_state("load")
        if told := violations(page):
            found[name] = told
    return found


def report(found):
    assert not found, "\n".join(f"{name}: {each}" for name, told in found.items() for each in told)


@pytest.mark.parametrize(
    ("scheme", "size"), [("light", {"width": 1280, "height": 800}), ("dark", PHONE), ("light", PHONE)]
)
def test_axe_finds_nothing_on_any_page(furnished, looking, scheme, size):
    person = looking(furnished, viewport=size, color_scheme=scheme)
    person.expected.append("404")
    report(audited(person, PAGES))


def test_axe_finds_nothing_on_an_empty_server_at_sign_in_and_in_the_demo(serve, looking, keys):
    path, made = keys
    person = looking(serve(auth="bearer", keys=path).url, viewport=PHONE)
    found = audited(person, {"sign-in": "/sign-in"})
    person.sign_in(made["alice"])
    found |= audited(
        person, {"welcome": "/", "no memory": "/memory", "nobody": "/memory/agent:default:u:alice/map"}
    )
    person.go("/").click("text=Play the demo")
    person.see(".say.user")
    found |= {"demo": told} if (told := violations(person.page)) else {}
    place = "/memory/agent:o:alice:demo-concierge:u:alice"
    found |= audited(person, {each: place + each for each in ("", "/map", "/timeline", "/profile", "/plans")})
    report(found)


def test_axe_finds_nothing_on_pages_that_come_of_something_done(furnished, looking, tmp_path):
    person = looking(furnished)
    person.expected += ["422", "404"]
    page = person.go(SPACE)
    found = {}

    def look(name):
        page.wait_for_load_state("load")
        if told := violations(page):
            found[name] = told

    page.locator(".note").first.get_by_role("link", name="History").click()
    person.see(".timeline, .none")
    look("a note")
    person.go(SPACE).locator(".note").first.get_by_role("link", name="Edit").click()
    person.see(".note.editing textarea")
    look("a note that is being reworded")
    for each in person.go(SPACE).locator("main details.fold").all():
        each.evaluate("(each) => { each.open = true; }")
    look("forms that are opened")
    person.go("/").keyboard.press("?")
    person.see("#keys[open]")
    look("keys")
    person.go(CHAT + "trip")
    for each in page.locator(".tool details, #talk-menu").all():
        each.evaluate("(each) => { each.open = true; }")
    look("a conversation with what is folded opened")
    person.go(f"{SPACE}/said/i0.1")
    look("nothing there")
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps({"role": "user", "content": "I keep bees."}) + "\nno json\n")
    person.go(f"{SPACE}/import").set_input_files("#file", path)
    page.click("text=Look at what is in it")
    person.see("text=Nothing was kept yet.")
    look("what is in a file")
    page.click("text=Import into concierge")
    person.see("text=The receipt as JSON")
    look("what was imported")
    path.write_text("{}")
    person.go(f"{SPACE}/import").set_input_files("#file", path)
    page.click("text=Look at what is in it")
    person.see("#upload-wrong:visible")
    look("a file that cannot be read")
    person.go(f"{SPACE}/erase").fill("[name=confirm]", "agent:concierge:u:noop")
    page.click("button.danger")
    person.see("text=Receipt")
    look("a receipt")
    report(found)


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE], ids=["wide", "phone"])
def test_every_control_of_every_page_is_reached_with_keys_and_seen(furnished, looking, size):
    person = looking(furnished, viewport=size)
    person.expected.append("404")
    wrong = {}
    for name, path in PAGES.items():
        page = person.go(path)
        page.wait_for_load_state("load")
        wanted, reached, unseen = set(page.evaluate(TABBED)), set(), []
        for _ in range(3 * len(wanted) + 5):
            page.keyboard.press("Tab")
            number, told, seen, covered = page.evaluate(FOCUSED)
            if number is None:
                if told.startswith("<body") and reached:
                    break
                continue  # what shows itself once its field has the focus
            if int(number) in reached and len(reached) == len(wanted):
                break
            reached.add(int(number))
            if not seen or covered:
                unseen.append(f"not seen: {told}")
        for number in sorted(wanted - reached):
            found = page.locator(f"[data-number='{number}']").evaluate(
                "(each) => each.outerHTML.slice(0, 90)"
            )
            unseen.append(f"not reached: {found}")
        if unseen:
            wrong[name] = unseen
    report(wrong)


def test_no_page_is_wider_than_a_small_telephone(furnished, looking):
    person = looking(furnished, viewport=PHONE)
    person.expected.append("404")
    wide = {}
    for name, path in PAGES.items():
        page = person.go(path)
        sideways = page.evaluate(
            "() => [document.scrollingElement, document.querySelector('main')]"
            ".map((each) => each.scrollWidth - each.clientWidth)"
        )
        if max(sideways) > 0:
            wide[name] = sideways
    assert wide == {}


def test_no_page_is_wider_than_a_small_telephone_before_there_is_anything(serve, looking):
    person = looking(serve().url, viewport=PHONE)
    for path in ("/", "/memory", "/teams", "/work", "/stats", "/memory/agent:default:u:noop/map"):
        page = person.go(path)
        assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, path


def test_results_are_said_to_who_does_not_see_them(furnished, looking):
    person = looking(furnished)
    page = person.go(SPACE)
    page.keyboard.press("c")
    page.keyboard.type("Collects maps.")
    page.get_by_role("button", name="Save note").click()
    person.see(".note:has-text('Collects maps.')")
    assert page.locator("[role=status], [aria-live], [role=alert]").all_inner_texts()
    person.see("#said:has-text('Saved')")
    page.get_by_role("button", name="Forget").first.click()
    person.see(".gone")
    person.see("#said:has-text('Forgotten')")
    person.expected.append("422")
    page.keyboard.press("Escape")
    page.locator("#add textarea").fill("My card is 4111 1111 1111 1111.")
    page.get_by_role("button", name="Save note").click()
    person.see("#flash .problem")
    assert page.locator("#flash").get_attribute("role") == "alert"
