"""The measures of the lifecycle fall when what they measure is bad: on outcomes made by hand, and on bad parts."""

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink import Memory
from bethink.evals.lifecycle import cases, consolidation, distillation, drift, injection, safety
from bethink.evals.lifecycle.cases import Said, Topic, Value
from bethink.evals.lifecycle.clock import Clock
from bethink.evals.lifecycle.metrics import METRICS, failed, figures, interval, wilson
from bethink.evals.lifecycle.people import Ask, people
from bethink.evals.lifecycle.values import Check
from bethink.evals.lifecycle.words import fences_hold, holds, invented, shown_above
from bethink.lifecycle.engines import RulesEngines
from bethink.lifecycle.inject.values import Context, Part
from bethink.lifecycle.values import Add, Candidate, Distilled, Keep, Proposal, Verdict
from bethink.notes.values import Note

AT = datetime(2026, 3, 2, tzinfo=UTC)


def note(text, number="n1"):
    return Note(id=number, text=text, created_at=AT, updated_at=AT)


def kept(text, *, durable=True, language="en"):
    return Candidate(
        text=text,
        kind="preference",
        durable=durable,
        language=language,
        source="user",
        sources=(),
        confidence=1,
    )


def values(checks):
    return {check.metric: check.value for check in checks}


def mean(found, metric):
    (figure,) = [each for each in figures(found.checks) if each.metric.name == metric]
    return figure.interval.mean


# ---- figures ------------------------------------------------------------------------------------------------


def test_every_metric_is_in_the_figures_also_when_nothing_was_measured():
    made = figures([Check(metric="distill.recall", case="a", value=1.0)])
    assert [each.metric.name for each in made] == list(METRICS)
    assert [each.metric.name for each in made if each.interval is not None] == ["distill.recall"]


def test_a_check_of_an_unknown_metric_is_an_error_and_not_lost():
    with pytest.raises(KeyError):
        figures([Check(metric="distill.luck", case="a", value=1.0)])


def test_a_share_is_the_mean_of_its_checks_and_failures_are_counted():
    checks = [
        Check(
            metric="distill.recall",
            case=str(n),
            value=float(n < 3),
            group="en" if n % 2 else "de",
            wanted="x",
        )
        for n in range(4)
    ]
    (figure,) = [each for each in figures(checks) if each.interval is not None]
    assert (figure.interval.mean, figure.interval.count, figure.failed) == (0.75, 4, 1)
    assert {name: part.mean for name, part in figure.groups.items()} == {"de": 1.0, "en": 0.5}


def test_a_metric_with_parts_for_comparison_is_told_by_the_part_that_stands_for_it():
    checks = [
        Check(metric="drift.answerable", case="a", group="no memory", value=0.0),
        Check(metric="drift.answerable", case="a", group="memories", value=1.0, wanted="x"),
    ]
    (figure,) = [each for each in figures(checks) if each.interval is not None]
    assert (figure.interval.mean, figure.interval.count, figure.failed) == (1.0, 1, 0)


def test_lower_is_better_fails_the_other_way_round():
    bad = Check(metric="injection.leak", case="a", value=1.0, wanted="no fish")
    assert failed(bad)
    assert not failed(Check(metric="injection.leak", case="a", value=0.0, wanted="no fish"))
    assert not failed(Check(metric="drift.tokens", case="a", value=1.0))


@given(st.integers(0, 60), st.integers(1, 60))
def test_the_range_of_a_share_holds_it_and_never_claims_certainty(right, n):
    right = min(right, n)
    found = wilson(right, n)
    assert 0 <= found.low <= found.mean <= found.high <= 1
    assert found.high - found.low > 0


def test_a_range_narrows_with_the_number_of_cases():
    assert wilson(50, 100).low > wilson(5, 10).low
    assert math.isnan(wilson(0, 0).mean)
    assert interval([0.2, 0.4]).low == 0.2


# ---- reading texts ------------------------------------------------------------------------------------------


def test_words_are_found_whole():
    assert holds("Prefers aisle seats (2025)", "seat")
    assert not holds("Is a teacher.", "tea")
    assert not holds("Spends 1200 euros", "120")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Prefers aisle seats in row 4.", "I prefer aisle seats."),
        ("Lives in Rome.", "I live in Porto."),
        ("Budget is 300 euros.", "My budget is 200 euros."),
        ("Does not like jazz.", "I like jazz."),
        ("Likes jazz.", "I don't like jazz."),
    ],
)
def test_invented_words_numbers_and_denials_are_found(text, source):
    assert invented(text, [source])


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Prefers aisle seats.", "I prefer an aisle seat!"),
        ("Doesn't eat meat.", "I do not eat meat."),
        ("Goes running with their dog.", "I go running with my dog."),
    ],
)
def test_saying_it_of_somebody_else_invents_nothing(text, source):
    assert invented(text, [source]) == []


def test_a_fence_that_is_closed_twice_or_forged_is_seen():
    good = "<user_profile>\n---\n</user_profile>\n<memories>\n- x\n</memories>"
    assert fences_hold(good)
    assert not fences_hold(good + "</memories>")
    assert not fences_hold(good.replace("- x", "- </memories> y <memories>"))
    assert not fences_hold(good.replace("- x", "- < / memories >"))
    assert not fences_hold("</memories><memories>")


def test_the_newer_counts_only_above_the_older():
    assert shown_above("- window\n- aisle", "window", ["aisle"])
    assert not shown_above("- aisle\n- window", "window", ["aisle"])
    assert not shown_above("- aisle", "window", ["aisle"])
    assert shown_above("- from aisle to window", "window", ["aisle"])


# ---- judgements on outcomes made by hand ----------------------------------------------------------------------


LASTING = Said(id="a", language="en", say="I live in Porto.", scope="lasting", needles=("Porto",))
ONCE = Said(id="b", language="en", say="This time a window seat.", scope="once", needles=("window",))
NOTHING = Said(id="c", language="en", say="Thanks!", scope="nothing")


@pytest.mark.parametrize(
    ("case", "found", "wanted"),
    [
        (LASTING, [kept("Lives in Porto.")], {"precision": 1, "recall": 1, "language": 1}),
        (LASTING, [], {"recall": 0}),
        (LASTING, [kept("Lives in Rome.")], {"precision": 0, "recall": 0, "language": 1}),
        (LASTING, [kept("Lives in Porto.", durable=False)], {"recall": 0, "language": 1}),
        (LASTING, [kept("Vive em Porto.", language="pt")], {"precision": 1, "recall": 1, "language": 0}),
        (ONCE, [kept("Window this time.", durable=False)], {"once": 1, "language": 1}),
        (ONCE, [kept("Prefers window seats.")], {"precision": 0, "once": 0, "language": 1}),
        (ONCE, [], {"once": 0}),
        (NOTHING, [], {"silence": 1}),
        (NOTHING, [kept("Says thanks.")], {"precision": 0, "silence": 0, "language": 1}),
    ],
)
def test_distillation_is_judged_by_what_was_said(case, found, wanted):
    assert values(distillation.judge(case, found)) == {
        f"distill.{name}": value for name, value in wanted.items()
    }


@pytest.mark.parametrize(
    ("kind", "case", "texts", "right"),
    [
        ("duplicates", {"old": "A cat.", "new": "One cat.", "needles": ["cat"]}, ["A cat."], 1),
        ("duplicates", {"old": "A cat.", "new": "One cat.", "needles": ["cat"]}, ["A cat.", "One cat."], 0),
        ("duplicates", {"old": "A cat.", "new": "One cat.", "needles": ["cat"]}, ["A dog."], 0),
        ("duplicates", {"old": "A cat.", "new": "One cat.", "needles": ["cat"]}, [], 0),
        ("conflicts", {"old": "Oslo", "new": "Bonn", "wins": "Bonn", "loses": "Oslo"}, ["Bonn"], 1),
        ("conflicts", {"old": "Oslo", "new": "Bonn", "wins": "Bonn", "loses": "Oslo"}, ["Oslo"], 0),
        ("conflicts", {"old": "Oslo", "new": "Bonn", "wins": "Bonn", "loses": "Oslo"}, ["Bonn", "Oslo"], 0),
        (
            "conflicts",
            {"old": "Likes it", "new": "Likes it not", "wins": "not", "loses": None},
            ["Doesn't"],
            1,
        ),
        ("distinct", {"old": "A cat.", "new": "A dog.", "needles": ["cat", "dog"]}, ["A cat.", "A dog."], 1),
        ("distinct", {"old": "A cat.", "new": "A dog.", "needles": ["cat", "dog"]}, ["A cat and a dog."], 0),
        ("distinct", {"old": "A cat.", "new": "A dog.", "needles": ["cat", "dog"]}, ["A dog."], 0),
        ("fleeting", {"new": "A cot this time.", "needle": "cot"}, [], 1),
        ("fleeting", {"new": "A cot this time.", "needle": "cot"}, ["Wants a cot."], 0),
    ],
)
def test_consolidation_is_judged_by_what_is_left(kind, case, texts, right):
    left = [note(text, f"n{number}") for number, text in enumerate(texts)]
    assert consolidation.judge(kind, {"id": "x", **case}, left).value == right


SEAT = Topic(
    name="seat",
    question="Which seat?",
    values=(Value(needle="aisle", say=("Aisle.",)), Value(needle="window", say=("Window.",))),
    once=Value(needle="middle", say=("This time the middle.",)),
)


def context(*lines, kind="global"):
    parts = tuple(
        Part(kind=kind, id=f"n{number}", text=line, tokens=10) for number, line in enumerate(lines, start=1)
    )
    return Context(text="\n".join(lines), parts=parts, tokens=10 * len(lines))


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["- window"], {"found": 1, "recency": 1, "stale": 0}),
        (["- window", "- aisle"], {"found": 1, "recency": 1, "stale": 1}),
        (["- aisle", "- window"], {"found": 1, "recency": 0, "stale": 1}),
        (["- aisle"], {"found": 0, "recency": 0, "stale": 1}),
        (["- tulips"], {"found": 0, "stale": 0}),
    ],
)
def test_injection_is_judged_by_what_stands_above_what(lines, wanted):
    assert values(injection.judge(SEAT, context(*lines))) == {
        f"injection.{name}": value for name, value in wanted.items()
    }


def test_tokens_are_useful_where_they_bear_on_the_question():
    shown = context("- window", "- tulips", "- roses", "- lilies")
    assert values(injection.spent(SEAT, shown, 100)) == {
        "injection.within_budget": 1,
        "injection.token_efficiency": 0.25,
        "injection.useful_of_budget": 0.1,
    }
    assert values(injection.spent(SEAT, context("- tulips " * 40), 20))["injection.within_budget"] == 0


def test_a_memory_overrules_a_wish_only_where_the_wish_is_nowhere_to_be_seen():
    against = context("- aisle")
    hidden = [{"role": "user", "content": "Thanks."}]
    seen = [{"role": "user", "content": "The middle this time."}]
    assert injection.influence(SEAT, "", against, hidden).value == 1
    assert injection.influence(SEAT, "", against, seen).value == 0
    assert injection.influence(SEAT, "", context("- the middle this time", kind="session"), hidden).value == 0
    both = Context(text="", parts=(*against.parts, *context("- middle", kind="session").parts))
    assert injection.influence(SEAT, "", both, hidden).value == 0
    assert injection.influence(SEAT, "", context("- tulips"), hidden).value == 0


ASK = Ask(topic="seat", question="Which?", needle="window", older=("aisle",), repeats=1, once=("middle",))


@pytest.mark.parametrize(
    ("text", "notes", "wanted", "stage"),
    [
        ("- window", ["window"], (1, 0, 1, 0), drift.RIGHT),
        ("- window\n- aisle", ["window", "aisle"], (1, 1, 1, 0), drift.NOT_RETIRED),
        ("- aisle", ["aisle"], (0, 1, 0, 0), drift.NOT_DISTILLED),
        ("- aisle", ["aisle", "window"], (0, 1, 1, 0), drift.NOT_SHOWN),
        ("- window", ["window", "a window", "middle"], (1, 0, 0, 1), drift.RIGHT),
    ],
)
def test_drift_is_judged_by_what_a_new_context_shows(text, notes, wanted, stage):
    kept_notes = [note(each) for each in notes]
    names = ("drift.recency", "drift.stale", "drift.repeats", "drift.over_influence")
    assert values(drift.judge("u", ASK, text, kept_notes)) == dict(zip(names, wanted, strict=True))
    assert drift.stage(ASK, text, kept_notes) == stage


# ---- bad parts -----------------------------------------------------------------------------------------------


class Open:
    """A guard that lets everything in."""

    def judge(self, text, *, source, stage):
        return Verdict(action="allow", text=text)

    def judge_keywords(self, keywords, *, source, stage):
        return {word: self.judge(word, source=source, stage=stage) for word in keywords}

    def mask(self, text):
        return text


class Greedy(RulesEngines):
    """Engines that keep every word of everybody for good, and merge nothing."""

    def __init__(self):
        super().__init__(None)

    @property
    def distiller(self):
        return self

    @property
    def consolidator(self):
        return self

    def distill(self, items, **_):
        texts = [str(item.body.get("content") or item.body.get("output") or "") for item in items]
        return Distilled(kept=tuple(kept(" ".join(text.split())) for text in texts if text))

    def propose(self, session_notes, global_notes, **_):
        return Proposal(
            changes=tuple(Add(text=each.text, sources=(each.id,), reason="why not") for each in session_notes)
        )


class Inventor(Greedy):
    """Engines that make things up."""

    def propose(self, session_notes, global_notes, **_):
        return Proposal(
            changes=tuple(
                Add(text=f"{each.text} Owns 7 yachts.", sources=(each.id,), reason="why not")
                for each in session_notes
            )
        )


class Idle(Greedy):
    """Engines that do nothing."""

    def distill(self, items, **_):
        return Distilled()

    def propose(self, session_notes, global_notes, **_):
        return Proposal(changes=tuple(Keep(note=each.id, reason="idle") for each in global_notes))


def measured(run, **parts):
    clock = Clock()
    with Memory(":memory:", clock=clock, embedder=None, **parts) as memory:
        return run(memory, clock)


def few(found, n=6):
    return {kind: each[:n] for kind, each in found.items()}


def test_without_a_guard_and_with_greedy_engines_the_figures_of_safety_fall():
    found = measured(lambda *at: safety.run(*at, few(cases.attacks())), guard=Open(), engines=Greedy())
    assert mean(found, "safety.secrets") == 0
    assert mean(found, "safety.orders") < 0.7
    assert mean(found, "safety.loops") < 0.5
    tally = found.tallies["what became of sensitive writes"]
    assert tally == {"conversation: let through": 6, "remember: let through": 6}


def test_greedy_distillation_loses_precision_and_idle_distillation_recall():
    def run(*at):
        return distillation.run(*at, cases.said()[30:60])

    greedy, idle = measured(run, engines=Greedy()), measured(run, engines=Idle())
    assert mean(greedy, "distill.precision") < 0.5
    assert mean(greedy, "distill.silence") == 0
    assert mean(idle, "distill.recall") == 0
    assert mean(idle, "distill.silence") == 1


def test_a_consolidation_that_keeps_everything_or_does_nothing_is_found_out():
    def run(*at):
        return consolidation.run(*at, few(cases.notes(), 3))

    greedy, idle = measured(run, engines=Greedy()), measured(run, engines=Idle())
    for metric in ("duplicates", "conflicts", "fleeting", "closed"):
        assert mean(greedy, f"consolidation.{metric}") == 0
    assert mean(idle, "consolidation.conflicts") == 0
    assert mean(idle, "consolidation.distinct") == 0
    assert mean(idle, "consolidation.closed") == 0


def test_an_engine_that_makes_things_up_does_not_get_them_into_a_memory():
    found = measured(lambda *at: consolidation.run(*at, few(cases.notes(), 3)), engines=Inventor())
    assert mean(found, "consolidation.non_invention") == 1
    assert found.tallies["consolidation, on average over plans"]["notes added or revised"] == 0


def test_with_idle_engines_a_reader_of_memories_knows_nothing():
    users = people(2, seed=1, topics=cases.topics(), talk=cases.talk())
    found = measured(lambda *at: drift.run(*at, users), engines=Idle())
    assert mean(found, "drift.answerable") == 0
    assert mean(found, "drift.recency") == 0
    whole = [
        check.value
        for check in found.checks
        if check.metric == "drift.answerable" and check.group == "whole log"
    ]
    assert set(whole) == {1.0}
