"""The registry's pages for those whom the published plane passes on: signed in, or asking."""

import re
from http import HTTPStatus
from typing import cast
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.exports.links import xref_url
from app.exports.selection import xrefs_in
from app.identifiers.nid import fold_nid
from app.identifiers.urn import InvalidURN, parse_urn
from app.pages.listing import MAX_QUERY, listed
from app.pages.places import kind_of, name_path, registry_path, table_of, template_path
from app.pages.site import Site
from app.registration.declarations import REGISTRIES
from app.registration.records import Registration, RegistrySnapshot, bracketed
from app.services.files import template_text
from app.services.refusals import NotFound
from app.services.registry import current_snapshot, taken_index
from app.web.problems import Problem, answer_with
from app.web.shell import shell

bp = Blueprint("public", __name__)

_NID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{1,31}", re.ASCII)
_FORMATS = ("json", "xml")
_KINDS = ", ".join(registry.kind for registry in REGISTRIES.values())


def _site() -> Site:
    return cast(Site, current_app.extensions["site"])


@bp.get("/")
def home() -> ResponseReturnValue:
    """The first page, or where its search field leads."""
    query = request.args.get("q", "").strip()
    if not query:
        return _site().home(current_snapshot(), shell())
    return _search(query)


def _search(query: str) -> ResponseReturnValue:
    scheme = query[:4].lower()
    if scheme == "ark:":
        return render_template("public/ark.html", query=query)
    if scheme == "urn:":
        return _search_urn(query)
    snapshot = current_snapshot()
    found = find(snapshot, query)
    if found is not None:
        return redirect(name_path(table_of(snapshot, found), found), 303)
    return redirect(f"{registry_path(snapshot)}?{urlencode({'q': query[:MAX_QUERY]})}", 303)


def _search_urn(query: str) -> ResponseReturnValue:
    try:
        name = parse_urn(query).nid
    except InvalidURN as error:
        name = query[4:].rstrip(":")  # `urn:isbn:` is how pages show a namespace
        if not _NID.fullmatch(name):
            return _not_a_urn(query, error)
    snapshot = current_snapshot()
    found = find(snapshot, name)
    if found is None:
        return _unknown(name)
    return redirect(name_path(table_of(snapshot, found), found), 303)


def _not_a_urn(query: str, error: InvalidURN) -> ResponseReturnValue:
    problem = Problem(HTTPStatus.NOT_FOUND, "Not a URN", error.message)
    return answer_with(
        problem, lambda: render_template("public/urn.html", query=query, error=error)
    )


def find(snapshot: RegistrySnapshot, name: str) -> Registration | None:
    """The record of a name, in whatever case it is written."""
    folded = fold_nid(name)
    return next((record for record in snapshot.records() if record.folded == folded), None)


@bp.get("/assignments/urn-namespaces/")
def registry() -> ResponseReturnValue:
    """The registry, filtered and sorted as asked."""
    snapshot = current_snapshot()
    view = listed(snapshot, *(request.args.get(name, "") for name in ("q", "sort", "order")))
    return _site().registry(snapshot, shell(), view)


@bp.get("/namespaces/<name>")
def namespace(name: str) -> ResponseReturnValue:
    """One namespace; an unknown name is told what is known and what can be done."""
    snapshot = current_snapshot()
    stem, dot, suffix = name.partition(".")
    found = find(snapshot, stem)
    if found is None:
        return _unknown(stem)
    path = name_path(table_of(snapshot, found), found)
    if dot and suffix not in _FORMATS:
        raise NotFound(f"A namespace can be had as a page, .json or .xml, not as .{suffix[:20]}.")
    if path + dot + suffix != request.path:
        return redirect(path + dot + suffix, 301)
    if dot:
        raise NotFound("This file is not published here yet. Try again in a minute.")
    return _site().namespace(snapshot, found, shell())


def _unknown(name: str) -> ResponseReturnValue:
    if not _NID.fullmatch(name):
        raise NotFound("No namespace can have this name: it takes letters, digits and hyphens.")
    told = f"No namespace `{name}` stands in the registry."
    problem = Problem(HTTPStatus.NOT_FOUND, "Not registered", told)
    index = taken_index()
    near = sorted({*index.find_look_alikes(name), *index.find_one_edit_away(name)})
    shown = {"name": fold_nid(name), "near": near}
    return answer_with(problem, lambda: render_template("public/unknown.html", **shown))


@bp.get(f"/assignments/urn-<any({_KINDS}):kind>/<name>")
def template(kind: str, name: str) -> ResponseReturnValue:
    """A template as text, where the published plane has none: it stands elsewhere, or is new."""
    snapshot = current_snapshot()
    found = find(snapshot, name)
    if found is None or kind_of(table_of(snapshot, found)) != kind:
        raise NotFound(f"There is no {kind} namespace of this name.")
    path = template_path(table_of(snapshot, found), found)
    if path != request.path:
        return redirect(path, 301)
    if not found.has_template:
        return _elsewhere(found)
    return Response(template_text(found), mimetype="text/plain")


def _elsewhere(found: Registration) -> ResponseReturnValue:
    originals = list(_originals(found))
    told = f"This registry does not hold the template of `{found.folded}`."
    if originals:
        told += f" You find the original at {originals[0][1]}."
    members = {"originals": [address for _, address in originals]}
    problem = Problem(HTTPStatus.NOT_FOUND, "No template on file", told, members)
    return answer_with(
        problem,
        lambda: render_template("public/elsewhere.html", name=found.folded, originals=originals),
    )


def _originals(found: Registration) -> list[tuple[str, str]]:
    """Where the text of a template stands: its own address first, then what is referred to."""
    xrefs = (*xrefs_in(found.template), *found.references, *xrefs_in(found.contact or ()))
    addresses = ((bracketed(xref), xref_url(xref)) for xref in xrefs)
    return [(label, url) for label, url in addresses if url and not url.startswith("#")]
