"""Every pattern of the application is linear or meets bounded texts; what is not is found."""

import json
import re
import shutil
import subprocess
import types
from functools import partial

import pytest

from tests.attack import patterns
from tests.attack.patterns import Found, slow
from tests.torture.conftest import some

pytestmark = pytest.mark.cost

_CHECK = """
const { checkSync } = require("recheck");
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
const judge = ([source, flags]) => checkSync(source, flags, { timeout: 1000 });
console.log(JSON.stringify(asked.map(one => judge(one).attack?.string ?? null)));
"""
_OURS_ALONE = re.compile(r"[*+?}]\+|\(\?[>imsx]")
_FLAGS = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s"}
_ENDS = {r"\A": "^", r"\Z": "$", "(?P<": "(?<"}


def in_javascript(found: Found) -> tuple[str, str] | None:
    """A pattern and its flags in the notation of the other checker; None where it has none for it.

    It knows no possessive repetition, which is linear anyhow, and nothing of a text's bound.
    """
    source = found.source
    if not isinstance(source, str) or found.where in patterns.BOUNDED or _OURS_ALONE.search(source):
        return None
    for ours, theirs in _ENDS.items():
        source = source.replace(ours, theirs)
    if found.methods <= {"match", "fullmatch"}:
        source = f"^(?:{source})" + ("$" if found.methods == {"fullmatch"} else "")
    return source, "".join(letter for flag, letter in _FLAGS.items() if found.flags & flag)


def test_no_pattern_of_the_application_is_slow() -> None:
    # `make check`, which goes before every test, tries all of them
    found = sorted(patterns.patterns(), key=lambda one: one.where)
    assert len(found) > 200
    assert [str(one) for one in map(slow, some(found, 8)) if one is not None] == []


def test_every_pattern_that_a_function_makes_is_known() -> None:
    assert patterns.unread() == []


def test_the_tables_name_what_there_is() -> None:
    places = {found.where for found in patterns.patterns()}
    named = {*patterns.BOUNDED, *patterns.USED, *patterns.MADE}
    assert named <= places


@pytest.mark.parametrize(
    ("source", "method"),
    [
        (r"(a+)+b", "match"),  # explodes
        (r"(?:a|[ab]c?)*!", "fullmatch"),
        (r"\b[uU]rn:[a-z0-9-]{1,32}:[!-~]*([^\x00-\x7f])", "search"),  # quadratic
        (r"[a-z.]+@[a-z]+", "findall"),
        (r"\s+y", "sub"),
        (r".*\S\s+\S.*[12]\d{3}", "fullmatch"),  # worse
        (r"“[^”]*”", "finditer"),
        (rb"\s+$", "search"),
    ],
)
def test_a_pattern_that_a_text_hurts_is_found(source: str | bytes, method: str) -> None:
    assert slow(Found(source, 0, "planted", frozenset({method}))) is not None


def test_what_meets_short_texts_alone_is_tried_with_these(monkeypatch: pytest.MonkeyPatch) -> None:
    planted = Found(r"[a-z.]+@[a-z]+", 0, "planted", frozenset({"search"}))
    monkeypatch.setattr(patterns, "BOUNDED", {"planted": 160})
    assert slow(planted) is None


def test_patterns_are_found_wherever_they_are_kept() -> None:
    module = types.ModuleType("planted")

    class Kept:
        of_class = re.compile("a")

    Kept.__module__ = "planted"
    vars(module).update(
        alone=re.compile("b"),
        listed=[(re.compile("c"),)],
        by_name={"x": re.compile("d")},
        method=re.compile("e").fullmatch,
        kept=Kept,
        given=lambda text, pattern=re.compile("f"): pattern.match(text),
    )
    assert {found.source for found in patterns._held(module)} == set("abcdef")


def test_what_another_checker_sends_hurts_no_pattern() -> None:
    found = {asked: one for one in patterns.patterns() if (asked := in_javascript(one))}
    node = shutil.which("node")
    if node is None:
        pytest.skip("another checker of patterns runs where node is")
    command, given = [str(node), "-e", _CHECK], json.dumps(list(found))
    ran = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if ran.returncode:
        pytest.skip("another checker of patterns runs where node finds recheck")
    sent = zip(found.values(), json.loads(ran.stdout), strict=True)
    assert [one.where for one, text in sent if text and hurts(one, text)] == []


def hurts(found: Found, text: str) -> bool:
    """Whether a text takes a pattern too long, however it is used."""
    compiled = re.compile(found.source, found.flags)
    runs = (partial(patterns._run, compiled, method) for method in patterns._kinds(found.methods))
    return any(patterns._seconds(run, text[: found.bound]) > patterns.MOST for run in runs)
