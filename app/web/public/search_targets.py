"""Where a search leads: to the page of an identifier, and to the lists that have matches."""

from app.exports.content.file_names import registry_folder
from app.identifiers.corrections import unwrap_identifier, without_trailing_marks
from app.pages.lists.list_query import ListQuery
from app.pages.lists.registry_list import OtherListLink
from app.pages.lists.registry_paths import name_path
from app.registration.declarations.registries import IdentifierSpace, declared_spaces
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup
from app.resolution import outcome_documents as name_paths
from app.resolution.bare_identifiers import recognize_bare
from app.services.names import name_search
from app.services.names.rule_book import rule_book

__all__ = [
    "matches_elsewhere",
    "name_beneath",
    "name_in",
    "name_of_namespace",
    "page_of_name",
    "page_of_number",
]

_WEB = "web+"


def name_in(query: str) -> str:
    """Return a query without what is written around an identifier in it.

    ``<urn:isbn:...>`` and ``https://n2t.net/ark:12148/x`` give the URN and the ARK, as does
    ``web+ark:12148/x``, the scheme that browsers let a site register.
    """
    name = unwrap_identifier(query)
    return name[len(_WEB) :] if name.lower().startswith(f"{_WEB}ark:") else name


def name_beneath(query: str, prefix: str) -> str:
    """What was asked for on the page of a name with which others begin, such as ``ark:12345/x5``.

    There ``7k3q9`` and ``x57k3q9`` are names that begin so. A text with a colon stands for itself,
    as does any where the prefix is of no scheme that a space has.
    """
    scheme, _, begun = prefix.partition(":")
    if (
        not query
        or ":" in query
        or scheme not in {space.scheme for space in declared_spaces()} - {""}
    ):
        return query
    for typed in filter(None, (begun, begun.partition("/")[2])):
        if query.lower().startswith(typed.lower()):
            return prefix.removesuffix(typed) + query
    return prefix + query


def name_of_namespace(query: str, nid: str) -> str:
    """What was asked for as a name of the namespace with a folded NID: its whole URN.

    Under ``isbn``, ``ISBN 978-951-0-18435-6`` is a number of it, and any other text what follows
    ``urn:isbn:``. A text that begins with ``urn:`` stands for itself.
    """
    name = name_in(query)
    if not name or name[:4].lower() == "urn:":
        return name
    numbers = recognize_bare(name, lambda other: other == nid)
    return numbers[0].urn if numbers else f"urn:{nid}:{name}"


def page_of_name(name: str) -> str | None:
    """The page of a registered name, or of one that leads on from here; None where it is none.

    A name stands alone, as ``isbn`` and ``12148`` do, with its scheme, as in ``ark:12148/x``, or
    with what it is, as pages write ``NAAN 12148``.
    """
    for space in declared_spaces():
        label = f"{space.label.lower()} "
        bare = name[len(label) :].strip() if name.lower().startswith(label) else name
        if path := _page_in(space, bare):
            return path
    return None


def _page_in(space: IdentifierSpace, name: str) -> str | None:
    found = name_search.find(name, space)
    if found is not None:
        return name_path(*found.sole_record())
    whole = _whole_name(space, name)
    if not whole or not name_search.is_begun(space):
        return None
    inner = without_trailing_marks(whole.partition(":")[2]).lstrip("/")
    known = name_search.find(inner, space)
    if known is not None:
        return name_path(*known.sole_record())
    page = name_paths.name_path(whole)
    is_last = not any(
        other.under is space for other in declared_spaces()
    )  # a shoulder has a page first
    return page if is_last and len(page) <= name_paths.LONGEST_TARGET else None


def _whole_name(space: IdentifierSpace, text: str) -> str:
    return text if space.scheme and text.lower().startswith(f"{space.scheme}:") else ""


def page_of_number(text: str) -> str | None:
    """The page of the name that a bare number is; None where it is none, or may be wrong."""
    found = recognize_bare(text, rule_book().find)
    return name_paths.name_path(found[0].urn) if found and found[0].is_certain else None


def matches_elsewhere(query: str, group: RegistryGroup | None = None) -> tuple[OtherListLink, ...]:
    """Return the lists of other groups, each with how many of its names have all the words."""
    asked, others = ListQuery(q=query), (each for each in GROUPS.values() if each is not group)
    return tuple(
        OtherListLink(
            each.title,
            registry_folder(each.id),
            asked.shown_at(registry_folder(each.id)),
            name_search.matching(asked, each),
        )
        for each in others
        if any(name_search.is_begun(space) for space in each.spaces)
    )
