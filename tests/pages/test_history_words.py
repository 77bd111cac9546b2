"""What the history of a name and the page of an edition say happened."""

from datetime import UTC, datetime

import pytest

from app.exports.editions.changes import Changes, NameChange, NameChangeKind
from app.exports.editions.edition_list import EditionRow
from app.exports.editions.field_changes import DISPUTES, FieldChange
from app.pages.namespaces.timeline import HistoryRow, timeline
from app.registration.records.registry_records import Registration

RECORD = Registration(name="quokka", date="2026-09-01")


def told(changes: str, cause: str = "correction") -> tuple[str, tuple[str, ...]]:
    """What the line of time says of the second state of a record."""
    states = [
        HistoryRow(n=2, edition=2, date="2026-09-03", cause=cause, reason="1", changes=changes),
        HistoryRow(n=1, edition=1, date="2026-09-01", cause="registration"),
    ]
    newest = timeline(RECORD, history=states)[0]
    return newest.what, newest.told


def test_a_dispute_is_told_as_one_and_not_as_a_correction() -> None:
    assert told("Dispute noted.") == ("Dispute noted", ("1",))
    assert told("Third-party appeal settled.") == ("Third-party appeal settled", ("1",))
    assert told("Status changed.") == ("Entry corrected", ("1", "Status changed."))
    assert told("Text changed.", "registration")[0] == "Registration changed"


def edition(cause: str, kind: NameChangeKind, *facts: FieldChange) -> str:
    change = NameChange(kind=kind, name="quokka", table="t", record=RECORD, facts=facts)
    changes = Changes(before=1, after=2, names=(change,))
    at = datetime(2026, 9, 3, tzinfo=UTC)
    return EditionRow(number=2, as_of=at, origin="made", cause=cause, changes=changes).occasion


NOTED = FieldChange(DISPUTES, "disputes", "", "File 7", "dispute noted")
TEXT = FieldChange("template", "template", "a", "b", "template changed")


@pytest.mark.parametrize(
    ("cause", "kind", "facts", "words"),
    [
        ("registration", NameChangeKind.REGISTERED, (), "after a registration"),
        ("registration", NameChangeKind.CHANGED, (TEXT,), "after a change to a registration"),
        ("correction", NameChangeKind.CHANGED, (TEXT,), "after a correction"),
        (
            "correction",
            NameChangeKind.CHANGED,
            (NOTED,),
            "after a dispute or appeal was recorded or settled",
        ),
    ],
)
def test_an_edition_says_on_which_occasion_it_was_made(
    cause: str, kind: NameChangeKind, facts: tuple[FieldChange, ...], words: str
) -> None:
    assert edition(cause, kind, *facts) == words
