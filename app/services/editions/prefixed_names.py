"""Registered names under which names are given here: their pages lead to the list of these.

A page is made with its edition, and a prefix is added between two of them. So the pages of all
such names are made anew when another registered name becomes one.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from app.assigned_names.name_prefixes import read_prefix
from app.assigned_names.name_schemes import NameScheme, find_scheme
from app.registration.declarations.registry_groups import RegistryGroup
from app.resolution.outcome_documents import names_under_path
from app.store.assigned_names import prefix_rows
from app.store.digests import sha256

_MARK = "names:"
_LENGTH = 12


def list_paths(group: RegistryGroup) -> Mapping[str, str]:
    """Where it is listed what lies under each name of a group that has a prefix, by its key.

    What lies under a shoulder lies under its NAAN too.
    """
    return dict(_list_paths(group, prefix_rows.registered_names()))


def _list_paths(
    group: RegistryGroup, registered: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    spaces = {space.id: space for space in group.spaces}
    for ident, folded in registered:
        space, scheme = spaces.get(ident), find_scheme(ident)
        if space is None or scheme is None:
            continue
        yield space.about(folded), _list_path(scheme, folded)
        if space.under:
            yield space.above(folded), _list_path(scheme, folded.partition("/")[0])


@lru_cache(maxsize=4_096)  # the worker asks for all of them at each turn
def _list_path(scheme: NameScheme, folded: str) -> str:
    return names_under_path(read_prefix(f"{scheme.id}:{folded}").text)


def mark_of(names: Iterable[str]) -> str:
    """What tells pages that lead to the lists of these from others; empty for no name."""
    keys = sorted(names)
    return f"{_MARK}{sha256(chr(10).join(keys).encode())[:_LENGTH]}" if keys else ""


def mark_in(made_by: str) -> str:
    """The mark in that by which a bundle was made."""
    return next((one for one in made_by.split(" ") if one.startswith(_MARK)), "")
