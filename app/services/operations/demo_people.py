"""The people of the demonstration, and a registry set up for them."""

from dataclasses import dataclass
from datetime import datetime

from app.services.accounts import sign_in
from app.store.accounts import session_rows
from app.store.database import transaction
from app.store.tables.accounts import Grant


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """Somebody one can be in the demonstration; ``what`` is what one sees as them, ``work`` the
    page where that is."""

    name: str
    email: str
    what: str
    work: str
    grants: tuple[Grant, ...] = ()


PEOPLE = (
    DemoPerson(
        "Robin Registrant",
        "registrant@demo.example",
        "Asks for namespaces: a draft to finish, a request that came back, one name registered "
        "and in use.",
        "/requests/yours",
    ),
    DemoPerson(
        "Ellis Expert",
        "expert@demo.example",
        "Reviews requests: one waits to be read for the first time.",
        "/review/",
        (Grant.EXPERT,),
    ),
    DemoPerson(
        "Emery Expert",
        "expert2@demo.example",
        "Reviews as well: where two have to agree, this is the second.",
        "/review/",
        (Grant.EXPERT,),
    ),
    DemoPerson(
        "Odell Operator",
        "operator@demo.example",
        "Runs the registry: requests to check and to register, mail, how the site fares.",
        "/desk/",
        (Grant.OPERATOR,),
    ),
    DemoPerson(
        "Lee Leader",
        "leader@demo.example",
        "Leads the experts: speaks for them where they differ.",
        "/review/",
        (Grant.LEADER,),
    ),
    DemoPerson(
        "Hollis Holder",
        "holder@demo.example",
        "Holds a NAAN: gives names under it, says where they lead, withdraws one.",
        "/prefixes/",
    ),
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
        session_rows.end_sessions_of_demonstration(at)
