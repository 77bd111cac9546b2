"""The links of each chain, in their order: a further kind of thing is one more line here."""

from collections.abc import Mapping

from app.published.chain import Link
from app.published.copy_answers import CopyHealth, CopyQuestions, CopyRefusals
from app.published.edition_days import EditionDays
from app.published.edition_files import (
    FileAnswers,
    HeldFiles,
    LastingFiles,
    ListedFiles,
    MissingEdition,
    PersonalRequests,
    StaticFiles,
)
from app.published.group_plane import GroupPlane
from app.published.method_answers import MethodAnswers
from app.published.names.bound_name_resolver import BoundNameResolver, BoundNameSource
from app.published.names.bound_thttp_resolver import BoundThttpResolver
from app.published.names.copied_prefixes import CopiedPrefixes
from app.published.names.edition_ark_resolver import EditionArkResolver
from app.published.names.name_change_feed import NameChangeFeed
from app.published.names.name_lists import NameLists
from app.published.names.name_resolver import NameResolver
from app.published.names.names_in_editions import NamesInEditions
from app.published.names.thttp_resolver import ThttpResolver
from app.published.names.wrapped_names import WrappedNames
from app.published.replication_files import ReplicationFiles
from app.registration.declarations.registry_groups import NAAN_GROUP, URN_GROUP


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
        NameChangeFeed(bound.listed, is_copy=is_copy),
        NameLists(bound.listed, CopiedPrefixes(bound.listed), is_copy=is_copy),
        bindings,  # before what leads on by a prefix alone
        arks,  # before all names, of which some are ARKs
        names,
        NamesInEditions({URN_GROUP.id: names, NAAN_GROUP.id: arks}),
        BoundThttpResolver(bindings),
        ThttpResolver(names),
        WrappedNames(),
    )
