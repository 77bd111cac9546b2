"""URNs in a template: what the specification warns of is told, and nothing else."""

import pytest

from app.registration.submissions.example_checks import check_examples


def codes(text: str, name: str = "syntax") -> list[tuple[str, str]]:
    return [(found.field, found.code) for found in check_examples({name: text})]


@pytest.mark.parametrize(
    ("warned", "right"),
    [
        ("Ask urn:boxes:a?+s=1 for it.", "Ask urn:boxes:a?=s=1 for it."),
        ("R-components: urn:boxes:a?+x", "R-components such as ?+x mean nothing here."),
        ("Such as urn:boxes:käse.", "Such as urn:boxes:k%C3%A4se, for käse."),
        ("Such as “urn:boxes:箱”", "Such as “urn:boxes:a”…"),
    ],
)
def test_a_warning_of_the_specification_has_its_twin_without(warned: str, right: str) -> None:
    assert len(codes(warned)) == 1
    assert codes(right) == []


def test_it_is_told_where_and_what_to_write_instead() -> None:
    (found,) = check_examples({"resolution": "Look at urn:boxes:käse, urn:boxes:öl."})
    assert (found.field, found.code, found.is_problem) == ("resolution", "outside-ascii", False)
    assert "U+00E4 (LATIN SMALL LETTER A WITH DIAERESIS)" in found.message
    assert "`%C3%A4`" in found.message
    assert found.source == "RFC 8141 section 2.2"


def test_fields_of_one_line_and_other_texts_are_left_alone() -> None:
    assert codes("urn:boxes:ä", "date") == []
    assert codes("Boxes with ä and ?+.") == []
