"""What a client welcomes: content codings and media types (RFC 9110 section 12.5)."""

import re
from functools import lru_cache
from typing import NamedTuple

IDENTITY = "identity"

# Among forms that are equally welcome the first is sent: the smaller ones first.
_CODINGS = ("br", "zstd", "gzip", IDENTITY)
_ALIASES = {"x-gzip": "gzip"}  # RFC 9110 section 8.4.1.3
_UNSAID = 0.5  # of what no weight can be: less welcome than anything that is named

_LONGEST = 1_000  # no client says so much; more is not read
_TOKEN = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"  # noqa: S105 - the token of RFC 9110
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_PARAMETER = rf"({_TOKEN})=({_TOKEN}|{_QUOTED})"
_PARAMETERS = re.compile(_PARAMETER)
_WEIGHT = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")
_CODING = re.compile(rf"({_TOKEN})(?:[ \t]*;[ \t]*[qQ]=([^ \t]*))?")
_LANGUAGE = re.compile(r"([A-Za-z0-9-]+|\*)(?:[ \t]*;[ \t]*[qQ]=([^ \t]*))?")
_ELEMENT = re.compile(rf"(?:[^,\"]|{_QUOTED})+")
_RANGE = re.compile(rf"({_TOKEN})/({_TOKEN})((?:[ \t]*;(?:[ \t]*{_PARAMETER})?)*)")
_ANYTHING = "*/*"

# Without a charset these are UTF-8 (RFC 8259 section 8.1, RFC 7303 section 3), so that who
# asks for application/json; charset=utf-8 asks for what there is.
_UTF_8 = re.compile(r"application/(?:.+\+)?(?:json|xml)")
_IN_UTF_8 = ("charset", "utf-8")
_SAME = frozenset({"text/xml", "application/xml"})  # RFC 7303 section 9.2
# A profile adds to what a document means and takes nothing away (RFC 6906 section 3), so that
# who asks for one of JSON-LD is served by a document that follows another.
_HAS_PROFILES = "application/ld+json"


class _MediaRange(NamedTuple):
    kind: str
    subtype: str
    parameters: frozenset[tuple[str, str]]
    weight: int

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.subtype}"

    def covers(self, other: "_MediaRange") -> bool:
        is_named = self.kind in ("*", other.kind) and self.subtype in ("*", other.subtype)
        is_same = self.name in _SAME and other.name in _SAME
        return (is_named or is_same) and self.parameters <= other.parameters

    def narrowness(self, other: "_MediaRange") -> tuple[bool, bool, int, bool]:
        is_own = self.name == other.name
        return self.kind != "*", self.subtype != "*", len(self.parameters), is_own


@lru_cache(maxsize=256)
def accepted_codings(field: str) -> tuple[str, ...]:
    """The content codings that an Accept-Encoding field welcomes, the best first. ``identity`` is
    among them, as the last resort, unless it is refused.

    Source: RFC 9110 section 12.5.3.
    """
    weights: dict[str, float] = {}
    for element in field.split(",") if len(field) <= _LONGEST else ():
        match = _CODING.fullmatch(element.strip(" \t"))
        weight = _weight(match[2]) if match else None
        if match and weight is not None:
            coding = match[1].lower()
            weights[_ALIASES.get(coding, coding)] = weight
    others = weights.get("*", 0)
    weights = {IDENTITY: weights.get("*", _UNSAID)} | weights
    welcome = {coding: weights.get(coding, others) for coding in _CODINGS}
    return tuple(sorted((c for c in _CODINGS if welcome[c] > 0), key=lambda c: -welcome[c]))


@lru_cache(maxsize=512)
def find_best(field: str, offered: tuple[str, ...]) -> int | None:
    """Which of the offered media types an Accept field welcomes most; None if it takes none.

    Source: RFC 9110 section 12.5.1; RFC 7303 section 9.2 for text/xml; RFC 8259 section 8.1.
    """
    ranges = list(_ranges(field)) if len(field) <= _LONGEST else []
    if not ranges:
        return 0
    weights = [_weight_of(media_type, ranges) for media_type in offered]
    best = max(weights)
    return weights.index(best) if best > 0 else None


_PAGE = "text/html"
_DOCUMENTS = ("application/problem+json", "application/json")


@lru_cache(maxsize=512)
def wants_page(field: str) -> bool:
    """Whether an Accept field welcomes a page at least as much as a document for programs. A page
    is for who names it: ``*/*`` alone gets the document.

    Source: RFC 9110 section 12.5.1.
    """
    offered = (_PAGE, *_DOCUMENTS) if _PAGE in field.lower() else (*_DOCUMENTS, _PAGE)
    best = find_best(field, offered)
    return best is not None and offered[best] == _PAGE


@lru_cache(maxsize=1_024)
def media_type_weight(field: str, media_type: str) -> int:
    """How welcome a media type is by an Accept field, in thousandths; 0 is refused.

    Source: RFC 9110 section 12.5.1.
    """
    ranges = list(_ranges(field)) if len(field) <= _LONGEST else []
    if not ranges:
        return 1000
    if media_type:
        return _weight_of(media_type, ranges)
    anything = [known.weight for known in ranges if known.name == _ANYTHING]
    return max(1, *anything) if anything else 1


@lru_cache(maxsize=1_024)
def language_weight(field: str, language: str) -> int:
    """How welcome a language is by an Accept-Language field, in thousandths.

    Source: RFC 9110 section 12.5.4; RFC 4647 section 3.3.1.
    """
    weights: dict[str, int] = {}
    for element in field.split(",") if len(field) <= _LONGEST else ():
        match = _LANGUAGE.fullmatch(element.strip(" \t"))
        weight = _weight(match[2]) if match else None
        if match and weight is not None:
            weights[match[1].lower()] = weight
    if not weights:
        return 1000
    unnamed = weights.get("*", 1)
    if not language:
        return max(1, unnamed)
    tag = language.lower()
    ranges = [known for known in weights if f"{tag}-".startswith(f"{known}-")]
    return weights[max(ranges, key=len)] if ranges else unnamed


def _weight_of(media_type: str, ranges: list[_MediaRange]) -> int:
    this = _find_offered(media_type)
    if this is None:
        return 0
    covering = [known for known in ranges if known.covers(this)]
    return max(covering, key=lambda known: known.narrowness(this)).weight if covering else 0


def _find_offered(media_type: str) -> _MediaRange | None:
    this = _find_range(media_type)
    if this is None or not _UTF_8.fullmatch(this.name):
        return this
    says_charset = any(name == "charset" for name, _ in this.parameters)
    return this if says_charset else this._replace(parameters=this.parameters | {_IN_UTF_8})


def _ranges(field: str) -> list[_MediaRange]:
    elements = (element.strip(" \t") for element in _ELEMENT.findall(field))
    ranges = (_find_range(_ANYTHING + e[1:] if _is_star(e) else e) for e in elements)
    return [known for known in ranges if known is not None]


def _is_star(element: str) -> bool:
    return element == "*" or element[:2] in ("*;", "* ")  # as some old clients write it


def _find_range(element: str) -> _MediaRange | None:
    match = _RANGE.fullmatch(element)
    if not match or (match[1] == "*" and match[2] != "*"):
        return None
    parameters: set[tuple[str, str]] = set()
    for name, value in _PARAMETERS.findall(match[3]):
        if name.lower() == "q":  # what follows the weight says nothing of the media type
            weight = _weight(value)
            return None if weight is None else _range_of(match, parameters, weight)
        parameters.add((name.lower(), _unquoted(value).lower()))
    return _range_of(match, parameters, 1000)


def _range_of(match: re.Match[str], parameters: set[tuple[str, str]], weight: int) -> _MediaRange:
    made = _MediaRange(match[1].lower(), match[2].lower(), frozenset(parameters), weight)
    if made.name != _HAS_PROFILES:
        return made
    return made._replace(parameters=frozenset(p for p in parameters if p[0] != "profile"))


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value


def _weight(text: str | None) -> int | None:
    if text is None:
        return 1000
    return round(float(text) * 1000) if _WEIGHT.fullmatch(text) else None
