"""Names that their holders bound, ARKs and URNs alike: led on from the copy of names on this
host."""

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import urlsplit

from app.assigned_names.assigned_name_records import AssignedNameState
from app.assigned_names.bound_names import (
    BoundOutcome,
    bound_grounds,
    bound_headline,
    describe_bound,
    resolve_bound,
    write_bound_erc,
)
from app.assigned_names.name_schemes import (
    ASKED_SCHEMES,
    LONGEST_NAME,
    SCHEMES,
    AskedName,
    AskedScheme,
)
from app.identifiers.corrections import corrections, has_stray_marks
from app.problems import publication_codes
from app.problems.problem_codes import ProblemCode
from app.problems.problem_documents import MEDIA_TYPE, problem_document, status_of
from app.published.group_plane import EditionView
from app.published.http.accept_headers import find_best, media_type_weight
from app.published.http.http_exchange import (
    READS,
    SAFE,
    Headers,
    HttpAnswer,
    HttpRequest,
    PreparedHeaders,
    append_headers,
)
from app.published.http.problems import NO_EDITION, Problem, problem_answer
from app.published.names.copied_prefixes import CopiedPrefixes
from app.published.names.edition_names import AnswerCache, EditionArks, EditionNames, day_now
from app.published.names.name_answers import (
    ERC,
    HTML,
    JSON,
    NO_RULES,
    PLAIN,
    STEERING,
    answer_one_of,
    json_document,
    link_field,
    text_answer,
)
from app.published.names.name_copy_reader import (
    NameCopyReader,
    NameCopyState,
    NameCopyUnavailable,
)
from app.published.names.name_resolver import path_of_prefix
from app.published.names.name_targets import (
    is_of_ark,
    is_of_name,
    is_page_of_name,
    name_asked,
    offer_identifier,
)
from app.registration.naans.naan_targets import host_of
from app.resolution.ark_documents import (
    ArkNameContext,
    ark_outcome_to,
    erc_record,
    holders_of,
    write_holder_ercs,
)
from app.resolution.ark_resolver import ArkOutcome, InflectedArk, encode_octets, match_plain
from app.resolution.judgement import judge_text, own_form_of
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.outcome_documents import LONGEST_TARGET, NameContext, name_path, outcome_to
from app.resolution.urn_resolver import Outcome

if TYPE_CHECKING:
    from app.pages.site.name_pages import ArkNamePages, NamePages


LEADING = PreparedHeaders([("Vary", "Accept"), ("Content-Length", "0"), *STEERING, *SAFE])
_FOUND = 302
_SIGNS = frozenset(SCHEMES["ark"].passthrough_signs)
_SCHEME = "ark:"
# The beginning of what the copy of names has for a name that leads to an address with a path and
# without a fragment, all of it ASCII that JSON writes as it is.
_match_public = re.compile(
    r'\{"state":"public","target":"([Hh][Tt][Tt][Pp][Ss]?://([A-Za-z0-9.-]+)/[!$-\[\]-~]*)"'
).match
_OTHERWISE = '"redirect"'  # stands in it where the name leads on with another status
_LONGEST_KEPT, _KEPT = 300, 4_096

# The way on that an answer is, and by which name; no answer where no bound name has one.
PlainWay = tuple[HttpAnswer | None, str]
NOT_BOUND: PlainWay = (None, "")


class PlainBoundArks:
    """Leads on by bound ARKs of the plain kind; any number of threads may ask at once."""

    def __init__(
        self,
        names: NameCopyReader,
        own_hosts: tuple[str, ...],
        longest_prefix: Callable[[str], int] = lambda _name: 0,
    ) -> None:
        self._names, self._own_hosts = names, own_hosts
        self._longest_prefix = longest_prefix
        # What was answered to a text last, from which document of which name and edition; and which
        # texts were asked for at all. Of a text that comes once no answer is kept: to look after
        # thousands of them takes the garbage collector as long as to make them.
        self._known: dict[str, tuple[str, str, str, HttpAnswer]] = {}
        self._asked = set[str]()

    def find(self, request: HttpRequest, view: EditionView) -> PlainWay | None:
        """Where an ARK of the plain kind leads, or that no bound name has it. Raises
        NameCopyUnavailable."""
        plain = match_plain(request.target, 1)
        if plain is None or plain.end() - 1 > LONGEST_NAME:
            return None
        name = _SCHEME + plain[1]
        row = self._names.find_floor(name)
        if row is None:
            return None
        found, document = row
        link, known = view.edition.link or "", self._known.get(name)
        if known is not None and known[:3] == (found, document, link):
            return known[3], found
        if not found or not name.startswith(found):
            return NOT_BOUND if _is_apart(name, found) else None
        return self._lead(name, found, document, view)

    def _lead(self, name: str, found: str, document: str, view: EditionView) -> PlainWay | None:
        public = _match_public(document)
        if public is None or _OTHERWISE in document:
            return None
        if public[2].lower().removesuffix(".") in hosts_of(view.edition.registry, self._own_hosts):
            return None
        target = public[1]
        suffix = name[len(found) :]
        if suffix:
            if suffix[0] not in _SIGNS or not _has_all_below(name, found, view):
                return None
            if len(found) < self._longest_prefix(name):
                return None
            # by which prefix it is answered may change, so that it is not kept
            return _answer(target + suffix, name), found
        answer = _answer(target, name)
        if name in self._asked:
            self._known[name] = found, document, view.edition.link or "", answer
        elif len(name) <= _LONGEST_KEPT:
            if len(self._asked) >= _KEPT:
                self._known, self._asked = {}, set()
            self._asked.add(name)
        return answer, found


@lru_cache(maxsize=16)
def hosts_of(registry: str, own_hosts: tuple[str, ...]) -> Collection[str]:
    named = (urlsplit(registry).netloc, *own_hosts)
    return frozenset(filter(None, (host_of(f"http://{host}/") for host in named if host)))


def _is_apart(name: str, nearest: str) -> bool:
    end = name.index("/") + 2
    return nearest[:end] != name[:end]


def _has_all_below(name: str, found: str, view: EditionView) -> bool:
    arks = view.edition.arks
    rules = arks.book.longest(name[len(_SCHEME) :]) if arks else None
    return rules is None or len(found) >= len(_SCHEME) + len(rules.prefix)


def _answer(target: str, name: str) -> HttpAnswer:
    link = f'</{name}?info>; rel="describedby"'
    fields = [("Location", target), ("Link", link), *LEADING.fields]
    lines = f"location: {target}\r\nlink: {link}\r\n".encode("latin-1") + LEADING.lines
    return HttpAnswer(_FOUND, fields, b"", PreparedHeaders(fields, None, lines))


_ARK = len("ark:")


class WordedBoundName(NamedTuple):
    """What is said of a bound name; only what is asked for is made."""

    page: Callable[[], str]
    erc: Callable[[], str]
    members: Callable[[], dict[str, object]]

    def document(self) -> str:
        return json_document(self.members())


class BoundNameMaker(Protocol):
    """What a scheme says of its bound names beside what is bound, by an edition."""

    def find_worded(
        self, outcome: BoundOutcome, view: EditionView, home: str
    ) -> WordedBoundName | None:
        """What is said of a bound name; None where the edition has no rules to say it by."""

    def own_form(self, name: str, view: EditionView) -> str:
        """The form in which a name is given: what is equivalent to it by its own rules, too."""

    def extends_names(self, name: str, view: EditionView) -> bool:
        """Whether a binding may say that whatever follows its name is handed on."""

    def longest_prefix(self, name: str, view: EditionView) -> int:
        """How many characters of a name are a prefix that is registered apart; 0 where none are."""


class BoundArkMaker:
    """Pages and records of bound ARKs, with whose NAAN and shoulder they are under."""

    @cached_property
    def _pages(self) -> "ArkNamePages":
        # not before a page is made: what is published needs no templates for anything else
        from app.pages.assets import asset_dir
        from app.pages.site.name_pages import ArkNamePages

        return ArkNamePages(asset_dir("templates"))

    def own_form(self, name: str, view: EditionView) -> str:  # noqa: ARG002 — as for URNs
        return name

    def extends_names(self, name: str, view: EditionView) -> bool:  # noqa: ARG002 — as for URNs
        return True

    def longest_prefix(self, name: str, view: EditionView) -> int:
        arks = view.edition.arks
        rules = arks.book.longest(name[_ARK:]) if arks else None
        return _ARK + len(rules.prefix) if rules else 0

    def find_worded(
        self, outcome: BoundOutcome, view: EditionView, home: str
    ) -> WordedBoundName | None:
        """As the holder tells of an ARK; and the registry, of its shoulder and its NAAN."""
        arks = view.edition.arks
        if arks is None:
            return None
        whose = arks.resolver.resolve(f"{outcome.asked}?info")
        context = ArkNameContext(
            outcome=whose,
            holders=tuple(holders_of(whose, arks.book)),
            path_of=partial(path_of_prefix, view.edition, view.group),
            home=home,
        )
        return WordedBoundName(
            page=partial(self._page, outcome, context, arks),
            erc=partial(_ark_erc, outcome, whose),
            members=lambda: {**describe_bound(outcome), **_holders_to(whose)},
        )

    def _page(self, outcome: BoundOutcome, context: ArkNameContext, arks: EditionArks) -> str:
        from app.pages.namespaces.ark_prefix_view import bound_name_view

        return self._pages.page(arks.shell, context, bound_name_view(outcome))


def _ark_erc(outcome: BoundOutcome, whose: ArkOutcome) -> str:
    holders = write_holder_ercs(whose) if isinstance(whose, InflectedArk) else []
    return "\n\n".join([*write_bound_erc(outcome), *holders]) + "\n"


def _holders_to(whose: ArkOutcome) -> dict[str, object]:
    members = ark_outcome_to(whose)
    return {name: members[name] for name in ("shoulder", "naan") if name in members}


class BoundUrnMaker:
    """Pages and records of bound URNs, with the namespace that they are of."""

    @cached_property
    def _pages(self) -> "NamePages":
        from app.pages.assets import asset_dir
        from app.pages.site.name_pages import NamePages

        return NamePages(asset_dir("templates"))

    def own_form(self, name: str, view: EditionView) -> str:
        rules = _rules_of(name, view)
        return name if rules is None else own_form_of(name, rules)

    def extends_names(self, name: str, view: EditionView) -> bool:
        rules = _rules_of(name, view)
        return rules is not None and rules.resolution.extends_names

    def longest_prefix(self, name: str, view: EditionView) -> int:  # noqa: ARG002 — as for ARKs
        return 0

    def find_worded(
        self, outcome: BoundOutcome, view: EditionView, home: str
    ) -> WordedBoundName | None:
        """As the holder tells of a URN; and the registry, of its namespace."""
        names = view.edition.names
        if names is None:
            return None
        whose = names.resolver.resolve(judge_text(outcome.asked, names.book), day_now())
        return WordedBoundName(
            page=partial(self._page, outcome, NameContext(whose, home=home), names, view),
            erc=partial(_urn_erc, outcome, whose),
            members=lambda: {**describe_bound(outcome), **_namespace_to(whose)},
        )

    def _page(
        self, outcome: BoundOutcome, context: NameContext, names: EditionNames, view: EditionView
    ) -> str:
        from app.pages.namespaces.ark_prefix_view import bound_name_view

        registry = view.edition.registry
        address = escape(registry + name_path(outcome.asked))
        head = f'<link rel="canonical" href="{address}">' if registry else ""
        return self._pages.page(names.shell, head, context, bound_name_view(outcome))


def _rules_of(name: str, view: EditionView) -> NamespaceRules | None:
    names = view.edition.names
    return names.book.find(name.split(":", 2)[1]) if names else None


def _urn_erc(outcome: BoundOutcome, whose: Outcome) -> str:
    records, rules = write_bound_erc(outcome), whose.judgement.rules
    if rules is not None:
        told = [("what", rules.title), ("where", f"urn:{rules.name.lower()}:")]
        records.append(erc_record("namespace", told))
    return "\n\n".join(records) + "\n"


def _namespace_to(whose: Outcome) -> dict[str, object]:
    members = outcome_to(whose)
    return {name: members[name] for name in ("namespace",) if name in members}


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
        return self._names.ask(
            lambda floor: resolve_bound(
                *(asked.name, asked.query, floor, scheme.signs),
                shortest=asked.shortest,
                may_extend=may_extend,
            )
        )

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
