"""Which text is studied for the grammar of a template, and whose lines the findings have."""

import pytest

from app.outside import template_study
from app.outside.template_study import study_fields, study_text
from app.registration.templates.template_writer import join_fields
from tests.grammar.studies import study

TEMPLATE = """\
Namespace Identifier: quoll

Syntax:

  name = "urn:quoll:" number

  Such as urn:quoll:1x.

Assignment:

  A number is written as

  number = 1*DIGIT
"""
APPENDIX = """
Acknowledgements:

  $_ = "urn:quoll:$1" if "x";

  number = "a"
"""


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_study, "study_in_child", study)


def places(text: str) -> list[tuple[str, str, int]]:
    return [(one.code, one.field, one.line) for one in study_text(text).findings]


def test_a_rule_counts_in_every_section_of_a_template() -> None:
    found = study_text(TEMPLATE)
    assert (found.nid, [one.name for one in found.rules]) == ("quoll", ["name", "number"])
    assert places(TEMPLATE) == [("example", "syntax", 7)]


def test_the_fields_of_a_template_are_studied_as_its_text_is() -> None:
    fields = {
        "registrant": 'n = "a"',
        "assignment": "A number is written as\r\n\r\nnumber = 1*DIGIT",
        "syntax": 'name = "urn:quoll:" number\n\nSuch as urn:quoll:1x.',
    }
    found = study_fields(fields, "quoll")
    assert [one.name for one in found.rules] == ["name", "number"]
    assert [(one.code, one.field, one.line) for one in found.findings] == [("example", "syntax", 3)]
    text, lines = join_fields(fields)
    assert len(text.split("\n")) == len(lines)
    assert [one.code for one in study_text(text, "quoll").findings] == ["example"]


@pytest.mark.parametrize("mark", ["> ", "  "])
def test_the_lines_of_quoted_mail_are_those_of_the_mail(mark: str) -> None:
    mail = "Dear all,\n\n" + "\n".join(f"{mark}{line}" for line in TEMPLATE.split("\n"))
    assert places(mail) == [("example", "syntax", 9)]


def test_words_around_a_template_count_only_if_the_template_has_no_rules() -> None:
    assert places(TEMPLATE + APPENDIX) == places(TEMPLATE)
    words = "Namespace ID: quoll\n\nSyntax:\n\n  As the chapter on names has it.\n\n"
    chapter = 'Acknowledgements:\n\n  name = "urn:quoll:" 1*DIGT\n'
    assert places(words + chapter) == [("undefined", "", 9)]


def test_a_text_that_is_no_template_is_studied_whole() -> None:
    assert places('name = "urn:quoll:" 1*DIGT\n') == [("undefined", "", 1)]
    assert places('name ::= "urn:quoll:" 1*DIGIT\n') == [("equals", "", 1)]
    assert study_text("In words.").is_empty
