"""Characters that a reader cannot see, made visible."""

import re

from app.identifiers.errors import UNSEEN

_UNSEEN = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls other than tab and line ends
    f"{UNSEEN}\u2028\u2029"  # or a line end of its own
    "\ud800-\udfff"  # lone surrogates, which no encoding can carry
    "]"
    "|(?!\\A)\ufeff"  # where a text begins it only marks the byte order
)


def reveal_unseen(text: str) -> str:
    """The text with each unseen character as ``[U+202E]``, so that nothing in it misleads.

    Tabs, line ends, joiners and every visible character stay as they are.

    Source: Unicode Standard Annex 9, the property Bidi_Control.
    """
    return _UNSEEN.sub(lambda found: f"[U+{ord(found.group()):04X}]", text)
