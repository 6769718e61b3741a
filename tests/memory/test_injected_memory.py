"""The memory does not hear itself: what it put into a log is kept there, and is neither recalled nor learned."""

import json

import pytest

from bethink import Memory
from bethink.testing.faces import HashingEmbedder


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "memory.db")


@pytest.fixture
def memory(path):
    with Memory(path) as memory:
        yield memory


@pytest.fixture
def alice(memory):
    return memory.scope(agent="concierge", user="alice")


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def responses(name, arguments, output, number="c1"):
    return [
        {"type": "function_call", "call_id": number, "name": name, "arguments": json.dumps(arguments)},
        {"type": "function_call_output", "call_id": number, "output": output},
    ]


def completions(name, arguments, output, number="c1"):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": number, "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": number, "content": output},
    ]


def blocks(name, arguments, output, number="c1"):
    return [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": number, "name": name, "input": arguments}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": number, "content": output}]},
    ]


SHAPES = [responses, completions, blocks]


def texts(found):
    return [hit.text for hit in found]


def everything(scope, query="zanzibar"):
    return texts(scope.recall(query, limit=50, kinds=("item",)))


@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_memory_tool_is_asked_and_answers_is_in_the_log_and_is_not_recalled(alice, shape):
    session = alice.session("trip")
    said = [
        user("Hello there."),
        *shape("search_memory", {"query": "zanzibar?"}, "- zanzibar: spices"),
        assistant("Spices."),
    ]
    session.append(said)
    assert session.get_items() == said
    assert not any("zanzibar" in text for text in everything(alice))
    assert alice.timeline("zanzibar", roles=["tool"]).total == 0


@pytest.mark.parametrize("shape", SHAPES)
def test_what_other_tools_answer_is_recalled(alice, shape):
    alice.session("trip").append([user("Hello."), *shape("book_flight", {"to": "Oslo"}, "zanzibar is full")])
    assert any("zanzibar is full" in text for text in everything(alice))


def test_a_tool_of_the_application_that_has_a_name_of_ours_is_recalled(alice):
    own = responses("timeline", {"account": "@alice"}, "zanzibar trends")
    alice.session("trip").append([user("What is new?"), *own])
    assert "zanzibar trends" in everything(alice)


@pytest.mark.parametrize("name", ["mcp__bethink__search_memory", "bethink.search_memory", "memory"])
def test_a_memory_tool_is_known_by_the_names_that_hosts_give_it(alice, name):
    arguments = {"command": "view", "path": "/memories"} if name == "memory" else {"query": "x"}
    alice.session("trip").append([user("Hello."), *responses(name, arguments, "zanzibar: spices")])
    assert not any("zanzibar" in text for text in everything(alice))


@pytest.mark.parametrize("shape", SHAPES)
def test_an_answer_that_comes_later_is_known_by_its_call_even_after_a_restart(path, shape):
    call, result = shape("search_memory", {"query": "x"}, "- zanzibar: spices")
    with Memory(path) as memory:
        scope = memory.scope(user="alice")
        scope.session("trip").append([user("Hello."), call])
        scope.index()
    with Memory(path) as memory:
        scope = memory.scope(user="alice")
        scope.session("trip").append([result])
        assert not any("zanzibar" in text for text in everything(scope))


def test_an_id_that_is_used_again_belongs_to_the_tool_that_was_called_last(alice):
    session = alice.session("trip")
    session.append(
        [user("One."), *responses("search_memory", {"query": "x"}, "- zanzibar: spices", "call_0")]
    )
    session.append([user("Two."), *responses("book_flight", {"to": "x"}, "zanzibar is full", "call_0")])
    assert "zanzibar is full" in everything(alice)
    assert "- zanzibar: spices" not in everything(alice)


def test_an_answer_that_took_the_place_of_another_is_still_one_of_memory(alice):
    session = alice.session("trip")
    call, result = responses("search_memory", {"query": "x"}, "- paris: louvre")
    session.append([user("One."), call, result])
    everything(alice)
    session.replace(3, {**result, "output": "- zanzibar: spices"})
    assert not any("zanzibar" in text for text in everything(alice))


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_injected_context_is_not_recalled_and_what_is_said_beside_it_is(alice, role):
    alice.remember("Keeps a yacht in Zanzibar.")
    alice.profile.update({"home_port": "Zanzibar"})
    context = alice.context(query="yacht").text
    assert "Zanzibar" in context
    alice.session("trip").append([{"role": role, "content": f"{context}\n\nThe mast broke last week."}])
    assert everything(alice) == ["The mast broke last week."]
    alice.session("other").append([{"role": role, "content": context}])
    assert everything(alice) == ["The mast broke last week."]


def test_answers_of_the_offline_responder_are_not_recalled(alice):
    answer = "From memory: I keep a yacht in Zanzibar. (Offline responder: no model is set.)"
    alice.session("trip").append([user("Hello."), assistant(answer)])
    assert everything(alice) == ["Hello."]
    alice.session("trip").append([user("It said (Offline responder: no model is set.)")])
    assert "It said (Offline responder: no model is set.)" in everything(alice)


def test_nothing_that_memory_said_is_learned(alice):
    alice.remember("I keep a yacht in Zanzibar.", key="yacht")
    session = alice.session("trip")
    context = alice.context(query="yacht").text
    for shape in SHAPES:
        session.append(
            [user("Hello."), *shape("search_memory", {"query": "x"}, "- yacht: I keep a yacht in Zanzibar.")]
        )
    session.append([user(context)])
    session.append([user(f"{context}\n\nI am vegetarian.")])
    session.append(
        [assistant("From memory: I keep a yacht in Zanzibar. (Offline responder: no model is set.)")]
    )
    distilled = alice.distill("trip")
    assert [each.text for each in distilled.kept] == ["I am vegetarian."]


# ---- questions -----------------------------------------------------------------------------------------------


def test_a_question_that_is_asked_again_is_no_hit_and_lends_its_neighbours_nothing(alice):
    session = alice.session("trip")
    session.append([user("The weather is fine."), assistant("It is.")])
    question = "Which colour is the roof of the boathouse?"
    before = alice.recall(question)
    session.append([user(question)])
    after = alice.recall(question.upper().replace("?", " ?"))
    assert question not in texts(after)
    assert after.relevance <= before.relevance + 0.01
    assert after.unknown


def test_every_repeat_of_a_question_is_left_out_and_the_fact_comes_first(alice):
    question = "Which colour is the roof of the boathouse?"
    alice.session("facts").append([user("We painted the boathouse, and its roof is red now.")])
    for name in ("one", "two", "three"):
        alice.session(name).append([user(question)])
    found = alice.recall(question)
    assert texts(found)[0] == "We painted the boathouse, and its roof is red now."
    assert question not in texts(found)


def test_a_question_that_was_answered_is_found_with_its_answer(alice):
    question = "Which colour is the roof of the boathouse?"
    alice.session("trip").append([user(question), assistant("It is red.")])
    (first, *_) = alice.recall(question)
    assert {first.text, first.exchange.text} == {question, "It is red."}


def test_a_question_that_only_the_offline_responder_answered_has_no_answer(alice):
    question = "Which colour is the roof of the boathouse?"
    nothing = "I remember nothing about that. (Offline responder: no model is set.)"
    alice.session("trip").append([user(question), assistant(nothing)])
    assert texts(alice.recall(question)) == []


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        ("When does the boathouse open?", "boathouse opening hours"),
        ("Which colour is the roof of the boathouse?", "Which colour is the door of the boathouse?"),
        ("I keep my kayak in the boathouse.", "I keep my kayak in the boathouse."),
        ("When I travel I keep to the boathouse.", "When I travel I keep to the boathouse."),
        ("boathouse", "boathouse"),
    ],
)
def test_other_questions_and_statements_stay_findable(alice, stored, query):
    alice.session("trip").append([user(stored)])
    assert texts(alice.recall(query)) == [stored]


@pytest.mark.parametrize(
    "question",
    [
        "where do I like to sit",
        "Wo ist mein Pass",
        "quel est mon vol",
        "¿dónde vivo?",
        "我住在哪里",
        "私はどこに住んでいますか",
    ],
)
def test_a_question_needs_no_question_mark_and_no_english(alice, question):
    alice.session("trip").append([user(question)])
    assert texts(alice.recall(question)) == []


def test_why_not_says_that_it_is_the_question_itself(alice):
    question = "Which colour is the roof?"
    session = alice.session("trip")
    session.append([user(question)])
    (item,) = session.items()
    lost = alice.why_not(question, item.id)
    assert (lost.stage, lost.filter) == ("filtered", "question")


def test_a_timeline_still_tells_when_it_was_asked(alice):
    question = "Which colour is the roof?"
    alice.session("trip").append([user(question)])
    assert [entry.text for entry in alice.timeline(question)] == [question]


def test_the_turn_that_is_being_answered_is_no_hit_until_it_is_answered(alice):
    session = alice.session("trip")
    session.append([user("The boathouse is green."), assistant("I see.")])
    session.append([user("I wonder about the boathouse, and its roof."), *responses("look", {}, "boathouse")])
    found = texts(alice.recall("boathouse", kinds=("item",), answering="trip"))
    assert found[0] == "The boathouse is green."
    assert not any("wonder" in text or text == "boathouse" for text in found)
    assert any("wonder" in text for text in texts(alice.recall("boathouse", kinds=("item",), answering="x")))
    session.append([assistant("It is red.")])
    assert any("wonder" in text for text in texts(alice.recall("boathouse", answering="trip")))


def test_without_an_embedder_the_same_holds(path):
    with Memory(path, embedder=None) as memory:
        scope = memory.scope()
        scope.session("trip").append([user("Which colour is the roof?")])
        assert texts(scope.recall("Which colour is the roof?")) == []


def test_in_a_large_namespace_the_same_holds(path, monkeypatch):
    monkeypatch.setattr("bethink.recall.scoring.EXACT", 8)
    with Memory(path, embedder=HashingEmbedder()) as memory:
        scope = memory.scope()
        session = scope.session("trip")
        session.append([user(f"The roof of house {number} is red.") for number in range(40)])
        session.append([user("Which colour is the roof?")])
        found = texts(scope.recall("Which colour is the roof?", limit=50))
    assert found
    assert "Which colour is the roof?" not in found
