"""A namespace's profile as its page shows it: names taken apart, the pattern, services."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.exports.content.name_presentation import has_name_feeds
from app.exports.content.selection import xrefs_in
from app.exports.search.search_terms import words_of
from app.grammar.expressions.regular_expressions import (
    ALPHABET,
    Alternation,
    CharacterClass,
    Concatenation,
    Expression,
    InvalidExpression,
    Quantification,
    read_expression,
)
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn
from app.pages.diagrams.qr_code import draw_qr_code
from app.pages.namespaces.ark_prefix_view import ark_prefix_view
from app.pages.namespaces.template_summary import examples_in
from app.pages.text.phrases import IdentifierPart
from app.pages.tools.urn_tool import LABELS, pieces_of
from app.registration.declarations.registries import REGISTRIES
from app.registration.profiles.equivalence_answers import equivalence_sentences
from app.registration.profiles.profile_records import (
    NO_PROFILE,
    ExampleName,
    NamespaceProfile,
    NssPattern,
    Resolution,
    ResolutionService,
    Resolvability,
)
from app.registration.profiles.profile_wording import CASES, RESOLVED, rule_in_words, service_label
from app.registration.records.registry_records import (
    Registration,
    Status,
    SubRegistry,
    Xref,
    XrefType,
)
from app.resolution.check_digits import ALGORITHMS
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.outcome_documents import name_path
from app.resolution.record_rules import rules_of, told_pattern_of, unused_grammar_of
from app.resolution.service_choice import ServiceChooser

_ORDER = (XrefType.RFC, XrefType.DRAFT)
_FORMER = re.compile(
    r"\b(?:replaces the registration in|obsoletes) RFC (\d{1,5})\b"
    r"|\bRFC (\d{1,5}), which this registration replaced\b",
    re.IGNORECASE | re.ASCII,
)


def documents_of(record: Registration) -> tuple[Xref, ...]:
    """The RFCs that a record refers to, then the drafts; where it has no reference, those that it
    names as its contact, as IANA does for a namespace that a working group registered."""
    cited = record.references or xrefs_in(record.contact or ())
    found = [xref for xref in cited if xref.type in _ORDER]
    return tuple(sorted(found, key=lambda xref: _ORDER.index(xref.type)))


def former_documents(profile: NamespaceProfile) -> tuple[Xref, ...]:
    """The RFCs of which a profile says that others took their place, the newest first."""
    numbers = {
        int(one or other) for text in _texts(profile) for one, other in _FORMER.findall(text)
    }
    return tuple(Xref(XrefType.RFC, f"rfc{number}") for number in sorted(numbers, reverse=True))


def _texts(profile: NamespaceProfile) -> Iterator[str]:
    yield profile.remarks
    yield from (example.source for example in profile.examples)


_OWN = "the template"
_MOST_BEGINNINGS = 4
_CAPITALIZED = re.compile("[A-Z][a-z]")
_HOST = re.compile(r"https?://([^/?#{]+)", re.ASCII)
_VARIABLE = re.compile(r"\{[+#./;?&]?([A-Za-z][A-Za-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class DissectedName:
    """A name of the namespace with its parts, and who shows it.

    ``page`` tells what is known of it; ``way`` leads on where a service is for it, and is empty
    where none is.
    """

    urn: str
    source: str
    pieces: tuple[IdentifierPart, ...]
    page: str
    way: str

    @property
    def labelled(self) -> tuple[tuple[str, IdentifierPart], ...]:
        """The parts of it that have a name."""
        return tuple((LABELS[one.kind], one) for one in self.pieces if one.kind in LABELS)


@dataclass(frozen=True, slots=True)
class ServiceRow:
    """A service as a row: ``names`` says which it is for, ``expression`` is a pattern of these."""

    service: ResolutionService
    gives: str
    host: str
    names: str
    expression: str = ""


@dataclass(frozen=True, slots=True)
class ProfileView:
    """All that a page says of a profile; nothing of it is claimed where the profile is empty.

    ``asked`` stands in the field in which a name is checked. ``unused_grammar`` says in a clause
    why names are not held to the grammar of the template. ``check`` says what the check character
    is by, and ``tells_check`` that a wrong one refuses nothing. ``same`` are sentences on spellings
    of one name, each with its clause. ``said`` are sentences on resolution, and
    ``documents`` what describes the namespace. ``named`` says what its
    names are for, unless its title does.
    """

    names: tuple[DissectedName, ...]
    asked: str
    named: str
    pattern: NssPattern | None
    unused_grammar: str
    check: str
    tells_check: bool
    same: tuple[tuple[str, str], ...]
    said: tuple[str, ...]
    documents: tuple[Xref, ...]
    services: tuple[ServiceRow, ...]
    is_known: bool


def profile_on_page(record: Registration) -> ProfileView:
    """What a page says of a record's profile, and of what its template says by field."""
    profile = record.profile
    names = tuple(_dissected(record, profile.examples or _own_examples(record)))
    algorithm = ALGORITHMS.get(profile.check)
    return ProfileView(
        names=names,
        asked=names[0].urn if names else f"urn:{record.folded}:",
        named=_named(profile),
        pattern=told_pattern_of(record),
        unused_grammar=unused_grammar_of(record),
        check=algorithm.clause if algorithm else "",
        tells_check=algorithm is not None and rules_of(record, "").tells_check,
        same=tuple(_same(record)),
        said=tuple(_said(profile.resolution)) if profile != NO_PROFILE else (),
        documents=documents_of(record),
        services=tuple(map(service_in_words, profile.resolution.services)),
        is_known=profile != NO_PROFILE,
    )


def _named(profile: NamespaceProfile) -> str:
    names = profile.names.strip().rstrip(".")
    said = f" {' '.join(words_of(profile.title))}".endswith(f" {' '.join(words_of(names))}")
    if said or not names:
        return ""
    return f"Identifies{':' if _CAPITALIZED.match(names) else ''} {names}."


def _own_examples(record: Registration) -> tuple[ExampleName, ...]:
    return tuple(ExampleName(urn=urn, source=_OWN) for urn in examples_in(record))


def _dissected(record: Registration, examples: tuple[ExampleName, ...]) -> Iterator[DissectedName]:
    chooser = _chooser(record)
    for example in examples:
        try:
            urn = parse_urn(example.urn)
        except InvalidURN:
            continue
        form = urn.normal_form
        own = record.equivalence.normal_form(urn)
        is_led = chooser is not None and bool(chooser.choose(urn, form, own)[0])
        way = f"/{form}" if is_led else ""
        yield DissectedName(example.urn, example.source, pieces_of(urn), name_path(form), way)


def _chooser(record: Registration) -> ServiceChooser | None:
    profile = record.profile
    if not profile.resolution.services or record.status is Status.FORMER:
        return None
    rules = NamespaceRules(
        name=record.name,
        pattern=profile.pattern,
        equivalence=record.equivalence,
        resolution=profile.resolution,
    )
    return ServiceChooser(rules)


def _same(record: Registration) -> Iterator[tuple[str, str]]:
    profile = record.profile
    if profile.rules:
        yield from ((_sentence(rule_in_words(one)), one.clause) for one in profile.rules)
    elif record.equivalence.rules:
        yield from equivalence_sentences(record.equivalence)
    elif profile.case:
        yield CASES[profile.case], ""


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:].rstrip(".") + "." if words else ""


def _said(resolution: Resolution) -> Iterator[str]:
    services = resolution.services
    yield RESOLVED[resolution.resolvability]
    if resolution.resolvability is Resolvability.RESOLVED and not services:
        yield "The registry has no resolver for this namespace."
    if services and not any(one.is_registrants for one in services):
        yield "The services listed here are not the registrant’s."
    if resolution.is_choice:
        yield "The services are equivalent: choose one."
    if resolution.sends_normal_form:
        yield "The services receive the URN in the namespace’s own normal form."
    if resolution.extends_names:
        yield "Text after the URN is passed on to the target."


def service_in_words(service: ResolutionService) -> ServiceRow:
    """A service as a row of words."""
    host = _HOST.match(service.target)
    names, expression = _names_of(service)
    where = host[1] if host else service.target
    return ServiceRow(service, service_label(service), where, names, expression)


def _names_of(service: ResolutionService) -> tuple[str, str]:
    if service.when:
        begun = [f"`{text}`" for text in pattern_beginnings(service.when)]
        return (
            (f"Starting with {' or '.join(begun)}", "")
            if begun
            else ("Matching a pattern", service.when)
        )
    variables = dict.fromkeys(_VARIABLE.findall(service.target))
    variables.pop("nss", None)
    parts = [f"`{name}`" for name in variables]
    return (f"With a part {' and '.join(parts)}" if parts else "All"), ""


def pattern_beginnings(expression: str) -> tuple[str, ...]:
    """Return the few texts that a match begins with if anything may follow, else ().

    ``[Ff][Ii][:-].*`` gives ``fi-`` and ``fi:``: a letter in both cases is written small.
    """
    try:
        node = read_expression(expression)
    except InvalidExpression:
        return ()
    if not isinstance(node, Concatenation) or not _is_anything(node.parts[-1]):
        return ()
    return tuple(text for text in _literals(Concatenation(node.parts[:-1])) if text)


def _is_anything(part: Expression) -> bool:
    anything = CharacterClass(ALPHABET)
    return isinstance(part, Quantification) and part.inner == anything and part.high is None


def _literals(node: Expression) -> list[str]:
    found: list[str] = []
    match node:
        case CharacterClass(members):
            found = [chr(code) for low, high in members for code in range(low, high + 1)]
            if len(found) == 2 and found[0].lower() == found[1]:
                found = found[1:]
        case Alternation(options):
            several = [_literals(option) for option in options]
            found = [text for texts in several for text in texts] if all(several) else []
        case Concatenation(parts):
            found = [""]
            for part in parts:
                found = [begun + one for begun in found for one in _literals(part)]
                if len(found) > _MOST_BEGINNINGS:
                    break
    return found if len(found) <= _MOST_BEGINNINGS else []


def parts_of_page(table: SubRegistry, record: Registration, address: str) -> dict[str, Any]:
    """What the page of a name has: whether parts about profiles, a feed, a code, and which fields.

    ``ark`` is told where ARKs begin with the name, in the place of the fields.

    Where names have profiles, those tell what short fields say elsewhere, and people print the page
    with a code of its ``address``; to draw one takes a fifth of the time of a short page.
    """
    has_profiles = record.space.has_profiles
    ark = ark_prefix_view(record) if record.space.scheme == "ark" else None
    return {
        "has_profiles": has_profiles,
        "has_feed": has_name_feeds(table),
        "qr": draw_qr_code(address) if address and has_profiles else None,
        "facts": () if has_profiles or ark else _facts(table, record),
        "ark": ark,
    }


def _facts(table: SubRegistry, record: Registration) -> tuple[tuple[str, str], ...]:
    declared = REGISTRIES.get(table.id)
    named = declared.named if declared else {}
    return tuple(
        (named[name].label, text)
        for name, text in record.fields
        if name in named and named[name].public and not named[name].is_long
    )
