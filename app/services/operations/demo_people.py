"""The users of the demo."""

from dataclasses import dataclass
from datetime import datetime

from app.services.accounts import sign_in
from app.store.accounts import session_rows
from app.store.database import transaction
from app.store.tables.accounts import Grant


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """A user of the demo; ``what`` says what they see, ``work`` is the path of their first page."""

    name: str
    email: str
    what: str
    work: str
    grants: tuple[Grant, ...] = ()


PEOPLE = (
    DemoPerson(
        "Robin Registrant",
        "registrant@demo.example",
        "Requests namespaces. Has a draft, a returned request and a registered namespace.",
        "/requests/yours",
    ),
    DemoPerson(
        "Ellis Expert",
        "expert@demo.example",
        "Reviews requests. One is waiting for a first review.",
        "/review/",
        (Grant.EXPERT,),
    ),
    DemoPerson(
        "Emery Expert",
        "expert2@demo.example",
        "Second reviewer, for requests that two experts must approve.",
        "/review/",
        (Grant.EXPERT,),
    ),
    DemoPerson(
        "Odell Operator",
        "operator@demo.example",
        "Runs the registry: checks and registers requests, handles mail, monitors the site.",
        "/desk/",
        (Grant.OPERATOR,),
    ),
    DemoPerson(
        "Lee Leader",
        "leader@demo.example",
        "Leads the experts and decides if they disagree.",
        "/review/",
        (Grant.LEADER,),
    ),
    DemoPerson(
        "Hollis Holder",
        "holder@demo.example",
        "Manages a NAAN: mints, binds and withdraws ARKs.",
        "/prefixes/",
    ),
)


def add_people(at: datetime) -> None:
    """Add the users of the demo, unless they exist."""
    for person in PEOPLE:
        sign_in.add_account(person.email, at, name=person.name)
        for grant in person.grants:
            sign_in.grant(person.email, grant, at, why="demonstration")


def end_sessions(at: datetime) -> None:
    """End all sessions that earlier one-click sign-ins opened."""
    with transaction():
        session_rows.end_sessions_of_demonstration(at)
