"""Giving back what somebody typed, where it could not be taken.

Only a form that the browser says came from a page of this site is given back with a
button to go on: another site could have written it. To be copied, the words of one that has the
token of its session are given back too, whatever the browser says or leaves out.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Flask, current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError

from app.problems import page_codes
from app.services.operations.database_binding import (
    NOT_WRITTEN,
    DatabaseNotReady,
    Trouble,
    fault_of,
)
from app.services.operations.demo_people import PEOPLE
from app.services.refusals import Refusal
from app.web.accounts.typed_fields import TypedFields, keep_fields, read_kept
from app.web.forms.sign_in_forms import SignInForm
from app.web.middleware import session
from app.web.middleware.problem_responses import (
    FORM_TOO_OLD,
    ProblemView,
    SignInRequired,
    answer_problem,
    answer_with,
    problem_of,
    wants_page,
)
from app.web.middleware.request_guard import is_from_here, is_of_own_page
from app.web.middleware.site_paths import HOME, asked_path, page_above, safe_path
from app.workflow.engine import ActionRefused

_SIGNED_OUT = ProblemView(
    page_codes.SIGN_IN_NEEDED,
    "You’ve been signed out",
    "You’ve been signed out. Sign in again; your text is kept.",
)
_AWAY = ProblemView(
    page_codes.DATABASE_AWAY,
    "Temporarily unavailable",
    "The database is temporarily unavailable. You can still read the registry. Try again in a "
    "minute.",
)
_NOT_SAVED = {
    Trouble.DISK_FULL: ProblemView(
        page_codes.DATABASE_UNWRITABLE,
        "Nothing can be saved now",
        "The disk of the database is full. Try again later; the operator must free some space "
        "first.",
    ),
    Trouble.READ_ONLY: ProblemView(
        page_codes.DATABASE_UNWRITABLE,
        "Nothing can be saved now",
        "The database accepts no changes. Try again in a minute. If this continues, tell the "
        "operator.",
    ),
    Trouble.BUSY: ProblemView(
        page_codes.DATABASE_UNWRITABLE,
        "The database is busy",
        "The database is busy, so your change wasn’t saved. Try again in a minute.",
    ),
}
_SIGNING_IN = frozenset({"sign_in.ask", "demo.enter_as"})
_TOOLS = frozenset({"template_upload.read", "tools.urns", "tools.nids_in_text"})
REFUSALS = (Refusal, ActionRefused)
_OPEN = _SIGNING_IN | {"sign_in.use", "sign_in.leave", "delegates.use"}


@dataclass(frozen=True, slots=True)
class FormRecoveryNotice:
    """The title and sentence above a recovered text."""

    title: str
    sentence: str


_COPY = "Your text isn’t saved. Copy your text from below."
SIGNED_IN = FormRecoveryNotice(
    "You’re signed in. Submit your text",
    "Your text isn’t saved yet. Check it, then submit it.",
)
BEGUN = FormRecoveryNotice("You’re signed in", "Continue where you left off.")
NOT_YOURS = FormRecoveryNotice(
    "You’re signed in",
    f"This text was written in another browser. {_COPY}",
)
_TOO_OLD = FormRecoveryNotice(
    "Submit your text again",
    "Your text isn’t saved, because you opened the page before you signed in. Check it, then "
    "submit it again.",
)
_LATER = "Your text isn’t saved. Wait a minute, then submit it again."


def typed() -> TypedFields:
    """The fields of the form that came in; none of a form from elsewhere."""
    return _sent() if is_from_here() else TypedFields()


def _sent() -> TypedFields:
    return keep_fields(request.form.items(multi=True))


def recovery_page(
    kept: TypedFields, words: FormRecoveryNotice, action: str = "", there: str = ""
) -> str:
    """A page with a text; without an action it can only be copied, and put in ``there``."""
    back = "" if action or there else page_above()
    shown = {"kept": kept, "words": words, "action": action, "there": there, "back": back}
    return render_template("sign_in/kept.html", **shown)


def sign_in_form(asked: SignInForm, said: str = "", too_long: TypedFields | None = None) -> str:
    """The form that asks for a link, with the text that goes along, or is too long for that."""
    kept = read_kept(asked.kept.data or "")
    asked.next.data, asked.kept.data = safe_path(asked.next.data or HOME), kept.text
    people = PEOPLE if session.settings().demo else ()
    shown = {"people": people, "kept": too_long or kept, "goes_along": too_long is None}
    return render_template("sign_in/form.html", form=asked, said=said, **shown)


def signed_out(_error: SignInRequired) -> ResponseReturnValue:
    """Send a reader to the form; give a writer the form together with what they wrote."""
    if request.method in {"GET", "HEAD"} and wants_page():
        return redirect(url_for("sign_in.form", next=asked_path()), 303)
    kept = typed()
    filled = {"next": _way_back(kept), "kept": kept.text}
    asked = SignInForm(formdata=None, data=filled)
    too_long = kept if kept.is_written and not kept.text else None
    said = _SIGNED_OUT.detail if kept.is_written and not too_long else "Sign in to continue."
    response = answer_with(_SIGNED_OUT, lambda: sign_in_form(asked, said, too_long))
    # RFC 9110 section 15.5.2 asks for a challenge; cookies have no registered one
    response.headers["WWW-Authenticate"] = 'Cookie realm="URN Registry", form-action="/sign-in"'
    return response


def _way_back(kept: TypedFields) -> str:
    path = asked_path()
    return path if kept.text or can_be_read(path) else HOME


def can_be_read(path: str) -> bool:
    """Whether there is a page at a path, or only a form is taken there."""
    return current_app.url_map.bind("").test(urlsplit(path).path, "GET")


def on_csrf(_error: CSRFError) -> ResponseReturnValue:
    """A form without a valid token: most often its session ran out meanwhile."""
    if request.endpoint in _SIGNING_IN:
        return answer_with(FORM_TOO_OLD, _sign_in_again)
    if request.endpoint not in _OPEN:
        if session.current_actor() is None and request.endpoint not in _TOOLS:
            return signed_out(SignInRequired())
        if is_from_here():
            return answer_with(FORM_TOO_OLD, lambda: recovery_page(typed(), _TOO_OLD, asked_path()))
    return answer_problem(FORM_TOO_OLD)


def _sign_in_again() -> str:
    own = request.form.to_dict() if is_from_here() else {}
    return sign_in_form(SignInForm(formdata=None, data=own), "This page has expired. Try again.")


def on_refusal(error: Refusal | ActionRefused) -> ResponseReturnValue:
    """A use case that was refused; what was typed for it can be copied."""
    is_ours = request.method == "POST" and is_of_own_page()
    return refusal_with_text(error, _sent() if is_ours else TypedFields())


def refusal_with_text(error: Refusal | ActionRefused, kept: TypedFields) -> ResponseReturnValue:
    """Why what was typed is not taken, with the words of it to be copied."""
    problem = problem_of(error)
    if not kept.is_written:
        return answer_problem(problem)
    words = FormRecoveryNotice(problem.title, f"{problem.detail} {_COPY}")
    return answer_with(problem, lambda: recovery_page(kept, words, action=""))


def on_database(error: Exception) -> ResponseReturnValue:
    """The database can't be read or saves nothing; return a text that was sent to it.

    Raises an error whose cause is neither of these again.
    """
    fault = fault_of(error)
    if fault is None:
        raise error
    g.cause = fault.why
    g.is_bare = True
    problem = _NOT_SAVED.get(fault.trouble, _AWAY)
    kept = typed() if request.method == "POST" else TypedFields()
    if kept.is_written and request.endpoint not in _OPEN:
        words = FormRecoveryNotice(problem.title, f"{problem.detail} {_LATER}")
        return answer_with(problem, lambda: recovery_page(kept, words, asked_path()))
    return answer_problem(problem)


def on_unusable(error: DatabaseNotReady) -> ResponseReturnValue:
    """This host cannot work with the database; the operator is told why, and others wait."""
    g.cause = str(error)
    g.is_bare = True
    return answer_problem(_AWAY)


def install(app: Flask) -> None:
    """Answer what keeps a form from being taken."""
    for kind in REFUSALS:
        app.register_error_handler(kind, on_refusal)
    app.register_error_handler(SignInRequired, signed_out)
    app.register_error_handler(CSRFError, on_csrf)
    for database_error in NOT_WRITTEN:
        app.register_error_handler(database_error, on_database)
    app.register_error_handler(DatabaseNotReady, on_unusable)
