"""A transfer that is carried out: an edition, and nothing of what was not sent goes with it."""

import json
from pathlib import Path

import pytest

from app.exports.content.publication_site import PublicationSite
from app.exports.editions.atom import atom_bytes, name_feeds
from app.exports.editions.edition_list import TRANSFER, editions_json
from app.factory import asset_dir
from app.pages.namespaces.timeline import HistoryRow, names_former_holder_at, timeline
from app.pages.site.chrome import Chrome
from app.pages.site.published_site import Site
from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions import edition_build, publication, version_history
from app.services.refusals import NotFound
from app.services.registrations import corrections, transfer_decisions
from app.services.registry import base_version, snapshots
from app.services.requests import drafts
from app.services.stored_editions.edition_folder import EditionFolder
from app.store.database import db, read_transaction, transaction
from app.store.registry import record_versions
from app.store.requests import draft_rows, request_queues
from app.store.tables import Claim, Event
from app.store.tables.registry import Cause
from app.workflow.engine import EvidenceMissing
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast

BY_OPERATOR = "I called them."
TODAY = "2026-09-09"


def transferred(people: Cast, clock: Clock) -> None:
    factories.ask_transfer(people.registrant, "quokka", clock(), "s")
    with read_transaction():
        (number,) = db.session.scalars(db.select(Claim.number))
    clock.on(days=14)
    order = factories.command(people.operator, clock())
    transfer_decisions.decide(order, number, BY_OPERATOR, grant=True)


def test_a_transfer_is_an_edition_that_says_who_holds_the_name(quokka: Cast, clock: Clock) -> None:
    transferred(quokka, clock)
    with read_transaction():
        done = db.session.scalars(db.select(Event).order_by(Event.n.desc())).first()
        version = record_versions.find_latest(URN_SPACE.id, "quokka")
        rows = version_history.history(URN_GROUP)
        (newest, *_rest) = history = version_history.past_of("quokka", URN_SPACE).history
        snapshot = snapshots.snapshot_of(rows[-1].number)
        assert done is not None
        assert version is not None
        assert base_version.organization_of(version.record) == "Wombats", "a revision begins so"
    assert (done.kind, done.edition) == ("transferred", version.edition)
    day = clock().date().isoformat()
    assert (version.record.profile.holder, version.record.updated) == ("Wombats", day)
    assert (newest.cause, newest.reason) == (TRANSFER, BY_OPERATOR)
    assert "Registrant “Quokka Society” became “Wombats”" in newest.changes
    assert names_former_holder_at(history), "the template names the former registrant"
    assert not names_former_holder_at(history[1:])
    (shown, *_others) = timeline(version.record, history=(newest,))
    assert shown.what == "Transferred to another registrant"
    place = PublicationSite("https://urn.example")
    whole = atom_bytes(snapshot, rows, place).decode()
    own = dict(name_feeds(snapshot, rows, place))["quokka.atom"].decode()
    assert all("egistrant “Quokka Society” became “Wombats”" in feed for feed in (whole, own))
    assert f"Why: {BY_OPERATOR}" in own
    assert all('<category term="transferred"' in feed for feed in (whole, own))
    assert all("<title>quokka transferred to Wombats</title>" in feed for feed in (whole, own))
    pages = Site(asset_dir("templates"))
    assert " transferred to Wombats." in pages.editions(snapshot, rows, (), Chrome())
    assert [row.is_transfer for row in rows][-2:] == [False, True]
    told = json.loads(editions_json(snapshot, rows))["editions"]
    assert [(one["cause"], one.get("reason")) for one in told[:2]] == [
        ("transfer", BY_OPERATOR),
        ("registration", None),
    ], "the list says what the page and the feed say"
    with read_transaction():
        of_desk = corrections.history_of(URN_SPACE.id, "quokka")
    assert [one.cause for one in of_desk] == ["registration", TRANSFER]


def test_what_the_list_calls_a_transfer_is_taken_back_as_it_was_kept(
    quokka: Cast, clock: Clock, tmp_path: Path
) -> None:
    transferred(quokka, clock)
    edition_build.build_pending(clock(), factories.PLACE)
    publication.lay_out_newest(tmp_path, factories.making(), URN_GROUP)
    folder = EditionFolder(tmp_path, URN_GROUP)
    with read_transaction():
        newest = version_history.history(URN_GROUP)[-1]
    assert newest.cause == TRANSFER
    assert folder.said_of(newest.number) == (Cause.CORRECTION, BY_OPERATOR)
    assert folder.said_of(newest.number - 1) == (Cause.REGISTRATION, "")


def test_what_the_former_holder_did_not_send_stays_with_them(quokka: Cast, clock: Clock) -> None:
    drafted = factories.revision(quokka.registrant, clock(), purpose="Secret plans.")
    sent = factories.sent_revision(quokka.registrant, clock(), "quokka", purpose="As sent.")
    factories.change_request(sent, state=State.WITH_REQUESTER, returns_to=State.VALIDATING_REQUEST)
    factories.change_text(sent, quokka.registrant, clock(), purpose="Not sent.")
    with transaction():
        draft_rows.set_private_values(sent, {"contact_address": "old@org.example"})
    transferred(quokka, clock)
    wombat = factories.person("w@wombat.example", clock())
    with read_transaction():
        with pytest.raises(NotFound):
            drafts.open_draft(wombat, drafted, TODAY)
        assert [one.number for one in request_queues.of_registrant(wombat.id, 9)] == [sent]
        gone_over = drafts.open_draft(wombat, sent, TODAY)
        assert (gone_over.value("purpose"), gone_over.private) == ("As sent.", {})
        with pytest.raises(NotFound):
            drafts.open_draft(quokka.registrant, sent, TODAY)
        left = drafts.open_draft(quokka.registrant, drafted, TODAY)
        assert left.value("purpose") == "Secret plans."
        own = [one.number for one in request_queues.of_registrant(quokka.registrant.id, 9)]
        assert drafted in own
        assert sent not in own
        assert "transferred" in {one.code for one in left.problems}
    factories.answer(drafted, quokka.registrant, clock())
    with pytest.raises(EvidenceMissing):
        factories.act(drafted, Action.SUBMIT, quokka.registrant, clock())
    drafts.discard(quokka.registrant, drafted)


def _row(n: int, cause: str, text: int = 1) -> HistoryRow:
    return HistoryRow(n=n, edition=n, date=TODAY, cause=cause, text=text)


@pytest.mark.parametrize(
    ("newest_first", "names_former"),
    [
        ([_row(1, "import")], False),
        ([_row(2, TRANSFER), _row(1, "import")], True),
        ([_row(3, "correction"), _row(2, TRANSFER), _row(1, "import")], True),
        ([_row(3, "import"), _row(2, TRANSFER), _row(1, "import")], True),
        ([_row(3, "registration", 2), _row(2, TRANSFER), _row(1, "import")], False),
        ([_row(2, TRANSFER, 0), _row(1, "import", 0)], True),
        ([], False),
    ],
)
def test_a_template_names_the_former_holder_until_another_one_is_registered(
    newest_first: list[HistoryRow], names_former: bool
) -> None:
    """What is taken over from a file, or corrected, after the transfer is no new template."""
    assert names_former_holder_at(newest_first) is names_former
