"""A word of IANA's or of the trade stands behind the plain one, in whatever people are told."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.factory import asset_dir

APP = Path(__file__).parents[2] / "app"
# what to say, and what may stand behind it or in brackets
PLAIN = {
    r"iterations?": "text",
    r"Validating Request": "check",
    r"With Requester": "registrant",
    r"hard rules?": "rule that",
    r"base version": "version that",
    r"Org\. entry": "organization",
    r"nominat\w*": "appoint",
}
_TERMS = re.compile(rf"(?<![\w./_-])(?:{'|'.join(PLAIN)})(?![\w/_=-])")
_MARKS = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<[^>]*>", re.DOTALL)


def bare(text: str) -> list[str]:
    """The first use of each term in a text, where nothing plain stands before it."""
    first: dict[str, str] = {}
    for found in _TERMS.finditer(text):
        plain = next(word for term, word in PLAIN.items() if re.fullmatch(term, found[0]))
        if plain not in first:
            said = plain in text[: found.start()].lower()
            first[plain] = "" if said else " ".join(text[: found.end()].split())[-60:]
    return [words for words in first.values() if words]


def _sentences(module: ast.Module) -> Iterator[str]:
    """What a module says: each text of several words that documents nothing."""
    apart = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)} | {
        id(part)
        for node in ast.walk(module)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr):
            parts = (one.value for one in node.values if isinstance(one, ast.Constant))
            yield "… ".join(map(str, parts))
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart
        ):
            yield node.value


def _told() -> Iterator[tuple[str, str]]:
    for file in sorted(APP.rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        if _TERMS.search(source):
            said = _sentences(ast.parse(source))
            yield from ((file.name, words) for words in said if " " in words.strip())
    for file in sorted(asset_dir("templates").rglob("*.*")):
        yield file.name, _MARKS.sub(" ", file.read_text(encoding="utf-8"))


STATE_WORDS = {"states.py"}  # where IANA's words stand beside the plain ones, one by one


def test_the_plain_word_comes_first() -> None:
    wrong = [(name, words) for name, text in _told() for words in bare(text)]
    assert [one for one in wrong if one[0] not in STATE_WORDS] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Request 2 has iterations 1 to 3.", ["Request 2 has iterations"]),
        ("It has texts (iterations) 1 to 3, and iteration 2 is old.", []),
        ("It is With Requester.", ["It is With Requester"]),
        ("/requests/1/iterations/2 and iteration=3", []),
    ],
)
def test_a_word_of_the_trade_alone_is_found(text: str, said: list[str]) -> None:
    assert bare(text) == said
