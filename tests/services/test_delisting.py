"""A name leaves the list by a successor or an order that is cited, and its holder is told."""

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.registration.declarations.fields import VOIDED
from app.registration.declarations.naan_registries import NAANS
from app.registration.declarations.registries import URN_SPACE
from app.registration.records.registry_records import Status
from app.registration.records.succession import is_voided
from app.services.accounts.actors import Actor
from app.services.delegates.delegation import contacts_of
from app.services.editions import edition_build
from app.services.registrations.corrections import (
    Correction,
    InvalidFact,
    correct,
    find_entry,
    look,
)
from app.services.registrations.transfer_decisions import cited_in
from app.services.stored_editions import stored_files
from app.services.use_cases import Command
from app.store.database import db, read_transaction
from app.store.registry.name_rows import is_taken
from app.store.tables import Outbox
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast

WHY = "It was misspelt."


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def order(actor: Actor, clock: Clock, name: str) -> Command:
    """Somebody who corrects a name as it stands."""
    with read_transaction():
        seen = find_entry(name, URN_SPACE).n
    return factories.command(actor, clock(), seen=seen)


def corrected(people: Cast, clock: Clock, name: str, /, **facts: Any) -> int:
    """A correction by the operator, and the edition that it opens."""
    given = order(people.operator, clock, name)
    return correct(given, name, Correction(**facts), reason=WHY, space=URN_SPACE)


@pytest.mark.usefixtures("quokka")
def test_a_name_leaves_the_list_by_a_successor_or_an_order_that_is_cited(
    people: Cast, clock: Clock
) -> None:
    wrong = {"": "Enter the successor", "Beschluß 7": "ASCII", "x" * 201: "200 ASCII"}
    for cited, sentence in wrong.items():
        with pytest.raises(InvalidFact, match=sentence) as refused:
            corrected(people, clock, "isbn", status=Status.FORMER, cited=cited)
        assert refused.value.fact == "cited"
    with read_transaction(), pytest.raises(InvalidFact):
        look("isbn", Correction(status=Status.FORMER), clock(), URN_SPACE)
    first = corrected(people, clock, "isbn", status=Status.FORMER, cited=" Order 7\n of 2026 ")
    second = corrected(people, clock, "issn", status=Status.FORMER, successor="quokka")
    with read_transaction():
        assert (cited_in(first), cited_in(second)) == ("Order 7 of 2026", "")
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        assert stored_files.list_of(first).corrections == (("isbn", "order: Order 7 of 2026"),)
        assert stored_files.list_of(second).corrections == (("issn", "quokka"),)


def test_a_naan_given_by_mistake_is_voided_for_a_reason_alone_and_stays_marked_so(
    people: Cast, clock: Clock
) -> None:
    naan = factories.registered_naan(people, clock())
    with read_transaction():
        seen = find_entry(naan, NAANS.space).n
    correction = Correction(status=Status.FORMER, is_voided=True)
    asked = factories.command(people.operator, clock(), seen=seen)
    with pytest.raises(InvalidFact, match="Enter the successor"):
        correct(asked, naan, Correction(status=Status.FORMER), reason=WHY, space=NAANS.space)
    edition = correct(asked, naan, correction, reason=WHY, space=NAANS.space)
    with read_transaction():
        record = find_entry(naan, NAANS.space).record
        assert (record.status, is_voided(record.fields)) == (Status.FORMER, True)
        assert is_taken(NAANS.space.id, naan)
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        assert stored_files.list_of(edition).corrections == ((f"naan:{naan}", VOIDED),)
        seen = find_entry(naan, NAANS.space).n
    again = factories.command(people.operator, clock(), seen=seen)
    back = Correction(status=Status.REGISTERED)
    correct(again, naan, back, reason="It was none.", space=NAANS.space)
    with read_transaction():
        assert not is_voided(find_entry(naan, NAANS.space).record.fields)


@pytest.mark.usefixtures("quokka")
def test_no_namespace_is_voided(people: Cast, clock: Clock) -> None:
    with pytest.raises(InvalidFact, match="be voided"):
        corrected(people, clock, "isbn", status=Status.FORMER, is_voided=True, cited="Order 7")


@pytest.mark.usefixtures("quokka")
def test_who_acts_for_a_name_is_told_that_it_leaves_the_list(people: Cast, clock: Clock) -> None:
    corrected(people, clock, "quokka", status=Status.FORMER, cited="Order 7")
    with read_transaction():
        (told,) = db.session.scalars(select(Outbox).where(Outbox.template == "holding"))
        assert told.recipient == people.registrant.email
        assert "was removed from the registry" in told.arguments
        assert "It was misspelt." in told.arguments


def test_where_nobody_acts_the_contact_on_file_is_told(people: Cast, clock: Clock) -> None:
    with read_transaction():
        entry = find_entry("urn-7", URN_SPACE).record
        on_file = {one.address for one in contacts_of(entry)}
    corrected(people, clock, "urn-7", status=Status.FORMER, cited="Order 7")
    with read_transaction():
        letters = db.session.scalars(select(Outbox).where(Outbox.template == "holding"))
        assert {one.recipient for one in letters} == on_file
