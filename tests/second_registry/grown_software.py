"""Looks for the shelf marks in a copy of the software that has them; run there."""

import sys
from pathlib import Path

import app
from app.bundles.edition_files import accept_choices, edition_files, name_of
from app.exports.content.publication_site import PublicationSite
from app.pages.diagrams.procedure_graph import drawing
from app.pages.diagrams.procedure_tables import table_lines
from app.pages.lists.list_query import ListQuery, read_list_query
from app.registration.declarations.registries import REGISTRIES, procedure_named
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry
from app.store.database import Base
from app.web.forms.request_forms import PROCEDURES
from app.workflow.transitions import TABLES

TABLE = SubRegistry(
    id="shelf-marks",
    title="Shelf Marks",
    records=(Registration(name="S.7", date="2026-01-01", contact=()),),
)
SNAPSHOT = RegistrySnapshot(
    id="library", title="Library", updated="2026-01-01", registries=(TABLE,)
)


def declared() -> None:
    """It is a registry as the others are, and its procedure has a table and a word."""
    registry = REGISTRIES["shelf-marks"]
    (procedure,) = registry.procedures
    assert procedure_named("deposit") is procedure
    assert len(table_lines(procedure)) == len(TABLES[procedure])
    assert len(drawing(procedure).boxes) > 2
    assert ("deposit", "Deposit") in PROCEDURES
    checks = " ".join(
        str(getattr(one, "sqltext", "")) for one in Base.metadata.tables["request"].constraints
    )
    assert checks.count("'deposit'") == 2


def listed() -> None:
    """The list of names can be asked for its kind."""
    assert read_list_query({"kind": "shelf"}, URN_GROUP) == ListQuery(kind="shelf")


def published() -> None:
    """Its names have files of their own at their own paths, in its forms."""
    paths = {file.path for file in edition_files(SNAPSHOT, PublicationSite("https://b.example"))}
    assert "/shelves/s7.json" in paths
    assert "/shelves/s7.csv" not in paths
    assert name_of("/shelves/s7.json") == "shelf:s7"
    assert "/shelves/{}" in dict(accept_choices("library"))
    assert not [path for path in paths if path.startswith("/namespaces/")]


if __name__ == "__main__":
    assert Path(app.__file__ or "").is_relative_to(sys.argv[1])
    declared()
    listed()
    published()
