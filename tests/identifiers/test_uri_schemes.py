"""What only looks like the scheme of an ARK or a URN is told as such."""

import pytest

from app.identifiers.ark import parse_ark
from app.identifiers.errors import InvalidARK, InvalidURN
from app.identifiers.uri_schemes import find_scheme_look_alike, with_plain_scheme
from app.identifiers.urn import parse_urn

ALIKE = {
    "\u0430rk:12345/x": (0, "looks like `a` in `ark:` is U+0430 (CYRILLIC SMALL LETTER A)."),
    "ar\u043a:12345/x": (2, "looks like `k` in `ark:` is U+043A (CYRILLIC SMALL LETTER KA)."),
    "AR\u212a:12345/x": (2, "looks like `k` in `ark:` is U+212A (KELVIN SIGN)."),
    "\uff21rk:12345/x": (0, "is U+FF21 (FULLWIDTH LATIN CAPITAL LETTER A)"),
    "ark\uff1a12345/x": (3, "looks like `:` in `ark:` is U+FF1A (FULLWIDTH COLON)."),
    "ark\u223612345/x": (3, "is U+2236 (RATIO)"),
    "a\u200brk:12345/x": (1, "U+200B (ZERO WIDTH SPACE), which is invisible"),
    "\u202eark:12345/x": (0, "U+202E (RIGHT-TO-LEFT OVERRIDE), which is invisible"),
}


@pytest.mark.parametrize("text", ALIKE)
def test_an_ark_whose_scheme_only_looks_right_is_refused_with_what_stands_there(text: str) -> None:
    with pytest.raises(InvalidARK) as refused:
        parse_ark(text)
    position, words = ALIKE[text]
    assert (refused.value.code, refused.value.position) == ("scheme", position)
    assert words in refused.value.message
    assert refused.value.source == "The ARK URI scheme section 8.1"
    assert with_plain_scheme(text, "ark") == "ark:12345/x"


def test_a_urn_is_told_so_too() -> None:
    with pytest.raises(InvalidURN) as refused:
        parse_urn("urn\uff1aisbn:0451450523")
    assert "is U+FF1A (FULLWIDTH COLON)" in refused.value.message
    assert with_plain_scheme("urn\uff1aisbn:0451450523", "urn") == "urn:isbn:0451450523"


@pytest.mark.parametrize(
    "text",
    ["ark:12345/x", "ARK:12345/\u0430", "", "\u0430", "\u0430rk", "b\u0430rk:12345/x", "\u200b",
     "urn:\u0430", "\ud800rk:", "\u0430rk;12345/x"],
)  # fmt: skip
def test_what_is_the_scheme_or_does_not_look_like_it_is_not_told_so(text: str) -> None:
    assert find_scheme_look_alike(text, "ark") is None
    assert with_plain_scheme(text, "ark") == ""
