"""The published plane: a request -> its answer, from the group of registries that it belongs to."""

import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from app.bundles.name_copies import NAMES_FOLDER
from app.published.copy_answers import CopyHealth, CopyQuestions, CopyRefusals, MethodAnswers
from app.published.edition_files import (
    EditionDays,
    FileAnswers,
    HeldFiles,
    LastingFiles,
    ListedFiles,
    MissingEdition,
    PersonalRequests,
    ReplicationFiles,
    StaticFiles,
)
from app.published.group_plane import PATIENCE, GroupPlane, Link
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.names.bound_name_resolver import (
    BoundNameResolver,
    BoundNameSource,
    ResolutionNote,
)
from app.published.names.copied_prefixes import CopiedPrefixes
from app.published.names.name_change_feed import NameChangeFeed
from app.published.names.name_copy_reader import NameCopyReader
from app.published.names.name_lists import NameLists
from app.published.names.name_resolver import EditionArkResolver, NameResolver, NamesInEditions
from app.published.names.name_targets import WrappedNames, is_list_of_names
from app.published.names.thttp_resolver import BoundThttpResolver, ThttpResolver
from app.registration.declarations.group_paths import GroupPaths
from app.registration.declarations.registry_groups import GROUPS, NAAN_GROUP, URN_GROUP


def links_in_front(session_cookie: str, bound: BoundNameSource) -> tuple[Link, ...]:
    """The links in front of the registry, to which everything else falls through."""
    files = FileAnswers(PersonalRequests(session_cookie))
    return (
        HeldFiles(files),
        *_links_of_names(bound, is_copy=False),
        MethodAnswers(is_copy=False),
        ListedFiles(files),
        LastingFiles(files),
        ReplicationFiles(),
        MissingEdition(),
    )


def links_of_copy(others: Mapping[str, GroupPlane], bound: BoundNameSource) -> tuple[Link, ...]:
    """The links of a whole site that nothing is behind: the last answers whatever is left.
    ``others`` are the planes of the groups besides that of the site itself, by their ids."""
    files = FileAnswers()
    listed = ListedFiles(files)
    return (
        HeldFiles(files),
        *_links_of_names(bound, is_copy=True),
        MethodAnswers(is_copy=True),
        CopyQuestions(),
        listed,
        StaticFiles(listed),
        LastingFiles(files),
        ReplicationFiles(),
        CopyHealth(others, bound.listed),
        CopyRefusals(),
    )


def _links_of_names(bound: BoundNameSource, *, is_copy: bool) -> tuple[Link, ...]:
    prefixes = CopiedPrefixes(bound.names)
    names = NameResolver(prefixes, is_copy=is_copy)
    arks = EditionArkResolver(prefixes, is_copy=is_copy)
    bindings = BoundNameResolver(bound, is_copy=is_copy)
    return (
        EditionDays(is_copy=is_copy),
        NameChangeFeed(bound.listed),
        NameLists(bound.listed, CopiedPrefixes(bound.listed)),
        bindings,  # before what leads on by a prefix alone
        arks,  # before all names, of which some are ARKs
        names,
        NamesInEditions({URN_GROUP.id: names, NAAN_GROUP.id: arks}),
        BoundThttpResolver(bindings),
        ThttpResolver(names),
        WrappedNames(),
    )


class PublishedPlane:
    """Answers from the current bundles below ``folder``; the rest falls through, if it can.

    A page falls through as well for who carries the session cookie or asks with a query, since it
    may be made for them. With nothing to fall through to, this is a whole site: it says itself what
    it does not have, and whether it is ready. Each group of registries follows its own editions, so
    that none waits for another and none is taken away with another. ``own_hosts`` are names of the
    site besides that of the registry, to which no ARK is led. The copy of names that are bound lies
    in ``names``, or below ``folder``; ``note`` is told of each by which somebody is led on.
    """

    def __init__(
        self,
        folder: Path,
        falls_through: bool = False,
        session_cookie: str = "session",
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
        own_hosts: Collection[str] = (),
        names: Path | None = None,
        note: ResolutionNote | None = None,
    ) -> None:
        copies = names or folder / NAMES_FOLDER
        # two readers of one file: nobody who is led on waits while many names are read
        bound = BoundNameSource(NameCopyReader(copies), NameCopyReader(copies), note, own_hosts)
        self.others: dict[str, GroupPlane] = {}
        for group in GROUPS.values():
            links = (
                links_in_front(session_cookie, bound)
                if falls_through
                else links_of_copy(self.others, bound)
            )
            made = GroupPlane(group, folder, links, clock, patience, own_hosts)
            if group.is_root:
                self.root = made
            else:
                self.others[group.id] = made
        self._find_group = GroupPaths(GROUPS.values()).find

    @property
    def edition(self) -> int | None:
        return self.root.edition

    @property
    def planes(self) -> tuple[GroupPlane, ...]:
        return (self.root, *self.others.values())

    def takes_long(self, request: HttpRequest) -> bool:
        return request.method in READS and is_list_of_names(request.path)

    def plane_of(self, request: HttpRequest) -> GroupPlane:
        found = self._find_group(request.path)
        return self.root if found is None else self.others[found]

    def answer(self, request: HttpRequest) -> HttpAnswer | None:
        return self.plane_of(request).answer(request)
