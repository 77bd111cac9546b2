"""The desk of those who give names: their prefixes, their names, and who gives them."""

from collections.abc import Iterable
from dataclasses import asdict, replace

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.assigned_names.name_files.name_formats import NAME_FORMATS
from app.assigned_names.prefix_roles import PrefixRole
from app.registration.declarations.fields import Field
from app.services.accounts.work_turns import work_turn
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
_NOBODY_YET = "Nobody with the address of its holder has signed in here yet: see that it is right."


@bp.get("/")
def index() -> ResponseReturnValue:
    """The prefixes that the reader gives names under, and the form that adds one."""
    begun = {"prefix": request.args.get("prefix", "")}
    return _list(forms.PrefixForm(formdata=None, data=begun), 200)


def _list(form: IdempotentForm, status: int, examples: tuple[str, ...] = ()) -> ResponseReturnValue:
    actor = required_actor()
    form.reopen(0)
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
    """Show examples of a mask's names in the form that adds the prefix."""
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
    """Let somebody hold a prefix; who names nobody holds it themselves."""
    actor, form = required_actor(), forms.PrefixForm()

    holder = (form.holder.data or "").strip() or actor.email
    held = f"{'You hold' if holder == actor.email else f'{holder} holds'} it now."
    notice = f"Added. {held if prefixes.has_account(holder) else _NOBODY_YET}"

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
    """The path of a page of a prefix, where it is still the reader's to see; else the nearest."""
    near = prefix_lists.nearest_visible(ident, required_actor(), now())
    if near is None:
        return url_for(".index")
    return url_for(endpoint if near == ident else ".prefix", ident=near)


def _rules(form: IdempotentForm) -> PrefixRules:
    return PrefixRules(**_told(form, forms.RULES))


def _told(form: IdempotentForm, fields: Iterable[Field]) -> dict[str, str]:
    return {field.name: form[field.name].data or "" for field in fields}


def _fields(detail: HeldPrefixDetail) -> tuple[Field, ...]:
    """The rules that still have an effect: by a prefix that has ended no name is made any more."""
    return forms.RULES_OF_ENDED if detail.held.ends else forms.RULES


@bp.get("/<number:ident>/")
def prefix(ident: int) -> ResponseReturnValue:
    """One prefix: its names, found by what stands in them, and what can be done with it."""
    return prefix_page(ident, 200)


@bp.get("/<number:ident>/settings")
def settings_page(ident: int) -> ResponseReturnValue:
    """What is said of a prefix, who gives its names, and how it ends."""
    return _settings(ident, 200)


def _settings(
    ident: int,
    status: int,
    *,
    form: IdempotentForm | None = None,
    person: IdempotentForm | None = None,
    ending: IdempotentForm | None = None,
) -> ResponseReturnValue:
    """The page with whichever of its forms was refused."""
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
    fields = {"fields": _fields(detail), "email": forms.EMAIL, "until": forms.UNTIL}
    return answer_form(
        problems,
        status,
        lambda: render_template(
            "prefixes/settings.html", detail=detail, problems=problems, **shown, **fields
        ),
    )


@bp.post("/<number:ident>/settings")
def change(ident: int) -> ResponseReturnValue:
    """Say something else of a prefix."""
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
    """What the end of a prefix means, before it ends."""
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
    """Let a prefix get no new names."""
    required_actor()
    form = forms.PrefixEndForm()
    return submit_form(
        form,
        lambda: prefixes.end_prefix(command_of(form), ident, form.reason.data or ""),
        done=redirect_after(url_for(".prefix", ident=ident), "It has ended."),
        again=lambda problem: _settings(ident, problem.status, ending=form),
    )


@bp.post("/<number:ident>/people")
def add_person(ident: int) -> ResponseReturnValue:
    """Let somebody else give names, or change those of a prefix that gets no new ones."""
    detail = prefix_lists.prefix_detail(ident, required_actor(), now())
    notice = "They change and withdraw its names now." if detail.closed else "They give names now."
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
        done=redirect_after(url_for(".settings_page", ident=ident), notice),
        again=lambda problem: _settings(ident, problem.status, person=form),
        field_of=field_named,
    )


@bp.post("/<number:ident>/people/<number:account>/end")
def end_person(ident: int, account: int) -> ResponseReturnValue:
    """Let somebody give names no more, nor change them."""
    actor = required_actor()
    detail = prefix_lists.prefix_detail(ident, actor, now())
    does = "change" if detail.closed else "give"
    who, which = ("You", detail.held.text) if account == actor.id else ("They", "it")
    notice = f"{who} {does} no names under {which} any more."
    form = IdempotentForm()
    return submit_form(
        form,
        lambda: prefixes.end_delegate(command_of(form), ident, account),
        done=lambda _none: redirect_with_notice(notice, _path_from(".settings_page", ident)),
    )
