"""What stands in a registry before the day: its people, and requests at every stage.

It is run by path with the software that is measured, which may be older than this file.
"""

import sys
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

from app.config import Settings
from app.factory import create_app
from app.registration.declarations.registries import FORMAL
from app.registration.templates.sample_template import EXAMPLE
from app.services.accounts import rate_limits
from app.services.accounts.actors import Actor
from app.services.requests import drafts
from app.workflow.states import Action
from tests import factories

APPLICANTS = tuple(f"applicant{n}@org{n}.example" for n in range(1, 13))
_LETTERS = "bcdfghk"  # names of them are never taken for each other


def names(first: str) -> list[str]:
    """Names to ask for, none like another; the other first letters give others."""
    return [first + "".join(letters) for letters in product(_LETTERS, repeat=4)]


def text_for(name: str) -> dict[str, str]:
    """A template that is whole, and like no other's to the letter."""
    own = {field: text.replace("urn:example:", f"urn:{name}:") for field, text in EXAMPLE.items()}
    left_out = ("revision_information", "version", "date")
    return {field: text for field, text in own.items() if field not in left_out} | {
        "namespace_identifier": name
    }


def sent(applicant: Actor, at: datetime, text: dict[str, str]) -> int:
    """A request with a text."""
    number = drafts.start(factories.command(applicant, at), FORMAL.id)
    saving = drafts.DraftInput(
        fields=text,
        private={"contact_name": "Jo"},
        organization="A society",
        standard=False,
        profile=factories.TITLED,
    )
    drafts.save(factories.command(applicant, at, seen=1), number, saving)
    factories.act(number, Action.SUBMIT, applicant, at)
    return number


def fill(database_url: str, folder: Path, in_review: int) -> None:
    """Let people in, and bring requests to review, for as many hosts as there are."""
    for what, limit in rate_limits.LIMITS.items():
        rate_limits.LIMITS[what] = replace(limit, most=100_000)
    rate_limits.MOST_OPEN_DRAFTS = 100_000
    at = datetime.now(UTC)
    app = create_app(Settings(data_dir=folder, database_url=database_url, secret_key="of a load"))
    with app.app_context():
        people = factories.cast(at)
        applicants = [factories.person(address, at) for address in APPLICANTS]
        for n, name in enumerate(names("p")[:in_review]):
            number = sent(applicants[n % len(applicants)], at, text_for(name))
            factories.act(number, Action.TAKE, people.operator, at)
            factories.act(number, Action.PASS, people.operator, at)


if __name__ == "__main__":
    fill(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
