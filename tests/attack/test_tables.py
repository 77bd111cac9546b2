"""No cell of a table that is given away is computed by a spreadsheet, whoever wrote it."""

import csv
import io
from dataclasses import replace

import pytest

from app.exports.formats.csv import csv_files, record_csv
from app.exports.serialization.csv_text import cell
from app.registration.records.registry_records import Registration
from tests.conftest import MakeApp
from tests.exports.snapshots import FULL
from tests.web.corpus import ALL
from tests.web.visitor import Visitor

UNSEEN = "".join(map(chr, (*range(0x21), 0x7F, 0xA0, 0x3000, 0xFEFF, 0x200B, 0x2060)))
HARMLESS = ("a", "1-2", "a=b", "'", "é", "a b")
BEFORE = ("", " ", "\t", "\r\n", "\0", "\ufeff", "\u200b", "\xa0", "\u3000", "\u2060", " \t\ufeff")
SIGNS = "=+-@＝＋－＠﹦﹢﹣﹫"
FORMULAS = [f"{before}{sign}1+1" for before in BEFORE for sign in SIGNS]


def cells_of(table: str) -> list[str]:
    """Every cell, as a spreadsheet reads it."""
    return [text for line in csv.reader(io.StringIO(table, newline="")) for text in line]


def is_computed(text: str) -> bool:
    """Whether a spreadsheet would compute a cell, once it took away what nobody sees."""
    seen = text.lstrip(
        "".join(map(chr, [*range(0x21), 0x7F, 0xA0, 0x3000, 0xFEFF, 0x200B, 0x2060]))
    )
    return seen.startswith(tuple(SIGNS))


def test_a_formula_is_a_text_and_all_else_as_it_was() -> None:
    for text in FORMULAS:
        assert cells_of(cell(text)) == [f"'{text}"]
    for text in HARMLESS:
        assert cell(text) == text
    assert not [text for text in filter(None, ALL) if is_computed(cells_of(cell(text))[0])]


def named(text: str) -> Registration:
    """A record that somebody wrote so."""
    record = FULL.registries[0].records[0]
    return replace(record, references=(text, *record.references))  # type: ignore[arg-type]  # a text alone


@pytest.mark.parametrize("text", FORMULAS[:: len(SIGNS) - 1], ids=ascii)
def test_no_file_of_the_registry_is_computed(text: str) -> None:
    home = replace(FULL.registries[0], records=(named(text),))
    snapshot = replace(FULL, registries=(home, *FULL.registries[1:]), notice=text)
    tables = [data for _, data in csv_files(snapshot)]
    for data in (*tables, record_csv(snapshot, home, home.records[0])):
        assert not [one for one in cells_of(data.decode()) if is_computed(one)]


def test_no_answer_of_a_tool_is_computed(make_app: MakeApp) -> None:
    asked = {"q": "\n".join(FORMULAS), "then": "csv"}
    table = Visitor(make_app()).post("/tools/urn", asked).html
    cells = cells_of(table)
    assert not [text for text in cells if is_computed(text)]
    assert "'＝1+1" in cells
