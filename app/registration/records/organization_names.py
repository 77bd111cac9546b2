"""Names of organizations: whether two of them may well be one, so that a person is asked."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate

# What a company writes behind its name, without stops: "e.V." and "EV" are one.
_LEGAL_FORM = re.compile(
    "ab|ag|aps|as|asa|bv|co|company|corp|corporation|cv|doo|eg|ev|gmbh|gbr|inc|incorporated|kft|kg"
    "|kgaa|kk|limited|llc|llp|lp|ltd|mbh|nv|ohg|ooo|oyj?|plc|pte|pty|sa|sarl|sas|se|sl|spa|srl|sro"
    "|ug|zrt|and"
)
_SHORTEST = 5  # letters of names that a letter more or less does not tell apart


def are_alike(one: str, other: str) -> bool:
    """Whether the names of two organizations differ by no more than a form of law or a letter.

    ``Org Same Ltd.`` and ``The Org-Same`` are alike, and so are ``Quokka Society`` and
    ``Quoka Society``. Letters are compared without case and marks. Nothing is like no name.
    """
    first, second = "".join(_core(one)), "".join(_core(other))
    return bool(first and second) and _read_alike(first, second)


def is_named_in(text: str, organization: str) -> bool:
    """Whether words that stand together in a text are alike to the name of an organization.

    ``Org Same, 1 Road`` names ``Org Same Ltd.``; ``Isolde Society`` does not name ``ISO``.
    """
    core, words = "".join(_core(organization)), _words(text)
    return bool(core) and any(_read_alike(run, core) for run in _runs(words, len(core)))


def _runs(words: Sequence[str], long: int) -> Iterator[str]:
    joined = "".join(words)
    ends = frozenset(accumulate(map(len, words)))
    for start in (0, *accumulate(map(len, words[:-1]))):
        yield from (
            joined[start:end] for end in range(start + long - 1, start + long + 2) if end in ends
        )


def _read_alike(first: str, second: str) -> bool:
    if first == second:
        return True
    is_long = min(len(first), len(second)) >= _SHORTEST
    return is_long and _digits(first) == _digits(second) and _is_one_edit(first, second)


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())


def _core(name: str) -> Sequence[str]:
    words = _words(name)
    while len(words) > 1 and _LEGAL_FORM.fullmatch(words[-1]):
        words.pop()
    return words[1:] if len(words) > 1 and words[0] == "the" else words


def _words(text: str) -> list[str]:
    split = unicodedata.normalize("NFKD", text).casefold().replace(".", "").replace("&", " and ")
    return "".join(_spaced(char) for char in split if not unicodedata.combining(char)).split()


def _spaced(char: str) -> str:
    if unicodedata.category(char) == "Lo":
        return f" {char} "
    return char if char.isalnum() else " "


def _is_one_edit(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    at = 0
    while at < len(short) and short[at] == long[at]:
        at += 1
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]
