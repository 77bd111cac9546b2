"""The operator's page on how the site is run: its hosts, their workers, the mail."""

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from app.services.names import known_services
from app.services.operations import site_condition
from app.web.actions.form_submission import command_of, redirect_after, submit_form
from app.web.forms.request_forms import plain_form
from app.web.middleware.session import now, required_operator, this_host

bp = Blueprint("operations", __name__, url_prefix="/desk/status")


@bp.get("/")
def index() -> ResponseReturnValue:
    """Show the site status."""
    site = site_condition.operator_condition(required_operator(), this_host())
    form = plain_form()(formdata=None)
    form.reopen(0)
    services = known_services.service_list()
    return render_template("desk/status.html", site=site, services=services, form=form, today=now())


@bp.post("/<ident>/dismiss")
def dismiss(ident: str) -> ResponseReturnValue:
    """Take a host off the list."""
    required_operator()
    form = plain_form()()
    said = "Host removed. A running worker adds it again within seconds."
    done = redirect_after(url_for(".index"), said)
    return submit_form(form, lambda: site_condition.dismiss(command_of(form), ident), done)
