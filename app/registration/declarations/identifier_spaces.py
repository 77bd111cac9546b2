"""What names are unique in: how names of a space are compared, checked, written and addressed."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from string import ascii_letters, digits
from typing import Protocol

from app.identifiers.errors import Finding, NidKind
from app.identifiers.nid import NidIndex, check_nid, fold_nid, skeleton

_LONGEST = 64  # that the store holds

__all__ = ["UNDECLARED_SPACE", "URN_SPACE", "IdentifierSpace", "NameIndex", "NameReport"]


class NameReport(Protocol):
    """What forbids that a name is registered, and what a person should look at before it is."""

    @property
    def problems(self) -> tuple[Finding, ...]:
        """What forbids it."""

    @property
    def advisories(self) -> tuple[Finding, ...]:
        """What experts would ask."""


class NameIndex(Protocol):
    """The names of a space that are taken, looked up in whatever way they are written."""

    def __len__(self) -> int:
        """How many names are registered."""

    def __iter__(self) -> Iterator[str]:
        """The registered names, folded."""

    def __hash__(self) -> int:
        """An index never changes: what is made of it is kept beside it."""

    def find_registered(self, name: str, /) -> str | None:
        """Give the name as it is registered, or None if it is not."""

    def is_reserved(self, name: str, /) -> bool:
        """Tell whether the registry keeps the name back."""

    def find_look_alikes(self, name: str, /) -> list[str]:
        """List the other registered names that read the same."""

    def find_one_edit_away(self, name: str, /) -> list[str]:
        """List the registered names that differ by one character."""


def _is_nobodys(_name: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IdentifierSpace:
    """What names are unique in, declared.

    ``fold`` gives a name as it is compared, ``shape`` the form that it shares with those that
    look like it. ``check`` judges a name of a registry's kind, such as ``formal``, against those
    that are taken, which ``index`` prepares from the registered and the reserved ones. ``written``
    is a name with what stands around it in use and ``page`` its address, both with ``{}`` for the
    folded name; ``heading`` stands above a column of names, ``member`` is what programs call one.
    ``signs`` are what a name may hold beside letters, digits and hyphens, such as ``/.``.
    ``longest`` is how many characters the longest name has.
    ``pattern`` is a regular expression of its names where that says too little: two spaces whose
    pages are below one path are told apart by it, as ``12345`` and ``12345/x5`` are by the slash.
    ``has_profiles`` tells whether names say how they are spelled and resolved, as URN namespaces
    do, ``has_delegates`` whether people act for their holders: they claim, change and hand over
    names on pages below those of the names. ``asks_yearly`` tells whether those are asked once a
    year if all that the registry says is right.
    ``scheme`` is that of the names that begin with one, are assigned by its holder and lead on from
    here: ``ark``. ``under`` is the space whose names these lie under, told by what stands before a
    slash: ``12345/x5`` lies under ``12345``. Only who acts for that one asks for a name under it,
    unless it ``is_shared``.
    ``entry`` is how entries of the record tell a name, with its ``id`` in front if nothing is said.
    A space equals no other one, however alike they are declared.
    """

    id: str
    heading: str
    label: str
    plural: str
    fold: Callable[[str], str]
    shape: Callable[[str], str]
    check: Callable[[str, str, NameIndex], NameReport]
    index: Callable[[Iterable[str], Iterable[str]], NameIndex]
    member: str = ""
    written: str = "{}"
    page: str = ""
    signs: str = ""
    longest: int = 32
    pattern: str = ""
    entry: str = ""
    has_profiles: bool = False
    has_delegates: bool = False
    asks_yearly: bool = False
    scheme: str = ""
    under: "IdentifierSpace | None" = None
    is_shared: Callable[[str], bool] = _is_nobodys

    @property
    def form(self) -> str:
        """A regular expression of what ``may_be_name``."""
        return self.pattern or f"[A-Za-z0-9{re.escape(self.signs)}-]{{1,{_LONGEST}}}"

    @property
    def noun(self) -> str:
        """What one name is called in a sentence: ``URN namespace``."""
        words = self.heading.split()
        return " ".join(word if word.isupper() else word.lower() for word in words)

    @property
    def mark(self) -> str:
        """What stands before the number of a request in the subject of its mail: ``urn``."""
        return self.member or self.id

    def about(self, folded: str) -> str:
        """A folded name as entries of the record tell it, beside those of other spaces."""
        return (self.entry or f"{self.id}:{{}}").format(folded)

    def may_be_name(self, text: str) -> bool:
        """Whether a text may be a name, before it is looked for."""
        if not text or len(self.about(text)) > _LONGEST:
            return False
        if self.pattern:
            return re.fullmatch(self.pattern, text, re.ASCII) is not None
        return set(text) <= {*ascii_letters, *digits, "-", *self.signs}

    def above(self, folded: str) -> str:
        """The name that a folded one lies under, as entries tell it; empty where it does not."""
        return self.under.about(folded.partition("/")[0]) if self.under else ""

    def page_below(self, name: str, page: str) -> str:
        """The address of a page below that of a name, such as the one on which it is changed."""
        return f"{self.page.format(self.fold(name))}/{page}"

    def whole(self, folded: str) -> str:
        """A folded name with what stands around it in use: ``urn:isbn:``."""
        return self.written.format(folded)


def _check_nid(name: str, kind: str, taken: NameIndex) -> NameReport:
    return check_nid(name, NidKind(kind), taken)


URN_SPACE = IdentifierSpace(
    id="nid",
    heading="URN Namespace",
    label="namespace",
    plural="namespaces",
    fold=fold_nid,
    shape=skeleton,
    check=_check_nid,
    index=NidIndex,
    member="urn",
    written="urn:{}:",
    page="/namespaces/{}",
    entry="{}",
    has_profiles=True,
    has_delegates=True,
)

# That of a table which nobody declared: its names stand alone, and have no page.
UNDECLARED_SPACE = IdentifierSpace(
    id="",
    heading="Name",
    label="name",
    plural="names",
    fold=fold_nid,
    shape=skeleton,
    check=_check_nid,
    index=NidIndex,
    written="",
    entry="{}",
    has_profiles=True,
    has_delegates=True,
)
