"""Who is asking: the session's token in Flask's signed cookie, its account in the database."""

from datetime import datetime
from typing import cast

from flask import current_app, g, request, session

from app.config import Settings
from app.services import sign_in
from app.services.actors import Actor
from app.services.refusals import NotAllowed
from app.web.problems import SignedOut

_TOKEN = "token"  # noqa: S105 — the name of the cookie's member


def settings() -> Settings:
    """The settings of the application that answers."""
    return cast(Settings, current_app.extensions["settings"])


def now() -> datetime:
    """The moment, by the clock that the factory chose."""
    return cast(datetime, current_app.extensions["now"]())


def current_actor() -> Actor | None:
    """Who is signed in, if anybody; looked up once for each request."""
    if "actor" not in g:
        token = session.get(_TOKEN)
        g.actor = sign_in.who(token, now()) if token else None
    return cast(Actor | None, g.actor)


def required_actor() -> Actor:
    """Who is signed in; SignedOut sends everybody else to the sign-in form."""
    actor = current_actor()
    if actor is None:
        raise SignedOut
    return actor


def required_operator() -> Actor:
    """Who is signed in, if they run the registry."""
    actor = required_actor()
    if not actor.is_operator:
        raise NotAllowed("The desk is for the registry’s operators.")
    return actor


def required_expert() -> Actor:
    """Who is signed in, if they review requests."""
    actor = required_actor()
    if not actor.is_expert:
        raise NotAllowed("This page is for the designated experts.")
    return actor


def enter(entered: sign_in.Entered) -> None:
    """Let this browser act for an account. What the cookie held before is dropped."""
    session.clear()
    session[_TOKEN] = entered.token
    session.permanent = True
    forget_actor()


def leave() -> None:
    """End the session, here and in the database."""
    token = session.get(_TOKEN)
    if token:
        sign_in.leave(token, now())
    session.clear()
    forget_actor()


def forget_actor() -> None:
    """Look the actor up again, since they have just come in or gone out."""
    g.pop("actor", None)


def is_own_page(base_url: str) -> bool:
    """Whether a form came from this site's own pages, as far as the browser says."""
    if request.headers.get("Sec-Fetch-Site"):
        return request.headers["Sec-Fetch-Site"] == "same-origin"
    return request.headers.get("Origin") in {base_url, request.host_url.rstrip("/")}
