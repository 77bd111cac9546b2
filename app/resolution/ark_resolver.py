"""A request for an ARK and the rules of an edition -> what comes of it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple
from urllib.parse import quote, unquote

from app.identifiers.ark import (
    HYPHENS,
    NAAN_RUN,
    NAME_CHARACTERS,
    PLAIN_BASIC_ARK,
    explain_refusal,
    find_embedded_ark,
    normal_path,
    normal_query,
    parse_ark,
)
from app.identifiers.ark_checks import TEST_NAAN
from app.identifiers.corrections import (
    CorrectionKind,
    IdentifierCorrection,
    corrections,
    has_stray_marks,
    unwrap_identifier,
)
from app.identifiers.errors import InvalidARK
from app.identifiers.noid import BETANUMERIC
from app.identifiers.uri_schemes import find_scheme_look_alike
from app.identifiers.urn import run_pattern
from app.registration.naans.naan_targets import host_of
from app.registration.records.registry_records import Status
from app.resolution.ark_rules import ArkRuleBook, ArkRules, ark_book_of
from app.resolution.judgement import Ground
from app.resolution.outcome_documents import LONGEST_TARGET
from app.resolution.service_choice import join_query

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


FOR_TESTS = Ground(
    "test_ark",
    (f"NAAN {TEST_NAAN} is for tests. Its ARKs may disappear at any time, so don't cite them."),
    "The ARK URI scheme section 3.1",
)
AS_IT_CAME = Ground(
    "verbatim",
    "The NAAN holder accepts ARKs as written, so this one is redirected unchanged.",
    "The ARK URI scheme section 6",
)
NO_BASIC_ARK = Ground(
    "handed_on",
    "This is not a valid ARK. It is passed unchanged to the NAAN holder.",
    "The ARK URI scheme section 7.1.2",
)


@dataclass(frozen=True, slots=True)
class BadArkSyntax:
    """The text is no ARK and cannot be handed on; ``request.error`` has the fault and its place.

    ``correction`` is an ARK that it may have been meant for, if one is known.
    """

    request: ArkRequest
    correction: IdentifierCorrection | None = None


@dataclass(frozen=True, slots=True)
class OverlongArk:
    """The text is longer than any that is answered. Source: The ARK URI scheme section 7.1.1."""

    request: ArkRequest


@dataclass(frozen=True, slots=True)
class UnregisteredNaan:
    """Nobody has the NAAN; ``nearest`` are NAANs that it may have been meant for."""

    request: ArkRequest
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WithdrawnNaan:
    """The NAAN was registered once, or by mistake, and its ARKs lead nowhere."""

    request: ArkRequest
    rules: ArkRules


@dataclass(frozen=True, slots=True)
class NaanAlone:
    """A NAAN and nothing after it: what is asked for is its page."""

    request: ArkRequest
    rules: ArkRules


@dataclass(frozen=True, slots=True)
class ShoulderAlone:
    """A shoulder and nothing after it: what is asked for is its page."""

    request: ArkRequest
    rules: ArkRules


@dataclass(frozen=True, slots=True)
class InflectedArk:
    """An ARK with an inflection: what is known of it is asked for, and not what it names.

    ``holders`` are the rules of the shoulder, if it has one, and of the NAAN. ``described_by`` is
    where the holder describes what is named; empty where the ARK leads nowhere.

    Source: The ARK URI scheme section 3.4.
    """

    request: ArkRequest
    holders: tuple[ArkRules, ...]
    described_by: str = ""
    notes: tuple[Ground, ...] = ()

    @property
    def rules(self) -> ArkRules:
        return self.holders[0]


class ResolvedArk(NamedTuple):
    """There is a way. ``rules.redirect`` says how it is to be led on, ``notes`` what to tell."""

    request: ArkRequest
    rules: ArkRules
    target: str
    notes: tuple[Ground, ...] = ()


class ArkHandedOn(NamedTuple):
    """There is a way, for what is no Basic ARK: it goes on as it came, and its holder reads it."""

    request: ArkRequest
    rules: ArkRules
    target: str
    notes: tuple[Ground, ...] = ()


@dataclass(frozen=True, slots=True)
class UnresolvedArk:
    """The NAAN or shoulder is registered and leads nowhere; ``ground`` says why."""

    request: ArkRequest
    rules: ArkRules
    ground: Ground


@dataclass(frozen=True, slots=True)
class CircularArk:
    """The way leads back to the site that was asked, so that its page is the answer."""

    request: ArkRequest
    rules: ArkRules


ArkOutcome = (
    BadArkSyntax
    | OverlongArk
    | UnregisteredNaan
    | WithdrawnNaan
    | NaanAlone
    | ShoulderAlone
    | InflectedArk
    | ResolvedArk
    | ArkHandedOn
    | UnresolvedArk
    | CircularArk
)


_MENDED_NAAN = re.compile("((?:[Aa][Rr][Kk]):/?)([^/?#]{1,32})(?=/)")
_LOOK_ALIKES = str.maketrans("oOlIi", "00111")
_OF_MARKS = (CorrectionKind.UNWRAPPED, CorrectionKind.TRAILING, CorrectionKind.HYPHENS)
_DIGITS = "Letters in the NAAN were replaced by the digits they look like."


def find_mended_ark(text: str, book: ArkRuleBook) -> IdentifierCorrection | None:
    """Find an ARK of a registered NAAN that a text may be meant for, without a query.
    ``ark%3A%2F12345%2Fx`` gives what it encodes, ``ark:l2345/x`` the digit that it looks like."""
    for one in _mended(text):
        if form := _form_of(one.identifier, book):
            return one._replace(identifier=form)
    return None


def correct_ark(outcome: ArkOutcome, book: ArkRuleBook) -> IdentifierCorrection | None:
    """Return the ARK that a request was probably meant for, or None.

    A request that has the syntax of an ARK is corrected only if it has stray marks at the end, or
    characters that look like hyphens: ``ark:12345/x%20y`` may be an ARK.
    """
    if isinstance(outcome, BadArkSyntax):
        return outcome.correction
    form = outcome.request.normal_form  # spellings of one ARK get one answer
    if not (outcome.request.is_handed_on or has_stray_marks(form)):
        return None
    found = find_mended_ark(form or outcome.request.text, book)
    return found if found and found.kind in _OF_MARKS else None


def _form_of(text: str, book: ArkRuleBook) -> str:
    try:
        form = parse_ark(text).arkspec_form
    except InvalidARK:
        return ""
    path = read_ark_request(form).path  # what is refused is not meant either
    return form if path and book.longest(path) is not None else ""


def _mended(text: str) -> Iterator[IdentifierCorrection]:
    yield from corrections(text)
    inner = unwrap_identifier(text)
    plain = _MENDED_NAAN.sub(
        lambda found: found[1] + found[2].translate(_LOOK_ALIKES), inner, count=1
    )
    if plain != inner:
        yield IdentifierCorrection(plain, CorrectionKind.RULES, _DIGITS)


_FORMER = Status.FORMER
_TEST = f"{TEST_NAAN}/"
# An ARK for tests that somebody with a NAAN makes without asking.
_QUICK_TEST = re.compile(f"{TEST_NAAN}/9([{BETANUMERIC}]++)_")


class PlainArkWay(NamedTuple):
    """Where an ARK leads that came in normal form, and nothing else is to be told of it."""

    path: str
    rules: ArkRules
    target: str


class ArkResolver:
    """Leads ARKs on by the rules of one edition.

    ``own_hosts`` are the declared names of the site that is asked, to which nothing is led; a port
    behind one does not count. Any number of threads may ask at once.
    """

    def __init__(self, book: ArkRuleBook, own_hosts: Iterable[str] = ()) -> None:
        self._book = book
        named = (host_of(f"http://{host}/") for host in own_hosts)
        self._own_hosts = frozenset(filter(None, named))

    def by(self, book: ArkRuleBook) -> "ArkResolver":
        return ArkResolver(book, self._own_hosts)

    def resolve(self, text: str) -> ArkOutcome:
        """What comes of a text that follows the resolver's prefix in the target of a request.

        Source: The ARK URI scheme sections 3.4, 6 and 7.1.
        """
        if len(text) > LONGEST_TARGET:
            return OverlongArk(ArkRequest(text))
        request = read_ark_request(text)
        if not request.path:
            return BadArkSyntax(request, find_mended_ark(text, self._book))
        rules = self._rules_of(request.path)
        if rules is None:
            return self._unknown(request)
        if request.query in INFLECTIONS:
            return self._describe(request, rules)
        if request.path.removesuffix("/") == rules.prefix:
            return (ShoulderAlone if "/" in rules.prefix else NaanAlone)(request, rules)
        return self._lead(request, rules)

    def find_plain_way(self, text: str) -> PlainArkWay | None:
        """Where an ARK leads that is as nearly all are, found in half the time of ``resolve``. None
        for every other, of which ``resolve`` tells; it says the same of this one."""
        plain = match_plain(text)
        if plain is None:
            return None
        path = plain[1]
        rules = self._book.longest(path)
        if rules is None or rules.takes_verbatim or rules.status is _FORMER:
            return None
        way = rules.way
        if way.fault is not None or way.host in self._own_hosts or path.startswith(_TEST):
            return None
        suffix = path[len(rules.prefix) :]
        return PlainArkWay(path, rules, way.fill(f"ark:{path}", path, suffix)) if suffix else None

    def _rules_of(self, path: str) -> ArkRules | None:
        rules = self._book.longest(path)
        if path.startswith(_TEST) and (rules is None or rules.prefix == TEST_NAAN):
            quick = _QUICK_TEST.match(path)
            tester = self._book.find(quick[1]) if quick else None
            if tester is not None and tester.status is not _FORMER:
                return tester
        return rules

    def _unknown(self, request: ArkRequest) -> ArkOutcome:
        if request.is_handed_on:
            refused = ArkRequest(request.text, error=explain_refusal(request.text))
            return BadArkSyntax(refused, find_mended_ark(request.text, self._book))
        return UnregisteredNaan(request, self._book.nearest(request.naan))

    def _describe(self, request: ArkRequest, rules: ArkRules) -> InflectedArk:
        naan = self._book.find(rules.naan) if "/" in rules.prefix else None
        holders = (rules,) if naan is None else (rules, naan)
        if request.path == rules.prefix or rules.status is _FORMER or self.leads_back(rules):
            return InflectedArk(request, holders, "", _notes(request))
        return InflectedArk(request, holders, describing_address(request, rules), _notes(request))

    def _lead(self, request: ArkRequest, rules: ArkRules) -> ArkOutcome:
        if rules.status is _FORMER:
            return WithdrawnNaan(request, rules)
        way = rules.way
        if way.host in self._own_hosts:  # also where not everybody reaches the site
            return CircularArk(request, rules)
        if way.fault is not None:
            return UnresolvedArk(request, rules, way.fault)
        target = _address(request, rules)
        if request.query is not None:
            target = join_query(target, request.query)
        notes = _notes(request)
        if request.is_handed_on:
            return ArkHandedOn(request, rules, target, (NO_BASIC_ARK, *notes))
        if rules.takes_verbatim:
            notes = (AS_IT_CAME, *notes)
        return ResolvedArk(request, rules, target, notes)

    def leads_back(self, rules: ArkRules) -> bool:
        return rules.way.host in self._own_hosts


def describing_address_of(led: ResolvedArk | ArkHandedOn) -> str:
    """Where the holder describes what is led to.

    Source: The ARK URI scheme section 3.4.
    """
    if led.request.query is None:
        return join_query(led.target, "info")
    return describing_address(led.request, led.rules)


def describing_address(request: ArkRequest, rules: ArkRules) -> str:
    """Source: The ARK URI scheme section 3.4."""
    target = _address(request, rules)
    return target and join_query(target, "info")


def _notes(request: ArkRequest) -> tuple[Ground, ...]:
    return (FOR_TESTS,) if request.path.startswith(_TEST) else ()


def _address(request: ArkRequest, rules: ArkRules) -> str:
    path, matched = request.path, rules.prefix
    if not path.startswith(matched):  # a test that somebody with another NAAN makes
        matched = TEST_NAAN
    if not request.is_handed_on and not rules.takes_verbatim:
        return rules.way.fill(f"ark:{path}", path, path[len(matched) :])
    core, content = encode_to_ascii(request.core), encode_to_ascii(request.content)
    suffix = (content if content.startswith(matched) else path)[len(matched) :]
    return rules.way.fill(core, content, suffix)


class ArkSample(NamedTuple):
    """An address at a target, and the ARK that is there; the ARK is empty where none is known."""

    ark: str
    url: str


def ark_sample(rules: ArkRules, own_hosts: Iterable[str] = ()) -> ArkSample | None:
    """What a NAAN or a shoulder can be asked for: its test ARK, or its target without a name.

    None where nothing leads on: the name is former, the target is none, or it is at one of
    ``own_hosts``.

    Source: the schema PublicNAAN of the ARK Alliance, on test identifiers.
    """
    resolver = ArkResolver(ark_book_of((rules,)), own_hosts)
    if rules.status is Status.FORMER or rules.way.fault is not None or resolver.leads_back(rules):
        return None
    return _named_sample(rules, resolver) or ArkSample("", rules.way.fill("", "", ""))


def _named_sample(rules: ArkRules, resolver: ArkResolver) -> ArkSample | None:
    written = find_embedded_ark(rules.test_ark)  # some give it as a link
    found = resolver.resolve(rules.test_ark if written is None else str(written))
    if not isinstance(found, (ResolvedArk, ArkHandedOn)):
        return None
    return ArkSample(found.request.normal_form or found.request.core, found.target)
