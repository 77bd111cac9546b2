"""What came of a name, for programs: members of a JSON document."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from app.identifiers.errors import InvalidURN
from app.identifiers.nid import fold_nid
from app.identifiers.urn import URN
from app.identifiers.urn_reports import error_report
from app.registration.profiles.profile_records import ResolutionService, Resolvability
from app.registration.profiles.profile_wording import GIVES, RESOLVED
from app.registration.records.registry_records import Status
from app.registration.records.succession import last_successor
from app.resolution.judgement import Ground, Judgement, judge_text, nid_words
from app.resolution.namespace_rules import NamespaceRules, Possibility, RuleBook
from app.resolution.service_choice import Destination
from app.resolution.urn_resolver import (
    BadSyntax,
    EqualChoice,
    ImpossibleName,
    Outcome,
    ResolvedName,
    Unregistered,
    UnresolvedName,
    Withdrawn,
)

NAMES = "/names/"
UNDER = f"{NAMES}under/"  # below which names that begin alike are listed
LONGEST_TARGET = 8 * 1024  # octets of what is asked for
_NOT_OF_SEGMENT = re.compile("%(?:2[35Ff]|3[Ff])")  # what stands in none but encoded: # % / ?
_SEGMENT = "~!$&'()*+,;=:@"  # of pchar, RFC 3986 appendix A, besides what is always kept


def name_path(urn: str) -> str:
    return NAMES + quote(urn, safe=_SEGMENT)


def successor_path(successor: str) -> str:
    is_address = successor.startswith(("http://", "https://"))
    return successor if is_address else name_path(successor)


def names_under_path(beginning: str) -> str:
    return UNDER + quote(beginning, safe=_SEGMENT)


def name_at(segment: str) -> str:
    """The name whose page is at a path that goes on so after ``NAMES``; any text at all. Any other
    encoding is the name's own: ``urn:example:%31`` is another name than ``urn:example:1``.

    Source: RFC 8141 section 3.1; RFC 3986 section 3.3.
    """
    if ":" not in segment:
        return unquote(segment, encoding="latin-1")
    return _NOT_OF_SEGMENT.sub(lambda found: unquote(found[0]), segment)


def successor_of(rules: NamespaceRules, book: RuleBook) -> str:
    return last_successor(rules, book.find, fold_nid)


_LONGEST_TITLE = 80
_OF_URNS = "RFC 8141 section 5"
_SUCCESSION = (str(Status.DEPRECATED), str(Status.FORMER))  # codes of grounds
_NO_WAY = {
    **RESOLVED,
    Resolvability.RESOLVED: ("The registry has no service that resolves this URN."),
}
_POSSIBLE = {
    Possibility.POSSIBLE: ("ok", "Valid {} URN."),
    Possibility.NOT_RULED_OUT: ("ok", "No error found in this {} URN."),
    Possibility.NOT_FIXED: (
        "look",
        "Can't tell if this is a valid {} URN: the registration doesn't define the syntax.",
    ),
    Possibility.IMPOSSIBLE: ("problem", "Not a valid {} URN."),
}


class StandingEdition(NamedTuple):
    """An edition by whose rules a name is judged: its day, and ``folder``, where it is."""

    number: int
    day: str
    folder: str

    def at(self, path: str) -> str:
        return f"{self.folder}{path.removeprefix('/')}"


class NameContext(NamedTuple):
    """What a page of a name says beside what came of it.

    ``services`` are all that know the name, ``successor`` the namespace to use instead. ``home`` is
    the address of the registry where this is a copy of it, otherwise empty. ``standing`` is the
    edition that the name is shown of; None for the current one. ``list_path`` is where names that
    begin so are listed; empty where there are none. ``prefix_words`` say of a prefix that it is
    one, and who holds it.
    """

    outcome: Outcome
    services: tuple[Destination, ...] = ()
    successor: str = ""
    home: str = ""
    standing: StandingEdition | None = None
    list_path: str = ""
    prefix_words: str = ""

    def at(self, path: str) -> str:
        return self.standing.at(path) if self.standing else path


def outcome_headline(outcome: Outcome, standing: StandingEdition | None = None) -> str:
    """What came of a name, as a title."""
    judgement = outcome.judgement
    match outcome:
        case BadSyntax():
            return "Not a URN"
        case Unregistered():
            return unregistered_headline(nid_of(judgement), standing)
        case ImpossibleName():
            return f"Not a valid {nid_words(nid_of(judgement)).strip(chr(96))} URN"
        case Withdrawn():
            return f"Namespace {nid_of(judgement)} is no longer registered"
        case EqualChoice():
            return f"Choose a target for {shorten_text(judgement.normal_form, _LONGEST_TITLE)}"
        case _:
            return shorten_text(judgement.normal_form, _LONGEST_TITLE)


def unregistered_headline(nid: str, standing: StandingEdition | None = None) -> str:
    return f"urn:{nid}: {'was' if standing else 'is'} not registered"


def outcome_reasons(context: NameContext) -> Iterator[Ground]:
    """Why it came so, the most important first, each with its clause."""
    outcome = context.outcome
    judgement, rules = outcome.judgement, outcome.judgement.rules
    match outcome:
        case BadSyntax() if judgement.error:
            yield Ground(judgement.error.code, judgement.error.message, judgement.error.source)
        case Unregistered() if context.standing:
            told = f"Edition {context.standing.number} has no namespace `{nid_of(judgement)}`."
            yield Ground("unregistered", told, _OF_URNS)
        case Unregistered():
            yield from judgement.grounds
        case Withdrawn():
            instead = f" Use `{context.successor}` instead." if context.successor else ""
            words = (
                f"The namespace `{nid_of(judgement)}` is no longer registered. Its NID is never "
                f"reused.{instead}"
            )
            yield Ground("withdrawn", words, "RFC 8141 section 5.1")
        case ImpossibleName():
            yield from judgement.grounds or [
                Ground("impossible", f"Not a valid {nid_words(nid_of(judgement))} URN.", _OF_URNS)
            ]
        case UnresolvedName() if rules:
            said = (
                rules.resolution.resolvability if outcome.is_meant else Resolvability.NOT_RESOLVED
            )
            unknown = f"{_source_words(context)} no resolver for `{nid_of(judgement)}`."
            yield Ground("no_way", _NO_WAY[said] if rules.has_profile else unknown, "")


def outcome_detail(context: NameContext) -> str:
    return " ".join(ground.message for ground in outcome_reasons(context))


def deprecation_words(name: str, successor: str) -> str:
    instead = f" Use `{successor}` for new names." if successor else ""
    return f"The namespace `{name}` is deprecated.{instead}"


def outcome_remarks(context: NameContext) -> tuple[Ground, ...]:
    return tuple(note for note in context.outcome.judgement.notes if note.code not in _SUCCESSION)


def service_answer_words(service: ResolutionService) -> str:
    return GIVES[service.kind]


def possibility_in_words(context: NameContext) -> tuple[str, str] | None:
    """Whether there can be such a name: a word for its kind, and a sentence."""
    judgement = context.outcome.judgement
    if judgement.possibility is None or judgement.standing is None:
        return None
    kind, words = _POSSIBLE[judgement.possibility]
    if judgement.possibility is Possibility.NOT_FIXED and not judgement.standing.has_profile:
        source = f"{_source_words(context)[0].lower()}{_source_words(context)[1:]}"
        words = f"Can't tell if this is a valid {{}} URN: {source} no syntax rules for it."
    return kind, words.format(nid_words(nid_of(judgement)))


def _source_words(context: NameContext) -> str:
    return f"{'This edition' if context.standing else 'The registry'} has"


def nid_of(judgement: Judgement) -> str:
    return judgement.urn.nid.lower() if judgement.urn else ""


def shorten_text(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"


class CheckedURN(NamedTuple):
    """One text of a list. ``number`` is its place from 1, and ``same_as`` that of the first of the
    list that names the same, where that is another: by RFC 8141 section 3.1, and by the rules of
    its namespace."""

    number: int
    judgement: Judgement
    own_form: str
    same_as: int | None

    @property
    def text(self) -> str:
        return self.judgement.text

    @property
    def urn(self) -> URN | None:
        return self.judgement.urn

    @property
    def error(self) -> InvalidURN | None:
        return self.judgement.error

    @property
    def fault(self) -> dict[str, object] | None:
        if self.error is not None:
            return error_report(self.error)
        found = self.judgement
        return None if self.is_urn else _fault_among(found, found.grounds, found.notes)

    @property
    def registered(self) -> str | None:
        rules = self.judgement.rules
        return rules.name if rules and self.judgement.is_registered else None

    @property
    def is_urn(self) -> bool:
        return self.judgement.is_name

    @property
    def joined(self) -> str | None:
        return self.own_form if self.own_form != self.judgement.normal_form else None

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(_beginning, self.judgement.clauses_of(self.own_form))))


LONGEST_CLAUSE = 300  # characters


def check_urns(texts: Iterable[str], book: RuleBook) -> Iterator[CheckedURN]:
    """Check texts in their order. Raises nothing; holds the form of each that was seen.

    Source: RFC 8141 sections 2, 3 and 5.
    """
    first: dict[str, int] = {}
    for number, text in enumerate(texts, 1):
        found = judge_text(text, book)
        form = found.own_form
        begun = first.setdefault(form, number) if form else number
        yield CheckedURN(number, found, form, begun if begun != number else None)


def _beginning(clause: str) -> str:
    return clause if len(clause) <= LONGEST_CLAUSE else f"{clause[:LONGEST_CLAUSE]}…"


COLUMNS = (
    "number",
    "input",
    "well_formed",
    "urn",
    "nid",
    "nss",
    "r_component",
    "q_component",
    "f_component",
    "normal_form",
    "rfc2141_valid",
    "same_as",
    "own_form",
    "clauses",
    "possibility",
    "why",
    "corrected",
    "correction",
    "error",
)


def checked_row(checked: CheckedURN) -> tuple[object, ...]:
    """The values of ``COLUMNS`` for one text; absent ones are None."""
    urn, found = checked.urn, checked.judgement
    if urn is None:
        told = (checked.number, checked.text, False, False, *_NO_URN)
        return (*told, *_correction(found), checked.fault)
    grounds, notes = found.grounds, found.notes  # made when they are asked for, and of many names
    return (
        checked.number,
        checked.text,
        True,
        checked.is_urn,
        urn.nid,
        urn.nss,
        urn.r_component,
        urn.q_component,
        urn.f_component,
        urn.normal_form,
        urn.rfc2141_valid,
        checked.same_as,
        checked.joined,
        list(checked.clauses) or None,
        found.possibility and str(found.possibility),
        list(map(_sentence, (*grounds, *notes))),
        *_correction(found),
        None if checked.is_urn else _fault_among(found, grounds, notes),
    )


def _fault_among(
    found: Judgement, grounds: Sequence[Ground], notes: Sequence[Ground]
) -> dict[str, object]:
    is_former = found.rules is not None and not found.is_registered
    ground = (notes if is_former else grounds)[0]
    source = _beginning(ground.clause)
    return {"code": ground.code, "message": ground.message, "position": None, "source": source}


_NO_URN = (*(None,) * 6, False, *(None,) * 5)


def reasons_to(found: Judgement) -> list[str]:
    return sentences_of((*found.grounds, *found.notes))


def sentences_of(grounds: Iterable[Ground]) -> list[str]:
    return list(map(_sentence, grounds))


def _sentence(ground: Ground) -> str:
    return f"{ground.message} ({_beginning(ground.clause)})" if ground.clause else ground.message


def json_line(checked: CheckedURN) -> str:
    """One JSON object in ASCII, with a line end."""
    urn, found = checked.urn, checked.judgement
    form = urn.normal_form if urn else ""
    if urn is None or checked.own_form != form or found.correction:
        return json.dumps(dict(zip(COLUMNS, checked_row(checked), strict=True))) + "\n"
    same = "null" if checked.same_as is None else checked.same_as
    nid, nss = urn.nid_and_nss
    possibility = f'"{found.possibility}"' if found.possibility else "null"
    return (
        f'{{"number": {checked.number}, "input": "{checked.text}", "well_formed": true, '
        f'"urn": {"true" if checked.is_urn else "false"}, "nid": "{nid}", "nss": "{nss}", '
        f'"r_component": {_quoted(urn.r_component)}, "q_component": {_quoted(urn.q_component)}, '
        f'"f_component": {_quoted(urn.f_component)}, "normal_form": "{form}", '
        f'"rfc2141_valid": {"true" if urn.rfc2141_valid else "false"}, "same_as": {same}, '
        f'"own_form": null, "clauses": null, "possibility": {possibility}, '
        f'"why": {_why((*found.grounds, *found.notes))}, "corrected": null, "correction": null, '
        f'"error": {"null" if checked.is_urn else json.dumps(checked.fault)}}}\n'
    )


def _correction(found: Judgement) -> tuple[str | None, str | None]:
    correction = found.correction
    return (correction.identifier, correction.why) if correction else (None, None)


def found_report(found: Judgement) -> dict[str, object]:
    """What is told of a URN that stands in a text, as JSON-ready values."""
    rules = found.rules if found.is_registered else None
    corrected, correction = _correction(found)
    error = found.error
    return {
        "urn": found.text,
        "nid": found.urn.nid if found.urn else None,
        "registered": rules.name if rules else None,
        "possibility": found.possibility and str(found.possibility),
        "why": [f"{error.message} ({error.source})"] if error else reasons_to(found),
        "corrected": corrected,
        "correction": correction,
    }


@lru_cache(maxsize=1_024)
def _why(grounds: tuple[Ground, ...]) -> str:
    return json.dumps(list(map(_sentence, grounds)))


def _quoted(component: str | None) -> str:
    return "null" if component is None else f'"{component}"'


Document = dict[str, Any]

WORDS: dict[type[Outcome], str] = {
    BadSyntax: "bad syntax",
    Unregistered: "not registered",
    ImpossibleName: "impossible",
    Withdrawn: "withdrawn",
    UnresolvedName: "no further way",
    ResolvedName: "led",
    EqualChoice: "choice",
}


def outcome_to(
    outcome: Outcome,
    services: tuple[Destination, ...] = (),
    grounds: tuple[Ground, ...] | None = None,
) -> Document:
    """What came of a name; empty members are left out.

    ``services`` are all that know the name, ``grounds`` why it came so, where the judgement does
    not say that, as of a name that an earlier edition lacks.
    """
    judgement = outcome.judgement
    grounds = judgement.grounds if grounds is None else grounds
    members = {
        "outcome": WORDS[type(outcome)],
        **_name_to(judgement),
        "possibility": _possibility_of(judgement),
        "grounds": [ground_to(one) for one in grounds],
        "notes": [ground_to(one) for one in judgement.notes],
        "why": sentences_of((*grounds, *judgement.notes)),
        "corrected": judgement.corrected,
        "correction": judgement.correction and judgement.correction.why,
        "nearest": nearest_to(outcome.nearest) if isinstance(outcome, Unregistered) else [],
        "namespace": judgement.rules and namespace_to(judgement.rules),
        "services": [destination_to(one) for one in services],
    }
    empty: tuple[object, ...] = (None, "", [])  # and not 0, which is a position
    return {name: value for name, value in members.items() if value not in empty}


def standing_to(standing: StandingEdition | None, name: str) -> Document:
    """The edition that a name is shown of, and where it is told what it is now; nothing for the
    current one."""
    if standing is None:
        return {}
    return {"edition": standing.number, "as_of": standing.day, "current": name_path(name)}


def destination_to(destination: Destination) -> Document:
    """A service as profiles tell it, ``target`` being where it has the name."""
    service = destination.service
    members = {
        "kind": str(service.kind),
        "target": destination.target,
        "media_type": service.media_type,
        "language": service.language,
        "country": service.country,
    }
    told = {name: value for name, value in members.items() if value}
    return {**told, "registrant": destination.is_registrants, "sure": service.is_sure}


def ground_to(ground: Ground) -> Document:
    return {"code": ground.code, "message": ground.message, "source": ground.clause}


def nearest_to(names: Iterable[str]) -> list[Document]:
    return [{"name": name, "url": f"/namespaces/{name}"} for name in names]


def _name_to(judgement: Judgement) -> Document:
    urn, error = judgement.urn, judgement.error
    if urn is None:
        told = error and {"code": error.code, "position": error.position, "source": error.source}
        return {"input": judgement.text, **(told or {})}
    own = judgement.own_form if judgement.own_form != judgement.normal_form else ""
    return {
        "normal_form": judgement.normal_form,
        "nid": urn.nid.lower(),
        "nss": judgement.normal_form.split(":", 2)[2],
        "own_form": own,
        "clauses": list(judgement.clauses),
    }


def _possibility_of(judgement: Judgement) -> str:
    rules, found = judgement.standing, judgement.possibility
    is_unknown = found is Possibility.NOT_FIXED and rules is not None and not rules.has_profile
    return "" if found is None or is_unknown else str(found)


def namespace_to(rules: NamespaceRules) -> Document:
    """A namespace as a document: what is told of it with each of its names."""
    status = "" if rules.status is Status.REGISTERED else str(rules.status)
    members = {
        "name": rules.name,
        "kind": rules.kind,
        "title": rules.title,
        "names": rules.names,
        "example": rules.example,
        "status": status,
        "successor": rules.successor,
        "resolvability": str(rules.resolution.resolvability) if rules.has_profile else "",
        "says": rules.resolution.says,
    }
    return {name: value for name, value in members.items() if value}
