"""Railroad diagrams of rules, and the same rules in words."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given

from app.grammar.abnf.elements import element_tree
from app.grammar.abnf.rule_reader import read_rules
from app.pages.diagrams.railroad import Tree, describe_tree, draw_railroad_diagram
from tests.grammar.grammars import Drawn, grammars

SVG = "{http://www.w3.org/2000/svg}"
SHEET = Path(__file__).resolve().parents[2].joinpath("static", "ui.css").read_text()


def tree_of(definition: str) -> Tree:
    (rule,) = read_rules(f"rule = {definition}").rules
    assert rule.node is not None
    return element_tree(rule.node)


def read(svg: str) -> ET.Element:
    return ET.fromstring(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def points(path: str) -> Iterator[tuple[float, float]]:
    """Where a path of steps comes by."""
    x = y = 0.0
    for step, written in re.findall(r"([MLmhva])([-0-9. ]+)", path):
        *_, dx, dy = 0.0, *map(float, written.split())
        if step in "ML":
            x = y = 0.0
        x, y = x + (dy if step == "h" else dx if step != "v" else 0), y + (dy if step != "h" else 0)
        yield x, y


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        ('"a" DIGIT', '"a", then DIGIT'),
        ('"a" / "b" / "c"', '"a", "b" or "c"'),
        ('"a" ("b" / DIGIT)', '"a", then ("b" or DIGIT)'),
        ("[ DIGIT ]", "DIGIT or nothing"),
        ("*DIGIT", "DIGIT any number of times"),
        ("1*DIGIT", "DIGIT once or more"),
        ("2*DIGIT", "DIGIT 2 times or more"),
        ("4DIGIT", "DIGIT 4 times"),
        ("2*1000(DIGIT BIT)", "(DIGIT, then BIT) 2 to 1,000 times"),
        ("<a date>", "what is said in words (a date)"),
        ("%x41-5A", "%x41-5A"),
        ('%s"a"', '%s"a"'),
    ],
)
def test_a_rule_is_told_in_words(definition: str, words: str) -> None:
    assert describe_tree(tree_of(definition)) == words


def test_a_picture_has_a_box_for_each_part_and_is_named_by_its_words() -> None:
    svg = read(draw_railroad_diagram("rule", tree_of('"a<b" [ DIGIT ] *( year / <a "day"> )')).svg)
    texts = [text.text for text in svg.iter(f"{SVG}text")]
    assert texts == ['"a<b"', "DIGIT", "year", 'a "day"']
    rects = list(svg.iter(f"{SVG}rect"))
    assert [rect.get("rx") for rect in rects] == ["10", None, None, None]
    drawn = [group.get("class", "").split() for group in svg.iter(f"{SVG}g") if group.get("class")]
    assert drawn == [["terminal"], *[["non-terminal", kind] for kind in ("rule", "rule", "words")]]
    assert ".words" in SHEET
    assert svg.get("role") == "img"
    assert svg.get("aria-label", "").startswith('rule is "a<b", then DIGIT or nothing')


def test_how_often_is_written_where_it_is_not_as_often_as_one_likes() -> None:
    def label(definition: str) -> list[str | None]:
        return [
            t.text
            for t in read(draw_railroad_diagram("rule", tree_of(definition)).svg).iter(f"{SVG}text")
        ][1:]

    assert label("*DIGIT") == label("1*DIGIT") == label("[ DIGIT ]") == []
    assert label("4DIGIT") == ["4 times"]
    assert label("*5DIGIT") == ["up to 5"]
    assert label("2*5DIGIT") == ["2 to 5"]
    assert label("3*DIGIT") == ["3 or more"]


def test_many_short_alternatives_share_a_line() -> None:
    svg = read(
        draw_railroad_diagram("rule", tree_of(" / ".join(f'"{c}"' for c in "abcdefghijklmnop"))).svg
    )
    assert len(list(svg.iter(f"{SVG}rect"))) == 3


def test_a_rule_with_too_many_parts_is_told_in_words_alone() -> None:
    diagram = draw_railroad_diagram("rule", tree_of(" ".join(["DIGIT"] * 200)))
    assert diagram.svg == ""
    assert diagram.words.startswith("rule is DIGIT, then DIGIT")


@given(grammars())
def test_every_picture_keeps_within_itself_and_needs_no_style(grammar: Drawn) -> None:
    for rule in read_rules(grammar.text).rules:
        assert rule.node is not None
        diagram = draw_railroad_diagram(rule.name, element_tree(rule.node))
        svg = read(diagram.svg)
        assert "style" not in diagram.svg
        width, height = float(svg.get("width", 0)), float(svg.get("height", 0))
        for rect in svg.iter(f"{SVG}rect"):
            x, y, wide, high = (float(rect.get(of, -1)) for of in ("x", "y", "width", "height"))
            assert 0 <= x <= x + wide <= width
            assert 0 <= y <= y + high <= height
        for path in svg.iter(f"{SVG}path"):
            for x, y in points(path.get("d", "")):
                assert 0 <= x <= width
                assert 0 <= y <= height
