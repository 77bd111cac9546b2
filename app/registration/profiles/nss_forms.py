"""Patterns on an NSS, and the forms in which one name may stand to be held to them.

A registration that takes two spellings for one name may write its pattern for one of them.
"""

import re
from collections.abc import Iterator

from app.identifiers.equivalence import Equivalence

_ENCODED = re.compile("(?:%[0-9A-F]{2})+")


def compile_pattern(expression: str, flags: re.RegexFlag = re.NOFLAG) -> "re.Pattern[str] | None":
    """A pattern on an NSS, which is of ASCII; None for none, and for one that is no expression."""
    try:
        return re.compile(expression, re.ASCII | flags) if expression else None
    except (re.error, RecursionError, OverflowError):
        return None


def pattern_of(expression: str, equivalence: Equivalence) -> "re.Pattern[str] | None":
    """A pattern on the NSSs of a namespace, to which case counts as it does there.

    None as ``compile_pattern`` gives it.
    """
    return compile_pattern(expression, re.IGNORECASE if equivalence.folds_whole else re.NOFLAG)


def in_capitals(equivalence: Equivalence, nss: str) -> str:
    """An NSS in its namespace's own form, with what the namespace folds in upper case.

    A pattern that was written for names as they are given may know capitals alone. What is not
    folded stays, since a name in the other case is another name.
    """
    return equivalence.in_capitals().own_nss(nss)


def other_forms(equivalence: Equivalence, nss: str) -> Iterator[str]:
    """How else a name may be written whose NSS is in the normal form of RFC 8141 section 3.1."""
    if "%" in nss:
        yield _ENCODED.sub(lambda run: run[0].lower(), nss)
    if not equivalence.rules:
        return
    own = equivalence.own_nss(nss)
    if own != nss:
        yield own
    if equivalence.folds:
        yield in_capitals(equivalence, nss)
