"""Who is asking: the session's token in Flask's signed cookie, its account in the database."""

import logging
import secrets
from datetime import datetime
from typing import cast

from flask import Flask, Response, current_app, g, session
from flask_wtf.csrf import generate_csrf

from app.config import Settings
from app.services.accounts import sessions, sign_in
from app.services.accounts.actors import Actor
from app.services.operations.database_binding import NOT_WRITTEN
from app.services.refusals import NotAllowed
from app.web.middleware.problem_responses import SignInRequired
from app.workflow.separation_of_duties import SeparationOfDuties

_log = logging.getLogger(__name__)
_TOKEN = "token"  # noqa: S105 — the name of the cookie's member
_MARK = "mark"


def settings() -> Settings:
    """The settings of the application that answers."""
    return cast(Settings, current_app.extensions["settings"])


def now() -> datetime:
    """The moment, by the clock that the factory chose."""
    return cast(datetime, current_app.extensions["now"]())


def signing_secret() -> str:
    """The secret of all hosts of this registry."""
    return str(current_app.secret_key)


def separation() -> SeparationOfDuties:
    """Which tasks of a registration one person may not have together."""
    return SeparationOfDuties(settings().people_needed)


def current_actor() -> Actor | None:
    """Who is signed in, if anybody; looked up once for each request."""
    if "actor" not in g:
        token = present_token()
        g.actor = sign_in.who(token, now()) if token else None
    return cast(Actor | None, g.actor)


def present_token() -> str:
    """The token of this browser's session, if it may be one."""
    token = str(session.get(_TOKEN, ""))
    return token if token.isascii() else ""


def required_actor() -> Actor:
    """Who is signed in; SignedOut sends everybody else to the sign-in form."""
    actor = current_actor()
    if actor is None:
        raise SignInRequired
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


def enter(entered: sign_in.SignInResult) -> None:
    """Let this browser act for an account. Whoever it acted for before is out.

    The token for forms is made here, so that two pages opened at once do not make two.
    """
    leave()
    session[_TOKEN] = entered.token
    session.permanent = True
    generate_csrf()


def leave() -> None:
    """End the session, here and in the database."""
    token = session.get(_TOKEN)
    if token:
        sign_in.leave(token, now())
    session.clear()
    _forget()


def marked(text: str) -> str:
    """A text with a mark of this browser, to be known again when its link is used."""
    return f"{session.setdefault(_MARK, secrets.token_urlsafe(16))}\n{text}"


def unmarked(text: str) -> tuple[bool, str]:
    """Whether a text was marked by this browser, and the text.

    Whoever asks for a link to somebody else's address could put words into their mouth.
    """
    mark, _, rest = text.partition("\n")
    return bool(mark) and mark == session.get(_MARK), rest


def install(app: Flask) -> None:
    """Note when a session is used, once an answer is made."""
    app.after_request(_note_use)


def _note_use(response: Response) -> Response:
    """In a transaction of its own, since reading writes nothing; no answer fails by it."""
    actor: Actor | None = g.get("actor")
    if actor is not None:
        try:
            sessions.note_use(actor, present_token(), now())
        except NOT_WRITTEN as error:
            _log.warning("the use of a session was not noted: %s", error.orig)
    return response


def _forget() -> None:
    """Look the actor up again, and make another token for forms, since both changed."""
    g.pop("actor", None)
    g.pop(current_app.config["WTF_CSRF_FIELD_NAME"], None)
