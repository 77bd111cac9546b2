"""Templates that stand inside RFCs: found by name, whole, without furniture and other chapters."""

import re
from pathlib import Path

import pytest

from app.registration.records.registry_records import TemplateStyle
from app.registration.templates.rfc_registrations import (
    MOST_LINES,
    RfcMismatch,
    RfcRegistration,
    find_registrations,
    with_changes,
)
from app.registration.templates.template_reader import read_template
from app.registration.templates.text_encodings import decode_text
from tests.registration.printed import (
    CHANGE,
    CONTENTS,
    EARLIER,
    END,
    INTRODUCTION,
    NUMBER,
    TODAY,
    printed,
)

NAMES = ("quokka", "wombat")
WHOLE = (CONTENTS, INTRODUCTION, EARLIER, TODAY, END)

# Read by eye: the RFC, the section, the name, and the first and last line of its template.
BY_EYE = """
2648 2 ietf 48 205, 3061 2 oid 65 177, 3120 2 xmlorg 50 155, 3151 2 publicid 134 298,
3613 2 mace 67 245, 3615 2 swift 65 142, 3622 2 liberty 65 189, 4152 2 clei 96 199,
4195 2 tva 65 163, 4246 2 isan 72 163, 4358 2 oma 79 195, 4688 2 s1000d 96 267,
4854 2 xmpp 151 302, 5031 3 service 189 316, 5134 2 epc 89 240, 5134 3 epcglobal 244 361,
5141 2 iso 177 913, 5174 2 ebu 86 200, 5328 2 dvb 87 193, 6061 2 nena 92 212,
6289 2 cablelabs 125 218, 6453 2 ogf 121 314, 6893 2 oipf 175 263, 7207 4 eurosystem 192 308,
7354 2 dvb 86 103, 7467 2 nato 121 271, 7738 3 ccsds 136 277, 7853 2 globus 121 248,
8057 2 bbf 145 238, 8057 3 broadband-forum-org 242 332, 8057 4 dslforum-org 345 430,
8107 2 adid 101 234, 8464 3 3gpp2 179 296, 9039 3 dev 153 337
"""
ROWS = [row.split() for row in BY_EYE.replace("\n", " ").split(",")]


def real(shared: Path, number: str) -> str:
    """The text of one of the RFCs that register names."""
    folder = shared / "data/rfc-registrations"
    if not folder.is_dir():
        pytest.skip(f"no RFCs at {folder}")
    return decode_text((folder / f"rfc{number}.txt").read_bytes()).text


def names_of(number: str) -> list[str]:
    return [name for row, _, name, _, _ in ROWS if row == number]


def words_between(text: str, number: str, first: int, last: int) -> list[str]:
    """The words of these lines, without feet and heads of pages: counted in another way."""
    lines = text.split("\n")[first - 1 : last]
    ends = (f"RFC {number} ", "\f")
    return [w for x in lines if "[Page " not in x and not x.startswith(ends) for w in x.split()]


def test_there_is_a_row_for_each_rfc_of_the_folder(shared: Path) -> None:
    real(shared, ROWS[0][0])
    files = (shared / "data/rfc-registrations").glob("rfc*.txt")
    assert {file.stem[3:] for file in files} == {row[0] for row in ROWS}


@pytest.mark.parametrize("number", dict.fromkeys(row[0] for row in ROWS))
def test_each_template_of_an_rfc_is_cut_out_whole_and_nothing_around_it(
    shared: Path, number: str
) -> None:
    text = real(shared, number)
    found = find_registrations(text, int(number), names_of(number))
    rows = [row for row in ROWS if row[0] == number]
    assert len(found) == len(rows)
    for one, (_, section, name, first, last) in zip(found, rows, strict=True):
        assert (one.name, one.place) == (name, f"RFC {number}, section {section}")
        assert (one.line, one.last_line) == (int(first), int(last))
        assert one.text.split() == words_between(text, number, int(first), int(last))
        assert not re.search(r"\f|\[Page|^RFC [0-9]+ .*(?:19|20)[0-9]{2}$", one.text, re.MULTILINE)
        assert len(one.sections) >= (11 if one.is_whole else 3)
        assert one.is_whole == (number != "7354")


def test_a_changed_registrant_takes_the_place_of_the_one_before(shared: Path) -> None:
    (whole,) = find_registrations(real(shared, "5328"), 5328, ["dvb"])
    (change,) = find_registrations(real(shared, "7354"), 7354, ["dvb"])
    made = with_changes(whole, change)
    assert made.place == "RFC 5328, section 2, with the changes of RFC 7354, section 2"
    assert ("dvb@dvb.org" in made.text, "macavock@dvb.org" in made.text) == (True, False)
    assert ("Version: 2" in made.text, "Version: 1" in made.text) == (True, False)
    assert made.sections == whole.sections
    assert "RFC 7354, section 2 replaces" in made.doubts[-1]


@pytest.mark.parametrize(
    ("number", "lines"),
    [("2611", [145, 490]), ("3406", [589, 824]), ("8141", [2025])],
)
def test_a_form_that_nobody_filled_in_is_a_template_of_no_name(
    shared: Path, number: str, lines: list[int]
) -> None:
    text = decode_text((shared / f"specs/rfc/rfc{number}.txt").read_bytes()).text
    found = find_registrations(text, int(number), NAMES)
    assert [(one.name, one.line) for one in found] == [("", line) for line in lines]


def cut(*chapters: str, per_page: int = 40) -> tuple[RfcRegistration, ...]:
    return find_registrations(printed(*chapters, per_page=per_page), NUMBER, NAMES)


def words(chapter: str, first: str, last: str) -> list[str]:
    start = chapter.index(first)
    return chapter[start : chapter.index(last, start) + len(last)].split()


@pytest.mark.parametrize("per_page", [*range(5, 60), 1_000])
def test_two_templates_are_cut_out_wherever_the_pages_end(per_page: int) -> None:
    quokka, wombat = cut(*WHOLE, per_page=per_page)
    assert quokka.text.split() == words(EARLIER, "Namespace ID:", "Global.")
    after = words(TODAY, "3.1.  Namespace", "3.10.  Revision Information\n\n   None.")
    assert wombat.text.split() == after
    assert [one.name for one in (quokka, wombat)] == [*NAMES]
    assert [one.place for one in (quokka, wombat)] == ["RFC 5999, section 2", "RFC 5999, section 3"]
    assert [one.style for one in (quokka, wombat)] == [TemplateStyle.RFC3406, TemplateStyle.RFC8141]
    assert (len(quokka.sections), len(wombat.sections)) == (9, 10)
    syntax = read_template(wombat.text).fields["syntax"]
    assert syntax.split()[:4] == ["A", "number.", "3.6.1.", "Numbers"], "a section of the field"


def test_a_paragraph_that_a_page_tore_apart_is_whole_again_or_told() -> None:
    for per_page in range(5, 60):
        quokka = cut(*WHOLE, per_page=per_page)[0]
        inside = quokka.text.partition("structure:\n\n")[2].partition("\n\nIdentifier")[0]
        told = any("may continue across the page break" in doubt for doubt in quokka.doubts)
        assert "\n\n" not in inside or told


def test_what_is_odd_about_a_template_is_told() -> None:
    odd = EARLIER.replace('"quokka" requested.', "Assigned by IANA, or quokka.")
    odd = odd.replace("Process of identifier resolution:", "Way to a quokka:")
    (found,) = cut(INTRODUCTION, odd, END)
    said = " ".join(found.doubts)
    assert found.name == "quokka"
    assert "read from “Assigned by IANA, or quokka.”" in said
    assert "Not found: Resolution" in said
    assert "Unknown headings, kept in the text above them: “Way to a quokka:”" in said


def test_an_rfc_that_only_changes_fields_is_no_whole_template() -> None:
    (found,) = find_registrations(printed(INTRODUCTION, CHANGE, END), NUMBER, ["wombat"])
    assert (found.name, found.is_whole) == ("wombat", False)
    assert (
        "The text contains no NID. `wombat` is the only namespace that refers to this RFC."
        in found.doubts
    )
    (nobody,) = find_registrations(printed(INTRODUCTION, CHANGE, END), NUMBER, NAMES)
    assert nobody.name == ""


def test_chapters_that_speak_of_templates_hold_none() -> None:
    assert cut(CONTENTS, INTRODUCTION, END) == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "x" * 1_000_000,
        "Namespace ID: " * 50_000,
        "Namespace ID:\n\n" * 10_000,
        "Namespace ID:\n\nVersion: 1\n\nDate: 1\n\nRegistrant: a\n\n" * 1_000,
        "\f" * 50_000,
        "\f\n" * 30_000,
        "Quokka  [Page 1]\n\f\nRFC 5999  Names  November 2008\n" * 10_000,
        "1. A\n\n" * 20_000,
        f"{'1.1.' * 50}  A\n\n" * 500,
        "1. A\n\n" + "1.1. A\n\nNamespace ID:\n\nRegistration Information:\n\n" * 5_000,
        "Table of Contents\n\n" * 5_000,
        " " * 200_000 + "\n" + "\t" * 200_000,
        "> Namespace ID: a\n" * 5_000,
    ],
    ids=range(15),
)
def test_hostile_texts_hold_no_registration_of_these_names(text: str) -> None:
    assert {one.name for one in find_registrations(text, NUMBER, NAMES)} <= {"", "a"}


def test_a_text_that_is_not_this_rfc_is_refused() -> None:
    with pytest.raises(RfcMismatch, match="The text is RFC 5999, not RFC 6000"):
        find_registrations(printed(EARLIER), 6000, NAMES)
    with pytest.raises(RfcMismatch, match="more than 100,000 lines"):
        find_registrations("\n" * (MOST_LINES + 1), NUMBER, NAMES)
    (found,) = find_registrations(EARLIER, NUMBER, NAMES)
    assert "RFC number is missing" in found.doubts[0]
