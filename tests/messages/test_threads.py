"""What a message follows, and where a list keeps it."""

import pytest

from app.messages.message_threads import (
    LONGEST_LINE,
    is_archive_of,
    read_archive,
    references_header,
)


def test_a_short_thread_is_named_whole_and_each_message_once() -> None:
    assert references_header(["<a@x>", "<b@x>", "", "<a@x>", "<b@x>"]) == "<a@x> <b@x>"
    assert references_header([]) == ""


def test_a_long_thread_keeps_its_first_and_its_newest() -> None:
    ids = [f"<{n}@registry.example>" for n in range(100)]
    kept = references_header(ids).split()
    assert len(f"References: {' '.join(kept)}") <= LONGEST_LINE
    assert kept[0] == ids[0]
    assert kept[1:] == ids[-len(kept) + 1 :]
    assert len(kept) > 30


def test_the_first_and_the_last_two_stay_however_long_they_are() -> None:
    ids = [f"<{letter * 400}@x>" for letter in "abcde"]
    assert references_header(ids).split() == [ids[0], *ids[-2:]]


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ("<https://lists.example/arch/msg/urn/1_a-B>", "https://lists.example/arch/msg/urn/1_a-B"),
        (
            "<mailto:urn@lists.example>, <http://lists.example/a?b=c#d>",
            "http://lists.example/a?b=c#d",
        ),
        ("< https://lists.example/%7Ea > (the archive)", "https://lists.example/%7Ea"),
        ("https://lists.example/1", ""),
        ("<javascript:alert(1)>", ""),
        ("<data:text/html,https://lists.example/>", ""),
        ("<https://lists.example@evil.example/>", ""),
        ('<https://lists.example/"onclick="x>', ""),
        ("<https://lists.example/a b>", ""),
        ("<https://lists.example/\u202e>", ""),
        ("<https://>", ""),
        ("<https://[::1>", ""),
        ("<https://lists.example:99999/>", ""),
        (f"<https://lists.example/{'x' * 500}>", ""),
        ("", ""),
    ],
)
def test_an_archive_is_an_address_on_the_web_or_nothing(value: str, url: str) -> None:
    assert read_archive(value) == url


@pytest.mark.parametrize(
    ("url", "is_its"),
    [
        ("https://mailarchive.ietf.org/arch/msg/urn/1", True),
        ("https://IETF.org/arch/", True),
        ("https://notietf.org/", False),
        ("https://ietf.org.evil.example/", False),
        ("https://evil.example/ietf.org", False),
        ("https://org/", False),
    ],
)
def test_an_archive_stands_in_the_domain_of_its_list(url: str, is_its: bool) -> None:
    assert is_archive_of(url, "urn@ietf.org") is is_its
    assert not is_archive_of(url, "")


def test_an_archive_may_stand_above_its_list() -> None:
    assert is_archive_of("https://ietf.org/archives/", "urn@lists.ietf.org")
