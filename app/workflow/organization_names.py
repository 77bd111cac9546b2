"""Names of organizations: whether two of them may well be one, so that a person is asked."""

import re
import unicodedata

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
    first, second = _core(one), _core(other)
    if not first or not second:
        return False
    if first == second:
        return True
    is_long = min(len(first), len(second)) >= _SHORTEST
    return is_long and _digits(first) == _digits(second) and _is_one_edit(first, second)


def _digits(text: str) -> str:
    """Numbers tell organizations apart: ``Committee 46`` is not ``Committee 47``."""
    return "".join(letter for letter in text if letter.isdigit())


def _core(name: str) -> str:
    """What is left of a name without case, marks, stops, an article and its legal forms."""
    split = unicodedata.normalize("NFKD", name).casefold().replace(".", "").replace("&", " and ")
    letters = "".join(
        letter if letter.isalnum() else " " for letter in split if not unicodedata.combining(letter)
    )
    words = letters.split()
    while len(words) > 1 and _LEGAL_FORM.fullmatch(words[-1]):
        words.pop()
    return "".join(words[1:] if len(words) > 1 and words[0] == "the" else words)


def _is_one_edit(one: str, other: str) -> bool:
    """Whether a letter more, less or other makes one text the other."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    at = 0
    while at < len(short) and short[at] == long[at]:
        at += 1
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]
