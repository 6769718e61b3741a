"""The map of what is known: who and what notes name, each with its notes and where it was said."""

import re

import pytest

from bethink.server.dashboard.entity_extraction import names

pytestmark = pytest.mark.anyio

HTML = {"accept": "text/html"}
SPACE = "http://localhost/memory/agent:bot:u:noop"
API = "/scopes/agent:bot:u:noop"
SCRIPT = "<script>alert(1)</script>"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I live in Lisbon.", {"Lisbon": "place"}),
        ("My wife Anna works at Siemens.", {"Anna": "person wife", "Siemens": "project"}),
        ("Ben is my brother.", {"Ben": "person brother"}),
        ("Anna, his wife, likes tea.", {"Anna": "person wife"}),
        ("Moved from Berlin to Porto in May.", {"Berlin": "place", "Porto": "place"}),
        ("Is on the Atlas project with Maria Silva.", {"Atlas": "project", "Maria Silva": "person"}),
        ("Meets Dr. Chen in Boston every June.", {"Chen": "person", "Boston": "place"}),
        ("The hotel should be near the Marais.", {"Marais": "place"}),
        ("Trip to Japan with her sister Yuki in October.", {"Japan": "place", "Yuki": "person sister"}),
        ("Project Phoenix ships in March.", {"Phoenix": "project"}),
        ("Anna's birthday is on 3 May.", {"Anna": "person"}),
        ("My wife is allergic to nuts.", {"": "person wife"}),
        ("Loves Bach and Miles Davis.", {"Bach": "other", "Miles Davis": "other"}),
        ("Prefers aisle seats.", {}),
        ("Usually prefers aisle seats. Mostly drinks tea.", {}),
        ("Speaks English and Portuguese.", {}),
        ("Wants the report on Monday.", {}),
        ("Is vegetarian and drinks no coffee.", {}),
        ("Wohnt in Hamburg und mag Tee am Morgen.", {"Hamburg": "place"}),
        ("Visited Porto twice.", {"Porto": "place"}),
        ("Will im Hotel in Ruhe schlafen und wohnt zur Miete in Kiel.", {"Kiel": "place"}),
        ("Seine Frau Petra arbeitet bei Bosch.", {"Petra": "person frau", "Bosch": "project"}),
        ("Habite à Lyon, sa femme Claire travaille chez Airbus.",
         {"Lyon": "place", "Claire": "person femme", "Airbus": "project"}),
        ("Vive en Madrid con su hija Lucía.", {"Madrid": "place", "Lucía": "person hija"}),
        ("Abita a Torino con la moglie Giulia.", {"Torino": "place", "Giulia": "person moglie"}),
        ("Vive em Lisboa com a filha Inês.", {"Lisboa": "place", "Inês": "person filha"}),
        ("", {}),
        ("😀 … ", {}),
    ],
)  # fmt: skip
def test_names_are_told_by_the_words_beside_them(text, found):
    told = {each.name: f"{each.kind} {each.role}".strip() for each in names(text) if not each.first}
    assert told == found


@pytest.fixture
async def kept(open_door):
    """Somebody with notes."""

    async def keep(*texts, **more):
        return [(await open_door.post(f"{API}/notes", json={"text": text, **more})).json() for text in texts]

    return keep


async def page(client, path="/map"):
    answer = await client.get(SPACE + path, headers=HTML)
    assert answer.status_code == 200, answer.text
    return answer.text


def card(text, name):
    """Return the part of a page that is about a name."""
    return next(
        part
        for part in re.findall(r'<li class="card" id="known-\d+">.*?\n    </li>', text, re.DOTALL)
        if re.search(rf"<h3[^>]*>{re.escape(name)}[< ]", part)
    )


def section(text, kind):
    return text.partition(f'id="kind-{kind}"')[2].partition("</section>")[0]


async def test_people_places_and_projects_are_shown_with_their_notes(open_door, kept):
    (anna, wife, *_) = await kept(
        "My wife Anna works at Siemens.",
        "His wife is allergic to nuts.",
        "Moved to Porto with Anna.",
        "Is on the Atlas project.",
        "Anna likes tea.",
    )
    text = await page(open_door)
    assert "Anna" in section(text, "person")
    assert "Porto" in section(text, "place")
    assert {"Atlas", "Siemens"} <= set(re.findall(r"<h3[^>]*>(\w+)", section(text, "project")))
    told = card(text, "Anna")
    assert "4 notes" in told
    assert ">wife</span>" in told
    for note in (anna, wife):
        assert f"/notes/{note['id']}" in told  # what is said of his wife is of Anna
    assert re.search(r'<a href="#known-\d+"[^>]*>Porto</a>', told)


async def test_what_a_note_was_made_of_is_a_click_away(open_door, kept):
    said = [{"role": "user", "content": f"I live in Porto {SCRIPT}. I am vegetarian."}]
    await open_door.post(f"{API}/sessions/talk/items", json={"items": said})
    await open_door.post(f"{API}/plans", json={"session": "talk"})
    text = await page(open_door)
    staged = re.search(r'href="[^"]+(/notes/[^"]+)" aria-label="Source', card(text, "Porto"))[1]
    source = re.search(r'href="[^"]+(/said/[^"]+)"', await page(open_door, staged))[1]
    shown = await page(open_door, source)
    assert "I live in Porto" in shown
    assert "talk" in shown
    assert SCRIPT not in shown + text
    await open_door.post(f"{API}/erase", json={"session": "talk"})
    assert (await open_door.get(SPACE + source, headers=HTML)).status_code == 404


async def test_what_somebody_said_is_read_by_nobody_else(doors):
    said = [{"role": "user", "content": "I live in Porto. I am vegetarian."}]
    await doors["alice"].post("/scopes/agent:bot:u:alice/sessions/talk/items", json={"items": said})
    await doors["alice"].post("/scopes/agent:bot:u:alice/plans", json={"session": "talk"})
    own = "http://localhost/memory/agent:bot:u:alice"
    text = (await doors["alice"].get(f"{own}/map", headers=HTML)).text
    staged = re.search(r'href="([^"]+)" aria-label="Source', text)[1]
    text = (await doors["alice"].get(f"http://localhost{staged}", headers=HTML)).text
    source = re.search(r'href="[^"]+(/said/[^"]+)"', text)[1]
    assert (await doors["alice"].get(own + source, headers=HTML)).status_code == 200
    assert (
        "I live in" not in (await doors["other"].get(f"{own}/map", headers=HTML)).text
    )  # her namesake elsewhere
    assert (await doors["other"].get(own + source, headers=HTML)).status_code == 404
    for other in ("bob", "mallory"):
        for path in ("/map", source):
            assert (await doors[other].get(own + path, headers=HTML)).status_code == 404, (other, path)
    theirs = "http://localhost/memory/agent:bot:u:bob"
    assert (await doors["bob"].get(theirs + source, headers=HTML)).status_code == 404


async def test_the_surer_word_says_what_a_name_is_of(open_door, kept):
    await kept(
        "Met Anna's sister Lena in Hamburg.", "Visited Lena with Anna.", "Paris was great.", "Moved to Paris."
    )
    text = await page(open_door)
    assert "Lena" in section(text, "person")
    assert "Hamburg" in section(text, "place")
    assert "2 notes" in card(text, "Paris")  # where it begins a sentence it is known by the other note


async def test_names_are_escaped_wherever_they_stand(open_door, kept):
    await kept('My wife An"na<b>x</b> lives in Porto.', 'Moved to Bo"><script>alert(1)</script> last year.')
    await open_door.patch(f"{API}/profile", json={"fields": {"home_city": f'"><img src=x>{SCRIPT}'}})
    text = await page(open_door)
    assert "<b>x" not in text
    assert SCRIPT not in text
    assert "<img src=x" not in text


async def test_the_profile_is_on_the_map_and_an_empty_map_says_what_would_be(open_door, kept):
    assert "No names yet" in await page(open_door)
    await open_door.patch(f"{API}/profile", json={"fields": {"home_city": "San Francisco", "age": 40}})
    assert "home_city" in card(await page(open_door), "San Francisco")


async def test_the_picture_has_what_the_list_has_and_keys_pass_it_by(open_door, kept):
    for number, year in enumerate((2023, 2024, 2025)):
        since = f"{year}-03-01T00:00:00Z"
        await kept(f"Visited Porto {number} times.", valid_from=since)
    text = await page(open_door)
    (drawn,) = re.findall(r"<svg class=\"plot lanes\".*?</svg>", text, re.DOTALL)
    assert 'aria-hidden="true"' in drawn
    marks = re.findall(r'<a href="(/memory[^"]+)" tabindex="-1"><circle', drawn)
    assert len(marks) == 3
    assert set(marks) <= set(re.findall(r'<a href="([^"]+)" dir', text))
    assert "2023-03-01" in drawn
    assert "2025-03-01" in drawn


async def test_a_large_memory_is_read_a_part_at_a_time(open_door, kept):
    for number in range(120):
        await kept(f"Visited {'Porto' if number < 60 else 'Oslo'} {number} times.")
    newest = await page(open_door)
    assert "100 notes of 120" in newest
    earlier = re.search(r'href="/memory/[^"]+(/map\?cursor=[^"]+)">Earlier', newest)[1]
    assert "20 notes" in card(await page(open_door, earlier), "Porto")
    assert "Oslo" not in await page(open_door, earlier)
