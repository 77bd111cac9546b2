"""HTML is made by pages: views of what people wrote carry the texts themselves."""

import ast
import re
from itertools import chain
from pathlib import Path

from app.pages.text.phrases import RenderedTexts

ROOT = Path(__file__).parents[2]
# What pages themselves made: attributes of a field's control, and a diagram.
MADE_BY_PAGES = {"_field.html"}


def test_what_was_rendered_before_is_taken_and_the_rest_is_rendered_now() -> None:
    texts = RenderedTexts({"*kept*": "<p>kept</p>"})
    assert texts.html_of("*kept*") == "<p>kept</p>"
    assert "<code>now</code>" in texts.html_of("Rendered `now`.")
    assert "<script" not in texts.html_of("<script>alert(1)</script>")


def test_neither_services_nor_views_make_html() -> None:
    rooms = (ROOT / "app" / room for room in ("services", "web"))
    for file in chain.from_iterable(room.rglob("*.py") for room in rooms):
        names = {
            name.name if isinstance(node, ast.Import) else str(node.module)
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in node.names
        }
        assert not names & {"markupsafe", "html"}, file


def test_no_page_template_takes_a_text_of_a_view_as_html() -> None:
    templates = ROOT / "templates"
    unescaped = {
        str(file.relative_to(templates))
        for file in templates.rglob("*.html")
        if re.search(r"\|\s*safe\b", file.read_text(encoding="utf-8"))
    }
    assert unescaped == MADE_BY_PAGES
