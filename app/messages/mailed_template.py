"""Finding a filled-in template in what somebody wrote."""

import re
from collections.abc import Iterator

from app.registration.declarations.registries import TEMPLATE_FIELDS
from app.registration.templates.headings import LABELS, HeadingKind

LEAST_HEADINGS = 4


def _words() -> Iterator[str]:
    yield from (field.label for field in TEMPLATE_FIELDS)
    for words, label in LABELS.items():
        if " " in words and label.kind in (HeadingKind.OWN, HeadingKind.EARLIER):
            yield words


_LABELS = "|".join(re.escape(words).replace(r"\ ", " {1,4}") for words in _words())
_HEADING = re.compile(rf"^[ \t]{{0,8}}({_LABELS}) {{0,4}}:", re.IGNORECASE | re.MULTILINE)


def find_template(text: str) -> str | None:
    """The part of a text that is a filled-in template; None where there is none.

    It begins at the first heading of the template and goes on to the end. Takes at least four
    different headings with a word below one of them; does not ask whether what they say will
    do, nor for a name, since a request for an informal namespace has none.

    Source: RFC 8141 appendix A; RFC 3406 appendix A.1.
    """
    found = list(_HEADING.finditer(text))
    if len({" ".join(heading[1].lower().split()) for heading in found}) < LEAST_HEADINGS:
        return None
    part = text[found[0].start() :].rstrip() + "\n"
    return part if re.search(r"\w", _HEADING.sub("", part)) else None
