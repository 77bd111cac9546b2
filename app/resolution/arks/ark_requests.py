"""A request for an ARK, as it stands in the target of HTTP -> what is asked about."""

import re
from functools import cache
from typing import NamedTuple
from urllib.parse import quote, unquote

from app.identifiers.ark import parse_ark
from app.identifiers.ark_faults import explain_refusal
from app.identifiers.ark_grammar import HYPHENS, NAAN_RUN, NAME_CHARACTERS, PLAIN_BASIC_ARK
from app.identifiers.ark_normal_form import normal_path, normal_query
from app.identifiers.errors import InvalidARK
from app.identifiers.uri_schemes import find_scheme_look_alike
from app.identifiers.urn_grammar import run_pattern

# Queries that ask for what is known; those that `?` and `??` end in are older.
INFLECTIONS = frozenset({"", "?", "info"})

_SCHEME = len("ark:")
_BEGINS = re.compile("(?:[Aa]|%[46]1)(?:[Rr]|%[57]2)(?:[Kk]|%[46][Bb])(?::|%3[Aa])")
_NAAN = rf"[Aa][Rr][Kk]:/?{HYPHENS}(?=[^/]){NAAN_RUN}"
_NAME = rf"{HYPHENS}(?=[^/.])"  # the beginning of one
# What a Basic ARK has not, or not there, and addresses have.
_ELSEWHERE = r"!&'(),;:/.\[\]"
match_plain = re.compile(PLAIN_BASIC_ARK).fullmatch  # its group 1 is the path
_match_naan = re.compile(_NAAN).fullmatch
_ALL_HANDED_ON = f"{_NAAN}/{_NAME}{run_pattern(NAME_CHARACTERS + _ELSEWHERE)}"
_BEFORE_NAME = re.compile(f"{_NAAN}/(?={_NAME})")
_HANDED_ON = re.compile(f"[{_ELSEWHERE}]")
_CONTROL = re.compile("%(?:[01][0-9A-F]|7F|C2%[89][0-9A-F])", re.IGNORECASE)
_DOT = rf"(?:\.|%2[Ee]){HYPHENS}"  # hyphens are nothing, in between too
_DOTS = re.compile(rf"/{HYPHENS}{_DOT}(?:{_DOT}|)(?=/|\Z)")
_PLACE = re.compile(r"\ACharacters? \d++(?: to \d++|)")
_is_plain_query = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@/?-]*+").fullmatch
# What browsers leave in a query as it was typed, and no address has (RFC 3986 section 3.4).
_TYPED = {ord(one): quote(one) for one in '"<>\\^`{|}'}
_TYPED_RUN = re.compile(r'["<>\\^`{|}\[\]]')
_UNSAFE = "The ARK URI scheme section 8.1"
_URI = "".join(map(chr, range(0x21, 0x7F)))


@cache
def _all_handed_on() -> re.Pattern[str]:
    # compiled for the first that is no Basic ARK: its letters of all scripts take long
    return re.compile(_ALL_HANDED_ON)


class ArkRequest(NamedTuple):
    """What is asked about.

    ``path`` is what is looked up: NAAN and what follows in normal form, the NAAN alone where it
    came alone, empty where nothing can be looked up; ``error`` says why. ``core`` is what came
    before a question mark, as it came. ``query`` is what came after it, in normal form; None
    without a question mark. What is handed on is no Basic ARK, and its holder may take it.
    """

    text: str
    path: str = ""
    core: str = ""
    query: str | None = None
    error: InvalidARK | None = None
    is_handed_on: bool = False

    @property
    def normal_form(self) -> str:
        return f"ark:{self.path}" if self.path and not self.is_handed_on else ""

    @property
    def naan(self) -> str:
        return self.path.partition("/")[0]

    @property
    def content(self) -> str:
        return self.core[_SCHEME:].removeprefix("/")

    @property
    def is_inflected(self) -> bool:
        return self.query in INFLECTIONS


def encode_octets(text: str) -> str:
    """Source: The ARK URI scheme section 7.1; RFC 3987 section 3.1."""
    return text if text.isascii() else quote(text, safe=_URI, encoding="latin-1")


def read_ark_request(text: str) -> ArkRequest:
    """Read what follows the resolver's prefix in the target of a request, nothing decoded.
    Equivalent Extended ARKs give equal ``path`` and ``query``.

    Source: The ARK URI scheme sections 3.4, 6 and 7.1.
    """
    core, mark, query = text.partition("#")[0].partition("?")
    try:
        path = "" if core.find(":", _SCHEME) > 0 else parse_ark(core).normal_form[_SCHEME:]
    except InvalidARK:
        path = ""
    if not path:
        found = _read_otherwise(text, core)
        return _with_query(found, query) if mark and found.path else found
    if "%" in path and (hidden := _hidden_fault(text, core, path)):
        return ArkRequest(text, error=hidden)
    return (
        _with_query(ArkRequest(text, path, core), query) if mark else ArkRequest(text, path, core)
    )


def _with_query(request: ArkRequest, query: str) -> ArkRequest:
    if _is_plain_query(query):
        return request._replace(query=query)
    try:
        parse_ark(f"ark:1/x?{_TYPED_RUN.sub('x', query)}")
    except InvalidARK as error:
        shift = len(request.core) - len("ark:1/x")
        return ArkRequest(request.text, error=_refused(error, request.text, shift))
    return request._replace(query=normal_query(query).translate(_TYPED))


def _read_otherwise(text: str, core: str) -> ArkRequest:
    if _all_handed_on().fullmatch(core):
        path = normal_path(core[_SCHEME:].removeprefix("/"))
        hidden = _hidden_fault(text, core, path)
        return ArkRequest(text, error=hidden) if hidden else _handed_on(text, path, core)
    if _match_naan(core.removesuffix("/")):  # `/ark:62624/` asks for the NAAN
        naan = core[_SCHEME:].removeprefix("/").removesuffix("/")
        return ArkRequest(text, normal_path(naan), core)
    begun = _BEGINS.match(core)
    if begun and begun.end() > _SCHEME:
        return _read_encoded(text, begun.end())
    return ArkRequest(text, error=_refused(_fault_of(core), text))


def _handed_on(text: str, path: str, core: str) -> ArkRequest:
    return ArkRequest(text, path, core, is_handed_on=True)


def _read_encoded(text: str, end: int) -> ArkRequest:
    request = read_ark_request(f"ark:{text[end:]}")
    error = request.error and _refused(request.error, text, end - _SCHEME)
    return request._replace(text=text, error=error)


def _fault_of(core: str) -> InvalidARK:
    begun = _BEFORE_NAME.match(core)
    if begun is None:
        return _fault_of_scheme(core) or explain_refusal(core)
    return explain_refusal(core[: begun.end()] + _HANDED_ON.sub("x", core[begun.end() :]))


def _fault_of_scheme(core: str) -> InvalidARK | None:
    read = unquote(core)
    if core == read or not find_scheme_look_alike(read, "ark"):
        return None
    error = explain_refusal(read)
    before = quote(read[: error.position], safe=_URI)
    return InvalidARK(core, error.code, error.message, len(before), error.source)


def _hidden_fault(text: str, core: str, path: str) -> InvalidARK | None:
    if _CONTROL.search(path):
        message = (
            "It contains a percent-encoded control character, which can do harm at the "
            "target. Remove it."
        )
        found = _CONTROL.search(core)
        position = found.start() if found else core.index("%")
        return InvalidARK(text, "name_character", message, position, _UNSAFE)
    if dots := _DOTS.search(core):
        message = (
            "A component is `.` or `..`, which many programs remove from an address. Remove it."
        )
        position = dots.start() + 1
        return InvalidARK(text, "component_character", message, position, "RFC 3986 section 3.3")
    return None


def _refused(error: InvalidARK, text: str, shift: int = 0) -> InvalidARK:
    position = None if error.position is None else error.position + shift
    message = _PLACE.sub(lambda place: _shifted(place[0], shift), error.message)
    return InvalidARK(text, error.code, message, position, error.source)


def _shifted(place: str, shift: int) -> str:
    return " ".join(str(int(one) + shift) if one.isdigit() else one for one in place.split(" "))


def encode_to_ascii(core: str) -> str:
    return core if core.isascii() else quote(core, safe=_URI)
