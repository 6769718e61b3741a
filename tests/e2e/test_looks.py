"""Every page, wide and narrow, light and dark: nothing overflows, nothing complains, keys suffice."""

import pytest

from tests.e2e.conftest import CHAT, NARROW, PAGES, SHOTS, WIDE

FOCUS = """() => {
  const each = document.activeElement, box = each.closest(".composer-box");
  const ringed = getComputedStyle(each).outlineStyle !== "none";
  const boxed = box !== null && getComputedStyle(box).boxShadow !== "none";
  return [`${each.tagName}#${each.id}.${each.className}`, each === document.body || ringed || boxed];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_every_page_fits_and_no_page_complains(furnished, looking, size, scheme):
    person = looking(furnished, viewport=size, color_scheme=scheme)
    person.expected.append("404")
    SHOTS.mkdir(parents=True, exist_ok=True)
    for name, path in PAGES.items():
        page = person.go(path)
        sideways = page.evaluate(
            "() => [document.scrollingElement, document.querySelector('main')]"
            ".map((each) => each.scrollWidth - each.clientWidth)"
        )
        assert max(sideways) <= 0, f"{name} is wider than its window by {sideways}"
        kind = "wide" if size is WIDE else "narrow"
        page.screenshot(path=SHOTS / f"{name}-{kind}-{scheme}.png")


def test_what_is_at_the_side_opens_on_a_narrow_screen(furnished, looking):
    person = looking(furnished, viewport=NARROW)
    page = person.go(CHAT + "trip")
    assert not page.locator("#side").is_visible()
    page.click("button[aria-label=Conversations]")
    person.see("#sessions li:visible")
    page.screenshot(path=SHOTS / "side-narrow-light.png")
    page.keyboard.press("Escape")
    page.click("button[aria-label=Memory]")
    person.see("#panel .store:visible")


def test_the_theme_is_chosen_and_stays(furnished, looking):
    person = looking(furnished, color_scheme="light")
    page = person.go("/")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.click("[data-does=theme]")
    dark = page.evaluate(colour)
    assert dark != light
    person.go("/memory")
    assert page.evaluate(colour) == dark


def test_everything_is_reached_with_keys_and_the_focus_is_seen(furnished, looking):
    person = looking(furnished)
    page = person.go(CHAT + "trip")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    person.go(CHAT + "trip")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        told = page.evaluate(FOCUS)
        assert told[1], f"the focus on {told[0]} is not seen"
        reached.add(told[0])
    for wanted in ("#message", "#send", "#log-box"):
        assert any(wanted in each for each in reached), wanted


def test_pages_are_walked_with_keys_alone(furnished, looking):
    person = looking(furnished)
    page = person.go("/")
    page.keyboard.press("?")
    person.see("#keys[open]")
    page.screenshot(path=SHOTS / "keys-wide-light.png")
    page.keyboard.press("Escape")
    person.gone("#keys[open]")
    page.keyboard.press("g")
    page.keyboard.press("m")
    page.wait_for_url("**/memory")
    page.get_by_role("link", name="concierge of noop").focus()
    page.keyboard.press("Enter")
    person.see(".notes .note")
    page.keyboard.press("c")
    page.keyboard.type("Collects maps.")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Save note").focus()
    page.keyboard.press("Enter")
    person.see(".note:has-text('Collects maps.')")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("maps")
    page.keyboard.press("Enter")
    person.see(".hits .note:has-text('Collects maps.')")
    page.keyboard.press("Escape")  # out of the field
    page.keyboard.press("g")
    page.keyboard.press("a")
    page.get_by_role("link", name="concierge", exact=True).focus()
    page.keyboard.press("Enter")
    person.see("#message")
    page.locator("main").press("c")
    page.keyboard.type("What do I collect?")
    page.keyboard.press("Enter")
    person.see(".say.assistant:not(.pending)")
