"""Three hosts on one database: whichever is asked, it is one registry."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from itertools import islice
from pathlib import Path

import lxml.html
import pytest
from sqlalchemy import select

from app.config import Settings
from app.factory import open_application
from app.registration.declarations.registries import FORMAL
from app.store.database import db, read_transaction
from app.store.tables import Outbox
from tests import factories
from tests.conftest import leave_out
from tests.outside.test_smtp import Mailbox, Running
from tests.postgresql import PostgreSQL, find_binaries
from tests.running.hosts import Hosts, hosts
from tests.running.proxies import Browser
from tests.running.sites import wait_for
from tests.services.racing import kinds
from tests.torture.conftest import WHOLE, rounds
from tests.waiting import wait_until
from tests.web.stages import NAMES
from tests.web.visitor import find_form

SIGN_INS = rounds(40, 8)
REQUESTS = rounds(5, 1)
HOSTS = rounds(3, 2)  # each is four processes
KINDS = ["sqlite", "postgresql"] if WHOLE else ["postgresql"]
SENDER = "registry@registry.example"
_LINK = re.compile(r"/sign-in/[\w.~-]+")


class Site:
    """Hosts, and the mail that they send."""

    def __init__(self, three: Hosts, mailbox: Mailbox, database_url: str) -> None:
        self.three, self.mailbox, self.database_url = three, mailbox, database_url

    def letters(self) -> list[tuple[str, str, str]]:
        """Recipient, Message-ID and text of everything that was sent."""
        found = []
        for envelope in list(self.mailbox.envelopes):
            message = message_from_bytes(envelope.content, policy=policy.default)
            body = message.get_body(("plain",))
            assert body is not None
            text = body.get_content()
            found.append((envelope.rcpt_tos[0], message["Message-ID"], text))
        return found

    def link_for(self, address: str) -> str:
        """Where the newest link in mail to an address leads."""

        def link() -> str:
            for to, _, text in reversed(self.letters()):
                if to == address and (found := _LINK.search(text)):
                    return found[0]
            return ""

        return wait_until(link)


class Person(Browser):
    """Somebody who reads mail, fills in forms and comes by an address of their own."""

    def __init__(self, site: Site, email: str, n: int = 0) -> None:
        super().__init__(site.three.site, f"198.51.{n}.7")
        self._mail, self.email = site, email

    def sign_in(self) -> int:
        """Ask for a link, take it out of the mail and use it; the status of one's own page."""
        assert self.send("/sign-in", email=self.email)[0] == 200
        self.send(self._mail.link_for(self.email))
        return self.get("/account")[0]

    def fill(self, page: str, action: str = "", **fields: str) -> tuple[int, str]:
        """Open a page, fill in the form that goes to ``action`` and send it."""
        status, shown = self.get(page)
        form = find_form(lxml.html.document_fromstring(shown), page, action or page)
        assert form is not None, (status, page, action, shown)
        return self.post(action or page, form | fields)


@contextmanager
def site(folder: Path, database_url: str = "") -> Iterator[Site]:
    """Hosts that send mail."""
    mailbox = Mailbox()
    url = database_url or f"sqlite:///{folder / 'shared.sqlite3'}"
    with Running(mailbox) as address:
        mail = f"smtp://{address}"
        with hosts(folder, HOSTS, database_url=url, SMTP_URL=mail, MAIL_FROM=SENDER) as three:
            yield Site(three, mailbox, url)


@pytest.fixture(scope="module", params=KINDS)
def three_hosts(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """Hosts on a database that several can share, and by `make torture` on a file as well."""
    folder = tmp_path_factory.mktemp("hosts")
    if request.param == "sqlite":
        with site(folder) as found:
            yield found
        return
    binaries = find_binaries()
    if binaries is None:
        leave_out("PostgreSQL: no server is installed")
        raise AssertionError
    with PostgreSQL(binaries) as server, site(folder, server.create()) as found:
        yield found


@pytest.fixture
def registry(three_hosts: Site) -> Site:
    """The hosts, of which this test asked none yet; each has people of its own."""
    three_hosts.three.asked.clear()
    return three_hosts


@pytest.mark.slow
def test_every_sign_in_holds_and_every_mailed_link_works_whichever_host_is_asked(
    registry: Site,
) -> None:
    people = [Person(registry, f"somebody{n}@org.example", n) for n in range(SIGN_INS)]
    assert [person.sign_in() for person in people] == [200] * SIGN_INS
    assert set(registry.three.asked) == {*range(HOSTS)}
    assert max(Counter((to, ident) for to, ident, _ in registry.letters()).values()) == 1


ANSWERS = {
    "name-and-purpose": {
        "standard": "no",
        "purpose": "Names for quokkas.",
        "title": "Quokka Names",
    },
    "registrant": {"organization": "Quokka Society", "registrant": "Quokka Society, q@q.example"},
    "syntax": {"syntax": 'quokka-urn = "urn:quokka:" 1*DIGIT'},
    "assignment": {"assignment": "The society numbers them and never gives a number twice."},
    "safety-and-use": {
        "security_and_privacy": "None known.",
        "interoperability": "None known.",
        "resolution": "Not intended.",
    },
    "documents": {"documentation": "https://q.example/spec"},
}
STORY = ("submitted", "taken", "passed", "reviewed", "approved", "registered")


@contextmanager
def database_of(site: Site, folder: Path) -> Iterator[None]:
    """The database of the hosts, as another process sees it."""
    settings = Settings(data_dir=folder / "own", database_url=site.database_url, secret_key="-")
    with open_application(settings):
        yield


def wait_until_sent() -> None:
    """Wait until no message is waiting in the outbox."""

    def is_empty() -> bool:
        with read_transaction():
            return not db.session.scalars(select(Outbox.id).where(Outbox.state == "waiting")).all()

    wait_until(is_empty)


def write(robin: Person, name: str) -> int:
    """Fill a request in, page by page, and send it; its number."""
    status, shown = robin.fill("/requests/new", registry=FORMAL.id)
    assert status == 303, shown
    number = int(re.findall(r"/requests/(\d+)/edit/", robin.location)[0])
    for section, answers in ANSWERS.items():
        more = {"namespace_identifier": name} if section == "name-and-purpose" else {}
        status, shown = robin.fill(f"/requests/{number}/edit/{section}", **answers, **more)
        assert status == 303, (section, shown)
    status, shown = robin.fill(f"/requests/{number}/check")
    assert status == 303, shown
    return number


def act(person: Person, page: str, action: str, **fields: str) -> None:
    """Send the form of an action as its page shows it."""
    status, shown = person.fill(page, action, **fields)
    assert status == 303, (action, shown)


@pytest.mark.slow
def test_a_request_goes_from_draft_to_registered_over_all_hosts_and_everything_happens_once(
    registry: Site, tmp_path: Path
) -> None:
    now = datetime.now(UTC) - timedelta(minutes=5)
    with database_of(registry, tmp_path):
        cast = factories.cast(now)
    made = (cast.registrant, cast.operator, cast.expert, cast.second_expert)
    people = [Person(registry, one.email, 100 + n) for n, one in enumerate(made)]
    assert [person.sign_in() for person in people] == [200] * len(people)
    robin, odell, *experts = people
    names = list(islice(NAMES, REQUESTS))
    numbers = [write(robin, name) for name in names]
    for number in numbers:
        page = f"/requests/{number}"
        act(odell, page, f"{page}/take")
        act(odell, page, f"{page}/pass")
        for expert in experts:
            review = f"/review/{number}"
            act(expert, review, review, verdict="approve", reason="It is clear.")
        act(odell, f"/desk/{number}/register", f"/desk/{number}/register")
    for host in registry.three:
        for name in names:
            wait_for(host.port, f"/namespaces/{name}", name.encode())
    with database_of(registry, tmp_path):
        for number in numbers:
            found = Counter(kinds(number))
            assert {kind: found[kind] for kind in STORY} == dict.fromkeys(STORY, 1), found
        wait_until_sent()
    sent = Counter((to, ident) for to, ident, _ in registry.letters())
    assert max(sent.values()) == 1
    assert set(registry.three.asked) == {*range(HOSTS)}
