"""The reference resolution algorithm of ARKs, one answer after the other; it asks nobody itself."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from http import HTTPStatus

from app.identifiers.ark import ARK
from app.resolution.reference_resolution.resolver_prefixes import GLOBAL_RESOLVER, embedded_ark
from app.resolution.reference_resolution.uri_references import (
    InvalidUriReference,
    UriReference,
    parse_reference,
    resolve_reference,
)

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
