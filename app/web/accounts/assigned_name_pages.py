"""Names under a prefix: they are minted, found, said to lead somewhere, and withdrawn."""

from collections.abc import Iterator

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.assigned_names.assigned_name_records import (
    ELEMENTS,
    KERNEL,
    AssignedNameRecord,
    AssignedNameState,
    NameRevision,
    withdrawal,
)
from app.assigned_names.name_formats import NAME_FORMATS
from app.pages.diagrams.procedure_graph import state_chart
from app.problems import page_codes
from app.resolution.outcome_documents import name_path, names_under_path
from app.services.assigned_names import minting, name_changes, prefix_lists
from app.services.assigned_names.minting import find_alike
from app.services.assigned_names.name_feed import name_history
from app.services.assigned_names.prefix_lists import NamePage, recent_resolutions
from app.services.names.bound_targets import MOST_OF_HOST, target_health
from app.services.refusals import InvalidInput, NotFound
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
from app.web.middleware.session import given_numbers, now, required_actor, settings

bp = Blueprint("assigned_names", __name__, url_prefix="/prefixes")

_NAMES_A_PAGE, _RECENT_NAMES = 50, 5
_STATES = [("", "Any state"), *((one.value, one.label) for one in AssignedNameState)]


def found_names(ident: int, after: str, most: int) -> NamePage:
    """The names under a prefix that the address asks for."""
    return prefix_lists.names_under(
        ident,
        required_actor(),
        now(),
        after=after,
        most=most,
        state=_asked_state(),
        part=request.args.get("q", ""),
    )


@bp.get("/names")
def everywhere() -> ResponseReturnValue:
    """List identifiers under all prefixes of the reader."""
    asked, state = request.args.get("q", ""), _asked_state()
    page = prefix_lists.names_of_all(
        required_actor(),
        now(),
        after=request.args.get("after", ""),
        most=_NAMES_A_PAGE,
        state=state,
        part=asked,
    )
    shown = {"page": page, "asked": asked, "state": state or "", "states": _STATES}
    return render_template("prefixes/everywhere.html", **shown)


def _asked_state() -> AssignedNameState | None:
    state = request.args.get("state", "")
    return AssignedNameState(state) if state in {*AssignedNameState} else None


def prefix_page(
    ident: int,
    status: int,
    minted: IdempotentForm | None = None,
    chosen: IdempotentForm | None = None,
) -> ResponseReturnValue:
    """Show a prefix with the identifiers that the address asks for."""
    actor = required_actor()
    detail = prefix_lists.prefix_detail(ident, actor, now())
    asked, state = request.args.get("q", ""), request.args.get("state", "")
    after = request.args.get("after", "")
    page = found_names(ident, after, _NAMES_A_PAGE)
    open_forms = {
        "form": minted or forms.MintForm(formdata=None),
        "chosen": chosen or forms.ChosenNameForm(formdata=None),
        "uploaded": forms.NameFileForm(formdata=None),
    }
    for one in open_forms.values():
        one.reopen(0)
    problems = [problem for one in open_forms.values() for problem in one.problems()]
    shown = {
        **open_forms,
        "problems": problems,
        "detail": detail,
        "under": names_under_path,
        "page": page,
        # a short list shows all of them anyway
        "recent": prefix_lists.recent_names(ident, actor, now(), _RECENT_NAMES)
        if detail.held.total > 2 * _RECENT_NAMES and not (asked or state or after)
        else (),
        "asked": asked,
        "state": state,
        "states": _STATES,
        "formats": NAME_FORMATS.values(),
        "resolutions": recent_resolutions(ident, actor, now()),
        "health": target_health(ident, actor, now()),
        "asks": settings().asks_services,
        "most_of_host": MOST_OF_HOST,
        "today": now(),
        "kinds": state_chart([(one.label, n) for one, n in detail.held.counts.items()]),
    }
    return answer_form(problems, status, lambda: render_template("prefixes/prefix.html", **shown))


@bp.post("/<number:ident>/mint")
def mint(ident: int) -> ResponseReturnValue:
    """Mint the next identifiers."""
    required_actor()
    form = forms.MintForm()
    return submit_form(
        form,
        lambda: minting.mint(
            command_of(form),
            ident,
            form.count.data or 0,
            given=given_numbers(),
            reserved=form.reserved.data,
        ),
        # the page says itself what was given
        done=lambda event: redirect(url_for(".batch", ident=ident, event=event), 303),
        again=lambda problem: prefix_page(ident, problem.status, minted=form),
    )


@bp.post("/<number:ident>/choose")
def choose(ident: int) -> ResponseReturnValue:
    """Assign one identifier that its owner chose."""
    actor = required_actor()
    detail = prefix_lists.prefix_detail(ident, actor, now())
    form = forms.ChosenNameForm()

    def use() -> str:
        text, within = detail.held.text, tuple(one.text for one in detail.within)
        name = name_changes.chosen_name(text, form.rest.data or "", within)
        state = AssignedNameState.RESERVED if form.kept.data else AssignedNameState.PUBLIC
        target = (form.target.data or "").strip()
        told = AssignedNameRecord(name=name, state=state, target=target)
        revision = NameRevision(record=told, given=frozenset({"state", "target"}))
        by = command_of(form)
        name_changes.change_names(by, (revision,), given=given_numbers(), only_new=True)
        return name

    return submit_form(
        form,
        use,
        done=lambda name: redirect_with_notice(
            "Identifier assigned.", url_for(".name_page", ident=ident, name=name)
        ),
        again=lambda problem: prefix_page(ident, problem.status, chosen=form),
        field_of=field_named,
    )


@bp.get("/<number:ident>/batches/<number:event>")
def batch(ident: int, event: int) -> ResponseReturnValue:
    """The names that were given at once."""
    detail = prefix_lists.prefix_detail(ident, required_actor(), now())
    names = minting.minted_names(event, required_actor(), now(), prefix=ident)
    return render_template(
        "prefixes/batch.html", names=names, detail=detail, event=event, alike=find_alike(names)
    )


@bp.get("/<number:ident>/batches/<number:event>.txt")
def batch_text(ident: int, event: int) -> ResponseReturnValue:
    """The names that were given at once, a line each."""
    prefix_lists.prefix_detail(ident, required_actor(), now())
    names = minting.minted_names(event, required_actor(), now(), prefix=ident)
    text = "".join(f"{name}\n" for name in names)
    return text, {"Content-Type": "text/plain; charset=utf-8"}


@bp.get("/<number:ident>/name")
def name_page(ident: int) -> ResponseReturnValue:
    """What is known of a name, and the form that changes it."""
    required_actor()
    return _name(ident, 200)


def _asked_name() -> str:
    text = request.args.get("name", "")
    if not text:
        raise NotFound(page_codes.ADDRESS_UNKNOWN, "The address has no identifier.")
    return name_changes.read_name(text)


def _name(
    ident: int,
    status: int,
    form: IdempotentForm | None = None,
    withdrawal: IdempotentForm | None = None,
) -> ResponseReturnValue:
    history = name_history(ident, _asked_name(), required_actor(), now())
    record = history.record
    shown = {
        "form": form or forms.NameChangeForm(formdata=None, data=_values_of(record)),
        "withdrawal": withdrawal or forms.WithdrawalForm(formdata=None),
    }
    for one in shown.values():
        one.reopen(history.version)
    problems = [problem for one in shown.values() for problem in one.problems()]
    page = {
        "history": history,
        "record": record,
        "problems": problems,
        "fields": forms.DESCRIBED,
        "redirects": forms.REDIRECTS,
        "withdrawn_for": forms.WITHDRAWN_FOR,
        "used_instead": forms.USED_INSTEAD,
        "own_page": name_path(record.name) if _is_public(record) else "",
        "ident": ident,
    }
    return answer_form(
        problems, status, lambda: render_template("prefixes/name.html", **page, **shown)
    )


def _values_of(record: AssignedNameRecord) -> dict[str, str | bool]:
    return {
        **{label: record.element(label) for label in KERNEL},
        "target": record.target,
        "persistence": record.persistence,
        "further": _further_of(record),
        "redirect": str(record.redirect),
        "anywhere": record.extends_anywhere,
        "public": _is_public(record),
    }


def _is_public(record: AssignedNameRecord) -> bool:
    return record.state is not AssignedNameState.RESERVED


def _further_of(record: AssignedNameRecord) -> str:
    fields = list(KERNEL)
    further: list[str] = []
    for label, value in record.elements:
        if label in fields:
            fields.remove(label)
        else:
            further.append(f"{label}: {value}")
    return "\n".join(further)


@bp.post("/<number:ident>/name")
def change_name(ident: int) -> ResponseReturnValue:
    """Say where a name leads and what it is."""
    actor = required_actor()
    name = _asked_name()
    before = name_history(ident, name, actor, now()).record
    form = forms.NameChangeForm()

    def use() -> int:
        revision = _revision(name, before, form)
        return name_changes.change_names(command_of(form), (revision,), given=given_numbers())

    return submit_form(
        form,
        use,
        done=redirect_after(url_for(".name_page", ident=ident, name=name), "Saved."),
        again=lambda problem: _name(ident, problem.status, form),
        field_of=field_named,
    )


def _revision(name: str, before: AssignedNameRecord, form: IdempotentForm) -> NameRevision:
    is_public = form.public.data or _is_public(before)
    record = AssignedNameRecord(
        name=name,
        state=AssignedNameState.PUBLIC if is_public else AssignedNameState.RESERVED,
        target=(form.target.data or "").strip(),
        redirect=int(form.redirect.data or 302),
        extends_anywhere=form.anywhere.data,
        elements=tuple(pair for pair in _told_elements(form) if pair[1]),
        persistence=(form.persistence.data or "").strip(),
    )
    members = {"state", "target", "redirect", "extends_anywhere", "persistence", ELEMENTS}
    return NameRevision(record=record, given=frozenset(members))


def _told_elements(form: IdempotentForm) -> Iterator[tuple[str, str]]:
    for label in KERNEL:
        yield label, (form[label].data or "").strip()
    for line in (form.further.data or "").splitlines():
        label, colon, value = line.partition(":")
        if line.strip() and not colon:
            sentence = f"`{line.strip()}` has no label. Enter each line as `label: value`."
            raise InvalidInput(page_codes.FORM_UNFIT, sentence, "further")
        if label.strip():
            yield label.strip(), value.strip()


@bp.post("/<number:ident>/withdraw")
def withdraw(ident: int) -> ResponseReturnValue:
    """Let a name lead nowhere from now on."""
    required_actor()
    name = _asked_name()
    name_history(ident, name, required_actor(), now())
    form = forms.WithdrawalForm()

    def use() -> int:
        since = now().date().isoformat()
        revision = withdrawal(name, form.reason.data or "", since, form.successor.data or "")
        return name_changes.change_names(command_of(form), (revision,), given=given_numbers())

    return submit_form(
        form,
        use,
        done=redirect_after(url_for(".name_page", ident=ident, name=name), "Identifier withdrawn."),
        again=lambda problem: _name(ident, problem.status, withdrawal=form),
        field_of=field_named,
    )
