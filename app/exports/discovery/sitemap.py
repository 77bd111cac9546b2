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
    paths: Iterable[str], place: PublicationSite, most: int = MOST, folder: str = ""
) -> Iterator[tuple[str, bytes]]:
    """``sitemap.xml`` with every path, or, above ``most`` of them, an index of its parts.

    Paths are given decoded, and kept in their order. Raises ValueError for a lone surrogate.
    ``folder`` is where the files lie, empty for the site itself.
    """
    index, stem = sitemap_path(folder), f"{folder}/" if folder else ""
    rest = iter(paths)
    parts = iter(lambda: list(islice(rest, most)), [])
    first, others = next(parts, []), list(parts)
    if not others:
        yield index, _written("urlset", "url", (_url(path, place) for path in first))
        return
    names = [f"{stem}sitemap-{number}.xml" for number in range(1, len(others) + 2)]
    for name, part in zip(names, (first, *others), strict=True):
        yield name, _written("urlset", "url", (_url(path, place) for path in part))
    urls = (place.url(f"/{name}") for name in names)
    yield index, _written("sitemapindex", "sitemap", urls)


def sitemap_path(folder: str) -> str:
    """Where the sitemap of a folder is, without a slash in front."""
    return f"{folder}/{INDEX}" if folder else INDEX


def robots_bytes(place: PublicationSite | None, folders: Iterable[str] = ("",)) -> bytes:
    """``robots.txt``: everything public may be read; where the sitemaps of some folders are.

    Without a place there are no sitemaps.
    """
    maps = [f"Sitemap: {place.url(f'/{sitemap_path(one)}')}" for one in folders] if place else []
    lines = ["User-agent: *", "Allow: /", *(f"Disallow: {path}" for path in NOT_FOR_ROBOTS)]
    return "\n".join([*lines, "", *maps, ""]).encode()


def _url(path: str, place: PublicationSite) -> str:
    return place.url(quote(path, safe=_PATH))


def _written(root: str, element: str, urls: Iterable[str]) -> bytes:
    text = StringIO()
    text.write(f'{_DECLARATION}<{root} xmlns="{NAMESPACE}">\n')
    for url in urls:
        text.write(f"<{element}><loc>{escape(url)}</loc></{element}>\n")
    text.write(f"</{root}>\n")
    return text.getvalue().encode()
