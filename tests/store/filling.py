"""A database filled by the software that stands beside this module, with a little of everything.

``python -m tests.store.filling URL`` fills a database that is migrated and holds nothing yet, or
one that was filled before, whose requests then go on. Run in a checkout of older software it does
so by that one, so that it asks nothing of the factories but what they could always do: what they
have no word for is left out.
"""

import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

from sqlalchemy import select

from app.bundles import edition_files
from app.config import Settings
from app.exports.formats.xml import xml_bytes
from app.exports.manifests.encodings import encode_forms
from app.factory import asset_dir, create_app
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.accounts import sign_in
from app.services.editions import edition_build
from app.services.operations import database_binding
from app.services.registry import snapshots
from app.store.database import db, read_transaction
from app.store.tables import Request
from app.workflow.reviews import Verdict
from app.workflow.states import Action
from tests import factories
from tests.factories import Cast

BEGUN = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)
LATER = BEGUN + timedelta(days=2)
SECRET = "of a test"
NOTICE = "An example."


def filled(url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), database_url=url, secret_key=SECRET))
        # what is done beside or after it, at moments of this one, comes later
        app.extensions["now"] = lambda: BEGUN
        with app.app_context():
            try:
                database_binding.migrate(asset_dir("migrations"))
                snapshots.initialize(NOTICE, BEGUN, empty=True)
                fill(BEGUN)
            finally:
                database_binding.close_connections()


def _few_forms(media_type: str, content: bytes) -> dict[str, bytes]:
    return encode_forms(media_type, content) if media_type.startswith("text/csv") else {}


def fill(at: datetime) -> None:
    people = factories.cast(at)
    factories.registered(people, at)
    with patch.object(edition_files, "encode_forms", _few_forms):
        edition_build.build_pending(at, factories.PLACE)
    _import_copy("quokka", "echidna", at + timedelta(hours=1))  # its edition waits to be built
    later = at + timedelta(days=1)
    factories.draft(people.registrant, later, namespace_identifier="numbat")
    factories.sent(people.rival, later, namespace_identifier="bilby")
    number = factories.in_review(people, later, namespace_identifier="wombat")
    factories.review(number, people.expert, Verdict.APPROVE, later)
    factories.returned(people, later, namespace_identifier="potoroo")
    declined = factories.in_review(people, later, namespace_identifier="cassowary")
    for expert in (people.expert, people.second_expert):
        factories.review(declined, expert, Verdict.DECLINE, later)
    factories.approved(people, later, namespace_identifier="dunnart")
    sign_in.ask_for_link("newcomer@org.example", "/", later, secret=SECRET, host="127.0.0.1")
    _add_later_matters(people, number, later)


def _import_copy(name: str, copy: str, at: datetime) -> None:
    file = xml_bytes(snapshots.current_snapshot(URN_GROUP)).replace(name.encode(), copy.encode())
    snapshots.import_xml(file, at, notice=NOTICE)


def _add_later_matters(people: Cast, number: int, at: datetime) -> None:
    for name, do in _later(people, number, at).items():
        if hasattr(factories, name):
            do()


def _later(people: Cast, number: int, at: datetime) -> dict[str, Callable[[], object]]:
    return {
        "recognized": lambda: factories.recognized(people, at, "IEEE", "speaker@ieee.example"),
        "absence": lambda: factories.absence(people.expert, at),
        "appointed": lambda: factories.appointed(people, at, "new@experts.example"),
        "for_a_standard": lambda: factories.for_a_standard(
            people, at, namespace_identifier="quoll"
        ),
        "sent_revision": lambda: factories.sent_revision(people.registrant, at),
        "claim": lambda: factories.claim(people.rival, "quokka", at, SECRET),
        "invite": lambda: factories.invite(people.registrant, "jo@org.example", at, SECRET),
        "comment": lambda: factories.comment(number, people.rival, at, "Is it *needed*?"),
        "queued_mail": lambda: factories.queued_mail(at),
        "silent_service": lambda: factories.silent_service("quokka"),
        "marked_address": lambda: factories.marked_address(at),
        "given_names": lambda: factories.given_names(people, at, "urn:quokka:x5"),
    }


def go_on(at: datetime) -> str:
    people = factories.cast(at)
    with read_transaction():
        asked = select(Request.number).where(
            Request.asked_name == "wombat", Request.state == "expert-review"
        )
        number = db.session.scalars(asked).one()
    if hasattr(factories, "add_title"):
        factories.review(number, people.second_expert, Verdict.RETURN, at)
        factories.add_title(number, people.registrant, at)
        factories.review(number, people.expert, Verdict.APPROVE, at)
    factories.review(number, people.second_expert, Verdict.APPROVE, at)
    factories.act(number, Action.REGISTER, people.operator, at, reference=factories.REFERENCE)
    edition_build.build_pending(at, factories.PLACE)
    return "wombat"


if __name__ == "__main__":
    filled(sys.argv[1])
