"""Whether the services answer that names lead to, for everybody."""

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.registration.declarations.registries import URN_SPACE
from app.services.names import known_services, name_search
from app.services.names.known_services import get_registered, name_told
from app.services.refusals import NameUnregistered
from app.web.middleware.session import now, settings

bp = Blueprint("resolvers", __name__)


@bp.get("/resolvers/")
def index() -> ResponseReturnValue:
    """All services together, and those that do not answer."""
    services = known_services.service_list()
    return render_template(
        "public/resolvers.html",
        services=services,
        name_told=name_told,
        today=now(),
        asks=settings().asks_services,
    )


@bp.get("/resolvers/<path:text>")
def of_name(text: str) -> ResponseReturnValue:
    """The services of a name of any registry, as it is written in use: ``ark:12345/x5``."""
    name = get_registered(text)
    if name.services_page != request.path:
        return redirect(name.services_page, 301)
    services = known_services.services_of(name.space.about(name.folded))
    own = settings().site_hosts
    has_some = bool(services) or known_services.has_services(name, now(), own)
    return render_template(
        "public/services.html",
        name=name,
        has_some=has_some,
        services=services,
        today=now(),
        asks=settings().asks_services,
    )


@bp.get("/namespaces/<name>/resolvers")
def of_namespace(name: str) -> ResponseReturnValue:
    """The services of one namespace."""
    snapshot = name_search.find(name, URN_SPACE)
    if snapshot is None:
        raise NameUnregistered(name, URN_SPACE)
    ((_, record),) = ((t, record) for t in snapshot.registries for record in t.records)
    path = f"/namespaces/{record.folded}/resolvers"
    if path != request.path:
        return redirect(path, 301)
    services = known_services.services_of(record.key)
    has_some = bool(record.profile.resolution.services)
    return render_template(
        "public/services.html",
        name=name_told(record.key),
        has_some=has_some,
        services=services,
        today=now(),
        asks=settings().asks_services,
    )
