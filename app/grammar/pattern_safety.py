"""Whether a pattern of names may be matched against whatever people ask for."""

import re

LONGEST = 4000  # characters
_ATOM = r"(?:\\.|\[\^?\]?[^\]]*\]|[^()\[\]\\|])"
_REPEATED_REPEAT = re.compile(rf"\((?:\?:|\?P<\w+>)?{_ATOM}[+*]\)(?:[+*]|\{{[0-9]*,\}})", re.ASCII)
_REFERENCE = re.compile(r"\\[1-9]|\(\?P=")


def unsafe_in(expression: str) -> str:
    """Why a pattern may not be used, in a sentence; empty where it may.

    Asks whether it compiles, how long it is, and whether a text could make it take longer
    than its length gives reason for.
    """
    if len(expression) > LONGEST:
        return f"It has more than {LONGEST:,} characters. Write a shorter one."
    try:
        re.compile(expression, re.ASCII)
    except (re.error, RecursionError, OverflowError) as error:
        return f"It is no regular expression: {error}. Mend it."
    if _REFERENCE.search(expression):
        return "It refers back to a group, which can take very long. Write what may stand there."
    if _REPEATED_REPEAT.search(expression):
        return "It repeats what repeats itself, which can take very long. Leave one of them out."
    return ""
