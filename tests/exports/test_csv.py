"""The tables as CSV."""

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given

from app.exports.content.registry_rows import record_rows
from app.exports.formats.csv import csv_files
from app.exports.serialization.csv_text import cell
from app.registration.records.registry_records import RegistrySnapshot, plain_words
from tests.exports.snapshots import EMPTY, FULL, GENERATED, TEXTS, snapshots

OFFICIAL = replace(FULL, notice="")


def files(snapshot: RegistrySnapshot) -> dict[str, str]:
    """The files as text, line ends as they are."""
    return {name: data.decode() for name, data in csv_files(snapshot)}


def test_each_table_is_a_file_in_ianas_columns_and_the_whole_tells_the_kinds() -> None:
    assert files(OFFICIAL) == {
        "urn-namespaces.csv": "URN Namespace,Template,Reference,Kind,Status,Successor\r\n"
        "Alpha,[alpha-template],[RFC8141][RFC Errata 3188],formal,registered,\r\n"
        'omega,,"[=Omega, ""Inc"".]",formal,deprecated,\r\n'
        "draft,,[RFC-a-b-01],formal,registered,\r\n"
        "urn-1,[urn-1],[Jane_Doe],informal,registered,\r\n",
        "urn-namespaces-1.csv": "URN Namespace,Template,Reference\r\n"
        "Alpha,[alpha-template],[RFC8141][RFC Errata 3188]\r\n"
        'omega,,"[=Omega, ""Inc"".]"\r\n'
        "draft,,[RFC-a-b-01]\r\n",
        "urn-namespaces-2.csv": "URN Namespace,Template,Reference\r\nurn-1,[urn-1],[Jane_Doe]\r\n",
    }


def test_a_table_of_an_undeclared_registry_says_name() -> None:
    assert files(EMPTY) == {
        "things.csv": "Name,Template,Reference,Kind,Status,Successor\r\n",
        "things-1.csv": "Name,Template,Reference\r\n",
    }


def test_a_registry_that_is_not_official_says_so_in_every_row() -> None:
    for text in files(FULL).values():
        heading, *lines = csv.reader(io.StringIO(text, newline=""))
        assert heading[-1] == "Notice"
        assert lines
        for line in lines:
            assert line[-1] == "This is a private registry. Its numbers are not IANA's."


@pytest.mark.parametrize(
    "first",
    [
        *("=+-@\t\r\n＝＋－＠﹢﹣﹦﹫"),
        *(" =", "  +", "\xa0-", "\u3000@", "\0=", "\x1b+", "\x7f=", "\x85=", "\xad="),
        *("\ufeff=", "\u200b=", "\u200d+", "\u2060-", "\u202e@", "\u2028＝", "\ufe0f=", "\u3164+"),
        " \t\r\n\ufeff\u200b＝",
    ],
)
def test_a_cell_that_a_spreadsheet_would_compute_is_neutralised(first: str) -> None:
    assert cell(f'{first}1+"2"') == f'"\'{first}1+""2"""'


@pytest.mark.parametrize("text", ["", "a", "a=b", "1-2", "'", " 1", "é", "a;b", "[RFC8141]", "\0a"])
def test_any_other_cell_is_kept_to_the_byte(text: str) -> None:
    assert cell(text) == text


@pytest.mark.parametrize("text", ["a,b", 'a"b', "a\r\nb", "a\nb"])
def test_a_cell_is_quoted_where_the_form_asks_for_it(text: str) -> None:
    assert cell(text) == '"' + text.replace('"', '""') + '"'


@GENERATED
@given(TEXTS)
def test_a_cell_is_read_back_with_at_most_an_apostrophe_more(text: str) -> None:
    [[read]] = csv.reader(io.StringIO(f"{cell(text)}\r\n" if text else '""\r\n', newline=""))
    assert read in (text, f"'{text}")
    assert not read.lstrip().startswith(tuple("=+-@＝＋－＠"))
    assert not read.startswith(tuple("\t\r\n"))


@GENERATED
@given(snapshots())
def test_a_reader_of_csv_finds_every_row(snapshot: RegistrySnapshot) -> None:
    tables = snapshot.registries
    for (_, data), held in zip(csv_files(snapshot), (tables, *zip(tables)), strict=True):
        _, *lines = csv.reader(io.StringIO(data.decode(), newline=""))
        shown = [tuple(text.removeprefix("'") for text in line[:3]) for line in lines]
        cells = (row for table in held for row in record_rows(table))
        assert shown == [
            tuple(plain_words(text).removeprefix("'") for text in row) for row in cells
        ]
