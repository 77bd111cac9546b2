"""The operator's mail desk."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.services import mail_desk
from app.services.refusals import Unfit
from app.web.acting import carried_out
from app.web.forms import plain_form
from app.web.session import now, required_operator

bp = Blueprint("mail", __name__, url_prefix="/desk/mail")


@bp.get("/")
def index() -> ResponseReturnValue:
    """What waits, and what could not be sent."""
    actor = required_operator()
    form = plain_form()(formdata=None)
    form.reopen(0)
    return render_template("desk/mail.html", mail=mail_desk.mail(actor), form=form)


@bp.post("/<number:ident>/again")
def send_again(ident: int) -> ResponseReturnValue:
    """Try a message anew."""
    actor = required_operator()
    form = plain_form()()
    status = carried_out(form, lambda key: mail_desk.send_again(ident, actor, now(), key))
    if status != 200:
        raise Unfit(" ".join(sentence for _, sentence in form.problems()))
    flash("It is tried again within a minute.", "ok")
    return redirect(url_for(".index"), 303)
