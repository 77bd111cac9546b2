"""Sending a form on by the press of the button that signs its writer in."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlsplit

from flask import current_app, make_response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect, Rule

from app.web.accounts.typed_fields import TypedFields
from app.web.middleware.request_guard import ContinuationRule, StrictRequest, continuation_rule_of


@dataclass(frozen=True, slots=True)
class FormContinuation:
    """A form that is sent on, and what takes it."""

    kept: TypedFields
    told: ContinuationRule
    rule: Rule
    given: Mapping[str, Any]

    def send(self) -> ResponseReturnValue | None:
        """Where the form leads; None where it is to be mended first.

        What its view refuses is raised. The form that came in is read no more.
        """
        asked = cast(StrictRequest, request)
        with asked.turned_to(self.rule, self.given, self.told.answered(self.kept.pairs)):
            response = make_response(current_app.dispatch_request())
        return response if response.status_code == HTTPStatus.SEE_OTHER else None


def find_continuation(kept: TypedFields, path: str, *, is_own: bool) -> FormContinuation | None:
    """How a form is sent on to a path; None where its writer is to look at it first.

    So it is where the form would not be taken as it is.

    ``is_own``: it was typed in the browser that is signed in now. One from another browser may be
    anybody's words, so that it opens a draft, which its owner alone sees, and does nothing else.
    """
    found = _find_rule(path) if kept.pairs else None
    told = continuation_rule_of(current_app.view_functions[found[0].endpoint]) if found else None
    if found is None or told is None or not (is_own or told.is_for_anywhere):
        return None
    if not told.takes(told.answered(kept.pairs)):
        return None
    return FormContinuation(kept, told, *found)


def _find_rule(path: str) -> tuple[Rule, Mapping[str, Any]] | None:
    paths = current_app.url_map.bind("")
    try:
        return paths.match(urlsplit(path).path, "POST", return_rule=True)
    except (HTTPException, RequestRedirect):
        return None
