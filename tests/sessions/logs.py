"""Items to build logs of, and what every window must promise."""

from __future__ import annotations

from hypothesis import strategies as st

from bethink.sessions.item_kinds import classify


def user(text="hello"):
    return {"role": "user", "content": text}


def said(text="hi"):
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def system(text="You are a bot."):
    return {"role": "system", "content": text}


def thought(id="rs"):  # noqa: A002
    return {"type": "reasoning", "id": id, "summary": []}


def call(id="c"):  # noqa: A002
    return {"type": "function_call", "call_id": id, "name": "look", "arguments": "{}"}


def result(id="c", output="ok"):  # noqa: A002
    return {"type": "function_call_output", "call_id": id, "output": output}


def asks(*ids, text=None):
    calls = [
        {"id": each, "type": "function", "function": {"name": "look", "arguments": "{}"}} for each in ids
    ]
    return {"role": "assistant", "content": text, "tool_calls": calls}


def tool(id="c"):  # noqa: A002
    return {"role": "tool", "tool_call_id": id, "content": "ok"}


def uses(*ids):
    thinking = {"type": "thinking", "thinking": "hm", "signature": "x"}
    blocks = [{"type": "tool_use", "id": each, "name": "look", "input": {}} for each in ids]
    return {"role": "assistant", "content": [thinking, {"type": "text", "text": "wait"}, *blocks]}


def used(*ids):
    return {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": each, "content": "ok"} for each in ids],
    }


def exchange(number=0):
    return [user(f"q{number}"), said(f"a{number}")]


def flat(parts):
    return [item for part in parts for item in part]


def is_paired(bodies, *, pending=False):
    """Tell whether each call has exactly one result after it, each result its call before it, in one turn."""
    waiting = []
    for body in bodies:
        shape = classify(body)
        if shape.kind == "user" and waiting:
            return False
        for ref in shape.answers:
            if ref not in waiting:
                return False
            waiting.remove(ref)
        for ref in shape.opens:
            if ref in waiting:
                return False
            waiting.append(ref)
        if shape.kind == "result" and not shape.answers:
            return False
    return pending or not waiting


IDS = st.sampled_from(["a", "b", "c"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | IDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "role",
                    "id",
                    "call_id",
                    "content",
                    "tool_calls",
                    "tool_use_id",
                    "function_call",
                    "x",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
TYPES = [
    "message", "reasoning", "function_call", "function_call_output", "computer_call", "computer_call_output",
    "local_shell_call_output", "mcp_approval_request", "mcp_approval_response", "web_search_call", "tool_search_call",
    "tool_search_output", "new_call", "new_call_output", "compaction", "", 7, None, ["user"],
]  # fmt: skip
ROLES = ["user", "assistant", "system", "developer", "tool", "function", "model", "critic", 3, None, {}]
JUNK = st.builds(
    lambda base, type_, role: {**base, "type": type_, "role": role},
    st.dictionaries(
        st.sampled_from(["id", "call_id", "tool_calls", "content", "name", "function_call"]), JSON, max_size=4
    ),
    st.sampled_from(TYPES),
    st.sampled_from(ROLES),
)
ITEM = st.one_of(
    st.builds(user, st.sampled_from(["hello", "Earlier turns were left out."])),
    st.builds(said),
    st.builds(thought),
    st.builds(system),
    st.builds(call, IDS),
    st.builds(result, IDS, st.sampled_from(["ok", "x" * 50])),
    st.builds(lambda ids: asks(*ids), st.lists(IDS, max_size=3)),
    st.builds(tool, IDS),
    st.builds(lambda ids: uses(*ids), st.lists(IDS, max_size=3)),
    st.builds(lambda ids: used(*ids), st.lists(IDS, max_size=3)),
    st.just({"type": "web_search_call", "id": "ws", "status": "completed"}),
    st.just({"type": "compaction", "encrypted_content": "…"}),
    JUNK,
)


@st.composite
def parallel_calls(draw):
    """One step as a framework writes it: perhaps reasoning, then n calls and their results in any order."""
    ids = draw(st.lists(IDS, min_size=1, max_size=3, unique=True))
    answers = draw(st.permutations(ids))
    before = draw(st.sampled_from([[], [thought()], [thought(), said()], [said()]]))
    match draw(st.sampled_from(["responses", "chat", "one message", "blocks"])):
        case "responses":
            return [*before, *map(call, ids), *map(result, answers)]
        case "chat":
            return [asks(*ids), *map(tool, answers)]
        case "one message":
            return [uses(*ids), used(*answers)]
        case _:
            return [uses(*ids), *map(used, answers)]


@st.composite
def broken(draw, parts):
    """What is left of a log after items of it were lost or came twice."""
    log = flat(draw(parts))
    return [item for item in log for _ in range(draw(st.sampled_from([1, 1, 1, 1, 0, 2])))]


TURN = st.lists(parallel_calls() | st.just([said()]), max_size=4).map(lambda steps: [user(), *flat(steps)])
GOOD_LOGS = st.lists(TURN, max_size=5).map(flat)
LOGS = st.one_of(
    st.lists(ITEM, max_size=30),
    broken(st.lists(TURN | parallel_calls(), max_size=5)),
    st.lists(TURN | parallel_calls() | ITEM.map(lambda item: [item]), max_size=10).map(flat),
)
