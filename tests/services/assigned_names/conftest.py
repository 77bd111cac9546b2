"""A NAAN with a prefix, whose names are minted, and what lies beside the database."""

from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app.assigned_names.assigned_name_records import AssignedNameRecord, NameRevision
from app.assigned_names.name_formats import NAME_FORMATS
from app.assigned_names.name_numbering import NameNumbering, numbering_of
from app.assigned_names.name_prefixes import read_prefix
from app.bundles.given_numbers import GivenNumberFolder
from app.registration.declarations.naan_registries import (
    NAAN_SPACE,
    NAANS,
    SHOULDER_SPACE,
    SHOULDERS,
)
from app.registration.records.registry_records import Registration, Status
from app.services.accounts.actors import Actor
from app.services.assigned_names import minting, name_changes, prefixes
from app.services.assigned_names.name_import import (
    NameImportResult,
    findings_of,
    import_names,
)
from app.services.assigned_names.prefixes import PrefixRules
from app.services.registry.record_import import RecordImport, import_records
from app.services.use_cases import Command
from app.store.accounts import delegate_rows
from app.store.assigned_names import assigned_name_rows, prefix_rows
from app.store.assigned_names.assigned_name_rows import StoredAssignedName
from app.store.database import read_transaction, transaction
from app.store.tables.delegates import DelegateOrigin
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast

MASK = "reedeedk"


@dataclass
class NameDesk:
    """Somebody who holds a prefix, and everybody else."""

    people: Cast
    clock: Clock
    numbers: Path
    prefix: int = 0

    @property
    def given(self) -> GivenNumberFolder:
        return GivenNumberFolder(self.numbers)

    def command(self, key: str = "", actor: Any = None) -> Command:
        return factories.command(actor or self.people.registrant, self.clock(), key=key)

    def add(self, text: str, mask: str = MASK, actor: Any = None, **rules: str) -> int:
        by = self.command(actor=actor or self.people.operator)
        told = PrefixRules(numbering=mask, **rules)
        return prefixes.add_prefix(by, text, self.people.registrant.email, told)

    def mint(self, count: int = 1, key: str = "", prefix: int = 0, **more: Any) -> list[str]:
        by = self.command(key, more.pop("actor", None))
        event = minting.mint(by, prefix or self.prefix, count, given=self.given, **more)
        return minting.minted_names(event, by.actor, by.at)

    def next_number(self) -> int:
        """The number that the database gives next under the prefix."""
        with read_transaction():
            prefix = prefix_rows.of_id(self.prefix)
            assert prefix is not None
            return prefix.next_number

    def numbering(self, text: str = "ark:10099/x5") -> NameNumbering:
        """The identifiers of a prefix in the order in which it mints them."""
        with read_transaction():
            row = prefix_rows.find(text)
            assert row is not None
            return numbering_of(read_prefix(text), row.numbering, row.order_seed)

    def change(self, *revisions: NameRevision, actor: Any = None) -> int:
        return name_changes.change_names(self.command(actor=actor), revisions, given=self.given)

    def retire_naan(self) -> None:
        """Let the NAAN be no longer in use."""
        former = Registration(name="10099", space=NAAN_SPACE, contact=(), status=Status.FORMER)
        import_records(RecordImport(records={NAANS.id: [former]}), self.clock())

    def bring_in(self, rows: str, form: str = "csv", **more: Any) -> NameImportResult:
        octets = rows.encode()
        read = NAME_FORMATS[form].read(BytesIO(octets))
        digest = sha256(octets).hexdigest()
        return import_names(self.command(), digest, read, given=self.given, **more)

    def found(self, rows: str, form: str = "csv", **more: Any) -> list[tuple[int, str, str]]:
        """What is found in the rows of a file: the line, the code and the sentence of each."""
        made = self.bring_in(rows, form, **more)
        found = findings_of(self.command().actor, made.ident, 0, 1_000)
        return [(one.line, one.code, one.message) for one in found]

    def known(self, name: str) -> StoredAssignedName:
        with read_transaction():
            return assigned_name_rows.known([name])[name]


def revision(name: str, **told: Any) -> NameRevision:
    """What is told of a name; of elements a mapping."""
    elements = tuple(told.pop("elements", {}).items())
    given = frozenset({*told, *(label for label, _ in elements)})
    return NameRevision(
        record=AssignedNameRecord(name=name, elements=elements, **told), given=given
    )


def register_shoulder(
    desk: NameDesk, name: str, holder: Actor | None = None, status: Status = Status.REGISTERED
) -> None:
    """A shoulder that is registered, for somebody or for nobody with an account."""
    record = Registration(name=name, space=SHOULDER_SPACE, contact=(), status=status)
    import_records(RecordImport(records={SHOULDERS.id: [record]}), desk.clock.on(minutes=1))
    if holder is None:
        return
    with transaction():
        scope = delegate_rows.find_name(SHOULDER_SPACE, name)
        assert scope is not None
        delegate_rows.add(scope, holder.id, DelegateOrigin.EVIDENCE, desk.clock())


@pytest.fixture
def desk(app: Flask, clock: Clock, tmp_path: Path) -> NameDesk:
    """The desk of somebody who holds ``ark:10099/x5``, whose names are minted by a mask."""
    known = Registration(name="10099", space=NAAN_SPACE, contact=())
    import_records(RecordImport(records={NAANS.id: [known]}), clock())
    made = NameDesk(factories.cast(clock()), clock, tmp_path / "numbers")
    made.prefix = made.add("ark:10099/x5")
    return made
