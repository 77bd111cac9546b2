"""A registry without a name: its pages stand, and the first request can be written."""

from pathlib import Path

from flask import Flask

from app.factory import asset_dir
from app.services.operations import database_binding
from tests.store.conftest import NewDatabase, new_database, opened
from tests.web.visitor import Visitor

__all__ = ["new_database"]


def test_every_page_stands_before_the_first_name(empty: Flask) -> None:
    visitor = Visitor(empty)
    for path in ("/", "/assignments/urn-namespaces/", "/requests/", "/requests/new"):
        assert visitor.get(path).status == 200, path
    assert "No registrations at this time" in visitor.get("/assignments/urn-namespaces/").words
    assert "Official IANA" not in visitor.get("/assignments/urn-namespaces/").words
    for path in ("/namespaces/isbn", "/assignments/urn-formal/isbn", "/?q=urn:isbn:1"):
        assert visitor.get(path).status == 404, path


def test_before_it_is_set_up_the_site_says_what_to_do(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    with opened(new_database(), tmp_path) as app:
        database_binding.migrate(asset_dir("migrations"))
        answer = Visitor(app).get("/assignments/urn-namespaces/")
        assert answer.status == 404
        assert "urn-registry init" in answer.words
