"""Names that a registry gives by number: the next of a counter, or one drawn by chance."""

from collections.abc import Iterable
from itertools import count
from random import Random, SystemRandom

from app.problems import use_case_codes
from app.registration.declarations.registries import (
    REGISTRIES,
    DrawnNumbering,
    Numbering,
    Registry,
)
from app.registration.declarations.registry_groups import group_of
from app.registration.records.registry_records import Purpose
from app.services.refusals import NameUnavailable
from app.store import counters
from app.store.registry import name_rows

__all__ = ["given_name", "is_drawn", "likely_name"]

_CHANCE = SystemRandom()


def given_name(registry_id: str, asked: str, prefix: str = "", chance: Random | None = None) -> str:
    """The name that a new record gets: the one that is asked for, or a number of the registry's.

    Nobody else has a number of it before the commit, so that no two get one. Raises NameUnavailable
    where none is left.
    """
    numbering = REGISTRIES[registry_id].numbering
    if numbering is None:
        return asked
    if isinstance(numbering, Numbering):
        counters.hold(numbering.counter)
        number = _next_free(registry_id, numbering)
        counters.raise_to(numbering.counter, number)
        return numbering.name_of(number)
    return _drawn(registry_id, numbering, prefix, chance or _CHANCE)


def _next_free(registry_id: str, numbering: Numbering) -> int:
    """The number after the last one given, past each that is taken in whatever table.

    An imported registry may have a formal namespace called ``urn-13``.
    """
    space = REGISTRIES[registry_id].space
    taken = frozenset(name_rows.names_within(space.id, numbering.prefix))
    after = counters.current(numbering.counter) + 1
    return next(number for number in count(after) if numbering.name_of(number) not in taken)


def _drawn(registry_id: str, numbering: DrawnNumbering, prefix: str, chance: Random) -> str:
    counters.hold(numbering.counter)
    spaces = group_of(registry_id).spaces
    known = [name for space in spaces for name in name_rows.taken_names(space.id)]
    try:
        return numbering.draw(chance, known, prefix)
    except ValueError as error:
        raise NameUnavailable(use_case_codes.NAME_TAKEN, str(error)) from error


def is_drawn(registry_id: str, purpose: str) -> bool:
    """Whether a request gets a name by chance, so that nobody knows it before it is given."""
    is_new = purpose != Purpose.REVISION
    return is_new and isinstance(REGISTRIES[registry_id].numbering, DrawnNumbering)


def likely_name(registry_id: str, purpose: str, asked: str, prefix: str = "") -> str:
    """The name that a request would get now: the one it asks for, the next number, or an example
    where it will be drawn, which then begins with a prefix.
    """
    numbering = REGISTRIES[registry_id].numbering
    if purpose == Purpose.REVISION or numbering is None:
        return asked
    if isinstance(numbering, DrawnNumbering):
        return numbering.example_with(prefix)
    return numbering.name_of(_next_free(registry_id, numbering))


def next_numbers(registries: Iterable[Registry]) -> dict[str, str]:
    """The next name of each registry that counts its names, by its id."""
    return {
        one.id: likely_name(one.id, Purpose.NEW, "")
        for one in registries
        if isinstance(one.numbering, Numbering)
    }
