"""Requests that ask for one name, or for names that read alike: registration settles it."""

from collections.abc import Callable

from app.identifiers.nid_index import skeleton
from app.store.requests import request_rows
from app.store.tables import Request
from app.workflow.states import State

PENDING = tuple(state for state in State if not state.is_final and not state.is_private)
NamesAsked = list[tuple[int, str]]  # of open requests: their numbers, what they ask for


def names_asked(request: Request) -> NamesAsked:
    """What the open requests ask for in the registry of one of them, that one among them."""
    return request_rows.names_asked(request.registry_id, PENDING)


def competing_with(
    request: Request, name: str, known: Callable[[], NamesAsked] | None = None
) -> NamesAsked:
    """The other open requests for a folded name or one that reads like it.

    ``known`` gives what open requests ask for, where somebody has read that already.
    """
    if not name:
        return []
    shape = skeleton(name)
    return [
        (number, asked)
        for number, asked in (known() if known else names_asked(request))
        if number != request.number and skeleton(asked) == shape
    ]
