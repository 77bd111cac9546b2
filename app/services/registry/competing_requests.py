"""Requests that ask for one name, or for names that read alike: registration settles it."""

from app.identifiers.nid_index import skeleton
from app.store.requests import request_rows
from app.store.tables import Request
from app.workflow.states import State

PENDING = tuple(state for state in State if not state.is_final and not state.is_private)


def competing_with(request: Request, name: str) -> list[tuple[int, str]]:
    """The other open requests for a folded name or one that reads like it: number and name."""
    if not name:
        return []
    shape = skeleton(name)
    asking = request_rows.names_asked(request.registry_id, PENDING)
    return [
        (number, asked)
        for number, asked in asking
        if number != request.number and skeleton(asked) == shape
    ]
