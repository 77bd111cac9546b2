"""Records as they are stored, and templates as they are mailed."""

import json

from hypothesis import given

from app.registration.records.record_documents import canonical_json, snapshot_read
from app.registration.records.registry_records import RegistrySnapshot
from app.registration.templates.template_writer import format_template
from tests.exports.snapshots import snapshots
from tests.factories import template
from tests.registration.shipped import snapshot_to


@given(snapshots())
def test_a_snapshot_survives_being_stored(snapshot: RegistrySnapshot) -> None:
    stored = json.loads(canonical_json(snapshot_to(snapshot)))
    read = snapshot_read(stored)
    assert (read.registries, read.people) == (snapshot.registries, snapshot.people)


def test_equal_records_give_equal_texts() -> None:
    assert (
        canonical_json({"b": 1, "a": [2]})
        == canonical_json({"a": [2], "b": 1})
        == '{"a":[2],"b":1}'
    )


def test_a_template_is_written_in_the_order_and_words_of_appendix_a() -> None:
    text = format_template(template(version="1", date="2026-09-01"))
    headings = [line.partition(":")[0] for line in text.splitlines() if ":" in line]
    assert headings[:4] == ["Namespace Identifier", "Version", "Date", "Registrant"]
    assert "Namespace Identifier: quokka\n" in text
    assert "Revision Information" not in text


def test_long_lines_are_folded_at_72_columns_and_grammars_keep_their_shape() -> None:
    grammar = "quokka = %x41\n" + "    " + "x" * 100
    text = format_template({"purpose": "word " * 40, "syntax": grammar})
    assert grammar in text
    assert all(len(line) <= 72 or line.startswith(" ") for line in text.splitlines())
