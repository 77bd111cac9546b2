"""``/ark:NAAN/Name`` leads on, and ``/names/ARK`` says what it is: from an edition alone."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import quote

from app.exports.manifests.bundle_files import BundleFile
from app.problems import identifier_codes, publication_codes
from app.problems.problem_codes import ProblemCode
from app.problems.problem_documents import problem_document
from app.published.blobs import BlobFolder
from app.published.chain import EditionView
from app.published.edition import PublishedEdition
from app.published.http.cross_origin import answer_options
from app.published.http.headers import Headers
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import NO_EDITION, NOT_FOUND, Problem, problem_answer
from app.published.names.ark_answers import (
    OVERLONG,
    WordedArk,
    answer_ark_page,
    answer_ark_problem,
    answer_described_ark,
    lead_ark_on,
    lead_ark_to_page,
    lead_plain_ark_on,
    link_field,
)
from app.published.names.copied_prefixes import CopiedPrefixes
from app.published.names.edition_arks import EditionArks, arks_ruled_by
from app.published.names.name_answers import NO_RULES, NOT_A_READ, json_document
from app.published.names.name_targets import is_of_ark, is_page_of_name, name_asked
from app.registration.declarations.registry_groups import RegistryGroup
from app.resolution.arks.ark_documents import ark_outcome_to, correction_to, write_erc
from app.resolution.arks.ark_judging import holders_of
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
from app.resolution.arks.ark_requests import encode_octets
from app.resolution.arks.ark_resolver import describing_address_of
from app.resolution.arks.ark_wording import ArkNameContext, ark_headline, ark_reasons
from app.resolution.arks.mended_arks import correct_ark
from app.resolution.name_paths import name_path
from app.resolution.outcome_documents import standing_to
from app.resolution.outcome_wording import StandingEdition

if TYPE_CHECKING:
    from app.pages.site.ark_name_pages import ArkNamePages

SCHEME = "ark"
Noted = TypeVar("Noted", bound=ArkOutcome)
_KEPT = "/~!$&'()*+,;=:@"  # of a path, RFC 3986 appendix A, besides what is always kept
_CODES: dict[type[ArkOutcome], ProblemCode] = {
    UnregisteredNaan: publication_codes.NAAN_UNKNOWN,
    WithdrawnNaan: publication_codes.NAAN_WITHDRAWN,
    UnresolvedArk: publication_codes.ARK_WITHOUT_TARGET,
}
_STATUSES: dict[type[ArkOutcome], HTTPStatus] = {
    BadArkSyntax: HTTPStatus.BAD_REQUEST,
    UnregisteredNaan: HTTPStatus.NOT_FOUND,
    UnresolvedArk: HTTPStatus.NOT_FOUND,
    WithdrawnNaan: HTTPStatus.GONE,
}


class _AskedOfEdition(NamedTuple):
    edition: PublishedEdition
    arks: EditionArks
    group: RegistryGroup
    request: HttpRequest
    standing: StandingEdition | None = None

    def path_of(self, prefix: str) -> str:
        if self.standing is None:
            return path_of_prefix(self.edition, self.group, prefix)
        pages = (self.standing.at(path) for path in _pages_of(prefix, self.group))
        return next((quote(path, safe=_KEPT) for path in pages), "")

    def at_registry(self, path: str) -> str:
        return f"{self.edition.registry}{path}" if self.edition.registry else ""

    def tag(self, outcome: ArkOutcome) -> str:
        number = self.standing.number if self.standing else self.edition.number
        return f"{number} {type(outcome).__name__} ark:{outcome.request.path}"


class EditionArkResolver:
    """Answers what is asked of ARKs. Nothing of it is of one visitor.

    ``is_copy``: the pages on which NAANs are requested are at the registry, not here. ``prefixes``
    tell of mistyped names, and where names are listed.
    """

    def __init__(self, prefixes: CopiedPrefixes | None = None, *, is_copy: bool) -> None:
        self._prefixes, self._is_copy = prefixes, is_copy

    @cached_property
    def _pages(self) -> "ArkNamePages":
        # not before a page is made: what is published needs no templates for anything else
        from app.pages.assets import asset_dir
        from app.pages.site.ark_name_pages import ArkNamePages

        return ArkNamePages(asset_dir("templates"))

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The answer to a request for an ARK or its page; None at any other path."""
        if not is_of_ark(request.path):
            return None
        if request.method not in READS:
            is_asked = request.method == "OPTIONS"
            return answer_options() if is_asked else problem_answer(NOT_A_READ, request)
        view.check_current()
        edition = view.edition
        arks = edition.arks
        if arks is None:
            return problem_answer(_lacking(edition, view.group), request)
        text = encode_octets(name_asked(request))
        asked = _AskedOfEdition(edition, arks, view.group, request)
        if is_page_of_name(request.path):
            return self._show(asked, text)
        return _lead_plainly(asked, text) or self._follow(asked, text)

    def _follow(self, asked: _AskedOfEdition, text: str) -> HttpAnswer:
        outcome = asked.arks.resolver.resolve(text)
        match outcome:
            case ResolvedArk() | ArkHandedOn():
                return lead_ark_on(outcome, _links_of_led(asked, outcome), asked.request)
            case NaanAlone() | ShoulderAlone() | CircularArk():
                return lead_ark_to_page(_page_instead(asked, outcome), [])
            case InflectedArk():
                return self._describe(asked, outcome)
            case _:
                return self._refuse(asked, outcome)

    def rules_of(self, edition: PublishedEdition) -> EditionArks | None:
        return edition.arks

    def read_rules(self, file: BundleFile, blobs: BlobFolder, shell: str) -> EditionArks | None:
        """Raises DamagedBlob."""
        return arks_ruled_by(file, blobs, shell)

    def show_then(
        self,
        text: str,
        rules: EditionArks,
        standing: StandingEdition,
        view: EditionView,
        request: HttpRequest,
    ) -> HttpAnswer:
        current = view.edition.arks
        resolver = current.resolver.by(rules.book) if current else rules.resolver
        arks = replace(rules, resolver=resolver)
        asked = _AskedOfEdition(view.edition, arks, view.group, request, standing)
        return self._show(asked, encode_octets(text))

    def _show(self, asked: _AskedOfEdition, text: str) -> HttpAnswer:
        outcome = asked.arks.resolver.resolve(text.partition("?")[0])
        outcome = outcome if asked.standing else self._noted(outcome)
        if isinstance(outcome, OverlongArk) or type(outcome) in _STATUSES.keys() - {UnresolvedArk}:
            return self._refuse(asked, outcome)
        path = name_path(f"ark:{outcome.request.path}")
        path = asked.standing.at(path) if asked.standing else path
        links = link_field([(asked.at_registry(path), "canonical")])
        return answer_ark_page(self._told(asked, outcome), asked.tag(outcome), links, asked.request)

    def _describe(self, asked: _AskedOfEdition, plain: InflectedArk) -> HttpAnswer:
        outcome = self._noted(plain)
        remarks = [f"# {one.message}\n" for one in outcome.notes if one not in plain.notes]
        form = outcome.request.normal_form
        canonical = asked.at_registry(f"/{form}?info") if form else ""
        links = link_field([(outcome.described_by, "describedby"), (canonical, "canonical")])
        told = self._told(asked, outcome)._replace(
            erc=lambda: "".join(remarks) + write_erc(outcome)
        )
        return answer_described_ark(told, asked.tag(outcome), links, asked.request)

    def _noted(self, outcome: Noted) -> Noted:
        notes = self._prefixes.notes_of(outcome.request.normal_form) if self._prefixes else ()
        if not notes:
            return outcome
        match outcome:
            case ResolvedArk():
                return outcome._replace(notes=(*outcome.notes, *notes))
            case InflectedArk():
                return replace(outcome, notes=(*outcome.notes, *notes))
        return outcome

    def _refuse(self, asked: _AskedOfEdition, outcome: ArkOutcome) -> HttpAnswer:
        if isinstance(outcome, OverlongArk):
            return problem_answer(OVERLONG, asked.request)
        status, home = _STATUSES[type(outcome)], self._home(asked.edition)
        then = _standing_to(asked, outcome)
        told = WordedArk(
            page=partial(self._page, asked, outcome),
            erc=str,
            document=partial(_problem, outcome, status, home, then),
        )
        return answer_ark_problem(status, told, asked.request)

    def _told(self, asked: _AskedOfEdition, outcome: ArkOutcome) -> WordedArk:
        return WordedArk(
            page=partial(self._page, asked, outcome),
            erc=str,
            document=lambda: json_document(
                ark_outcome_to(outcome)
                | correction_to(correct_ark(outcome, asked.arks.book))
                | _standing_to(asked, outcome)
            ),
        )

    def _page(self, asked: _AskedOfEdition, outcome: ArkOutcome) -> str:
        context = ArkNameContext(
            outcome=outcome,
            holders=tuple(holders_of(outcome, asked.arks.book)),
            path_of=asked.path_of,
            home=self._home(asked.edition),
            is_refused=type(outcome) in _STATUSES,
            standing=asked.standing,
            list_path=self._list_path(outcome) if not asked.standing else "",
            prefix_words=self._prefix_words(outcome) if not asked.standing else "",
            correction=correct_ark(outcome, asked.arks.book),
        )
        return self._pages.page(asked.arks.shell, context)

    def _list_path(self, outcome: ArkOutcome) -> str:
        return self._prefixes.list_path(_text_of(outcome)) if self._prefixes else ""

    def _prefix_words(self, outcome: ArkOutcome) -> str:
        return self._prefixes.words_on(_text_of(outcome)) if self._prefixes else ""

    def _home(self, edition: PublishedEdition) -> str:
        return edition.registry if self._is_copy else ""


def _text_of(outcome: ArkOutcome) -> str:
    return outcome.request.normal_form or f"ark:{outcome.request.path}"


def _lacking(edition: PublishedEdition, group: RegistryGroup) -> Problem:
    if not edition.link:
        return NO_EDITION
    return NO_RULES if SCHEME in group.schemes else NOT_FOUND


def _lead_plainly(asked: _AskedOfEdition, text: str) -> HttpAnswer | None:
    registry = asked.edition.registry
    way = asked.arks.resolver.find_plain_way(text) if registry else None
    return lead_plain_ark_on(way, registry) if way is not None else None


def _links_of_led(asked: _AskedOfEdition, led: ResolvedArk | ArkHandedOn) -> Headers:
    form = led.request.normal_form
    described = describing_address_of(led)
    canonical = asked.at_registry(f"/{form}") if form else ""
    return link_field(((described, "describedby"), (canonical, "canonical")))


def _page_instead(asked: _AskedOfEdition, outcome: NaanAlone | ShoulderAlone | CircularArk) -> str:
    page = name_path(f"ark:{outcome.request.path}")
    if isinstance(outcome, CircularArk):
        return page
    return path_of_prefix(asked.edition, asked.group, outcome.rules.prefix) or page


def path_of_prefix(edition: PublishedEdition, group: RegistryGroup, prefix: str) -> str:
    """Raises DamagedBlob."""
    pages = _pages_of(prefix, group)
    return next((quote(path, safe=_KEPT) for path in pages if edition.find(path)), "")


def _pages_of(prefix: str, group: RegistryGroup) -> Iterator[str]:
    spaces = (one for one in group.spaces if one.page and one.may_be_name(prefix))
    return (space.page.format(space.fold(prefix)) for space in spaces)


def _standing_to(asked: _AskedOfEdition, outcome: ArkOutcome) -> dict[str, object]:
    request = outcome.request
    return standing_to(asked.standing, request.normal_form or request.text)


def _problem(outcome: ArkOutcome, status: HTTPStatus, home: str, then: Mapping[str, object]) -> str:
    more = {"title": ark_headline(outcome), **ark_outcome_to(outcome), **then}
    if isinstance(outcome, UnregisteredNaan):
        more["request_a_name"] = f"{home}/requests/new/naan"
    detail = " ".join(ground.message for ground in ark_reasons(outcome))
    document = problem_document(_code_of(outcome), status, detail, more, base_url=home)
    return f"{document.decode()}\n"


def _code_of(outcome: ArkOutcome) -> ProblemCode:
    error = outcome.request.error
    return identifier_codes.code_of(error) if error else _CODES[type(outcome)]
