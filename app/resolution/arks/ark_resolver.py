"""A request for an ARK and the rules of an edition -> what comes of it."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from app.identifiers.ark_checks import TEST_NAAN
from app.identifiers.ark_faults import explain_refusal
from app.identifiers.noid import BETANUMERIC
from app.registration.naans.naan_targets import host_of
from app.registration.records.registry_records import Status
from app.resolution.arks.ark_outcomes import (
    AS_IT_CAME,
    FOR_TESTS,
    NO_BASIC_ARK,
    ArkHandedOn,
    ArkOutcome,
    BadArkSyntax,
    CircularArk,
    InflectedArk,
    NaanAlone,
    OverlongArk,
    ResolvedArk,
    ShoulderAlone,
    UnregisteredNaan,
    UnresolvedArk,
    WithdrawnNaan,
)
from app.resolution.arks.ark_requests import (
    INFLECTIONS,
    ArkRequest,
    encode_to_ascii,
    match_plain,
    read_ark_request,
)
from app.resolution.arks.ark_rule_books import ArkRuleBook
from app.resolution.arks.ark_rules import ArkRules
from app.resolution.arks.mended_arks import find_mended_ark
from app.resolution.judgement import Ground
from app.resolution.name_paths import LONGEST_TARGET
from app.resolution.targets import join_query

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
