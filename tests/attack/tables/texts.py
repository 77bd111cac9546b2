"""What is written where a text comes in: tokens of ours, pumped patterns, sizes, controls, code.

A new kind is a row of ``KINDS``, another look of a token a row of ``DISGUISES``; every place of
``places`` is then tried with it.
"""

import base64
from collections.abc import Callable, Mapping
from urllib.parse import quote

from tests.web import corpus

BASE = "http://127.0.0.1:8000"
_RANDOM = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9"

# A token of each kind, as its mail shows it; each leads nowhere.
TOKENS: Mapping[str, str] = {
    "signs in": f"{BASE}/sign-in/{_RANDOM}",
    "claims": f"{BASE}/links/{_RANDOM}",
    "addresses a reply": f"reply+4.2.{_RANDOM[:32]}@registry.example",
}
DISGUISES: Mapping[str, Callable[[str], str]] = {
    "as it is": lambda token: token,
    "quoted": lambda token: f"> Read this:\r\n>> {token}\r\n",
    "folded": lambda token: f"> {token[:40]}=\r\n> {token[40:]}",
    "in a link": lambda token: f'<a href="{token}">here</a>',
    "in angles": lambda token: f"<{token}>",
    "of another host": lambda token: token.replace(BASE, "https://other.example"),
    "escaped": lambda token: quote(token, safe=""),
    "in capitals": str.upper,
    "in base64": lambda token: base64.b64encode(token.encode()).decode(),
    "spaced": " ".join,
}

SHARP = "<zq\"'>"  # never stands in a page as it is written here
MARK = f"{SHARP}&{{{{7*7}}}}</textarea></title><script>zq()</script>"
LONG, LONGER = 64 * 1024, 1024 * 1024

# Each is a text of 64 KB that makes some pattern of the past try every way there is.
_PUMPED = ("urn:", "<", "[", "@", "a@", ":", "-", "a-", " ", "\n", "%41", ".", "(", "*", "> ", "0")
_CONTROLS = (
    *(
        "a\rb",
        "a\nb",
        "a\r\nSet-Cookie: zq=1",
        "a\0b",
        "a\u2028b",
        "a\u2029b",
        "a\x85b",
        "a\x1b[0m",
    ),
    *("a\u202eb\u202c", "a\u2066b", "a\u200bb", "a\ufeffb", "\u0456sbn", "ＩＳＢＮ", "a\ufffeb"),
)
_NUMBERS = (str(2**63), str(2**31), f"-{2**63}", "9" * 400, "-1", "0", "1e9", "٣", "NaN", "0x10")
_FORMULAS = ("=1+1", "+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", "＝1", "＋1", "=cmd|' /C x'!A0")
_CODE = (
    *(MARK, "javascript:alert(1)", "[x](javascript:alert(1))", "//e.example", "\\\\e.example"),
    *(
        "' OR '1'='1",
        "%s%n",
        "../../etc/passwd",
        "{{7*7}}",
        "${7*7}",
        "<!ENTITY x 'y'>]>&x;",
        "]]>",
    ),
)

KINDS: Mapping[str, tuple[str, ...]] = {
    "tokens": tuple(look(token) for token in TOKENS.values() for look in DISGUISES.values()),
    "pumped": tuple((text * LONG)[:LONG] for text in _PUMPED),
    "sizes": ("", "x", "é" * (LONG // 2), "x" * LONGER, "x" * (LONGER + 1)),
    "controls": _CONTROLS,
    "numbers": _NUMBERS,
    "formulas": _FORMULAS,
    "code": _CODE,
    "known to have broken software": tuple(corpus.ALL),
}
ALL = tuple(text for texts in KINDS.values() for text in texts)
SHORT = tuple(text for text in ALL if len(text) < 2_000)

# What two databases have held differently: each is tried on both.
DIVIDING = (
    "a\0b",
    "\ufffe",
    str(2**63),
    "9" * 400,
    "a\u2028b",
    "é" * (LONG // 2),
    "' OR '1'='1",
    "",
)
