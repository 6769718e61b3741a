"""The measures of the lifecycle fall when what they measure is bad: on outcomes made by hand, and on bad parts."""

import json
import math
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink import Memory
from bethink.errors import InvalidError
from bethink.evals.lifecycle import (
    cases,
    consolidation,
    correction,
    dialogues,
    distillation,
    drift,
    injection,
    safety,
)
from bethink.evals.lifecycle.cases import Correction, Day, Request, Topic, Turn, Value
from bethink.evals.lifecycle.clock import Clock
from bethink.evals.lifecycle.metrics import METRICS, failed, figures, interval, wilson
from bethink.evals.lifecycle.people import FinalQuestion, simulated_users
from bethink.evals.lifecycle.safety import _fences
from bethink.evals.lifecycle.text_checks import (
    contains_word,
    covers,
    fences_hold,
    shown_above,
    unsupported_words,
)
from bethink.evals.lifecycle.values import Check
from bethink.lifecycle.engines import RulesEngines
from bethink.lifecycle.inject.values import Context, Part
from bethink.lifecycle.values import Add, Candidate, Distilled, Forget, Keep, Proposal, Verdict
from bethink.notes.values import Note

AT = datetime(2026, 3, 2, tzinfo=UTC)


def note(text, number="n1"):
    return Note(id=number, text=text, created_at=AT, updated_at=AT)


def kept(text, *, durable=True, language="en", salience="core", sources=()):
    return Candidate(
        text=text,
        kind="preference",
        durable=durable,
        language=language,
        salience=salience,
        source="user",
        sources=sources,
        confidence=1,
    )


def values(checks):
    return {check.metric: check.value for check in checks}


def several(checks):
    found = {}
    for check in checks:
        found.setdefault(check.metric, []).append(check.value)
    return found


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
    assert contains_word("Prefers aisle seats (2025)", "seat")
    assert not contains_word("Is a teacher.", "tea")
    assert not contains_word("Spends 1200 euros", "120")


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
    assert unsupported_words(text, [source])


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Prefers aisle seats.", "I prefer an aisle seat!"),
        ("Doesn't eat meat.", "I do not eat meat."),
        ("Goes running with their dog.", "I go running with my dog."),
    ],
)
def test_saying_it_of_somebody_else_invents_nothing(text, source):
    assert unsupported_words(text, [source]) == []


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("I live in Oslo.", "I live in Oslo"),
        ("oh and I play the trombone, sorry neighbours", "I play the trombone"),
        (
            "I play the trombone.",
            "I have played the trombone in a brass band for years, I play the trombone daily",
        ),
        ("我住在上海", "我现在住在上海"),
    ],
)
def test_a_note_covers_a_marked_clause_by_most_of_its_words(text, span):
    assert covers(text, span)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("I live in Oslo.", "I play the trombone"),
        ("I hate it.", "I live in Oslo with my two dogs"),
        ("我住在上海", "妹妹喜欢喝茶"),
        ("!", "I live in Oslo"),
        ("I live in Oslo.", "!"),
    ],
)
def test_a_note_of_something_else_covers_nothing(text, span):
    assert not covers(text, span)


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


MESSAGE = Turn(
    id="a",
    language="en",
    text="I live in Porto, and I am off to the dentist tomorrow. Any bakeries?",
    lasting=("I live in Porto",),
    passing=("I am off to the dentist tomorrow",),
)
CHATTER = Turn(id="c", language="en", text="Thanks a million!")
HOME, DENTIST, BAKERIES = "I live in Porto", "I am off to the dentist tomorrow", "Any bakeries?"


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ([], {"recall": [0]}),
        ([kept(HOME)], {"recall": [1], "core_precision": [1], "precision": [1], "language": [1]}),
        ([kept(HOME, salience="daily")], {"recall": [1], "precision": [1], "language": [1]}),
        ([kept(HOME, durable=False)], {"recall": [0], "language": [1]}),
        (
            [kept(HOME, language="pt")],
            {"recall": [1], "core_precision": [1], "precision": [1], "language": [0]},
        ),
        ([kept(DENTIST)], {"recall": [0], "core_precision": [0], "precision": [0], "language": [1]}),
        ([kept(DENTIST, salience="daily")], {"recall": [0], "precision": [1], "language": [1]}),
        ([kept(BAKERIES, salience="daily")], {"recall": [0], "precision": [0], "language": [1]}),
        (
            [kept(HOME), kept(BAKERIES)],
            {"recall": [1], "core_precision": [1, 0], "precision": [1, 0], "language": [1, 1]},
        ),
    ],
)
def test_distillation_is_judged_by_the_clauses_that_were_marked(found, wanted):
    assert several(distillation.check_message(MESSAGE, found)) == {
        f"distill.{name}": each for name, each in wanted.items()
    }


@pytest.mark.parametrize(
    ("found", "core", "daily"),
    [
        ([], 0, 0),
        ([kept("Thanks a million!")], 1, 0),
        ([kept("Thanks a million!", salience="daily")], 0, 1),
        ([kept("Thanks a million!", durable=False)], 0, 0),
        ([kept("Thanks"), kept("a million", salience="daily")], 1, 1),
    ],
)
def test_whatever_is_kept_of_chatter_is_junk(found, core, daily):
    assert values(distillation.check_chatter(CHATTER, found)) == {
        "distill.junk_core": core,
        "distill.junk_daily": daily,
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
    assert values(injection.token_shares(SEAT, shown, 100)) == {
        "injection.within_budget": 1,
        "injection.token_efficiency": 0.25,
        "injection.useful_of_budget": 0.1,
    }
    assert values(injection.token_shares(SEAT, context("- tulips " * 40), 20))["injection.within_budget"] == 0


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


ASK = FinalQuestion(
    topic="seat", question="Which?", needle="window", older=("aisle",), repeats=1, once=("middle",)
)


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
    assert drift.lost_at_stage(ASK, text, kept_notes) == stage


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
        return distillation.run(*at, cases.everyday("development")[:20], cases.chatter("development")[:20])

    greedy, idle = measured(run, engines=Greedy()), measured(run, engines=Idle())
    assert mean(greedy, "distill.precision") < 0.5
    assert mean(greedy, "distill.junk_core") == 1
    assert mean(idle, "distill.recall") == 0
    assert mean(idle, "distill.junk_core") == mean(idle, "distill.junk_daily") == 0


class Told(Greedy):
    """Engines that keep of a message what they were told to, and merge nothing."""

    def __init__(self, kept=(), forgets=()):
        super().__init__()
        self.answers, self.wanted = dict(kept), dict(forgets)

    def distill(self, items, **_):
        found, asked = [], []
        for item in items:
            text = item.body["content"]
            found += [kept(each, sources=(item.id,)) for each in self.answers.get(text, ())]
            asked += [Forget(text=each, sources=(item.id,)) for each in self.wanted.get(text, ())]
        return Distilled(kept=tuple(found), forgets=tuple(asked))


MOVE = Correction(
    id="move",
    language="en",
    first="I live in Oslo and I play the trombone.",
    second="We have moved to Bergen.",
    old="I live in Oslo",
    new="We have moved to Bergen",
    stands=("I play the trombone",),
)


@pytest.mark.parametrize(
    ("first", "second", "superseded", "stands"),
    [
        (["I play the trombone"], ["We have moved to Bergen"], 1, 1),
        (["I live in Oslo"], ["We have moved to Bergen"], 0, 0),
        (["I play the trombone"], [], 0, 1),
        ([], ["We have moved to Bergen"], 1, 0),
        ([], [], 0, 0),
    ],
)
def test_a_correction_is_judged_by_what_stands_after_it(first, second, superseded, stands):
    engines = Told({MOVE.first: first, MOVE.second: second})
    found = measured(lambda *at: correction.run(*at, [MOVE], [], []), engines=engines)
    assert values(found.checks) == {"correct.superseded": superseded, "correct.stands": stands}


def test_what_is_only_taken_back_is_right_when_nothing_of_it_stands():
    back = Correction(
        id="back",
        language="en",
        first="I am vegetarian.",
        second="I am no longer that.",
        old="I am vegetarian",
        new=None,
        stands=(),
    )
    gone = measured(lambda *at: correction.run(*at, [back], [], []), engines=Told())
    left = measured(
        lambda *at: correction.run(*at, [back], [], []), engines=Told({back.first: ["I am vegetarian"]})
    )
    assert mean(gone, "correct.superseded") == 1
    assert mean(left, "correct.superseded") == 0


STORED = ("I am allergic to peanuts.", "My brother lives in Perth.", "I take my tea black.")
ASKS = "Please forget something."


@pytest.mark.parametrize(
    ("forget", "asked", "right"),
    [
        (0, ["I'm allergic to peanuts"], 1),
        (1, ["I'm allergic to peanuts"], 0),
        (0, [], 0),
        (None, [], 1),
        (None, ["I'm allergic to peanuts"], 0),
    ],
)
def test_a_request_to_forget_is_judged_by_which_notes_are_gone(forget, asked, right):
    request = Request(id="r", language="en", stored=STORED, text=ASKS, forget=forget)
    found = measured(lambda *at: correction.run(*at, [], [request], []), engines=Told(forgets={ASKS: asked}))
    assert mean(found, "forget.right") == right


def test_what_the_guard_would_not_have_stored_is_not_asked_to_be_forgotten():
    stored = (*STORED[:2], "My password is hunter2-Xk9!")
    request = Request(id="r", language="en", stored=stored, text=ASKS, forget=2)
    found = measured(lambda *at: correction.run(*at, [], [request], []), engines=Told())
    assert "forget.right" not in values(found.checks)


def test_a_month_is_judged_by_the_notes_that_stand_at_its_end_and_by_what_was_said_to_last():
    def said(text, **marks):
        return Turn(id=text, language="en", text=text, **marks)

    home, trip, tea = "I live in Porto.", "I am in Braga until Friday.", "My sister is called Inês."
    days = [
        Day(day=date(2026, 9, 1), turns=(said(home, lasting=(home,)), said(trip, passing=(trip,)))),
        Day(day=date(2026, 9, 2), turns=(said(tea, lasting=(tea,)), said("Sum these numbers."))),
    ]
    engines = Told({home: [home], trip: [trip], "Sum these numbers.": ["Sum these numbers."]})
    found = measured(lambda *at: correction.run(*at, [], [], days), engines=engines)
    useful = {check.case: check.value for check in found.checks if check.metric == "month.useful"}
    told = {check.case: check.value for check in found.checks if check.metric == "month.found"}
    assert useful == {home: 1, trip: 1, "Sum these numbers.": 0}
    assert told == {home: 1, tea: 0}


# ---- dialogues of others ----------------------------------------------------------------------------------------


def bank(tmp_path, user="Emily", query="I keep bees. What a fine day!"):
    said = {"query": query, "response": "I see."}
    path = tmp_path / "memorybank.json"
    path.write_text(json.dumps({"en": {user: {"history": {"2023-04-27": [said]}}}}))
    return path


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ([], {"recall": [0]}),
        (["I keep bees."], {"recall": [1], "core_precision": [1], "precision": [1]}),
        (["What a fine day!"], {"recall": [0], "core_precision": [0], "precision": [0]}),
        (
            ["I keep bees", "What a fine day!"],
            {"recall": [1], "core_precision": [1, 0], "precision": [1, 0]},
        ),
    ],
)
def test_sentences_of_memorybank_are_judged_by_their_labels(tmp_path, found, wanted):
    both = [dialogues.labels()[f"en|Emily|2023-04-27|0|{place}"] for place in (0, 1)]
    assert both == [("L", "L"), ("N", "N")]
    engines = Told({"I keep bees. What a fine day!": found})
    done = measured(lambda memory, _: dialogues.check_memorybank(memory, bank(tmp_path)), engines=engines)
    assert several(done.checks) == {f"memorybank.{name}": each for name, each in wanted.items()}


@pytest.mark.parametrize(
    ("label", "salience", "wanted"),
    [("L", "daily", 1), ("W", "daily", 1), ("W", "core", 0), ("N", "daily", 0)],
)
def test_what_is_true_for_a_while_may_be_kept_as_daily_only(label, salience, wanted):
    found = [kept("I keep bees.", salience=salience)]
    checks = dialogues.sentence_checks("a", "en", "I keep bees.", label, found)
    assert values(checks)["memorybank.precision"] == wanted


def test_a_sentence_on_which_two_labels_differ_is_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(
        dialogues,
        "labels",
        lambda: {"en|Emily|2023-04-27|0|0": ("L", "W"), "en|Emily|2023-04-27|0|1": ("W", "W")},
    )
    engines = Told({"I keep bees. What a fine day!": ["I keep bees.", "What a fine day!"]})
    done = measured(lambda memory, _: dialogues.check_memorybank(memory, bank(tmp_path)), engines=engines)
    assert several(done.checks) == {"memorybank.core_precision": [0], "memorybank.precision": [0]}


def test_labels_are_of_sentences_as_they_are_counted_here():
    assert dialogues.sentences('I keep bees. "Really?" he said. No 3.5 of it!') == [
        "I keep bees.",
        '"Really?',
        "he said.",
        "No 3.5 of it!",
    ]
    assert dialogues.sentences("我养蜂。真的吗？是的！") == ["我养蜂。", "真的吗？", "是的！"]


LONG = "I have been keeping bees " + "and hens " * 12 + "since spring."


def locomo(tmp_path):
    turns = [
        {"speaker": "Ann", "dia_id": "D1:1", "text": LONG},
        {"speaker": "Bob", "dia_id": "D1:2", "text": "I play the tuba."},
        {"speaker": "Ann", "dia_id": "D1:3", "text": "Good for you, thanks."},
    ]
    sample = {
        "conversation": {"speaker_a": "Ann", "speaker_b": "Bob", "session_1": turns},
        "observation": {"session_1_observation": {"Bob": [["Bob plays the tuba.", "D1:2"]]}},
    }
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([sample]))
    return path


@pytest.mark.parametrize(
    ("answers", "wanted"),
    [
        ({}, {"recall": [0]}),
        ({"I play the tuba.": ["I play the tuba."]}, {"recall": [1], "precision": [1], "clauses": [1]}),
        (
            {"I play the tuba.": ["I play", "the tuba"], "Good for you, thanks.": ["Good for you"]},
            {"recall": [1], "precision": [0, 1], "clauses": [1, 2]},
        ),
    ],
)
def test_turns_of_locomo_are_judged_by_its_observations_beside_keeping_every_long_one(
    tmp_path, answers, wanted
):
    done = measured(lambda memory, _: dialogues.check_locomo(memory, locomo(tmp_path)), engines=Told(answers))
    floor = {"floor_recall": [0], "floor_precision": [0]}  # the long turn is the one without an observation
    assert several(done.checks) == {f"observed.{name}": each for name, each in {**wanted, **floor}.items()}


def test_what_the_other_says_is_not_counted_as_the_users(tmp_path):
    assistant = Told({LONG: ["I have been keeping bees"]})
    done = measured(lambda memory, _: dialogues.check_locomo(memory, locomo(tmp_path)), engines=assistant)
    assert several(done.checks)["observed.precision"] == [0]  # once, of the side whose turn it is


@pytest.mark.parametrize("run", [dialogues.check_memorybank, dialogues.check_locomo])
@pytest.mark.parametrize("text", ["", "no JSON", "[1]", '{"a": 1}', '{"en": {"Emily": {}}}'])
def test_a_file_that_is_not_of_the_data_set_is_an_error_that_says_so(tmp_path, run, text):
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(InvalidError, match=r"odd\.json"):
        measured(lambda memory, _: run(memory, path))


def test_a_file_whose_users_nobody_labelled_is_an_error_and_no_figure(tmp_path):
    with pytest.raises(InvalidError, match="contains none of the users whose sentences were labelled"):
        measured(
            lambda memory, _: dialogues.check_memorybank(memory, bank(tmp_path, user="Zoe")), engines=Told()
        )


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
    users = simulated_users(2, seed=1, topics=cases.topics(), talk=cases.talk())
    found = measured(lambda *at: drift.run(*at, users), engines=Idle())
    assert mean(found, "drift.answerable") == 0
    assert mean(found, "drift.recency") == 0
    whole = [
        check.value
        for check in found.checks
        if check.metric == "drift.answerable" and check.group == "whole log"
    ]
    assert set(whole) == {1.0}


def test_what_a_person_approved_is_between_the_fences_that_are_looked_at():
    with Memory(":memory:", embedder=None) as memory:
        checks = list(_fences(memory))
    assert all(check.value == 1.0 for check in checks)
    assert sum("Likes tulips" in check.got for check in checks) >= 3
