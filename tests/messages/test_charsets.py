"""Bytes in every charset there is, and in some that are none, become text that can be stored."""

from encodings.aliases import aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.messages.mime_charsets import clean_text, decode_bytes, one_line

NO_CHARSETS = [
    "",
    "..",
    "a\x00b",
    "ü",
    "idna",
    "punycode",
    "unicode_escape",
    "hex",
    "rot13",
    "zlib",
]
LABELS = sorted({*aliases, *aliases.values(), *NO_CHARSETS})


@given(st.binary(max_size=60), st.sampled_from(LABELS))
def test_any_bytes_in_any_charset_can_be_stored(data: bytes, charset: str) -> None:
    text = clean_text(decode_bytes(data, charset))
    text.encode()
    assert "\x00" not in text
    assert "\n" not in one_line(text, 100)


@pytest.mark.parametrize("charset", NO_CHARSETS)
def test_what_is_no_charset_counts_as_none(charset: str) -> None:
    assert decode_bytes("Grüße".encode(), charset) == "Grüße"
    assert decode_bytes(b"Gr\xfc\xdfe", charset) == "Grüße"


def test_line_ends_are_made_equal_and_controls_are_gaps() -> None:
    assert clean_text("a\r\nb\rc\u2028d\x00e\x85f\ud800g\tz") == "a\nb\nc\nd e\nf\ufffdg\tz"
