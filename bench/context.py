"""Play sessions through the OpenAI Agents SDK, and count what of each prompt is the same as the turn before.

    python bench/context.py [--path SESSIONS.json] [--seed N] [--no-server] [--json]

Without a path thirty sessions are made up from a few hundred sentences: ten short ones, ten of about forty messages,
ten of 60 to 150, with tool calls in between and notes that the agent keeps while it talks. A path holds sessions of
your own: a JSON list of lists of messages (`role` and `content`, or any items of the Responses API). All are held with
one user, one after the other, and each is consolidated at its end.

`shared` is the part of the turns in which policy, profile and core notes are those of the turn before, and the whole
history that was sent then begins the history that is sent now. `tokens` are those of the context, by the estimate that
Bethink counts with. The time of a context beside that of a warm recall is the processor's, of this thread, with 1,000
notes in memory; through the server it is the clock's, of requests in turn within one process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from agents import Agent, FunctionTool, RunConfig, set_tracing_disabled
from agents.testing import ModelStep, assistant_message, function_call
from measure import TOLD

from bethink import AsyncMemory, Memory
from bethink.integrations.openai_agents import memory_instructions, memory_tools, run, windowed
from bethink.server.app import create_app
from bethink.server.options import Options, Work
from bethink.sessions.item_kinds import classify
from bethink.sessions.token_counts import estimate_tokens
from bethink.testing.models import Script

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bethink.memory.scope import AsyncScope

Item = dict[str, Any]
PROMPT = "You are a travel concierge. Be brief."
NOTES = 1_000
ROUNDS = 150
LENGTHS = [
    *([8, 10, 12, 16, 20] * 2),
    *([36, 40, 44, 48, 40] * 2),
    *[60, 70, 80, 100, 104, 110, 120, 126, 140, 150],
]
PLACES = [
    "Paris",
    "Rome",
    "Oslo",
    "Lisbon",
    "Berlin",
    "Tokyo",
    "Madrid",
    "Vienna",
    "Prague",
    "Athens",
    "Dublin",
    "Bergen",
]
THINGS = [
    "aisle seats",
    "window seats",
    "vegetarian food",
    "quiet rooms",
    "high floors",
    "early flights",
    "night trains",
]
STATED = ("I prefer {thing}.", "I am allergic to walnuts.", "My sister lives in {place}.", "I always travel light.",
          "From now on answer in short sentences.", "I work in {place}.", "I like {thing} on long trips.")  # fmt: skip
ASKED = ("What about {place} in May?", "Which hotel in {place} has {thing}?", "Can you look for {thing}?",
         "How long is the flight to {place}?", "And what does that cost?", "Is there something cheaper?",
         "What do I like, {thing}?", "Thanks, go on.", "Book the one in {place}.")  # fmt: skip
ANSWERED = ("There are three in {place}, the nearest is ten minutes from the station.", "That is about 140 euros.",
            "Noted, I look for {thing}.", "It takes three hours, with one change in {place}.")  # fmt: skip


def made_up(seed: int) -> list[list[Item]]:
    """Return sessions as somebody might have held them."""
    rng = random.Random(seed)

    def some(lines: Sequence[str]) -> str:
        return rng.choice(lines).format(place=rng.choice(PLACES), thing=rng.choice(THINGS))

    sessions: list[list[Item]] = []
    for length in rng.sample(LENGTHS, len(LENGTHS)):
        items: list[Item] = []
        while len(items) < length:
            stated = rng.random() < 0.25
            items.append({"role": "user", "content": some(STATED if stated else ASKED)})
            if stated and rng.random() < 0.3:
                given = {"key": f"note-{rng.randrange(10**6)}", "content": items[-1]["content"]}
                items += _call(rng, "remember", given, "Stored memory.")
            elif rng.random() < 0.2:
                items += _call(rng, "look_up", {"text": some(ASKED)}, some(ANSWERED) * 4)
            items.append({"role": "assistant", "content": some(ANSWERED)})
        sessions.append(items)
    return sessions


def _call(rng: random.Random, name: str, given: Item, output: str) -> list[Item]:
    number = f"call_{rng.randrange(10**9)}"
    called = {"type": "function_call", "call_id": number, "name": name, "arguments": json.dumps(given)}
    return [called, {"type": "function_call_output", "call_id": number, "output": output}]


def read(path: Path) -> list[list[Item]]:
    """Return the sessions of a file."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return [each["items"] if isinstance(each, dict) else each for each in found]


def turns_of(items: Sequence[Item]) -> list[tuple[str, list[ModelStep], dict[str, list[str]]]]:
    """Return for each turn what the user says, what the model is to answer, and what its tools are to say."""
    found: list[tuple[str, list[ModelStep], dict[str, list[str]]]] = []
    outputs = {
        each["call_id"]: each.get("output", "")
        for each in items
        if each.get("type") == "function_call_output"
    }
    for item in items:
        if classify(item).kind == "user":
            found.append((_text(item), [], {}))
        elif found and item.get("type") == "function_call":
            _, steps, told = found[-1]
            call = function_call(item["name"], item["arguments"], call_id=item["call_id"])
            steps.append(ModelStep(output=[call]))
            told.setdefault(item["name"], []).append(str(outputs.get(item["call_id"], "")))
        elif found and item.get("role") == "assistant" and _text(item):
            found[-1][1].append(ModelStep(output=[assistant_message(_text(item))]))
    for number, (text, steps, told) in enumerate(found):
        calls = [step for step in steps if step.output and step.output[0].type == "function_call"]
        said = [step for step in steps if step not in calls][-1:] or [
            ModelStep(output=[assistant_message("Yes.")])
        ]
        found[number] = text, [*calls, *said], told
    return [turn for turn in found if turn[0].strip()]


def _text(item: Item) -> str:
    content = item.get("content")
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return " ".join(text for text in texts if isinstance(text, str))


def tool(name: str, told: list[str]) -> FunctionTool:
    """Return a tool that answers what it answered in the session."""

    async def invoke(_: Any, __: str) -> str:
        return told.pop(0) if told else ""

    schema = {"type": "object", "properties": {}, "additionalProperties": True}
    return FunctionTool(name=name, description=name, params_json_schema=schema, on_invoke_tool=invoke,
                        strict_json_schema=False)  # fmt: skip


async def play(scope: AsyncScope, number: int, items: list[Item]) -> list[tuple[str, list[Item]]]:
    """Hold a session, and return of each turn the instructions and the input of its first model call."""
    session = scope.session(f"s{number}")
    sent: list[tuple[str, list[Item]]] = []
    own = memory_tools(scope, session=session)
    instructions = memory_instructions(PROMPT, scope, session=session)
    for text, steps, told in turns_of(items):
        others = [tool(name, said) for name, said in told.items() if name not in {each.name for each in own}]
        with Script(*steps) as model:
            guide = Agent(name="guide", model=model, instructions=instructions, tools=[*own, *others])
            config = RunConfig(session_input_callback=windowed())
            await run(guide, text, session=session, run_config=config)
            sent.append((model.prompts[0], model.inputs[0]))
    await scope.consolidate(f"s{number}")
    return sent


def history(input_: list[Item]) -> list[str]:
    """Return what was sent before the message of the turn, and before what memory put there."""
    users = [place for place, item in enumerate(input_) if classify(item).kind == "user"]
    end = users[-1]
    if len(users) > 1 and users[-2] == end - 1 and _text(input_[end - 1]).startswith("<memories>"):
        end -= 1
    return [json.dumps(item, sort_keys=True) for item in input_[:end]]


async def held(sessions: list[list[Item]]) -> None:
    """Hold all sessions, and tell what of the prompts was shared."""
    shared: list[bool] = []
    tokens: list[int] = []
    saved: list[float] = []
    started: list[bool] = []
    async with AsyncMemory(":memory:") as memory:
        scope = memory.scope(agent="concierge", user="alice")
        await scope.profile.update(
            {"name": "Alice", "home_city": "San Francisco", "seat_preference": "aisle"}
        )
        for number, items in enumerate(sessions):
            sent = await play(scope, number, items)
            for prompt, input_ in sent:
                behind = [_text(item) for item in input_ if _text(item).startswith("<memories>")]
                tokens.append(sum(map(estimate_tokens, [prompt.removeprefix(PROMPT), *behind])))
            for (prompt, before), (following, after) in pairwise(sent):
                one, other = history(before), history(after)
                shared.append(prompt == following and other[: len(one)] == one)
                started.append(prompt == following)
                saved.append(_common([prompt, *one], [following, *other]))
        total = (await scope.notes(limit=1)).total
    long = sum(len(items) > 100 for items in sessions)
    TOLD.tell(
        f"{len(sessions)} sessions, {long} of more than 100 messages, {len(tokens)} turns, {total} notes at the end"
    )
    TOLD.tell(
        f"prefix shared with the turn before {statistics.mean(shared):8.1%}", shared=statistics.mean(shared)
    )
    TOLD.tell(
        f"policy, profile and core shared    {statistics.mean(started):8.1%}", head=statistics.mean(started)
    )
    TOLD.tell(
        f"of prompt and history, the same    {statistics.mean(saved):8.1%}", same=statistics.mean(saved)
    )
    TOLD.tell(
        f"tokens of a context, median        {statistics.median(tokens):8.0f}",
        tokens=statistics.median(tokens),
    )
    TOLD.tell(f"tokens of a context, most          {max(tokens):8.0f}", most_tokens=max(tokens))


def _common(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the part of what is sent now that begins as it was sent before."""
    size = 0
    for mine, its in zip(one, other, strict=False):
        if mine != its:
            size += next(
                (at for at, pair in enumerate(zip(mine, its, strict=False)) if pair[0] != pair[1]), 0
            )
            break
        size += len(mine)
    return size / max(sum(map(len, one)), 1)


def sentences(seed: int) -> list[str]:
    rng = random.Random(seed)
    return [
        f"Likes {rng.choice(THINGS)} in {rng.choice(PLACES)}, number {number}." for number in range(NOTES)
    ]


def question(rng: random.Random) -> str:
    return rng.choice(ASKED).format(place=rng.choice(PLACES), thing=rng.choice(THINGS))


def beside_recall(seed: int) -> None:
    """Tell how long a context takes beside a recall, in one process."""
    rng = random.Random(seed)
    with Memory(":memory:") as memory:
        scope = memory.scope(user="alice")
        for text in sentences(seed):
            scope.remember(text)
        talk = [{"role": role, "content": question(rng)} for _ in range(60) for role in ("user", "assistant")]
        scope.session("long").append(talk)
        calls: dict[str, Callable[[str], object]] = {
            "recall": scope.recall,
            "context": lambda query: scope.context(query=query),
            "context of a session": lambda query: scope.context(query=query, session="long"),
        }
        taken: dict[str, list[float]] = {name: [] for name in calls}
        for turn in range(2 * ROUNDS):
            query = question(rng)
            for name, call in calls.items():
                began = time.thread_time()
                call(query)
                if turn >= ROUNDS:
                    taken[name].append(time.thread_time() - began)
    _tell_times("in process", taken)


async def through_the_server(seed: int) -> None:
    """Tell the same of requests to a server."""
    rng = random.Random(seed)
    app = create_app(Options(db=":memory:", work=Work(here=False)))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost/v1") as client:
            root = "/scopes/agent:default:u:noop"
            for text in sentences(seed):
                (await client.post(f"{root}/notes", json={"text": text})).raise_for_status()
            calls: dict[str, Callable[[str], Awaitable[httpx.Response]]] = {
                "recall": lambda query: client.post(f"{root}/recall", json={"query": query}),
                "context": lambda query: client.post(f"{root}/context", json={"query": query}),
            }
            taken: dict[str, list[float]] = {name: [] for name in calls}
            for turn in range(2 * ROUNDS):
                query = question(rng)
                for name, call in calls.items():
                    began = time.perf_counter()
                    (await call(query)).raise_for_status()
                    if turn >= ROUNDS:
                        taken[name].append(time.perf_counter() - began)
    _tell_times("through the server", taken)


def _tell_times(where: str, taken: dict[str, list[float]]) -> None:
    floor = statistics.median(taken["recall"])
    for name, times in taken.items():
        median = statistics.median(times)
        TOLD.tell(
            f"{where}: {name:<22} {median * 1e3:8.2f} ms   × {median / floor:.2f}",
            where=where, name=name, milliseconds=median * 1e3, recalls=median / floor,
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--path", type=Path, help="sessions to hold in the place of those made up")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-server", action="store_true", help="leave out the requests")
    TOLD.add_option(parser)
    given = parser.parse_args()
    TOLD.choose(given)
    set_tracing_disabled(True)
    asyncio.run(held(made_up(given.seed) if given.path is None else read(given.path)))
    beside_recall(given.seed)
    if not given.no_server:
        asyncio.run(through_the_server(given.seed))
    TOLD.end()


if __name__ == "__main__":
    main()
