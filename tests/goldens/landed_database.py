"""A database as the software that stands here leaves it, and forms that are open in browsers.

``python -m tests.goldens.landed_database tests/goldens/landed`` writes two dumps, named by the
newest migration, one for each kind of database. Beside each it puts what browsers have: their
cookies and the fields of the forms on their pages, with what this software answered when each was
sent, and what that left. It is done once, with the software that landed, and never again for that
migration.
"""

import json
import lzma
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from flask import Flask
from itsdangerous import TimestampSigner
from sqlalchemy import Select, select, text

from app.config import Settings
from app.factory import create_app
from app.registration.declarations.registries import FORMAL
from app.services.accounts import sign_in
from app.services.editions import edition_build
from app.services.operations import database_binding
from app.store import clocks
from app.store.database import db, read_transaction
from app.store.tables import Event, Outbox, SignIn
from tests.conftest import _now_of_test
from tests.postgresql import PostgreSQL, find_binaries
from tests.store.dumping import dump_postgresql, dump_sqlite
from tests.store.filling import BEGUN, SECRET, filled
from tests.web.visitor import HTML, Page

LANDED = Path(__file__).resolve().parent / "landed"
AT = BEGUN + timedelta(days=1, minutes=5)  # when the forms are open
_PEOPLE = {
    "registrant": "robin@org.example",
    "rival": "rival@other.example",
    "expert": "emery@experts.example",
    "operator": "odell@registry.example",
    "other operator": "otto@registry.example",
}


_COOKIE = "session"
_ASKING = {"Accept": HTML, "Sec-Fetch-Site": "same-origin"}

Form = dict[str, Any]


class Recorded(NamedTuple):
    """A revision, the statements that make its database, and forms with their answers."""

    revision: str
    statements: str
    forms: list[Form]


@dataclass(frozen=True)
class OpenForm:
    """A form on a page that somebody has open, and what they typed into it.

    ``is_sent``: it was sent already, and is sent once more, as after an answer that got lost.
    """

    who: str
    page: str
    action: str
    typed: dict[str, str]
    is_sent: bool = False


def _form(who: str, page: str, action: str = "", **typed: str) -> OpenForm:
    return OpenForm(who, page, action or page, typed)


# What ``filling`` leaves: 2 is a draft, 3 was sent, 4 is in review, 5 was returned, 7 approved, 9 a
# revision that was sent.
_COMMENT = _form("rival", "/requests/4", "/requests/4/comments", comment="What of old names?")
FORMS = (
    replace(_COMMENT, is_sent=True),
    _form("registrant", "/requests/2/edit/registrant", organization="Numbats"),
    _form("registrant", "/requests/5/check", reason="As was asked."),
    _form(
        "registrant",
        "/namespaces/quokka/people",
        "/namespaces/quokka/people/invite",
        address="ann@org.example",
    ),
    _form(
        "registrant",
        "/namespaces/quokka/transfer",
        organization="Wombats",
        address="w@wombat.example",
        reason="They merged.",
    ),
    _form("rival", "/requests/new", registry=FORMAL.id),
    _form("rival", "/requests/3", "/requests/3/withdraw", reason="No longer."),
    replace(_COMMENT, typed={"comment": "And of new ones?"}),
    _form("rival", "/account", "/account/mail", news="y"),
    _form("expert", "/review/4", verdict="approve", reason="It is fine."),
    _form("expert", "/review/you", "/review/you/interest", interest="Wombats"),
    _form("operator", "/desk/7/register", reference="https://dunnart.example/", label="Dunnarts"),
    _form("operator", "/requests/9", "/requests/9/take"),
    _form("operator", "/requests/9", "/requests/9/notes", note="By telephone."),
    _form("operator", "/desk/claims/1", decision="refuse", reason="Nobody knows them."),
    _form("operator", "/desk/names/quokka", date="2001-01-01", reason="It was misspelt."),
    _form("operator", "/desk/registry", notes="A note.", reason="It was missing."),
    _form("operator", "/desk/mail/", message="From: a@b.example\nSubject: Hello\n\nWho?\n"),
    _form(
        "other operator",
        "/desk/experts",
        email="nan@experts.example",
        decision="Decision 8",
        role="expert",
    ),
)


class Browser:
    """A browser that keeps what the site gives it, and sends forms as they stand on their pages."""

    def __init__(self, app: Flask, cookie: str = "") -> None:
        self._app, self._client = app, app.test_client()
        if cookie:
            self._client.set_cookie(_COOKIE, cookie)

    @property
    def cookie(self) -> str:
        """What it sends along."""
        cookie = self._client.get_cookie(_COOKIE)
        assert cookie is not None
        return cookie.value

    def page(self, path: str) -> Page:
        """Read a page."""
        return Page(self._client.get(path, headers=_ASKING))

    def fields(self, path: str, action: str, typed: dict[str, str]) -> dict[str, str]:
        """What the form of a page would send."""
        shown = self.page(path)
        assert shown.status == 200, (path, shown.status, shown.words[:300])
        return shown.form(action) | typed

    def send(self, path: str, **typed: str) -> Page:
        """Open a page and send its form."""
        fields = self.fields(path, path, typed)
        return Page(self._client.post(path, data=fields, headers=_ASKING))

    def sign_in(self, email: str) -> "Browser":
        """Ask for a link, and use it."""
        self.send("/sign-in", email=email)
        newest = select(SignIn.id).where(SignIn.email == email).order_by(SignIn.created.desc())
        link = f"/sign-in/{sign_in.token_of(_all(self._app, newest)[0], SECRET)}"
        assert self.send(link).status == 303
        return self


def sent(app: Flask, form: Form) -> Form:
    """Send a form as its browser does: the status, where it leads, and what that left."""
    events, letters = _all(app, select(Event.n)), _all(app, select(Outbox.id))
    client = app.test_client(use_cookies=False)
    headers = _ASKING | {"Cookie": f"{_COOKIE}={form['cookie']}"}
    answer = client.post(form["action"], data=form["fields"], headers=headers)
    kinds = select(Event.kind).where(Event.n.not_in(events)).order_by(Event.n)
    written = select(Outbox.template + " " + Outbox.recipient).where(Outbox.id.not_in(letters))
    return {
        "status": answer.status_code,
        "location": answer.headers.get("Location", ""),
        "events": _all(app, kinds),
        "letters": sorted(_all(app, written)),
    }


def _all(app: Flask, asked: Select[Any]) -> list[Any]:
    """What is in the database; a page shares no context with what looks there."""
    with app.app_context(), read_transaction():
        return list(db.session.scalars(asked))


@contextmanager
def _signing_then() -> Iterator[None]:
    """Cookies are signed, and found to be signed, at the moment at which the forms are open."""
    moment = int(AT.timestamp())
    with patch.object(TimestampSigner, "get_timestamp", lambda _self: moment):
        yield


@contextmanager
def opened_then(url: str) -> Iterator[Flask]:
    """An application on a database, at that moment."""
    with tempfile.TemporaryDirectory() as folder, _signing_then():
        app = create_app(Settings(data_dir=Path(folder), database_url=url, secret_key=SECRET))
        app.extensions["now"] = lambda: AT
        yield app
        _let_go(app)


def _let_go(app: Flask) -> None:
    with app.app_context():
        database_binding.close_connections()


def _record(url: str, dump: Callable[[], str]) -> Recorded:
    """What software of this revision leaves; of the forms one was sent before, and is again."""
    with patch.object(clocks, "database_now", _now_of_test):
        with patch.object(edition_build, "build_pending", lambda *_: []):
            filled(url)  # without the files of editions, which other dumps have
        with opened_then(url) as app:
            browsers = {who: Browser(app).sign_in(email) for who, email in _PEOPLE.items()}
            forms = [_fields(browsers[form.who], form) for form in FORMS]
            before = [form | {"answer": sent(app, form)} for form in forms if form["is_sent"]]
            _let_go(app)
            statements = dump()
            after = [form | {"answer": sent(app, form)} for form in forms if not form["is_sent"]]
            (revision,) = _all(
                app, select(text("version_num")).select_from(text("alembic_version"))
            )
    return Recorded(revision, statements, [*before, *after])


def _fields(browser: Browser, form: OpenForm) -> Form:
    fields = browser.fields(form.page, form.action, form.typed)
    return asdict(form) | {"cookie": browser.cookie, "fields": fields}


def _keep(folder: Path, kind: str, recorded: Recorded) -> None:
    revision, statements, forms = recorded
    made = lzma.compress(statements.encode(), preset=9 | lzma.PRESET_EXTREME)
    (folder / f"{revision}.{kind}.sql.xz").write_bytes(made)
    text = json.dumps(forms, indent=1, ensure_ascii=False, sort_keys=True)
    (folder / f"{revision}.{kind}.forms.json").write_text(f"{text}\n")


def main() -> None:
    """Write both."""
    folder = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as made:
        file = Path(made) / "registry.sqlite3"
        _keep(folder, "sqlite", _record(f"sqlite:///{file}", lambda: dump_sqlite(file)))
    binaries = find_binaries()
    if binaries is None:
        raise SystemExit("PostgreSQL is not installed: its dump is missing.")
    with PostgreSQL(binaries) as server:
        url = server.create()
        _keep(folder, "postgresql", _record(url, lambda: dump_postgresql(url, binaries)))


if __name__ == "__main__":
    main()
