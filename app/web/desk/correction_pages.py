"""The operator's corrections: of an entry, of what the registry says of itself, of a contact."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.exports.editions.changes import Changes
from app.pages.namespaces.timeline import state_milestones
from app.problems import use_case_codes
from app.registration.declarations.name_addresses import name_found
from app.registration.declarations.registries import URN_SPACE, IdentifierSpace
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions.version_history import past_of
from app.services.operations.site_condition import publication_sentence
from app.services.refusals import Refusal
from app.services.registrations import corrections, disputes, head_corrections
from app.services.registrations.corrections import CorrectionPreview, StoredVersion
from app.services.registrations.head_corrections import HeadCorrection, PersonCorrection
from app.services.registry.snapshots import current_snapshot, tables_with_panel
from app.services.use_cases import Command
from app.web.actions.form_submission import command_of, redirect_with_notice, submit_form
from app.web.forms.correction_forms import (
    COURT,
    EXPERT,
    GROUNDS,
    GROUPS,
    REFERENCE_TYPES,
    RULE,
    CorrectionForm,
    DisputeForm,
    NewPersonForm,
    PersonForm,
    SettlementForm,
    correction_in,
    entry_form,
    entry_shown,
    facts_by_table,
    head_form,
)
from app.web.forms.profile_forms import COLUMNS, FLAGS
from app.web.forms.request_forms import IdempotentForm
from app.web.middleware.problem_responses import ProblemView, answer_form
from app.web.middleware.session import now, policy, required_operator, separation_rule, this_host
from app.workflow.engine import EvidenceMissing
from app.workflow.evidence import Evidence

bp = Blueprint("corrections", __name__, url_prefix="/desk")

LOOK = "look"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPage:
    """One thing that can be corrected: how its page is drawn, what it would change, and how."""

    template: str
    shown: dict[str, Any]
    seen: int
    look: Callable[[CorrectionForm], CorrectionPreview]
    correct: Callable[[Command, CorrectionForm], int]
    there: str


@bp.get("/names/")
def find() -> ResponseReturnValue:
    """Where the desk's field leads."""
    required_operator()
    space, name = name_found(
        request.args.get("name", "").strip().strip("/"), URN_SPACE, corrections.is_registered
    )
    return redirect(_path_of(space, name) if name else url_for("desk.index"), 303)


def _path_of(space: IdentifierSpace, name: str) -> str:
    page = "/names/{}" if space is URN_SPACE else space.page
    return f"/desk{page.format(space.fold(name))}"


@bp.get("/names/<name>")
def name(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """What an entry says now, ready to be corrected."""
    required_operator()
    if name != space.fold(name):
        return redirect(_path_of(space, name), 301)
    return show_correction(_of_name(name, space), _unchanged(corrections.find_entry(name, space)))


def _unchanged(entry: StoredVersion) -> CorrectionForm:
    return entry_form(entry, (), "")(formdata=None, data=entry_shown(entry))


@bp.route("/names/<nid>/profile", methods=["GET", "POST"])
def profile(nid: str) -> ResponseReturnValue:
    """Redirect from the address that part of the form had; a form that was open there is kept."""
    required_operator()
    entry = corrections.find_entry(nid, URN_SPACE)
    code = 308 if request.method == "POST" else 301
    return redirect(_path_of(URN_SPACE, entry.record.folded), code)


@bp.post("/names/<name>")
def correct_name(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """Show what a correction of an entry would change, or publish it."""
    required_operator()
    entry = corrections.find_entry(name, space)
    form = entry_form(entry, request.form, request.form.get("then", ""))()
    return answer_correction(lambda: _of_name(name, space), form)


def _of_name(
    name: str,
    space: IdentifierSpace,
    dispute: DisputeForm | None = None,
    settling: SettlementForm | None = None,
) -> CorrectionPage:
    entry = corrections.find_entry(name, space)
    folded, stands = entry.record.folded, entry.record.profile

    def given(form: CorrectionForm) -> corrections.Correction:
        return correction_in(form, request.form, stands)

    is_own = corrections.is_own_name(required_operator(), entry.record, separation_rule())
    states = state_milestones(past_of(folded, space).history)
    return CorrectionPage(
        template="desk/name.html",
        shown={
            "record": entry.record,
            "path": _path_of(space, folded),
            "own": corrections.OWN_NAME if is_own else "",
            "history": corrections.history_of(space.id, folded),
            "milestones": {point.state.n: point.what for point in states if point.state},
            "dispute": dispute or DisputeForm(formdata=None),
            "settling": settling or SettlementForm(formdata=None),
            "groups": GROUPS,
            "types": REFERENCE_TYPES,
            "columns": tuple(COLUMNS.values()),
            "flags": FLAGS,
        },
        seen=entry.n,
        look=lambda form: corrections.look(name, given(form), now(), space),
        correct=lambda command, form: corrections.correct(
            command, name, given(form), reason=form.why, space=space
        ),
        there=space.page.format(folded),
    )


def _field_of(fact: str, form: IdempotentForm) -> str:
    first, _, rest = fact.partition(".")
    row = f"service_{rest.replace('.', '_')}"
    return row if first == "services" and row in form else first


@bp.post("/names/<name>/disputes")
def note_dispute(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """Note beside a registration what is held against it."""
    required_operator()
    form, entry = DisputeForm(), corrections.find_entry(name, space)

    def again(problem: ProblemView) -> ResponseReturnValue:
        page = _of_name(name, space, form)
        return show_correction(page, _unchanged(entry), problem.status)

    there = space.page.format(entry.record.folded)
    return submit_form(
        form,
        lambda: disputes.note(command_of(form), name, form.noting, space=space),
        done=lambda edition: _published("Noted.", edition, there),
        again=again,
        field_of=_lacking,
    )


@bp.post("/names/<name>/disputes/settle")
def settle_dispute(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """End what is noted beside a registration."""
    required_operator()
    form, entry = SettlementForm(), corrections.find_entry(name, space)

    def again(problem: ProblemView) -> ResponseReturnValue:
        page = _of_name(name, space, settling=form)
        return show_correction(page, _unchanged(entry), problem.status)

    there = space.page.format(entry.record.folded)
    return submit_form(
        form,
        lambda: disputes.settle(command_of(form), name, form.settlement, space=space),
        done=lambda edition: _published("Settled.", edition, there),
        again=again,
        field_of=_unsettled,
    )


_SETTLED_BY = {
    Evidence.OUTCOME: "outcome",
    Evidence.EFFECT: "effect",
    Evidence.REFERENCE: "decision",
    Evidence.DATE: "decided",
}


def _unsettled(error: Exception, form: IdempotentForm) -> str:
    if isinstance(error, EvidenceMissing):
        return next(field for lacked, field in _SETTLED_BY.items() if lacked in error.missing)
    return _fact_of(error, form)


def _lacking(error: Exception, form: IdempotentForm) -> str:
    if isinstance(error, EvidenceMissing):
        return (COURT if Evidence.COURT_REFERENCE in error.missing else GROUNDS).name
    return _fact_of(error, form)


def _fact_of(error: Exception, form: IdempotentForm) -> str:
    """The field of the fact that a refusal is about; none where it is about the correction.

    Shows the other findings about a profile at their fields.
    """
    for finding in getattr(error, "findings", ())[1:]:
        form.refuse(finding.message, _field_of(finding.field, form))
    fact = getattr(error, "fact", "")
    row = f"{fact}_{getattr(error, 'line', 0) or 1}_value"
    return row if row in form else _field_of(fact, form)


def _published(done: str, edition: int, there: str) -> ResponseReturnValue:
    return redirect_with_notice(f"{done} {publication_sentence(edition, this_host())}", there)


@bp.get("/registry")
def head() -> ResponseReturnValue:
    """What the registry says of itself, ready to be corrected."""
    required_operator()
    stands = head_corrections.standing_head()
    words = head_corrections.head_in_words(stands)
    facts = {"title": words.title, "notes": words.notes}
    facts |= {RULE + table: text for table, text in words.rules.items()}
    facts |= {EXPERT + table: text for table, text in words.experts.items()}
    form = head_form(stands.snapshot.registries, _listed())
    return show_correction(_of_head(), form(formdata=None, data=facts))


@bp.post("/registry")
def correct_head() -> ResponseReturnValue:
    """Show what a correction of the registry's head would change, or publish it."""
    required_operator()
    return answer_correction(
        _of_head, head_form(head_corrections.standing_head().snapshot.registries, _listed())()
    )


def _preview(changes: Changes) -> CorrectionPreview:
    people = (fact for person in changes.people for fact in person.facts)
    return CorrectionPreview(changes=changes, facts=(*(one.fact for one in changes.head), *people))


def _lists_panel() -> bool:
    return policy().procedures.lists_panel


def _listed() -> frozenset[str]:
    """The tables whose experts nobody types, since they are the panel."""
    return tables_with_panel() if _lists_panel() else frozenset()


def _of_head() -> CorrectionPage:
    return CorrectionPage(
        template="desk/registry.html",
        shown={"people": current_snapshot(URN_GROUP).people, "has_panel": bool(_listed())},
        seen=head_corrections.standing_head().edition,
        look=lambda form: _preview(
            head_corrections.look_at_head(_head(form), now() if _lists_panel() else None)
        ),
        correct=lambda command, form: head_corrections.correct_head(
            command, _head(form), reason=form.why
        ),
        there=url_for("public.registry"),
    )


def _head(form: CorrectionForm) -> HeadCorrection:
    given = form.given(request.form)
    return HeadCorrection(
        title=given.get("title"),
        notes=given.get("notes"),
        rules=facts_by_table(given, RULE),
        experts=facts_by_table(given, EXPERT),
    )


@bp.get("/people/")
def new_person() -> ResponseReturnValue:
    """A contact to be added."""
    required_operator()
    return show_correction(_of_new_person(), NewPersonForm(formdata=None))


@bp.post("/people/")
def add_person() -> ResponseReturnValue:
    """Show what another contact would change, or publish it."""
    required_operator()
    return answer_correction(_of_new_person, NewPersonForm())


def _of_new_person() -> CorrectionPage:
    def given(form: CorrectionForm) -> tuple[str, PersonCorrection]:
        facts = form.given(request.form)
        return facts.pop("id", ""), PersonCorrection(**facts)

    return CorrectionPage(
        template="desk/person.html",
        shown={"person": None},
        seen=0,
        look=lambda form: _preview(head_corrections.look_at_new_person(*given(form), now())),
        correct=lambda command, form: head_corrections.add_person(
            command, *given(form), reason=form.why
        ),
        there=url_for(".head"),
    )


@bp.get("/people/<ident>")
def person(ident: str) -> ResponseReturnValue:
    """What is said of a contact, ready to be corrected."""
    required_operator()
    stands, _edition = head_corrections.find_person(ident)
    facts = head_corrections.person_in_words(stands)
    return show_correction(_of_person(ident), PersonForm(formdata=None, obj=facts))


@bp.post("/people/<ident>")
def correct_person(ident: str) -> ResponseReturnValue:
    """Show what a correction of a contact would change, or publish it."""
    required_operator()
    return answer_correction(lambda: _of_person(ident), PersonForm())


def _of_person(ident: str) -> CorrectionPage:
    stands, edition = head_corrections.find_person(ident)

    def given(form: CorrectionForm) -> PersonCorrection:
        return PersonCorrection(**form.given(request.form))

    return CorrectionPage(
        template="desk/person.html",
        shown={"person": stands},
        seen=edition,
        look=lambda form: _preview(head_corrections.look_at_person(ident, given(form), now())),
        correct=lambda command, form: head_corrections.correct_person(
            command, ident, given(form), reason=form.why
        ),
        there=url_for(".head"),
    )


def answer_correction(
    find: Callable[[], CorrectionPage], form: CorrectionForm
) -> ResponseReturnValue:
    """Show what a correction would change, or publish it; refused, the page with what was typed."""
    thing, then = find(), request.form.get("then", "")
    if then not in ("", LOOK):  # edit again, or another row
        return show_correction(thing, form)
    again = partial(_refused, find, form)
    if then == LOOK:
        return submit_form(
            form,
            lambda: thing.look(form),
            done=lambda preview: show_correction(thing, form, preview=preview),
            again=again,
            field_of=_fact_of,
        )
    return submit_form(
        form,
        lambda: thing.correct(command_of(form), form),
        done=lambda edition: _published("Corrected.", edition, thing.there),
        again=again,
        field_of=_fact_of,
    )


def _refused(
    find: Callable[[], CorrectionPage], form: CorrectionForm, problem: ProblemView
) -> ResponseReturnValue:
    thing, preview = find(), None
    if problem.code is use_case_codes.EDIT_CONFLICT:
        with suppress(Refusal):  # the other correction may have made this one impossible
            preview = thing.look(form)
    return show_correction(thing, form, problem.status, preview)


def show_correction(
    thing: CorrectionPage,
    form: CorrectionForm,
    status: int = 200,
    preview: CorrectionPreview | None = None,
) -> ResponseReturnValue:
    """The page of a correction: its form, or its preview, which holds the form as it was typed."""
    form.reopen(thing.seen)
    kept = {"reason", "key", "lock_version"}
    shown = {
        **thing.shown,
        "form": form,
        "preview": preview,
        "typed": [
            pair
            for pair in request.form.items(multi=True)
            if pair[0] in form and pair[0] not in kept
        ],
    }
    problems = form.problems()
    for beside in (shown[name] for name in ("dispute", "settling") if name in shown):
        beside.reopen(thing.seen)
        problems += beside.problems()
    return answer_form(problems, status, lambda: render_template(thing.template, **shown))
