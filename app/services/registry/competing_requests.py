"""Requests that ask for one name, or for names that read alike: registration settles it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from app.registration.declarations.registries import REGISTRIES, Registry
from app.store.registry import name_rows
from app.store.requests import iteration_rows, requested_names
from app.store.tables import Request
from app.workflow.states import State

PENDING = tuple(state for state in State if not state.is_final and not state.is_private)
NamesAsked = list[tuple[int, str]]  # of open requests: their numbers, what they ask for


@dataclass(frozen=True, slots=True, order=True)
class CompetingRequest:
    """A request that asks for a name, since when, and which it is; the first sent comes first."""

    sent: datetime
    number: int
    name: str


def names_asked(request: Request) -> NamesAsked:
    """What the open requests ask for in the registry of one of them, that one among them."""
    return requested_names.names_asked(request.registry_id, PENDING)


def requests_competing_with(
    request: Request, name: str, known: Callable[[], NamesAsked] | None = None
) -> NamesAsked:
    """The other open requests for a folded name or one that reads like it.

    ``known`` gives what open requests ask for, where somebody has read that already.
    """
    registry = REGISTRIES[request.registry_id]
    asking = (known() if known else names_asked(request)) if name else []
    alike = names_by_shape(registry, asking).get(registry.space.shape(name), [])
    return [(number, asked) for number, asked in alike if number != request.number]


def names_by_shape(registry: Registry, asked: NamesAsked) -> dict[str, NamesAsked]:
    """The names of ``asked`` that read alike together, by the shape that they have."""
    found: dict[str, NamesAsked] = {}
    for number, name in asked:
        found.setdefault(registry.space.shape(name), []).append((number, name))
    return found


def request_registered_at_iana(request: Request, name: str) -> int | None:
    """The other request for which IANA registered a folded name that is not registered here."""
    there = requested_names.names_at_iana(request.registry_id, PENDING)
    space = REGISTRIES[request.registry_id].space
    others = (number for number, given in there if number != request.number and given == name)
    other = next(others, None)
    return None if other is None or name_rows.is_taken(space.id, name) else other


def sort_by_first_sent(request: Request, asked: NamesAsked) -> list[CompetingRequest]:
    """A request and the others that ``asked`` names, the one that asked for its name first first.

    Who asks for another name in a later text asks for it since that text.
    """
    every = [(request.number, request.asked_name), *asked]
    registry = REGISTRIES[request.registry_id]
    return sorted(
        CompetingRequest(sent, number, name)
        for number, name in every
        if (sent := _asked_since(registry, number, name)) is not None
    )


def _asked_since(registry: Registry, number: int, name: str) -> datetime | None:
    """When the first of the newest texts was sent that ask for a name one after another."""
    since = None
    for text in reversed(iteration_rows.iterations_of(number)):
        if registry.space.fold(text.fields.get(registry.name_field.name, "")) != name:
            break
        since = text.at
    return since


def requests_sent_before(request: Request, asking: NamesAsked) -> list[CompetingRequest]:
    """The other open requests that asked for the very name of a request before it did."""
    name = request.asked_name
    rivals = [(number, asked) for number, asked in asking if asked == name and name]
    others = [pair for pair in rivals if pair[0] != request.number]
    if not others:
        return []
    ordered = sort_by_first_sent(request, others)
    own = next((one for one in ordered if one.number == request.number), None)
    return [one for one in ordered if own is not None and one < own]
