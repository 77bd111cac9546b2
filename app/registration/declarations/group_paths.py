"""Which group of registries is asked at a path of the site, told by the path alone."""

from collections.abc import Iterable
from functools import lru_cache

from app.identifiers.uri_schemes import find_scheme_look_alike
from app.registration.declarations.registries import REGISTRIES
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup

FILES, SCHEMAS, COPIES = "assignments", "schemas", ".well-known"  # where all groups have something
_NAMES = "names"  # where each name has its page, by its scheme
_UNDER = "under/"  # below that, where the names that begin alike are listed
_SCHEMAS_OF = ("", "-record", "-delta", "-editions")


class GroupPaths:
    """Tells by the first segment of a path to which of some groups it belongs.

    Where all groups have something, as below ``/assignments/``, the next segment tells. A name
    that leads on, such as ``/ark:12345/x5``, is told by its scheme, and so are its page below
    ``/names/`` and the list of names that begin so below ``/names/under/``. The group whose
    editions are at ``/editions/`` has the rest of the site, and is found nowhere. ValueError where
    two groups would have one path.
    """

    def __init__(self, groups: Iterable[RegistryGroup]) -> None:
        others = [group for group in groups if not group.is_root]
        self._first: dict[str, str] = {}
        self._second: dict[str, str] = {}
        self._schemes = {scheme: one.id for one in others for scheme in one.schemes}
        for group in others:
            for stem in (group.folder, *map(_first_of, group.name_stems)):
                _claim(self._first, stem, group)
            texts = (REGISTRIES[each].template_page for each in group.registries)
            for stem in (group.id, *(text.split("/")[2] for text in texts if text)):
                _claim(self._second, stem, group)
        self._schemas = {
            f"{group.id}{of_what}.json": group.id for group in others for of_what in _SCHEMAS_OF
        }
        self._copies = {group.id: group.id for group in others}
        self._has_others = bool(others)

    def find(self, path: str) -> str | None:
        """The id of the group at a path; None for that of the site itself."""
        if not self._has_others:
            return None
        first, _, rest = path[1:].partition("/")
        found = self._first.get(first)
        if found is not None:
            return found
        if first == FILES:
            return self._second.get(rest.partition("/")[0])
        if ":" in first:
            return self._group_of(first, path)
        if first == _NAMES and ":" in rest:
            return self._group_of(rest.removeprefix(_UNDER), path)
        if first == SCHEMAS:
            return self._schemas.get(rest)
        if first == COPIES:
            ident, slash, _ = rest.removeprefix("urn-registry/").partition("/")
            return self._copies.get(ident) if slash else None
        return self._found_by_look(path)

    def _group_of(self, name: str, path: str) -> str | None:
        found = self._schemes.get(name.partition(":")[0].lower())
        return found or self._found_by_look(path)

    def _found_by_look(self, path: str) -> str | None:
        if path.isascii():
            return None
        name = characters_of(path.removeprefix(f"/{_NAMES}").removeprefix("/"))
        alike = (scheme for scheme in self._schemes if find_scheme_look_alike(name, scheme))
        return next((self._schemes[scheme] for scheme in alike), None)


def characters_of(octets: str) -> str:
    """What a path says whose octets are given as characters, as far as it is UTF-8."""
    try:
        return octets.encode("latin-1").decode("utf-8", "replace")
    except UnicodeEncodeError:
        return octets


def _first_of(path: str) -> str:
    return path.split("/")[1]


def _claim(claimed: dict[str, str], stem: str, group: RegistryGroup) -> None:
    if claimed.setdefault(stem, group.id) != group.id:
        raise ValueError(f"`{stem}` is of {claimed[stem]}, and cannot be of {group.id} too.")


def group_at_path(path: str) -> RegistryGroup:
    """The declared group at a path of the site."""
    found = _declared_paths(tuple(GROUPS.values()), tuple(REGISTRIES)).find(path)
    return root_group() if found is None else GROUPS[found]


@lru_cache(maxsize=2)
def _declared_paths(groups: tuple[RegistryGroup, ...], _registries: tuple[str, ...]) -> GroupPaths:
    return GroupPaths(groups)


def root_group() -> RegistryGroup:
    """The group whose editions are at ``/editions/``, which has the start page and the rest."""
    return next(group for group in GROUPS.values() if group.is_root)
