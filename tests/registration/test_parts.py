"""The parts of a template: what all their lines begin with is taken away."""

from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from app.registration.templates.template_parts import dedent_lines


@given(st.text("ab \t\n", max_size=40))
def test_lines_lose_what_the_library_takes_from_them(text: str) -> None:
    assert "\n".join(dedent_lines(text.split("\n"))) == dedent(text)
