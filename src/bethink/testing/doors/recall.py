"""Conformance of recall, as a pytest class."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from bethink.errors import (
    InvalidError,
    NotFoundError,
)
from bethink.testing.doors.fixtures import FaceConformance, assistant, call, pages, result, texts, user

if TYPE_CHECKING:
    from bethink.testing.faces import FaceOpener


class RecallConformance(FaceConformance):
    """What is found, what is not, and why."""

    async def test_what_was_just_written_is_found(self, alice: Any) -> None:
        for number in range(5):
            note = await alice.remember(f"Locker {number} is painted {COLOURS[number]}.")
            (hit, *_) = await alice.recall(f"which locker is {COLOURS[number]}")
            assert (hit.note, hit.item, hit.text) == (note, None, note.text)
            await alice.session().append([user(f"My bike {number} is {BRANDS[number]}.")])
            (hit, *_) = await alice.recall(f"who makes the bike {BRANDS[number]}")
            assert hit.note is None
            assert hit.item.body == user(f"My bike {number} is {BRANDS[number]}.")

    async def test_kinds_sessions_and_categories_narrow_exactly(self, alice: Any) -> None:
        await alice.remember("Tea at four.", category="daily")
        await alice.remember("Tea is green.")
        for name in ("one", "two"):
            await alice.session(name).append([user(f"Tea in session {name}.")])
        assert len(await alice.recall("tea")) == 4
        assert {hit.item for hit in await alice.recall("tea", kinds=["note"])} == {None}
        assert all(hit.item for hit in await alice.recall("tea", kinds=("item",)))
        assert texts(await alice.recall("tea", category="Daily")) == ["Tea at four."]
        assert texts(await alice.recall("tea", session="two")) == ["Tea in session two."]
        assert (await alice.recall("tea", session="three")).empty_because == "all filtered"

    async def test_a_timeline_tells_a_matter_in_the_order_of_time(self, alice: Any, door: FaceOpener) -> None:
        days = [door.clock.at + timedelta(days=number) for number in range(6)]
        await alice.session("late").append(
            [user("The kayak was repaired in Porto."), user("Nothing else happened.")], at=[days[4], days[5]]
        )
        await alice.session("early").append(
            [
                user("I bought a kayak."),
                assistant("A kayak is a fine boat."),
                user("My kayak leaks at the skeg."),
            ],
            at=[days[0], days[0], days[2]],
        )
        await alice.remember("Owns a red kayak.", valid_from=days[1])
        await alice.session("late").append(
            [user("I bought a kayak!"), user("The kayak cost 900.")], at=days[5]
        )
        await alice.session("late").append([user("The kayak cost 800.")], at=days[5])
        page = await alice.timeline("kayak")
        assert texts(page) == [
            "I bought a kayak.",
            "Owns a red kayak.",
            "My kayak leaks at the skeg.",
            "The kayak was repaired in Porto.",
            "The kayak cost 900.",
            "The kayak cost 800.",
        ]
        assert (page.total, page.next) == (6, None)
        assert [entry.at for entry in page] == [*days[:3], days[4], days[5], days[5]]
        again = [hit.item.id for hit in await alice.recall("bought kayak") if hit.text == "I bought a kayak!"]
        assert page[0].repeats == tuple(again)
        assert (page[1].note.text, page[1].item) == ("Owns a red kayak.", None)
        assert page[2].item.session == "early"
        entries, totals = await pages(alice.timeline, query="kayak", limit=2)
        assert (texts(entries), totals) == (texts(page), {6})
        assert texts(await alice.timeline("kayak", since=days[1], until=days[4])) == texts(page)[1:3]
        assert texts(await alice.timeline("kayak", roles=["assistant"])) == ["A kayak is a fine boat."]
        assert texts(await alice.timeline("kayak", kinds=["note"])) == ["Owns a red kayak."]

    async def test_a_timeline_without_a_matter_is_everything_that_people_said(
        self, alice: Any, door: FaceOpener
    ) -> None:
        assert len(await alice.timeline()) == 0
        for name in ("b", "a"):
            at = [door.clock.at + timedelta(minutes=number) for number in range(6)]
            await alice.session(name).append(
                [user(f"Line {number} of {name}.") for number in range(6)], at=at
            )
        await alice.session("c").append([assistant("I see."), result(1)])
        entries, totals = await pages(alice.timeline, limit=5)
        assert totals == {12}
        assert [entry.text.split()[1] for entry in entries] == [
            str(number) for number in range(6) for _ in "ab"
        ]
        assert all(entry.score is None for entry in entries)
        for wrong in ({"limit": 0}, {"cursor": "no"}, {"roles": ["nobody"]}, {"since": datetime(2024, 1, 1)}):  # noqa: DTZ001
            with pytest.raises(InvalidError):
                await alice.timeline(**wrong)

    async def test_roles_times_and_sessions_narrow_exactly(self, alice: Any, door: FaceOpener) -> None:
        days = [door.clock.at + timedelta(days=number) for number in range(4)]
        talk = [user("Tea first."), assistant("Tea second."), user("Tea third."), call(1, "tea_shop")]
        for name in ("one", "two", "three"):
            await alice.session(name).append([*talk, result(1)], at=[*days, days[3]])
        note = await alice.remember("Tea from a note.", valid_from=days[2])

        async def said(**filters: Any) -> list[tuple[str, int]]:
            hits = await alice.recall("tea", limit=99, **filters)
            return sorted((hit.item.session, hit.item.seq) if hit.item else (hit.note.id, 0) for hit in hits)

        assert await said(roles=("user",), session="one") == [("one", 1), ("one", 3)]
        assert await said(roles=("assistant",)) == [(name, 2) for name in ("one", "three", "two")]
        assert await said(roles=["tool"], session="two") == [("two", 4), ("two", 5)]
        assert await said(session=["one", "three"], roles=["assistant", "tool"], until=days[2]) == [
            ("one", 2),
            ("three", 2),
        ]
        assert (note.id, 0) in await said(since=days[2])
        assert (note.id, 0) not in await said(until=days[2])
        assert await said(since=days[1], until=days[2], kinds=["item"], session="one") == [("one", 2)]
        lost = await alice.why_not("tea", note.id, until=days[2])
        assert (lost.stage, lost.filter) == ("filtered", "time")
        wrongs: list[dict[str, Any]] = [
            {"roles": "user"},
            {"roles": ["nobody"]},
            {"roles": []},
            {"session": []},
        ]
        for wrong in wrongs:
            with pytest.raises(InvalidError):
                await alice.recall("tea", **wrong)

    async def test_a_hit_brings_its_exchange(self, alice: Any) -> None:
        talk = [
            user("My knee aches."),
            call(1),
            result(1),
            assistant("Shorten your stride."),
            user("Thanks."),
        ]
        await alice.session("run").append(talk)
        await alice.remember("Runs on Sundays.")
        found = await alice.recall("knee stride thanks sundays")
        assert {hit.text: hit.exchange and hit.exchange.text for hit in found if hit.text != "done"} == {
            "My knee aches.": "Shorten your stride.",
            "Shorten your stride.": "My knee aches.",
            "Thanks.": None,
            "Runs on Sundays.": None,
            "look_up ": "My knee aches.",
        }
        exchanged = [one for one in found.exchanges if len(one) > 1]
        assert [[message.text for message in one] for one in exchanged] == [
            ["My knee aches.", "Shorten your stride."]
        ]

    async def test_a_question_finds_what_it_asks_however_it_is_contracted(self, alice: Any) -> None:
        await alice.session().append(
            [user("I must not eat walnuts."), user("I flew to California, to a CA office.")]
        )
        cannot, contracted = [await alice.recall(f"What {word} she eat?") for word in ("cannot", "can't")]
        assert cannot.terms == contracted.terms == ("eat",)
        assert [(hit.text, hit.score) for hit in cannot] == [(hit.text, hit.score) for hit in contracted]

    async def test_filters_hold_before_the_best_are_chosen(self, alice: Any) -> None:
        for _ in range(15):
            await alice.remember("Ramen shop, ramen shop, ramen.", metadata={"city": "Osaka"})
        await alice.remember("A ramen place somewhere.", metadata={"city": "Kyoto"}, category="daily")
        assert texts(await alice.recall("ramen shop", limit=1, where={"city": "Kyoto"})) == [
            "A ramen place somewhere."
        ]
        assert len(await alice.recall("ramen shop", limit=1, category="daily")) == 1

    async def test_a_limit_is_kept_and_the_best_come_first(self, alice: Any) -> None:
        for number in range(20):
            await alice.remember(f"Parcel {number} went to Porto.")
        found = await alice.recall("parcel 13 porto", limit=4)
        assert len(found) == 4
        assert found[0].text == "Parcel 13 went to Porto."
        assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
        assert found.scanned == 20

    async def test_many_hits_come_with_their_sessions_and_in_their_order(self, alice: Any) -> None:
        for name in ("red", "green", "blue"):
            await alice.session(name).append([user(f"The {name} kite number {each}.") for each in range(15)])
        for number in range(20):
            await alice.remember(f"A kite costs {number}.")
        for _ in range(2):  # the second time the names of the sessions are known
            found = await alice.recall("kite", limit=65)
            assert len(found) == 65
            assert {hit.note.id for hit in found if hit.note} == {note.id for note in await alice.notes()}
            items = [hit.item for hit in found if hit.item]
            assert all(item.session in item.body["content"] for item in items)
            assert len({item.id for item in items}) == 45
            assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)

    async def test_relevance_tells_an_answer_from_nothing(self, alice: Any) -> None:
        assert (await alice.recall("where is the spare key")).relevance == 0
        for text in ("The spare key hangs behind the blue door.", "Dentist on Tuesday.", "Likes ramen."):
            await alice.remember(text)
        await alice.session().append([user(f"We talked of topic {each} for a while.") for each in range(20)])
        sure = await alice.recall("where is the spare key")
        lost = await alice.recall("who won the chess tournament in Reykjavik")
        assert 0 <= lost.relevance < 0.3
        assert 0.6 < sure.relevance <= 1
        assert (await alice.recall("where is the spare key", limit=1)).relevance == sure.relevance
        assert (await alice.recall("spare key", category="daily")).relevance == 0

    async def test_empty_says_why_and_is_not_degraded(self, alice: Any) -> None:
        assert (await alice.recall("tea")).empty_because == "nothing stored"
        await alice.remember("Tea is green.", category="daily")
        assert (await alice.recall("tea")).empty_because is None
        nothing = await alice.recall("tea", category="core")
        assert (nothing.empty_because, nothing.degraded, len(nothing)) == ("all filtered", (), 0)

    async def test_without_an_embedder_words_alone_decide(self, door: FaceOpener) -> None:
        alice = door.open(embedder=None).scope(user="alice")
        await alice.remember("Tea is green.")
        assert texts(await alice.recall("green tea")) == ["Tea is green."]
        nothing = await alice.recall("xylophone")
        assert (nothing.empty_because, nothing.unknown) == ("no term in common", ("xylophone",))
        assert (await alice.recall("?!")).empty_because == "no word to search for"

    async def test_an_explanation_names_the_words_in_common(self, alice: Any) -> None:
        await alice.remember("The green kettle whistles.")
        (hit,) = await alice.recall("kettle whistling", explain=True)
        assert hit.why.terms
        assert hit.why.lexical > 0
        assert "words" in str(hit.why)
        assert (await alice.recall("kettle whistling"))[0].why.terms == ()

    async def test_why_not_says_at_which_stage_something_was_lost(self, alice: Any) -> None:
        notes = [await alice.remember(f"Parcel {number} went to Porto.") for number in range(9)]
        await alice.session().append([user("The parcel is late.")])
        (item,) = await alice.session().items()
        lost = await alice.why_not("parcel 3 porto", notes[8].id, limit=1)
        assert (lost.stage, lost.id) == ("below the cut", notes[8].id)
        assert lost.rank is not None
        assert lost.rank > 1
        assert lost.needed is not None
        assert str(lost)
        assert (await alice.why_not("parcel 3 porto", notes[3].id)).stage == "returned"
        left_out = await alice.why_not("parcel", item.id, kinds=["note"])
        assert (left_out.stage, left_out.filter) == ("filtered", "kind")
        await alice.forget(notes[3].id)
        assert (await alice.why_not("parcel 3 porto", notes[3].id)).stage == "not indexed"
        assert (await alice.why_not("parcel", notes[4].id, where={"a": 1})).stage == "filtered"
        with pytest.raises(NotFoundError):
            await alice.why_not("parcel", "no id at all")

    @pytest.mark.parametrize(
        ("text", "query"),
        [
            ("彼女は窓側の席が好きです。", "窓側の席"),
            ("她对花生过敏。", "花生"),
            ("서울에 살고 있습니다.", "서울"),
            ("เธอชอบกาแฟดำ", "กาแฟ"),
            ("Она живёт в Казани.", "живет Казань"),
            ("Elle habite à Besançon.", "besancon"),
        ],
    )
    async def test_every_script_is_found(self, door: FaceOpener, text: str, query: str) -> None:
        alice = door.open(embedder=None).scope(user="alice")
        await alice.remember(text)
        await alice.remember("Something else entirely.")
        await alice.session().append([user(text)])
        assert texts(await alice.recall(query)) == [text, text]


COLOURS = ["red", "green", "blue", "black", "white"]
BRANDS = ["Bianchi", "Trek", "Brompton", "Peugeot", "Dahon"]
