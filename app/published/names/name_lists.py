"""The link to lists of names: ``/names/under/PREFIX`` tells the prefixes and names that
begin so."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, quote

from app.assigned_names.bound_names import ListedRegistration, NameListing, describe_listing
from app.assigned_names.name_prefixes import InvalidPrefix, read_prefix
from app.assigned_names.name_schemes import SCHEMES
from app.identifiers.noid import BETANUMERIC
from app.problems import publication_codes, use_case_codes
from app.problems.problem_codes import ProblemCode
from app.published.group_plane import EditionView
from app.published.http.accept_headers import wants_page
from app.published.http.http_exchange import READS, SAFE, HttpAnswer, HttpRequest, answer_options
from app.published.http.problems import Problem, problem_answer
from app.published.names.bound_name_resolver import refuse_names
from app.published.names.copied_prefixes import CopiedPrefixes
from app.published.names.name_answers import (
    HTML,
    JSON,
    NOT_A_READ,
    STEERING,
    TOO_LONG,
    answer_one_of,
    answer_unless_known,
    json_document,
    link_field,
    text_answer,
)
from app.published.names.name_copy_reader import (
    NameCopyReader,
    NameCopyUnavailable,
)
from app.published.names.name_resolver import path_of_prefix
from app.published.names.name_targets import beginning_asked
from app.resolution.ark_documents import ark_headline, ark_reasons, prefix_to, prefix_words
from app.resolution.ark_resolver import UnregisteredNaan
from app.resolution.ark_rules import ArkRules
from app.resolution.judgement import Ground, judge_text
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.outcome_documents import (
    LONGEST_TARGET,
    NAMES,
    UNDER,
    names_under_path,
    namespace_to,
    nid_of,
    unregistered_headline,
)

if TYPE_CHECKING:
    from app.pages.site.name_list_pages import NameListPages


_ANY_NAME = "x"  # makes a name of a beginning
_NAAN = re.compile(f"[{BETANUMERIC}]{{5}}")


class BeginningRefusal(NamedTuple):
    """Why no names begin so. ``near`` are beginnings that it may have been meant for."""

    code: ProblemCode
    headline: str
    grounds: tuple[Ground, ...]
    near: tuple[str, ...] = ()


def registrations_of(beginning: str, view: EditionView) -> tuple[ListedRegistration, ...]:
    """What is registered of a beginning of names, the longest first; nothing of one that is longer
    or shorter than what is registered, or where the edition has no rules. Raises DamagedBlob."""
    scheme, _, rest = beginning.partition(":")
    found = _of_arks if scheme == "ark" else _of_urns
    return tuple(found(rest, view))


def find_unregistered(beginning: str, view: EditionView) -> BeginningRefusal | None:
    scheme = beginning.partition(":")[0]
    return _unregistered_naan(beginning, view) if scheme == "ark" else _unknown(beginning, view)


def registered_beginnings(text: str, view: EditionView) -> tuple[str, ...]:
    """The beginnings that may be meant by whoever left the scheme out: ``urn:isbn:`` by
    ``isbn``."""
    word = text.rstrip(":/").lower()
    names = view.edition.names
    if names and names.book.find(word):
        return (SCHEMES["urn"].whole(word),)
    return (SCHEMES["ark"].whole(word),) if _NAAN.fullmatch(word) else ()


def _unregistered_naan(beginning: str, view: EditionView) -> BeginningRefusal | None:
    arks = view.edition.arks
    outcome = arks.resolver.resolve(f"{beginning}{_ANY_NAME}") if arks else None
    if not isinstance(outcome, UnregisteredNaan):
        return None
    near = tuple(SCHEMES["ark"].whole(one) for one in outcome.nearest)
    grounds = tuple(one for one in ark_reasons(outcome) if one.code != "nearest")
    return BeginningRefusal(publication_codes.NAAN_UNKNOWN, ark_headline(outcome), grounds, near)


def _unknown(beginning: str, view: EditionView) -> BeginningRefusal | None:
    names = view.edition.names
    judgement = judge_text(f"{beginning}{_ANY_NAME}", names.book) if names else None
    if judgement is None or judgement.urn is None or judgement.rules is not None:
        return None
    near = tuple(SCHEMES["urn"].whole(one) for one in judgement.nearest)
    headline = unregistered_headline(nid_of(judgement))
    return BeginningRefusal(use_case_codes.NAMESPACE_UNKNOWN, headline, judgement.grounds, near)


def _of_arks(path: str, view: EditionView) -> Iterator[ListedRegistration]:
    arks = view.edition.arks
    rules = arks.book.longest(path) if arks and path else None
    while arks and rules:
        yield _of_ark_rules(rules, view)
        rules = arks.book.find(rules.naan) if rules.shoulder else None


def _of_ark_rules(rules: ArkRules, view: EditionView) -> ListedRegistration:
    kind = "shoulder" if rules.shoulder else "naan"
    path = path_of_prefix(view.edition, view.group, rules.prefix)
    return ListedRegistration(kind, prefix_words(rules), rules.holder, path, prefix_to(rules))


def _of_urns(rest: str, view: EditionView) -> Iterator[ListedRegistration]:
    names, nid = view.edition.names, rest.partition(":")[0]
    rules = names.book.find(nid) if names and nid else None
    if rules is not None:
        yield _of_namespace(rules, nid)


def _of_namespace(rules: NamespaceRules, nid: str) -> ListedRegistration:
    words, members = SCHEMES["urn"].whole(nid), namespace_to(rules)
    return ListedRegistration("namespace", words, rules.title, f"/namespaces/{nid}", members)


MOST_LISTED = 100  # prefixes, and as many names, of one answer
_AFTER, _PREFIXES_AFTER = "after", "prefixes-after"
_FORMAT, _AS_JSON = "format", "json"  # for who cannot say so by Accept
_MOST_MEMBERS = 5
_KEPT = "~!$'()*,;:@/"  # of a query (RFC 3986 section 3.4) that means nothing in a form
_HOW = (
    "Use /names/under/ followed by a prefix such as ark:12345/x5. For the next page, "
    f"add ?{_AFTER}= with the last identifier or ?{_PREFIXES_AFTER}= with the last "
    "prefix."
)
_NOWHERE_ON = "The position in the list isn't valid. Use the links below a list."
MALFORMED = Problem(publication_codes.NAME_LIST_MALFORMED, _HOW)
_NO_NAME = (NAMES, NAMES.rstrip("/"))  # where no name follows, all are meant
_TO_ALL = HttpAnswer(
    HTTPStatus.SEE_OTHER, [("Location", UNDER), ("Content-Length", "0"), *STEERING, *SAFE]
)


class _ListQuestion(NamedTuple):
    beginning: str
    after: str = ""
    prefixes_after: str = ""
    is_json: bool = False

    def path(self, member: str = "", last: str = "", *, is_json: bool = False) -> str:
        members = [(member, last)] if member else []
        if self.is_json or is_json:
            members.append((_FORMAT, _AS_JSON))
        query = "&".join(f"{name}={quote(value, safe=_KEPT)}" for name, value in members)
        return f"{names_under_path(self.beginning)}{'?' if query else ''}{query}"

    @property
    def json_path(self) -> str:
        member = _AFTER if self.after else _PREFIXES_AFTER if self.prefixes_after else ""
        return self.path(member, self.after or self.prefixes_after, is_json=True)


class NameLists:
    """Lists what lies under a beginning of names. A page takes work for what it shows, however many
    names there are. Nothing of it is of one visitor."""

    def __init__(self, names: NameCopyReader, prefixes: CopiedPrefixes) -> None:
        self._names, self._prefixes = names, prefixes

    @cached_property
    def _pages(self) -> "NameListPages":
        # not before a page is made: what is published needs no templates for anything else
        from app.pages.assets import asset_dir
        from app.pages.site.name_list_pages import NameListPages

        return NameListPages(asset_dir("templates"))

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The list that is asked for, as a page or as JSON; None at any other path."""
        if request.path in _NO_NAME and request.method in READS:
            return _TO_ALL
        text = beginning_asked(request)
        if text is None:
            return None
        if request.method not in READS:
            is_asked = request.method == "OPTIONS"
            return answer_options() if is_asked else problem_answer(NOT_A_READ, request)
        if len(request.target) > LONGEST_TARGET:
            return problem_answer(TOO_LONG, request)
        try:
            asked = _ListQuestion(_read_beginning(text), *_read_query(request.query))
        except ValueError as error:
            return self._refuse(error, text, request, view)
        view.check_current()
        try:
            return self._list(asked, request, view)
        except NameCopyUnavailable as error:
            return refuse_names(error, request)

    def _list(self, asked: _ListQuestion, request: HttpRequest, view: EditionView) -> HttpAnswer:
        listing = self._found(asked)
        nobodys = None if listing.has_any else _nobodys(asked.beginning, view)
        if nobodys:
            return self._miss(nobodys, request, view)
        whose = registrations_of(asked.beginning, view)
        forms = (
            (HTML, partial(self._page, asked, listing, whose, view)),
            (JSON, partial(_document, listing, whose)),
        )
        of = f"{view.edition.number} under {asked}"
        further = listing.next_prefixes if asked.prefixes_after else listing.next_names
        links = link_field([(further, "next")])
        if asked.is_json:
            text = _document(listing, whose)
            return answer_unless_known(f"{of} {text}", JSON, text, links, request)
        return answer_one_of(forms, of, links, request)

    def _miss(
        self, missing: BeginningRefusal, request: HttpRequest, view: EditionView
    ) -> HttpAnswer:
        words = " ".join(one.message for one in missing.grounds)
        problem = Problem(missing.code, f"{words}{_like(missing.near)}")
        return self._worded(problem, missing, request, view)

    def _refuse(
        self, error: ValueError, text: str, request: HttpRequest, view: EditionView
    ) -> HttpAnswer:
        problem, ground = MALFORMED, Ground("further", _NOWHERE_ON, "")
        near: tuple[str, ...] = ()
        if isinstance(error, InvalidPrefix):
            problem = replace(MALFORMED, detail=f"{error} {_HOW}")
            ground = Ground(error.code, error.message, error.source)
            near = registered_beginnings(text, view)
            problem = replace(problem, detail=f"{problem.detail}{_like(near)}")
        refused = BeginningRefusal(problem.code, problem.title, (ground,), near)
        return self._worded(problem, refused, request, view)

    def _worded(
        self,
        problem: Problem,
        missing: BeginningRefusal,
        request: HttpRequest,
        view: EditionView,
    ) -> HttpAnswer:
        if not wants_page(request.headers.get("accept", "")):
            return problem_answer(problem, request)
        page = self._pages.refusal(
            view.edition.shell, missing.headline, missing.grounds, missing.near
        )
        return text_answer(problem.status.value, HTML, page, [("Vary", "Accept")], request)

    def _found(self, asked: _ListQuestion) -> NameListing:
        beginning = asked.beginning
        is_copied = bool(self._names.version())  # else nothing was bound here yet
        prefixes, count = self._prefixes.within(
            beginning, asked.prefixes_after, 0 if asked.after else MOST_LISTED
        )
        has_names = is_copied and not asked.prefixes_after
        names = self._names.names_under(beginning, asked.after, MOST_LISTED) if has_names else []
        last_prefix = prefixes[-1].prefix if prefixes else ""
        last_name = names[-1].name if names else ""
        more_prefixes = last_prefix and self._prefixes.within(beginning, last_prefix, 1)[0]
        more_names = last_name and self._names.names_under(beginning, last_name, 1)
        return NameListing(
            beginning=beginning,
            itself=self._names.find(beginning) if is_copied else None,
            enclosing=self._prefixes.enclosing(beginning),
            prefixes=tuple(prefixes),
            prefix_count=count,
            names=tuple(names),
            next_prefixes=asked.path(_PREFIXES_AFTER, last_prefix) if more_prefixes else "",
            next_names=asked.path(_AFTER, last_name) if more_names else "",
        )

    def _page(
        self,
        asked: _ListQuestion,
        listing: NameListing,
        whose: tuple[ListedRegistration, ...],
        view: EditionView,
    ) -> str:
        is_first = not (asked.after or asked.prefixes_after)
        return self._pages.page(
            view.edition.shell, listing, whose, is_first=is_first, json_path=asked.json_path
        )


def _like(near: tuple[str, ...]) -> str:
    return f" Did you mean {', '.join(near)}?" if near else ""


def _nobodys(beginning: str, view: EditionView) -> BeginningRefusal | None:
    is_scheme = beginning.removesuffix(":") in SCHEMES
    return None if is_scheme or not beginning else find_unregistered(beginning, view)


def _read_beginning(text: str) -> str:
    if not text:
        return ""
    scheme = text.lower().removesuffix(":")
    return f"{scheme}:" if scheme in SCHEMES else read_prefix(text).text


def _read_query(query: str) -> tuple[str, str, bool]:
    members = parse_qsl(query, keep_blank_values=True, max_num_fields=_MOST_MEMBERS)
    given = dict(members)
    after, prefixes_after = given.get(_AFTER, ""), given.get(_PREFIXES_AFTER, "")
    if len(given) != len(members) or (after and prefixes_after):
        raise ValueError(query)
    form = given.get(_FORMAT, "")
    if form not in ("", _AS_JSON):
        raise ValueError(query)
    return after, prefixes_after, form == _AS_JSON


def _document(listing: NameListing, whose: tuple[ListedRegistration, ...]) -> str:
    of_registry = {one.kind: one.members for one in whose}
    return json_document({**describe_listing(listing), **of_registry})
