"""Characters that a reader cannot see, made visible."""

import re

_UNSEEN = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls other than tab and line ends
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # Bidi_Control: they reorder what stands beside
    "\u200b\u2028\u2029\u2060-\u2064"  # no width, or a line end of their own
    "\U000e0000-\U000e007f"  # tags: a text inside the text
    "\ud800-\udfff"  # lone surrogates, which no encoding can carry
    "]"
    "|(?!\\A)\ufeff"  # where a text begins it only marks the byte order
)


def revealed(text: str) -> str:
    """The text with each unseen character as ``[U+202E]``, so that nothing in it misleads.

    Tabs, line ends, joiners and every visible character stay as they are.

    Source: Unicode Standard Annex 9, the property Bidi_Control.
    """
    return _UNSEEN.sub(lambda found: f"[U+{ord(found.group()):04X}]", text)
