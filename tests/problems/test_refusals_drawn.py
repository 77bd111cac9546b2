"""Each code of a use case and of a command is met once, by a call that somebody could make."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app.exports.formats.xml import xml_bytes
from app.identifiers.ark import parse_ark
from app.outside.work_queue import WorkQueueFull
from app.problems import operation_codes, use_case_codes
from app.problems.problem_codes import ProblemCode
from app.registration.declarations.registries import FORMAL, INFORMAL, URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_records import NamespaceProfile
from app.registration.records.registry_records import Registration
from app.resolution.reference_resolution import begin_resolution
from app.services.accounts import rate_limits, sign_in
from app.services.delegates import claims, delegate_scopes, delegation, yearly_questions
from app.services.editions import edition_build, version_history
from app.services.experts import fast_track_organizations, panel_membership
from app.services.mail import mail_desk
from app.services.names import known_services, rule_book
from app.services.names.known_services import get_registered
from app.services.operations import edition_order, name_resumption, site_condition
from app.services.refusals import Refusal
from app.services.registrations import (
    corrections,
    name_registration,
    transfer_decisions,
)
from app.services.registrations.corrections import Correction
from app.services.registry import (
    bundled_profiles,
    history_import,
    record_import,
    snapshots,
    template_files,
    withheld_records,
)
from app.services.request_status import panel_evidence
from app.services.requests import (
    action_effects,
    comments,
    drafts,
    queues,
    request_actions,
    request_evidence,
    revisions,
)
from app.services.requests.comments import CommentInput
from app.services.requests.drafts import DraftInput
from app.services.stored_editions import divergence
from app.services.stored_editions.edition_folder import EditionFolder
from app.services.use_cases import Command
from app.store.accounts import delegate_rows
from app.store.assigned_names import name_line_rows
from app.store.database import read_transaction, transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import service_answers
from app.store.tables.delegates import ClaimKind
from app.workflow.engine import ActionRefused
from app.workflow.reviews import Verdict
from app.workflow.states import Action
from tests import factories
from tests.conftest import START, Clock
from tests.factories import Cast

LONG = "x" * 100_000
U, O = use_case_codes, operation_codes  # noqa: E741  a table of them is read as a table


@dataclass(frozen=True)
class Scene:
    """A registered name, a draft, a revision, and a request in review."""

    people: Cast
    clock: Clock
    patch: pytest.MonkeyPatch
    folder: Path
    draft: int
    revision: int
    review: int

    @property
    def at(self) -> Any:
        return self.clock()

    def doing(self, who: str) -> Command:
        return factories.command(getattr(self.people, who), self.at)

    def order(self) -> Command:
        with read_transaction():
            seen = corrections.find_entry("quokka", URN_SPACE).n
        return factories.command(self.people.operator, self.at, seen=seen)

    def correct(self, **facts: Any) -> None:
        corrections.correct(
            self.order(), "quokka", Correction(**facts), reason="So it is.", space=URN_SPACE
        )

    def save(self, number: int, lock: int | None = None, **given: Any) -> None:
        saving = DraftInput(**({"fields": {}, "private": {}} | given))
        seen = factories.lock_of(number) if lock is None else lock
        drafts.save(factories.command(self.people.registrant, self.at, seen=seen), number, saving)


def _busy(scene: Scene) -> None:
    class Full:
        def turn(self) -> None:
            raise WorkQueueFull

    scene.patch.setattr(rate_limits, "QUEUE", Full())
    with rate_limits.work_turn():
        pass


def _conflicted_review(scene: Scene) -> None:
    scene.patch.setattr(request_actions, "objection_to", lambda _facts: "You wrote it.")
    factories.review(scene.review, scene.people.expert, Verdict.APPROVE, scene.at)


def _own_claim(scene: Scene) -> None:
    number = factories.claim(scene.people.operator, "quokka", scene.at, "s")
    claims.decide(scene.doing("operator"), number, claims.ClaimDecision.GRANT, "So it is.")


def _demonstrated(scene: Scene) -> None:
    ident = factories.appointed(scene.people, scene.at, "new@experts.example")
    scene.patch.setattr(panel_membership, "is_on", lambda: True)
    panel_membership.confirm(factories.command(scene.people.second_operator, scene.at), ident)


def _reused(scene: Scene) -> None:
    for registry in (FORMAL.id, INFORMAL.id):
        drafts.start(factories.command(scene.people.rival, scene.at, key="k" * 22), registry)


def _not_anothers_comment(scene: Scene) -> None:
    ident = factories.comment(scene.review, scene.people.rival, scene.at)
    command = factories.command(scene.people.registrant, scene.at)
    comments.change(command, scene.review, ident, "Mine.")


def _proposing(scene: Scene) -> None:
    number = factories.approved(scene.people, scene.at, namespace_identifier="numbat")
    seen, operator = factories.lock_of(number), scene.people.operator
    command = factories.command(operator, scene.at, seen=seen, authority="proposal")
    given = request_evidence.ActionInput(reference=factories.REFERENCE)
    request_actions.carry_out(command, number, Action.REGISTER, given)


def _stopped(scene: Scene) -> None:
    scene.patch.setattr(divergence, "noted_divergence", lambda: "Another was published.")
    divergence.refuse_divergence(2)


def _unwritable(scene: Scene) -> None:
    def fail(*_given: object) -> None:
        raise ValueError("No XML has it.")

    scene.patch.setattr(snapshots, "edition_files", fail)
    snapshots.check_writable(snapshots.bundled_snapshot())


def _former(scene: Scene) -> None:
    before = scene.order()
    scene.correct(name="quoll")
    assert scene.order().seen != before.seen
    scene.correct(name="quolls")


def _profiled(scene: Scene) -> None:
    scene.correct(profile=NamespaceProfile(homepage="no address"))


def _not_recognized(scene: Scene) -> None:
    ident = factories.recognized(scene.people, scene.at, "Society")
    remove = fast_track_organizations.remove_representative
    remove(factories.command(scene.people.operator, scene.at), ident, "nobody@org.example")


def _claim_of_a_held_name(scene: Scene) -> None:
    claims.ask_contact(scene.doing("rival"), "quokka", space=URN_SPACE)


def _early(scene: Scene) -> None:
    factories.ask_transfer(scene.people.registrant, "quokka", scene.at, "s")
    with read_transaction():
        held = delegate_scopes.delegate_scope("quokka", space=URN_SPACE)
        number = delegate_rows.open_claims(held, ClaimKind.TRANSFER)[0].number
    transfer_decisions.decide(scene.doing("operator"), number, "So it is.", grant=True)


def _appointed_with_conflict(scene: Scene) -> None:
    scene.patch.setattr(panel_evidence, "eligible", lambda *_given: ())
    facts = _Facts(scene)
    with transaction():
        action_effects._answer(facts)  # type: ignore[arg-type]  # all that is read of the facts


class _Facts:
    """The facts of an action, as far as an answer of the IESG reads them."""

    def __init__(self, scene: Scene) -> None:
        self.command = factories.command(scene.people.operator, scene.at)
        self.request = _Numbered(scene.review)
        self.given = self

    def detail(self, name: str) -> str:
        return {"expert": "new@experts.example"}.get(name, "RFC 8126")


@dataclass(frozen=True)
class _Numbered:
    number: int


def _fixed_procedure(scene: Scene) -> None:
    number = factories.returned(scene.people, scene.at, namespace_identifier="potoroo")
    scene.save(number, standard=True)


def _too_often(scene: Scene) -> None:
    for _ in range(9):
        sign_in.ask_for_link("m@org.example", "/", scene.at, secret="s", host="127.0.0.1")


def _too_many(scene: Scene) -> None:
    scene.patch.setattr(delegation, "MOST_INVITED", 0)
    factories.invite(scene.people.registrant, "new@org.example", scene.at, "s")


def _is_out_of_turn(scene: Scene) -> None:
    factories.act(scene.review, Action.PASS, scene.people.operator, scene.at)


def _missing_registry(scene: Scene) -> None:
    scene.patch.setattr(event_rows, "first_of", lambda _subject: None)
    snapshots._before_editions(URN_GROUP)


def _foreign(_scene: Scene) -> None:
    data = _bundled_xml().replace(INFORMAL.id.encode(), b"urn-namespaces-3")
    snapshots.import_xml(data, _scene.at)


def _bundled_xml() -> bytes:
    return xml_bytes(snapshots.bundled_snapshot())


def _conflicting_history(_scene: Scene) -> None:
    files = [("1.xml", _bundled_xml())]
    history_import.import_history(history_import.read_history(files), _scene.at)


def _withhold_published(scene: Scene) -> None:
    edition_build.build_pending(None, factories.PLACE)
    withheld_records.withhold_record("isbn", "It blocks publication.", scene.at)


def _require_built(scene: Scene) -> None:
    scene.patch.setattr(edition_rows, "standing_failures", lambda _most: [(1, 1, "No reason.")])
    edition_build.require_built()


def _asked_twice(scene: Scene) -> None:
    scene.patch.setattr(service_answers, "take_round", lambda *_given: False)
    list(
        known_services.check_now(
            scene.at, _unasked, known_services.ProbePacing(lambda: 0.0, lambda _seconds: True)
        )
    )


def _unasked(_address: str, _rest: object) -> Any:
    raise AssertionError("nobody is asked")


def _changed_moment(scene: Scene) -> None:
    found = edition_order.OutOfOrderEdition(2, "2026-01-01", 1, "2026-01-02")
    scene.patch.setattr(edition_order, "editions_out_of_order", lambda _every: (found,))
    scene.patch.setattr(edition_order, "changed_moments", lambda _every: [(2, "It was changed.")])
    _acknowledge(scene)


def _forget_one_of_two_hosts(scene: Scene) -> None:
    for ident in ("1" * 32, "2" * 32):
        factories.host(ident, label="web")
    site_condition.forget_host("web", scene.at)


def _resume(scene: Scene) -> None:
    name_resumption.resume_names(scene.people.operator.email, "So it is.", scene.at, (), 0)


def _resume_too_early(scene: Scene) -> None:
    with transaction():
        name_line_rows.keep_host("0" * 32, "host", "of another telling")
    name_resumption.announce_backup()
    _resume(scene)


def _acknowledge(scene: Scene) -> None:
    edition_order.acknowledge_order(scene.people.operator.email, "So it is.", scene.at)


def _appoint(scene: Scene, email: str, role: str = "expert") -> None:
    panel_membership.appoint(
        factories.command(scene.people.operator, scene.at), email, role, "", "RFC 8126"
    )


def _mailed(scene: Scene) -> None:
    ident = factories.queued_mail(scene.at)
    mail_desk.draft(factories.command(scene.people.operator, scene.at), ident)


def _pasted(scene: Scene) -> None:
    mail_desk.paste(factories.command(scene.people.operator, scene.at, secret="s"), "")


def _say(scene: Scene, body: str) -> None:
    said, who = CommentInput(body=body), scene.people.rival
    comments.say(factories.command(who, scene.at), scene.review, said)


def _change_name(scene: Scene) -> None:
    scene.save(scene.revision, fields={"namespace_identifier": "numbat"})


def _take_newer(scene: Scene) -> None:
    seen = factories.lock_of(scene.revision)
    revisions.take_newer(
        factories.command(scene.people.registrant, scene.at, seen=seen), scene.revision
    )


def _reserved(scene: Scene) -> None:
    scene.patch.setattr(sign_in, "is_void", lambda _address: True)
    sign_in.checked_address("odell@registry.example")


DRAWS: dict[ProblemCode, Callable[[Scene], object]] = {
    U.REQUEST_UNKNOWN: lambda of: drafts.discard(of.people.rival, 999),
    U.NAMESPACE_UNKNOWN: lambda _of: claims.claimable("nobody", None, URN_SPACE),
    U.NAME_UNKNOWN: lambda _of: get_registered("ark:77777"),
    U.EDITION_UNKNOWN: lambda _of: version_history.edition_differences(URN_GROUP, 1, 99),
    U.VERSION_UNKNOWN: lambda _of: version_history.get_version("quokka", URN_SPACE, 99),
    U.ENTRY_UNKNOWN: lambda of: sign_in.end(of.people.rival, "x", of.at),
    U.NOT_ASKED_YEARLY: lambda of: yearly_questions.question_of(
        "quokka", of.people.registrant, of.at.date(), space=URN_SPACE
    ),
    U.LIST_PAGE_UNKNOWN: lambda _of: queues.series_page(
        queues.RequestSeries.DECIDED, None, START, after="x"
    ),
    U.OPERATORS_ONLY: lambda of: mail_desk.queue(of.people.rival, 1),
    U.EXPERTS_ONLY: lambda of: panel_membership.be_away(
        factories.command(of.people.rival, of.at), "x", "x"
    ),
    U.REVIEW_CLOSED: _conflicted_review,
    U.REGISTRANT_ONLY: lambda of: factories.invite(of.people.rival, "x@org.example", of.at, "s"),
    U.AUTHOR_ONLY: _not_anothers_comment,
    U.OTHER_PERSON_NEEDED: _own_claim,
    U.NOT_YOUR_TURN: lambda of: drafts.discard(of.people.registrant, of.review),
    U.DEMONSTRATION_LIMIT: _demonstrated,
    U.NOBODY_ASKED: lambda of: rule_book.follow_ark(
        begin_resolution(parse_ark("ark:12345/x")), None, sign_in.UNKNOWN, of.at, "s"
    ),
    U.EDIT_CONFLICT: lambda of: of.save(of.draft, 0, fields={"purpose": "Another."}),
    U.KEY_REUSED: _reused,
    U.NAME_TAKEN: lambda of: of.correct(name="isbn"),
    U.REGISTRATION_DISABLED: _proposing,
    U.REGISTRATION_STOPPED: _stopped,
    U.VALUE_MISSING: lambda of: claims.ask_operator(
        of.doing("rival"), "quokka", " ", space=URN_SPACE
    ),
    U.VALUE_TOO_LONG: lambda of: claims.ask_operator(
        of.doing("rival"), "quokka", LONG, space=URN_SPACE
    ),
    U.VALUE_MALFORMED: lambda of: panel_membership.be_away(
        factories.command(of.people.expert, of.at), "x", "x"
    ),
    U.TEXT_UNFIT: lambda of: _say(of, "\0"),
    U.CHOICE_UNKNOWN: lambda of: mail_desk.choose(factories.command(of.people.rival, of.at), ["x"]),
    U.MAIL_ADDRESS_INVALID: lambda _of: sign_in.checked_address("x"),
    U.ADDRESS_RESERVED: _reserved,
    U.REFERENCE_INVALID: lambda _of: name_registration.xref_of(name_registration.Reference("x")),
    U.ENTRY_UNWRITABLE: _unwritable,
    U.FACT_INVALID: lambda of: of.correct(references="no reference"),
    U.PROFILE_INVALID: _profiled,
    U.NOTHING_CHANGED: lambda of: of.correct(),
    U.ALREADY_DONE: lambda of: factories.invite(
        of.people.registrant, of.people.registrant.email, of.at, "s"
    ),
    U.NOT_IN_FORCE: _not_recognized,
    U.LAST_DELEGATE: lambda of: delegation.leave(of.doing("registrant"), "quokka", space=URN_SPACE),
    U.LEAVE_BY_YOURSELF: lambda of: delegation.remove(
        of.doing("registrant"), of.people.registrant.id, "quokka", space=URN_SPACE
    ),
    U.CLAIM_CLOSED: _claim_of_a_held_name,
    U.OBJECTION_OPEN: _early,
    U.SELF_APPOINTMENT: lambda of: _appoint(of, of.people.operator.email),
    U.APPOINTEE_CONFLICTED: _appointed_with_conflict,
    U.NAME_FIXED: _change_name,
    U.PROCEDURE_FIXED: _fixed_procedure,
    U.PURPOSE_CLOSED: lambda of: of.save(of.draft, status="deprecated"),
    U.BASE_CURRENT: _take_newer,
    U.LINK_SPENT: lambda of: sign_in.use_link("x", of.at),
    U.MAIL_UNREADABLE: _pasted,
    U.MAILED_TEMPLATE_UNFIT: _mailed,
    U.TOO_OFTEN: _too_often,
    U.TOO_MANY_OPEN: _too_many,
    U.WORK_BUSY: _busy,
    U.TRANSITION_UNKNOWN: _is_out_of_turn,
    U.ROLE_MISSING: lambda of: factories.act(of.review, Action.WITHDRAW, of.people.rival, of.at),
    U.EVIDENCE_MISSING: lambda of: factories.act(
        of.revision, Action.SUBMIT, of.people.registrant, of.at
    ),
    O.REGISTRY_MISSING: _missing_registry,
    O.REGISTRY_FOREIGN: _foreign,
    O.HISTORY_BROKEN: lambda _of: history_import.read_history([]),
    O.HISTORY_CONFLICT: _conflicting_history,
    O.RECORDS_REFUSED: lambda of: record_import.import_records(
        record_import.RecordImport(records={FORMAL.id: [Registration(name="a b")]}), of.at
    ),
    O.RECORD_PUBLISHED: _withhold_published,
    O.PROFILES_BROKEN: lambda _of: bundled_profiles.read_profiles(b"x"),
    O.TEMPLATES_BROKEN: lambda _of: template_files.read_templates([]),
    O.RFCS_BROKEN: lambda _of: template_files.read_rfcs([("rfc6000.txt", b"\0")], {6000: ["x"]}),
    O.EDITIONS_UNREADABLE: lambda of: EditionFolder(of.folder, URN_GROUP).snapshot(1),
    O.EDITION_UNBUILT: _require_built,
    O.CHECK_UNDER_WAY: _asked_twice,
    O.ORDER_CLEAN: _acknowledge,
    O.MOMENT_CHANGED: _changed_moment,
    O.NAMES_GO_ON: _resume,
    O.HOST_AMBIGUOUS: _forget_one_of_two_hosts,
    O.NUMBERS_AWAITED_STILL: _resume_too_early,
    U.FORMER_NAME: _former,  # last: it renames
}


def test_every_code_is_drawn_by_a_call(app: Flask, clock: Clock, tmp_path: Path) -> None:
    people = factories.cast(clock())
    factories.registered(people, clock())
    given = {
        "draft": factories.draft(people.registrant, clock(), namespace_identifier="bilby"),
        "revision": factories.revision(people.registrant, clock()),
        "review": factories.in_review(people, clock(), namespace_identifier="dunnart"),
    }
    wrong = {}
    for code, draw in DRAWS.items():
        with pytest.MonkeyPatch.context() as patch:
            met = _met(draw, Scene(people, clock, patch, tmp_path, **given))
        if getattr(met, "code", None) is not code:
            wrong[code.code] = repr(met)
    assert wrong == {}


def _met(draw: Callable[[Scene], object], scene: Scene) -> object:
    try:
        return draw(scene)
    except (Refusal, ActionRefused) as error:
        assert error.message == str(error)
        assert error.message
        assert error.source
        return error
    except Exception as error:  # told with the others, not instead of them
        return error


def test_no_code_is_without_a_call() -> None:
    declared = {
        row for table in (U, O) for row in vars(table).values() if isinstance(row, ProblemCode)
    }
    assert declared == set(DRAWS)
