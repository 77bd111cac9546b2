"""Where the type of a problem document leads: a page for every code, and a list of them."""

import json
from http import HTTPStatus

import pytest

from app.problems import page_codes, use_case_codes
from app.problems.problem_catalogue import CODES
from tests.web.conftest import World


@pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
def test_the_type_of_a_document_is_a_page_that_the_list_leads_to(world: World) -> None:
    visitor = world.visitor()
    listed = [path for path in visitor.get("/problems/").values("href", "a") if "problems/" in path]
    assert {row.path for row in CODES.values()} <= set(listed)
    for row in (page_codes.ADDRESS_UNKNOWN, use_case_codes.NAME_TAKEN):
        page = visitor.get(row.path)
        assert page.status == HTTPStatus.OK
        for words in (row.code, row.title, row.source, row.remedy):
            assert " ".join(words.split()) in page.words
    refused = visitor.get("/problems/nobody", headers={"Accept": "application/json"})
    told = json.loads(refused.html)
    assert told["code"] == page_codes.ADDRESS_UNKNOWN.code
    assert told["type"].endswith(page_codes.ADDRESS_UNKNOWN.path)
    assert told["type"].startswith("http")
