"""Bytes of a file as text: what is recognized, and what is refused with its reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.registration.templates.text_encodings import MAX_BYTES, UnreadableText, decode_text

GERMAN = "Österreich, Gaëlle Béquet: „für Namen“ – größer\n"


@pytest.mark.parametrize(
    ("text", "codec", "encoding"),
    [
        ("Purpose: none\n", "ascii", "utf-8"),
        (GERMAN, "utf-8", "utf-8"),
        (GERMAN, "utf-8-sig", "utf-8"),
        ("Österreich, Gaëlle\n", "latin-1", "iso-8859-1"),
        (GERMAN, "cp1252", "windows-1252"),
        ("“A”\n", "cp1252", "windows-1252"),
        ("名前の空間\n", "utf-8", "utf-8"),
        ("", "ascii", "utf-8"),
        ("a\x1b[31mb\u202ec\n", "utf-8", "utf-8"),
    ],
)
def test_an_encoding_is_recognized(text: str, codec: str, encoding: str) -> None:
    read = decode_text(text.encode(codec))
    assert (read.text, read.encoding) == (text, encoding)
    assert [odd.code for odd in read.problems] == ["encoding"] * (encoding != "utf-8")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (GERMAN.encode("utf-16"), "UTF-16"),
        (GERMAN.encode("utf-16-le"), "UTF-16"),
        (GERMAN.encode("utf-16-be"), "UTF-16"),
        (GERMAN.encode("utf-32"), "UTF-32"),
        (b"%PDF-1.7\n...", "PDF"),
        (b"PK\x03\x04...", "Word or OpenDocument"),
        (b"{\\rtf1\\ansi Purpose:}", "Rich Text"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
        (b"\x1f\x8b\x08\x00", "compressed"),
        (b"Purpose: a\0b and more words of a text", "byte 11 is 0"),
        (bytes(range(1, 32)) * 9, "control characters"),
        ((GERMAN * 9).encode() + b"\xe9\n", "byte 541 isn't valid"),
        ("名前の空間を登録する\n".encode("shift-jis"), "isn't UTF-8"),
        ("Пространство имён\n".encode("koi8-r"), "isn't UTF-8"),
        ("Пространство имён\n".encode("cp1251"), "isn't UTF-8"),
        (b"a\x81b\n", "isn't UTF-8"),
        (b"a" * (MAX_BYTES + 1), "larger than 5 MB"),
    ],
)
def test_what_is_no_such_text_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(UnreadableText, match=why):
        decode_text(data)


def test_five_megabytes_are_taken() -> None:
    assert len(decode_text(b"a" * MAX_BYTES).text) == MAX_BYTES


@pytest.mark.parametrize(
    ("data", "text", "codes"),
    [
        (b"a\r\nb\nc\rd", "a\nb\nc\nd", ["line-ends"]),
        (b"a\r\nb\r\n", "a\nb\n", []),
        (b"a\rb\r", "a\nb\n", []),
        (b"a\n\r\nb", "a\n\nb", ["line-ends"]),
    ],
)
def test_line_ends_are_made_equal_and_a_mixture_is_told(
    data: bytes, text: str, codes: list[str]
) -> None:
    read = decode_text(data)
    assert (read.text, [odd.code for odd in read.problems]) == (text, codes)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read = decode_text(data)
    except UnreadableText as error:
        assert "UTF-8" in str(error) or "gzip" in str(error)
    else:
        assert "\r" not in read.text


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=200))
def test_a_text_in_utf_8_is_read_as_it_is(text: str) -> None:
    try:
        read = decode_text(text.encode())
    except UnreadableText as error:
        assert "control characters" in str(error)
    else:
        assert read.text == text.removeprefix("\ufeff")
