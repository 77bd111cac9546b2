"""The Authentication-Results field, as RFC 8601 writes it and as others do."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.messages.authentication_results import dmarc_of, read_authentication_results
from app.messages.incoming_message import read_message

# Of the kind that RFC 8601 shows in its appendix B, folded lines joined.
READ = [
    ("example.org 1; none", "example.org", []),
    ("example.com; spf=pass smtp.mailfrom=example.net", "example.com", [("spf", "pass")]),
    (
        (
            "example.com; auth=pass (cram-md5) smtp.auth=sender@example.net; "
            "spf=pass smtp.mailfrom=example.net"
        ),
        "example.com",
        [("auth", "pass"), ("spf", "pass")],
    ),
    (
        (
            'example.com; dkim=pass reason="good signature" header.i=@mail-router.example.net; '
            'dkim=fail reason="bad signature" header.i=@newyork.example.com'
        ),
        "example.com",
        [("dkim", "pass"), ("dkim", "fail")],
    ),
    (
        (
            "foo.example.net (foobar) 1 (baz); dkim (I like it) / 1 (One yay) = (wait for it)"
            " fail policy (A dot can go here) . (like that) expired (this surprised me)"
            " = (as I wasn't expecting it) 1362471462"
        ),
        "foo.example.net",
        [("dkim", "fail")],
    ),
    ("EXAMPLE.com; DMARC=PASS header.from=Example.ORG;", "example.com", [("dmarc", "pass")]),
    ('"mx.example"; dmarc=pass', "mx.example", [("dmarc", "pass")]),
    ("mx.example; dmarc/2=pass header.from=x.example", "mx.example", [("", "pass")]),
    (
        "mx.example; dkim=pass header.b=ab/c==; spf=none",
        "mx.example",
        [("dkim", "pass"), ("spf", "none")],
    ),
    ('mx.example; spf=pass smtp.mailfrom="a b"@x.example', "mx.example", [("spf", "pass")]),
    ("mx.example", "mx.example", []),
]


@pytest.mark.parametrize(("value", "server", "results"), READ)
def test_a_field_is_read_as_its_server_meant_it(
    value: str, server: str, results: list[tuple[str, str]]
) -> None:
    read = read_authentication_results(value)
    assert read is not None
    assert read.server == server
    assert [(one.method, one.result) for one in read.results] == results


def test_properties_are_read_with_their_comments_and_quotes() -> None:
    read = read_authentication_results(
        'mx.example; dmarc=pass (p=none; dmarc=fail (really)) policy.x="a \\"b\\" ; c" '
        'header (from) . from = org.example; spf=pass smtp.mailfrom="a b"@x.example'
    )
    assert read is not None
    dmarc, spf = read.results
    assert dmarc.properties == (("policy.x", 'a "b" ; c'), ("header.from", "org.example"))
    assert spf.properties == (("smtp.mailfrom", "a b@x.example"),)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "; dmarc=pass",
        "mx.example 2; dmarc=pass header.from=org.example",
        "mx.example evil; dmarc=pass header.from=org.example",
        "mx.example; dmarc=pass (never closed",
        'mx.example; dmarc=pass reason="never closed',
        "mx.example; dmarc",
        "mx.example; dmarc=",
        "mx.example; =pass",
        "mx.example; dmarc=pass header.from",
        "mx.example; dmarc=pass=fail",
        "mx.example; dmarc=pass = fail",
        "mx.example;; dmarc=pass",
        "mx.example; none; dmarc=pass",
    ],
)
def test_a_malformed_field_says_nothing(value: str) -> None:
    assert read_authentication_results(value) is None
    assert dmarc_of(value, "mx.example", "robin@org.example") == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("mx.example; dmarc=pass header.from=org.example", "pass"),
        ("MX.Example; dmarc=Pass (p=none) header.from=ORG.example", "pass"),
        ("mx.example 1; spf=fail smtp.mailfrom=x; dmarc=pass header.from=org.example", "pass"),
        ("mx.example; dmarc=fail header.from=org.example", "fail"),
        (
            "mx.example; dmarc=pass header.from=org.example; dmarc=fail header.from=org.example",
            "fail",
        ),
        ("mx.example; dmarc=pass header.from=evil.example", ""),
        ("mx.example; dmarc=pass header.from=org.example header.from=evil.example", ""),
        ("mx.example; dmarc=pass header.from=example", ""),
        ("mx.example; dmarc=pass header.from=g.example", ""),
        ("mx.example; dmarc=pass header.from=mail.org.example", ""),
        ("mx.example; dmarc=pass", ""),
        ("mx.example; dmarc=pass smtp.from=org.example", ""),
        ("mx.example; dkim=pass header.d=org.example; spf=pass smtp.mailfrom=org.example", ""),
        ('mx.example; spf=pass smtp.helo="x; dmarc=pass header.from=org.example"', ""),
        ("mx.example (; dmarc=pass header.from=org.example); none", ""),
        ("mx.example; none", ""),
        ("mx.example.evil.example; dmarc=pass header.from=org.example", ""),
        ("mx.example; dmarc/2=pass header.from=org.example", ""),
    ],
)
def test_a_pass_counts_from_the_trusted_server_for_the_senders_domain(
    value: str, said: str
) -> None:
    assert dmarc_of(value, "mx.example", "robin@org.example") == said
    assert dmarc_of(value, "", "robin@org.example") == ""
    assert dmarc_of(value, "mx.example", "") == ""


def test_a_pass_for_a_domain_is_none_for_another_one() -> None:
    value = "mx.example; dmarc=pass header.from=org.example"
    assert dmarc_of(value, "mx.example", "robin@Org.Example") == "pass"
    for other in ("mail.org.example", "evilorg.example", "example", "org.example.evil.example"):
        assert dmarc_of(value, "mx.example", f"robin@{other}") == ""
    above = "mx.example; dmarc=pass header.from=co.example"
    assert dmarc_of(above, "mx.example", "robin@bank.co.example") == ""


PASS = "Authentication-Results: mx.example; dmarc=pass header.from=org.example\n"
FAIL = "Authentication-Results: mx.example; dmarc=fail header.from=org.example\n"
OTHER = "Authentication-Results: elsewhere.example; none\n"
FROM = "From: Robin <robin@org.example>\n"


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (PASS + FROM, "pass"),
        (FROM + PASS, "pass"),
        ("Received: by mx.example\n" + PASS + FROM, "pass"),
        (PASS + FAIL + FROM, "pass"),
        (FAIL + PASS + FROM, "fail"),
        (OTHER + PASS + FROM, ""),
        ("Authentication-Results: \n" + PASS + FROM, ""),
        ("ARC-Authentication-Results: i=1; mx.example; dmarc=pass\n" + FROM, ""),
        (PASS.replace("; ", ";\n\t") + FROM, "pass"),
        (PASS + "From: robin@org.example, evil@evil.example\n", ""),
        (PASS + "From: evil@org.example, robin@org.example\n", ""),
        (PASS + FROM + FROM, ""),
        (FROM + "\n" + PASS, ""),
    ],
)
def test_only_the_topmost_field_counts_and_only_for_one_author(head: str, said: str) -> None:
    incoming = read_message(f"{head}\nHello\n".encode())
    assert dmarc_of(incoming.authentication, "mx.example", incoming.sender) == said


_TEXT = st.text(alphabet='abz019.-_@/=;:()"\\ \t\r\nPASSdmrc\x00é', max_size=80)
_HEADS = st.sampled_from(["", "mx.example; ", "mx.example; dmarc=pass header.from=org.example "])


@given(head=_HEADS, rest=_TEXT, address=_TEXT)
def test_whatever_is_written_is_read_without_an_error(head: str, rest: str, address: str) -> None:
    read_authentication_results(head + rest)
    dmarc_of(head + rest, "mx.example", address)


_WORD = st.text(alphabet="abcdefgh0123456789-", min_size=1, max_size=12)


@given(comment=st.text(alphabet='ab;=" .', max_size=20), quoted=_TEXT, domain=_WORD)
def test_no_comment_and_no_quoted_string_says_anything(
    comment: str, quoted: str, domain: str
) -> None:
    inner = quoted.replace("\\", "\\\\").replace('"', '\\"')
    value = f'mx.example ({comment}); spf=fail reason="{inner}" smtp.helo={domain} ({comment})'
    read = read_authentication_results(value)
    assert read is not None
    (spf,) = read.results
    assert spf.properties == (("reason", quoted), ("smtp.helo", domain))
    assert dmarc_of(value, "mx.example", f"robin@{domain}.example") == ""


@pytest.mark.parametrize("piece", ["(", '"', "a=b ", "; a=b", "\\", "=", "(()", "a.", ")"])
def test_a_long_field_costs_little(piece: str) -> None:
    value = "mx.example; " + piece * (64 * 1024 // len(piece))
    began = time.process_time()
    dmarc_of(value, "mx.example", "robin@org.example")
    assert time.process_time() - began < 5, "a kill limit"
