"""Files of names: any octets are rows or faults, what is written reads again, in bounded memory."""

import csv
import json
from collections.abc import Iterator
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    AssignedNameState,
    apply_revision,
    merged,
)
from app.assigned_names.name_formats import NAME_FORMATS, NameFormat, format_of
from app.assigned_names.name_rows import (
    COLUMNS,
    LONGEST_LINE,
    NameRow,
    NameRowFault,
    file_lines,
    read_row,
    revision_of,
)
from tests.assigned_names.name_strategies import records

FORMATS = pytest.mark.parametrize("form", NAME_FORMATS.values(), ids=NAME_FORMATS)
CSV, JSONL, ANVL = NAME_FORMATS.values()
Rows = list[NameRow | NameRowFault]


def _read(form: NameFormat, data: bytes) -> Rows:
    return list(form.read([data]))


def _records(rows: Rows) -> list[AssignedNameRecord]:
    assert [row for row in rows if isinstance(row, NameRowFault)] == []
    return [row.record for row in rows if isinstance(row, NameRow)]


def _lines_and_codes(rows: Rows) -> list[tuple[int, str]]:
    for row in rows:
        assert isinstance(row, NameRow) or row.message.endswith((".", "`."))
    return [(row.line, row.code if isinstance(row, NameRowFault) else "") for row in rows]


def _cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


# ---- round trips


@FORMATS
@given(
    known=st.lists(records, max_size=5),
    labels=st.lists(st.sampled_from(["dc.title", "x y", "", "name", "Who", "who", "=a"])),
    size=st.integers(1, 40),
)
def test_what_is_written_reads_again_however_it_is_cut(
    form: NameFormat, known: list[AssignedNameRecord], labels: list[str], size: int
) -> None:
    data = b"".join(form.write(known, labels))
    assert _records(list(form.read(_cut(data, size)))) == known
    if known:
        assert format_of(data[:1_000]) is form


def test_a_heading_without_a_name_column_lists_the_columns() -> None:
    (fault, *_) = NAME_FORMATS["csv"].read([b"identifier,target\nark:12345/a,https://a.example/\n"])
    assert isinstance(fault, NameRowFault) and fault.code == "heading"
    assert fault.message.endswith("Its columns: `identifier`, `target`.")


@pytest.mark.parametrize(("sign", "called"), [(";", "semicolons"), ("\t", "tabs")])
def test_a_heading_that_is_parted_by_other_signs_than_commas_says_by_which(
    sign: str, called: str
) -> None:
    rows = f"Name{sign}target{sign}what, and who\nark:12345/x5a{sign}https://a.example/{sign}A\n"
    (fault,) = _read(CSV, rows.encode())
    assert isinstance(fault, NameRowFault) and fault.code == "heading"
    assert f"by {called}" in fault.message and "comma" in fault.message
    (other,) = _read(CSV, b"target;what\n")
    assert isinstance(other, NameRowFault) and "semicolons" not in other.message


def test_what_is_single_stays_in_its_column_where_others_share_a_label() -> None:
    elements = (("who", "A"), ("who", "B"), ("what", "C"), ("x", "1"))
    record = AssignedNameRecord(name="ark:12345/x5", elements=elements)
    data = b"".join(NAME_FORMATS["csv"].write([record], ["x"])).decode()
    heading, cells = csv.reader(StringIO(data))
    told = dict(zip(heading, cells, strict=True))
    assert [told[label] for label in ("who", "what", "x")] == ["", "C", "1"]
    changed = data.replace(",C,", ",D,").encode()
    (row,) = _records(_read(NAME_FORMATS["csv"], changed))
    assert row.elements == (("who", "A"), ("who", "B"), ("what", "D"), ("x", "1"))


@FORMATS
def test_texts_that_a_spreadsheet_would_compute_read_again(form: NameFormat) -> None:
    values = ["=1+1", "'=1", "''=1", "'a", "+", "-1", "@a", "\u00a0=1", '"', "\"'=", "'", '="'] * 2
    elements = tuple((f"label{at}", value) for at, value in enumerate(values))
    record = AssignedNameRecord(name="ark:12345/x5", elements=elements, reason="=A1")
    for labels in ([], [label for label, _ in elements]):
        assert _records(_read(form, b"".join(form.write([record], labels)))) == [record]


def test_no_cell_of_csv_is_computed_by_a_spreadsheet() -> None:
    elements = (("who", "=1+1"), ("a", "@SUM(A1)"))
    record = AssignedNameRecord(name="ark:12345/x5", elements=elements)
    data = b"".join(CSV.write([record], ["a"])).decode()
    assert ',"\'=1+1",' in data
    assert ',"\'@SUM(A1)",' in data


@FORMATS
def test_texts_at_their_longest_read_again(form: NameFormat) -> None:
    elements = tuple((f"label{at}", '"%é\\' * 1_024) for at in range(50))
    record = AssignedNameRecord(name="ark:12345/x5", elements=elements)
    assert _records(_read(form, b"".join(form.write([record], [])))) == [record]


# ---- any octets

_SCRAPS = st.sampled_from([
    *(b'"', b",", b"\n", b"\r\n", b"\r", b"\xff", b"\xef\xbb\xbf", b"\0", b"{", b"}", b"[", b":"),
    *(b"name", b"name,target\n", b"ark:12345/x5", b"who", b'{"name":', b'"urn:mrn:a"', b"#", b" "),
    *(b"\xed\xa0\x80", b'"\\ud800"', b"erc:\n", b"name: urn:mrn:a\n\n", b"elements", b"=", b"%0A"),
])  # fmt: skip


@FORMATS
@given(
    data=st.binary(max_size=200) | st.lists(_SCRAPS, max_size=30).map(b"".join),
    size=st.integers(1, 20),
)
def test_any_octets_give_rows_and_faults_in_their_order(
    form: NameFormat, data: bytes, size: int
) -> None:
    rows = _read(form, data)
    assert rows == list(form.read(_cut(data, size)))
    numbers = [row.line for row in rows]
    assert numbers == sorted(set(numbers))
    for row in rows:
        if isinstance(row, NameRowFault):
            assert row.code
            assert row.message.isprintable()
        else:
            json.dumps(str(row.record)).encode()
            assert "name" in row.given
    assert format_of(data) in NAME_FORMATS.values()


_GOOD: dict[str, tuple[bytes, bytes]] = {
    "csv": (b"name,who\n", b"urn:mrn:a,b\n"),
    "jsonl": (b"", b'{"name": "urn:mrn:a", "who": "b"}\n'),
    "anvl": (b"", b"name: urn:mrn:a\nwho: b\n\n"),
}


@FORMATS
@pytest.mark.parametrize(
    "bad",
    [
        *(b"\xff\xfe\n\n", b"nonsense\n\n", b"a" * (LONGEST_LINE + 5) + b"\n\n", b"\0\n\n"),
        b'"open\n\n',
    ],
)
def test_after_what_is_no_row_reading_goes_on(form: NameFormat, bad: bytes) -> None:
    heading, good = _GOOD[form.id]
    rows = _read(form, b"".join((heading, good, bad, good)))
    assert [type(row) for row in rows] == [NameRow, NameRowFault, NameRow]
    first, fault, last = rows
    assert first.line < fault.line < last.line


@FORMATS
def test_a_byte_order_mark_is_passed_over_and_utf_16_is_told(form: NameFormat) -> None:
    heading, good = _GOOD[form.id]
    assert len(_records(_read(form, b"\xef\xbb\xbf" + heading + good))) == 1
    (fault, *_) = _read(form, f"\ufeff{(heading + good).decode()}".encode("utf-16"))
    assert isinstance(fault, NameRowFault)
    assert "UTF-16" in fault.message


# ---- each form


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (b"urn:mrn:a,b", [(2, "")]),
        (b'urn:mrn:a,"b,""c"""', [(2, "")]),
        (b'urn:mrn:a,"b\nc"', [(2, "")]),
        (b"urn:mrn:a", [(2, "cells")]),
        (b"urn:mrn:a,b,c", [(2, "cells")]),
        (b'urn:mrn:a,b"c"', [(2, "csv")]),
        (b'urn:mrn:a,"b"c', [(2, "csv")]),
        (b'urn:mrn:a,"b', [(2, "csv")]),
        (b'urn:mrn:a,"b\nurn:mrn:c,d\nurn:mrn:e,f', [(2, "csv"), (3, ""), (4, "")]),
        (b"urn:mrn:a,b\n\n \nurn:mrn:c,d", [(2, ""), (5, "")]),
        (b",b", [(2, "name_missing")]),
        (b"doi:10.5/a,b", [(2, "scheme")]),
        (b"," * 200_000, [(2, "cells")]),
    ],
)
def test_rows_of_csv(row: bytes, found: list[tuple[int, str]]) -> None:
    assert _lines_and_codes(_read(CSV, b"name,who\n" + row)) == found


@pytest.mark.parametrize(
    "heading",
    [b"", b"\n", b"a,b\n", b"name,name\n", b"name,\n", b'"name\n', b"name" + b",a" * 200 + b"\n"],
)
def test_a_file_of_csv_without_a_heading_has_one_fault(heading: bytes) -> None:
    (fault,) = _read(CSV, heading + b"urn:mrn:a,b\n" * 3)
    assert isinstance(fault, NameRowFault)


def test_columns_are_known_in_any_case_and_an_empty_cell_tells_nothing() -> None:
    data = b"Name, TARGET ,who,dc.title\nurn:MRN:a,https://a.example.org/,,T\n"
    (row,) = _read(CSV, data)
    assert isinstance(row, NameRow)
    assert row.record.name == "urn:mrn:a"
    assert row.record.elements == (("dc.title", "T"),)
    assert row.given == {"name", "target", "dc.title"}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"name": "urn:mrn:a", "when": 2002, "who": null, "extends_anywhere": true}', ""),
        (b'{"name": "urn:mrn:a", "elements": [["who", "b"], ["who", "c"]]}', ""),
        (b'{"name": "urn:mrn:a", "elements": {"who": "b"}}', "member"),
        (b'{"name": "urn:mrn:a", "elements": [["who", 1, 2]]}', "member"),
        (b'{"name": "urn:mrn:a", "name": "urn:mrn:b"}', "member"),
        (b'{"name": "urn:mrn:a", "Name": "urn:mrn:b"}', "member"),
        (b'{"name": "urn:mrn:a", "who": {}}', "member"),
        (b'{"name": "urn:mrn:a", "who": "\\ud800"}', "surrogate"),
        (b'{"name": "urn:mrn:a", "redirect": 301}', "redirect"),
        (b'{"name": "urn:mrn:a", "redirect": NaN}', "json"),
        (b'{"name": "urn:mrn:a", "state": "free"}', "state"),
        (b'{"name": "urn:mrn:a", "extends_anywhere": "maybe"}', "extends_anywhere"),
        (b'{"who": "b"}', "name_missing"),
        (b"[]", "json"),
        (b"{}", "name_missing"),
        (b'{"name": "urn:mrn:a"', "json"),
        (b"[" * 500_000, "json"),
        (b'{"name": ' + b"1" * 500_000 + b"}", "scheme"),
    ],
)
def test_lines_of_json(line: bytes, code: str) -> None:
    assert _lines_and_codes(_read(JSONL, line)) == [(1, code)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("erc:\nname: urn:mrn:a\nwho: b", [(1, "")]),
        ("# a comment\nname: urn:mrn:a\n\n\n\nname: urn:mrn:b\n", [(2, ""), (6, "")]),
        ("name: urn:mrn:a\nwho: b\n  and c\nwho: d", [(1, "")]),
        ("name: urn:mrn:a\nname: urn:mrn:b", [(1, "member")]),
        ("name: urn:mrn:a\nno label", [(1, "anvl")]),
        ("  goes on\nname: urn:mrn:a", [(1, "anvl")]),
        ("erc:\nwho: b", [(1, "name_missing")]),
        ("erc:\n", []),
        ("# a comment", []),
        (
            "name: urn:mrn:a\n" + "who: b\n" * 2_000 + "\nname: urn:mrn:b",
            [(1, "anvl"), (2_003, "")],
        ),
    ],
)
def test_blocks_of_anvl(text: str, found: list[tuple[int, str]]) -> None:
    assert _lines_and_codes(_read(ANVL, text.encode())) == found


def test_what_anvl_repeats_and_continues_is_told_in_order() -> None:
    text = b"erc:\nwho: b\n  and c\nname: urn:mrn:a\nwho: 100%25 d %20\nx%3Ay: z\n"
    (record,) = _records(_read(ANVL, text))
    assert record.elements == (("who", "b and c"), ("who", "100% d  "), ("x:y", "z"))


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (b"name,target\n", CSV),
        (b'"name"\n', CSV),
        (b"\xef\xbb\xbfname,dc:title\n", CSV),
        (b"", CSV),
        (b'\n {"name": ', JSONL),
        (b"erc:\n", ANVL),
        (b"# a comment\nname: ark:12345/x5", ANVL),
    ],
)
def test_a_form_is_known_by_how_a_file_begins(data: bytes, form: NameFormat) -> None:
    assert format_of(data) is form


@pytest.mark.parametrize(
    "row",
    [
        "ark:12345/x5a,https://a.example/",
        "URN:example:a,https://a.example/",
        '"ark:12345/x5a","https://a.example/"',
        "https://a.example/,ark:12345/x5a",
        "ark:/12345/x5a",
    ],
)
def test_a_row_without_a_heading_before_it_is_told_that_the_first_line_names_the_columns(
    row: str,
) -> None:
    data = f"{row}\n".encode()
    (fault,) = format_of(data).read([data])
    assert isinstance(fault, NameRowFault) and fault.line == 1
    assert "header row" in fault.message


# ---- what a row leaves as it was


def test_what_a_row_does_not_tell_stays() -> None:
    before = AssignedNameRecord(
        name="urn:mrn:a",
        target="https://a.example.org/",
        redirect=303,
        elements=(("who", "b"), ("what", "c"), ("x", "y")),
        persistence="For ever.",
    )
    told = {"name": "urn:mrn:a", "what": "d", "x": "", "when": "2026", "persistence": ""}
    row = read_row(1, told)
    assert isinstance(row, NameRow)
    assert apply_revision(before, revision_of(row)) == AssignedNameRecord(
        name="urn:mrn:a",
        target="https://a.example.org/",
        redirect=303,
        elements=(("who", "b"), ("what", "d"), ("when", "2026")),
    )
    assert apply_revision(None, revision_of(row)) == row.record


@given(records, records)
def test_a_row_that_tells_all_leaves_nothing_as_it_was(
    before: AssignedNameRecord, after: AssignedNameRecord
) -> None:
    row = NameRow(1, after, frozenset(COLUMNS))
    assert merged(before, row.record, row.given) == after


# ---- memory


@FORMATS
def test_a_million_rows_are_read_one_by_one(form: NameFormat) -> None:
    heading, good = _GOOD[form.id]
    taken = 0

    def pieces() -> Iterator[bytes]:
        nonlocal taken
        yield heading
        for _ in range(1_000_000):
            taken += 1
            yield good

    rows = form.read(pieces())
    for number in range(1, 1_001):
        assert isinstance(next(rows), NameRow)
        assert taken <= number + 2, "rows are read on before they are asked for"


@FORMATS
def test_a_million_rows_are_written_one_by_one(form: NameFormat) -> None:
    taken = 0

    def known() -> Iterator[AssignedNameRecord]:
        nonlocal taken
        for number in range(1_000_000):
            taken += 1
            yield AssignedNameRecord(name=f"urn:mrn:{number}", state=AssignedNameState.PUBLIC)

    pieces = form.write(known(), [])
    for number in range(1, 1_001):
        assert len(next(pieces)) < 200
        assert taken <= number


@pytest.mark.parametrize("octet", [b"a", b'"', b",", b"\xff", b" a", b"a:"])
@FORMATS
def test_of_a_row_without_an_end_only_so_much_is_in_memory(form: NameFormat, octet: bytes) -> None:
    piece = octet * 65_536
    heading, _ = _GOOD[form.id]
    rows = list(form.read((heading, *(piece for _ in range(64)))))
    (fault,) = rows
    assert isinstance(fault, NameRowFault)
    (line, *_) = [line for line in file_lines(piece for _ in range(64)) if not line.text]
    assert line.fault


def test_a_quotation_that_is_never_closed_takes_no_more_than_its_own_row() -> None:
    rows = b"urn:mrn:a,%b\n" % (b"b" * 1_000) * (2 * LONGEST_LINE // 1_000)
    found = _read(CSV, b'name,who\nurn:mrn:a,"b\n' + rows)
    assert _lines_and_codes(found[:3]) == [(2, "csv"), (3, ""), (4, "")]
    assert len(found) == rows.count(b"\n") + 1


def test_empty_rows_of_a_spreadsheet_are_skipped() -> None:
    found = _read(CSV, b'name,who\n,\nurn:mrn:a,b\n,\n ,""\n,,,,\n"",\nurn:mrn:b,c\n,\n')
    assert _lines_and_codes(found) == [(3, ""), (8, "")]


_DUMP = b"VERSION=3\nformat=print\ntype=btree\nHEADER=END\n :/c\n 1\nDATA=END\n"


def test_a_dump_of_a_noid_database_is_named_once() -> None:
    (found,) = format_of(_DUMP).read([_DUMP])
    assert isinstance(found, NameRowFault)
    assert found.message.startswith("This is a database dump")


def test_a_record_of_noid_is_told_how_to_become_a_name() -> None:
    record = b"id:      13030/fk4x0k63q hold\nwho:     A. Person\nwhat:    A report\n"
    (found,) = format_of(record).read([record])
    assert isinstance(found, NameRowFault)
    assert "label `id`" in found.message
