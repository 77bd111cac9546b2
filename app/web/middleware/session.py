"""Who is asking: the session's token in Flask's signed cookie, its account in the database."""

import logging
import secrets
from datetime import datetime
from typing import cast

from flask import Flask, Response, current_app, g, session
from flask_wtf.csrf import generate_csrf

from app.bundles.given_numbers import GivenNumberFolder
from app.config import Settings
from app.problems import use_case_codes
from app.services.accounts import sign_in
from app.services.accounts.actors import Actor
from app.services.operations.database_binding import NOT_WRITTEN
from app.services.operations.heartbeats import find_identity
from app.services.policy import Policy, policy_of
from app.services.refusals import NotAllowed
from app.web.middleware import actor_sources
from app.web.middleware.form_blueprints import is_unguarded_change
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


def policy() -> Policy:
    """By which rules this registry works."""
    return policy_of(settings(), signing_secret())


def given_numbers() -> GivenNumberFolder:
    """The numbers that names were given by, as this host keeps them beside the database."""
    return GivenNumberFolder(settings().given_numbers_dir)


def separation_rule() -> SeparationOfDuties:
    """Which tasks of a registration one person may not have together."""
    return policy().procedures.separation


def current_actor() -> Actor | None:
    """Who is signed in, if anybody; looked up once for each request."""
    return actor_sources.find_actor(now())


class SessionActors:
    """Actors by the sessions of browsers.

    A session counts for nothing where something is changed without a form's token: a browser
    sends its cookie along with what another site made it send.
    """

    def find_actor(self, at: datetime) -> Actor | None:
        """Whose session the request is of."""
        token = "" if is_unguarded_change() else present_token()
        return sign_in.who(token, at) if token else None

    def note_use(self, actor: Actor, at: datetime) -> None:
        """Note that the session is used."""
        sign_in.note_use(actor, present_token(), at)


def present_token() -> str:
    """The token of this browser's session, if it may be one."""
    token = str(session.get(_TOKEN, ""))
    return token if token.isascii() else ""


def required_actor() -> Actor:
    """Who is signed in; SignInRequired sends everybody else to the sign-in form."""
    actor = current_actor()
    if actor is None:
        raise SignInRequired
    return actor


def required_operator() -> Actor:
    """Who is signed in, if they run the registry."""
    actor = required_actor()
    if not actor.is_operator:
        raise NotAllowed(use_case_codes.OPERATORS_ONLY, "Only operators can open the desk.")
    return actor


def required_expert() -> Actor:
    """Who is signed in, if they review requests."""
    actor = required_actor()
    if not actor.is_expert:
        raise NotAllowed(use_case_codes.EXPERTS_ONLY, "Only experts can open this page.")
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
    """Find actors by their sessions, and note when one is used, once an answer is made."""
    actor_sources.install(app, (SessionActors(),))
    app.after_request(_note_use)


def _note_use(response: Response) -> Response:
    """In a transaction of its own, since reading writes nothing; no answer fails by it."""
    try:
        actor_sources.note_use(now())
    except NOT_WRITTEN as error:
        _log.warning("last use of a session was not saved: %s", error.orig)
    return response


def _forget() -> None:
    """Look the actor up again, and make another token for forms, since both changed."""
    actor_sources.forget_actor()
    g.pop(current_app.config["WTF_CSRF_FIELD_NAME"], None)


def this_host() -> str | None:
    """Who this host is among the registry's; None until a worker ran on it."""
    return find_identity(settings().data_dir)
