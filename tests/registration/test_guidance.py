"""What of a text speaks of the points that reviewers look for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.registration.declarations.registries import TEMPLATE_FIELDS, Field
from app.registration.submissions.review_hints import find_hint_words

FIELD = {field.name: field for field in TEMPLATE_FIELDS}
GUIDED = [field for field in TEMPLATE_FIELDS if any(hint.words for hint in field.hints)]


def words_for(name: str, begins: str, text: str) -> str:
    found = find_hint_words(FIELD[name], text)
    return next(quote for point, quote in found.items() if point.startswith(begins))


@pytest.mark.parametrize("field", GUIDED, ids=lambda field: field.name)
def test_of_an_empty_field_nothing_is_found(field: Field) -> None:
    assert set(find_hint_words(field, "").values()) == {""}


def test_every_point_of_section_6_4_has_words() -> None:
    points = [hint for field in TEMPLATE_FIELDS for hint in field.hints if "6.4" in hint.source]
    assert points
    assert all(hint.words for hint in points)


def test_the_sentence_is_quoted_that_holds_the_word() -> None:
    text = "We name boxes. Carpenters on public\n   networks use them! Nobody else."
    assert words_for("purpose", "The community", text) == "Carpenters on public networks use them!"


def test_a_word_is_found_by_its_beginning_in_any_case_and_not_inside_another() -> None:
    assert words_for("assignment", "The method", "UNIQUELY so") == "UNIQUELY so"
    assert words_for("assignment", "The method", "reuniquely") == ""
    assert words_for("purpose", "The standard", "An isolated case.") == ""
    assert words_for("purpose", "The standard", "By ISO 2108.") == "By ISO 2108."


def test_of_a_long_sentence_the_words_round_it_are_quoted() -> None:
    text = "word " * 200 + "the secretariat assigns them " + "word " * 200
    quote = words_for("assignment", "The assigning", text)
    assert "secretariat assigns" in quote
    assert quote.endswith("…")
    assert len(quote) <= 91


@given(st.sampled_from(GUIDED), st.text(max_size=200), st.data())
def test_a_quotation_stands_in_the_text_word_for_word(
    field: Field, text: str, data: st.DataObject
) -> None:
    hints = [hint for hint in field.hints if hint.words]
    word = data.draw(st.sampled_from(data.draw(st.sampled_from(hints)).words))
    at = data.draw(st.integers(0, len(text)))
    text = f"{text[:at]} {word}{text[at:]}"
    found = find_hint_words(field, text)
    assert any(found.values())
    for quote in found.values():
        assert " ".join(quote.removesuffix("…").split()) in " ".join(text.split())
