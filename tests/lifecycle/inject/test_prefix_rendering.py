"""Rendering what is remembered as the context of a conversation."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.lifecycle.inject import Excerpt, render
from bethink.sessions.token_counts import estimate_tokens
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


def test_an_empty_memory_says_so_and_an_empty_profile_is_left_out():
    text = render({}, [], [], now=NOW).text
    assert between(text, "memories").count("- (none)") == 2
    assert "user_profile" not in text
    hidden = Profile(fields={"passport": "P1"}, hidden=frozenset({"passport"}))
    assert "user_profile" not in render(hidden, [], now=NOW).text


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


def test_the_newest_are_shown_whatever_is_asked_and_what_the_query_picked_comes_after_them():
    old, new = note("old", "Likes jazz.", "2020-01-01"), note("new", "Likes tea.", "2026-01-01")
    for strategy in ("recency", "relevance", "relevance+recency"):
        context = render({}, [old, new], now=NOW, strategy=strategy, relevance={"old": 2.0}, max_global=1)
        assert [(part.id, part.half) for part in context.parts[1:]] == [("new", "prefix"), ("old", "suffix")]
        assert (
            context.text.index("tea")
            < context.text.index("GLOBAL memory, recent")
            < context.text.index("jazz")
        )
    unasked = render({}, [old, new], now=NOW, max_global=1)
    assert shown(unasked, "global") == ["new"]
    assert reasons(unasked) == {"old": "over max"}


def test_a_strategy_says_which_of_the_picked_notes_have_the_budget():
    names = {"old": "2010-01-01", "older": "2008-01-01", "new": "2025-12-01"}
    picked = [
        note(name, f"Likes {name} things of some length, and then more.", day) for name, day in names.items()
    ]
    scores = {"old": 2.0, "new": 1.6, "older": 1.0}

    def first(strategy):
        for tokens in range(20, 200):
            context = render(
                {},
                picked,
                now=NOW,
                policy="",
                tokens=tokens,
                max_global=0,
                strategy=strategy,
                relevance=scores,
            )
            if found := shown(context, "global"):
                return found
        return []

    assert first("relevance") == ["old"]
    assert first("recency") == ["new"]
    assert first("relevance+recency") == ["new"]


def test_what_was_found_and_hardly_bears_on_the_question_is_left_out_and_the_reason_given():
    old, new = note("old", "Likes jazz.", "2020-01-01"), note("new", "Likes tea.", "2026-01-01")
    context = render({}, [old, new], now=NOW, relevance={}, irrelevant={"old"}, max_global=1)
    assert reasons(context) == {"old": "not relevant"}


def test_the_prefix_depends_on_no_query_and_no_budget_that_the_query_takes():
    many = [
        note(f"n{place}", f"Likes thing {place} very much.", f"2025-01-{place:02}") for place in range(1, 29)
    ]
    asked = [
        render({"name": "John"}, many, now=NOW, relevance={f"n{place}": float(place) for place in some})
        for some in ((), (1, 2), range(1, 20))
    ]
    assert len({context.prefix for context in asked}) == 1
    assert asked[0].suffix == ""
    assert "thing 2 " in asked[1].suffix
    assert asked[1].text.startswith(asked[0].prefix.removesuffix("\n</memories>"))


def test_what_the_query_picked_has_two_fifths_of_the_budget_however_much_there_is_before_it():
    profile = {f"field_{number}": "words " * 10 for number in range(200)}
    picked = [note(f"n{place}", f"Likes thing {place} very much.", "2020-01-01") for place in range(40)]
    context = render(profile, picked, now=NOW, max_global=0, relevance={each.id: 1.0 for each in picked})
    assert estimate_tokens(context.prefix) <= 720
    assert estimate_tokens(context.suffix) > 420
    assert estimate_tokens(context.prefix) + estimate_tokens(context.suffix) <= 1200


def test_what_was_written_since_the_conversation_began_leaves_the_prefix_as_it_was():
    begun = NOW - timedelta(hours=1)
    before = render({}, CONCIERGE, now=NOW, begun=begun)
    new = note("new", "Likes tea.", NOW.date().isoformat())
    after = render({}, [*CONCIERGE, new], now=NOW, begun=begun - timedelta(days=1))
    assert after.prefix == before.prefix
    assert "Likes tea." in after.suffix
    assert "Likes tea." in render({}, [*CONCIERGE, new], now=NOW).prefix


def test_what_a_new_note_ended_is_not_shown_though_it_was_in_the_prefix():
    begun = NOW - timedelta(days=2)
    old, new = note("old", "Lives in Berlin.", "2024-01-01"), note("new", "Moved to Lisbon.", "2026-01-31")
    context = render({}, [old, new], now=NOW, begun=begun)
    assert reasons(context) == {"old": "outdated"}


def test_standing_wishes_are_shown_beside_the_newest_and_are_bounded():
    newest = [note(f"n{place}", f"Likes thing {place}.", f"2026-01-{place:02}") for place in range(1, 11)]
    wishes = [note(f"w{place}", f"Always say {place}.", f"2020-01-{place:02}") for place in range(1, 11)]
    standing = {each.id for each in wishes}
    context = render({}, [*newest, *wishes], now=NOW, standing=standing, relevance={})
    assert shown(context, "global") == [f"n{place}" for place in range(10, 4, -1)] + [
        f"w{place}" for place in range(10, 4, -1)
    ]
    long = [replace(each, text=each.text * 30) for each in wishes]
    bounded = render({}, [*newest, *long], now=NOW, standing=standing, relevance={})
    assert 0 < sum(part.tokens for part in bounded.parts if part.id in standing) <= 300
    assert "n5" in shown(bounded, "global")


def test_a_daily_note_never_stands_in_the_prefix():
    daily = note("d", "Is at the fair today.", "2026-01-31", category="daily")
    assert "fair" in render({}, [daily], now=NOW).suffix
    assert "fair" not in render({}, [daily], now=NOW).prefix


def test_notes_of_the_session_that_its_window_lost_are_in_the_prefix_and_later_ones_are_not():
    lost, late = note("a", "Window seat.", "2026-01-01"), note("b", "Late dinner.", "2026-01-20")
    context = render({}, [], [lost, late], now=NOW, begun=NOW - timedelta(days=20))
    assert ("Window seat." in context.prefix, "Late dinner." in context.prefix) == (True, False)
    assert "SESSION memory (temporary" in context.suffix
    assert context.text.count("SESSION memory (temporary") == 1


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


def test_of_notes_that_cannot_both_hold_only_the_newer_is_shown():
    old, new = note("old", "Lives in Berlin.", "2024-01-01"), note("new", "Moved to Lisbon.", "2025-01-01")
    other = note("other", "Likes tea.", "2024-06-01")
    scores = {"old": 3.0, "other": 2.0, "new": 1.0}
    context = render({}, [old, other, new], now=NOW, relevance=scores, max_global=1)
    assert shown(context, "global") == ["new", "other"]
    assert reasons(context) == {"old": "outdated"}


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
    told = policy is None or "<memory_policy>" in context.text
    fences = {"memories", *(["memory_policy"] if told else []), *(["user_profile"] if profile else [])}
    for fence in fences:
        assert len(re.findall(rf"<\s*{fence}\s*>", context.text)) == 1
        assert len(re.findall(rf"<\s*/\s*{fence}\s*>", context.text)) == 1
    assert not profile or front_matter_reader.read(between(context.text, "user_profile")) == profile
    for half in (context.prefix, context.suffix):
        for fence in FENCES:
            assert len(re.findall(rf"<\s*/?\s*{fence}\s*>", half)) in {0, 2}
    bullets = between(context.text, "memories").split("\n")
    assert all(line == "" or line.startswith(("- ", "GLOBAL", "SESSION", "RECALLED")) for line in bullets)
    kinds = ("global", "session", "recalled")
    listed = [part.text for part in context.parts if part.kind in kinds]
    assert [line for line in bullets if line.startswith("- ") and line != "- (none)"] == listed


@given(PROFILES, NOTES, NOTES, st.integers(0, 900), COUNTERS, st.none() | st.integers(0, 3))
def test_the_budget_holds_by_whatever_tokens_are_counted(profile, stored, staged, tokens, count, asked):
    context = render(
        profile,
        [note(f"n{place}", text) for place, text in enumerate(stored)],
        [note(f"s{place}", text, session="t") for place, text in enumerate(staged)],
        now=NOW,
        tokens=tokens,
        count_tokens=count,
        max_global=0,
        relevance=None if asked is None else {f"n{place}": 1.0 for place in range(asked)},
    )
    assert context.tokens <= tokens
    if context.suffix:
        assert count(context.prefix) + count(context.suffix) <= tokens
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
