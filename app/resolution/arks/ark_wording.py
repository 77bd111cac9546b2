"""What came of an ARK, in words for people; pages and problem documents say the same."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from app.identifiers.corrections import IdentifierCorrection
from app.identifiers.spelling import spell_list
from app.registration.records.registry_records import Status
from app.resolution.arks.ark_outcomes import (
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
from app.resolution.arks.ark_policies import declared_policies
from app.resolution.arks.ark_rules import ArkRedirect, ArkRules
from app.resolution.judgement import Ground
from app.resolution.name_paths import LONGEST_TARGET
from app.resolution.outcome_wording import StandingEdition, shorten_text

_LONGEST_TITLE = 80
_NAAS = "The ARK URI scheme section 3.1"
_HTTP = "The ARK URI scheme section 7.1.2"
_LENGTHS = "The ARK URI scheme section 7.1.1"


class ArkNameContext(NamedTuple):
    """What a page of an ARK says beside what came of it.

    ``holders`` are the rules of its shoulder, if it has one, and of its NAAN; ``path_of`` gives the
    path of the page that a NAAN or a shoulder has, empty where it has none. ``home`` is the address
    of the registry where this is a copy of it, otherwise empty. ``is_refused``: it leads nowhere.
    ``standing`` is the edition that it is shown of; None for the current one. ``list_path`` is
    where names that begin so are listed; empty where there are none. ``prefix_words`` say of a
    prefix that it is one, and who holds it. ``correction`` is the ARK that the request was probably
    meant for.
    """

    outcome: ArkOutcome
    holders: tuple[ArkRules, ...]
    path_of: Callable[[str], str]
    home: str = ""
    is_refused: bool = False
    standing: StandingEdition | None = None
    list_path: str = ""
    prefix_words: str = ""
    correction: IdentifierCorrection | None = None

    def at(self, path: str) -> str:
        return self.standing.at(path) if self.standing else path


def ark_headline(outcome: ArkOutcome) -> str:
    """What came of an ARK, as a title."""
    request = outcome.request
    match outcome:
        case BadArkSyntax():
            return "Not an ARK"
        case OverlongArk():
            return "ARK too long"
        case UnregisteredNaan():
            return f"NAAN {shorten_text(request.naan, _LONGEST_TITLE)} is not registered"
        case WithdrawnNaan():
            return f"{prefix_words(outcome.rules)} is no longer registered"
        case NaanAlone() | ShoulderAlone():
            return prefix_words(outcome.rules)
        case InflectedArk():
            return f"Information about {shorten_text(f'ark:{request.path}', _LONGEST_TITLE)}"
        case _:
            return shorten_text(f"ark:{request.path}", _LONGEST_TITLE)


def prefix_words(rules: ArkRules) -> str:
    return f"{'Shoulder' if rules.shoulder else 'NAAN'} {rules.prefix}"


def ark_reasons(outcome: ArkOutcome) -> Iterator[Ground]:
    """Why it came so, the most important first, each with its clause."""
    match outcome:
        case BadArkSyntax() | OverlongArk():
            yield from _unread(outcome)
        case UnregisteredNaan():
            yield from _unregistered(outcome)
        case WithdrawnNaan():
            yield _withdrawn(outcome.rules)
        case NaanAlone() | ShoulderAlone():
            yield from _alone(outcome.rules)
        case InflectedArk():
            yield from _known(outcome)
        case ResolvedArk() | ArkHandedOn():
            yield from _led(outcome)
        case UnresolvedArk():
            yield outcome.ground
        case CircularArk():
            yield _leading_back(outcome.rules)


def _unread(outcome: BadArkSyntax | OverlongArk) -> Iterator[Ground]:
    if isinstance(outcome, OverlongArk):
        message = f"ARKs can have at most {LONGEST_TARGET:,} characters. Shorten it."
        yield Ground("too_long", message, _LENGTHS)
        return
    if error := outcome.request.error:
        yield Ground(error.code, error.message, error.source)
    if outcome.correction:
        yield meant_ground(outcome.correction)


def meant_ground(correction: IdentifierCorrection) -> Ground:
    meant = shorten_text(correction.identifier, _LONGEST_TITLE)
    return Ground("meant", f"Did you mean `{meant}`? {correction.why}", "")


def _leading_back(rules: ArkRules) -> Ground:
    message = (
        f"The target of {prefix_words(rules)} is this site, which has no more information "
        "than this page."
    )
    return Ground("leads_back", message, _HTTP)


def _unregistered(outcome: UnregisteredNaan) -> Iterator[Ground]:
    naan = shorten_text(outcome.request.naan, _LONGEST_TITLE)
    message = (
        f"NAAN `{naan}` is not registered. To assign ARKs, an organization requests a "
        "NAAN from this registry."
    )
    yield Ground("naan_unknown", message, _NAAS)
    if outcome.nearest:
        near = spell_list([f"`{one}`" for one in outcome.nearest])
        yield Ground("nearest", f"Did you mean {near}?", "")


def _withdrawn(rules: ArkRules) -> Ground:
    instead = f" Use `{rules.successor}` instead." if rules.successor else ""
    message = (
        f"{prefix_words(rules)} is withdrawn and is never reused. Its ARKs no longer "
        f"resolve.{instead}"
    )
    return Ground("withdrawn", message, _NAAS)


def _alone(rules: ArkRules) -> Iterator[Ground]:
    what = "shoulder" if rules.shoulder else "NAAN"
    message = f"This is a {what}, not a complete ARK. ARKs start with it."
    yield Ground("no_name", message, _NAAS)
    if rules.status is Status.FORMER:
        yield _withdrawn(rules)
    yield holder_ground(rules)


def holder_ground(rules: ArkRules) -> Ground:
    """Who has a NAAN or a shoulder, in a sentence that speaks of nothing that is named."""
    holder = rules.holder or "a holder not named in the registry"
    acronym = f" ({rules.acronym})" if rules.acronym and rules.acronym != rules.holder else ""
    since = f", since {rules.since}" if rules.since else ""
    kind = "the shoulder" if rules.shoulder else "the NAAN"
    message = f"ARKs under `ark:{rules.prefix}` are assigned by {holder}{acronym}"
    return Ground("holder", f"{message}, holder of {kind}{since}.", _NAAS)


def _known(outcome: InflectedArk) -> Iterator[Ground]:
    message = (
        "This resolver knows the holder and the target of this prefix. For details of "
        "the object, ask the holder."
    )
    yield Ground("about_prefix", message, "The ARK URI scheme section 3.4")
    if outcome.rules.status is Status.FORMER:
        yield _withdrawn(outcome.rules)
    for rules in outcome.holders:
        yield holder_ground(rules)
        yield from _declared(rules)
    yield from outcome.notes


def _declared(rules: ArkRules) -> Iterator[Ground]:
    said = f"Policy of {rules.holder or 'the holder'} for ARKs under `ark:{rules.prefix}`:"
    for one in declared_policies(rules):
        yield Ground(one.code, f"{said} {one.message}", one.clause)


def _led(outcome: ResolvedArk | ArkHandedOn) -> Iterator[Ground]:
    is_related = outcome.rules.redirect is ArkRedirect.SEE_OTHER
    there = "A related resource" if is_related else "The object"
    yield Ground("led", f"{there} is at {outcome.target}.", _HTTP)
    yield from outcome.notes
