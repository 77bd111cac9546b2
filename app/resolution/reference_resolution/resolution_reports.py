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
    ResolutionEnd.REFERENT: "There is what the ARK names, the thing itself: no redirect on the way "
    "says that it is only related.",
    ResolutionEnd.RELATED: "What is there is related to what the ARK names, and is not taken for "
    "the thing itself: a redirect on the way says so (303).",
    ResolutionEnd.INFLECTION: "What is there is what the inflection asks for, such as a "
    "description, and not what the ARK names.",
}
_ELSEWHERE = "The address is none of http or https, so that nothing is asked there."
_OTHER_SUCCESS = (
    "The specification leaves it to each implementation what {} means; here it is a success, as "
    "any 2xx is in RFC 9110."
)
_UNKNOWN = (
    "The server answers {}. The specification leaves it to each implementation what that means; "
    "here nothing counts as reached."
)
_FIRST_ERRORS = {
    400: ("This resolver takes what it was asked for not as an ARK (400).", _SEMANTICS),
    404: ("This resolver knows no place of what the ARK names (404).", _SEMANTICS),
    414: ("This resolver declines the ARK because it is too long (414).", _LENGTHS),
}
_ERROR = (
    "The server answers with an error ({}). Whether it is of what the ARK names or of the way "
    "there is not said by the specification."
)
_MISSING = "The server redirects ({}) without saying where: there is no Location."
_INVALID = "The server redirects ({}) to what is no address. {}"
_CIRCLE = "There are more than {} redirects, and they go in a circle."
_TOO_MANY = "There are more than {} redirects."
_PERMANENT = (
    "The resolver says {}, which stands for a move for ever. A resolver has to say 302 or 307, "
    "since it gives the place of today."
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
    """What a resolver did otherwise than it has to. Source: The ARK URI scheme section 7.1.2."""
    first = resolution.hops[0]
    is_permanent = first.status in (301, 308) and not resolution.is_inflected
    return (_PERMANENT.format(first.status),) if is_permanent else ()


def resolution_report(
    text: str, prefix: str, method: ResolutionMethod, max_redirects: int, walk: Walk
) -> dict[str, object]:
    """Where a text leads as an ARK, hop by hop, or why it is none.

    ``walk`` asks until the resolution ends. Raises what ``begin_resolution`` raises.
    """
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
