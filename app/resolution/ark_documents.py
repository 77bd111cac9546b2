"""What came of an ARK, for programs: members of a JSON document, and an ERC as text."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

from app.identifiers.ark_checks import ark_check_report
from app.identifiers.corrections import IdentifierCorrection
from app.identifiers.errors import spell_list
from app.registration.naans.naan_checks import is_resolver
from app.registration.naans.policy_wording import PolicyStatement
from app.registration.records.registry_records import Status
from app.resolution.ark_resolver import (
    ArkHandedOn,
    ArkOutcome,
    ArkResolver,
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
    correct_ark,
)
from app.resolution.ark_rules import (
    ArkRedirect,
    ArkRuleBook,
    ArkRules,
    NaanSnapshot,
    ark_rules_to,
    declared_policies,
)
from app.resolution.judgement import Ground
from app.resolution.outcome_documents import (
    LONGEST_TARGET,
    StandingEdition,
    ground_to,
    shorten_text,
)

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


Document = dict[str, Any]

ARK_WORDS: dict[type[ArkOutcome], str] = {
    BadArkSyntax: "bad syntax",
    OverlongArk: "too long",
    UnregisteredNaan: "not registered",
    WithdrawnNaan: "withdrawn",
    NaanAlone: "naan",
    ShoulderAlone: "shoulder",
    InflectedArk: "described",
    ResolvedArk: "led",
    ArkHandedOn: "handed on",
    UnresolvedArk: "no further way",
    CircularArk: "leads back",
}
_UNKNOWN = "(:unav) not known to this resolver"
_COMMENTS = ("about_prefix", "withdrawn", "test_ark")
_LABEL = 6  # characters, with the colon


def ark_outcome_to(outcome: ArkOutcome) -> Document:
    """What came of an ARK; empty members are left out. What stands under ``shoulder`` and ``naan``
    is about these, and not about what is named."""
    request = outcome.request
    error = request.error
    members = {
        "outcome": ARK_WORDS[type(outcome)],
        "input": "" if request.normal_form else request.text,
        "normal_form": request.normal_form,
        "query": request.query,
        "position": error and error.position,
        "grounds": [ground_to(one) for one in ark_reasons(outcome)],
        **_way_to(outcome),
        **_holders_to(outcome),
    }
    empty: tuple[object, ...] = (None, "", [])  # and not 0, which is a position
    return {name: value for name, value in members.items() if value not in empty}


def _way_to(outcome: ArkOutcome) -> Document:
    match outcome:
        case ResolvedArk() | ArkHandedOn():
            return {"target": outcome.target, "redirect": str(outcome.rules.redirect)}
        case InflectedArk():
            return {"described_by": outcome.described_by}
        case UnregisteredNaan():
            return {"nearest": list(outcome.nearest)}
        case BadArkSyntax():
            return correction_to(outcome.correction)
        case _:
            return {}


def correction_to(correction: IdentifierCorrection | None) -> Document:
    return {"corrected": correction.identifier, "correction": correction.why} if correction else {}


def _holders_to(outcome: ArkOutcome) -> Document:
    if isinstance(outcome, InflectedArk):
        return {_kind(rules): prefix_to(rules) for rules in outcome.holders}
    if isinstance(outcome, BadArkSyntax | OverlongArk | UnregisteredNaan):
        return {}
    return {_kind(outcome.rules): prefix_to(outcome.rules)}


def _kind(rules: ArkRules) -> str:
    return "shoulder" if rules.shoulder else "naan"


def prefix_to(rules: ArkRules) -> Document:
    declared = [ground_to(one) for one in declared_policies(rules)]
    return {**ark_rules_to(rules), **({"declared": declared} if declared else {})}


def write_erc(outcome: InflectedArk) -> str:
    """What is known of an ARK as an Electronic Resource Citation, in ANVL.

    Source: The ARK Identifier Scheme, on the ERC; A Name-Value Language (ANVL).
    """
    request = outcome.request
    where = [f"ark:{request.path}", *filter(None, [outcome.described_by])]
    about = [*((name, _UNKNOWN) for name in ("who", "what", "when")), ("where", " ; ".join(where))]
    records = [("erc", about), *_holder_segments(outcome)]
    comments = [f"# {_line(one.message)}" for one in ark_reasons(outcome) if one.code in _COMMENTS]
    return "\n\n".join(["\n".join(comments), *(erc_record(*one) for one in records)]) + "\n"


def write_holder_ercs(outcome: InflectedArk) -> list[str]:
    return [erc_record(*one) for one in _holder_segments(outcome)]


_Members = list[tuple[str, str]]


def _holder_segments(outcome: InflectedArk) -> Iterator[tuple[str, _Members]]:
    for rules in outcome.holders:
        yield "naa" if not rules.shoulder else "shoulder", _holder_members(rules)
        declared = " ".join(one.message for one in declared_policies(rules))
        if declared:
            members = [
                ("who", rules.holder),
                ("what", declared),
                ("when", rules.tenure),
                ("where", rules.policy_address),
            ]
            yield "erc-support", members


def _holder_members(rules: ArkRules) -> _Members:
    names = filter(None, (rules.holder, rules.native_name, rules.acronym))
    return [
        ("who", " (=) ".join(dict.fromkeys(names))),
        ("what", f"ark:{rules.prefix}"),
        ("when", rules.since),
        ("where", rules.where),
        ("how", " | ".join(filter(None, (", ".join(rules.policy), rules.tenure)))),
    ]


def erc_record(label: str, members: Iterable[tuple[str, str]]) -> str:
    """Source: A Name-Value Language (ANVL)."""
    told = [f"{_line(name) + ':':{_LABEL}} {_line(value)}" for name, value in members if value]
    return "\n".join([f"{label}:", *told])


def _line(value: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in value).split())


_LONGEST_NAAN = 80
_ON_POLICY = "The ARK Identifier Scheme, on name assignment policy"
_ON_TESTS = "Testing ARKs, by the ARK Alliance"


class ArkJudgement(NamedTuple):
    """What an ARK is by the NAANs and shoulders on file.

    ``holders`` are the rules of its shoulder, if it has one, and of its NAAN; none where nobody is
    known to have it. ``grounds`` say why it came so, the most important first. ``correction`` is
    the ARK that the text was probably meant for. ``minted_with_check`` is what the mask of a local
    prefix says.
    """

    outcome: ArkOutcome
    holders: tuple[ArkRules, ...]
    grounds: tuple[Ground, ...]
    correction: IdentifierCorrection | None = None
    minted_with_check: bool | None = None

    @property
    def is_registered(self) -> bool:
        return bool(self.holders) and self.holders[0].status is not Status.FORMER

    @property
    def has_check(self) -> bool:
        if self.minted_with_check is not None:
            return self.minted_with_check
        declared = (rules.policy for rules in self.holders if rules.policy)
        return str(PolicyStatement.CHECK_CHARACTER) in next(declared, ())

    @property
    def target(self) -> str:
        match self.outcome:
            case ResolvedArk() | ArkHandedOn():
                return self.outcome.target
            case InflectedArk():
                return self.outcome.described_by
            case _:
                return ""


def judge_ark(text: str, snapshot: NaanSnapshot, own_hosts: Collection[str] = ()) -> ArkJudgement:
    """What a text is as an ARK, by the NAANs and shoulders on file. What is led to ``own_hosts`` is
    told as leading back.

    Source: The ARK URI scheme sections 3.1, 3.4, 6 and 7.1.
    """
    outcome = ArkResolver(snapshot.book, own_hosts).resolve(text)
    holders = tuple(holders_of(outcome, snapshot.book))
    correction = correct_ark(outcome, snapshot.book)
    grounds = list(_grounds(outcome, holders, snapshot.day))
    if correction and not isinstance(outcome, BadArkSyntax):  # whose reasons have it
        grounds.append(meant_ground(correction))
    has_check = snapshot.minted_with_check(outcome.request.normal_form)
    return ArkJudgement(outcome, holders, tuple(grounds), correction, has_check)


def holders_of(outcome: ArkOutcome, book: ArkRuleBook) -> Iterator[ArkRules]:
    """The rules of an ARK's shoulder, if it has one, and of its NAAN; none where nobody has it."""
    if isinstance(outcome, BadArkSyntax | OverlongArk | UnregisteredNaan):
        return
    rules = outcome.rules
    yield rules
    naan = book.find(rules.naan) if rules.shoulder else None
    if naan is not None:
        yield naan


def _grounds(outcome: ArkOutcome, holders: tuple[ArkRules, ...], day: str) -> Iterator[Ground]:
    for ground in ark_reasons(outcome):
        yield _not_on_file(outcome, day) if ground.code == "naan_unknown" else ground
    if not holders:
        return
    rules = holders[0]
    if rules.naan != outcome.request.naan:
        message = f"This is a test ARK under {prefix_words(rules)}."
        yield Ground("test_of", message, _ON_TESTS)
    host = rules.way.host
    if isinstance(outcome, ResolvedArk | ArkHandedOn) and is_resolver(host):
        message = (
            f"`{host}` is a resolver that uses this registry itself, which may cause a "
            "redirect loop."
        )
        yield Ground("target_circle", message, _HTTP)
    if not any(any(declared_policies(one)) for one in holders):
        message = f"No policy is recorded for ARKs under `ark:{rules.prefix}`."
        yield Ground("undeclared", message, _ON_POLICY)


def _not_on_file(outcome: ArkOutcome, day: str) -> Ground:
    """A copy of the registry of some day tells nothing of what was given since."""
    naan = shorten_text(outcome.request.naan, _LONGEST_NAAN)
    known = f"on {day}, the date of these records" if day else "when these records were created"
    message = (
        f"NAAN `{naan}` was not registered {known}. Check the spelling, or update the records."
    )
    return Ground("naan_unknown", message, _NAAS)


def ark_judgement_to(judgement: ArkJudgement) -> dict[str, Any]:
    """What an ARK is by the NAANs and shoulders on file, for programs. ``declared`` is a list for
    each holder, an empty one where it declared nothing."""
    told = ark_outcome_to(judgement.outcome)
    grounds = [ground_to(one) for one in judgement.grounds]
    holders = {
        "shoulder" if rules.shoulder else "naan": {"declared": [], **prefix_to(rules)}
        for rules in judgement.holders
    }
    return {**told, **({"grounds": grounds} if grounds else {}), **holders}


def check_arks(
    texts: Iterable[str], snapshot: NaanSnapshot, *, has_check: bool = False
) -> Iterator[Document]:
    """Check each text as an ARK, in order.

    Raises nothing; remembers each normal form. ``number`` is its place from 1, ``same_as`` that of
    the first of the list that names the same. ``valid`` is what its syntax says; ``registered`` is
    true if its NAAN is registered. ``registry`` has the NAAN holder and the target on the day
    ``as_of``. ``corrected`` is the ARK that the text probably means, and ``correction`` describes
    the change. ``has_check``: all Names end in a check character, whatever their holders declare.
    """
    first: dict[str, int] = {}
    for number, text in enumerate(texts, 1):
        judgement = judge_ark(text, snapshot)
        report = ark_check_report(text, has_check=has_check or judgement.has_check)
        correction = judgement.correction
        form = str(report["normal_form"] or "")
        begun = first.setdefault(form, number) if form else number
        yield {
            "number": number,
            **report,
            "corrected": correction and correction.identifier,
            "correction": correction and correction.why,
            "same_as": begun if begun != number else None,
            "registered": judgement.is_registered,
            "registry": {"as_of": snapshot.day or None, **ark_judgement_to(judgement)},
        }
