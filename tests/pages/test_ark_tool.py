"""The tool for ARKs: parts, forms, what is the same, and nothing that it cannot be asked."""

from hypothesis import given
from hypothesis import strategies as st

from app.pages.ark_tool import MOST, look


def test_what_names_the_same_thing_is_told() -> None:
    found = look(["ark:12345/x54xz321", "ARK:/12345/x5-4xz-321", "ark:12345/other", "nothing"])
    assert [one.same_as for one in found] == [None, 1, None, None]
    assert found[3].report.ark is None
    assert found[3].report.problems


def test_parts_and_ways_to_cite_are_shown() -> None:
    (one,) = look(["ark:/12345/x54xz321/s3/f8.05v.tiff?info"])
    parts = dict(one.parts)
    assert (parts["NAAN"], parts["Name"], parts["Inflection"]) == ("12345", "x54xz321", "?info")
    assert parts["Components"] == "s3 / f8"
    assert one.url.startswith("https://")
    assert one.code is not None


def test_other_scripts_stand_beside_the_ascii_form() -> None:
    (one,) = look(["ark:12345/كتاب"])
    assert one.report.ark is not None
    assert one.report.ark.normal_form.isascii()
    assert one.decoded.endswith("كتاب")
    assert look(["ark:12345/%ff"])[0].decoded == ""


@given(st.lists(st.text(max_size=50), max_size=5))
def test_any_text_is_looked_at(texts: list[str]) -> None:
    assert [one.text for one in look(texts)] == texts


def test_there_is_an_end() -> None:
    assert len(look(["ark:12345/x"] * (MOST + 5))) == MOST
