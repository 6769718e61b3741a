"""What a user writes, as a type checker reads it: never run, only checked."""

from typing import Any, assert_type

from bethink import AsyncMemory, Head, Item, Memory, Note, Page, Principal, Recall, SessionInfo


def blocking() -> None:
    with Memory("memory.db", tenant="acme") as memory:
        assert_type(memory, Memory)
        assert_type(memory.acting_as(Principal("alice")), Memory)
        scope = memory.scope(agent="concierge", user="alice")
        assert_type(scope.remember("Prefers aisle seats.", keywords=["seat"]), Note)
        assert_type(scope.notes(category="core"), Page[Note])
        assert_type(scope.get("seat"), Note | None)
        found = scope.recall("seat?")
        assert_type(found, Recall)
        assert_type([hit.text for hit in found], list[str])
        session = scope.session("trip")
        assert_type(session.session_id, str)
        assert_type(session.append([{"role": "user", "content": "Hi"}]), Head)
        assert_type(session.window(messages=50), list[dict[str, Any]])
        assert_type(session.items(), Page[Item])
        assert_type(session.fork(None, "copy").info(), SessionInfo | None)
        with session.turn() as turn:
            assert_type(turn.head, Head | None)
        assert_type([tool.call({"key": "seat"}) for tool in scope.tools(("private", "notes"))], list[str])


async def awaited() -> None:
    async with AsyncMemory("memory.db") as memory:
        assert_type(memory, AsyncMemory)
        scope = memory.scope(user="alice")
        assert_type(await scope.remember("Prefers aisle seats."), Note)
        assert_type((await scope.sessions())[0], SessionInfo)
        async with scope.session().turn() as turn:
            await turn.add_items([{"role": "user", "content": "Hi"}])
