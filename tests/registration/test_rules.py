"""What forbids a registration, and what only asks for a look."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.registration.declarations.dates import is_date
from app.registration.declarations.registries import (
    FORMAL,
    INFORMAL,
    TEMPLATE_FIELDS,
    Field,
    FormSection,
    Procedure,
    Requirement,
    Widget,
    fields_of,
)
from app.registration.records.registry_records import Purpose, Submission
from app.registration.submissions.submission_rules import (
    LONGEST_LINE,
    LONGEST_TEXT,
    MOST_LINES,
    InvalidText,
    check_submission,
    fit_text,
)
from tests.factories import template

PURPOSE, NID = FORMAL.named["purpose"], FORMAL.named["namespace_identifier"]


def found(**given_: Any) -> dict[str, str]:
    """What is found in a template that differs from a whole one as given."""
    chosen = {
        "registry": given_.pop("registry", FORMAL.id),
        "purpose": given_.pop("asks", Purpose.NEW),
    }
    procedure = given_.pop("procedure", Procedure.COMMUNITY)
    names, importing = given_.pop("registered", ()), given_.pop("importing", False)
    fields = template(**({"date": "2026-09-01", "version": "1"} | given_))
    findings = check_submission(
        Submission(**chosen, fields=fields), procedure, names, importing=importing
    )
    return {f"{f.field}/{f.code}": str(f.severity) for f in findings}


def test_a_whole_template_has_no_problem() -> None:
    assert found() == {}


@pytest.mark.parametrize("field", [f for f in TEMPLATE_FIELDS if f.required is Requirement.ALWAYS])
def test_a_required_field_that_is_missing_is_a_problem(field: Field) -> None:
    name = field.name
    assert found(**{name: ""}) == {f"{name}/missing": "must"}
    assert found(**{name: "  \n "}).get(f"{name}/missing") == "must"


def test_a_formal_namespace_needs_a_name_and_an_informal_one_must_have_none() -> None:
    assert found(namespace_identifier="") == {"namespace_identifier/missing": "must"}
    informal = {"procedure": Procedure.INFORMAL, "registry": INFORMAL.id}
    assert found(**informal, namespace_identifier="") == {}
    assert found(**informal) == {"namespace_identifier/informal-name": "must"}


def test_missing_documentation_is_an_error_on_the_fast_track_alone() -> None:
    assert found(documentation="") == {"documentation/missing": "should"}
    fast = found(procedure=Procedure.FAST_TRACK, documentation="")
    assert fast == {"documentation/missing": "must"}


def test_revision_information_is_asked_in_a_revision_alone() -> None:
    assert "revision_information/missing" not in found()
    assert found(asks=Purpose.REVISION) == {"revision_information/missing": "must"}


def test_a_registered_name_is_a_problem_in_any_case() -> None:
    problems = found(registered=("quokka",), namespace_identifier="QUOKKA")
    assert problems == {"namespace_identifier/registered": "must"}


def test_a_revision_keeps_its_registered_name() -> None:
    given_ = {"revision_information": "The contact."}
    assert found(asks=Purpose.REVISION, registered=("quokka",), **given_) == {}


def test_an_import_only_warns() -> None:
    severities = found(importing=True, purpose="", syntax="", date="TBD", namespace_identifier="")
    assert set(severities.values()) == {"note"}
    assert "syntax/missing" in severities
    assert "date/date-form" in severities


def test_problems_come_first_in_the_order_of_the_template() -> None:
    fields = template(date="soon", documentation="", purpose="", namespace_identifier="nzl")
    submission = Submission(registry=FORMAL.id, fields=fields)
    findings = check_submission(submission, Procedure.COMMUNITY)
    assert [f.field for f in findings] == [
        "date",
        "purpose",
        "namespace_identifier",
        "documentation",
    ]


@pytest.mark.parametrize("text", ["2026-09-01", "2024-02-29"])
def test_a_day_is_a_date(text: str) -> None:
    assert is_date(text)


@pytest.mark.parametrize(
    "text",
    [
        *("2026-9-1", "2025-02-29", "2026-09-01.", "TBD", "5Feb2001", "20260901", "2026-W36-2"),
        *("2026-09-01\n", "٢٠٢٦-٠٩-٠١", " 2026-09-01", "2026-09-01T00:00:00", ""),
    ],
)
def test_anything_else_is_not(text: str) -> None:
    assert not is_date(text)


@pytest.mark.parametrize(
    "bad", ["\0", "\x1b", "\x7f", "\x9b", "\ud800", "\udfff", "\ufffe", "a\rb"]
)
def test_what_cannot_be_shown_is_refused_and_named(bad: str) -> None:
    with pytest.raises(InvalidText, match=r"of Purpose is U\+") as refused:
        fit_text(PURPOSE, f"x{bad}")
    assert refused.value.finding.field == "purpose"


def test_line_ends_become_equal_and_fields_of_one_line_take_none() -> None:
    assert fit_text(PURPOSE, "a\r\nb\n") == "a\nb\n"
    for end in ("\n", "\r\n", "\u2028", "\u2029", "\x85"):
        with pytest.raises(InvalidText):
            fit_text(NID, f"a{end}b")


def test_texts_have_a_limit_in_octets_and_lines_in_characters() -> None:
    assert fit_text(PURPOSE, "é" * (LONGEST_TEXT // 2))
    with pytest.raises(InvalidText, match="64 KB"):
        fit_text(PURPOSE, "é" * (LONGEST_TEXT // 2) + "e")
    assert fit_text(NID, "x" * LONGEST_LINE)
    with pytest.raises(InvalidText, match="200 characters"):
        fit_text(NID, "x" * (LONGEST_LINE + 1))


def test_a_text_of_very_many_lines_is_refused() -> None:
    assert fit_text(PURPOSE, "\r\n" * (MOST_LINES - 1))
    with pytest.raises(InvalidText, match="has 4,001 lines"):
        fit_text(PURPOSE, "\n" * MOST_LINES)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=200))
def test_fitting_a_fitting_text_changes_nothing(text: str) -> None:
    once = fit_text(PURPOSE, text) if "\ufffe" not in text and "\uffff" not in text else ""
    assert fit_text(PURPOSE, once) == once


def test_every_field_is_asked_on_one_page_and_says_what_to_do() -> None:
    asked = [field for section in FormSection for field in fields_of(section, FORMAL)]
    assert sorted(f.name for f in asked) == sorted(FORMAL.named)
    for field in FORMAL.named.values():
        assert field.help
        assert field.source.startswith("RFC 8141")
        assert field.missing or field.required is Requirement.NEVER


def test_the_template_has_the_thirteen_fields_of_appendix_a_in_order() -> None:
    assert [field.label for field in TEMPLATE_FIELDS] == [
        *("Namespace Identifier", "Version", "Date", "Registrant", "Purpose", "Syntax"),
        *("Assignment", "Security and Privacy", "Interoperability", "Resolution"),
        *("Documentation", "Additional Information", "Revision Information"),
    ]


def test_a_contact_is_private_and_the_template_is_public() -> None:
    private = {field.name for field in FORMAL.named.values() if not field.public}
    assert private == {"contact_name", "contact_address", "contact_telephone"}
    assert all(
        field.widget is not Widget.FILLED_IN for field in FORMAL.named.values() if not field.public
    )
