"""The number of an informal namespace takes the place of whatever stood for it."""

import pytest

from app.registration.submissions.number_placeholders import put_number, shows_placeholder

PUT = [
    ("urn:urn-n:x and URN:URN-XX:y.", "urn:urn-7:x and URN:urn-7:y."),
    ("urn:urn-<to be\nassigned>:x", "urn:urn-7:x"),
    ("urn:urn-[number]:x, urn-{number}", "urn:urn-7:x, urn-7"),
    ("urn:urn-acme:x", "urn:urn-7:x"),
    ("The name urn-n (or urn-NNN, urn-TBD).", "The name urn-7 (or urn-7, urn-7)."),
    ('nid = "urn-" 1*DIGIT', 'nid = "urn-7"'),
    ('nid = "urn-" %x31-39 *DIGIT ":" nss', 'nid = "urn-7" ":" nss'),
    ('name = "urn:urn-" <number> ":" nss', 'name = "urn:urn-7" ":" nss'),
    ('nid = "urn-" n\nn = number-assigned-by-IANA ; later', 'nid = "urn-" n\nn = "7" ; later'),
    ('nid = "urn-" n\nn = 1*DIGIT\nnss = n', 'nid = "urn-7"\nn = 1*DIGIT\nnss = n'),
    ('nid = "urn-" n\nn = a /\n    b\na = "a"', 'nid = "urn-7"\nn = a /\n    b\na = "a"'),
]
LEFT = [
    "urn-based names, urn-like ones, and urn-quokka",
    "^urn:urn-[0-9]+:[a-z]{2}$",
    "As urn-5 and urn:urn-5:x do.",
    "saturn-n and a-urn-n-b",
]


@pytest.mark.parametrize(("text", "expected"), PUT)
def test_the_number_is_put_where_something_stands_for_it(text: str, expected: str) -> None:
    fields = {"syntax": text, "namespace_identifier": "urn-n"}
    assert put_number(fields, "urn-7") == {"syntax": expected, "namespace_identifier": "urn-n"}
    assert put_number({"syntax": expected}, "urn-7")["syntax"] == expected, "done once, done"
    assert shows_placeholder(text)


@pytest.mark.parametrize("text", LEFT)
def test_what_stands_for_no_number_is_left(text: str) -> None:
    assert put_number({"syntax": text}, "urn-7") == {"syntax": text}
    assert not shows_placeholder(text)
