"""What forbids a profile: facts that cannot be shown, told apart, or used to send people on.

The same rules hold for what a request says, for a correction, and for a file of profiles.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from uritemplate import URITemplate

from app.identifiers.equivalence import PLAIN, Equivalence
from app.identifiers.errors import InvalidURN
from app.identifiers.public_addresses import check_host
from app.identifiers.urn import URN, parse_urn
from app.registration.declarations.dates import is_date
from app.registration.profiles.profile_records import (
    NamespaceProfile,
    NssPattern,
    Resolution,
    ResolutionService,
    Resolvability,
)
from app.registration.submission_findings import SubmissionFinding

LONGEST_FACT = 300  # characters, of a fact of one line
LONGEST_TEXT = 4_000  # of one that may have more
LONGEST_PATTERN = 1_000  # of one for names: the longest that is shipped has not half of it
MOST_EXAMPLES = 20
MOST_SERVICES = 40
MOST_ROWS = 40  # of rules in words, and of related names

_LINES = ("title", "names", "holder", "homepage", "homepage_source", "check")
_TEXTS = ("description", "components", "remarks")
_OF_SERVICE = ("target", "media_type", "language", "country", "contact", "source")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_VARIABLES = re.compile(
    r"\{[+#./;?&]?\w+(?::[1-9][0-9]{0,3}|\*)?(?:,\w+(?::[1-9][0-9]{0,3}|\*)?)*\}"
)
_URI = re.compile(r"(?:[!#$&-;=?-Z\[\]_a-z~]|%[0-9A-Fa-f]{2})*")
_WEB = re.compile(r"(https?)://([^/?#{}]*)(?=[/?#])(.*)")
_CHECK = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_COUNTRY = re.compile("[A-Z]{2}")
_NID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])")

_TEMPLATE = "RFC 6570 section 2"
_RESOLUTION = "RFC 8141 section 6.4.6"
_SYNTAX = "RFC 8141 section 6.4.2"
_PURPOSE = "RFC 8141 section 6.4.1"


class ExampleJudge(Protocol):
    """Whoever judges names, asked for examples of a namespace that is not registered so yet."""

    def __call__(
        self, name: str, profile: NamespaceProfile, equivalence: Equivalence, syntax: str
    ) -> Callable[[URN], str]:
        """What says why a URN is no name by these rules, and nothing of one that may be one.

        ``syntax`` is that section of the template, which may hold a grammar.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileLimits:
    """What is asked of a profile.

    ``unsafe_in`` says why a pattern may not be used, and nothing of one that may. ``judge`` judges
    the examples, as any name is judged.
    ``takes_http``: services may answer over http too; those that are ``known`` always may, as
    ``known_patterns`` may be used, each where case does not count as it is told.
    """

    unsafe_in: Callable[[str, bool], str]
    judge: ExampleJudge
    takes_http: bool = False
    known: frozenset[ResolutionService] = frozenset()
    known_patterns: frozenset[tuple[str, bool]] = frozenset()

    def forbids(self, expression: str, *, folds: bool = False) -> str:
        """Why a pattern may not be used, by the case that counts; empty for one that may."""
        if len(expression) > LONGEST_PATTERN:
            return _too_long(expression, LONGEST_PATTERN)
        # what is quick where case does not count is no slower where it does
        known = {(expression, folds), (expression, True)}
        is_known = not known.isdisjoint(self.known_patterns)
        return "" if is_known else self.unsafe_in(expression, folds)


def check_profile(
    name: str,
    profile: NamespaceProfile,
    limits: ProfileLimits,
    equivalence: Equivalence = PLAIN,
    syntax: str = "",
) -> Iterator[SubmissionFinding]:
    """Everything that forbids that the namespace of a folded name says so of itself.

    A finding's field is a member of the profile, or ``services.2.target`` for the second service.
    Whether what the profile says is true is not asked. Examples are judged as names are, by the
    pattern or the grammar in ``syntax`` and by the check: by ``equivalence``, case and hyphens may
    not count.

    Source: RFC 8141 sections 6.4.1, 6.4.2 and 6.4.6.
    """
    yield from _check_texts(profile)
    if profile.homepage:
        for message in _check_address(profile.homepage, takes_http=True):
            yield _finding("homepage", "address", message, _PURPOSE)
    yield from _check_related(name, profile)
    broken = _unsafe(profile.pattern, limits, folds=equivalence.folds_whole)
    if broken:
        yield _finding("pattern", "pattern", broken, _SYNTAX)
    pattern = None if broken else profile.pattern
    judged = replace(profile, pattern=pattern)
    yield from _check_examples(
        name, judged, lambda: limits.judge(name, judged, equivalence, "" if broken else syntax)
    )
    yield from check_resolution(profile.resolution, pattern, limits)


def check_resolution(
    resolution: Resolution, pattern: NssPattern | None, limits: ProfileLimits
) -> Iterator[SubmissionFinding]:
    """What forbids that names are resolved so; their pattern gives variables to the services.

    The pattern is one that may be used.

    Source: RFC 8141 section 6.4.6 and RFC 6570.
    """
    services = resolution.services
    yield from _check_text("says", resolution.says, LONGEST_TEXT)
    if len(services) > MOST_SERVICES:
        message = f"There are {len(services)} services. Keep at most {MOST_SERVICES}."
        yield _finding("services", "too-many", message)
        return
    if services and resolution.resolvability is Resolvability.NOT_RESOLVED:
        message = (
            "URNs that aren't meant to be resolved can't have a service. Change one of the two."
        )
        yield _finding("services", "contradiction", message)
    if resolution.is_choice and len(services) < 2:
        yield _finding("choice", "choice", "A choice needs at least two services. Add one.")
    groups = _named_in(pattern.expression) if pattern else frozenset()
    seen = set[tuple[str, str, str]]()
    for place, service in enumerate(services, 1):
        key = (service.kind, service.target, service.when)
        if key in seen:
            message = f"Service {place} is a duplicate. Remove it."
            yield _finding(f"services.{place}.target", "twice", message)
        seen.add(key)
        yield from check_service(service, groups, limits, f"services.{place}")


def check_service(
    service: ResolutionService, groups: frozenset[str], limits: ProfileLimits, place: str
) -> Iterator[SubmissionFinding]:
    """What forbids one service; ``groups`` are the named ones of the namespace's pattern.

    Source: RFC 6570 and RFC 2483 section 4.
    """
    for member in _OF_SERVICE:
        yield from _check_text(f"{place}.{member}", getattr(service, member), LONGEST_FACT)
    unsafe = limits.forbids(service.when) if service.when else ""
    if unsafe:
        yield _finding(f"{place}.when", "pattern", unsafe)
    known = {"nss"} | groups | (frozenset() if unsafe else _named_in(service.when))
    takes_http = limits.takes_http or service in limits.known
    for message in _check_target(service.target, known, takes_http=takes_http):
        yield _finding(f"{place}.target", "target", message, _TEMPLATE)
    yield from _check_declared(service, place)
    yield from _check_days(service, place)


def _check_declared(service: ResolutionService, place: str) -> Iterator[SubmissionFinding]:
    if service.media_type and not _MEDIA_TYPE.fullmatch(service.media_type):
        message = f"`{service.media_type[:80]}` is not a media type. Enter one such as `text/html`."
        yield _finding(f"{place}.media_type", "media-type", message, "RFC 6838 section 4.2")
    if service.language and not _LANGUAGE.fullmatch(service.language):
        message = f"`{service.language[:80]}` is not a language tag. Enter one such as `fi`."
        yield _finding(f"{place}.language", "language", message, "RFC 5646 section 2.1")
    if service.country and not _COUNTRY.fullmatch(service.country):
        message = (
            f"`{service.country[:80]}` is not a country code. Enter two letters, such as `FI`."
        )
        yield _finding(f"{place}.country", "country", message, "ISO 3166-1")


def _check_days(service: ResolutionService, place: str) -> Iterator[SubmissionFinding]:
    days = {"since": service.since, "until": service.until}
    wrong = [member for member, day in days.items() if day and not is_date(day)]
    for member in wrong:
        message = f"`{days[member][:80]}` is not a date. Enter it as YYYY-MM-DD."
        yield _finding(f"{place}.{member}", "day", message)
    if not wrong and service.since and service.until and service.until < service.since:
        message = "The end date is before the start date. Correct one of them."
        yield _finding(f"{place}.until", "day", message)


# ---- targets


def _check_target(target: str, known: set[str], *, takes_http: bool) -> Iterator[str]:
    plain = _VARIABLES.sub("x", target)
    if "{" in plain or "}" in plain:
        yield "The braces contain no variable. Use one such as `{+nss}`."
        return
    unknown = sorted(set(URITemplate(target).variable_names) - known)
    if unknown:
        told = ", ".join(f"`{name}`" for name in sorted(known))
        yield f"`{unknown[0][:80]}` is not a variable. Use {told}."
    yield from _check_address(target, takes_http=takes_http)


def _check_address(address: str, *, takes_http: bool) -> Iterator[str]:
    parts = _WEB.fullmatch(f"{address}/")  # a path or a query ends the host
    if parts is None or not _URI.fullmatch(_VARIABLES.sub("x", address)):
        yield "Enter an address that begins with `https://`, in ASCII characters."
        return
    if parts[1] != "https" and not takes_http:
        yield (
            "The address begins with `http`. Use `https://`, or ask the operator to allow `http`."
        )
    yield from check_host(parts[2])


# ---- names


def _check_examples(
    name: str, profile: NamespaceProfile, judge: Callable[[], Callable[[URN], str]]
) -> Iterator[SubmissionFinding]:
    if len(profile.examples) > MOST_EXAMPLES:
        message = f"There are {len(profile.examples)} examples. Keep at most {MOST_EXAMPLES}."
        yield _finding("examples", "too-many", message, _SYNTAX)
        return
    refusal_of = judge() if profile.examples else str
    for place, example in enumerate(profile.examples, 1):
        yield from _check_text(f"examples.{place}", example.source, LONGEST_FACT)
        message = _check_example(name, example.urn, refusal_of)
        if message:
            yield _finding(f"examples.{place}", "example", message, _SYNTAX)


def _check_example(name: str, text: str, refusal_of: Callable[[URN], str]) -> str:
    try:
        urn = parse_urn(text)
    except InvalidURN as error:
        return f"`{text[:80]}` is not a valid URN: {error}"
    if urn.nid.lower() != name:
        return f"`{text[:80]}` belongs to the namespace `{urn.nid}`. Enter a URN of `{name}`."
    return refusal_of(urn)


def _unsafe(pattern: NssPattern | None, limits: ProfileLimits, *, folds: bool) -> str:
    if pattern is None:
        return ""
    if not pattern.expression:
        return "This line is empty. Remove it."
    return limits.forbids(pattern.expression, folds=folds)


def _named_in(expression: str) -> frozenset[str]:
    return frozenset(re.compile(expression, re.ASCII).groupindex)


# ---- texts


def _check_texts(profile: NamespaceProfile) -> Iterator[SubmissionFinding]:
    for member in _LINES:
        yield from _check_text(member, getattr(profile, member), LONGEST_FACT)
    for member in _TEXTS:
        yield from _check_text(member, getattr(profile, member), LONGEST_TEXT)
    if profile.pattern is not None:
        yield from _check_text("pattern", profile.pattern.source, LONGEST_FACT)
    if profile.check and not _CHECK.fullmatch(profile.check):
        message = (
            f"`{profile.check[:80]}` is not a check algorithm. Enter its name, such as `isbn`."
        )
        yield _finding("check", "check", message, _SYNTAX)
    if len(profile.rules) > MOST_ROWS:
        message = f"There are {len(profile.rules)} rules. Keep at most {MOST_ROWS}."
        yield _finding("rules", "too-many", message, _SYNTAX)
        return
    for place, rule in enumerate(profile.rules, 1):
        for words in (rule.rule, rule.clause, rule.unapplied):
            yield from _check_text(f"rules.{place}", words, LONGEST_FACT)
        if not (rule.rule.strip() and rule.clause.strip()):
            message = "A rule needs a sentence and the clause it comes from. Enter both."
            yield _finding(f"rules.{place}", "clause", message, _SYNTAX)


def _check_text(field: str, text: str, most: int) -> Iterator[SubmissionFinding]:
    if len(text) > most:
        yield _finding(field, "too-long", _too_long(text, most))
    bad = _CONTROLS.search(text) or (most == LONGEST_FACT and re.search("[\n\t]", text)) or None
    if bad:
        message = (
            f"Character {bad.start() + 1} is U+{ord(bad[0]):04X}, which isn't allowed. Remove it."
        )
        yield _finding(field, "control-character", message)


def _too_long(text: str, most: int) -> str:
    return f"This has {len(text):,} characters. Use at most {most:,}."


def _check_related(name: str, profile: NamespaceProfile) -> Iterator[SubmissionFinding]:
    if len(profile.related) > MOST_ROWS:
        message = f"There are {len(profile.related)} related namespaces. Keep at most {MOST_ROWS}."
        yield _finding("related", "too-many", message, _PURPOSE)
        return
    for other in profile.related:
        if other == name or not _NID.fullmatch(other):
            message = f"`{other[:80]}` is not the NID of another namespace. Remove it."
            yield _finding("related", "related", message, _PURPOSE)


def _finding(field: str, code: str, message: str, source: str = _RESOLUTION) -> SubmissionFinding:
    return SubmissionFinding(field=field, code=code, message=message, source=source)
