"""Pages for the prefixes of a user: their identifiers, settings and people."""

from collections.abc import Iterable
from dataclasses import asdict, replace

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.assigned_names.name_formats import NAME_FORMATS
from app.assigned_names.name_prefixes import PrefixRole
from app.registration.declarations.fields import Field
from app.services.accounts.rate_limits import work_turn
from app.services.assigned_names import prefix_lists, prefixes
from app.services.assigned_names.prefix_lists import HeldPrefixDetail
from app.services.assigned_names.prefixes import PrefixRules
from app.web.accounts.assigned_name_pages import prefix_page
from app.web.actions.form_submission import (
    command_of,
    field_named,
    redirect_after,
    redirect_with_notice,
    submit_form,
)
from app.web.forms import prefix_forms as forms
from app.web.forms.request_forms import IdempotentForm
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import now, required_actor

bp = Blueprint("prefixes", __name__, url_prefix="/prefixes")
_SAMPLE_PREFIX = "ark:12345/x5"
_NOBODY_YET = "The owner hasn't signed in here yet. Check that the address is correct."


@bp.get("/")
def index() -> ResponseReturnValue:
    """Show the reader's prefixes, and the form that adds one."""
    begun = {"prefix": request.args.get("prefix", ""), "numbering": forms.USUAL_MASK}
    return _list(forms.PrefixForm(formdata=None, data=begun), 200)


def _list(form: IdempotentForm, status: int, examples: tuple[str, ...] = ()) -> ResponseReturnValue:
    actor = required_actor()
    form.reopen(0)
    mask = form.numbering.data or ""
    examples = (
        examples
        or prefix_lists.sample_names(form.prefix.data or "", mask)
        or prefix_lists.sample_names(_SAMPLE_PREFIX, mask)
    )
    shown = {
        "prefixes": prefix_lists.prefixes_of(actor, now()),
        "held": prefix_lists.registered_names_of(actor),
        "form": form,
        "first": (forms.PREFIX, *forms.FIRST_RULES),
        "further": (forms.HOLDER, *forms.FURTHER_RULES),
        "examples": examples,
        "formats": NAME_FORMATS.values(),
    }
    return answer_form(
        form.problems(), status, lambda: render_template("prefixes/index.html", **shown)
    )


@bp.post("/examples")
def examples() -> ResponseReturnValue:
    """Show examples of a mask's identifiers in the form that adds the prefix."""
    actor, form = required_actor(), forms.PrefixForm()
    typed = [form[name].data or "" for name in ("prefix", "numbering", "pattern")]

    def use() -> tuple[str, ...]:
        with work_turn():
            return prefix_lists.previewed_names(*typed, asker=actor.id)

    return submit_form(
        form,
        use,
        done=lambda names: _list(form, 200, names),
        again=lambda problem: _list(form, problem.status),
        field_of=field_named,
    )


@bp.post("/")
def add() -> ResponseReturnValue:
    """Add a prefix. Without a given owner it belongs to the reader."""
    actor, form = required_actor(), forms.PrefixForm()

    holder = (form.holder.data or "").strip() or actor.email
    owner = "You are" if holder == actor.email else f"{holder} is"
    notice = (
        f"Prefix added. {f'{owner} the owner.' if prefixes.has_account(holder) else _NOBODY_YET}"
    )

    def use() -> int:
        return prefixes.add_prefix(command_of(form), form.prefix.data or "", holder, _rules(form))

    return submit_form(
        form,
        use,
        done=lambda ident: redirect_with_notice(notice, _path_from(".prefix", ident)),
        again=lambda problem: _list(form, problem.status),
        field_of=field_named,
    )


def _path_from(endpoint: str, ident: int) -> str:
    near = prefix_lists.nearest_visible(ident, required_actor(), now())
    if near is None:
        return url_for(".index")
    return url_for(endpoint if near == ident else ".prefix", ident=near)


def _rules(form: IdempotentForm) -> PrefixRules:
    return PrefixRules(**_told(form, forms.RULES))


def _told(form: IdempotentForm, fields: Iterable[Field]) -> dict[str, str]:
    return {field.name: form[field.name].data or "" for field in fields}


def _fields(detail: HeldPrefixDetail) -> tuple[Field, ...]:
    return forms.RULES_OF_ENDED if detail.held.ends else forms.RULES


@bp.get("/<number:ident>/")
def prefix(ident: int) -> ResponseReturnValue:
    """Show one prefix and its identifiers."""
    return prefix_page(ident, 200)


@bp.get("/<number:ident>/settings")
def settings_page(ident: int) -> ResponseReturnValue:
    """Show the settings and the people of a prefix."""
    return _settings(ident, 200)


def _settings(
    ident: int,
    status: int,
    *,
    form: IdempotentForm | None = None,
    person: IdempotentForm | None = None,
    ending: IdempotentForm | None = None,
) -> ResponseReturnValue:
    detail = prefix_lists.prefix_detail(ident, required_actor(), now())
    if form is None:
        rules = forms.PrefixRulesForm(formdata=None, data=asdict(detail.rules))
    shown = {
        "form": form or rules,
        "person": person or forms.DelegateAddressForm(formdata=None),
        "ending": ending or forms.PrefixEndForm(formdata=None),
    }
    for one in shown.values():
        one.reopen(detail.version)
    problems = [problem for one in shown.values() for problem in one.problems()]
    fields = {
        "fields": _fields(detail),
        "email": forms.EMAIL,
        "until": forms.UNTIL,
        "mask": detail.numbering or forms.USUAL_MASK,
        "examples": detail.following
        or prefix_lists.sample_names(detail.held.text, forms.USUAL_MASK),
    }
    return answer_form(
        problems,
        status,
        lambda: render_template(
            "prefixes/settings.html", detail=detail, problems=problems, **shown, **fields
        ),
    )


@bp.post("/<number:ident>/settings")
def change(ident: int) -> ResponseReturnValue:
    """Change the settings of a prefix."""
    detail = prefix_lists.prefix_detail(ident, required_actor(), now())
    form = forms.PrefixRulesForm()
    return submit_form(
        form,
        lambda: prefixes.change_prefix(
            command_of(form), ident, replace(detail.rules, **_told(form, _fields(detail)))
        ),
        done=redirect_after(url_for(".settings_page", ident=ident), "Saved."),
        again=lambda problem: _settings(ident, problem.status, form=form),
        field_of=field_named,
    )


@bp.post("/<number:ident>/end/look")
def look_at_end(ident: int) -> ResponseReturnValue:
    """Ask for confirmation before a prefix is closed."""
    actor, form = required_actor(), forms.PrefixEndForm()
    return submit_form(
        form,
        lambda: prefixes.look_at_end(ident, actor, now(), form.reason.data or ""),
        done=lambda _none: _shown_before_end(ident, form),
        again=lambda problem: _settings(ident, problem.status, ending=form),
    )


def _shown_before_end(ident: int, form: IdempotentForm) -> ResponseReturnValue:
    detail = prefix_lists.prefix_detail(ident, required_actor(), now())
    form.reopen(detail.version)
    return render_template("prefixes/ending.html", detail=detail, form=form)


@bp.post("/<number:ident>/end")
def end(ident: int) -> ResponseReturnValue:
    """Close a prefix to new identifiers."""
    required_actor()
    form = forms.PrefixEndForm()
    return submit_form(
        form,
        lambda: prefixes.end_prefix(command_of(form), ident, form.reason.data or ""),
        done=redirect_after(url_for(".prefix", ident=ident), "Prefix closed."),
        again=lambda problem: _settings(ident, problem.status, ending=form),
    )


@bp.post("/<number:ident>/people")
def add_person(ident: int) -> ResponseReturnValue:
    """Add an owner or a delegate."""
    form = forms.DelegateAddressForm()
    return submit_form(
        form,
        lambda: prefixes.add_delegate(
            command_of(form),
            ident,
            form.email.data or "",
            form.until.day,
            PrefixRole.HOLDER if form.holder.data else PrefixRole.DELEGATE,
        ),
        done=redirect_after(url_for(".settings_page", ident=ident), "Person added."),
        again=lambda problem: _settings(ident, problem.status, person=form),
        field_of=field_named,
    )


@bp.post("/<number:ident>/people/<number:account>/end")
def end_person(ident: int, account: int) -> ResponseReturnValue:
    """Remove an owner or a delegate."""
    actor = required_actor()
    text = prefix_lists.prefix_detail(ident, actor, now()).held.text
    notice = f"You left {text}." if account == actor.id else f"Person removed from {text}."
    form = IdempotentForm()
    return submit_form(
        form,
        lambda: prefixes.end_delegate(command_of(form), ident, account),
        done=lambda _none: redirect_with_notice(notice, _path_from(".settings_page", ident)),
    )
