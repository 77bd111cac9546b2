"""The registry's pages for those whom the published plane passes on: signed in, or asking."""

import re
from typing import cast
from urllib.parse import urlencode

from flask import Blueprint, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.identifiers.nid import fold_nid
from app.identifiers.urn import InvalidURN, parse_urn
from app.pages.listing import listed
from app.pages.places import name_path, registry_path, table_of
from app.pages.site import Site
from app.registration.records import Registration, RegistrySnapshot
from app.services.refusals import NotFound
from app.services.registry import current_snapshot
from app.web.shell import shell

bp = Blueprint("public", __name__)

_LONGEST = 500
_NID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{1,31}", re.ASCII)


def _site() -> Site:
    return cast(Site, current_app.extensions["site"])


@bp.get("/")
def home() -> ResponseReturnValue:
    """The first page, or where its search field leads."""
    query = request.args.get("q", "").strip()[:_LONGEST]
    if not query:
        return _site().home(current_snapshot(), shell())
    return _search(query, current_snapshot())


def _search(query: str, snapshot: RegistrySnapshot) -> ResponseReturnValue:
    if query.lower().startswith("ark:"):
        return render_template("public/ark.html", query=query)
    name = query
    if query.lower().startswith("urn:"):
        try:
            name = parse_urn(query).nid
        except InvalidURN as error:
            name = query[4:].rstrip(":")
            if not _NID.fullmatch(name):
                return render_template("public/urn.html", query=query, error=error), 404
    found = find(snapshot, name)
    if found:
        return redirect(name_path(table_of(snapshot, found), found), 303)
    if query.lower().startswith("urn:"):
        return _unknown(name)
    return redirect(f"{registry_path(snapshot)}?{urlencode({'q': query})}", 303)


def find(snapshot: RegistrySnapshot, name: str) -> Registration | None:
    """The record of a name, in whatever case it is written."""
    folded = fold_nid(name)
    return next((record for record in snapshot.records() if record.folded == folded), None)


@bp.get("/assignments/urn-namespaces/")
def registry() -> ResponseReturnValue:
    """The registry, filtered and sorted as asked."""
    view = listed(current_snapshot(), *(request.args.get(n, "") for n in ("q", "sort", "order")))
    return _site().registry(current_snapshot(), shell(), view)


@bp.get("/namespaces/<name>")
def namespace(name: str) -> ResponseReturnValue:
    """One namespace; an unknown name is told what is known and what can be done."""
    snapshot = current_snapshot()
    found = find(snapshot, name)
    if found is None:
        return _unknown(name)
    path = name_path(table_of(snapshot, found), found)
    if path != request.path:
        return redirect(path, 301)
    return _site().namespace(snapshot, found, shell())


def _unknown(name: str) -> ResponseReturnValue:
    if not _NID.fullmatch(name):
        raise NotFound("No namespace can have this name: it takes letters, digits and hyphens.")
    return render_template("public/unknown.html", name=fold_nid(name)), 404
