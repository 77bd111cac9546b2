"""``/urn:NID:NSS`` leads on, and ``/names/URN`` says what a name is: from an edition alone."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar
from urllib.parse import quote

from app.exports.content.file_names import rules_file
from app.exports.editions.edition_list import edition_path
from app.exports.manifests.bundle_files import BundleFile
from app.identifiers.corrections import CorrectionKind
from app.problems import identifier_codes, publication_codes, use_case_codes
from app.problems.problem_codes import ProblemCode
from app.problems.problem_documents import problem_document
from app.published.blobs import BlobFolder
from app.published.edition import PublishedEdition
from app.published.group_plane import EditionView
from app.published.http.accept_headers import language_weight, media_type_weight
from app.published.http.http_exchange import READS, Headers, HttpAnswer, HttpRequest, answer_options
from app.published.http.problems import NO_EDITION, NOT_FOUND, Problem, problem_answer
from app.published.names.copied_prefixes import CopiedPrefixes
from app.published.names.edition_names import (
    EditionArks,
    EditionNames,
    arks_ruled_by,
    day_now,
    names_ruled_by,
    plain_shell,
)
from app.published.names.name_answers import (
    NO_RULES,
    NOT_A_READ,
    OVERLONG,
    TOO_LONG,
    WordedArk,
    WordedName,
    answer_ark_page,
    answer_ark_problem,
    answer_described_ark,
    answer_page,
    answer_problem,
    json_document,
    lead_ark_on,
    lead_ark_to_page,
    lead_on,
    lead_plain_ark_on,
    lead_plainly_on,
    lead_to_page,
    link_field,
    offer_choice,
    succession,
)
from app.published.names.name_targets import (
    is_of_ark,
    is_of_name,
    is_page_in_edition,
    is_page_of_name,
    name_asked,
    offer_identifier,
)
from app.registration.declarations.registry_groups import RegistryGroup
from app.registration.profiles.profile_records import ServiceKind
from app.registration.records.registry_records import Status
from app.resolution.ark_documents import (
    ArkNameContext,
    ark_headline,
    ark_outcome_to,
    ark_reasons,
    correction_to,
    holders_of,
    write_erc,
)
from app.resolution.ark_resolver import (
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
    correct_ark,
    describing_address_of,
    encode_octets,
)
from app.resolution.judgement import Judgement, judge_text
from app.resolution.outcome_documents import (
    LONGEST_TARGET,
    NameContext,
    StandingEdition,
    deprecation_words,
    name_path,
    outcome_detail,
    outcome_headline,
    outcome_reasons,
    outcome_to,
    standing_to,
    successor_of,
)
from app.resolution.service_choice import NO_PREFERENCES, Destination, Preferences
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

if TYPE_CHECKING:
    from app.pages.site.name_pages import ArkNamePages, NamePages


_CODES: dict[type[Outcome], ProblemCode] = {
    Unregistered: use_case_codes.NAMESPACE_UNKNOWN,
    ImpossibleName: publication_codes.NAME_IMPOSSIBLE,
    Withdrawn: publication_codes.NAME_WITHDRAWN,
}
_STATUSES: dict[type[Outcome], HTTPStatus] = {
    BadSyntax: HTTPStatus.BAD_REQUEST,
    Unregistered: HTTPStatus.NOT_FOUND,
    ImpossibleName: HTTPStatus.NOT_FOUND,
    Withdrawn: HTTPStatus.GONE,
}


class NameResolver:
    """Answers what is asked of names. Nothing of it is of one visitor.

    ``is_copy``: the pages on which namespaces are requested are at the registry, not here.
    ``prefixes`` tell of mistyped names, and where names are listed.
    """

    def __init__(
        self,
        prefixes: CopiedPrefixes | None = None,
        *,
        is_copy: bool,
        today: Callable[[], str] = day_now,
    ) -> None:
        self._prefixes, self._is_copy, self.today = prefixes, is_copy, today

    @cached_property
    def _pages(self) -> "NamePages":
        # not before a page is made: what is published needs no templates for anything else
        from app.pages.assets import asset_dir
        from app.pages.site.name_pages import NamePages

        return NamePages(asset_dir("templates"))

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The answer to a request for a name or its page; None at any other path."""
        if not is_of_name(request.path):
            return None
        if request.method not in READS:
            is_asked = request.method == "OPTIONS"
            return answer_options() if is_asked else problem_answer(NOT_A_READ, request)
        view.check_current()
        return self._answer(view.edition, request)

    def _answer(self, edition: PublishedEdition, request: HttpRequest) -> HttpAnswer:
        text = name_asked(request)
        is_page = is_page_of_name(request.path)  # in which a name is longer, being encoded
        if len(text if is_page else request.target) > LONGEST_TARGET:
            return problem_answer(TOO_LONG, request)
        names = edition.names
        if names is None:
            return problem_answer(NO_RULES if edition.link else NO_EDITION, request)
        if is_page:
            return self.show(edition, names, judge_text(text, names.book), request)
        day = self.today()
        known = names.answers.find(text, day)
        if known is not None:
            return known
        as_asked = _as_asked(text, request)
        return (
            names.answers.find(as_asked, day)
            or _lead_plainly(names, text, as_asked, day, request)
            or self._follow(edition, names, text, day, request)
        )

    def _follow(
        self,
        edition: PublishedEdition,
        names: EditionNames,
        text: str,
        day: str,
        request: HttpRequest,
    ) -> HttpAnswer:
        judgement = judge_text(text, names.book)
        outcome = names.resolver.resolve(judgement, day, preferences_of(request))
        if isinstance(outcome, ResolvedName | UnresolvedName):
            answer = _lead(outcome, names, request)
            if answer.prepared:
                is_negotiated = isinstance(outcome, ResolvedName) and outcome.is_negotiated
                key = _as_asked(text, request) if is_negotiated else text
                names.answers.keep(key, day, answer)
            return answer
        if isinstance(outcome, EqualChoice):
            context = self._context(edition, names, outcome, outcome.choices)
            told = self._told(edition, names, context)
            return offer_choice(outcome, told, context.successor, request)
        correction = judgement.correction if judgement.match else None
        if correction and correction.kind is CorrectionKind.UNWRAPPED:  # `urn:nbn:urn:nbn:...`
            return offer_identifier(correction.identifier, correction.why, request)
        if _is_of_normal_form(judgement):
            return self._refuse(edition, names, outcome, request)
        return self.refuse(edition, names, judgement, request)

    def rules_of(self, edition: PublishedEdition) -> EditionNames | None:
        return edition.names

    def read_rules(self, file: BundleFile, blobs: BlobFolder, shell: str) -> EditionNames | None:
        """Raises DamagedBlob."""
        return names_ruled_by(file, blobs, shell)

    def show_then(
        self,
        text: str,
        rules: EditionNames,
        standing: StandingEdition,
        view: EditionView,
        request: HttpRequest,
    ) -> HttpAnswer:
        return self.show(view.edition, rules, judge_text(text, rules.book), request, standing)

    def show(
        self,
        edition: PublishedEdition,
        names: EditionNames,
        judgement: Judgement,
        request: HttpRequest,
        standing: StandingEdition | None = None,
    ) -> HttpAnswer:
        """The page of a name, which is that of its normal form and of no component. ``names`` are
        those of the ``standing`` edition, where it is shown of one."""
        judgement = _of_normal_form(judgement, names)
        prefixes = None if standing else self._prefixes
        notes = prefixes.notes_of(judgement.normal_form) if prefixes else ()
        judgement = replace(judgement, beside=notes) if notes else judgement
        day = standing.day if standing else self.today()
        outcome = names.resolver.resolve(judgement, day)
        if not isinstance(outcome, ResolvedName | UnresolvedName | EqualChoice):
            return self._refuse(edition, names, outcome, request, standing)
        services = _services(names, judgement, day) if _is_led(outcome) else ()
        context = self._context(edition, names, outcome, services, standing)
        told = self._told(edition, names, context)
        name, links = judgement.normal_form, succession(context.successor, context.at)
        number = standing.number if standing else edition.number
        return answer_page(told, number, name, links, request)

    def refuse(
        self,
        edition: PublishedEdition,
        names: EditionNames,
        judgement: Judgement,
        request: HttpRequest,
    ) -> HttpAnswer:
        judgement = _of_normal_form(judgement, names)
        outcome = names.resolver.resolve(judgement, self.today())
        return self._refuse(edition, names, outcome, request)

    def _refuse(
        self,
        edition: PublishedEdition,
        names: EditionNames,
        outcome: Outcome,
        request: HttpRequest,
        standing: StandingEdition | None = None,
    ) -> HttpAnswer:
        status = _STATUSES[type(outcome)]
        context = self._context(edition, names, outcome, (), standing)
        told = WordedName(
            partial(self._page, edition, names, context), partial(_problem, context, status)
        )
        links = succession(context.successor, context.at)
        return answer_problem(status, told, links, request)

    def _context(
        self,
        edition: PublishedEdition,
        names: EditionNames,
        outcome: Outcome,
        services: tuple[Destination, ...] = (),
        standing: StandingEdition | None = None,
    ) -> NameContext:
        judgement = outcome.judgement
        return NameContext(
            outcome=outcome,
            services=services,
            successor=successor_of(judgement.rules, names.book) if judgement.rules else "",
            home=edition.registry if self._is_copy else "",
            standing=standing,
            list_path=self._list_path(judgement) if not standing else "",
            prefix_words=self._prefix_words(judgement) if not standing else "",
        )

    def _list_path(self, judgement: Judgement) -> str:
        text = judgement.normal_form or judgement.text
        return self._prefixes.list_path(text) if self._prefixes else ""

    def _prefix_words(self, judgement: Judgement) -> str:
        text = judgement.normal_form or judgement.text
        return self._prefixes.words_on(text) if self._prefixes else ""

    def _told(
        self, edition: PublishedEdition, names: EditionNames, context: NameContext
    ) -> WordedName:
        return WordedName(partial(self._page, edition, names, context), partial(_document, context))

    def _page(self, edition: PublishedEdition, names: EditionNames, context: NameContext) -> str:
        judgement = context.outcome.judgement
        head = ""
        if edition.registry and judgement.rules:
            there = context.at(name_path(judgement.normal_form))
            address = escape(edition.registry + there)
            head = f'<link rel="canonical" href="{address}">'
        return self._pages.page(names.shell, head, context)


def _lead_plainly(
    names: EditionNames, text: str, as_asked: str, day: str, request: HttpRequest
) -> HttpAnswer | None:
    way = names.resolver.find_plain_way(text, preferences_of(request))
    answer = lead_plainly_on(way) if way is not None else None
    if answer is not None and way is not None:
        names.answers.keep(as_asked if way.is_negotiated else text, day, answer)
    return answer


def _as_asked(text: str, request: HttpRequest) -> str:
    headers = request.headers
    return f"{headers.get('accept', '')}\n{headers.get('accept-language', '')}\n{text}"


def _lead(
    outcome: ResolvedName | UnresolvedName, names: EditionNames, request: HttpRequest
) -> HttpAnswer:
    judgement = outcome.judgement
    notice, successor = succession_told(judgement, names)
    if isinstance(outcome, ResolvedName):
        return lead_on(outcome, notice, successor, request)
    return lead_to_page(judgement.normal_form, notice, successor, request)


def _of_normal_form(judgement: Judgement, names: EditionNames) -> Judgement:
    if judgement.urn is None or _is_of_normal_form(judgement):
        return judgement
    return judge_text(judgement.normal_form, names.book)


def _is_of_normal_form(judgement: Judgement) -> bool:
    return judgement.text == judgement.normal_form


def _services(names: EditionNames, judgement: Judgement, day: str) -> tuple[Destination, ...]:
    if judgement.urn is None or judgement.rules is None:
        return ()
    chooser = names.resolver.chooser_of(judgement.rules)
    forms = judgement.normal_form, judgement.own_form
    return chooser.choose(judgement.urn, *forms, day, kinds=frozenset(ServiceKind))[0]


def _is_led(outcome: Outcome) -> bool:
    return not isinstance(outcome, UnresolvedName) or outcome.is_meant


def preferences_of(request: HttpRequest) -> Preferences:
    headers = request.headers
    return _preferences(headers.get("accept", ""), headers.get("accept-language", ""))


@lru_cache(maxsize=512)
def _preferences(accept: str, language: str) -> Preferences:
    if not accept and not language:
        return NO_PREFERENCES
    return Preferences(partial(media_type_weight, accept), partial(language_weight, language))


def succession_told(judgement: Judgement, names: EditionNames) -> tuple[str, str]:
    """The notice of a deprecated namespace, and the one to use instead; mostly there is none."""
    rules = judgement.rules
    if rules is None or (rules.status is Status.REGISTERED and not rules.successor):
        return "", ""
    successor = successor_of(rules, names.book)
    if rules.status is not Status.DEPRECATED:
        return "", successor
    return deprecation_words(rules.name, successor), successor


def _document(context: NameContext) -> str:
    said = outcome_detail(context)
    told = {**outcome_to(context.outcome, context.services), **({"detail": said} if said else {})}
    return json_document({**told, **_standing_to(context)})


def _standing_to(context: NameContext) -> dict[str, object]:
    judgement = context.outcome.judgement
    return standing_to(context.standing, judgement.normal_form or judgement.text)


def _problem(context: NameContext, status: HTTPStatus) -> str:
    is_of_edition = isinstance(context.outcome, Unregistered) and context.standing
    more = {
        "title": outcome_headline(context.outcome, context.standing),
        **outcome_to(
            context.outcome, grounds=tuple(outcome_reasons(context)) if is_of_edition else None
        ),
        **_standing_to(context),
    }
    if isinstance(context.outcome, Unregistered) and not context.standing:
        more["request_a_name"] = f"{context.home}/requests/new"
    code = _code_of(context.outcome)
    document = problem_document(code, status, outcome_detail(context), more, base_url=context.home)
    return f"{document.decode()}\n"


def _code_of(outcome: Outcome) -> ProblemCode:
    error = outcome.judgement.error
    return identifier_codes.code_of(error) if error else _CODES[type(outcome)]


SCHEME = "ark"
Noted = TypeVar("Noted", bound=ArkOutcome)
_KEPT = "/~!$&'()*+,;=:@"  # of a path, RFC 3986 appendix A, besides what is always kept
_EDITION_CODES: dict[type[ArkOutcome], ProblemCode] = {
    UnregisteredNaan: publication_codes.NAAN_UNKNOWN,
    WithdrawnNaan: publication_codes.NAAN_WITHDRAWN,
    UnresolvedArk: publication_codes.ARK_WITHOUT_TARGET,
}
_EDITION_STATUSES: dict[type[ArkOutcome], HTTPStatus] = {
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
        from app.pages.site.name_pages import ArkNamePages

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
        return _edition_lead_plainly(asked, text) or self._follow(asked, text)

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
        if isinstance(outcome, OverlongArk) or type(outcome) in _EDITION_STATUSES.keys() - {
            UnresolvedArk
        }:
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
        status, home = _EDITION_STATUSES[type(outcome)], self._home(asked.edition)
        then = _edition_standing_to(asked, outcome)
        told = WordedArk(
            page=partial(self._page, asked, outcome),
            erc=str,
            document=partial(_edition_problem, outcome, status, home, then),
        )
        return answer_ark_problem(status, told, asked.request)

    def _told(self, asked: _AskedOfEdition, outcome: ArkOutcome) -> WordedArk:
        return WordedArk(
            page=partial(self._page, asked, outcome),
            erc=str,
            document=lambda: json_document(
                ark_outcome_to(outcome)
                | correction_to(correct_ark(outcome, asked.arks.book))
                | _edition_standing_to(asked, outcome)
            ),
        )

    def _page(self, asked: _AskedOfEdition, outcome: ArkOutcome) -> str:
        context = ArkNameContext(
            outcome=outcome,
            holders=tuple(holders_of(outcome, asked.arks.book)),
            path_of=asked.path_of,
            home=self._home(asked.edition),
            is_refused=type(outcome) in _EDITION_STATUSES,
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


def _edition_lead_plainly(asked: _AskedOfEdition, text: str) -> HttpAnswer | None:
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


def _edition_standing_to(asked: _AskedOfEdition, outcome: ArkOutcome) -> dict[str, object]:
    request = outcome.request
    return standing_to(asked.standing, request.normal_form or request.text)


def _edition_problem(
    outcome: ArkOutcome, status: HTTPStatus, home: str, then: Mapping[str, object]
) -> str:
    more = {"title": ark_headline(outcome), **ark_outcome_to(outcome), **then}
    if isinstance(outcome, UnregisteredNaan):
        more["request_a_name"] = f"{home}/requests/new/naan"
    detail = " ".join(ground.message for ground in ark_reasons(outcome))
    document = problem_document(_edition_code_of(outcome), status, detail, more, base_url=home)
    return f"{document.decode()}\n"


def _edition_code_of(outcome: ArkOutcome) -> ProblemCode:
    error = outcome.request.error
    return identifier_codes.code_of(error) if error else _EDITION_CODES[type(outcome)]


_MOST_READ = 4  # editions whose rules are at hand besides the current one's

Rules = TypeVar("Rules", EditionNames, EditionArks)
_Reader = Callable[[BundleFile, BlobFolder, str], EditionNames | EditionArks | None]


class StandingNamePages(Protocol[Rules]):
    """Makes the pages of names of one group by the rules of whatever edition."""

    def rules_of(self, edition: PublishedEdition) -> Rules | None:
        """The rules of a current edition."""

    def read_rules(self, file: BundleFile, blobs: BlobFolder, shell: str) -> Rules | None:
        """The rules in a file; None, and a note, where they cannot be read."""

    def show_then(
        self,
        text: str,
        rules: Rules,
        standing: StandingEdition,
        view: EditionView,
        request: HttpRequest,
    ) -> HttpAnswer:
        """The page of a name by the rules of an edition."""


class NamesInEditions:
    """Answers with the page of a name as it stood in an edition of the group that is asked.

    ``pages`` make it, by the ids of groups. The shell round it is of today. Names that are bound
    are of no edition.
    """

    def __init__(self, pages: Mapping[str, StandingNamePages[Any]]) -> None:
        self._pages = pages
        self._readers: dict[str, _Reader] = {
            group: lru_cache(maxsize=_MOST_READ)(each.read_rules) for group, each in pages.items()
        }

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The page of a name in an edition; None at any other path, and where it is not here.
        Raises DamagedBlob."""
        pages, group = self._pages.get(view.group.id), view.group
        if pages is None or not is_page_in_edition(request.path, group):
            return None
        owner = view.history.find(request.path)
        if owner is None:
            return None
        if request.method not in READS:
            is_asked = request.method == "OPTIONS"
            return answer_options() if is_asked else problem_answer(NOT_A_READ, request)
        text = name_asked(request)
        if len(text) > LONGEST_TARGET:
            return problem_answer(TOO_LONG, request)
        view.check_current()
        rules = self._find_rules(pages, owner, view)
        if rules is None:
            return problem_answer(_unruled(owner.number), request)
        folder, day = edition_path(owner.number, group=group.id), owner.moment.date().isoformat()
        standing = StandingEdition(owner.number, day, folder)
        return pages.show_then(text, rules, standing, view, request)

    def _find_rules(
        self, pages: StandingNamePages[Any], owner: PublishedEdition, view: EditionView
    ) -> EditionNames | EditionArks | None:
        path = edition_path(owner.number, rules_file(view.group.id), view.group.id)
        file, current = owner.catalogue.find(path), pages.rules_of(view.edition)
        if file is None or (current is not None and current.digest == file.sha256):
            return current if file else None
        read = self._readers[view.group.id]
        return read(file, view.blobs, current.shell if current else plain_shell())


def _unruled(number: int) -> Problem:
    return Problem(
        publication_codes.NAMES_UNRULED,
        f"Edition {number} was published without resolution rules. Use a later edition, "
        "or /names/ for the current one.",
    )
