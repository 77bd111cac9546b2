"""The reference resolution algorithm of ARKs, one answer after the other; it asks nobody itself."""

import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import quote

from app.identifiers.ark import ARK, RESOLVER, parse_ark
from app.identifiers.errors import InvalidARK, spell_character
from app.identifiers.urn_reports import error_report

LONGEST = 16_384  # characters of an address; twice what RFC 9110 section 4.1 asks for
WEB_SCHEMES = frozenset({"http", "https"})

_ENCODED = "%[0-9A-Fa-f]{2}"
_PCHAR = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|{_ENCODED})"
_USER = rf"(?:(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|{_ENCODED})*+@)?+"
_NAMED = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=]|{_ENCODED})*+"
_LITERAL = r"\[[A-Za-z0-9.:\-_~!$&'()*+,;=]++\]"
_AUTHORITY = rf"(?:{_USER})(?:{_LITERAL}|{_NAMED})(?::[0-9]*+)?"
_REFERENCE = re.compile(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*+):|(?![^/?#:]*+:))"
    rf"(?://(?P<authority>{_AUTHORITY})(?=[/?#]|\Z)|(?!//))"
    rf"(?P<path>(?:/|{_PCHAR})*+)"
    rf"(?:\?(?P<query>(?:[/?]|{_PCHAR})*+))?+"
    rf"(?:\#(?P<fragment>(?:[/?]|{_PCHAR})*+))?+"
)
_IN_NO_URI = re.compile(r"[^A-Za-z0-9\-._~!$&'()*+,;=:@/?#\[\]%]")
_HALF_ENCODED = re.compile(r"%(?![0-9A-Fa-f]{2})")


class InvalidUriReference(ValueError):
    """A text that is no URI and no relative reference; says why, and holds nothing of it."""


class UriReference(NamedTuple):
    """The components of a URI or of a relative reference; an absent one is None.

    ``str()`` of it is the text that they were read from. Source: RFC 3986 sections 3 and 4.1.
    """

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    def __str__(self) -> str:
        return "".join(
            (
                "" if self.scheme is None else f"{self.scheme}:",
                "" if self.authority is None else f"//{self.authority}",
                self.path,
                "" if self.query is None else f"?{self.query}",
                "" if self.fragment is None else f"#{self.fragment}",
            )
        )

    @property
    def is_web_address(self) -> bool:
        return (self.scheme or "").lower() in WEB_SCHEMES


def parse_reference(text: str) -> UriReference:
    """Split a URI or a relative reference; an empty text refers to where it stands.

    Raises InvalidUriReference for whatever RFC 3986 does not allow, which no repair makes good:
    spaces, line ends and characters beyond ASCII included.

    Source: RFC 3986 section 4.1.
    """
    if len(text) > LONGEST:
        raise InvalidUriReference(f"It has more than {LONGEST:,} characters.")
    found = _REFERENCE.fullmatch(text)
    if found is None:
        raise InvalidUriReference(_fault(text))
    return UriReference(**found.groupdict())


def _fault(text: str) -> str:
    wrong = _IN_NO_URI.search(text)
    if wrong is not None:
        place = f"at position {wrong.start() + 1}"
        return f"{spell_character(wrong[0])} {place} must be percent-encoded in an address."
    half = _HALF_ENCODED.search(text)
    if half is not None:
        return f"The % at position {half.start() + 1} needs two hexadecimal digits after it."
    return "The parts are not in the order that an address requires."


def resolve_reference(base: UriReference, reference: UriReference) -> UriReference:
    """What a reference means within a base, which has a scheme; dot segments are gone.

    Source: RFC 3986 section 5.2, in its strict form.
    """
    scheme, authority, path, query, fragment = reference
    if scheme is not None or authority is not None:
        return UriReference(scheme or base.scheme, authority, _undotted(path), query, fragment)
    if not path:
        return base._replace(query=base.query if query is None else query, fragment=fragment)
    merged = _undotted(path if path.startswith("/") else _merged(base, path))
    return base._replace(path=merged, query=query, fragment=fragment)


def _merged(base: UriReference, path: str) -> str:
    if base.authority is not None and not base.path:
        return f"/{path}"
    return base.path[: base.path.rfind("/") + 1] + path


def _undotted(path: str) -> str:
    *between, last = path.split("/")
    kept: list[str] = []
    for place, segment in enumerate([*between, last]):
        is_last = place == len(between)
        if segment == "..":
            if len(kept) > 1 or (kept and kept[0]):
                kept.pop()
        elif segment != ".":
            kept.append(segment)
            continue
        if is_last:
            kept.append("")
    return "/".join(kept)


GLOBAL_RESOLVER = RESOLVER.rstrip("/")
_LONGEST_PREFIX = 2_000
_SOURCE = "The ARK URI scheme section 7.1"


class InvalidResolverPrefix(ValueError):
    """A text that is no prefix of a resolver which HTTP reaches; says what to write."""

    source = _SOURCE


def parse_prefix(text: str) -> str:
    """A resolver's prefix, as it stands before a slash and an ARK.

    Raises InvalidResolverPrefix for what is not ``http-resolver-prefix`` (a scheme, an authority
    and a path alone), and for an authority with a user's name, which no address of HTTP has any
    more (RFC 9110 section 4.2.4).

    Source: The ARK URI scheme sections 4.1 and 7.1.
    """
    if len(text) > _LONGEST_PREFIX:
        raise InvalidResolverPrefix(f"Enter a prefix of at most {_LONGEST_PREFIX:,} characters.")
    try:
        prefix = parse_reference(text)
    except InvalidUriReference as error:
        raise InvalidResolverPrefix(f"{error} {_WANTED}") from error
    fault = _resolver_fault(prefix)
    if fault:
        raise InvalidResolverPrefix(f"{fault} {_WANTED}")
    return text.removesuffix("/")


_WANTED = f"Enter a prefix such as {GLOBAL_RESOLVER}."


def _resolver_fault(prefix: UriReference) -> str:
    if not prefix.is_web_address:
        return "The prefix must start with http:// or https://."
    if not (prefix.authority or "").rpartition("@")[2].partition(":")[0]:
        return "The host is missing."
    if "@" in (prefix.authority or ""):
        return "The prefix contains a user name. Remove it."
    if prefix.query is not None or prefix.fragment is not None:
        return "The prefix has a query or fragment. Remove it: the ARK follows the prefix."
    return ""


def embedded_ark(ark: ARK, prefix: str = GLOBAL_RESOLVER) -> UriReference:
    """The address at which a resolver is asked for an ARK, with the ARK's own fragment. Raises
    InvalidResolverPrefix.

    Source: The ARK URI scheme sections 4.1 and 7.1.
    """
    before = parse_reference(parse_prefix(prefix))
    return before._replace(
        path=f"{before.path}/{_encoded(ark.basic_ark)}",
        query=None if ark.query is None else _encoded(ark.query),
        fragment=None if ark.fragment is None else _encoded(ark.fragment),
    )


def _encoded(text: str) -> str:
    return quote(text, safe=string.printable)


LEAST_REDIRECTS = 5
USUAL_REDIRECTS = 10
MOST_REDIRECTS = 100  # a browser gives up at 20

_ALGORITHM = "The ARK URI scheme section 7.1.3"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
SUCCESSES = frozenset({200, 204, 206, 226, 304})
ERRORS = range(400, 600)
_OTHER_SUCCESSES = range(200, 300)


class TooFewRedirects(ValueError):
    """Fewer redirects than the algorithm has to tolerate, or more than anybody follows."""

    source = _ALGORITHM


class ResolutionMethod(StrEnum):
    """The method of HTTP that every request of a resolution has."""

    GET = "GET"
    HEAD = "HEAD"


class ReferentState(StrEnum):
    """Whether all redirects so far led to the referent itself, or one to something related."""

    DIRECT = "direct"
    RELATED = "related"


class ResolutionEnd(StrEnum):
    """How a resolution ends: by what was reached, or by why nothing was."""

    REFERENT = "referent"
    RELATED = "related"
    INFLECTION = "inflection"
    REQUEST_FAILED = "request failed"
    LOCATION_MISSING = "location missing"
    LOCATION_INVALID = "location invalid"
    ERROR_STATUS = "error status"
    UNKNOWN_STATUS = "unknown status"
    TOO_MANY_REDIRECTS = "too many redirects"

    @property
    def is_success(self) -> bool:
        return self in _REACHED


_REACHED = {ResolutionEnd.REFERENT, ResolutionEnd.RELATED, ResolutionEnd.INFLECTION}


@dataclass(frozen=True, slots=True)
class ResolutionHop:
    """One request and what came of it.

    ``location`` is the header field as it came, ``fault`` says why there is no answer, or what is
    wrong with the field; ``is_repeated`` where the same address was asked before.
    """

    address: str
    status: int | None = None
    location: str | None = None
    fault: str = ""
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class ReferenceResolution:
    """Where the algorithm stands: the address that is asked next, or at which it ended.

    It never changes: ``answered`` and ``failed`` give the next one. Redirects are followed as often
    as the algorithm says even where they go in a circle, which ``hops`` tells.

    Source: The ARK URI scheme section 7.1.3.
    """

    address: UriReference
    method: ResolutionMethod
    redirects_left: int
    is_inflected: bool = False
    state: ReferentState = ReferentState.DIRECT
    hops: tuple[ResolutionHop, ...] = ()
    end: ResolutionEnd | None = None

    @property
    def request_address(self) -> str:
        return str(self.address._replace(fragment=None))

    def answered(self, status: int, location: str | None) -> "ReferenceResolution":
        """What follows from an answer of HTTP."""
        hopped = self._hopped(status, location)
        if status in REDIRECTS:
            state = ReferentState.RELATED if status == HTTPStatus.SEE_OTHER else self.state
            return replace(hopped, state=state)._redirected(location)
        if status in SUCCESSES or status in _OTHER_SUCCESSES:
            return hopped._reached()
        is_error = status in ERRORS
        return hopped._ended(
            ResolutionEnd.ERROR_STATUS if is_error else ResolutionEnd.UNKNOWN_STATUS
        )

    def failed(self, why: str) -> "ReferenceResolution":
        return self._hopped(None, None, why)._ended(ResolutionEnd.REQUEST_FAILED)

    def _hopped(
        self, status: int | None, location: str | None, fault: str = ""
    ) -> "ReferenceResolution":
        address = self.request_address
        is_repeated = any(hop.address == address for hop in self.hops)
        hop = ResolutionHop(address, status, location, fault, is_repeated)
        return replace(self, hops=(*self.hops, hop))

    def _redirected(self, location: str | None) -> "ReferenceResolution":
        if location is None:
            return self._ended(ResolutionEnd.LOCATION_MISSING)
        try:
            there = resolve_reference(self.address, parse_reference(location))
        except InvalidUriReference as error:
            *before, last = self.hops
            hops = (*before, replace(last, fault=str(error)))
            return replace(self, hops=hops)._ended(ResolutionEnd.LOCATION_INVALID)
        if there.fragment is None:  # it is inherited, by RFC 9110 section 10.2.2
            there = there._replace(fragment=self.address.fragment)
        return replace(self, address=there, redirects_left=self.redirects_left - 1)._entered()

    def _entered(self) -> "ReferenceResolution":
        if self.redirects_left < 0:
            return self._ended(ResolutionEnd.TOO_MANY_REDIRECTS)
        return self if self.address.is_web_address else self._reached()

    def _reached(self) -> "ReferenceResolution":
        if self.is_inflected:
            return self._ended(ResolutionEnd.INFLECTION)
        is_direct = self.state is ReferentState.DIRECT
        return self._ended(ResolutionEnd.REFERENT if is_direct else ResolutionEnd.RELATED)

    def _ended(self, end: ResolutionEnd) -> "ReferenceResolution":
        return replace(self, end=end)


# Asks until a resolution ends.
Walk = Callable[[ReferenceResolution], ReferenceResolution]


def begin_resolution(
    ark: ARK,
    prefix: str = GLOBAL_RESOLVER,
    method: ResolutionMethod = ResolutionMethod.GET,
    max_redirects: int = USUAL_REDIRECTS,
) -> ReferenceResolution:
    """The algorithm before its first request. Raises InvalidResolverPrefix, and TooFewRedirects for
    a number that ``check_redirects`` refuses.

    Source: The ARK URI scheme section 7.1.3.
    """
    check_redirects(max_redirects)
    return ReferenceResolution(
        address=embedded_ark(ark, prefix),
        method=method,
        redirects_left=max_redirects,
        is_inflected=ark.query is not None,
    )


def check_redirects(number: int) -> None:
    """Raise TooFewRedirects for less than 5, the least that is tolerated, and for more than 100."""
    if not LEAST_REDIRECTS <= number <= MOST_REDIRECTS:
        raise TooFewRedirects(
            f"Allow {LEAST_REDIRECTS} to {MOST_REDIRECTS} redirects. The specification "
            f"requires at least {LEAST_REDIRECTS} ({_ALGORITHM})."
        )


_SEMANTICS = "The ARK URI scheme section 7.1.2"
_LENGTHS = "The ARK URI scheme section 7.1.1"
_INFLECTIONS = "The ARK URI scheme sections 3.4 and 7.1.2"

_RESOLUTION_REACHED = {
    ResolutionEnd.REFERENT: "This is the object: no redirect says that it is only related.",
    ResolutionEnd.RELATED: "This is a related resource: a redirect used status 303.",
    ResolutionEnd.INFLECTION: "This is what the inflection asks for, such as a description.",
}
_ELSEWHERE = "The address isn't http or https, so no request was sent."
_OTHER_SUCCESS = (
    "The specification doesn't define {}. Here it counts as a success, like every "
    "2xx status in RFC 9110."
)
_UNKNOWN = (
    "The server returned {}. The specification doesn't define this status; here it "
    "doesn't count as a success."
)
_FIRST_ERRORS = {
    400: ("The resolver doesn't recognize this as an ARK (400).", _SEMANTICS),
    404: ("The resolver has no location for this ARK (404).", _SEMANTICS),
    414: ("The resolver rejects the ARK because it is too long (414).", _LENGTHS),
}
_ERROR = "The server returned an error ({}). It may concern the object or the resolver."
_MISSING = "The server redirects ({}) without a Location header."
_INVALID = "The server redirects ({}) to an invalid address. {}"
_CIRCLE = "More than {} redirects: they form a loop."
_TOO_MANY = "More than {} redirects."
_PERMANENT = (
    "The resolver returned {}, a permanent redirect. A resolver must use 302 or 307, "
    "because targets can change."
)


def words_of(resolution: ReferenceResolution) -> tuple[str, str]:
    """What a resolution that ended came to, in a sentence or two, and the rule that says so."""
    end, last = resolution.end, resolution.hops[-1]
    if end is not None and end.is_success:
        return " ".join([_RESOLUTION_REACHED[end], *_of_success(resolution)]), _source_of(end)
    if end is ResolutionEnd.ERROR_STATUS:
        return _error(resolution)
    return _FAILED[end](resolution, last), _ALGORITHM


def _source_of(end: ResolutionEnd) -> str:
    return _INFLECTIONS if end is ResolutionEnd.INFLECTION else _ALGORITHM


def _of_success(resolution: ReferenceResolution) -> Iterator[str]:
    last = resolution.hops[-1]
    if not resolution.address.is_web_address:
        yield _ELSEWHERE
    elif last.status not in SUCCESSES:
        yield _OTHER_SUCCESS.format(last.status)


def _error(resolution: ReferenceResolution) -> tuple[str, str]:
    status = resolution.hops[-1].status or 0
    is_first = len(resolution.hops) == 1
    known = _FIRST_ERRORS.get(status) if is_first and not resolution.is_inflected else None
    return known or (_ERROR.format(status), _SEMANTICS)


def _too_many(resolution: ReferenceResolution, _last: ResolutionHop) -> str:
    is_circle = any(hop.is_repeated for hop in resolution.hops)
    return (_CIRCLE if is_circle else _TOO_MANY).format(len(resolution.hops) - 1)


_FAILED: dict[ResolutionEnd | None, Callable[[ReferenceResolution, ResolutionHop], str]] = {
    ResolutionEnd.REQUEST_FAILED: lambda _, last: f"The request failed. {last.fault}",
    ResolutionEnd.LOCATION_MISSING: lambda _, last: _MISSING.format(last.status),
    ResolutionEnd.LOCATION_INVALID: lambda _, last: _INVALID.format(last.status, last.fault),
    ResolutionEnd.UNKNOWN_STATUS: lambda _, last: _UNKNOWN.format(last.status),
    ResolutionEnd.TOO_MANY_REDIRECTS: _too_many,
}


def remarks_on(resolution: ReferenceResolution) -> tuple[str, ...]:
    """What a resolver did otherwise than it has to.

    Source: The ARK URI scheme section 7.1.2.
    """
    first = resolution.hops[0]
    is_permanent = first.status in (301, 308) and not resolution.is_inflected
    return (_PERMANENT.format(first.status),) if is_permanent else ()


def resolution_report(
    text: str, prefix: str, method: ResolutionMethod, max_redirects: int, walk: Walk
) -> dict[str, object]:
    """Where a text leads as an ARK, hop by hop, or why it is none. ``walk`` asks until the
    resolution ends. Raises what ``begin_resolution`` raises."""
    given = {"resolver": prefix, "method": method, "max_redirects": max_redirects}
    try:
        ark = parse_ark(text)
    except InvalidARK as error:
        return {"input": text, "valid": False, **given, **_NOTHING, "error": error_report(error)}
    walked = walk(begin_resolution(ark, prefix, method, max_redirects))
    return {"input": text, "valid": True, **given, **_walked_report(walked), "error": None}


_NOTHING: dict[str, object] = {
    "resolved": False,
    "end": None,
    "state": None,
    "address": None,
    "hops": [],
    "words": None,
    "source": None,
    "remarks": [],
}


def _walked_report(walked: ReferenceResolution) -> dict[str, object]:
    words, source = words_of(walked)
    is_success = walked.end is not None and walked.end.is_success
    return {
        "resolved": is_success,
        "end": walked.end,
        "state": walked.state,
        "address": str(walked.address) if is_success else None,
        "hops": [_hop_report(walked.method, hop) for hop in walked.hops],
        "words": words,
        "source": source,
        "remarks": [*remarks_on(walked)],
    }


def _hop_report(method: ResolutionMethod, hop: ResolutionHop) -> dict[str, object]:
    return {
        "method": method,
        "address": hop.address,
        "status": hop.status,
        "location": hop.location,
        "repeated": hop.is_repeated,
        "fault": hop.fault or None,
    }
