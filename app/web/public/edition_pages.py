"""The editions for those whom the published plane passes on, and what is asked of them."""

from collections.abc import Callable, Iterator
from functools import partial
from http import HTTPStatus
from typing import cast
from urllib.parse import quote

from flask import Blueprint, Response, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.exports.content.file_names import registry_folder, rules_file
from app.exports.content.publication_site import PublicationSite
from app.exports.editions.changes import Changes
from app.exports.editions.edition_list import EDITIONS, EditionRow, edition_path
from app.exports.formats.record_files import namespace_files
from app.exports.manifests.bundle_files import FOR_EVER
from app.identifiers.errors import spell_list
from app.messages.mailed_tokens import octets_without_tokens
from app.pages.lists.registry_paths import name_path, name_path_in
from app.pages.namespaces.timeline import EditionLink
from app.pages.site.published_site import Site
from app.pages.text.phrases import day_phrase
from app.problems import page_codes, use_case_codes
from app.registration.declarations.formats import Format
from app.registration.declarations.group_paths import group_at_path
from app.registration.declarations.name_addresses import is_of_name, name_at
from app.registration.declarations.registries import IdentifierSpace
from app.registration.declarations.registry_groups import (
    URN_GROUP,
    RegistryGroup,
    group_of_space,
)
from app.registration.records.registry_records import Registration, RegistrySnapshot
from app.services.editions.version_history import (
    delta_between,
    edition_differences,
    edition_of_day,
    get_row,
    growth,
    history,
    newest_edition,
)
from app.services.names import name_search
from app.services.names.name_search import cube_of_group, find_at, rows_beneath_at
from app.services.refusals import NotFound
from app.services.registry.snapshots import empty_snapshot_of, key_of
from app.services.stored_editions.stored_files import absence_reason, lasting_paths
from app.web.middleware.problem_responses import ProblemView, answer_with
from app.web.middleware.session import settings
from app.web.middleware.site_chrome import shell

bp = Blueprint("editions", __name__)

View = Callable[..., ResponseReturnValue]

AS_OF = "as-of"
_READS = frozenset({"GET", "HEAD"})
_LONGEST_NUMBER = 18  # digits that a database can hold


@bp.before_app_request
def lead_to_edition() -> ResponseReturnValue | None:
    """Lead who asks for the registry of a day to the edition that stood at its end."""
    days, path = request.args.getlist(AS_OF), request.path
    if not days or request.method not in _READS:
        return None
    day = days[0] if len(days) == 1 else ""  # of two neither is meant more than the other
    group = group_at_path(path)
    home, is_name = registry_folder(group.id), is_of_name(path, group)
    if not (is_name or path.startswith((home, group.editions))):
        return None
    file = path.removeprefix(home) if path.startswith(home) else path[1:] if is_name else ""
    there = edition_path(edition_of_day(group, day.strip()), quote(file), group.id)
    return redirect(there, HTTPStatus.FOUND)


def _site() -> Site:
    return cast(Site, current_app.extensions["site"])


@bp.get(EDITIONS)
def index(group: RegistryGroup = URN_GROUP) -> ResponseReturnValue:
    """Every edition with what it changed."""
    rows, newest = history(group), empty_snapshot_of(newest_edition(group).n)
    counts = cube_of_group(group)
    return _site().editions(newest, rows, growth(group, rows), shell(), counts)


@bp.get(f"{EDITIONS}<number:number>/")
def edition(number: int, group: RegistryGroup = URN_GROUP) -> ResponseReturnValue:
    """One edition."""
    newest, row = newest_edition(group), get_row(group, number)
    kept = lasting_paths(group, number)
    return _site().edition(empty_snapshot_of(newest.n), row, newest.number, shell(), kept)


@bp.get(f"{EDITIONS}<number:number>/<file>")
def file_of_edition(
    number: int, file: str, group: RegistryGroup = URN_GROUP
) -> ResponseReturnValue:
    """A file that an edition keeps for ever: what is laid out is answered before this is asked."""
    raise absence_reason(key_of(group, number), edition_path(number, file, group.id))


@bp.get(f"{EDITIONS}<number:number>/namespaces/<name>")
def name_in_edition(number: int, name: str) -> ResponseReturnValue:
    """One name as it stood in an edition: a page, or a file of it; neither ever changes."""
    return name_then(number, name, URN_GROUP.spaces[0])


@bp.get(f"{EDITIONS}<number:number>/names/<path:name>")
def name_of_edition(
    number: int, name: str, group: RegistryGroup = URN_GROUP
) -> ResponseReturnValue:
    """Answer 404 for a name in an edition; published pages are answered before this view."""
    get_row(group, number)  # raises if there is no such edition
    if name.partition(":")[0].lower() not in group.schemes:
        told = f"Identifiers in editions of {group.title} start with {_schemes_of(group)}."
        raise NotFound(use_case_codes.NAME_UNKNOWN, told)
    raise absence_reason(
        key_of(group, number), edition_path(number, rules_file(group.id), group.id)
    )


def _schemes_of(group: RegistryGroup) -> str:
    return spell_list([f"`{scheme}:`" for scheme in group.schemes])


def name_then(number: int, name: str, space: IdentifierSpace) -> ResponseReturnValue:
    """Show a name as it was in an edition."""
    group = group_of_space(space)
    row, key = get_row(group, number), key_of(group, number)
    found = name_at(name, space, lambda stem: find_at(key, stem, space))
    if found is None:
        return _lacked(name.partition(".")[0], row, space)
    (_, dot, suffix), then = found
    (record,) = then.records()
    path = name_path_in(number, record)
    if path + dot + suffix != request.path:
        return redirect(path + dot + suffix, HTTPStatus.MOVED_PERMANENTLY)
    if dot:
        return _file(then, record, suffix)
    link = EditionLink(number, row.as_of.date().isoformat(), path)
    below = rows_beneath_at(key, then, record)
    return _site().namespace(then, record, shell(), standing=link, below=below)


def _lacked(name: str, row: EditionRow, space: IdentifierSpace) -> ResponseReturnValue:
    day = day_phrase(row.as_of.date())
    told = f"Edition {row.number} ({day}) has no {space.label} `{name[:64]}`."
    now = name_search.find(name, space)
    if now is None:
        raise NotFound(
            use_case_codes.NAMESPACE_UNKNOWN,
            f"{told} This identifier isn’t registered today either.",
        )
    path = name_path(*now.sole_record())
    problem = ProblemView(
        use_case_codes.NAMESPACE_UNKNOWN,
        "Not in that edition",
        f"{told} This identifier was registered later.",
        {"current": path},
    )
    shown = {"problem": problem, "onward": (path, name), "again": "", "back": ""}
    return answer_with(problem, lambda: render_template("error.html", **shown))


def _file(then: RegistrySnapshot, record: Registration, suffix: str) -> ResponseReturnValue:
    made = dict(namespace_files(then, record, PublicationSite(settings().base_url)))
    content = made.get(f"{record.folded}.{suffix}")
    if content is None:
        forms = ", ".join(file.removeprefix(record.folded) for file in made)
        raise NotFound(
            page_codes.FORMAT_UNKNOWN,
            f"In an edition, an entry is available as a page and as {forms}.",
        )
    response = Response(octets_without_tokens(content), content_type=Format(suffix).media_type)
    response.add_etag()
    return response.make_conditional(request)


@bp.get(f"{EDITIONS}<number:before>..<number:after>.json")
def delta(before: int, after: int, group: RegistryGroup = URN_GROUP) -> ResponseReturnValue:
    """Return the changes between two editions; the answer never changes."""
    response = Response(delta_between(group, before, after), mimetype="application/json")
    response.headers["Cache-Control"] = FOR_EVER
    response.add_etag()
    return response.make_conditional(request)


@bp.get(f"{EDITIONS}compare")
def compare(group: RegistryGroup = URN_GROUP) -> ResponseReturnValue:
    """Show the differences between two editions."""
    asked = {name: request.args.get(name, "").strip() for name in ("from", "to")}
    if not any(asked.values()):
        return _page(group, asked)
    wrong = [name for name, text in asked.items() if not _is_number(text)]
    if wrong:
        told = f"Enter the number of an edition, from 1 to {newest_edition(group).number}."
        return _refused(group, asked, wrong[0], told)
    try:
        found = edition_differences(group, int(asked["from"]), int(asked["to"]))
    except NotFound as error:
        return _refused(group, asked, "to", str(error))
    return _page(group, asked, found)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER


def _refused(
    group: RegistryGroup, asked: dict[str, str], field: str, told: str
) -> ResponseReturnValue:
    problem = ProblemView(use_case_codes.EDITION_UNKNOWN, "No such edition", told, {"field": field})
    return answer_with(problem, lambda: _page(group, asked, problem=(f"compare_{field}", told)))


def _page(
    group: RegistryGroup,
    asked: dict[str, str],
    changes: Changes | None = None,
    problem: tuple[str, str] | None = None,
) -> str:
    return render_template(
        "editions/compare.html",
        before=asked["from"],
        after=asked["to"],
        changes=changes,
        problem=problem,
        newest=newest_edition(group).number,
        registry_path=registry_folder(group.id),
        registry_word="Registry" if group.is_root else group.title,
        editions_path=group.editions,
    )


def routes_of(group: RegistryGroup) -> Iterator[tuple[str, str, View]]:
    """The addresses of a group's editions, each with the name of its route and its view."""
    at = group.editions
    yield at, "index", partial(index, group=group)
    yield f"{at}<number:number>/", "edition", partial(edition, group=group)
    yield f"{at}<number:number>/<file>", "file", partial(file_of_edition, group=group)
    names = f"{at}<number:number>/names/<path:name>"
    yield names, "name", partial(name_of_edition, group=group)
    deltas = f"{at}<number:before>..<number:after>.json"
    yield deltas, "delta", partial(delta, group=group)
    yield f"{at}compare", "compare", partial(compare, group=group)
    for space in group.spaces:
        if space.page:
            path = f"{at}<number:number>{name_route(space)}"
            yield path, f"name-{space.id}", partial(name_then, space=space)


def name_route(space: IdentifierSpace) -> str:
    """The route of a space's pages of names."""
    return space.page.format("<path:name>" if "/" in space.signs else "<name>")
