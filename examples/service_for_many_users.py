"""A FastAPI service whose users cannot see each other's memories: an AsyncMemory, narrowed to who asks each time.

pip install 'bethink[server]'; python examples/service_for_many_users.py, or uvicorn with examples.…:app
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, FastAPI, Header, HTTPException

from bethink import AsyncMemory, AsyncScope, NotFoundError, Principal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with AsyncMemory("service.db") as memory:
        app.state.memory = memory
        yield


app = FastAPI(lifespan=lifespan)


def mine(x_user: Annotated[str, Header()]) -> AsyncScope:
    """Return the memory of who asks. Yours reads a session or a token; a header is for this example."""
    return app.state.memory.acting_as(Principal(x_user)).scope(agent="travel", user=x_user)


@app.post("/notes", status_code=201)
async def remember(text: str, memory: Annotated[AsyncScope, Depends(mine)]) -> str:
    return (await memory.remember(text)).id


@app.get("/notes")
async def notes(memory: Annotated[AsyncScope, Depends(mine)]) -> list[str]:
    return [note.text for note in await memory.notes()]


@app.delete("/notes/{note}")
async def forget(note: str, memory: Annotated[AsyncScope, Depends(mine)]) -> str:
    try:
        return (await memory.forget(note)).status
    except NotFoundError as missing:
        raise HTTPException(404, str(missing)) from missing


def main() -> None:
    from fastapi.testclient import TestClient

    with TestClient(app) as client:
        note = client.post(
            "/notes", params={"text": "Prefers aisle seats."}, headers={"x-user": "alice"}
        ).json()
        print("alice:", client.get("/notes", headers={"x-user": "alice"}).json())
        print("bob:", client.get("/notes", headers={"x-user": "bob"}).json())
        print("bob deletes alice's:", client.delete(f"/notes/{note}", headers={"x-user": "bob"}).status_code)


if __name__ == "__main__":
    main()
