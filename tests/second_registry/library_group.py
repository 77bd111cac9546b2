"""The shelf marks once more, in a group of their own; and drawers beside them."""

from dataclasses import replace

from app.identifiers.errors import Finding
from app.registration.declarations.identifier_spaces import IdentifierSpace, NameIndex
from app.registration.declarations.registry_groups import RegistryGroup
from tests.second_registry.shelf_marks import SHELVES, MarkIndex, ShelfMarkReport

LIBRARY = RegistryGroup(
    id="library", title="Library", editions="/library/editions/", schemes=("shelf",)
)
LENT = replace(SHELVES, group=LIBRARY.id)


def _check_drawer(name: str, _kind: str, taken: NameIndex) -> ShelfMarkReport:
    return ShelfMarkReport(
        (Finding("taken", "Taken.", "the librarian"),) if taken.find_registered(name) else ()
    )


# Names with a slash and a full stop, beside the shelf marks; one may be written as a shelf is.
DRAWER_SPACE = IdentifierSpace(
    id="drawer",
    heading="Drawer",
    label="drawer",
    plural="drawers",
    fold=str.lower,
    shape=str.lower,
    check=_check_drawer,
    index=MarkIndex,
    member="drawer",
    written="drawer:{}",
    page="/library/{}",
    signs="/.",
)
DRAWERS = replace(
    LENT,
    id="drawers",
    kind="drawer",
    label="drawer",
    space=DRAWER_SPACE,
    procedures=(),
    numbering=None,
    template_page="/assignments/drawers/{}",
)
