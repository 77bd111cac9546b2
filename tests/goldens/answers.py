"""What the published plane is asked of the registry that is shipped, and a line for each answer."""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from app.published.plane import PublishedPlane
from tests.published.bundles import FROM_BEHIND, Answer, ask

_ISBN, _ALL = "/namespaces/isbn", "/assignments/urn-namespaces/"
_TYPES = (
    *("text/html", "application/xml", "application/json", "text/csv", "text/turtle"),
    *("application/ld+json", "text/plain", "application/atom+xml", "application/n-triples"),
    *("image/png", "application/xhtml+xml", "application/xhtml+xml;q=0.5,text/turtle;q=0.9"),
)
_QUERIES = ("as-of=2026-12-31", "as-of=2000-01-01", "as-of=x", "q=isbn")
_METHODS = ("HEAD", "POST", "OPTIONS")
_URNS = (
    *("urn:isbn:978-951-0-18435-6", "URN:ISBN:9789510184356", "urn:isbn:1", "urn:ietf:rfc:8141"),
    *("urn:ad-id:1", "urn:adid:1", "urn:urn-5:a", "urn:nosuch:a", "urn:issn:0028-0836"),
    *("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "urn:lex:it:a", "urn:x", "urn:"),
)
_SERVICES = ("N2L", "N2Ls", "N2R", "N2C", "N2Ns", "N2X")
_PATHS = (
    *("/", "/editions/", "/editions", "/editions/1/", "/editions/index.json", "/editions/9/"),
    *("/editions/1/urn-namespaces.xml", "/editions/1/urn-namespaces", "/namespaces/ISBN"),
    *("/namespaces/nosuch", "/namespaces/isbn.xml", "/namespaces/isbn.pdf", "/assignments/"),
    *("/assignments/urn-namespaces", f"{_ALL}urn-namespaces", f"{_ALL}urn-namespaces.xml"),
    *("/assignments/urn-formal/isbn", "/assignments/urn-informal/urn-5", "/robots.txt"),
    *("/sitemap.xml", "/healthz", "/readyz", "/requests/", "/resolvers/", "/static/nothing"),
    *("/schemas/urn-namespaces.json", "/namespaces/isbn/versions/1", "/uri-res/"),
    *("/names/under/urn:isbn:", "/names/under/isbn", "/names/under/"),
)
_LASTING = re.compile(rb"(/static/[^/\"]+)-[0-9a-f]{8}(\.(?:css|js|svg))")
_SHOWN = ("content-type", "location", "content-location", "vary", "cache-control", "allow")


def answers(folder: Path) -> Iterator[str]:
    """What a copy answers from a folder, and then what is answered in front of the registry."""
    yield "In a copy"
    yield from _answers_of(PublishedPlane(folder))
    yield "In front of the registry"
    yield from _answers_of(PublishedPlane(folder, falls_through=True))


def _answers_of(site: PublishedPlane) -> Iterator[str]:
    for path in (*_PATHS, *(f"/{urn}" for urn in _URNS), *(f"/names/{urn}" for urn in _URNS)):
        yield _line("GET", path, ask(site, path))
    for service in _SERVICES:
        for urn in _URNS[:4]:
            yield _line(service, urn, ask(site, f"/uri-res/{service}", query=urn))
    for path in (_ISBN, _ALL, "/editions/"):
        for media_type in _TYPES:
            yield _line(media_type, path, ask(site, path, accept=media_type))
        for query in _QUERIES:
            yield _line(query, path, ask(site, path, query=query))
        for method in _METHODS:
            yield _line(method, path, ask(site, path, method))


def without_bytes_told(page: bytes) -> bytes:
    """A page as if static files were where they always are: a new style changes no page here."""
    return _LASTING.sub(rb"\1\2", page)


def _line(how: str, path: str, answer: Answer) -> str:
    """What was asked, the status, a digest of the body where that is no refusal, and headers."""
    if answer.status == FROM_BEHIND:
        return f"{how} {path}: falls through"
    headers = {name.lower(): value for name, value in answer.headers.items()}
    said = " | ".join(headers[name] for name in _SHOWN if name in headers)
    body = sha256(without_bytes_told(answer.body)).hexdigest()[:8] if answer.status == 200 else "-"
    return f"{how} {path}: {answer.status} {body} {said}"
