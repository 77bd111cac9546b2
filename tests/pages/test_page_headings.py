"""The list of contents of a page is made from the headings that it has."""

from hypothesis import given
from hypothesis import strategies as st

from app.pages.text.phrases import PageHeading, page_headings


def test_the_parts_that_can_be_led_to_are_listed_in_their_order() -> None:
    html = '<h2 id="b">What\n  it is</h2><p><h2>No place</h2><h2 class="vh" id="x">Unseen</h2>'
    more = '<h2 id="its_names">A &amp; B</h2><h3 id="c">Below</h3>'
    listed = [PageHeading("b", "What it is"), PageHeading("its_names", "A & B")]
    assert page_headings(html + more) == listed


@given(st.text("<>h2id=\"ab &amp;;/'", max_size=60))
def test_no_text_of_a_page_becomes_a_place_to_go(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&#34;")
    assert page_headings(f"<p>{escaped}</p>") == []
