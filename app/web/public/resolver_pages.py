"""Whether the services answer that names lead to, for everybody."""

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.services.names import name_search, service_health
from app.services.refusals import NameUnregistered
from app.web.middleware.session import now

bp = Blueprint("resolvers", __name__)


@bp.get("/resolvers/")
def index() -> ResponseReturnValue:
    """All services together, and those that do not answer."""
    return render_template(
        "public/resolvers.html", services=service_health.service_list(), today=now()
    )


@bp.get("/namespaces/<name>/resolvers")
def of_namespace(name: str) -> ResponseReturnValue:
    """The services of one namespace."""
    snapshot = name_search.find(name)
    if snapshot is None:
        raise NameUnregistered(name)
    ((_, record),) = ((t, record) for t in snapshot.registries for record in t.records)
    path = f"/namespaces/{record.folded}/resolvers"
    if path != request.path:
        return redirect(path, 301)
    services = service_health.services_of(record.folded)
    return render_template("public/services.html", record=record, services=services, today=now())
