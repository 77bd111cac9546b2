"""NAANs and shoulders as CSV: RFC 4180, and no formula."""

import csv
from dataclasses import replace
from io import StringIO

from app.exports.extracts.naan_table import HEADINGS, naan_table_bytes
from tests.registration.naans.made_records import LIBRARY, SHOULDER


def test_each_record_is_a_row_and_no_cell_a_formula() -> None:
    dirty = replace(
        LIBRARY, holder='=HYPERLINK("x")', acronym="@A", where='a,"b"\nc', when="1970-01-01"
    )
    rows = list(csv.DictReader(StringIO(naan_table_bytes([dirty, SHOULDER]).decode(), newline="")))
    assert [row["holder"] for row in rows] == ['\'=HYPERLINK("x")', "Rare Books"]
    assert [row["acronym"] for row in rows] == ["'@A", "RARE"]
    assert [row["where"] for row in rows] == ['a,"b"\nc', "303 http://rare.example"]
    assert [row["day"] for row in rows] == ["", "2010-09-01"]
    assert [(row["naan"], row["shoulder"], row["status"]) for row in rows] == [
        ("24680", "", "302"),
        ("24680", "x5", "303"),
    ]
    assert all(len(row) == len(HEADINGS) for row in rows)
    assert naan_table_bytes([]).endswith(b"test_ark,state,successor\r\n")
    assert {row["state"] for row in rows} == {"registered"}
