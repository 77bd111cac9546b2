"""Files of NAANs in ANVL as the registry was kept of old; what is private in them stays apart."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from app.exports.extracts.naan_table import naan_table_bytes
from app.registration.naans.json_values import UnreadableNaanFile
from app.registration.naans.naan_anvl import read_naan_anvl, write_naan_anvl
from app.registration.naans.naan_checks import check_naan_records
from app.registration.naans.naan_json import write_naan_json
from app.registration.naans.naan_records import NaanFile, NaanRow
from tests.bundled.naan_lines import naan_file_to
from tests.registration.naans.made_records import LIBRARY, RECORDS, SHOULDER
from tests.torture.conftest import rounds

OLD = b"""\
# Kept by hand. SECRET1

naa:
who:    Bibliotheek van Utopia (=) Utopian
        Library (=) UTOPIA
what:   24680
when:   2002.07.12
where:  http://library.example
how:    NP | NR, OP | 2002 | https://library.example/policy
!why:   ARK SECRET2
!contact: SECRET3, Anna | Unit | 2002 | SECRET4@library.example | +1 SECRET5
  SECRET6 goes on
!address: SECRET7 Street
#!contact: SECRET8, who was asked before

naa:
who:    Rare Books (=) RARE
what:   ark:/24680/x5
when:   2010.09.01
where:  303 http://rare.example
how:    NP | (:unkn) unknown | 2010 |
"""


def test_the_blocks_of_old_give_records_and_the_private_values_apart() -> None:
    register = read_naan_anvl(OLD)
    assert register.file == NaanFile(records=(LIBRARY, SHOULDER))
    (told,) = register.file.findings
    assert (told.code, told.place) == ("private_line", "line 10")
    assert "3 lines, of which this is the first, are private" in told.message
    assert "imported" in told.message
    assert [one.name for one in register.private] == ["", "24680"]
    assert register.private[0].comments == ("Kept by hand. SECRET1",)
    labelled = dict(register.private[1].labelled)
    assert labelled == {
        "why": "ARK SECRET2",
        "contact": "SECRET3, Anna | Unit | 2002 | SECRET4@library.example | +1 SECRET5"
        " SECRET6 goes on",
        "address": "SECRET7 Street",
    }


# What is wrong with a file: its lines, the codes that it is told by, where.
DIRT: tuple[tuple[str, list[tuple[str, str]]], ...] = (
    ("naa:\nwho: SECRET\n!contact: SECRET", [("no_name", "line 1"), ("private_line", "line 3")]),
    ("naa:\nwhat: 24680\n\nnaa:\nwhat: 24680\nwho: SECRET", [("duplicate", "line 4")]),
    ("naa:\nwhat: 24680\nphone: SECRET", [("unknown_label", "line 3")]),
    ("naa:\nwhat: 24680\nwho: A\nwho: SECRET", [("label_twice", "line 4")]),
    ("naa:\nwhat: 24680\nSECRET without a label", [("no_label", "line 3")]),
    ("   SECRET continues nothing\nwhat: 24680", [("no_label", "line 1")]),
    ("naa:\nwhat: 24680\nhow: NP | NR", [("how", "line 1")]),
    ("naa:\nwhat: 24680\nwho: A (=) B (=) C (=) D", [("who", "line 1")]),
    ("naa:\nwhat: 24680\ntarget: http://a.example/${pid}", [("target", "line 1")]),
    ("naa:\r\n!contact: SECRET\r\n \t\r\n\r\n", [("private_line", "line 2")]),
    ("naa:\nwhat: 24680\nhow: NP | NR | 2020 |\n !contact: SECRET", [("private_line", "line 4")]),
    (
        "naa:\nwhat: 24680\nhow:\n\t !contact: SECRET\n  SECRET",
        [("how", "line 1"), ("private_line", "line 4")],
    ),
    ("naa:\nwhat: 24680\npurpose: x\n  # SECRET\n  SECRET", [("private_line", "line 4")]),
    ("naa:\nwhat: 24680\nwho: A\n \xa0!contact: SECRET", [("private_line", "line 4")]),
    ("naa:\nwhat: 24680\nwho: A\n \uff01contact: SECRET", [("private_line", "line 4")]),
    ("naa:\nwhat: 24680\nwho: A\n * !contact: SECRET", [("private_line", "line 4")]),
)


@pytest.mark.parametrize(("text", "told"), DIRT)
def test_what_cannot_be_read_is_told_by_its_line_kept_and_not_quoted(
    text: str, told: list[tuple[str, str]]
) -> None:
    register = read_naan_anvl(text.encode())
    assert [(one.code, one.place) for one in register.file.findings] == told
    kept = [(one.labelled, one.comments) for one in register.private]
    assert ("SECRET" in repr(kept)) == ("SECRET" in text)
    assert not _told_of(register.file.records, register) & {"SECRET"}


def test_what_continues_a_public_value_after_a_private_line_begins_with_a_label_again() -> None:
    register = read_naan_anvl(b"what: 24680\nwho: Utopian\n Library\n !x: SECRET\npurpose: a\n b")
    (record,) = register.file.naans
    assert (record.holder, record.purpose) == ("Utopian Library", "a b")
    assert "SECRET" not in repr(register)


def test_no_public_form_and_no_finding_holds_what_is_private() -> None:
    register = read_naan_anvl(OLD)
    assert _told_of(register.file.records, register) == set()


def _told_of(records: tuple[NaanRow, ...], register: object) -> set[str]:
    """The marks that show in some public form."""
    file = NaanFile(records=records)
    forms = (
        *(write_naan_json(file), write_naan_anvl(records), naan_file_to(file)),
        *(naan_table_bytes(records), repr(check_naan_records(records)).encode()),
        repr(register).encode(),
    )
    return {"SECRET" for form in forms if b"SECRET" in form}


@settings(max_examples=rounds(40, 20), deadline=None)
@given(RECORDS)
def test_records_are_written_and_read_again(records: list[NaanRow]) -> None:
    data = write_naan_anvl(records)
    register = read_naan_anvl(data)
    assert register.file.records == tuple(records)
    assert register.private == ()
    assert write_naan_anvl(register.file.records) == data


def test_the_newest_state_is_written_and_read_again_but_for_empty_texts(
    naan_states: list[tuple[bytes, NaanFile]],
) -> None:
    records = naan_states[-1][1].records
    read = read_naan_anvl(write_naan_anvl(records)).file
    plain = (replace(one, policy_address=one.policy_address or None) for one in records)
    assert read.records == tuple(plain)
    assert read.findings == ()


@pytest.mark.parametrize(
    ("data", "place"), [(b"naa:\nwho: \xff", "byte 10"), (b"naa:\nwho: a\0", "line 2")]
)
def test_what_is_no_text_is_refused_with_the_place(data: bytes, place: str) -> None:
    with pytest.raises(UnreadableNaanFile) as caught:
        read_naan_anvl(data)
    assert caught.value.place == place


def test_a_large_file_of_nonsense_is_read_in_one_go() -> None:
    for line in ("a", ":", " ", "#", "!", "who: (=)", "how: |", "%", "\r"):
        assert read_naan_anvl((line + "\n").encode() * 2_000).file.records == ()
