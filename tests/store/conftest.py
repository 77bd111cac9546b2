"""Databases that nothing was done to yet."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from flask import Flask

from app.config import Settings
from app.factory import create_app
from app.services.operations import database_binding
from tests.postgresql import PostgreSQL

NewDatabase = Callable[[], str]


@pytest.fixture(params=["sqlite", "postgresql"])
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewDatabase]:
    if request.param == "sqlite":
        numbers = count(1)
        yield lambda: f"sqlite:///{tmp_path / f'empty{next(numbers)}.sqlite3'}"
        return
    server: PostgreSQL = request.getfixturevalue("postgresql")
    made: list[str] = []

    def make() -> str:
        made.append(server.create())
        return made[-1]

    yield make
    for url in made:
        server.drop(url)


@contextmanager
def opened(url: str, folder: Path) -> Iterator[Flask]:
    app = create_app(Settings(data_dir=folder, database_url=url, secret_key="of a test"))
    with app.app_context():
        try:
            yield app
        finally:
            database_binding.close_connections()
