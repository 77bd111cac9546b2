"""Editions follow each other in time, whatever clocks say; a past out of order is known as one."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select, text

from app.bundles.layout import current_manifest
from app.exports.manifests.manifest import Manifest, read_manifest
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions import edition_build, publication
from app.services.operations.edition_order import (
    MomentChanged,
    NothingToAcknowledge,
    acknowledge_order,
)
from app.services.operations.edition_verification import verify_database
from app.services.refusals import InvalidInput, NotAllowed
from app.store.database import db, read_transaction, transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.event_log.merkle_leaves import leaf_of
from app.store.tables import Edition
from app.store.triggers import drop_triggers
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock
from tests.services.racing import sending
from tests.services.test_verifying import silent

pytestmark = pytest.mark.postgresql

OPERATOR = "operator@registry.example"


def all_editions() -> list[Edition]:
    with read_transaction():
        found = list(db.session.scalars(select(Edition).order_by(Edition.n)))
        db.session.expunge_all()
        return found


def stood_at(moment: datetime) -> int | None:
    found = edition_rows.find_as_of(URN_GROUP, moment)
    return found.n if found else None


def moments() -> list[datetime]:
    return [edition.as_of for edition in all_editions()]


def verified() -> tuple[list[str], list[str]]:
    """What is wrong, and what is known to be so."""
    known: list[str] = []
    problems = list(verify_database(silent, known.append))
    return problems, [one for one in known if "cover them: drafts" not in one]


def assignable(people: factories.Cast, clock: Clock, *names: str) -> list[int]:
    return [
        factories.assignable(people.registrant, clock(), namespace_identifier=name)
        for name in names
    ]


def register(number: int, people: factories.Cast, clock: Clock) -> None:
    form = sending(number, Action.REGISTER, people.operator, clock(), reference=factories.REFERENCE)
    form()


def give(name: str, people: factories.Cast, clock: Clock) -> None:
    """Register a name."""
    (number,) = assignable(people, clock, name)
    register(number, people, clock)


def test_who_asks_first_and_comes_last_has_the_later_edition(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    numbers = assignable(people, clock, "wombat", "quokka")
    given = {"reference": factories.REFERENCE}
    early, late = (
        sending(number, Action.REGISTER, people.operator, clock.on(days=1), **given)
        for number in numbers
    )
    late()
    early()
    assert sorted(moments()) == moments()
    assert len(set(moments())) == 3
    opened = {edition.n: edition.as_of for edition in all_editions()}
    with read_transaction():
        told = {n: event.at for n, event in event_rows.of_editions([2, 3]).items()}
        assert told == {n: opened[n] for n in (2, 3)}
        days = {edition.n: edition.updated for edition in map(edition_rows.get_edition, (2, 3))}
    assert days == {n: opened[n].date().isoformat() for n in (2, 3)}


def test_after_a_clock_was_set_back_editions_count_on(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock() - timedelta(days=3650))
    last = clock.on(days=1)
    register(factories.approved(people, clock()), people, clock)
    numbers = assignable(people, clock, "wombat", "numbat")
    clock.on(days=-3650)
    for number in numbers:
        register(number, people, clock)
    assert moments()[1:] == [
        last,
        last + timedelta(microseconds=1),
        last + timedelta(microseconds=2),
    ]
    clock.on(days=3700)
    give("thylacine", people, clock)
    assert moments()[-1] == clock()


def test_last_modified_grows_by_a_second_though_the_clock_stands(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    people = factories.cast(clock())
    told: list[datetime] = []
    for name in ("", "wombat", "numbat"):
        if name:
            give(name, people, clock)
        edition_build.build_pending(clock(), factories.PLACE)
        publication.lay_out_newest(tmp_path, factories.making(), URN_GROUP)
        manifest = current_manifest(tmp_path)
        assert manifest
        told.append(manifest.last_modified)
    second = timedelta(seconds=1)
    assert told == [told[0], told[0] + second, told[0] + 2 * second]
    with read_transaction():
        kept = [
            read_manifest(edition_rows.content(edition_rows.manifest_digest(n))) for n in (1, 2, 3)
        ]
        digests = edition_rows.manifest_digests()
    assert [one.last_modified for one in kept] == told
    assert [one.previous for one in kept] == ["", digests[1], digests[2]]
    assert verified() == ([], [])


def let_be_of(number: int, moment: datetime) -> None:
    """Let an edition and its entry be of another moment, as older software kept them."""
    naive = moment.astimezone(UTC).replace(tzinfo=None)
    with transaction():
        drop_triggers(db.session.connection())
        db.session.execute(
            text("UPDATE edition SET as_of = :m WHERE n = :n"), {"m": naive, "n": number}
        )
        event = event_rows.of_editions([number])[number]
        event.at, event.leaf_kind, event.commitment, event.digests = moment, None, None, None
        event.leaf = leaf_of(event)


@pytest.fixture
def disordered(app: Flask, clock: Clock) -> factories.Cast:
    """Edition 3 is a moment before edition 2, both of them whole."""
    people = factories.cast(clock())
    for name in ("wombat", "numbat"):
        clock.on(days=1)
        give(name, people, clock)
    let_be_of(3, moments()[1] - timedelta(milliseconds=20))
    edition_build.build_pending(clock(), factories.PLACE)
    return people


def test_a_past_out_of_order_is_told_from_damage_and_can_be_acknowledged(
    disordered: factories.Cast, clock: Clock
) -> None:
    (problem,), known = verified()
    assert "othing is damaged" in problem
    assert "acknowledge-order" in problem
    with pytest.raises(NotAllowed):
        acknowledge_order(disordered.expert.email, "So it was.", clock())
    with pytest.raises(InvalidInput):
        acknowledge_order(disordered.operator.email, " ", clock())
    (one,) = acknowledge_order(disordered.operator.email, "Three registered at once.", clock())
    assert (one.edition, one.before) == (3, 2)
    problems, known = verified()
    assert problems == []
    assert any("Acknowledged on" in told and "Three registered at once." in told for told in known)
    with pytest.raises(NothingToAcknowledge):
        acknowledge_order(disordered.operator.email, "Again.", clock())


def test_a_disorder_that_no_entry_names_is_an_alarm(
    disordered: factories.Cast, clock: Clock
) -> None:
    acknowledge_order(disordered.operator.email, "Three registered at once.", clock())
    give("quokka", disordered, clock)
    let_be_of(4, moments()[2] - timedelta(seconds=1))
    problems, known = verified()
    assert any("Edition 4 (" in problem for problem in problems)
    assert any("Edition 3 (" in told for told in known)


def test_a_moment_that_was_changed_is_damage_and_cannot_be_acknowledged(
    disordered: factories.Cast, clock: Clock
) -> None:
    with transaction():
        drop_triggers(db.session.connection())
        db.session.execute(text("UPDATE edition SET as_of = '2001-01-01 00:00:00' WHERE n = 3"))
    problems, _known = verified()
    assert any("One of the two was changed" in problem for problem in problems)
    assert any("of the event log has" in problem for problem in problems)
    with pytest.raises(MomentChanged):
        acknowledge_order(disordered.operator.email, "So it was.", clock())


def test_the_edition_of_a_day_is_found_in_a_past_out_of_order(
    disordered: factories.Cast, clock: Clock
) -> None:
    first, second, third = moments()
    with read_transaction():
        assert stood_at(third - timedelta(microseconds=1)) == 1
        assert stood_at(third) == 3
        assert stood_at(second) == 3
        assert (
            edition_rows.last_modified(3)
            > edition_rows.last_modified(2)
            > edition_rows.last_modified(1)
        )
    assert first < third


def test_a_manifest_says_more_in_words_that_older_software_reads_over() -> None:
    plain = Manifest(edition=3, as_of="2026-09-01", made_by="https://x.example 0123")
    assert plain.last_modified == datetime(2026, 9, 1, tzinfo=UTC)
