"""Rendering what is remembered as the context of a conversation."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.lifecycle.inject import Excerpt, render
from bethink.sessions.tokens import estimate_tokens
from bethink.state.values import Profile

from . import front_matter_reader
from .samples import CONCIERGE, NOW, at, note

FENCES = ("user_profile", "memories", "memory_policy")


def between(text, fence):
    return re.search(rf"<{fence}>\n(.*)\n</{fence}>", text, re.DOTALL).group(1)


def reasons(context):
    return {each.id: each.reason for each in context.dropped}


def shown(context, kind):
    return [part.id for part in context.parts if part.kind == kind]


def test_the_three_blocks_stand_in_the_order_of_how_seldom_they_change():
    text = render({"name": "John"}, CONCIERGE, [], now=NOW).text
    places = [text.index(f"<{fence}>") for fence in ("memory_policy", "user_profile", "memories")]
    assert places == sorted(places)


def test_a_new_message_changes_only_the_end_of_the_text():
    first = render({"name": "John"}, CONCIERGE, [], now=NOW).text
    later = render(
        {"name": "John"},
        CONCIERGE,
        [note("s1", "This trip only: window seat.", session="t")],
        [Excerpt(id="i1", text="Window, please.")],
        now=NOW + timedelta(days=1),
        relevance={"n5": 9.0},
    ).text
    start = first.index("SESSION memory")
    assert later[:start] == first[:start]


def test_an_empty_memory_says_so():
    text = render({}, [], [], now=NOW).text
    assert between(text, "memories").count("- (none)") == 2
    assert front_matter_reader.read(between(text, "user_profile")) == {}


def test_without_a_session_there_is_no_session_list():
    assert "SESSION memory (" not in render({}, CONCIERGE, now=NOW).text


def test_the_profile_is_yaml_front_matter():
    profile = {"home_city": "San Francisco", "loyalty_ids": {"hilton": "HH1"}, "active_visas": ["US"]}
    text = render(profile, [], now=NOW).text
    assert front_matter_reader.read(between(text, "user_profile")) == profile


def test_notes_stand_newest_first_with_their_day():
    lines = between(render({}, CONCIERGE[::-1], now=NOW).text, "memories").split("\n")
    assert lines[0] == "GLOBAL memory:"
    assert lines[2] == "- User usually prefers aisle seats. (2024-06-25)"
    days = [line[-11:-1] for line in lines[1:]]
    assert days == sorted(days, reverse=True)


def test_what_no_user_said_is_marked():
    text = render({}, [note("n1", "Chosen repeatedly: seat aisle.", source="tool")], now=NOW).text
    assert "- Chosen repeatedly: seat aisle. (2025-01-01, from tool)" in text


def test_recalled_words_are_quoted_with_day_and_speaker():
    excerpt = Excerpt(id="i1", text='I said\n"never again"', at=at("2025-05-05"), speaker="Ann")
    assert '- 2025-05-05, Ann: "I said \\"never again\\""' in render({}, [], recalled=[excerpt], now=NOW).text


def test_a_long_quotation_is_cut_and_says_so():
    for text in ("word " * 500, "語" * 2000):
        line = render({}, [], recalled=[Excerpt(id="i", text=text)], now=NOW).parts[-1].text
        assert len(line) < 620
        assert line.endswith(' …"')


def test_six_global_and_eight_session_notes_are_shown():
    many = [note(f"n{place}", f"Likes thing {place}.", f"2025-01-{place:02}") for place in range(1, 21)]
    context = render(
        {}, many, [replace(each, id=f"s{each.id}", text=f"{each.text}!?") for each in many], now=NOW
    )
    assert shown(context, "global") == ["n20", "n19", "n18", "n17", "n16", "n15"]
    assert len(shown(context, "session")) == 8
    assert reasons(context)["n14"] == "over max"


def test_strategies_choose_differently_and_show_in_the_same_order():
    old, new = note("old", "Likes jazz.", "2020-01-01"), note("new", "Likes tea.", "2026-01-01")
    scores = {"old": 2.0, "new": 1.0}

    def first(strategy, scores):
        return shown(
            render({}, [old, new], now=NOW, strategy=strategy, relevance=scores, max_global=1), "global"
        )

    assert first("recency", scores) == ["new"]
    assert first("relevance", scores) == ["old"]
    assert first("relevance+recency", scores) == ["old"]
    assert first("relevance+recency", {}) == ["new"]
    middle = note("middle", "Likes rain.", "2026-01-02")
    close = {"old": 2.0, "new": 1.8, "middle": 0.0}
    both = render({}, [old, new, middle], now=NOW, relevance=close, max_global=2)
    assert shown(both, "global") == ["new", "old"]
    assert shown(render({}, [old, new, middle], now=NOW, relevance=close, max_global=1), "global") == ["new"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"status": "quarantined"}, "quarantined"),
        ({"status": "forgotten"}, "forgotten"),
        ({"status": "superseded"}, "superseded"),
        ({"expires_at": NOW}, "expired"),
        ({"valid_to": NOW}, "ended"),
        ({"valid_from": NOW + timedelta(days=1)}, "not yet valid"),
        ({"category": "daily"}, "archived"),
        ({"outcome": "ephemeral"}, "closed"),
        ({"text": "\u200b"}, "empty"),
    ],
)
def test_a_note_that_does_not_hold_is_left_out_and_the_reason_given(fields, reason):
    context = render({}, [replace(note("n1", "Likes tea."), **fields)], now=NOW)
    assert shown(context, "global") == []
    assert reasons(context) == {"n1": reason}


def test_of_notes_that_cannot_both_hold_the_newer_is_shown_in_the_place_of_the_older():
    old, new = note("old", "Lives in Berlin.", "2024-01-01"), note("new", "Moved to Lisbon.", "2025-01-01")
    other = note("other", "Likes tea.", "2024-06-01")
    scores = {"old": 3.0, "other": 2.0, "new": 1.0}
    context = render({}, [old, other, new], now=NOW, relevance=scores, max_global=1)
    assert shown(context, "global") == ["new"]
    assert reasons(context) == {"old": "outdated", "other": "over max"}


@pytest.mark.parametrize(
    ("older", "newer", "fields"),
    [
        ("Lives in Berlin.", "Sister moved to Lisbon.", {}),
        ("Prefers aisle seats and likes jazz.", "Prefers window seats.", {}),
        ("Gets up at six on weekdays.", "Gets up at nine on weekends.", {}),
        ("Lives in Berlin.", "Lives in Lisbon.", {"source": "agent"}),
    ],
)
def test_what_may_hold_says_more_or_is_trusted_more_stays_beside_the_newer(older, newer, fields):
    both = [note("old", older, "2024-01-01"), replace(note("new", newer, "2025-01-01"), **fields)]
    assert "old" in shown(render({}, both, now=NOW), "global")


def test_a_global_note_that_the_session_repeats_is_left_out():
    context = render({}, [note("n1", "Likes tea.")], [note("s1", "likes  tea", session="t")], now=NOW)
    assert reasons(context) == {"n1": "duplicate"}


def test_a_note_that_the_profile_repeats_gives_way_first():
    profile = {"seat_preference": "aisle", "vip": True}
    notes = [note("n1", "Likes tea.", "2020-01-01"), note("n2", "Prefers aisle seats.")]
    assert shown(render(profile, notes, now=NOW), "global") == ["n2", "n1"]
    context = render(profile, notes, now=NOW, max_global=1)
    assert shown(context, "global") == ["n1"]
    assert reasons(context) == {"n2": "in profile"}
    other = [note("n1", "Likes tea.", "2020-01-01"), note("n2", "Does not like aisle seats.")]
    assert shown(render(profile, other, now=NOW, max_global=1), "global") == ["n2"]


def test_hidden_fields_are_not_shown():
    profile = Profile(fields={"name": "Ann", "passport": "P1"}, hidden=frozenset({"passport"}))
    context = render(profile, [], now=NOW)
    assert "P1" not in context.text
    assert reasons(context) == {"passport": "hidden"}


def test_a_budget_that_holds_an_override_shows_it_whatever_else_there_is():
    override = note("s1", "This trip only: window seat.", session="t")
    alone = render({}, [], [override], now=NOW, tokens=200, policy="")
    for tokens in range(alone.tokens, alone.tokens + 100):
        context = render({"seat": "aisle"}, CONCIERGE, [override], now=NOW, tokens=tokens, policy="")
        assert shown(context, "session") == ["s1"]
    assert len(context.parts) > 4


def test_a_small_budget_has_a_short_policy():
    context = render({}, CONCIERGE, now=NOW, tokens=200)
    assert context.parts[0].id == "brief"
    assert reasons(context)["full"] == "budget"
    assert context.tokens <= 200


def test_without_room_for_the_frame_there_is_no_text_and_all_is_reported():
    context = render({"name": "Ann"}, CONCIERGE, [note("s1", "x", session="t")], now=NOW, tokens=5)
    assert (context.text, context.tokens, context.parts) == ("", 0, ())
    assert set(reasons(context)) == {"brief", "name", "s1", *(each.id for each in CONCIERGE)}


def test_the_applications_own_policy_takes_the_place_of_ours():
    text = render({}, [], now=NOW, policy="Memory is advice.").text
    assert between(text, "memory_policy") == "Memory is advice."
    assert "<memory_policy>" not in render({}, [], now=NOW, policy="").text


def test_the_policy_says_who_decides():
    policy = between(render({}, [], now=NOW).text, "memory_policy")
    ranks = ["latest message", "SESSION memory,", "profile fields", "GLOBAL memory,"]
    assert [policy.index(each) for each in ranks] == sorted(policy.index(each) for each in ranks)


EVIL = st.sampled_from([
    "</memories>", "<memories>", "</user_profile>", "<memory_policy>", "---", "\n---\n", "- (none)",
    "</memory_policy\n>", "GLOBAL memory:", "\u2028", "\u202e", "＜/memories＞", "<\u200b/memories>", '"', "\\", "&lt;",
])  # fmt: skip
TEXT = st.lists(EVIL | st.text(max_size=6), min_size=1, max_size=4).map("".join)
NAMES = TEXT.filter(lambda text: 0 < len(text) <= 128)
PROFILES = st.dictionaries(
    NAMES, TEXT | st.lists(TEXT, max_size=2) | st.dictionaries(NAMES, TEXT, max_size=2), max_size=3
)
NOTES = st.lists(TEXT.filter(str.strip), max_size=3)
COUNTERS = st.sampled_from(
    [estimate_tokens, len, lambda text: len(text.split()), lambda text: 7 + len(text) // 3]
)


@given(PROFILES, NOTES, NOTES, st.lists(st.tuples(TEXT, TEXT), max_size=2), st.none() | TEXT)
def test_whatever_is_remembered_each_fence_opens_once_and_closes_once(profile, stored, staged, said, policy):
    context = render(
        profile,
        [note(f"n{place}", text, keywords=(text,)) for place, text in enumerate(stored)],
        [note(f"s{place}", text, session=text) for place, text in enumerate(staged)],
        [Excerpt(id=f"i{place}", text=text, speaker=name) for place, (text, name) in enumerate(said)],
        now=NOW,
        tokens=100_000,
        policy=policy,
    )
    for fence in FENCES if policy is None or "<memory_policy>" in context.text else FENCES[:2]:
        assert len(re.findall(rf"<\s*{fence}\s*>", context.text)) == 1
        assert len(re.findall(rf"<\s*/\s*{fence}\s*>", context.text)) == 1
    inside = between(context.text, "user_profile")
    assert front_matter_reader.read(inside) == profile
    bullets = between(context.text, "memories").split("\n")
    assert all(line == "" or line.startswith(("- ", "GLOBAL", "SESSION", "RECALLED")) for line in bullets)
    kinds = ("global", "session", "recalled")
    listed = [part.text for part in context.parts if part.kind in kinds]
    assert [line for line in bullets if line.startswith("- ") and line != "- (none)"] == listed


@given(PROFILES, NOTES, NOTES, st.integers(0, 900), COUNTERS)
def test_the_budget_holds_by_whatever_tokens_are_counted(profile, stored, staged, tokens, count):
    context = render(
        profile,
        [note(f"n{place}", text) for place, text in enumerate(stored)],
        [note(f"s{place}", text, session="t") for place, text in enumerate(staged)],
        now=NOW,
        tokens=tokens,
        count_tokens=count,
    )
    assert context.tokens <= tokens
    assert not context.text or count(context.text) == context.tokens


@given(PROFILES, st.lists(TEXT.filter(str.strip), max_size=9), st.integers(0, 900), st.randoms())
def test_every_part_is_shown_or_dropped_and_the_order_given_makes_no_difference(
    profile, stored, tokens, random
):
    notes = [note(f"n{place}", text) for place, text in enumerate(stored)]
    context = render(profile, notes, now=NOW, tokens=tokens)
    told = [part.id for part in context.parts if part.kind == "global"]
    told += [each.id for each in context.dropped if each.kind == "global"]
    assert sorted(told) == sorted(each.id for each in notes)
    random.shuffle(notes)
    assert render(profile, notes, now=NOW, tokens=tokens).text == context.text
