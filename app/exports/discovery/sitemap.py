"""What is told to programs that walk the whole site: a sitemap and robots.txt.

Source: the sitemaps protocol 0.9; RFC 9309 for robots.txt.
"""

from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import islice
from urllib.parse import quote
from xml.sax.saxutils import escape

from app.exports.content.publication_site import PublicationSite

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
INDEX = "sitemap.xml"
MEDIA_TYPE = "application/xml"
ROBOTS_TYPE = "text/plain; charset=utf-8"
MOST = 50_000  # addresses in one file, by the protocol

# The form of a request is for the person who fills it in; the texts it leads to are public.
NOT_FOR_ROBOTS = ("/requests/*/edit",)

_PATH = "/~!$&'()*+,;=:@"  # of a path, RFC 3986 section 3.3, besides what is always kept
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def sitemap_files(
    paths: Iterable[str], place: PublicationSite, most: int = MOST
) -> Iterator[tuple[str, bytes]]:
    """``sitemap.xml`` with every path, or, above ``most`` of them, an index of its parts.

    Paths are given decoded, and kept in their order. Raises ValueError for a lone surrogate.
    """
    rest = iter(paths)
    parts = iter(lambda: list(islice(rest, most)), [])
    first, others = next(parts, []), list(parts)
    if not others:
        yield INDEX, _written("urlset", "url", (_url(path, place) for path in first))
        return
    names = [f"sitemap-{number}.xml" for number in range(1, len(others) + 2)]
    for name, part in zip(names, (first, *others), strict=True):
        yield name, _written("urlset", "url", (_url(path, place) for path in part))
    urls = (place.url(f"/{name}") for name in names)
    yield INDEX, _written("sitemapindex", "sitemap", urls)


def robots_bytes(place: PublicationSite) -> bytes:
    """``robots.txt``: everything public may be read; where the sitemap is."""
    lines = ["User-agent: *", "Allow: /", *(f"Disallow: {path}" for path in NOT_FOR_ROBOTS)]
    return "\n".join([*lines, "", f"Sitemap: {place.url(f'/{INDEX}')}", ""]).encode()


def _url(path: str, place: PublicationSite) -> str:
    return place.url(quote(path, safe=_PATH))


def _written(root: str, element: str, urls: Iterable[str]) -> bytes:
    text = StringIO()
    text.write(f'{_DECLARATION}<{root} xmlns="{NAMESPACE}">\n')
    for url in urls:
        text.write(f"<{element}><loc>{escape(url)}</loc></{element}>\n")
    text.write(f"</{root}>\n")
    return text.getvalue().encode()
