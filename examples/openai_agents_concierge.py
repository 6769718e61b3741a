"""A travel concierge on the OpenAI Agents SDK that remembers, without a network.

    python examples/openai_agents_concierge.py [FILE]

A scripted model plays the part of the language model, so the example needs no key and no network: give the agent
any model of the SDK in its place. What is stored, chosen and consolidated is Bethink's own doing.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from agents import Agent, RunConfig, set_tracing_disabled

from bethink import AsyncMemory
from bethink.integrations.openai_agents import (
    MemoryHooks,
    conversation,
    memory_instructions,
    memory_tools,
    run,
    windowed,
)
from bethink.testing.models import Script, calls, says

BASE = """You are a concise, reliable travel concierge for flights, hotels and cars.
Ask one focused question at a time, offer few options with their trade-offs, and restate everything before booking."""

PROFILE = {
    "global_customer_id": "crm_12345",
    "name": "John Doe",
    "home_city": "San Francisco",
    "currency": "USD",
    "loyalty_status": {"airline": "United Gold", "hotel": "Marriott Titanium"},
    "seat_preference": "aisle",
    "tone": "concise and friendly",
}
NOTES = (
    ("For trips shorter than a week, prefers not to check bags.", "baggage", 2025),
    ("Usually prefers aisle seats.", "seat", 2024),
    ("Likes central, walkable neighborhoods.", "neighborhood", 2024),
    ("Prefers high floors.", "room", 2023),
)
FIRST_TRIP = Script(
    says("Where do you leave from, and on which dates?"),
    says("You like aisle seats, no checked bags on short trips, and central neighborhoods."),
    calls("save_memory_note", text="Is vegetarian.", keywords=["dietary"]),
    says("I will ask for vegetarian meals."),
    calls("save_memory_note", text="This trip only: prefers a window seat to sleep.", keywords=["seat"]),
    says("A window seat for this trip, then."),
)
NEXT_TRIP = Script(says("A vegetarian meal and an aisle seat, as usual?"))


def concierge(model: Script, scope, session: str) -> Agent:
    return Agent(
        name="Travel Concierge",
        model=model,
        instructions=memory_instructions(BASE, scope, session=session, turns=2),
        hooks=MemoryHooks(scope),
        tools=memory_tools(scope, session=session, families=("notes",)),
    )


async def talk(scope, name: str, model: Script, *texts: str) -> None:
    """Hold a conversation: it is trimmed to two turns, and what was learned is consolidated at its end."""
    config = RunConfig(session_input_callback=windowed(turns=2))
    async with conversation(scope, name) as session:
        for text in texts:
            result = await run(concierge(model, scope, name), text, session=session, run_config=config)
            print(f"  user: {text}\n  concierge: {result.final_output}")
        staged = await scope.notes(session=name)
        print("  staged:", [note.text for note in staged])
    model.assert_complete()


async def main(path: str) -> None:
    set_tracing_disabled(True)
    async with AsyncMemory(path) as memory:
        memory.profile_schema(None, hidden={"global_customer_id"})
        john = memory.scope(agent="concierge", user="john")
        await john.profile.update(PROFILE)
        for text, keyword, year in NOTES:
            await john.remember(text, keywords=[keyword], valid_from=datetime(year, 6, 1, tzinfo=UTC))

        print("The first trip")
        await talk(
            john,
            "trip-to-paris",
            FIRST_TRIP,
            "Book me a flight to Paris next month.",
            "Do you know my preferences?",
            "Remember that I am vegetarian.",
            "This time, I like to have a window seat. I really want to sleep.",
        )
        (plan,) = await john.plans()
        print(f"\nConsolidated\n{plan}\n\nWhat is known now")
        for note in await john.notes():
            print(f"  - {note.text}")

        print("\nThe next trip")
        await talk(john, "trip-to-rome", NEXT_TRIP, "Rome in May, please.")
        print("\nWhat the model was told\n" + NEXT_TRIP.prompts[0])
        for each in await john.session("trip-to-paris").usage():
            print(
                f"  items {each.first}-{each.last}: {each.tokens_in} tokens read, {each.tokens_out} written"
            )


if __name__ == "__main__":
    named = sys.argv[1:2] or [str(Path(tempfile.mkdtemp(prefix="bethink-")) / "concierge.db")]
    asyncio.run(main(named[0]))
