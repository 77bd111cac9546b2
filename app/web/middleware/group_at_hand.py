"""Of which group of registries a page speaks: its notice and its rules are those of that group."""

import re
from typing import cast

from flask import Flask, g, request

from app.registration.declarations.group_paths import group_at_path, root_group
from app.registration.declarations.identifier_spaces import IdentifierSpace
from app.registration.declarations.registries import REGISTRIES
from app.registration.declarations.registry_groups import (
    GROUPS,
    RegistryGroup,
    group_of_space,
    source_for,
    speaks_of_urns,
)
from app.services.request_status.request_status import find_registry_of
from app.web.middleware.session import current_actor

_OF_REQUESTS = re.compile(r"/(?:requests|review|desk)/<number:number>")
_KIND = "kind"  # of the query, by which the first page of the form is told what is asked for


def hold_group(space: IdentifierSpace) -> None:
    """Say of which names a page is whose address does not tell it."""
    g.group_at_hand = group_of_space(space)


def group_at_hand() -> RegistryGroup:
    """The group of the page that is answered: by the request that it is about, or by its path.

    A request that the asker may not see says nothing here either.
    """
    if "group_at_hand" not in g:
        g.group_at_hand = _group()
    return cast(RegistryGroup, g.group_at_hand)


def _group() -> RegistryGroup:
    if g.get("is_bare"):  # the database cannot be asked
        return root_group()
    rule = request.url_rule.rule if request.url_rule else ""
    if _OF_REQUESTS.match(rule):
        registry = find_registry_of(int((request.view_args or {})["number"]), current_actor())
        return GROUPS[registry.group] if registry else root_group()
    begun = REGISTRIES.get(request.args.get(_KIND, "")) if rule == "/requests/new" else None
    first = (one for one in REGISTRIES.values() if one.asked_first == request.path)
    found = begun or next(first, None)
    return GROUPS[found.group] if found else group_at_path(request.path.removeprefix("/desk"))


def source_at_hand(source: str) -> str:
    """A rule as the registry at hand has it; one that is of every registry looks nothing up."""
    return source_for(group_at_hand(), source) if speaks_of_urns(source) else source


def install(app: Flask) -> None:
    """Let what is below this module ask."""
    app.extensions["source_at_hand"] = source_at_hand
