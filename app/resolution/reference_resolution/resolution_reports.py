"""What a resolution came to, in words for people and as a JSON object for programs."""

from collections.abc import Callable, Iterator

from app.identifiers.ark import InvalidARK, parse_ark
from app.identifiers.urn_reports import error_report
from app.resolution.reference_resolution.reference_resolution import (
    SUCCESSES,
    ReferenceResolution,
    ResolutionEnd,
    ResolutionHop,
    ResolutionMethod,
    Walk,
    begin_resolution,
)

_ALGORITHM = "The ARK URI scheme section 7.1.3"
_SEMANTICS = "The ARK URI scheme section 7.1.2"
_LENGTHS = "The ARK URI scheme section 7.1.1"
_INFLECTIONS = "The ARK URI scheme sections 3.4 and 7.1.2"

_REACHED = {
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
        return " ".join([_REACHED[end], *_of_success(resolution)]), _source_of(end)
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
