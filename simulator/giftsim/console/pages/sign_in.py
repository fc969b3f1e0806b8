"""The sign-in page, for consoles beyond loopback: the control token begins a session, kept in a cookie."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, make_response, redirect, request

from giftsim.console.control_client import SESSION_COOKIE, SESSIONS, current_control
from giftsim.console.page import is_own_path, plain_page
from giftsim.engine.client.control import Control, bearer_headers

BLUEPRINT = Blueprint("sign_in", __name__)


@BLUEPRINT.get("/console/sign-in")
def show() -> Response:
    """The form for the token."""
    return plain_page("sign_in.html", then=_target(request.args.get("then")), failed=False)


@BLUEPRINT.post("/console/sign-in")
def submit() -> Response:
    """Begin a session for a token that the control API accepts, and return to the page the user wanted."""
    token, then = request.form.get("token", "").strip(), _target(request.form.get("then"))
    control = Control(current_control().client, {"Host": request.host, **bearer_headers(token)})
    if not (token.isprintable() and control.call("GET", "/worlds?limit=1").is_success):
        return plain_page("sign_in.html", 403, then=then, failed=True)
    response, sessions = make_response(redirect(then, 303)), current_app.extensions[SESSIONS]
    is_secure = sessions.origin().startswith("https:")
    response.set_cookie(SESSION_COOKIE, sessions.begin(), httponly=True, samesite="Strict", secure=is_secure, path="/")
    return response


@BLUEPRINT.post("/console/sign-out")
def sign_out() -> Response:
    """Forget the session."""
    response = make_response(redirect("/console/sign-in", 303))
    response.delete_cookie(SESSION_COOKIE, path="/")
    return response


def _target(then: str | None) -> str:
    return then if then and is_own_path(then) else "/"
