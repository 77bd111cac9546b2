"""Ranges of bytes, against a reading of RFC 9110 section 14."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.published.http.file_answers import ByteRange, find_span

lengths = st.integers(1, 50)
numbers = st.integers(0, 60)
spaces = st.sampled_from(["", " ", "\t"])


def picked(content: bytes, field: str) -> bytes | None:
    """The bytes that a range gives; None where it is to be ignored."""
    span = find_span(field, len(content))
    return None if span is None else content[span.first : span.end]


@given(lengths, numbers, st.none() | numbers, spaces)
def test_a_range_gives_the_bytes_from_its_first_to_its_last(
    length: int, first: int, last: int | None, space: str
) -> None:
    content = bytes(range(length))
    field = f"bytes={space}{first}-{'' if last is None else last}{space}"
    wanted = range(first, length if last is None else last + 1)
    expected = bytes(byte for at, byte in enumerate(content) if at in wanted)
    ignored = last is not None and last < first
    assert picked(content, field) == (None if ignored else expected)


@given(lengths, numbers)
def test_a_suffix_gives_the_last_bytes(length: int, count: int) -> None:
    content = bytes(range(length))
    reverse = content[::-1]
    assert picked(content, f"bytes=-{count}") == reverse[:count][::-1]


@given(lengths, numbers, numbers)
def test_a_span_lies_within_the_file(length: int, first: int, last: int) -> None:
    for field in (f"bytes={first}-{last}", f"bytes={first}-", f"bytes=-{last}"):
        span = find_span(field, length)
        if span is not None:
            assert 0 <= span.first <= span.end <= length
            assert span.length == span.end - span.first


@pytest.mark.parametrize(
    "field",
    [
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=,",
        "bytes=a-b",
        "bytes=1",
        "bytes=1-2-3",
        "bytes=1-2,4-5",
        "bytes=--1",
        "bytes=-1-",
        "bytes=+1-2",
        "bytes=0x1-2",
        "bytes=1 - 2",
        "bytes=١-٢",
        "bytes =0-1",
        "bytes: 0-1",
        "items=0-1",
        "bytes=0-1\n",
        "bytes=2-1",
        "0-1",
    ],
)
def test_what_is_no_single_range_of_bytes_is_ignored(field: str) -> None:
    assert find_span(field, 10) is None


@pytest.mark.parametrize(
    ("field", "span"),
    [
        ("bytes=0-0", ByteRange(0, 1)),
        ("BYTES=0-0", ByteRange(0, 1)),
        ("bytes=, 0-0 ,", ByteRange(0, 1)),
        ("bytes=00000000000000000000000-0000000000000000000001", ByteRange(0, 2)),
        (f"bytes=0-{'9' * 5000}", ByteRange(0, 10)),
        (f"bytes=-{'9' * 5000}", ByteRange(0, 10)),
        (f"bytes={'9' * 5000}-", ByteRange(10, 10)),
        (f"bytes={'9' * 5000}-{'9' * 5000}", ByteRange(10, 10)),
        ("bytes=9-", ByteRange(9, 10)),
        ("bytes=10-", ByteRange(10, 10)),
        ("bytes=-0", ByteRange(10, 10)),
    ],
)
def test_the_edges_of_a_file_are_kept(field: str, span: ByteRange) -> None:
    assert find_span(field, 10) == span


@given(st.text(st.characters(max_codepoint=255), max_size=40))
def test_no_field_crashes_the_reading(text: str) -> None:
    for field in (text, f"bytes={text}"):
        span = find_span(field, 10)
        assert span is None or 0 <= span.first <= span.end <= 10
