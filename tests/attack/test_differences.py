"""Two texts written so that nothing can set them against each other."""

import random
from collections.abc import Mapping

import pytest

from app.pages.text.template_diff import TOO_DIFFERENT, DiffKind, difference, unified_diff
from app.registration.declarations.template_fields import TEMPLATE_FIELDS
from app.registration.submissions.submission_rules import LONGEST_TEXT
from app.registration.templates.template_writer import format_template
from tests.attack.cpu import least_cpu

pytestmark = pytest.mark.cost

MOST = 0.5  # seconds of CPU for the worst pair of whole templates
LONG = tuple(field.name for field in TEMPLATE_FIELDS if field.is_long)


def whole(text: str) -> dict[str, str]:
    """A template with as much of a text in each long field as it holds."""
    return dict.fromkeys(LONG, (text * (LONGEST_TEXT // len(text) + 1))[:LONGEST_TEXT])


def shuffled(kinds: int, seed: int, between: str = "\n") -> str:
    """A text of few lines or words, each very often, in no order."""
    chosen = random.Random(seed)
    words = [chr(97 + n % 26) * (1 + n // 26) for n in range(kinds)]
    return between.join(chosen.choices(words, k=LONGEST_TEXT // 2))


def counted(pattern: str) -> str:
    """Lines of which each is another."""
    return "".join(pattern.format(n) for n in range(LONGEST_TEXT // 6))


PAIRS: Mapping[str, tuple[str, str]] = {
    "few lines, each just rare enough to count": (shuffled(90, 1), shuffled(90, 2)),
    "a few more": (shuffled(101, 1), shuffled(101, 2)),
    "two lines": ("a\n", "b\n"),
    "lines alike but one": ("a\n" * 20_000, "a\n" * 19_999 + "b\n"),
    "each second line": (counted("{}\nx\n"), counted("{}\ny\n")),
    "other words in many lines": (counted("a {} b c\n"), counted("a b {} c\n")),
    "few words": (shuffled(90, 1, " "), shuffled(90, 2, " ")),
    "few words in many paragraphs": (
        "\n".join(shuffled(150, n, " ")[:3000] for n in range(20)),
        "\n".join(shuffled(150, n, " ")[:3000] for n in range(20, 40)),
    ),
    "what looks like headings": (counted("{:x} aa:\n"), counted("Ab{:x}:\n")),
    "a line without a space": ("x", "y"),
    "spaces": (" " * 70_000, " " * 60_000 + "x"),
    "line ends": ("\n" * 70_000, "\n" * 60_000 + "x"),
}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_worst_pair_of_templates_is_compared_within_the_bound(pair: tuple[str, str]) -> None:
    old, new = map(whole, pair)
    took, found = least_cpu(lambda: difference(old, new), MOST)
    assert took <= MOST
    for field in found.changed:
        for text, other in ((old, DiffKind.ADDED), (new, DiffKind.REMOVED)):
            kept = (piece.text for piece in field.pieces if piece.kind is not other)
            assert "".join(kept) == text[field.name].rstrip(), "space at the end is no word"


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_its_text_is_written_within_the_bound(pair: tuple[str, str]) -> None:
    old, new = map(whole, pair)
    took, told = least_cpu(lambda: unified_diff(old, new, ("a", "b")), MOST)
    assert took <= MOST
    assert len(told) <= 2 * (len(format_template(old)) + len(format_template(new))) + 1_000


def test_texts_that_are_too_different_are_shown_whole() -> None:
    old, new = map(whole, PAIRS["few lines, each just rare enough to count"])
    fields = difference(old, new).changed
    assert {field.is_too_different for field in fields} == {True}
    for field in fields:
        assert [piece.kind for piece in field.pieces] == [DiffKind.REMOVED, DiffKind.ADDED]
        assert [[len(side) for side in row] for row in field.rows] == [[1, 1]]
    told = unified_diff(old, new, ("a", "b")).splitlines()
    assert told[0] == TOO_DIFFERENT
    for sign, fields_of in (("-", old), ("+", new)):
        lines = [line[1:] for line in told[3:] if line.startswith(sign)]
        assert lines == format_template(fields_of).splitlines()


def test_one_hostile_field_takes_nothing_from_the_others() -> None:
    old, new = (
        dict.fromkeys(LONG[1:], "One word.\nTwo.") | {LONG[0]: shuffled(90, n)[:60_000]}
        for n in (1, 2)
    )
    new |= dict.fromkeys(LONG[1:], "One word.\nThree.")
    first, *rest = difference(old, new).changed
    assert first.is_too_different
    assert not any(field.is_too_different for field in rest)
    assert [piece.text for piece in rest[0].pieces] == ["One word.\n", "Two.", "Three."]
