"""Every place that a text comes in, with every kind of text: no surprise, and no markup."""

import logging
import re
from collections.abc import Iterator
from dataclasses import fields
from io import BytesIO
from pathlib import Path

import pytest
from sqlalchemy import select

from app.config import PREFIX, BadSetting, Settings, read_settings
from app.services.mail import incoming_mail
from app.store.database import db
from app.store.tables import Account, Name, Request, RoleGrant
from tests import factories
from tests.attack.tables.people import with_everybody
from tests.attack.tables.places import (
    COMMANDS,
    FIELDS,
    HEADERS,
    HIDDEN,
    MAIL_BODIES,
    MAIL_HEADERS,
    QUERIES,
)
from tests.attack.tables.routes import ROWS, Route, Row, form_for, one_of_each
from tests.attack.tables.texts import ALL, DIVIDING, MARK, SHARP, SHORT
from tests.cli.conftest import Run
from tests.conftest import START
from tests.torture.conftest import rounds, some
from tests.web.conftest import PEOPLE, World
from tests.web.visitor import Page

ON_SQLITE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
PROGRAM = {"Accept": "application/problem+json"}
FILES = {endpoint for endpoint, names in FIELDS.items() if "file" in names}
FILLED = HIDDEN - {"csrf_token"}


def faults_of(page: Page, place: str, text: str) -> Iterator[str]:
    """What is wrong with an answer to a text."""
    where = f"{place} with {text[:40]!r}"
    if page.status >= 500:
        yield f"{where}: {page.status}"
    if any(cookie.startswith("zq=") for cookie in page.headers.getlist("Set-Cookie")):
        yield f"{where}: a header of its own"
    if any("\n" in value or "\r" in value for value in page.headers.values()):
        yield f"{where}: a header of two lines"
    yield from _markup(page, where)


def _markup(page: Page, where: str) -> Iterator[str]:
    kind = page.headers.get("Content-Type", "")
    if kind.startswith(("text/html", "application/xhtml", "image/svg")):
        if SHARP in page.html or "<script>zq" in page.html:
            yield f"{where}: markup on {page.path}"
        if "{{49" in page.html or ">49<" in page.html:
            yield f"{where}: calculated on {page.path}"


def _who(row: Row) -> str:
    return row.who_may[-1] if row.who_may else "operator"


def _filled(route: Route, place: int, row: Row) -> Iterator[tuple[str, dict[str, str]]]:
    """Each field with texts of its own, and all at once with some of every kind.

    Neighbours of a form take turns by the route; `make torture` has each field with its own.
    """
    names = sorted(FIELDS[route.place] - {"file"})
    own = [*names, *sorted(FILLED)]
    for shift, name in some([*enumerate(own)], 4, place):
        for text in SHORT[(5 * place + shift) % 240 :: rounds(240, 960)]:
            yield text, {name: text}
    for text in some(ALL[place % 24 :: 24], 4, place // 24) if names else ():
        yield text, dict.fromkeys(names, text)


@ON_SQLITE
@pytest.mark.usefixtures("fleeting")
def test_no_text_in_a_form_surprises_or_becomes_markup(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    wrong: list[str] = []
    for place, (row, route) in enumerate(one_of_each(world, "POST")):
        visitor, path, form = world.visitor(_who(row)), world.path(row.path), form_for(world, row)
        for text, fields_ in _filled(route, place, row):
            page = visitor.post(path, form | fields_)
            wrong += faults_of(page, f"{route.endpoint} {'+'.join(fields_)[:60]}", text)
            visitor = visitor if page.status >= 400 else world.visitor(_who(row))
    assert wrong == []
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


# ---- the same on both databases


@pytest.mark.usefixtures("fleeting")
@pytest.mark.slow
def test_both_databases_answer_alike_what_they_would_hold_differently(
    both: tuple[World, World],
) -> None:
    sqlite, postgresql = (list(_divided(world)) for world in both)
    assert len(sqlite) > 50
    assert [pair for pair in zip(sqlite, postgresql, strict=True) if pair[0] != pair[1]] == []


def _divided(world: World) -> Iterator[tuple[str, str, int]]:
    for place, (row, route) in enumerate(one_of_each(world, "POST")):
        who, names = _first(row), sorted(FIELDS[route.place] - {"file"})
        path, form = world.path(row.path), form_for(world, row)
        for text in some(DIVIDING[place % 2 :: 2], 2, place // 2) if names else ():
            sent = form | dict.fromkeys(names, text)
            page = world.visitor(who).post(path, sent, headers=PROGRAM)
            yield route.endpoint, text[:20], page.status


def _first(row: Row) -> str:
    """One of the people of the web's tests who may."""
    return next((who for who in row.who_may if who in PEOPLE), "operator")


# ---- fields that no form has


EXTRA = {
    "role": "operator",
    "status": "former",
    "state": "assigned",
    "nid": "quokka",
    "owner": "1",
    "reviewer": "1",
    "registrant": "1",
    "account": "1",
    "actor": "1",
    "id": "1",
    "author": "1",
    "grant": "operator",
    "is_operator": "y",
    "number": "1",
    "edition": "1",
    "name": "quokka",
    "registry_id": "informal",
    "counted_from": "9",
    "approved": "y",
}
_KEPT = (
    select(RoleGrant.account, RoleGrant.role, RoleGrant.registry_id),
    select(Account.id, Account.email, Account.name, Account.organization),
    select(Name.folded, Name.registry_id),
    select(
        Request.number, Request.state, Request.registrant, Request.procedure, Request.asked_name
    ),
)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What each commit would leave of who may do what, and of requests and names."""
    found: list[str] = []

    def commit(session: object) -> None:
        db.session.flush()
        found.append(repr([sorted(map(repr, db.session.execute(one))) for one in _KEPT]))

    monkeypatch.setattr(type(db.session), "commit", commit)
    return found


@ON_SQLITE
def test_a_field_that_no_form_has_changes_nothing(world: World, kept: list[str]) -> None:
    wrong = []
    for row, route in one_of_each(world, "POST"):
        own = FIELDS[route.place] | HIDDEN
        extra = {name: text for name, text in EXTRA.items() if name not in own}
        path, answers = world.path(row.path), []
        for form in (form_for(world, row), form_for(world, row) | extra):
            kept.clear()
            page = world.visitor(_who(row)).post(path, form)
            answers.append((page.status, list(kept)))
        if answers[0] != answers[1]:
            wrong.append(f"{route.endpoint}: {answers[0][0]}, {answers[1][0]}")
    assert wrong == []


# ---- addresses, queries and headers


def _quoted(text: str) -> str:
    return "".join(f"%{octet:02X}" for octet in text[:9_000].encode("utf-8", "surrogatepass"))


def _addresses(world: World) -> Iterator[tuple[str, str, str]]:
    """Every argument of every path with some of the texts, the others as in the table."""
    for place, rule in enumerate(world.app.url_map.iter_rules()):
        for shift, argument in enumerate(sorted(rule.arguments)):
            for text in (*SHORT[(place + shift) % 40 :: 40], "\ud800"):
                given = dict.fromkeys(rule.arguments, "1") | {argument: "\0"}
                path = _built(rule.rule, given).replace("\0", _quoted(text))
                yield ("POST" if "POST" in (rule.methods or ()) else "GET"), path, text


def _built(rule: str, given: dict[str, str]) -> str:
    return re.sub(r"<(?:[^<>:]*:)?([a-z]+)>", lambda found: given[found[1]], rule)


@ON_SQLITE
@pytest.mark.usefixtures("fleeting")
@pytest.mark.slow
def test_no_text_in_an_address_surprises(world: World) -> None:
    visitor = world.visitor("operator")
    wrong: list[str] = []
    for method, path, text in _addresses(world):
        form = {"csrf_token": visitor.proof} if method == "POST" else {}
        page = visitor.open(method, path, data=form)
        wrong += faults_of(page, f"{method} {path[:60]}", text)
    assert wrong == []


@ON_SQLITE
@pytest.mark.slow
def test_no_text_in_a_query_surprises_or_becomes_markup(world: World) -> None:
    wrong: list[str] = []
    rows = {route.endpoint: row for row, route in one_of_each(world, "GET")}
    for place, (endpoint, names) in enumerate(sorted(QUERIES.items())):
        row = rows[endpoint]
        visitor, path = world.visitor(_who(row)), world.path(row.path).partition("?")[0]
        for shift, name in enumerate(sorted(names)):
            for text in (*some(SHORT[(place + shift) % 40 :: 40], 3, place), MARK, "\ud800"):
                page = visitor.get(f"{path}?{name}={_quoted(text)}")
                wrong += faults_of(page, f"{endpoint} {name}", text)
    assert wrong == []


def test_every_query_belongs_to_a_route() -> None:
    assert len(QUERIES) > 15


@ON_SQLITE
def test_no_text_in_a_header_surprises(world: World) -> None:
    wrong: list[str] = []
    paths = ("/", "/requests/", "/account", "/namespaces/isbn", "/healthz", "/nowhere")
    single = [text for text in SHORT if not {"\r", "\n"} & set(text)]
    for place, name in enumerate(HEADERS):
        for shift, text in enumerate(single[place % 24 :: 24]):
            path = paths[(place + shift) % len(paths)]
            value = text.encode("utf-8").decode("latin-1")
            page = world.visitor().get(path, headers={name: value})
            wrong += faults_of(page, f"{path} {name}", text)
    assert wrong == []


# ---- files


_BYTES = (
    b"",
    b"\0" * 999,
    b"\xff\xfe\0a",
    b"\xef\xbb\xbfurn:a",
    MARK.encode(),
    b"PK\x03\x04",
    b"u\n" * 500,
)


@ON_SQLITE
@pytest.mark.usefixtures("fleeting")
def test_no_file_surprises(world: World) -> None:
    wrong: list[str] = []
    for row, route in one_of_each(world, "POST"):
        for place, data in enumerate(_BYTES if route.endpoint in FILES else ()):
            name = SHORT[7 * place].replace("\0", "")[:200] or "a.txt"
            sent = form_for(world, row) | {"file": (BytesIO(data), name)}
            page = world.visitor(_who(row)).post(world.path(row.path), sent)
            wrong += faults_of(page, f"{route.endpoint} file", str(data[:20]))
    assert wrong == []


@ON_SQLITE
def test_a_form_that_takes_no_file_refuses_one(world: World) -> None:
    for row, route in one_of_each(world, "POST"):
        if route.endpoint not in FILES:
            sent = form_for(world, row) | {"file": (BytesIO(b"x"), "a.txt")}
            page = world.visitor(_who(row)).post(world.path(row.path), sent, headers=PROGRAM)
            assert page.status in {400, 404}, row.path


# ---- mail


def _messages() -> Iterator[tuple[str, str, bytes]]:
    usual = {"From": "robin@org.example", "Subject": "Re: [urn 2]", "Message-ID": "<zq@a.example>"}
    for place, name in enumerate(MAIL_HEADERS):
        for text in SHORT[place % 30 :: 30]:
            headers = "".join(f"{one}: {it}\r\n" for one, it in (usual | {name: text}).items())
            yield name, text, f"{headers}\r\nWords.\r\n".encode("utf-8", "surrogatepass")
    for place, (name, body) in enumerate(MAIL_BODIES.items()):
        for text in (*ALL[place % 30 :: 30], "\ud800"):
            headers = "".join(f"{one}: {it}\r\n" for one, it in usual.items())
            message = headers + body.replace("{}", text)
            yield name, text, message.encode("utf-8", "surrogatepass")


@pytest.mark.usefixtures("fleeting")
def test_no_text_in_mail_surprises(world: World) -> None:
    is_sqlite = "sqlite" in world.app.extensions["settings"].database
    with world.app.app_context():
        for place, (name, text, raw) in enumerate(_messages()):
            if is_sqlite or place % 5 == 0:
                outcome = incoming_mail.ingest(raw, START, factories.policy(factories.SECRET))
                assert outcome.filed, (name, text[:40])
                db.session.rollback()


# ---- commands and settings


def test_no_file_of_a_command_surprises(run: Run, tmp_path: Path) -> None:
    texts = (b"", b"\0\xff", *(SHORT[place].encode() for place in range(30, len(SHORT), 40)))
    for place, line in enumerate(line for line in COMMANDS.splitlines() if line):
        for text in texts[place % 2 :: 2]:
            file = tmp_path / "given"
            file.write_bytes(text)
            called = [str(file) if word == "FILE" else word for word in line.split()[:-1]]
            code, _, said = run(*called, stdin=text)
            assert code in {0, 1, 2, 65, 75, 78}, (line, text[:40], said)
            assert "Traceback" not in said, (line, text[:40])


def test_no_text_of_a_setting_surprises() -> None:
    for place, row in enumerate(fields(Settings)):
        for text in (*SHORT[place % 3 :: 3], "x" * 5_000):
            try:
                read_settings({f"{PREFIX}{row.name.upper()}": text})
            except BadSetting as error:
                assert row.name in str(error).lower()


# ---- what was typed, shown afterwards


# They end what others are then asked with: a session, or the draft.
_ENDING = {
    *("sign_in.use", "sign_in.leave", "sign_in.leave_everywhere", "sign_in.end_session"),
    *("demo.enter_as", "registrant.discard"),
}


@ON_SQLITE
def test_what_is_stored_everywhere_is_nowhere_markup(fresh: World) -> None:
    world, stored = with_everybody(fresh), 0
    for row, route in one_of_each(world, "POST"):
        if route.endpoint in _ENDING:
            continue
        names = FIELDS[route.place] - {"file", "kept", "next"}
        path, who = world.path(row.path), _who(row)
        tries = [dict.fromkeys(names, MARK), *({name: MARK} for name in sorted(names))]
        for marked in tries:
            page = world.visitor(who).post(path, form_for(world, row) | marked)
            assert list(faults_of(page, route.endpoint, MARK)) == []
            stored += page.status == 303
            if page.status == 303 and len(marked) > 1:
                break
    assert stored > 40
    wrong: list[str] = []
    for row in ROWS:
        is_read = row.method == "GET" and "503" not in row.cells  # nothing is laid out here
        for who in ("registrant", "operator") if is_read else ():
            wrong += faults_of(world.visitor(who).get(world.path(row.path)), row.path, MARK)
    assert wrong == []
