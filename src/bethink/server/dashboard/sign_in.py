"""Sign in with a key or a token, and out again."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from bethink.server.browser_sessions import COOKIE, LONGEST, SECURE_COOKIE
from bethink.server.dashboard.addresses import SIGN_IN, is_here
from bethink.server.dashboard.dependencies import Form, away, html
from bethink.server.problems import HttpError

router = APIRouter()


@router.get(SIGN_IN)
async def ask(request: Request, next: str = "/") -> Response:  # noqa: A002 - the word of the address
    """Show the form; where nobody needs to sign in there is none."""
    if request.app.state.visits is None:
        return away(request, "/")
    return html(request, "sign_in.html", next=next if is_here(next) else "/", wrong="")


@router.post(SIGN_IN)
async def sign_in(request: Request, form: Form) -> Response:
    """Begin a visit, and go where the person wanted to go."""
    visits, to = request.app.state.visits, form["next"] if is_here(form["next"]) else "/"
    if visits is None:
        return away(request, "/")
    try:
        visit = await visits.begin(form["credential"].strip())
    except HttpError as error:
        wrong = "This key or token is not valid." if error.status == 401 else str(error)  # noqa: PLR2004
        return html(request, "sign_in.html", error.status, next=to, wrong=wrong)
    answer = away(request, to)
    secure = request.url.scheme == "https"
    answer.set_cookie(
        SECURE_COOKIE if secure else COOKIE,
        visits.write(visit),
        max_age=LONGEST,
        secure=secure,
        httponly=True,
        samesite="strict",
    )
    return answer


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    """End the visit, in every process of the store and in the browser."""
    visit = getattr(request.state, "visit", None)
    if visit is not None:
        await request.app.state.visits.end(visit, request.state.memory)
    answer = away(request, SIGN_IN)
    for name, secure in ((COOKIE, False), (SECURE_COOKIE, True)):
        answer.delete_cookie(name, secure=secure, httponly=True, samesite="strict")
    return answer
