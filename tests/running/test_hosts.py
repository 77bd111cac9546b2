"""Three hosts on one database: whichever is asked, it is one registry."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from pathlib import Path

import lxml.html
import pytest

from tests.conftest import leave_out
from tests.outside.test_smtp import Mailbox, Running
from tests.postgresql import PostgreSQL, find_binaries
from tests.running.hosts import Hosts, hosts
from tests.running.proxies import Browser
from tests.running.sites import DEADLINE
from tests.torture.conftest import rounds
from tests.web.visitor import find_form

SIGN_INS = rounds(40, 8)
REQUESTS = rounds(5, 1)
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
            text = message.get_body(("plain",)).get_content()  # type: ignore[union-attr]
            found.append((envelope.rcpt_tos[0], message["Message-ID"], text))
        return found

    def link_for(self, address: str) -> str:
        """Where the newest link in mail to an address leads."""
        until = time.monotonic() + DEADLINE
        while time.monotonic() < until:
            for to, _, text in reversed(self.letters()):
                if to == address and (link := _LINK.search(text)):
                    return link[0]
            time.sleep(0.05)
        raise AssertionError(f"no mail came to {address}")


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
    """Three hosts that send mail."""
    mailbox = Mailbox()
    url = database_url or f"sqlite:///{folder / 'shared.sqlite3'}"
    with Running(mailbox) as address:
        mail = f"smtp://{address}"
        with hosts(folder, database_url=url, SMTP_URL=mail, MAIL_FROM=SENDER) as three:
            yield Site(three, mailbox, url)


@pytest.fixture(params=["sqlite", "postgresql"])
def registry(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    """Three hosts on each kind of database."""
    if request.param == "sqlite":
        with site(tmp_path) as found:
            yield found
        return
    binaries = find_binaries()
    if binaries is None:
        leave_out("PostgreSQL: no server is installed")
        raise AssertionError
    with PostgreSQL(binaries) as server, site(tmp_path, server.create()) as found:
        yield found


def test_every_sign_in_holds_and_every_mailed_link_works_whichever_host_is_asked(
    registry: Site,
) -> None:
    people = [Person(registry, f"somebody{n}@org.example", n) for n in range(SIGN_INS)]
    assert [person.sign_in() for person in people] == [200] * SIGN_INS
    assert set(registry.three.asked) == {0, 1, 2}
    assert max(Counter(ident for _, ident, _ in registry.letters()).values()) == 1
