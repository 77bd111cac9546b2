"""Nothing is written that no page of this site sent, and nothing by reading."""

from collections.abc import Callable

import pytest

from tests.web.conftest import PEOPLE, Dump, World
from tests.web.test_permissions import ROWS, form_for
from tests.web.visitor import Page, Visitor

WRITES = [row for row in ROWS if row.method == "POST"]
Forged = Callable[[Visitor, str, dict[str, str]], Page]

ELSEWHERE = "https://elsewhere.example"
FORGERIES: dict[str, Forged] = {
    "no token": lambda v, path, form: v.post(path, form | {"csrf_token": ""}),
    "somebody else's token": lambda v, path, form: v.post(
        path, form | {"csrf_token": Visitor(v.app).proof[:-2]}
    ),
    "a token from a page of another site": lambda v, path, form: v.post(
        path, form, headers={"Sec-Fetch-Site": "cross-site"}
    ),
    "a token from a neighbour": lambda v, path, form: v.post(
        path, form, headers={"Sec-Fetch-Site": "same-site"}
    ),
    "a foreign origin": lambda v, path, form: v.post(
        path, form, headers={"Sec-Fetch-Site": "", "Origin": ELSEWHERE}
    ),
    "a Host that was made up": lambda v, path, form: v.post(
        path,
        form,
        headers={"Sec-Fetch-Site": "", "Origin": ELSEWHERE, "Host": "elsewhere.example"},
    ),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_form_changes_nothing(world: World, dump: Dump, forgery: str) -> None:
    before, forge = dump(), FORGERIES[forgery]
    for place, who in enumerate(PEOPLE):
        for row in WRITES:
            if row.statuses[place] < 400:  # others would be refused anyway
                form = form_for(world, row)
                page = forge(world.visitor(who), world.path(row.path), form)
                assert page.status in {400, 401, 403}, (who, row)
    assert dump() == before


def test_reading_changes_nothing(world: World, dump: Dump) -> None:
    before = dump()
    for who in ("registrant", "expert", "operator"):
        for row in ROWS:
            if row.method == "GET":
                world.visitor(who).get(world.path(row.path))
    assert dump() == before


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "DELETE", "GUESS"])
def test_no_other_method_changes_anything(world: World, dump: Dump, method: str) -> None:
    before, form = dump(), {"csrf_token": world.visitor().proof}
    visitor = world.visitor("operator")
    for path in sorted({world.path(row.path) for row in ROWS}):
        status = visitor.open(method, path, data=form).status
        assert status < 500, path
        assert method in {"HEAD", "OPTIONS"} or status >= 400, path
    assert dump() == before
