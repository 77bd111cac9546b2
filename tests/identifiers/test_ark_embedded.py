"""ARKs within URLs: The ARK URI scheme section 4.1."""

import time

import pytest

from app.identifiers.ark import find_embedded_ark


@pytest.mark.parametrize(
    ("url", "ark"),
    [
        ("https://n2t.net/ark:/99166/w66d60p2", "ark:/99166/w66d60p2"),
        ("https://n2t.net/ark:12345/ax20315?info", "ark:12345/ax20315?info"),
        ("http://ark.example:8080/a/b//ARK:12345/x/c.pdf#p", "ARK:12345/x/c.pdf#p"),
        ("https://user@[2001:db8::1]/ark:12345/x", "ark:12345/x"),
        ("https://b\u00fccher.example/ark:12345/4бф3х1", "ark:12345/4бф3х1"),
        ("info:ark:12345/x", "ark:12345/x"),
        ("file:/mnt/ark:12345/x", "ark:12345/x"),
        ("ark:12345/x", "ark:12345/x"),
        # What stands in the query belongs to the ARK in the path.
        (
            "https://a.example/ark:12345/x?to=https://b.example/ark:12345/y",
            "ark:12345/x?to=https://b.example/ark:12345/y",
        ),
        # Of several places the last one in the path.
        ("https://a.example/ark:12345/ark:67890/x", "ark:67890/x"),
        ("https://a.example/ark:/https://b.example/ark:67890/x", "ark:67890/x"),
        ("ark:ark:12345/x", "ark:12345/x"),
        ("https://ark:12345/ark:67890/x", "ark:67890/x"),
    ],
)
def test_an_ark_is_read_to_the_end_of_the_url(url: str, ark: str) -> None:
    assert str(find_embedded_ark(url)) == ark


@pytest.mark.parametrize(
    "url",
    [
        "bark:12345/x",
        "https://n2t.net/bark:12345/x",
        "https://n2t.netark:12345/x",
        "https://n2t.net/-ark:12345/x",
        "https://ark:12345/x",
        "https:///ark:12345/x",
        "x:/ark:12345/y",
        "x:a/ark:12345/y",
        "https://n2t.net/?id=ark:12345/x",
        "https://n2t.net/#/ark:12345/x",
        "https://n2t.net/ark:12345",
        "https://n2t.net/ark:12345/x y",
        "https://n2t net/ark:12345/x",
        "n2t.net/ark:12345/x",
        "/ark:12345/x",
        "//n2t.net/ark:12345/x",
        "https://n2t.net/%zz/ark:12345/x",
        "https://n2t.net/\u202e/ark:12345/x",
        "1:ark:12345/x",
        "",
    ],
)
def test_nothing_is_read_where_no_ark_is_embedded(url: str) -> None:
    assert find_embedded_ark(url) is None


@pytest.mark.parametrize("piece", ["/ark:", "ark:", "/", "ark:/1/", "/ark:1/a", "a", "%", "%41"])
@pytest.mark.parametrize("end", ["", "/ark:1/x", "!"])
def test_no_url_takes_more_than_a_few_passes(piece: str, end: str) -> None:
    began = time.process_time()
    find_embedded_ark("https://a.example/" + piece * (1_000_000 // len(piece)) + end)
    assert time.process_time() - began < 10, "ten times what 1 MB may take"
