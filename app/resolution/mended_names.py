"""Spellings of an NSS that its namespace may accept where it refuses the NSS as written.

These functions only produce spellings. The judgement decides which of them is a name.
"""

from collections.abc import Iterator

from app.identifiers.corrections import (
    with_plain_hyphens,
    without_spaces,
    without_trailing_marks,
)

LONGEST = 200  # characters of an NSS of which letters are tried in the other case


def meant_names(nss: str) -> Iterator[str]:
    """Yield an NSS, then the same without trailing marks, other hyphens and spaces.

    ``978%20951`` gives ``978951``, and ``978951/`` does too.
    """
    plain = with_plain_hyphens(nss)
    spaceless = without_spaces(nss)
    spellings = (nss, without_trailing_marks(nss), plain, spaceless)
    yield from dict.fromkeys((*spellings, without_trailing_marks(spaceless)))


def other_cases(nss: str) -> Iterator[str]:
    """An NSS with its first segment, or all of it, in one case; nothing for one that is long."""
    if "%" in nss or len(nss) > LONGEST:
        return
    head, mark, rest = nss.partition(":")
    yield from dict.fromkeys(
        (f"{head.lower()}{mark}{rest}", f"{head.upper()}{mark}{rest}", nss.upper(), nss.lower())
    )
