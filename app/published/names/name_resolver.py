"""``/urn:NID:NSS`` leads on, and ``/names/URN`` says what a name is: from an edition alone."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING

from app.exports.manifests.bundle_files import BundleFile
from app.identifiers.corrections import CorrectionKind
from app.problems import identifier_codes, publication_codes, use_case_codes
from app.problems.problem_codes import ProblemCode
from app.problems.problem_documents import problem_document
from app.published.blobs import BlobFolder
from app.published.chain import EditionView
from app.published.edition import PublishedEdition
from app.published.http.accept_headers import language_weight, media_type_weight
from app.published.http.cross_origin import answer_options
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import NO_EDITION, problem_answer
from app.published.names.copied_prefixes import CopiedPrefixes
from app.published.names.edition_names import EditionNames, day_now, names_ruled_by
from app.published.names.name_answers import (
    NO_RULES,
    NOT_A_READ,
    TOO_LONG,
    WordedName,
    answer_page,
    answer_problem,
    json_document,
    lead_on,
    lead_plainly_on,
    lead_to_page,
    offer_choice,
    succession,
)
from app.published.names.name_targets import is_of_name, is_page_of_name, name_asked
from app.published.names.wrapped_names import offer_identifier
from app.registration.profiles.profile_records import ServiceKind
from app.registration.records.registry_records import Status
from app.resolution.judgement import Judgement, judge_text
from app.resolution.name_paths import LONGEST_TARGET, name_path, successor_of
from app.resolution.outcome_documents import outcome_to, standing_to
from app.resolution.outcome_wording import (
    NameContext,
    StandingEdition,
    deprecation_words,
    outcome_detail,
    outcome_headline,
    outcome_reasons,
)
from app.resolution.outcomes import (
    BadSyntax,
    Destination,
    EqualChoice,
    ImpossibleName,
    Outcome,
    ResolvedName,
    Unregistered,
    UnresolvedName,
    Withdrawn,
)
from app.resolution.service_choice import NO_PREFERENCES, Preferences

if TYPE_CHECKING:
    from app.pages.site.name_pages import NamePages

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
