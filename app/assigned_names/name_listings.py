"""What lies under a beginning of names: prefixes that are given there, and the names themselves."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from app.assigned_names.assigned_name_records import AssignedNameRecord
from app.assigned_names.bound_name_documents import bound_name_to
from app.assigned_names.prefix_statements import PrefixStatement, prefix_statement_to

__all__ = ["ListedRegistration", "NameListing", "PublicPrefix", "describe_listing"]


class PublicPrefix(NamedTuple):
    """A prefix as everybody sees it: by which mask its names are minted, empty for none, and what
    is said of it."""

    prefix: str
    mask: str
    said: PrefixStatement


class ListedRegistration(NamedTuple):
    """What is registered that names begin with.

    ``kind`` is ``naan``, ``shoulder`` or ``namespace``, ``words`` what people call it, ``holder``
    who has it or what it is, ``path`` its page, empty where it has none; ``members`` are the same
    as a document.
    """

    kind: str
    words: str
    holder: str
    path: str
    members: dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameListing:
    """A part of what lies under a beginning of names, in the order of its texts.

    ``itself`` is the name that the beginning is, where it was given. ``enclosing`` are the prefixes
    that it lies within, the shortest first; the last of them may be the beginning itself.
    ``prefix_count`` counts all prefixes within it. Where there are more of them, or of names,
    ``next_prefixes`` and ``next_names`` are where the list goes on.
    """

    beginning: str
    itself: AssignedNameRecord | None = None
    enclosing: tuple[PublicPrefix, ...] = ()
    prefixes: tuple[PublicPrefix, ...] = ()
    prefix_count: int = 0
    names: tuple[AssignedNameRecord, ...] = ()
    next_prefixes: str = ""
    next_names: str = ""

    @property
    def has_any(self) -> bool:
        return bool(self.names or self.prefix_count or self.enclosing or self.itself)

    @property
    def innermost(self) -> PublicPrefix | None:
        return self.enclosing[-1] if self.enclosing else None


def describe_listing(listing: NameListing) -> dict[str, Any]:
    """A list as a document: what everybody may know of each, and of a reserved name that it is."""
    innermost = listing.innermost
    more = {"next_prefixes": listing.next_prefixes, "next": listing.next_names}
    return {
        "under": listing.beginning,
        **({"name": bound_name_to(listing.itself)} if listing.itself else {}),
        **({"prefix": _prefix_to(innermost)} if innermost else {}),
        "prefix_count": listing.prefix_count,
        "prefixes": [_prefix_to(one) for one in listing.prefixes],
        "names": [bound_name_to(one) for one in listing.names],
        **{name: path for name, path in more.items() if path},
    }


def _prefix_to(one: PublicPrefix) -> dict[str, str]:
    mask = {"mask": one.mask} if one.mask else {}
    return {"prefix": one.prefix, **mask, **prefix_statement_to(one.said)}
