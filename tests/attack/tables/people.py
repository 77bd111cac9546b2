"""The nine who ask: those of the web's tests, and three who stand in a special place."""

from dataclasses import replace

from sqlalchemy import select

from app.bundles.given_numbers import GivenNumberFolder
from app.registration.declarations.registries import URN_SPACE
from app.services.accounts import sign_in
from app.services.experts import panel_membership
from app.store.accounts import account_rows, delegate_rows, expert_panels
from app.store.database import db, read_transaction, transaction
from app.store.requests import request_rows
from app.store.tables import Claim
from app.store.tables.accounts import Grant
from app.store.tables.delegates import ClaimKind, DelegateOrigin
from tests import factories
from tests.attack.tables.given_names import with_given_names
from tests.attack.tables.naans import with_naans
from tests.conftest import START
from tests.web.conftest import EMAILS, PEOPLE, World

# An expert who has none of the requests; one who declared an interest in the organization that
# asks; an operator who acts for its requests and names as well.
SPECIAL = {
    "spare": "emery@experts.example",
    "conflicted": "connie@experts.example",
    "involved": "otto@registry.example",
}
ROLES = (*PEOPLE[:4], "spare", "conflicted", *PEOPLE[4:], "involved")
NAMES = ("quokka", "dunnart")
OWN = ("moving", "contested")  # the numbers that this world has more: a transfer and a claim


def with_everybody(world: World) -> World:
    """The same world with the three in their places."""
    with world.app.app_context():
        conflicted = factories.person(SPECIAL["conflicted"], START, Grant.EXPERT)
        panel_membership.declare_interest(factories.command(conflicted, START), "Quokka Society")
        with transaction():
            for number in _requests(world):
                _place(number)
            for name in NAMES:
                _involve(delegate_rows.find_name(URN_SPACE, name))
        tokens = {who: sign_in.enter_as(email, START).token for who, email in SPECIAL.items()}
        numbers = dict(zip(OWN, (_transfer(), _claim(world)), strict=True))
        secret = world.app.config["SECRET_KEY"]
        with read_transaction():
            registrant, involved = _account("registrant"), _account("involved")
        numbers |= with_naans(registrant, involved, secret)
        numbers |= with_given_names(given_numbers_of(world))
    return replace(world, tokens=world.tokens | tokens, numbers=world.numbers | numbers)


def given_numbers_of(world: World) -> GivenNumberFolder:
    """What a world keeps beside its database."""
    return GivenNumberFolder(world.app.extensions["settings"].given_numbers_dir)


def _transfer() -> int:
    with read_transaction():
        wanted = select(Claim.number).where(Claim.kind == ClaimKind.TRANSFER)
        return db.session.scalars(wanted).one()


def _claim(world: World) -> int:
    """A claim on a name that the operator with a part acts for."""
    claimant = factories.person("quentin@claims.example", START)
    return factories.claim(claimant, "quokka", START, world.app.config["SECRET_KEY"])


def _requests(world: World) -> list[int]:
    """The requests of a world; among its numbers are those of other things."""
    last = max(world.numbers["again"], world.numbers["outdated"], world.numbers["revision"])
    with read_transaction():
        return [number for number in range(1, last + 1) if request_rows.find_request(number)]


def _place(number: int) -> None:
    """Let the expert and the leader have a request, and the operator with a part act for it."""
    request = request_rows.find_request(number)
    assert request is not None
    expert_panels.end_assignments(number, START, _account("spare"))
    have = {account.id for account in expert_panels.assigned_to(number)}
    for who in ("expert", "leader"):
        if have and _account(who) not in have:
            expert_panels.assign(number, _account(who), START)
    _involve(delegate_rows.scope_of_request(request))


def _involve(held: delegate_rows.DelegateScope | None) -> None:
    if held is not None:
        delegate_rows.add(held, _account("involved"), DelegateOrigin.INVITED, START)


def _account(who: str) -> int:
    account = account_rows.find_account((EMAILS | SPECIAL)[who])
    assert account is not None
    return account.id
