"""Many rows that are added at once are kept as they were sent, on either database."""

from collections.abc import Iterable
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError

from app.store.assigned_names import name_import_rows
from app.store.database import db, read_transaction, transaction
from app.store.row_loading import add_rows
from app.store.tables import NameImportFinding
from tests import factories
from tests.conftest import Clock

TEXTS = ("plain", 'a "quote" and \\ one', "two\nlines\u2028", "null", "", "Zoë 文 🦘", "{}[],:")


@pytest.fixture
def ident(app: Flask, clock: Clock) -> int:
    person = factories.cast(clock()).registrant
    with transaction():
        return name_import_rows.begin(person.id, "0" * 64, clock()).id


def rows(ident: int, texts: Iterable[str]) -> list[dict[str, Any]]:
    return [
        {"import_id": ident, "row": 1 << 40, "place": place, "code": "c", "message": text}
        for place, text in enumerate(texts)
    ]


def test_rows_are_kept_in_their_order_with_every_sign(ident: int) -> None:
    with transaction():
        add_rows(NameImportFinding, rows(ident, TEXTS))
    with read_transaction():
        found = name_import_rows.findings_of(ident, 0, 100, refusals=True)
        assert [(one.row, one.message) for one in found] == [(1 << 40, text) for text in TEXTS]


def test_ten_thousand_rows_are_one_statement(ident: int) -> None:
    sent: list[str] = []
    event.listen(db.engine, "before_cursor_execute", lambda *said: sent.append(said[2]))
    with transaction():
        add_rows(NameImportFinding, rows(ident, map(str, range(10_000))))
        add_rows(NameImportFinding, [])
    assert len([one for one in sent if one.startswith("INSERT")]) == 1


def test_a_row_that_is_there_is_refused_and_none_of_the_others_stays(ident: int) -> None:
    with pytest.raises(IntegrityError), transaction():
        add_rows(NameImportFinding, [*rows(ident, TEXTS), *rows(ident, ["again"])])
    with read_transaction():
        assert not name_import_rows.findings_of(ident, 0, 1, refusals=True)
