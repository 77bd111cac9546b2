"""What people do leads to what the tables hold, whatever they do: none of it is an alarm."""

from flask import Flask
from sqlalchemy import select

from app.registration.declarations.registries import FORMAL, URN_SPACE, Procedure
from app.services.accounts import sign_in
from app.services.delegates import claims, transfers
from app.services.delegates.claims import ClaimDecision
from app.services.editions import edition_build
from app.services.experts import panel_membership
from app.services.mail import incoming_mail
from app.services.operations import database_binding, site_condition
from app.services.operations.edition_verification import verify_database
from app.services.registrations import transfer_decisions
from app.store.database import db, read_transaction, transaction
from app.store.event_log.event_rows import batches
from app.store.event_log.merkle_leaves import leaf_of
from app.store.tables import SignIn
from app.store.tables.accounts import Grant
from app.store.triggers import drop_triggers
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.services.test_delegates import SECRET, newest, token
from tests.services.test_verifying import silent
from tests.services.use_cases import USE_CASES
from tests.web.stages import TO, Office, begin_revision

_PROCEDURES = {
    State.IESG_RECOGNITION: Procedure.FAST_TRACK,
    State.IESG_STANDARD: Procedure.STANDARDS_ACTION,
}
# these begin with a request that was put where it stands without a move
_JUMPED_TO = (Action.COLLISION, Action.REGISTER, Action.REOPEN)
_OF_REVISIONS = (State.MODIFIABLE, State.MODIFIED)


def verified() -> tuple[list[str], list[str]]:
    """What is wrong, and what is said besides, but for what no record tells of."""
    said: list[str] = []
    problems = list(verify_database(silent, said.append))
    return problems, [one for one in said if "cover them: drafts" not in one]


def test_requests_in_every_state_are_no_alarm(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    office = Office(app, people, clock)
    for (state, back), way in TO.items():
        procedure = _PROCEDURES.get(state, Procedure.COMMUNITY)
        if state in _OF_REVISIONS:
            stage = begin_revision(app, people, clock, procedure)
        else:
            stage = office.begin(procedure)
        way(stage)
        assert stage.state is state, back
    for case in USE_CASES:
        if case.action not in _JUMPED_TO:
            case.ready(people, clock.on(minutes=1))()
    edition_build.build_pending(clock(), factories.PLACE)
    assert verified() == ([], [])


def test_roles_that_come_and_go_are_no_alarm(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    for role in (Grant.EXPERT, Grant.LEADER, Grant.EXPERT):
        sign_in.grant("new@org.example", role, clock.on(days=1))
        sign_in.grant("new@org.example", role, clock())
    factories.appointed(people, clock(), "new@org.example", FORMAL.id)
    assert sign_in.revoke("new@org.example", Grant.EXPERT, clock.on(days=1))
    sign_in.grant("new@org.example", Grant.EXPERT, clock.on(days=1))
    assert sign_in.revoke("new@org.example", Grant.EXPERT, clock.on(days=-3650))
    assert verified() == ([], [])


def test_what_is_done_beside_requests_is_no_alarm(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    for name in ("quokka", "wombat"):
        factories.registered(people, clock(), namespace_identifier=name)
    _decide_claims(people, clock)
    _transfer(people, clock)
    _appoint(people, clock)
    _revoke_what_was_published(people, clock)
    site_condition.dismiss(factories.command(people.operator, clock()), f"{factories.host():032}")
    database_binding.change_secret("", clock.on(minutes=1))
    edition_build.build_pending(clock(), factories.PLACE)
    kinds = {row.kind for batch in batches() for row in batch}
    assert kinds >= {
        "claimed",
        "claim granted",
        "claim refused",
        "invitation called off",
        "transfer asked",
        "transfer called off",
        "transferred",
        "confirmed expert",
        "revoked expert",
        "host dismissed",
        "sessions ended",
    }
    assert verified() == ([], [])


def _decide_claims(people: Cast, clock: Clock) -> None:
    for decision in (ClaimDecision.REFUSE, ClaimDecision.GRANT):
        number = factories.claim(people.rival, "isbn", clock.on(days=1), SECRET)
        order = factories.command(people.operator, clock())
        claims.decide(order, number, decision, "So it was decided.")


def _transfer(people: Cast, clock: Clock) -> None:
    factories.ask_transfer(people.registrant, "quokka", clock(), SECRET)
    order = factories.command(people.registrant, clock())
    transfers.stop(order, "quokka", "A mistake.", space=URN_SPACE)
    factories.ask_transfer(people.registrant, "quokka", clock.on(days=1), SECRET)
    number = newest().number
    order = factories.command(people.operator, clock.on(days=15))
    transfer_decisions.decide(order, number, "Nobody objected.", grant=True)


def _appoint(people: Cast, clock: Clock) -> None:
    ident = factories.appointed(people, clock(), "third@experts.example")
    panel_membership.confirm(factories.command(people.second_operator, clock.on(minutes=1)), ident)
    panel_membership.dismiss(
        factories.command(people.operator, clock.on(minutes=1)), ident, "Decision 8"
    )


def _revoke_what_was_published(people: Cast, clock: Clock) -> None:
    """As older software let it stand: links in somebody's words, one of them used since."""
    sign_in.ask_for_link("jo@org.example", "/", clock(), secret=SECRET, host="127.0.0.1")
    with read_transaction():
        link = sign_in.token_of(db.session.scalars(select(SignIn.id)).one(), SECRET)
    factories.invite(people.registrant, "jo@org.example", clock(), SECRET, "wombat")
    sign_in.add_account("jo@org.example", clock(), name=f"{link} {token()}")
    sign_in.use_link(link, clock.on(minutes=1))
    assert len(incoming_mail.find_leaks(clock(), SECRET)) == 2
    assert incoming_mail.revoke_all(clock.on(minutes=1), SECRET) == 1


def as_older_software_wrote() -> None:
    """Entries have leaves of the first kind, and none says that an edition is built."""
    with transaction():
        drop_triggers(db.session.connection())
        for batch in batches():
            for event in map(db.session.merge, batch):
                event.leaf_kind = event.commitment = event.digests = None
                event.leaf = leaf_of(event)
            db.session.flush()


def test_what_older_software_kept_is_whole_and_is_said_to_be_of_it(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    factories.registered(people, clock.on(minutes=1))
    as_older_software_wrote()
    factories.registered(people, clock.on(minutes=1), namespace_identifier="numbat")
    edition_build.build_pending(clock(), factories.PLACE)
    problems, (said,) = verified()
    assert problems == []
    assert "entries of the event log were written by older software" in said


def test_leaves_are_known_again_after_older_software_took_their_columns_away(
    app: Flask, clock: Clock
) -> None:
    factories.registered(factories.cast(clock()), clock.on(minutes=1))
    with transaction():
        connection = db.session.connection()
        drop_triggers(connection)
        connection.exec_driver_sql(
            "UPDATE event SET leaf_kind = NULL, commitment = NULL, digests = NULL"
        )
    problems, _said = verified()
    assert problems == []
