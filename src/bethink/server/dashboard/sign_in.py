"""Sign in with an API key or a token, and sign out."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from bethink.server.browser_sessions import COOKIE, LONGEST, SECURE_COOKIE
from bethink.server.dashboard.dependencies import Form, away, html
from bethink.server.dashboard.urls import SIGN_IN, is_here
from bethink.server.problems import HttpError
from bethink.server.services import services

router = APIRouter()


@router.get(SIGN_IN)
async def ask(request: Request, next: str = "/") -> Response:  # noqa: A002 - the word of the address
    """Show the form; where nobody needs to sign in there is none."""
    if services(request).browser_sessions is None:
        return away(request, "/")
    return html(request, "sign_in.html", next=next if is_here(next) else "/", wrong="")


@router.post(SIGN_IN)
async def sign_in(request: Request, form: Form) -> Response:
    """Begin a browser session, and go where the person wanted to go."""
    browser_sessions, to = services(request).browser_sessions, form["next"] if is_here(form["next"]) else "/"
    if browser_sessions is None:
        return away(request, "/")
    try:
        browser_session = await browser_sessions.begin(form["credential"].strip())
    except HttpError as error:
        wrong = "This key or token is not valid." if error.status == 401 else str(error)  # noqa: PLR2004
        return html(request, "sign_in.html", error.status, next=to, wrong=wrong)
    answer = away(request, to)
    secure = request.url.scheme == "https"
    answer.set_cookie(
        SECURE_COOKIE if secure else COOKIE,
        browser_sessions.write(browser_session),
        max_age=LONGEST,
        secure=secure,
        httponly=True,
        samesite="strict",
    )
    return answer


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    """End the browser session, in every process of the store and in the browser."""
    sessions = services(request).browser_sessions
    browser_session = getattr(request.state, "browser_session", None)
    if browser_session is not None and sessions is not None:
        await sessions.end(browser_session, request.state.memory)
    answer = away(request, SIGN_IN)
    for name, secure in ((COOKIE, False), (SECURE_COOKIE, True)):
        answer.delete_cookie(name, secure=secure, httponly=True, samesite="strict")
    return answer
