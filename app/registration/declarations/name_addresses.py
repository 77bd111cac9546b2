"""Where the names of a group have their pages and files: paths of the site, and what they name."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TypeVar

from app.registration.declarations.identifier_spaces import IdentifierSpace
from app.registration.declarations.registries import REGISTRIES, declared_spaces
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup

Found = TypeVar("Found")

_LONGEST_SUFFIX = 10
_FOR_ALL = ("/assignments/", "/schemas/")


def name_typed(text: str, usual: IdentifierSpace) -> tuple[IdentifierSpace, str]:
    """The space of a name that somebody typed, and the name without the scheme before it.

    It is one of the ``usual`` space, or of those with its scheme, unless it has another scheme.
    """
    before, colon, after = text.partition(":")
    scheme, name = (before.lower(), after.removeprefix("/")) if colon else (usual.scheme, text)
    for space in declared_spaces():
        if scheme and space.has_delegates and space.scheme == scheme and space.may_be_name(name):
            return space, name
    stem, end = usual.whole(".").split(".")  # `urn:` and `:`, as pages write a namespace
    if text.lower().startswith(stem):
        text = text[len(stem) :].removesuffix(end)
    return usual, text


def name_found(
    text: str, usual: IdentifierSpace, is_known: Callable[[IdentifierSpace, str], bool]
) -> tuple[IdentifierSpace, str]:
    """The name that somebody typed with a scheme, as the end of its page's address, or bare.

    A bare name is one of the first space in which it ``is_known``; of none, one of the usual space.
    """
    for space in declared_spaces():
        bare = f"/{text}".removeprefix(space.page.partition("{}")[0]) if space.page else ""
        for name in (text, bare):
            if space.may_be_name(space.fold(name)) and is_known(space, name):
                return space, name
    return name_typed(text, usual)


def is_below_names(path: str, group: RegistryGroup) -> bool:
    """Whether a path is that of a name's page or file, in whatever way the name is written."""
    return path.startswith(group.name_stems) and not path.startswith(group.editions)


def is_of_name(path: str, group: RegistryGroup) -> bool:
    """Whether a path is that of a name's page or file, and of nothing that lies below it."""
    return is_below_names(path, group) and any(
        space.may_be_name(name) and (not suffix or (suffix.isalpha() and suffix.islower()))
        for space in _spaces_at(path, group)
        for name, _, suffix in _readings(path.removeprefix(space.page[:-2]), space)
        if len(suffix) <= _LONGEST_SUFFIX
    )


def name_at(
    text: str, space: IdentifierSpace, find: Callable[[str], Found | None]
) -> tuple[tuple[str, str, str], Found] | None:
    """The name at the end of an address, with a full stop and a suffix behind it.

    What is registered tells a suffix from a full stop of the name: ``find`` gives what there is of
    a name. None where that is nothing.
    """
    for reading in _readings(text, space):
        found = find(reading[0])
        if found is not None:
            return reading, found
    return None


def _readings(text: str, space: IdentifierSpace) -> Iterator[tuple[str, str, str]]:
    yield text, "", ""
    before, dot, suffix = text.rpartition(".")
    if dot and "." not in space.signs:
        yield text.partition(".")
    if dot:
        yield before, dot, suffix


def folded_paths(path: str, group: RegistryGroup) -> Iterator[str]:
    """Where a name's page or file may be that was asked for as the name is written elsewhere.

    A suffix is told from a full stop of the name by what is there, so that both are given.
    """
    if not is_below_names(path, group):
        return
    yield path.lower()
    for space in _spaces_at(path, group):
        stem = space.page.partition("{}")[0]
        name = path.removeprefix(stem)
        before, dot, suffix = name.rpartition(".")
        yield stem + space.fold(name)
        if dot:
            yield f"{stem}{space.fold(before)}.{suffix.lower()}"


def _spaces_at(path: str, group: RegistryGroup) -> Iterator[IdentifierSpace]:
    yield from (one for one in group.spaces if one.page and path.startswith(one.page[:-2]))


def published_stems() -> tuple[str, ...]:
    """All that is published is below these, beside the start page and what is for copies."""
    return _published_below(tuple(GROUPS.values()), tuple(REGISTRIES))


@lru_cache(maxsize=2)
def _published_below(
    groups: tuple[RegistryGroup, ...], _registries: tuple[str, ...]
) -> tuple[str, ...]:
    own = (stem for group in groups for stem in (group.editions, *group.name_stems))
    return tuple(sorted({*_FOR_ALL, *own}))


def published_stems_of(group: RegistryGroup) -> tuple[str, ...]:
    """All that is published of a group is below these, beside what is of a host."""
    if group.is_root:
        return (*_FOR_ALL, group.editions, *group.name_stems)
    return (f"/assignments/{group.id}/", group.editions, *group.name_stems, "/schemas/")
