"""What the tool for ARKs shows of each text: parts, forms, whose it is, and which are the same."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from app.identifiers.ark import ARK, RESOLVER
from app.identifiers.ark_checks import ArkReport, CheckCharacterScope, check_ark, find_check_scope
from app.identifiers.corrections import unwrap_identifier
from app.pages.diagrams.qr_code import QrCode, draw_qr_code
from app.pages.text.markdown import reveal_unseen
from app.pages.text.phrases import ARK_LABELS, IdentifierPart, pieces_of_ark
from app.registration.declarations.naan_registries import NAAN_SPACE
from app.registration.naans.holder_similarity import NaanMatch
from app.registration.naans.naan_targets import host_of
from app.resolution.ark_documents import ArkJudgement, judge_ark, prefix_words
from app.resolution.ark_resolver import BadArkSyntax, InflectedArk, OverlongArk
from app.resolution.ark_rules import ArkRedirect, ArkRules, NaanSnapshot, declared_policies
from app.resolution.judgement import Ground
from app.resolution.outcome_documents import shorten_text

_LONGEST = 300  # characters of an address that are shown
_UNNAMED = "Holder not named in the registry"
_PROBLEMS = ("naan_unknown", "withdrawn")
# What stands beside the NAAN and the shoulder, or above as a fault.
_SHOWN = re.compile("led|holder|no_name|undeclared|policy_.*")
_is_address = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*").fullmatch


@dataclass(frozen=True, slots=True, kw_only=True)
class ArkHolderView:
    """Who has a NAAN or a shoulder. Links are empty where there is no address to follow."""

    label: str
    is_shoulder: bool
    holder: str
    also: str
    since: str
    where: str
    link: str
    declared: tuple[str, ...]
    policy_link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArkRegistryView:
    """What the registry of NAANs, as it was on a day, says of an ARK.

    ``target`` is where it leads as it is shown, and ``link`` in full; both are empty where it leads
    nowhere. ``notes`` are pairs of a kind and what is to be told.
    """

    day: str
    holders: tuple[ArkHolderView, ...]
    label: str
    target: str
    link: str
    notes: tuple[tuple[str, Ground], ...]


def registry_view_of(judgement: ArkJudgement, day: str) -> ArkRegistryView:
    """How it is shown whose an ARK is; what others wrote is revealed."""
    return ArkRegistryView(
        day=day if judgement.holders else "",
        holders=tuple(_holder(rules, judgement) for rules in judgement.holders),
        label=_label(judgement),
        target=shorten_text(judgement.target, _LONGEST),
        link=judgement.target,
        notes=tuple(_notes(judgement)),
    )


def _label(judgement: ArkJudgement) -> str:
    if isinstance(judgement.outcome, InflectedArk):
        return "Described at"
    is_related = judgement.holders and judgement.holders[0].redirect is ArkRedirect.SEE_OTHER
    return "Related resource" if is_related else "Target"


def _holder(rules: ArkRules, judgement: ArkJudgement) -> ArkHolderView:
    also = dict.fromkeys((rules.native_name, rules.acronym))
    is_own = rules.naan == judgement.outcome.request.naan  # and not a test under another NAAN
    return ArkHolderView(
        label=prefix_words(rules),
        is_shoulder=bool(rules.shoulder),
        holder=reveal_unseen(rules.holder) or _UNNAMED,
        also=reveal_unseen(", ".join(one for one in also if one and one != rules.holder)),
        since=rules.since,
        where=reveal_unseen(shorten_text(rules.where, _LONGEST)),
        link=_link(rules.where),
        declared=tuple(reveal_unseen(one.message) for one in declared_policies(rules) if is_own),
        policy_link=_link(rules.policy_address) if is_own else "",
    )


def _link(address: str) -> str:
    return address if host_of(address) and _is_address(address) else ""


def _notes(judgement: ArkJudgement) -> Iterator[tuple[str, Ground]]:
    is_fault = isinstance(judgement.outcome, BadArkSyntax | OverlongArk)
    for ground in judgement.grounds:
        is_told = ground.code != "meant" if is_fault else _SHOWN.fullmatch(ground.code)
        if not is_told:
            yield "problem" if ground.code in _PROBLEMS else "look", ground


MOST = 200  # ARKs at once
_GUESSED = "Shoulder, by the first-digit convention"
_LONGEST_CODE = 300  # characters of an address that a code is drawn of


@dataclass(frozen=True, slots=True, kw_only=True)
class ArkToolRow:
    """One text: what it is as an ARK, and what one does with it.

    ``same_as`` is the number of the first of the texts that names the same thing; ``decoded``
    is the normal form as people read it, where it differs from ASCII.
    """

    number: int
    text: str
    report: ArkReport
    pieces: tuple[IdentifierPart, ...]
    implied: tuple[tuple[str, str], ...]
    checked: CheckCharacterScope | None
    decoded: str
    url: str
    display: str
    code: QrCode | None
    same_as: int | None
    registry: ArkRegistryView

    @property
    def labelled(self) -> tuple[tuple[str, IdentifierPart], ...]:
        """The parts that have a name."""
        named = (piece for piece in self.pieces if piece.kind in ARK_LABELS)
        return tuple((ARK_LABELS[piece.kind], piece) for piece in named)


def describe_arks(
    texts: Sequence[str],
    snapshot: NaanSnapshot,
    own_hosts: Collection[str] = (),
    resolver_of: Callable[[ARK], str] = lambda _ark: RESOLVER,
) -> tuple[ArkToolRow, ...]:
    """What each of these texts is; those beyond ``MOST`` are not looked at. Raises nothing.

    ``own_hosts`` are the names of the site that is asked; ``resolver_of`` gives the resolver with
    which an ARK is cited, as an address that ends with a slash.
    """
    first: dict[str, int] = {}
    found = []
    for number, text in enumerate(texts[:MOST], 1):
        inner = unwrap_identifier(text)
        read = inner if inner in text else text  # what is encoded is shown as a fault
        judged = judge_ark(read, snapshot, own_hosts)
        report = check_ark(read, has_check=judged.has_check)
        form = report.ark.normal_form if report.ark else ""
        same_as = first.setdefault(form, number) if form else number
        view = registry_view_of(judged, snapshot.day)
        again = same_as if same_as != number else None
        cited = report.ark.cite(resolver_of(report.ark)) if report.ark else ("", "")
        found.append(_looked(number, text, report, view, again, cited))
    return tuple(found)


def _looked(
    number: int,
    text: str,
    report: ArkReport,
    registry: ArkRegistryView,
    same_as: int | None,
    cited: tuple[str, str],
) -> ArkToolRow:
    ark, (url, display) = report.ark, cited
    return ArkToolRow(
        number=number,
        text=text,
        report=report,
        pieces=pieces_of_ark(ark) if ark else (),
        implied=_implied(ark, registry) if ark else (),
        checked=find_check_scope(ark) if ark else None,
        decoded=_decoded(ark.normal_form) if ark else "",
        url=url,
        display=display,
        code=draw_qr_code(url) if 0 < len(url) <= _LONGEST_CODE else None,
        same_as=same_as,
        registry=registry,
    )


def _implied(ark: ARK, registry: ArkRegistryView) -> tuple[tuple[str, str], ...]:
    is_known = any(one.is_shoulder for one in registry.holders)
    guessed = "" if is_known else ark.shoulder or ""
    pairs = ((_GUESSED, guessed), ("Inside", ", ".join(ark.containers)))
    return tuple((label, text) for label, text in pairs if text)


def _decoded(form: str) -> str:
    try:
        read = unquote(form, errors="strict")
    except UnicodeDecodeError:
        return ""
    return read if not read.isascii() else ""


# characters of an address that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanMatchView:
    """A NAAN with its page, its holder, and what speaks for it; what others wrote is revealed."""

    name: str
    page: str
    holder: str
    also: str
    since: str
    where: str
    reasons: tuple[str, ...]


def match_view_of(match: NaanMatch) -> NaanMatchView:
    """A match as it is shown."""
    record, folded = match.record, NAAN_SPACE.fold(match.record.naan)
    also = (record.native_name, record.acronym)
    return NaanMatchView(
        name=NAAN_SPACE.whole(folded),
        page=NAAN_SPACE.page.format(folded),
        holder=reveal_unseen(record.holder) or "Holder not named in the registry",
        also=reveal_unseen(", ".join(one for one in also if one and one != record.holder)),
        since=record.day,
        where=reveal_unseen(shorten_text(record.where, _LONGEST)),
        reasons=match.reasons,
    )
