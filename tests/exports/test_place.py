"""Where a registry is published."""

import pytest

from app.exports.content.publication_site import PublicationSite
from tests.exports.snapshots import EMPTY, FULL


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "urn.example",
        "ftp://a",
        "https://",
        "https://a/b",
        "https://a?b",
        "https://a#b",
        "https://a b",
        "https://<a>",
        "https://a\n",
        "javascript:alert(1)",
    ],
)
def test_a_place_that_is_no_site_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="not a site address"):
        PublicationSite(bad)


def test_a_place_makes_addresses_of_paths_and_names() -> None:
    place = PublicationSite("http://127.0.0.1:8000/")
    assert place.url("/a") == "http://127.0.0.1:8000/a"
    assert place.registry_url(FULL, "a b") == (
        "http://127.0.0.1:8000/assignments/urn-namespaces/a%20b"
    )
    formal, things = FULL.registries[0], EMPTY.registries[0]
    assert place.name_url(FULL, formal, "a/b").endswith("/namespaces/a%2Fb")
    assert place.name_url(EMPTY, things, "a") == "http://127.0.0.1:8000/assignments/things/"
    assert place.concept(EMPTY, things, "a").endswith("/assignments/things/#things-1/a")
