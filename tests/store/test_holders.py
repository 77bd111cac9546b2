"""Who acts for a registrant: what the migration makes of those who were there before."""

from flask import Flask

from app.factory import asset_dir
from app.registration.declarations.registries import URN_SPACE
from app.store.accounts import delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.administration.migrations import migrate
from app.store.database import read_transaction
from tests import factories
from tests.conftest import Clock
from tests.store.downgrading import migrate_down

SCRIPTS = asset_dir("migrations")


def acting(held: DelegateScope | None) -> frozenset[int]:
    with read_transaction():
        return delegate_rows.accounts_of(held or DelegateScope())


def name(folded: str) -> DelegateScope | None:
    with read_transaction():
        return delegate_rows.find_name(URN_SPACE, folded)


def test_those_who_asked_before_act_after(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    registered = factories.registered(people, clock())
    draft = factories.draft(people.rival, clock(), namespace_identifier="numbat")
    migrate_down(SCRIPTS, "0002")
    migrate(SCRIPTS)
    assert acting(DelegateScope(request=registered)) == {people.registrant.id}
    assert acting(DelegateScope(request=draft)) == {people.rival.id}
    assert acting(name("quokka")) == {people.registrant.id}
    assert acting(name("isbn")) == frozenset()


def test_what_is_no_name_is_nobodys(app: Flask) -> None:
    assert [name(text) for text in ("numbat", "é", "a\0")] == [None, None, None]
