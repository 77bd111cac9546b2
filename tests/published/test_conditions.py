"""Conditional requests against a reading of RFC 9110 section 13 and against Werkzeug's."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.http import is_resource_modified, parse_date

from app.published.http.file_answers import evaluate_preconditions, find_http_date

MODIFIED = datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC)
SECONDS = int(MODIFIED.timestamp())
ETAG = '"abc,1"'

FORMS = ("%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y")

opaque = st.text("abc,1/W*\xe9", max_size=6)
tags = st.tuples(st.booleans(), st.one_of(st.just("abc,1"), opaque))
tag_lists = st.one_of(st.just("*"), st.lists(tags, min_size=1, max_size=4))
moments = st.one_of(
    st.just(MODIFIED),
    st.integers(0, 2_100_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
)
dates = st.tuples(moments, st.sampled_from(FORMS))


def field_of(tags: Any, separator: str = ", ") -> str:
    if tags == "*":
        return "*"
    return separator.join(f'W/"{name}"' if weak else f'"{name}"' for weak, name in tags)


def date_of(date: tuple[datetime, str]) -> str:
    return date[0].strftime(date[1])


def expected(match: Any, unmodified: Any, none_match: Any, modified: Any) -> int:
    """The steps of section 13.2.2, on what was meant instead of what was written."""
    if match is not None:
        if match != "*" and (False, "abc,1") not in match:
            return 412
    elif unmodified is not None and unmodified[0] < MODIFIED:
        return 412
    if none_match is not None:
        return 304 if none_match == "*" or "abc,1" in {name for _, name in none_match} else 200
    return 304 if modified is not None and modified[0] >= MODIFIED else 200


@given(
    st.none() | tag_lists,
    st.none() | dates,
    st.none() | tag_lists,
    st.none() | dates,
    st.sampled_from([",", ", ", " ,\t"]),
)
def test_preconditions_are_weighed_in_the_order_of_the_rfc(
    match: Any, unmodified: Any, none_match: Any, modified: Any, separator: str
) -> None:
    fields = {
        "if-match": match and field_of(match, separator),
        "if-unmodified-since": unmodified and date_of(unmodified),
        "if-none-match": none_match and field_of(none_match, separator),
        "if-modified-since": modified and date_of(modified),
    }
    headers = {name: value for name, value in fields.items() if value is not None}
    assert evaluate_preconditions(headers, ETAG, SECONDS) == expected(
        match, unmodified, none_match, modified
    )


@given(st.none() | tag_lists, st.none() | dates)
def test_a_second_reading_of_the_rfc_agrees(none_match: Any, modified: Any) -> None:
    headers = {}
    if none_match is not None:
        headers["if-none-match"] = field_of(none_match)
    if modified is not None:
        headers["if-modified-since"] = date_of(modified)
    environ = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    changed = is_resource_modified(environ, etag=ETAG, last_modified=MODIFIED)
    assert evaluate_preconditions(headers, ETAG, SECONDS) == (200 if changed else 304)


@given(dates)
def test_all_three_forms_of_a_date_are_read(date: tuple[datetime, str]) -> None:
    assert find_http_date(date_of(date)) == date[0].timestamp()
    theirs = parse_date(date_of(date))
    assert theirs is not None
    assert theirs.timestamp() == find_http_date(date_of(date))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "0",
        "1994-11-06T08:49:37Z",
        "Sun, 06 Nov 1994 08:49:37 +0000",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 31 Feb 2050 08:49:37 GMT",
        "Sun, 06 Xxx 2050 08:49:37 GMT",
        "Sun, 06 Nov 2050 25:49:37 GMT",
        "Sun, 06 Nov 2050 08:49:37 GMT\n",
        "Sun, ٠٦ Nov 2050 08:49:37 GMT",
        "Xxx Xxx    00:00:00 0000",
    ],
)
def test_what_is_no_date_counts_as_not_sent(text: str) -> None:
    assert find_http_date(text) is None
    assert evaluate_preconditions({"if-modified-since": text}, ETAG, SECONDS) == 200
    assert evaluate_preconditions({"if-unmodified-since": text}, ETAG, SECONDS) == 200


@given(st.text(st.characters(max_codepoint=255), max_size=40))
def test_no_field_crashes_it_or_makes_it_match(text: str) -> None:
    for name in ("match", "unmodified-since", "none-match", "modified-since"):
        outcome = evaluate_preconditions({f"if-{name}": text}, '"never"', SECONDS)
        assert outcome in ({200, 304, 412} if text.strip() == "*" else {200, 412})
