"""The chat page and the session picker."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from bethink.errors import BethinkError, InvalidError
from bethink.scope.labels import label
from bethink.server.dashboard import urls as to
from bethink.server.dashboard.dependencies import Chosen, Form, Talk, away, html, is_part
from bethink.server.dashboard.items import entries
from bethink.server.dashboard.models import answering
from bethink.server.dependencies import Cursor, Registered
from bethink.server.problems import status_of
from bethink.server.resources.chat import EVENTS, streamed
from bethink.server.run_context import panel
from bethink.server.services import services

router = APIRouter(prefix="/agents/{owner}/{name}")
ITEMS = 60  #: items per page of a log
ATTEMPTS = 20
LISTED = 200  #: sessions that the list shows and searches
LONGEST = 100_000  #: characters of a message


@router.get("/chat/{session}")
async def talk(request: Request, agents: Registered, agent: Chosen, session: Talk) -> Response:
    """Show a conversation."""
    return await _page(request, agents, agent, session)


@router.post("/chat/{session}")
async def say(request: Request, agents: Registered, agent: Chosen, session: Talk, form: Form) -> Response:
    """Say something; the answer comes as events to a script, and with the next page to what has none."""
    chat, message = services(request).chat, form["message"]
    if not 1 <= len(message.strip()) <= LONGEST:
        raise InvalidError(
            f"a message must have 1 to {LONGEST} characters", argument="message", limit=LONGEST
        )
    if EVENTS in request.headers.get("accept", ""):
        return await streamed(request, chat.stream(agents, agent, session, message))
    try:
        await chat.turn(agents, agent, session, message)
    except BethinkError as error:
        return await _page(request, agents, agent, session, draft=message, wrong=str(error), error=error)
    return away(request, to.talk(agent, session))


@router.get("/chat/{session}/log")
async def log(
    request: Request, agents: Registered, agent: Chosen, session: Talk, cursor: Cursor = None
) -> Response:
    """Show a page of the log: the newest, or an older one."""
    values = await _log(agents, agent, session, cursor)
    return html(request, "_log.html", agent=agent, session=session, **values)


@router.get("/chat/{session}/state")
async def state(
    request: Request, agents: Registered, agent: Chosen, session: Talk, seen: int = 0
) -> Response:
    """Show whether a turn is being played; where more was said than was seen, the page is told to look again."""
    values = await _state(request, agents, agent, session)
    answer = html(request, "_state.html", agent=agent, session=session, **values)
    if values["revision"] != seen:
        answer.headers["hx-trigger"] = "turn-over, session-changed, memory-changed"
    return answer


@router.get("/chat/{session}/kept")
async def kept(request: Request, agents: Registered, agent: Chosen, session: Talk) -> Response:
    """Show what is kept of a conversation, clause by clause, and what is not and why."""
    scope = agents.scope(agent)
    info = await scope.session(session).info()
    distilled = await scope.distill(session, dry_run=True)
    left = [each for each in distilled.dropped if each.text]
    return html(request, "kept.html", agent=agent, session=session, info=info, distilled=distilled, left=left)


@router.post("/chat/{session}/cancel")
async def cancel(request: Request, agents: Registered, agent: Chosen, session: Talk) -> Response:
    """Cancel the running turn; nothing of it is stored."""
    await services(request).chat.cancel(agents, agent, session)
    if is_part(request):
        values = await _state(request, agents, agent, session)
        return html(request, "_state.html", agent=agent, session=session, **values)
    return away(request, to.talk(agent, session))


@router.post("/chat/{session}/rename")
async def rename(request: Request, agents: Registered, agent: Chosen, session: Talk, form: Form) -> Response:
    """Give a conversation a title."""
    await agents.scope(agent).session(session).rename(form["title"].strip())
    return away(request, to.talk(agent, session))


@router.get("/chat/{session}/delete")
async def ask_delete(request: Request, agents: Registered, agent: Chosen, session: Talk) -> Response:
    """Ask whether a conversation is to be deleted, and what becomes of its notes."""
    handle = agents.scope(agent).session(session)
    notes = (await agents.scope(agent).notes(session=session, limit=1)).total
    info = await handle.info()
    return html(request, "delete_talk.html", agent=agent, session=session, info=info, notes=notes)


@router.post("/chat/{session}/delete")
async def delete(request: Request, agents: Registered, agent: Chosen, session: Talk, form: Form) -> Response:
    """Delete a conversation."""
    await agents.scope(agent).session(session).delete(keep_notes=form["keep_notes"] == "yes")
    return away(request, to.talk(agent, "dashboard"))


@router.post("/sessions")
async def begin(request: Request, agent: Chosen, form: Form) -> Response:
    """Open a conversation; it is kept from its first message on."""
    name = form.word("session") or f"chat-{secrets.token_hex(3)}"
    return away(request, to.talk(agent, label(name, argument="session")))


@router.get("/sessions")
async def listing(
    request: Request,
    agents: Registered,
    agent: Chosen,
    q: Annotated[str, Query(max_length=512)] = "",
    here: Annotated[str, Query(max_length=512)] = "",
) -> Response:
    """List the conversations of an agent, those whose name or title has some letters."""
    return html(request, "_sessions.html", agent=agent, here=here, **await _sessions(agents, agent, q))


@router.get("/panel")
async def memory(request: Request, agents: Registered, agent: Chosen) -> Response:
    """Show what the agent remembers of the caller, in every namespace that it reaches."""
    return html(request, "_panel.html", agent=agent, panel=await panel(agents, agent))


async def _page(
    request: Request,
    agents: Any,
    agent: Any,
    session: str,
    *,
    draft: str = "",
    wrong: str = "",
    error: BethinkError | None = None,
) -> Response:
    return html(
        request,
        "chat.html",
        200 if error is None else status_of(error)[0],
        agent=agent,
        session=session,
        agents=sorted(await agents.all(), key=lambda each: (each.name, each.owner)),
        here=session,
        **await _sessions(agents, agent, ""),
        panel=await panel(agents, agent),
        answering=answering(request, agent),
        draft=draft,
        wrong=wrong,
        **await _state(request, agents, agent, session),
        **await _log(agents, agent, session, None),
    )


async def _log(agents: Any, agent: Any, session: str, cursor: str | None) -> dict[str, Any]:
    handle = agents.scope(agent).session(session)
    page = await handle.items(limit=ITEMS, cursor=cursor)
    attempts: list[Any] = await handle.attempts(limit=ATTEMPTS) if cursor is None else []
    return {"entries": entries(page.entries, attempts), "older": page.next, "total": page.total}


async def _sessions(agents: Any, agent: Any, q: str) -> dict[str, Any]:
    page = await agents.scope(agent).sessions(limit=LISTED)
    wanted = q.strip().casefold()
    found = [each for each in page if wanted in f"{each.id}\n{each.title or ''}".casefold()]
    return {"sessions": found, "q": q, "unlisted": page.total - len(page)}


async def _state(request: Request, agents: Any, agent: Any, session: str) -> dict[str, Any]:
    info = await agents.scope(agent).session(session).info()
    return {
        "info": info,
        "revision": 0 if info is None else info.revision,
        "state": await services(request).chat.state(agents, agent, session),
    }
