"""The registry's pages for those whom the published plane passes on: signed in, or asking."""

import re
from dataclasses import replace
from http import HTTPStatus
from typing import cast
from urllib.parse import urlencode

from flask import (
    Blueprint,
    Response,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from app.exports.content.file_names import registry_folder
from app.exports.editions.atom import SUFFIX as ATOM
from app.exports.formats.exporters import NAME_FORMATS
from app.identifiers.corrections import unwrap_identifier
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import URN, parse_urn
from app.pages.lists.list_query import (
    MAX_QUERY,
    check_list_parameters,
    read_list_query,
)
from app.pages.lists.registry_list import RegistryListView, view_of
from app.pages.lists.registry_paths import has_home, name_path
from app.pages.lists.search_results import NO_GUESSES, ListSuggestions
from app.pages.namespaces.timeline import VersionLink
from app.pages.site.published_site import Site
from app.pages.text.template_diff import DiffView, unified_diff
from app.pages.tools.urn_tool import pieces_of_refused
from app.problems import identifier_codes, page_codes, use_case_codes
from app.registration.declarations.name_addresses import name_at
from app.registration.declarations.registries import URN_SPACE, IdentifierSpace
from app.registration.declarations.registry_groups import URN_GROUP, RegistryGroup, group_of_space
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
)
from app.resolution import outcome_documents as name_paths
from app.resolution.judgement import judge_text
from app.resolution.outcome_documents import unregistered_headline
from app.services.editions.version_history import (
    get_version,
    newest_edition,
    past_of,
    version_before,
)
from app.services.names import name_search
from app.services.names.availability import describe_unregistered, missing_sentences
from app.services.names.rule_book import rule_book
from app.services.refusals import NameUnregistered, NotFound
from app.services.requests import queues
from app.services.stored_editions.stored_files import absence_reason
from app.web.middleware.problem_responses import ProblemView, answer_problem, answer_with
from app.web.middleware.session import now, policy
from app.web.middleware.site_chrome import shell
from app.web.middleware.site_paths import REGISTRY
from app.web.public import search_targets
from app.web.public.unregistered_documents import unregistered_members, unregistered_sentences

bp = Blueprint("public", __name__)

_NID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{1,31}", re.ASCII)
_MOST_RESULTS = 20
_FORMATS = (*map(str, NAME_FORMATS), ATOM)


def _site() -> Site:
    return cast(Site, current_app.extensions["site"])


@bp.get("/")
def home() -> ResponseReturnValue:
    """The first page, or where its search field leads."""
    query = request.args.get("q", "").strip()
    if not query:
        snapshot, cube = name_search.front()
        return _site().home(snapshot, shell(), cube, name_search.site_tally())
    return _search(search_targets.name_beneath(query, request.args.get("under", "")))


def _search(query: str) -> ResponseReturnValue:
    name = search_targets.name_in(query)
    if name[:4].lower() == "urn:":
        return _search_urn(name)
    path = search_targets.page_of_name(name) or search_targets.page_of_number(name)
    if path is None and name[:4].lower() == "ark:":
        return render_template("public/ark.html", query=name)
    return redirect(path, 303) if path else _results(query[:MAX_QUERY])


def _results(query: str) -> str:
    return render_template(
        "public/search.html",
        asked=query,
        asked_for=f"?{urlencode({'q': query})}",
        offers=name_search.names_offered(query),
        results=name_search.find_similar(query, _MOST_RESULTS),
        lists=search_targets.matches_elsewhere(query),
    )


def _path_of(name: str) -> str | None:
    found = name_search.find(name, URN_SPACE)
    return None if found is None else name_path(*found.sole_record())


def _search_urn(query: str) -> ResponseReturnValue:
    try:
        urn = parse_urn(query)
    except InvalidURN as error:
        nid = query[4:].rstrip(":")
        if not _NID.fullmatch(nid):
            return _not_a_urn(query, error)
        path = _path_of(nid)
        return _unknown(nid) if path is None else redirect(path, 303)
    path = _path_of(urn.nid)
    if path is None:
        return _unknown(urn.nid, urn)
    page = name_paths.name_path(urn.normal_form)
    return redirect(page if len(page) <= name_paths.LONGEST_TARGET else path, 303)


def _not_a_urn(query: str, refusal: InvalidURN) -> ResponseReturnValue:
    judgement = judge_text(query, rule_book())
    error = judgement.error or refusal
    correction = judgement.correction
    found = {
        "position": error.position,
        "corrected": judgement.corrected,
        "correction": correction.why if correction else "",
    }
    problem = ProblemView(
        identifier_codes.code_of(error), "Not a URN", error.message, found, HTTPStatus.NOT_FOUND
    )
    pieces = pieces_of_refused(judgement)
    shown = {"pieces": pieces, "error": error, "correction": correction}
    return answer_with(problem, lambda: render_template("public/urn.html", **shown))


def _only_a_page(group: RegistryGroup) -> ProblemView:
    # programs can filter the complete file
    whole = f"{registry_folder(group.id)}{group.id}.json"
    words = "A filtered list is available only as HTML. For the whole list, use"
    choices = [
        {"type": "text/html", "href": request.full_path},
        {"type": "application/json", "href": whole},
    ]
    return ProblemView(
        page_codes.QUERY_AS_PAGE, "Not in this format", f"{words} {whole}.", {"choices": choices}
    )


@bp.get(REGISTRY)
def registry(group: RegistryGroup = URN_GROUP) -> ResponseReturnValue:
    """The registry, filtered and sorted as asked: a page alone, since rows have no other form."""
    if request.accept_mimetypes and not request.accept_mimetypes.quality("text/html"):
        return answer_problem(_only_a_page(group))
    given = request.args
    asked = read_list_query(given, group)
    extract = name_search.listing(asked, group)
    view = replace(view_of(extract, asked), told=check_list_parameters(given, group))
    guesses = _guesses(view, extract.snapshot)
    elsewhere = search_targets.matches_elsewhere(asked.q, group) if asked.q else ()
    view = replace(view, guesses=guesses, elsewhere=elsewhere)
    return _site().registry(extract.snapshot, shell(), view)


def _guesses(view: RegistryListView, snapshot: RegistrySnapshot) -> ListSuggestions:
    query = view.asked.q
    if not query:
        return NO_GUESSES
    if not view.matching:
        return name_search.guesses_of(query)
    if not has_home(snapshot):
        return ListSuggestions(offers=name_search.look_alike_offers(unwrap_identifier(query)))
    return ListSuggestions(offers=name_search.names_offered(query))


@bp.get("/namespaces/<name>")
def namespace(name: str) -> ResponseReturnValue:
    """One namespace; an unknown name is told what is known and what can be done."""
    return name_page(name, URN_SPACE)


def name_page(name: str, space: IdentifierSpace) -> ResponseReturnValue:
    """One name of a space, at its own address alone."""
    read = name_at(name, space, lambda stem: name_search.find(stem, space))
    if read is None:
        if space is not URN_SPACE:
            stem, _, suffix = name.rpartition(".")
            missing = stem if suffix in _FORMATS else name
            raise NameUnregistered(missing, space, missing_sentences(missing, space))
        return _unknown(name.partition(".")[0])
    (_, dot, suffix), snapshot = read
    table, found = snapshot.sole_record()
    path = name_path(table, found)
    if dot and suffix not in _FORMATS:
        forms = ", ".join(f".{form}" for form in _FORMATS)
        raise NotFound(
            page_codes.FORMAT_UNKNOWN,
            f"A {space.label} is available as a page and as {forms}, not as .{suffix[:20]}.",
        )
    if path + dot + suffix != request.path:
        return redirect(path + dot + suffix, 301)
    if dot:
        raise absence_reason(newest_edition(group_of_space(space)).n, request.path)
    past = past_of(found.folded, found.space)
    return _site().namespace(
        snapshot,
        found,
        shell(),
        past.versions,
        past.history,
        instead=name_search.final_successor(found),
        below=name_search.rows_beneath(snapshot, found),
        list_path=name_search.list_path_of(found),
    )


def _standing(name: str) -> tuple[RegistrySnapshot, Registration]:
    snapshot = name_search.find(name, URN_SPACE)
    if snapshot is None:
        raise NameUnregistered(name, URN_SPACE)
    return snapshot, snapshot.sole_record()[1]


@bp.get("/namespaces/<name>/versions/<int:number>")
def version(name: str, number: int) -> ResponseReturnValue:
    """One version of a template; the newest stands on the namespace's own page."""
    snapshot, standing = _standing(name)
    shown = get_version(name, standing.space, number)
    past = past_of(standing.folded, standing.space, number)
    if number == standing.version:
        return redirect(url_for(".namespace", name=standing.folded), 302)
    path = url_for(".version", name=standing.folded, number=number)
    link = VersionLink(number, path, shown.updated, is_shown=True)
    table = replace(snapshot.sole_record()[0], records=(shown.record,))
    then = replace(snapshot, registries=(table,))
    instead = name_search.final_successor(shown.record)
    return _site().namespace(
        then, shown.record, shell(), past.versions, earlier=link, instead=instead
    )


@bp.get("/namespaces/<name>/versions/<int:number>/diff")
def changes(name: str, number: int) -> ResponseReturnValue:
    """What a version changed: the comparison with the one before it."""
    _, standing = _standing(name)
    earlier = version_before(name, standing.space, number)
    asked = urlencode({"from": earlier, "to": number})
    return redirect(f"{standing.space.page.format(standing.folded)}/diff?{asked}", 302)


@bp.get("/namespaces/<name>/diff")
def difference(name: str) -> ResponseReturnValue:
    """Two versions of a template compared; the last two where none is named."""
    snapshot, standing = _standing(name)
    numbers = _compared(standing.version or 0)
    old, new = (get_version(name, standing.space, number).record for number in numbers)
    view = DiffView.SIDES if request.args.get("view") == DiffView.SIDES else DiffView.INLINE
    newest = standing.version or max(numbers)
    return _site().difference(snapshot, shell(), old, new, numbers, newest, view)


@bp.get("/namespaces/<name>/diff.txt")
def difference_as_text(name: str) -> ResponseReturnValue:
    """What differs between two versions of a template, as a unified difference."""
    _, standing = _standing(name)
    numbers = _compared(standing.version or 0)
    old, new = (dict(get_version(name, standing.space, number).record.fields) for number in numbers)
    before, after = (f"{standing.folded}/version-{number}" for number in numbers)
    return Response(unified_diff(old, new, (before, after)), mimetype="text/plain")


def _compared(newest: int) -> tuple[int, int]:
    is_either = "from" in request.args or "to" in request.args
    return (_number("from"), _number("to")) if is_either or newest < 2 else (newest - 1, newest)


def _number(argument: str) -> int:
    given = request.args.get(argument, "")
    if not re.fullmatch(r"[0-9]{1,9}", given):
        raise NotFound(
            use_case_codes.VERSION_UNKNOWN,
            f"`{argument}` must be the number of a version, such as `?from=1&to=2`.",
        )
    return int(given)


@bp.get("/namespaces/<name>/requests")
def requests_for(name: str) -> ResponseReturnValue:
    """All public requests for a registered name."""
    _, standing = _standing(name)
    return render_template(
        "public/requests.html",
        name=standing.folded,
        requests=queues.about(standing.folded, now(), policy().procedures),
        today=now(),
    )


def _unknown(name: str, urn: URN | None = None) -> ResponseReturnValue:
    if not _NID.fullmatch(name):
        raise NotFound(
            use_case_codes.NAMESPACE_UNKNOWN,
            "This is not a valid NID. A NID has 2 to 32 letters, digits and hyphens "
            "(RFC 8141 section 2). Check the spelling, or search.",
        )
    known = describe_unregistered(name, now(), policy().procedures)
    title = unregistered_headline(known.name)
    problem = ProblemView(
        use_case_codes.NAMESPACE_UNKNOWN,
        title,
        unregistered_sentences(known),
        unregistered_members(known),
    )
    return answer_with(
        problem,
        lambda: render_template(
            "public/unknown.html",
            title=title,
            known=known,
            today=now(),
            asked=urn.normal_form[:MAX_QUERY] if urn else "",
            meant=name_search.names_meant(urn.normal_form) if urn else (),
        ),
    )
