"""Paths of this site: the only places that anybody is sent to."""

import re
from urllib.parse import quote

from flask import current_app, request

from app.exports.content.file_names import URN_NAMESPACES, registry_folder

HOME = "/"
REGISTRY = registry_folder(URN_NAMESPACES)
_LONGEST = 2000
# neither // nor /\ at the start, which browsers take for another host
_PATH = re.compile(r"/(?:[!-.0-\[\]-~][!-\[\]-~]*)?", re.ASCII)


def path_here(path: str) -> str:
    """A path of this site, with its query; the first page for anything that leads elsewhere."""
    return path if _PATH.fullmatch(path) else HOME


def safe_path(path: str) -> str:
    """A path of this site that came from outside, and is to be kept."""
    return path_here(path) if len(path) <= _LONGEST else HOME


def asked_path() -> str:
    """The path that was asked for, as a link writes it."""
    query = request.query_string.decode("latin-1")
    path = quote(request.path, safe="/:@!$&'()*+,;=~")
    return safe_path(f"{path}?{query}" if query else path)


def page_above() -> str:
    """The nearest page above where a form was sent to, so that its reader can go on there."""
    pages, path = current_app.url_map.bind(""), request.path.rstrip("/")
    while path and not pages.test(path, "GET"):
        path = path.rpartition("/")[0]
    return path_here(quote(path, safe="/:@!$&'()*+,;=~")) if path else HOME
