"""Templates as text, where the published plane has none: they stand elsewhere, or are new."""

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.bundles.edition_files import template_text
from app.exports.content.name_presentation import kind_of
from app.exports.content.reference_links import xref_url
from app.exports.content.selection import xrefs_in
from app.pages.lists.registry_paths import template_path
from app.problems import page_codes, use_case_codes
from app.registration.declarations.registries import REGISTRIES, URN_SPACE, IdentifierSpace
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import Registration, SubRegistry, bracket_reference
from app.services.names import name_search
from app.services.refusals import NameUnregistered, NotFound
from app.web.middleware.problem_responses import ProblemView, answer_with

bp = Blueprint("template_texts", __name__)

_KINDS = ", ".join(REGISTRIES[each].kind for each in URN_GROUP.registries)


@bp.get(f"/assignments/urn-<any({_KINDS}):kind>/<name>")
def template(kind: str, name: str) -> ResponseReturnValue:
    """Return a template as text, if it isn't among the published files."""
    snapshot = name_search.find(name, URN_SPACE)
    table, found = snapshot.sole_record() if snapshot else (None, None)
    if found is None or table is None or kind_of(table) != kind:
        raise NotFound(use_case_codes.NAMESPACE_UNKNOWN, f"No {kind} namespace has this name.")
    return _template_text(table, found)


def template_of_name(name: str, space: IdentifierSpace) -> ResponseReturnValue:
    """Return a template as text, if it isn't among the published files."""
    snapshot = name_search.find(name, space)
    if snapshot is None:
        raise NameUnregistered(name, space)
    return _template_text(*snapshot.sole_record())


def _template_text(table: SubRegistry, found: Registration) -> ResponseReturnValue:
    path = template_path(table, found)
    if path != request.path:
        return redirect(path, 301)
    if not found.has_template:
        return _elsewhere(found)
    return Response(template_text(table, found), mimetype="text/plain")


def _elsewhere(found: Registration) -> ResponseReturnValue:
    originals = list(_originals(found))
    told = f"This registry has no copy of the template for `{found.folded}`."
    if originals:
        told += f" The original is at {originals[0][1]}."
    members = {"originals": [address for _, address in originals]}
    problem = ProblemView(page_codes.TEMPLATE_ELSEWHERE, "No template on file", told, members)
    return answer_with(
        problem,
        lambda: render_template("public/elsewhere.html", name=found.folded, originals=originals),
    )


def _originals(found: Registration) -> list[tuple[str, str]]:
    xrefs = (*xrefs_in(found.template), *found.references, *xrefs_in(found.contact or ()))
    addresses = ((bracket_reference(xref), xref_url(xref)) for xref in xrefs)
    return [(label, url) for label, url in addresses if url and not url.startswith("#")]
