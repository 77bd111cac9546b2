"""Names that their holders bound, ARKs and URNs alike: led on from the copy of names on this
host."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import lru_cache, partial
from http import HTTPStatus
from typing import NamedTuple

from app.assigned_names.asked_names import ASKED_SCHEMES, AskedName, AskedScheme
from app.assigned_names.assigned_name_records import AssignedNameState
from app.assigned_names.bound_name_documents import bound_grounds, bound_headline
from app.assigned_names.passthrough import BoundOutcome, resolve_bound
from app.identifiers.corrections import corrections, has_stray_marks
from app.problems import publication_codes
from app.problems.problem_codes import ProblemCode
from app.problems.problem_documents import MEDIA_TYPE, problem_document, status_of
from app.published.chain import EditionView
from app.published.http.accept_headers import find_best, media_type_weight
from app.published.http.headers import Headers, append_headers
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import NO_EDITION, Problem, problem_answer
from app.published.names.ark_answers import answer_one_of, link_field
from app.published.names.bound_name_pages import (
    BoundArkMaker,
    BoundNameMaker,
    BoundUrnMaker,
    WordedBoundName,
)
from app.published.names.copied_prefixes import CopiedPrefixes
from app.published.names.edition_names import AnswerCache
from app.published.names.name_answers import ERC, HTML, JSON, NO_RULES, PLAIN, text_answer
from app.published.names.name_copy_reader import (
    NameCopyReader,
    NameCopyState,
    NameCopyUnavailable,
    NameOutsidePart,
)
from app.published.names.name_targets import is_of_ark, is_of_name, is_page_of_name, name_asked
from app.published.names.names_elsewhere import answer_elsewhere
from app.published.names.plain_bound_arks import LEADING, PlainBoundArks, hosts_of
from app.published.names.wrapped_names import offer_identifier
from app.registration.naans.naan_targets import host_of
from app.resolution.arks.ark_requests import encode_octets
from app.resolution.name_paths import LONGEST_TARGET, name_path

_SEE_OTHER = HTTPStatus.SEE_OTHER.value
_WITHDRAWN, _RESERVED = AssignedNameState.WITHDRAWN, AssignedNameState.RESERVED
_METADATA = (
    "application/json",
    "text/x-erc",
)  # what asks for what is known, where it is liked best
_CODES: dict[AssignedNameState, ProblemCode] = {
    _WITHDRAWN: publication_codes.BOUND_NAME_WITHDRAWN,
    _RESERVED: publication_codes.BOUND_NAME_RESERVED,
}
_UNAVAILABLE = {
    NameCopyState.AWAITED: Problem(
        publication_codes.NAME_COPY_AWAITED,
        "This server is starting. It has no copy of the assigned identifiers yet. Try again in a "
        "few seconds.",
        (("Retry-After", "5"),),
    ),
    NameCopyState.DAMAGED: Problem(
        publication_codes.NAME_COPY_DAMAGED,
        "This server cannot read its copy of the assigned identifiers and is rebuilding it. "
        "Try again in a few seconds.",
        (("Retry-After", "5"),),
    ),
    NameCopyState.UNREADABLE: Problem(
        publication_codes.NAME_COPY_UNREADABLE,
        "This server cannot read its copy of the assigned identifiers now. Try again in a few "
        "seconds, or ask another server.",
        (("Retry-After", "5"),),
    ),
}


def refuse_names(error: NameCopyUnavailable, request: HttpRequest) -> HttpAnswer:
    return problem_answer(_UNAVAILABLE[error.state], request)


# Told the bound name, in normal form, each time that somebody is led on by it; of who that was,
# nothing.
ResolutionNote = Callable[[str], None]


class BoundNameSource(NamedTuple):
    """The copy of names on a host, who counts by which of them somebody is led on, and the hosts of
    the site, to which nothing is led. ``listed`` reads the same copy where many names are told."""

    names: NameCopyReader
    listed: NameCopyReader
    note: ResolutionNote | None = None
    own_hosts: Collection[str] = ()


class _KeptBinding(NamedTuple):
    answer: HttpAnswer | None
    name: str = ""


_NOT_BOUND = _KeptBinding(None)


class BoundNameResolver:
    """Leads on by bound names, and tells of them. Nothing of it is of one visitor.

    ``is_copy``: the pages on which names are requested are at the registry, not here.
    """

    def __init__(self, source: BoundNameSource, *, is_copy: bool) -> None:
        self._names, self._note = source.names, source.note
        self._own_hosts, self._is_copy = tuple(source.own_hosts), is_copy
        self._answers = AnswerCache[_KeptBinding]()
        self._prefixes = CopiedPrefixes(self._names)
        self._plain = PlainBoundArks(self._names, self._own_hosts, self._prefixes.longest_prefix)
        self._makers: dict[str, BoundNameMaker] = {"ark": BoundArkMaker(), "urn": BoundUrnMaker()}

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The answer to a request for a bound name or its page; None for any other."""
        path = request.path
        if request.method not in READS or not (is_of_name(path) or is_of_ark(path)):
            return None
        if len(request.target) > LONGEST_TARGET:
            return None
        try:
            if not prefers_metadata(request.headers.get("accept", "")):
                way = self._plain.find(request, view)
                if way is not None:
                    view.check_current()
                    return self._noted(*way)
            version = self._names.version()
            if not version:
                return None
            view.check_current()
            return self._answer(request, view, f"{version} {view.edition.link}")
        except NameCopyUnavailable as error:
            return refuse_names(error, request)
        except NameOutsidePart as error:
            return self.lead_elsewhere(error, request)

    def lead_elsewhere(self, error: NameOutsidePart, request: HttpRequest) -> HttpAnswer:
        return answer_elsewhere(error.part, request, is_copy=self._is_copy)

    def _answer(self, request: HttpRequest, view: EditionView, version: str) -> HttpAnswer | None:
        is_ark = is_of_ark(request.path)
        scheme = ASKED_SCHEMES["ark" if is_ark else "urn"]
        text = encode_octets(name_asked(request)) if is_ark else name_asked(request)
        if is_page_of_name(request.path):
            if offered := self._offer_unmarked(text, scheme, view, request):
                return offered
            asked = scheme.read(text.partition("?")[0])
            outcome = self.find(asked, scheme, view) if asked else None
            return self._describe(outcome, scheme, view, request) if outcome else None
        wants_metadata = prefers_metadata(request.headers.get("accept", ""))
        known = None if wants_metadata else self._answers.find(text, version)
        if known is None:  # what is kept was no text with a stray mark
            if offered := self._offer_unmarked(text, scheme, view, request):
                return offered
            known = self._follow(text, scheme, view, request, wants_metadata=wants_metadata)
            if known is _NOT_BOUND or known.name:
                self._answers.keep(text, version, known)
        return self._noted(known.answer, known.name)

    def _offer_unmarked(
        self, text: str, scheme: AskedScheme, view: EditionView, request: HttpRequest
    ) -> HttpAnswer | None:
        core, mark, query = text.partition("?")
        if not has_stray_marks(core):
            return None
        asked = scheme.read(text)
        found = self.find(asked, scheme, view) if asked else None
        if found is not None and not found.suffix:
            return None
        for one in corrections(core):
            meant = scheme.read(one.identifier)
            like = self.find(meant, scheme, view) if meant else None
            if like and not like.suffix and like.record.state is not _RESERVED:
                return offer_identifier(f"{like.asked}{mark}{query}", one.why, request)
        return None

    def _noted(self, answer: HttpAnswer | None, name: str) -> HttpAnswer | None:
        if name and self._note:
            self._note(name)
        return answer

    def has_names(self) -> bool:
        """Raises NameCopyUnavailable."""
        return bool(self._names.version())

    def find(self, asked: AskedName, scheme: AskedScheme, view: EditionView) -> BoundOutcome | None:
        """What a bound name makes of an asked one; None where a longer prefix has it, or none.
        Raises NameOutsidePart.

        Source: RFC 8141 section 3.2.
        """
        maker = self._makers[scheme.id]
        found = self._bound(asked, scheme, view)
        if found is not None and not found.suffix:
            return found
        own = asked._replace(name=maker.own_form(asked.name, view))
        if own != asked:
            asked, found = own, self._bound(own, scheme, view) or found
        if found is None or not found.suffix:
            return found
        longest = maker.longest_prefix(asked.name, view)
        longest = max(longest, self._prefixes.longest_prefix(asked.name))
        return found if len(found.record.name) >= longest else None

    def place_of(self, outcome: BoundOutcome, view: EditionView) -> str:
        hosts = hosts_of(view.edition.registry, self._own_hosts)
        return "" if host_of(outcome.target) in hosts else outcome.target

    def lead(self, outcome: BoundOutcome, status: int, target: str) -> HttpAnswer:
        fields = link_field([(name_path(outcome.asked), "describedby")])
        if self._note:
            self._note(outcome.record.name)
        return _lead(status, target, fields)

    def _bound(
        self, asked: AskedName, scheme: AskedScheme, view: EditionView
    ) -> BoundOutcome | None:
        may_extend = partial(self._makers[scheme.id].extends_names, asked.name, view)
        try:
            return self._names.ask(
                lambda floor: resolve_bound(
                    *(asked.name, asked.query, floor, scheme.signs),
                    shortest=asked.shortest,
                    may_extend=may_extend,
                ),
                asked.name,
            )
        except NameOutsidePart:
            if self._prefixes.may_have(asked.name):
                raise
            return None

    def _follow(
        self,
        text: str,
        scheme: AskedScheme,
        view: EditionView,
        request: HttpRequest,
        *,
        wants_metadata: bool,
    ) -> _KeptBinding:
        asked = scheme.read(text)
        outcome = self.find(asked, scheme, view) if asked else None
        if asked is None or outcome is None:
            return _NOT_BOUND
        state = outcome.record.state
        if asked.is_described:
            return _KeptBinding(self._describe(outcome, scheme, view, request))
        if state is _WITHDRAWN or state is _RESERVED:
            return _KeptBinding(self.refuse(outcome, scheme, view, request))
        described_at = _describing_path(outcome, scheme)
        fields = link_field([(described_at, "describedby")])
        target = self.place_of(outcome, view)
        if wants_metadata:
            return _KeptBinding(_lead(_SEE_OTHER, described_at, fields))
        if not target:  # its page here says so: nobody was led to anything
            return _KeptBinding(_lead(_SEE_OTHER, name_path(outcome.asked), fields))
        answer = _lead(outcome.record.redirect, target, fields)
        return _KeptBinding(answer, outcome.record.name)

    def _describe(
        self, outcome: BoundOutcome, scheme: AskedScheme, view: EditionView, request: HttpRequest
    ) -> HttpAnswer:
        if outcome.record.state is _RESERVED:
            return self.refuse(outcome, scheme, view, request)
        told = self._worded(outcome, scheme, view)
        if told is None:
            return problem_answer(NO_RULES if view.edition.link else NO_EDITION, request)
        texts = (PLAIN, told.erc), (ERC, told.erc), (JSON, told.document)
        page = (HTML, told.page)
        forms = (page, *texts) if is_page_of_name(request.path) else (texts[0], page, *texts[1:])
        of = f"{view.edition.number} bound {outcome.asked}"
        return answer_one_of(forms, of, _succession(outcome), request)

    def refuse(
        self, outcome: BoundOutcome, scheme: AskedScheme, view: EditionView, request: HttpRequest
    ) -> HttpAnswer:
        """That a name leads nowhere: a page for people, a problem document for programs."""
        code = _CODES[outcome.record.state]
        told = self._worded(outcome, scheme, view)
        fields = [("Vary", "Accept"), *_succession(outcome)]
        is_page = find_best(request.headers.get("accept", ""), (MEDIA_TYPE, HTML)) == 1
        if is_page and told:
            return text_answer(status_of(code).value, HTML, told.page(), fields, request)
        text = _problem(outcome, code, told, self._home(view))
        return text_answer(status_of(code).value, MEDIA_TYPE, text, fields, request)

    def _worded(
        self, outcome: BoundOutcome, scheme: AskedScheme, view: EditionView
    ) -> WordedBoundName | None:
        if outcome.record.state is not _RESERVED:
            name = outcome.record.name
            prefix = self._prefixes.shared_prefix(name)
            outcome = replace(outcome, said=self._prefixes.statement_of(name), prefix=prefix)
        return self._makers[scheme.id].find_worded(outcome, view, self._home(view))

    def _home(self, view: EditionView) -> str:
        return view.edition.registry if self._is_copy else ""


@lru_cache(maxsize=512)
def prefers_metadata(accept: str) -> bool:
    """Whether an Accept field likes what is known of a name better than what it names. ``*/*`` and
    what scripts send by themselves do not: ``application/json, text/plain, */*`` likes all
    alike.

    Source: RFC 9110 section 12.5.1.
    """
    if not any(form in accept.lower() for form in _METADATA):
        return False
    others = media_type_weight(accept, "text/html")
    return any(media_type_weight(accept, form) > others for form in _METADATA)


def _describing_path(outcome: BoundOutcome, scheme: AskedScheme) -> str:
    return f"/{outcome.asked}?info" if scheme.has_inflections else name_path(outcome.asked)


def _lead(status: int, location: str, fields: Headers) -> HttpAnswer:
    """What is known of a name is not what it names, so that 303 leads there."""
    prepared = append_headers([("Location", location), *fields], LEADING)
    return HttpAnswer(status, prepared.fields, b"", prepared)


def _succession(outcome: BoundOutcome) -> Headers:
    successor = outcome.record.successor
    return link_field([(name_path(successor) if successor else "", "successor-version")])


def _problem(
    outcome: BoundOutcome, code: ProblemCode, told: WordedBoundName | None, home: str
) -> str:
    members = told.members() if told else {}
    more: dict[str, object] = {"title": bound_headline(outcome), **members}
    detail = " ".join(ground.message for ground in bound_grounds(outcome))
    document = problem_document(code, status_of(code), detail, more, base_url=home)
    return f"{document.decode()}\n"
