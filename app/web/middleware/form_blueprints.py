"""Blueprints that take forms and nothing else; a blueprint for programs needs none of it."""

from collections.abc import Callable

from flask import Blueprint, current_app, request
from flask.sansio.blueprints import Blueprint as AnyBlueprint

READS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_TAKES_FORMS = "takes_forms"


def mark_form_blueprint(blueprint: Blueprint, guard: Callable[[], None]) -> None:
    """Let ``guard`` look at each request to a blueprint, which takes forms alone by that."""
    setattr(blueprint, _TAKES_FORMS, True)
    blueprint.before_request(guard)


def takes_forms(blueprint: AnyBlueprint | None) -> bool:
    """Whether what changes something in a blueprint comes as a form with a session's token."""
    return hasattr(blueprint, _TAKES_FORMS)


def is_unguarded_change() -> bool:
    """Whether the request changes something where no form with a session's token is asked for.

    A browser sends its cookies there for pages of other sites as well.
    """
    if request.method in READS or request.endpoint is None:
        return False
    return not takes_forms(current_app.blueprints.get(request.blueprint or ""))
