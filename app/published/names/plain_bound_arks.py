"""Bound ARKs that are written, and bound, as nearly all are: led on in one short piece of work."""

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from urllib.parse import urlsplit

from app.assigned_names.name_schemes import LONGEST_NAME, SCHEMES
from app.published.chain import EditionView
from app.published.http.headers import SAFE, PreparedHeaders
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.published.names.name_answers import STEERING
from app.published.names.name_copy_reader import NameCopyReader, NameOutsidePart
from app.registration.naans.naan_targets import host_of
from app.resolution.arks.ark_requests import match_plain

__all__ = ["LEADING", "NOT_BOUND", "PlainBoundArks", "PlainWay", "hosts_of"]

LEADING = PreparedHeaders([("Vary", "Accept"), ("Content-Length", "0"), *STEERING, *SAFE])
_FOUND = 302
_SIGNS = frozenset(SCHEMES["ark"].passthrough_signs)
_SCHEME = "ark:"
# The beginning of what the copy of names has for a name that leads to an address with a path and
# without a fragment, all of it ASCII that JSON writes as it is.
_match_public = re.compile(
    r'\{"state":"public","target":"([Hh][Tt][Tt][Pp][Ss]?://([A-Za-z0-9.-]+)/[!$-\[\]-~]*)"'
).match
_OTHERWISE = '"redirect"'  # stands in it where the name leads on with another status
_LONGEST_KEPT, _KEPT = 300, 4_096

# The way on that an answer is, and by which name; no answer where no bound name has one.
PlainWay = tuple[HttpAnswer | None, str]
NOT_BOUND: PlainWay = (None, "")


class PlainBoundArks:
    """Leads on by bound ARKs of the plain kind; any number of threads may ask at once."""

    def __init__(
        self,
        names: NameCopyReader,
        own_hosts: tuple[str, ...],
        longest_prefix: Callable[[str], int] = lambda _name: 0,
    ) -> None:
        self._names, self._own_hosts = names, own_hosts
        self._longest_prefix = longest_prefix
        # What was answered to a text last, from which document of which name and edition; and which
        # texts were asked for at all. Of a text that comes once no answer is kept: to look after
        # thousands of them takes the garbage collector as long as to make them.
        self._known: dict[str, tuple[str, str, str, HttpAnswer]] = {}
        self._asked = set[str]()

    def find(self, request: HttpRequest, view: EditionView) -> PlainWay | None:
        """Where an ARK of the plain kind leads, or that no bound name has it. Raises
        NameCopyUnavailable."""
        plain = match_plain(request.target, 1)
        if plain is None or plain.end() - 1 > LONGEST_NAME:
            return None
        name = _SCHEME + plain[1]
        try:
            row = self._names.find_floor(name)
        except NameOutsidePart:
            return None
        if row is None:
            return None
        found, document = row
        link, known = view.edition.link or "", self._known.get(name)
        if known is not None and known[:3] == (found, document, link):
            return known[3], found
        if not found or not name.startswith(found):
            return NOT_BOUND if _is_apart(name, found) else None
        return self._lead(name, found, document, view)

    def _lead(self, name: str, found: str, document: str, view: EditionView) -> PlainWay | None:
        public = _match_public(document)
        if public is None or _OTHERWISE in document:
            return None
        if public[2].lower().removesuffix(".") in hosts_of(view.edition.registry, self._own_hosts):
            return None
        target = public[1]
        suffix = name[len(found) :]
        if suffix:
            if suffix[0] not in _SIGNS or not _has_all_below(name, found, view):
                return None
            if len(found) < self._longest_prefix(name):
                return None
            # by which prefix it is answered may change, so that it is not kept
            return _answer(target + suffix, name), found
        answer = _answer(target, name)
        if name in self._asked:
            self._known[name] = found, document, view.edition.link or "", answer
        elif len(name) <= _LONGEST_KEPT:
            if len(self._asked) >= _KEPT:
                self._known, self._asked = {}, set()
            self._asked.add(name)
        return answer, found


@lru_cache(maxsize=16)
def hosts_of(registry: str, own_hosts: tuple[str, ...]) -> Collection[str]:
    named = (urlsplit(registry).netloc, *own_hosts)
    return frozenset(filter(None, (host_of(f"http://{host}/") for host in named if host)))


def _is_apart(name: str, nearest: str) -> bool:
    end = name.index("/") + 2
    return nearest[:end] != name[:end]


def _has_all_below(name: str, found: str, view: EditionView) -> bool:
    arks = view.edition.arks
    rules = arks.book.longest(name[len(_SCHEME) :]) if arks else None
    return rules is None or len(found) >= len(_SCHEME) + len(rules.prefix)


def _answer(target: str, name: str) -> HttpAnswer:
    link = f'</{name}?info>; rel="describedby"'
    fields = [("Location", target), ("Link", link), *LEADING.fields]
    lines = f"location: {target}\r\nlink: {link}\r\n".encode("latin-1") + LEADING.lines
    return HttpAnswer(_FOUND, fields, b"", PreparedHeaders(fields, None, lines))
