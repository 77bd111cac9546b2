"""What the tests of services borrow from those of the store, and a backup to put back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.older_backup import Backup
from tests.store.conftest import new_database

__all__ = ["backup", "new_database"]


@pytest.fixture
def backup(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> Iterator[Backup]:
    """The database of the test, to be saved and put back."""
    is_server = database_url.startswith("postgresql")
    made = Backup(
        database_url, tmp_path, request.getfixturevalue("postgresql") if is_server else None
    )
    yield made
    made.end()
