"""What the page of a NAAN or a shoulder tells: whose it is, how its ARKs look, where they lead."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from app.assigned_names.assigned_name_records import KERNEL, AssignedNameState
from app.assigned_names.bound_names import (
    BoundOutcome,
    PrefixStatement,
    bound_grounds,
    bound_headline,
)
from app.identifiers.ark import ARK, parse_ark
from app.identifiers.ark_checks import TEST_NAAN
from app.identifiers.errors import InvalidARK
from app.pages.text.phrases import ARK_LABELS, IdentifierPart, pieces_of_ark
from app.registration.naans.naan_checks import web_address_faults
from app.registration.naans.naan_records import NaanRecord, NaanRow, is_zero_of_clocks, split_status
from app.registration.naans.naan_targets import host_of
from app.registration.naans.policy_wording import (
    is_policy_declared,
    kind_in_words,
    policy_in_words,
)
from app.registration.naans.shared_naans import shared_naan_in_words
from app.registration.records.naan_registrations import naan_row_of, own_facts_of
from app.registration.records.registry_records import Registration
from app.resolution.ark_rules import ArkRedirect, ArkRules, ark_rules_of
from app.resolution.judgement import Ground
from app.resolution.outcome_documents import names_under_path, shorten_text, successor_path

# A Name that looks as many do, of which nobody says that it is assigned.
_MADE_UP = {"naan": "b7k3q9", "shoulder": "7k3q9"}
_FILLED = re.compile(r"\$\{([a-z]+)\}")
_MEANT = {
    "content": "the NAAN and everything after it",
    "pid": "the whole ARK",
    "prefix": "the NAAN",
    "value": "everything after the NAAN and its slash",
    "suffix": "everything after this prefix",
}
_NO_DAY = "a placeholder date"
_UNTOLD = ("", "unspecified", "N/A")
_is_address = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*").fullmatch


@dataclass(frozen=True, slots=True, kw_only=True)
class ArkPrefixView:
    """One NAAN or shoulder in words.

    ``example`` is an ARK that begins so: the test ARK on file, or one that is made up, as
    ``is_made_up`` says; ``pieces`` are its parts, ``labelled`` those with names. ``led`` is where
    it leads, empty for nowhere, as ``fault`` says. ``facts`` are labels, texts and maybe a link.
    """

    prefix: str
    naan: str
    is_shoulder: bool
    holder: str
    also: str
    shared: str
    is_for_tests: bool
    example: str
    is_made_up: bool
    pieces: tuple[IdentifierPart, ...]
    labelled: tuple[tuple[str, IdentifierPart], ...]
    target: str
    filled: tuple[tuple[str, str], ...]
    led: str
    is_related: bool
    fault: str
    has_policy: bool
    policy: tuple[str, ...]
    policy_text: str
    policy_link: str
    tenure: str
    facts: tuple[tuple[str, str, str], ...]


def ark_prefix_view(record: Registration) -> ArkPrefixView | None:
    """The words for the record of a NAAN or a shoulder; None for one that is of neither."""
    try:
        row = naan_row_of(record)
        rules = ark_rules_of(row)
        example, is_made_up = _example(rules)
    except (InvalidARK, LookupError, ValueError):
        return None
    pieces = pieces_of_ark(example)
    return ArkPrefixView(
        prefix=rules.prefix,
        naan=rules.naan,
        is_shoulder=bool(rules.shoulder),
        holder=rules.holder,
        also=", ".join(
            one
            for one in dict.fromkeys((rules.native_name, rules.acronym))
            if one and one != rules.holder
        ),
        shared=shared_naan_in_words(rules.prefix),
        is_for_tests=rules.naan == TEST_NAAN,
        example=str(example),
        is_made_up=is_made_up,
        pieces=pieces,
        labelled=tuple((ARK_LABELS[one.kind], one) for one in pieces if one.kind in ARK_LABELS),
        target=rules.target,
        filled=tuple((f"${{{name}}}", _MEANT[name]) for name in _filled_in(rules.target)),
        led=_led(rules, example),
        is_related=rules.redirect is ArkRedirect.SEE_OTHER,
        fault=rules.way.fault.message if rules.way.fault else "",
        has_policy=is_policy_declared(row.policy),
        policy=policy_in_words(row.policy),
        policy_text=row.policy_address or "",
        policy_link=_link(row.policy_address or ""),
        tenure=_tenure(row.tenure),
        facts=(*((label, text, "") for label, text in own_facts_of(record)), *_facts(row)),
    )


def _example(rules: ArkRules) -> tuple[ARK, bool]:
    try:
        known = parse_ark(rules.test_ark)
    except InvalidARK:
        known = None
    if known is not None and known.normal_form.startswith(f"ark:{rules.prefix}"):
        return known, False
    made_up = _MADE_UP["shoulder"] if rules.shoulder else f"/{_MADE_UP['naan']}"
    return parse_ark(f"ark:{rules.prefix}{made_up}"), True


def _filled_in(target: str) -> list[str]:
    return [name for name in dict.fromkeys(_FILLED.findall(target)) if name in _MEANT]


def _led(rules: ArkRules, example: ARK) -> str:
    pid = example.normal_form
    content = pid.removeprefix("ark:")
    return "" if rules.way.fault else rules.way.fill(pid, content, content[len(rules.prefix) :])


def _facts(row: NaanRow) -> Iterator[tuple[str, str, str]]:
    yield "Type of holder", kind_in_words(row).removeprefix("a ").removeprefix("an "), ""
    if row.where not in _UNTOLD:
        address = split_status(row.where)[1]
        faults = " ".join(sentence for _, sentence in web_address_faults(row.where))
        yield "Website", f"{address}. {faults}" if faults else address, _link(address)
    if isinstance(row, NaanRecord):
        if row.purpose not in _UNTOLD:
            yield "Purpose", row.purpose, ""
        if row.service_provider:
            yield "Service provider", row.service_provider, ""
    if row.is_of_zero:
        yield "Date on file", f"{row.when[:10]}, {_NO_DAY}", ""
    elif row.when and not row.day:
        yield "Date on file", f"{row.when}, which is not a valid date for this registry", ""


def _tenure(years: str) -> str:
    if re.fullmatch("[0-9]{4}", years) and is_zero_of_clocks(years):
        return f"The start date is not known: `{years}` is on file, {_NO_DAY}."
    if re.fullmatch("[0-9]{4}", years):
        return f"Since {years}."
    return f"Years on file: `{years}`." if years else ""


def _link(address: str) -> str:
    return address if host_of(address) and _is_address(address) else ""


_LONGEST = 1_000  # characters of a value that are shown


class BoundNameFact(NamedTuple):
    """One thing that is told of a name; ``link`` is where it leads, empty where nowhere.

    ``is_address``: it is an address or a name, and no text.
    """

    label: str
    text: str
    link: str = ""
    is_address: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundNameView:
    """What is shown of a binding; ``grounds`` are what has to be said of it first.

    ``prefix`` is one that other names begin with too, empty where none do, and ``list_path`` where
    they are listed.
    """

    title: str
    grounds: tuple[Ground, ...]
    facts: tuple[BoundNameFact, ...]
    prefix: str
    list_path: str


def bound_name_view(outcome: BoundOutcome) -> BoundNameView:
    """How a binding is shown: what everybody may know of it, and nothing that is not told."""
    return BoundNameView(
        title=bound_headline(outcome),
        grounds=tuple(bound_grounds(outcome)),
        facts=tuple(one for one in _bound_facts(outcome) if one.text),
        prefix=outcome.prefix,
        list_path=names_under_path(outcome.prefix),
    )


def _bound_facts(outcome: BoundOutcome) -> Iterator[BoundNameFact]:
    record, target = outcome.record.told, outcome.target
    if record.state is AssignedNameState.PUBLIC:
        is_related = record.redirect == 303
        label = "Related resource" if is_related else "Target"
        shown = shorten_text(target, _LONGEST) or "None: the owner has not set a target"
        yield BoundNameFact(label, shown, target, is_address=bool(target))
    told: dict[str, list[str]] = {label: [] for label in KERNEL}
    for label, value in record.elements:
        told.setdefault(label, []).append(value)
    for label, values in told.items():
        shown = label.capitalize() if label in KERNEL else label
        yield from (BoundNameFact(shown, shorten_text(value, _LONGEST)) for value in values)
    yield BoundNameFact("Persistence promised", record.persistence)
    if said := outcome.said:
        yield from _facts_of_prefix(said)
    yield BoundNameFact("Withdrawn since", record.since)
    if record.successor:
        path = successor_path(record.successor)
        yield BoundNameFact("Use instead", record.successor, path, is_address=True)


def _facts_of_prefix(said: PrefixStatement) -> Iterator[BoundNameFact]:
    yield BoundNameFact(f"Owner of {said.prefix}", shorten_text(said.holder, _LONGEST))
    promised = shorten_text(said.persistence, _LONGEST)
    yield BoundNameFact(f"Persistence promised under {said.prefix}", promised)
    yield BoundNameFact("Assignment policy", shorten_text(said.policy, _LONGEST))
    yield BoundNameFact(f"{said.prefix} closed since", said.ended)
