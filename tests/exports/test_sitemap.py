"""The sitemap and robots.txt."""

from urllib.parse import unquote
from urllib.robotparser import RobotFileParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from app.exports.content.publication_site import PublicationSite
from app.exports.discovery.sitemap import MOST, NAMESPACE, robots_bytes, sitemap_files

PLACE = PublicationSite("https://urn.example")
SPACES = {"s": NAMESPACE}


def urls(data: bytes) -> list[str]:
    """The addresses in a file, a sitemap or an index."""
    return [loc.text or "" for loc in etree.fromstring(data).iterfind("*/s:loc", SPACES)]


def root(data: bytes) -> str:
    """The element that a file begins with."""
    return str(etree.QName(etree.fromstring(data)).localname)


def test_a_small_site_has_one_file_in_the_order_given() -> None:
    [(name, data)] = sitemap_files(["/", "/namespaces/isbn", "/a"], PLACE)
    assert name == "sitemap.xml"
    assert root(data) == "urlset"
    assert urls(data) == [f"https://urn.example/{path}" for path in ("", "namespaces/isbn", "a")]


def test_a_large_site_has_an_index_of_its_parts() -> None:
    made = dict(sitemap_files((f"/{n}" for n in range(5)), PLACE, most=2))
    assert list(made) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml"]
    assert root(made["sitemap.xml"]) == "sitemapindex"
    assert urls(made["sitemap.xml"]) == [f"https://urn.example/sitemap-{n}.xml" for n in (1, 2, 3)]
    parts = [url for n in (1, 2, 3) for url in urls(made[f"sitemap-{n}.xml"])]
    assert parts == [f"https://urn.example/{n}" for n in range(5)]


@pytest.mark.parametrize(("count", "files"), [(1, 1), (MOST, 1), (MOST + 1, 3)])
def test_no_file_holds_more_than_the_protocol_allows(count: int, files: int) -> None:
    made = dict(sitemap_files((f"/namespaces/name-{n:06d}" for n in range(count)), PLACE))
    assert len(made) == files
    assert all(data.count(b"<loc>") <= MOST for data in made.values())
    assert all(len(data) < 50 * 1024 * 1024 for data in made.values())


def test_the_index_holds_only_addresses_of_this_site() -> None:
    [(_, data)] = sitemap_files(["//evil.example/", "/a?b#c d&<é"], PLACE)
    assert urls(data) == [
        "https://urn.example//evil.example/",
        "https://urn.example/a%3Fb%23c%20d&%3C%C3%A9",
    ]


@given(st.lists(st.text(st.characters(codec="utf-8")).map("/".__add__)), st.integers(1, 4))
def test_every_path_is_listed_once_whatever_is_in_it(paths: list[str], most: int) -> None:
    made = dict(sitemap_files(paths, PLACE, most))
    assert dict(sitemap_files(iter(paths), PLACE, most)) == made
    listed = [u for name, data in made.items() if root(data) == "urlset" for u in urls(data)]
    assert [unquote(url.removeprefix("https://urn.example")) for url in listed] == paths


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(ValueError, match="surrogate"):
        list(sitemap_files(["/\ud800"], PLACE))


def test_robots_may_read_all_but_the_forms_of_requests() -> None:
    text = robots_bytes(PLACE).decode()
    assert text == (
        "User-agent: *\nAllow: /\nDisallow: /requests/*/edit\n\n"
        "Sitemap: https://urn.example/sitemap.xml\n"
    )
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    assert parser.site_maps() == ["https://urn.example/sitemap.xml"]
    for path in ("/", "/requests/1", "/namespaces/isbn", "/editions/7/urn-namespaces.xml"):
        assert parser.can_fetch("anybody", f"https://urn.example{path}")
