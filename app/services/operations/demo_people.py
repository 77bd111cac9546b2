"""The people of the demonstration, and a registry set up for them."""

from dataclasses import dataclass
from datetime import datetime

from app.services.accounts import sign_in
from app.store.accounts import account_rows
from app.store.database import transaction
from app.store.tables.accounts import Grant


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """Somebody one can be in the demonstration."""

    name: str
    email: str
    what: str
    grants: tuple[Grant, ...] = ()


PEOPLE = (
    DemoPerson("Robin Registrant", "registrant@demo.example", "asks for names"),
    DemoPerson("Ellis Expert", "expert@demo.example", "reviews requests", (Grant.EXPERT,)),
    DemoPerson("Emery Expert", "expert2@demo.example", "reviews them too", (Grant.EXPERT,)),
    DemoPerson("Odell Operator", "operator@demo.example", "runs the registry", (Grant.OPERATOR,)),
    DemoPerson("Lee Leader", "leader@demo.example", "leads the experts", (Grant.LEADER,)),
)


def add_people(at: datetime) -> None:
    """Give the demonstration its people, if they are not there yet."""
    for person in PEOPLE:
        sign_in.add_account(person.email, at, name=person.name)
        for grant in person.grants:
            sign_in.grant(person.email, grant, at, why="demonstration")


def end_sessions(at: datetime) -> None:
    """End what a click opened before this start, in the demonstration or after it."""
    with transaction():
        account_rows.end_sessions_of_demonstration(at)
