"""Mail as it comes in: everything in the corpus is read, and nothing stops the reader."""

import re
import time
from dataclasses import fields
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.messages.bodies import MOST_ATTACHMENTS
from app.messages.header_fields import LONGEST_NAME, MOST_ADDRESSES
from app.messages.incoming_message import (
    LONGEST_SUBJECT,
    MOST_CHARACTERS,
    IncomingMessage,
    read_message,
    request_of,
)
from app.messages.mailed_template import find_template
from app.messages.quotes import split_quoted
from app.registration.templates.template_reader import read_template
from app.registration.templates.template_writer import format_template
from tests import factories
from tests.messages.corpus import CASES, QUOTE
from tests.messages.shapes import HOST, Case, raw
from tests.registration.test_eras import FROM_2611

LONGEST_TIME = 30  # a kill limit: what is slow with the square of its bytes takes hours


def seen(incoming: IncomingMessage) -> dict[str, object]:
    given = {row.name: getattr(incoming, row.name) for row in fields(incoming)}
    given["attachments"] = tuple((a.name, a.media_type, a.size) for a in incoming.attachments)
    given["bounced"] = tuple((f.address, f.reason, f.status) for f in incoming.bounced)
    given["request"] = request_of(incoming, HOST)
    return given


def test_the_corpus_is_large() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 100


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_message_is_read(case: Case) -> None:
    read = seen(read_message(case.raw, HOST))
    assert {name: read[name] for name in case.expected} == case.expected


def check(incoming: IncomingMessage) -> None:
    assert max(len(incoming.text), len(incoming.quoted)) <= MOST_CHARACTERS
    assert len(incoming.subject) <= LONGEST_SUBJECT
    assert len(incoming.sender_name) <= LONGEST_NAME
    assert len(incoming.recipients) <= MOST_ADDRESSES
    assert len(incoming.attachments) <= MOST_ATTACHMENTS
    lines = (incoming.subject, incoming.sender_name, *incoming.recipients, incoming.sender)
    files = [part for a in incoming.attachments for part in (a.name, a.media_type)]
    reasons = [part for f in incoming.bounced for part in (f.address, f.reason)]
    for line in (*lines, *files, *reasons, *incoming.references, incoming.message_id):
        assert re.fullmatch("[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*", line)
    for text in (incoming.text, incoming.quoted):
        assert re.fullmatch("[^\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]*", text)
    for ident in incoming.references:
        assert re.fullmatch("<[!-;=?-~]+>", ident)
    assert incoming.date is None or incoming.date.tzinfo is not None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_whatever_is_read_can_be_stored_and_shown(case: Case) -> None:
    check(read_message(case.raw, HOST))
    check(read_message(case.raw.replace(b"\n", b"\r\n")))


WORDS = st.binary(max_size=40) | st.sampled_from(
    [
        b"\n",
        b"\n\n",
        b"From: ",
        b"a@b.example, ",
        b"Subject: =?utf-8?Q?",
        b"?=",
        b"Content-Type: multipart/mixed; boundary=b\n\n",
        b"Content-Type: multipart/alternative; boundary=b\n\n",
        b"Content-Type: message/rfc822\n\n",
        b"Content-Type: message/delivery-status\n\n",
        b"Final-Recipient: rfc822; a@b.example\nAction: failed\n\n",
        b"Content-Type: text/html; charset=utf-16\n\n",
        b"Content-Type: text/html\n\n",
        b"Content-Type: text/plain; charset=utf-7; format=flowed; delsp=yes\n",
        b"Content-Transfer-Encoding: base64\n",
        b"Content-Transfer-Encoding: quoted-printable\n",
        b"\n--b\n",
        b"\n--b--\n",
        b"<blockquote><pre><li><a href='http://x'>",
        b"</a></blockquote>",
        b"&#x",
        b"> ",
        b"Date: 1 Jan 2000 00:00",
        b"-----BEGIN PGP SIGNED MESSAGE-----\n",
        b"X-Failed-Recipients: ",
        b"Return-Path: <>\n",
    ]
)


@given(st.lists(WORDS, max_size=25).map(b"".join))
def test_no_bytes_stop_the_reader(data: bytes) -> None:
    first = read_message(data, HOST)
    check(first)
    assert read_message(data, HOST) == first
    request_of(first, HOST)
    find_template(first.text)


SMALL = [case.raw for case in CASES if len(case.raw) < 10_000]
EDITS = st.tuples(st.integers(0, 10_000), st.integers(0, 60), WORDS | st.sampled_from(SMALL))


@given(st.sampled_from(SMALL), st.lists(EDITS, max_size=8))
def test_no_damage_to_a_message_stops_the_reader(
    data: bytes, edits: list[tuple[int, int, bytes]]
) -> None:
    for at, gone, new in edits:
        start = at % (len(data) + 1)
        data = data[:start] + new + data[start + gone :]
    check(read_message(data, HOST))


def words(text: str) -> list[str]:
    return sorted(re.findall(r"\w+", text))


LINES = st.sampled_from(
    [
        "",
        "> ",
        ">> older",
        "-- ",
        "--",
        "Hello",
        "From: a@b.example",
        "Sent: Monday",
        "Subject: x",
        "On Mon, 3 Feb 2026 at 10:00, R wrote:",
        "R said 10:00:",
        "_" * 30,
        "Sent from my telephone",
        "-----Original Message-----",
        "-----BEGIN PGP SIGNED MESSAGE-----",
        "-----BEGIN PGP SIGNATURE-----",
        "-----END PGP SIGNATURE-----",
    ]
) | st.text(st.characters(codec="utf-8"), max_size=30)
BODIES = st.lists(LINES, max_size=30).map("\n".join)


@given(BODIES)
def test_no_word_of_a_text_is_lost(body: str) -> None:
    own, folded = split_quoted(body)
    assert words(own + "\n" + folded) == words(body)
    assert split_quoted(body) == (own, folded)


@given(BODIES)
def test_no_word_of_a_plain_message_is_lost(body: str) -> None:
    message = raw(body, Content_Type="text/plain; charset=utf-8")
    incoming = read_message(message)
    assert words(f"{incoming.text}\n{incoming.quoted}") == words(body.removeprefix("\ufeff"))


@given(st.lists(LINES.filter(lambda line: "PGP" not in line), max_size=30).map("\n".join))
def test_what_somebody_wrote_is_theirs_when_it_is_read_again(body: str) -> None:
    own, _ = split_quoted(body)
    assert split_quoted(own) == (own, "")


BIG = 10_000_000
NESTED = b'Content-Type: multipart/mixed; boundary="b"\n\n--b\n'


@pytest.mark.parametrize(
    "data",
    [
        b"\n" * BIG,
        b"\x00" * BIG,
        b"A: b\n" * (BIG // 5),
        b"A: b\n" + b" c\n" * (BIG // 3),
        NESTED * (BIG // 50),
        b"Content-Type: message/rfc822\n\n" * (BIG // 30),
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n" * (BIG // 4),
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--bx\n" * (BIG // 5),
        b"Content-Type: multipart/mixed" + b'; a="' * (BIG // 5),
        b"Content-Transfer-Encoding: base64\n\n" + b"Q=\n*" * (BIG // 4),
        b"Content-Type: text/html\n\n" + b"<div><!-- <a '" * (BIG // 14),
        b"Content-Type: text/html\n\n" + b"&#9" + b"9" * BIG,
        b"Content-Type: text/plain; format=flowed\n\n" + b"> x \n" * (BIG // 5),
        b"From: " + b"(" * BIG,
        b"Subject: " + b"=?a?q?" * (BIG // 6),
        b"\n" + b"On Mon 12:00 x wrote:\n\n\n" * (BIG // 24),
        b"\n" + b"--\nx\n>\n" * (BIG // 7),
    ],
    ids=range(17),
)
def test_ten_megabytes_take_no_more_than_their_time(data: bytes) -> None:
    begun = time.process_time()
    check(read_message(data, HOST))
    assert time.process_time() - begun < LONGEST_TIME


def template() -> str:
    return format_template(factories.template(date="2026-09-01"))


def test_a_template_of_an_earlier_form_is_found_in_a_message() -> None:
    message = EmailMessage()
    message.set_content(f"Dear all,\n\nplease review.\n\n{FROM_2611}")
    found = find_template(read_message(bytes(message)).text)
    assert found is not None
    assert read_template(found).fields == read_template(FROM_2611).fields


def test_a_filled_in_template_is_found_in_a_message() -> None:
    message = EmailMessage()
    message.set_content(f"Dear all,\n\nplease review.\n\n{template()}\n-- \nRobin\n")
    incoming = read_message(bytes(message))
    assert incoming.text.startswith("Dear all")
    found = find_template(incoming.text)
    assert found == template()
    assert set(read_template(found).fields) == set(read_template(template()).fields)
    assert incoming.quoted == "-- \nRobin"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Syntax: I think it is too wide.\nPurpose: clear.\nAssignment: fine.\n",
        "Purpose:\n\nSyntax:\n\nAssignment:\n\nResolution:\n\n",
        "Date: today\nScope: all\nReferences: none\nSecurity: fine\nPrivacy: fine\nVersion: 2\n",
        "Purpose: a\nPurpose: b\npurpose : c\n  Purpose: d\n",
        f"Yes\n\n{QUOTE}",
    ],
)
def test_what_is_no_template_is_not_taken_for_one(text: str) -> None:
    assert find_template(text) is None
