"""A registry that is not of URN namespaces, declared as docs/how-to/add-a-registry.md says.

Shelf marks are numbered by their registry, tell no dots apart, are asked for by one form and
given by the operator alone; who keeps a shelf is nobody's business.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from app.identifiers.errors import Finding
from app.registration.declarations.fields import Field, FormSection, Requirement, Widget
from app.registration.declarations.formats import Format
from app.registration.declarations.identifier_spaces import IdentifierSpace, NameIndex
from app.registration.declarations.registry_declaration import (
    DeclaredProcedure,
    Numbering,
    Registry,
)

_LOWER = {ord(upper): upper.lower() for upper in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"} | {ord("."): ""}


def fold_mark(name: str) -> str:
    """A shelf mark as it is compared: neither case nor dots count, so that S.7 is s7."""
    return name.translate(_LOWER)


class MarkIndex:
    """The shelf marks that are taken."""

    def __init__(self, registered: Iterable[str] = (), reserved: Iterable[str] = ()) -> None:
        self._known, self._reserved = set(map(fold_mark, registered)), set(reserved)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._known)

    def __iter__(self) -> Iterator[str]:
        """All of them."""
        return iter(sorted(self._known))

    def find_registered(self, name: str, /) -> str | None:
        """The mark as it is registered."""
        return fold_mark(name) if fold_mark(name) in self._known else None

    def is_reserved(self, name: str, /) -> bool:
        """Whether it is kept back."""
        return fold_mark(name) in self._reserved

    def find_look_alikes(self, _name: str, /) -> list[str]:
        """Nothing looks like a number but that number."""
        return []

    def find_one_edit_away(self, _name: str, /) -> list[str]:
        """The next shelf is no mistake."""
        return []


@dataclass(frozen=True)
class ShelfMarkReport:
    """What was found about a shelf mark."""

    problems: tuple[Finding, ...] = ()
    advisories: tuple[Finding, ...] = ()


def check_mark(name: str, _kind: str, taken: NameIndex) -> ShelfMarkReport:
    """A mark is the letter and a number, and nobody else's."""
    if taken.find_registered(name):
        return ShelfMarkReport((Finding("taken", "This shelf has its mark.", "the librarian"),))
    is_mark = fold_mark(name)[:1] == "s" and fold_mark(name)[1:].isdigit()
    return ShelfMarkReport(() if is_mark else (Finding("no-mark", "Write S.7.", "the librarian"),))


class ShelfProcedure(DeclaredProcedure):
    """How a shelf gets its mark."""

    DEPOSIT = "deposit"


SHELF_SPACE = IdentifierSpace(
    id="shelf",
    heading="Shelf Mark",
    label="shelf mark",
    plural="shelf marks",
    fold=fold_mark,
    shape=fold_mark,
    check=check_mark,
    index=MarkIndex,
    member="shelf",
    written="shelf:{}",
    page="/shelves/{}",
)


def _field(name: str, label: str, widget: Widget, **given: object) -> Field:
    usual: dict[str, object] = {
        "name": name,
        "label": label,
        "help": "As it stands on the shelf.",
        "widget": widget,
        "required": Requirement.NEVER,
        "section": FormSection.NAME_AND_PURPOSE,
        "source": "the librarian",
    }
    return Field(**usual | given)  # type: ignore[arg-type]  # as the field says


class PrivateField(StrEnum):
    """The fields that nobody publishes."""

    KEEPER = "keeper"


SHELVES = Registry(
    id="shelf-marks",
    kind="shelf",
    label="shelf mark",
    unnamed="a shelf without its mark",
    space=SHELF_SPACE,
    fields=(
        _field("mark", "Mark", Widget.NID),
        _field(
            "title", "Title", Widget.LINE, required=Requirement.ALWAYS, missing="Enter the title."
        ),
        _field("contents", "Contents", Widget.TEXT),
        _field(PrivateField.KEEPER, "Keeper", Widget.LINE, public=False),
    ),
    procedures=(ShelfProcedure.DEPOSIT,),
    numbering=Numbering(prefix="s", counter="shelf"),
    exports=tuple(form for form in Format if form is not Format.CSV),
    template_page="/assignments/shelf-marks/{}",
)
