"""Nothing is written that no page of this site sent, and nothing by a method that only reads."""

from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus

import pytest
from itsdangerous import URLSafeTimedSerializer

from tests.attack.tables.people import ROLES
from tests.attack.tables.routes import ROWS, Row, form_for, one_of_each
from tests.torture.conftest import some
from tests.web.conftest import Dump, World
from tests.web.visitor import Page, Visitor

pytestmark = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)

Forged = Callable[[Visitor, str, dict[str, str]], Page]

ELSEWHERE = "https://elsewhere.example"
REFUSED = {HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}


def _signed(visitor: Visitor, secret: str, key: str = "") -> str:
    """A token over another browser's secret, or by another key."""
    signing = key or visitor.app.config["SECRET_KEY"]
    return str(URLSafeTimedSerializer(signing, salt="wtf-csrf-token").dumps(secret))


def _with_token(token: Callable[[Visitor], str]) -> Forged:
    return lambda v, path, form: v.post(path, form | {"csrf_token": token(v)})


def _with_headers(headers: Mapping[str, str]) -> Forged:
    return lambda v, path, form: v.post(path, form, headers=dict(headers))


FORGERIES: dict[str, Forged] = {
    "no token": lambda v, path, form: v.post(path, form | {"csrf_token": ""}),
    "a broken token": _with_token(lambda v: v.proof[:-2]),
    "somebody else's token": _with_token(lambda v: _signed(v, "secret of another")),
    "a token of the session before": _with_token(lambda v: _signed(v, "secret before signing in")),
    "a token of another site": _with_token(lambda v: _signed(v, "secret of a session", "guessed")),
    "a page of another site": _with_headers({"Sec-Fetch-Site": "cross-site"}),
    "a page of a neighbour": _with_headers({"Sec-Fetch-Site": "same-site"}),
    "a foreign origin": _with_headers({"Sec-Fetch-Site": "", "Origin": ELSEWHERE}),
    "a Host that was made up": _with_headers(
        {"Sec-Fetch-Site": "", "Origin": ELSEWHERE, "Host": "elsewhere.example"}
    ),
}


def _attempts(world: World) -> Iterator[tuple[str, str, Row]]:
    """Forgeries with whoever may do it, and one after the other with some of the others.

    What refuses them stands before all routes, so that each route has three of the forgeries here,
    among them one by token and one by origin, and three of the people; `make torture` tries all.
    """
    forgeries = tuple(FORGERIES)
    for place, (row, _) in enumerate(one_of_each(world, "POST")):
        for forgery in some(forgeries, 3, place):
            yield forgery, row.who_may[0] if row.who_may else "operator", row
        for shift, who in some(tuple(enumerate(ROLES)), 4, place):
            yield forgeries[(place + shift) % len(forgeries)], who, row


def test_a_forged_form_is_refused_and_changes_nothing(world: World, dump: Dump) -> None:
    before, wrong = dump(), []
    forms = {row: form_for(world, row) for row, _ in one_of_each(world, "POST")}
    for forgery, who, row in dict.fromkeys(_attempts(world)):
        page = FORGERIES[forgery](world.visitor(who), world.path(row.path), forms[row])
        if page.status not in REFUSED:
            wrong.append(f"{row.path}: {who} with {forgery} gets {page.status}")
    assert wrong == []
    assert dump() == before


SERVER_ERROR = HTTPStatus.INTERNAL_SERVER_ERROR
METHODS = ("HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "DELETE", "GUESS")


def test_no_other_method_changes_anything(world: World, dump: Dump) -> None:
    before, wrong = dump(), []
    for path, row in _each_path(world).items():
        who = row.who_may[-1] if row.who_may else "operator"
        visitor = world.visitor(who)
        for method in METHODS:
            status = visitor.open(method, path, data={"csrf_token": visitor.proof}).status
            if not _is_right(method, status, row, who):
                wrong.append(f"{method} {path}: {who} gets {status}")
    assert wrong == []
    assert dump() == before


def _each_path(world: World) -> dict[str, Row]:
    """A path of each route; where one reads and another writes, the one that reads."""
    rows = [*one_of_each(world, "POST"), *one_of_each(world, "GET")]
    return {world.path(row.path): row for row, _ in rows}


def _is_right(method: str, status: int, row: Row, who: str) -> bool:
    """HEAD is answered as GET is, OPTIONS says what there is, and the rest is refused."""
    if method == "OPTIONS":
        return status == HTTPStatus.OK
    if method == "HEAD":
        return str(status) == row.of(who) if row.method == "GET" else status < SERVER_ERROR
    return HTTPStatus.BAD_REQUEST <= status < SERVER_ERROR


def test_there_is_a_row_that_writes_for_everybody_but_a_stranger(world: World) -> None:
    del world
    for who in ROLES[1:]:
        assert any(row.method == "POST" and who in row.who_may for row in ROWS)
