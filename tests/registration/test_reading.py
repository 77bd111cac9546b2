"""Templates as people write them, taken apart: which words go to which field."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import dedent, indent

import pytest
from hypothesis import given

from app.registration.declarations.registries import TEMPLATE_FIELDS
from app.registration.records.registry_records import TemplateStyle
from app.registration.templates.field_values import find_nid
from app.registration.templates.headings import EARLIER_ORDER
from app.registration.templates.template_parts import assemble_fields
from app.registration.templates.template_reader import ParsedTemplate, read_template
from app.registration.templates.template_writer import format_template
from tests import factories
from tests.conftest import TABLE
from tests.registration.test_text import texts, words_of
from tests.torture.conftest import rounds

OLDER = """Namespace ID:

   urn-5

Registration Information:

   Version 2
   Date: 2003-05-06

Declared registrant of the namespace:

   Name:    A group
   Contact: B. F. <b.f&gmx.example>

Declaration of syntactic structure:  One part
   and another.

Identifier uniqueness considerations:
   It is random.

Process of identifier assignment: by anybody
   at any time

Rules for Lexical Equivalence:
   None of our own.

Scope: Global
"""
TODAY = {
    "namespace_identifier": "quokka",
    "version": "1",
    "date": "2026-09-01",
    "registrant": "A society\n1 A Street",
    "purpose": "Names of animals.",
    "syntax": "name = 1*DIGIT\n\nwhich are figures.",
    "assignment": "One after another.",
    "security_and_privacy": "None known.",
    "interoperability": "None known.",
    "resolution": "Not intended.",
    "documentation": "None.",
    "additional_information": "None.",
    "revision_information": "None.",
}
_WORD = re.compile(r"[^\W_]+")
LABELS = {field.name: field.label for field in TEMPLATE_FIELDS}


def written(form: str = "{label}:\n\n{text}\n", **given: str) -> str:
    """A template whose every field stands in this form."""
    fields = TODAY | given
    return "\n".join(
        form.format(label=LABELS[name], caps=LABELS[name].upper(), text=text, n=n, line="=" * 9)
        for n, (name, text) in enumerate(fields.items(), 1)
        if text
    )


def shown_of(read: ParsedTemplate) -> list[str]:
    """All that a reader is shown: texts, headings, and what has no place."""
    texts = [read.title, *read.fields.values(), *(piece.text for piece in read.unplaced)]
    return [*texts, *(part.heading for part in read.parts)]


def words_in(read: ParsedTemplate) -> Counter[str]:
    """Every word that a reader is shown."""
    return Counter(" ".join(shown_of(read)).split())


def codes(read: ParsedTemplate) -> list[str]:
    return [problem.code for problem in read.problems]


@pytest.mark.parametrize(
    "form",
    [
        "{label}:\n\n{text}\n",
        "{label}:\n{text}\n",
        "{label}: {text}\n",
        "{label}:  {text}",
        "{caps}:\n\n{text}\n",
        "{caps}\n\n{text}\n",
        "{label}\n\n{text}\n",
        "{label}\n{line}\n\n{text}\n",
        "{label}:\n{line}\n{text}\n",
        "{n}. {label}\n\n{text}\n",
        "{n}. {label}:\n\n{text}\n",
        "4.{n}.  {label}\n\n{text}\n",
        "A.{n}.  {label}:\n\n{text}\n",
        "({n}) {label}: {text}\n",
        "## {label}\n\n{text}\n",
        "## {n}. {label} ##\n\n{text}\n",
        "**{label}:** {text}\n",
        "**{label}**: {text}\n",
        "**{label}**\n\n{text}\n",
        "- {label}: {text}\n",
        "o  {label}: {text}\n",
        "\t{label}:\n\n{text}\n",
        "{label} :\n\n{text}\n",
        "{label} - {text}\n",
        "{label} – {text}\n",
        "{label} (see RFC 8141):\n\n{text}\n",
    ],
)
def test_a_heading_can_be_written_in_many_ways(form: str) -> None:
    read = read_template(written(form))
    assert words_of(read.fields) == words_of(TODAY)
    assert (read.style, read.unplaced, codes(read)) == (TemplateStyle.RFC8141, (), [])


@pytest.mark.parametrize("by", ["    ", "> ", ">> ", " > ", "\t"])
def test_the_whole_can_be_indented_or_quoted(by: str) -> None:
    text = indent(written(), by, lambda _line: True)
    read = read_template(text)
    assert words_of(read.fields) == words_of(TODAY)
    assert ("quoted" in codes(read)) is (">" in by)


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_of_every_kind_are_read(end: str) -> None:
    assert read_template(written().replace("\n", end)).fields == TODAY


def test_an_older_form_is_read_into_the_fields_of_today() -> None:
    read = read_template(OLDER)
    assert read.style is TemplateStyle.RFC3406
    assert read.fields == {
        "namespace_identifier": "urn-5",
        "version": "2",
        "date": "2003-05-06",
        "registrant": "Declared registrant of the namespace:\nName:    A group\n"
        "Contact: B. F. <b.f&gmx.example>",
        "purpose": "Scope: Global",
        "syntax": "Declaration of syntactic structure: One part\nand another.\n\n"
        "Rules for Lexical Equivalence:\nNone of our own.",
        "assignment": "Identifier uniqueness considerations:\nIt is random.\n\n"
        "Process of identifier assignment: by anybody\nat any time",
    }


@pytest.mark.parametrize(("heading", "field"), EARLIER_ORDER)
def test_each_heading_of_the_older_form_has_its_field(heading: str, field: str) -> None:
    text = f"{OLDER}\n{heading.capitalize()}:\n\n   So it is.\n"
    assert f"{heading.capitalize()}:\nSo it is." in read_template(text).fields[field]


@pytest.mark.parametrize(
    ("information", "version", "date"),
    [
        ("Version: 1\nDate: 2001-07-04", "1", "2001-07-04"),
        ("Registration version number: 1\n  Registration date: 2001-07-04", "1", "2001-07-04"),
        ("Registration Version: 1; registration\n  date: 2007-04-21", "1", "2007-04-21"),
        ("Version 2\n  Date: TBD", "2", "TBD"),
        ("Version: 1, Date: 5Feb2001", "1", "5Feb2001"),
        ("Date: 2001-07-04", "", "2001-07-04"),
        ("Version 1\n  2001-07-04", "1", "2001-07-04"),
        ("-  version number:  1\n\n  -  date:  2001-07-04", "1", "2001-07-04"),
    ],
)
def test_version_and_date_are_found_in_the_registration_information(
    information: str, version: str, date: str
) -> None:
    text = f"Namespace ID: x\n\nRegistration Information:\n\n  {information}\n\nScope: all\n"
    read = read_template(text)
    assert (read.fields.get("version", ""), read.fields.get("date", "")) == (version, date)


@pytest.mark.parametrize("space", ["\u00a0", "\u202f"])
def test_a_heading_can_have_the_spaces_of_a_word_processor(space: str) -> None:
    text = f"\u200bNamespace{space}Identifier:{space}quokka\n\nSyntax:{space}a{space}b\n"
    fields = read_template(text).fields
    assert fields == {"namespace_identifier": "quokka", "syntax": f"a{space}b"}


def test_a_line_that_goes_on_with_a_sentence_reads_like_no_heading() -> None:
    text = written(resolution="One of them is enough. The\nresolution of URN:EXAMPLE:1: the other.")
    assert "like-a-heading" not in codes(read_template(text))


def test_more_registration_information_is_kept_beside_version_and_date() -> None:
    said = "This is the first version of it.\n  Registration date: 2001-07-04\n  Version: 1"
    text = f"Namespace ID: x\n\nRegistration Information:\n\n  {said}\n\nScope: all\n"
    fields = read_template(text).fields
    assert (fields["version"], fields["date"]) == ("1", "2001-07-04")
    assert fields["additional_information"] == (
        "Registration Information:\nThis is the first version of it."
    )


def test_registration_information_of_another_kind_is_kept() -> None:
    text = "Namespace ID: x\n\nRegistration Information:\n\n  Ask us.\n\nScope: all\n"
    assert "Ask us." in read_template(text).fields["additional_information"]


@pytest.mark.parametrize(
    ("section", "field"),
    [
        ("Background", "purpose"),
        ("Overview", "purpose"),
        ("Organization Type", "registrant"),
        ("Rules for lexical equivalence", "syntax"),
        ("Character set", "syntax"),
        ("References", "documentation"),
    ],
)
def test_an_extra_section_below_the_registrant_is_kept_with_its_heading(
    section: str, field: str
) -> None:
    text = written(registrant=f"A society\n\n{section}:\n\nMore words.")
    read = read_template(text)
    assert f"{section}:\n" in read.fields[field]
    assert "More words." in read.fields[field]


@pytest.mark.parametrize("section", ["Benefits", "Persistence", "Uniqueness", "Notes", "Scope"])
def test_an_extra_section_stays_in_the_text_in_which_it_stands(section: str) -> None:
    text = f"One.\n\n{section}:\n\nTwo."
    assert read_template(written(assignment=text)).fields == TODAY | {"assignment": text}


@pytest.mark.parametrize(
    "line",
    [
        "   Purpose: a name in an example",
        "  Syntax:",
        "and the\nResolution: of these is none",
        "such as\npurpose:\nor so",
        "- Assignment: by us",
        "Purpose = 1*DIGIT",
        "urn:example:Purpose:x",
        "Purpose-built: yes",
        'syntax = "Syntax:" name',
    ],
)
def test_a_word_like_a_heading_within_a_text_does_not_split_it(line: str) -> None:
    text = f"First\n{line}\nlast."
    assert words_of(read_template(written(syntax=text)).fields) == words_of(
        TODAY | {"syntax": text}
    )


@pytest.mark.parametrize("line", ["Purpose: to show", "Resolution:\n\nas below", "Date: today"])
def test_of_two_headings_for_one_field_the_one_in_order_counts(line: str) -> None:
    text = f"First:\n\n{line}\n\nlast."
    read = read_template(written(syntax=text))
    assert words_of(read.fields) == words_of(TODAY | {"syntax": text})
    assert codes(read) == ["like-a-heading"]


def test_headings_in_another_order_are_read_and_told() -> None:
    fields = dict(sorted(TODAY.items(), key=lambda item: item[0] == "interoperability"))
    text = "\n".join(f"{LABELS[name]}:\n\n{words}\n" for name, words in fields.items())
    read = read_template(text)
    assert read.fields == TODAY
    assert set(codes(read)) <= {"order"}


@pytest.mark.parametrize(
    ("above", "title"),
    [
        ("Namespace Registration for Quokkas", "Namespace Registration for Quokkas"),
        ("# URN Namespace `quokka` #", "URN Namespace `quokka`"),
        ("Registration of a URN Namespace\n=======", "Registration of a URN Namespace"),
        ("  Namespace Registration\n  for Quokkas", "Namespace Registration for Quokkas"),
        ("The Quokka Numbers", "The Quokka Numbers"),
    ],
)
def test_a_title_above_the_first_heading_is_the_title(above: str, title: str) -> None:
    read = read_template(f"{above}\n\n{written()}")
    assert read.title == title
    assert (read.fields, read.unplaced, codes(read)) == (TODAY, (), [])


@pytest.mark.parametrize("above", ["Hello all", "Dear experts,", "Here it is:", "quokka"])
def test_what_is_no_title_above_the_first_heading_is_unplaced(above: str) -> None:
    read = read_template(f"{above}\n\n{written()}")
    assert read.title == ""
    assert [piece.text for piece in read.unplaced] == [above]


def test_a_title_among_other_words_is_the_title() -> None:
    read = read_template(f"URN Namespace for Quokkas\n\nAs asked for.\n\n{written()}")
    assert read.title == "URN Namespace for Quokkas"
    assert [piece.text for piece in read.unplaced] == ["As asked for."]


@pytest.mark.parametrize(
    "heading",
    [
        "Persistence",
        "Persistence Considerations",
        "Identifier persistence considerations",
        "4.7.  Identifier Persistence",
    ],
)
@pytest.mark.parametrize("form", ["of today", "older"])
def test_persistence_goes_to_one_place_in_every_form(heading: str, form: str) -> None:
    said = f"{heading}:\n\n   For ever.\n"
    today = written(resolution=f"None.\n\n{said}")
    read = read_template(today if form == "of today" else f"{OLDER}\n{said}")
    assert read.fields["assignment"].endswith("For ever.")
    assert heading.rpartition("  ")[2] in read.fields["assignment"]
    assert "For ever." not in "".join(
        text for name, text in read.fields.items() if name != "assignment"
    )


def test_what_one_wrote_stays_in_its_order() -> None:
    text = written().replace("Purpose:", "Overview:\n\nGlobal.\n\nPurpose:")
    assert read_template(text).fields["purpose"] == (
        "Overview:\nGlobal.\n\nPurpose:\nNames of animals."
    )
    text = written(purpose="Names of animals.\n\nScope:\n\nGlobal.")
    assert read_template(text).fields["purpose"].startswith("Names of animals.\n\nScope:")


def test_what_else_stands_above_the_first_heading_is_unplaced() -> None:
    read = read_template("Dear experts,\n\nhere is our template:\n\n" + written())
    assert [piece.text for piece in read.unplaced] == ["Dear experts,", "here is our template:"]
    assert [piece.line for piece in read.unplaced] == [1, 3]
    assert read.fields == TODAY


@pytest.mark.parametrize("text", ["", "\n\n", "No heading here.\nNor: here", "Unknown Heading: x"])
def test_a_text_without_headings_is_unplaced_as_a_whole(text: str) -> None:
    read = read_template(text)
    assert read.fields == {}
    assert " ".join(piece.text for piece in read.unplaced).split() == text.split()
    assert "no-heading" in codes(read)


def test_more_than_a_name_beside_the_name_goes_below_it() -> None:
    text = "quokka\n   " + "This name was given long ago to the society. " * 6
    read = read_template(written(namespace_identifier=text))
    assert read.fields["namespace_identifier"] == "quokka"
    assert "long ago" in read.fields["additional_information"]


@pytest.mark.parametrize(
    "said", ["ISBN Requested of IANA.", '"dev" requested', "Request is made:\n\nitu"]
)
def test_the_words_of_a_short_field_are_kept(said: str) -> None:
    read = read_template(written(namespace_identifier=said))
    assert read.fields["namespace_identifier"] == " ".join(said.split())


def test_a_registry_s_note_at_the_end_is_no_part_of_the_last_field() -> None:
    read = read_template(written() + "\n(created 03 April 2002)\n\n[]\n")
    assert read.fields["revision_information"] == "None."
    assert read.fields["additional_information"] == "None.\n\n(created 03 April 2002)\n\n[]"


PRINTED = """\
Somebody                     Informational                      [Page 3]
\f
RFC 9999              A Namespace for Quokkas               January 2020


"""


def test_a_printed_document_loses_its_pages_and_not_a_word() -> None:
    top = "1.  Introduction\n\n   Quokkas.\n\n2.  Registration Template\n\n"
    body = indent(written(purpose="Names of\n\n\n@animals\nthat smile."), "   ")
    end = "\n3.  IANA Considerations\n\n   None.\n\nAuthors' Addresses\n\n   At home.\n"
    text = (top + body + end).replace("   @", f"{PRINTED}   ")
    read = read_template(text)
    assert words_of(read.fields) == words_of(TODAY | {"purpose": "Names of animals that smile."})
    assert read.fields["purpose"] == "Names of\nanimals\nthat smile."
    assert "page-break" in codes(read)
    assert [piece.text.split()[0] for piece in read.unplaced] == [
        *("1.", "Quokkas.", "2.", "Somebody", "RFC", "3.", "Authors'"),
    ]
    assert not Counter(text.split()) - words_in(read)


@pytest.mark.parametrize("end", ["-- ", "_" * 47])
def test_what_ends_a_mail_is_no_part_of_the_last_field(end: str) -> None:
    read = read_template(f"{written()}\n{end}\nRobin\nurn mailing list\n")
    assert read.fields == TODAY
    assert [piece.text for piece in read.unplaced] == [f"{end.strip()}\nRobin\nurn mailing list"]


def test_security_and_privacy_can_stand_apart() -> None:
    apart = written().replace("Security and Privacy:", "Security:\n\nOne.\n\nPrivacy:")
    read = read_template(apart)
    assert read.fields["security_and_privacy"] == "Security:\nOne.\n\nPrivacy:\nNone known."
    assert read.fields["assignment"] == TODAY["assignment"]


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("Purpose Considerations", "purpose"),
        ("QUOKKA Assignment", "assignment"),
        ("Resolution of URNs", "resolution"),
        ("Rules for Lexical Equivalence of NSS part", "syntax"),
        ("Identifier uniqueness considerations for the namespace", "assignment"),
        ("Section 3.1.  Interoperability", "interoperability"),
    ],
)
def test_a_heading_can_say_more(heading: str, field: str) -> None:
    text = written(**{field: ""}) + f"\n{heading}:\n\nSo it is.\n"
    assert "So it is." in read_template(text).fields[field]


def test_a_part_can_be_moved_to_another_field() -> None:
    read = read_template(written(resolution="None.\n\nPersistence of names:\n\nFor ever."))
    part = next(part for part in read.parts if part.heading == "Persistence of names:")
    moved = [p if p is not part else replace(p, field="assignment") for p in read.parts]
    fields = assemble_fields(moved)
    assert fields["resolution"] == "None."
    assert fields["assignment"] == "One after another.\n\nPersistence of names:\n\nFor ever."


@given(texts())
def test_no_word_of_any_text_is_lost(text: str) -> None:
    read = read_template(text)
    lost = Counter(text.replace("\f", " ").split()) - words_in(read)
    assert not lost or "quoted" in codes(read)


@pytest.mark.parametrize(
    "line",
    [
        "Purpose:\n",
        "Purpose: x\n\n",
        "> Syntax\n",
        "a\n\n",
        "\f\n",
        "A" + " " * 150 + ":\n",
        "A " * 75 + ":\n",
        "A(" * 75 + "\n",
        "1." * 75 + "\n",
        "a -" * 50 + "\n",
    ],
)
def test_a_long_text_of_one_line_is_read(line: str) -> None:
    text = line * (rounds(1_000_000, 200_000) // len(line))
    assert sum(words_in(read_template(text)).values()) >= len(text.split()) * 0.4


# ---- the registered templates


def real_templates(shared: Path) -> list[Path]:
    files = sorted((shared / "data/iana/templates").glob("*/*"))
    if not files:
        pytest.skip("no templates are there")
    return files


def test_every_registered_template_is_read_whole(
    shared: Path, record_property: Callable[[str, object], None]
) -> None:
    names = [field.name for field in TEMPLATE_FIELDS]
    rows = [f"{'':12}{'style':9}" + " ".join(name[:7].ljust(7) for name in names)]
    for file in real_templates(shared):
        text = file.read_text(encoding="utf-8")
        read = read_template(text)
        row = (("yes" if name in read.fields else "-").ljust(7) for name in names)
        rows.append(f"{file.name:12}{read.style:9}{' '.join(row)}")
        assert read.unplaced == (), file.name
        lost = Counter(_WORD.findall(text)) - Counter(_WORD.findall(" ".join(shown_of(read))))
        assert not lost, (file.name, lost)
    record_property(TABLE, "\n".join(["Fields found in the registered templates:", *rows]))


def test_a_registered_template_that_is_written_again_says_the_same(shared: Path) -> None:
    for file in real_templates(shared):
        read = read_template(file.read_text(encoding="utf-8"))
        text = format_template(read.fields, title=read.title)
        again = read_template(text)
        assert words_of(again.fields) == words_of(read.fields), file.name
        assert (again.title, again.unplaced) == (read.title, ()), file.name
        assert format_template(again.fields, title=again.title) == text, file.name


def test_the_registered_templates_say_their_names(shared: Path) -> None:
    for file in real_templates(shared):
        read = read_template(file.read_text(encoding="utf-8"))
        found = find_nid(read.fields["namespace_identifier"])
        assert (found or "").lower() == file.name


def test_the_template_of_the_tests_is_read_as_it_is() -> None:
    assert dedent(format_template(factories.template())) == format_template(factories.template())
