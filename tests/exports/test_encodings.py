"""The encoded forms of files."""

from hashlib import sha256

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from app.exports.manifests.encodings import decode_form, encode_forms, is_compressible
from tests.published.bundles import DECODERS

TEXT = b"<record><name>isbn</name></record>\n" * 100


def noise(length: int) -> bytes:
    """Bytes that nothing makes shorter."""
    pieces = (sha256(str(number).encode()).digest() for number in range(length // 32 + 1))
    return b"".join(pieces)[:length]


def test_a_text_has_a_smaller_form_under_each_coding_the_smallest_first() -> None:
    forms = encode_forms("text/html; charset=utf-8", TEXT)
    assert list(forms) == ["br", "zstd", "gzip"]
    assert all(len(form) < len(TEXT) / 10 for form in forms.values())


@given(st.lists(st.sampled_from([b"urn:isbn:", b"\n", b"<a/>", "Ж".encode()]), min_size=1))
def test_every_form_is_read_back_as_the_file(words: list[bytes]) -> None:
    content = b"".join(words) * 2_048
    forms = encode_forms("application/json", content)
    assert forms
    assert {coding: DECODERS[coding](form) for coding, form in forms.items()} == dict.fromkeys(
        forms, content
    )


@given(st.binary(min_size=2_000, max_size=2_100), st.integers(1, 4))
def test_a_form_that_saves_less_than_a_twentieth_is_left_out(piece: bytes, times: int) -> None:
    content = piece * times
    for form in encode_forms("text/plain", content).values():
        assert len(form) <= 0.95 * len(content)


def test_what_cannot_be_made_smaller_has_no_forms() -> None:
    assert encode_forms("text/plain", noise(100_000)) == {}


@pytest.mark.parametrize("length", [0, 1, 2_047])
def test_a_file_that_goes_in_the_first_packets_has_no_forms(length: int) -> None:
    assert encode_forms("text/plain", b"a" * length) == {}


def test_equal_files_have_equal_forms() -> None:
    assert encode_forms("text/plain", TEXT) == encode_forms(
        "text/plain", b"".join([TEXT[:9], TEXT[9:]])
    )


def test_gzip_tells_neither_a_time_nor_a_name() -> None:
    form = encode_forms("text/plain", TEXT)["gzip"]
    flags, modified = form[3], form[4:8]
    assert (flags, modified) == (0, bytes(4))


def test_zstd_needs_no_more_memory_than_every_client_has() -> None:
    form = encode_forms("text/plain", noise(1_000) * 20_000)["zstd"]
    assert zstandard.get_frame_parameters(form).window_size <= 8 * 1024 * 1024


@pytest.mark.parametrize(
    ("media_type", "expected"),
    [
        ("text/html; charset=utf-8", True),
        ("TEXT/CSV", True),
        ("text/turtle", True),
        ("application/json", True),
        ("application/ld+json", True),
        ("application/xml", True),
        ("application/atom+xml;type=feed", True),
        ("image/svg+xml", True),
        ("application/jsonl", True),
        ("text/javascript", True),
        ("image/png", False),
        ("font/woff2", False),
        ("application/zip", False),
        ("application/octet-stream", False),
        ("application/jsonx", False),
        ("", False),
    ],
)
def test_texts_are_compressed_and_what_is_compressed_is_not(
    media_type: str, expected: bool
) -> None:
    assert is_compressible(media_type) is expected
    assert bool(encode_forms(media_type, TEXT)) is expected


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip"])
def test_a_form_is_decoded_whole_or_refused(coding: str) -> None:
    form = encode_forms("text/html", TEXT)[coding]
    assert decode_form(coding, form, len(TEXT)) == TEXT
    for broken in (form[:-1], form + form, form + b"x", b"x" + form, b""):
        with pytest.raises(ValueError, match="broken"):
            decode_form(coding, broken, len(TEXT))
    with pytest.raises(ValueError, match="too late"):
        decode_form(coding, form, len(TEXT) - 1)
    with pytest.raises(ValueError, match="supported"):
        decode_form("compress", form, len(TEXT))
