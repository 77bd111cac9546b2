"""A registry for the benches of names under a prefix, on either database, and what it costs.

What is told is CPU: of this process, and of the processes of PostgreSQL where that is asked.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import make_url

from app.config import NOTICES, Settings
from app.factory import asset_dir, create_app
from app.registration.declarations.naan_registries import NAAN_SPACE, NAANS
from app.registration.records.registry_records import Registration
from app.services.operations import database_binding
from app.services.registry import snapshots
from app.services.registry.record_import import RecordImport, import_records
from tests import factories
from tests.conftest import START, Clock
from tests.load.processes import processor_seconds
from tests.postgresql import PostgreSQL, find_binaries
from tests.services.assigned_names.conftest import NameDesk

NAAN = "10099"
DATABASES = ("SQLite", "PostgreSQL")


class NameRegistry(NamedTuple):
    """A desk at which names are given, its database, and the server of that, if there is one."""

    desk: NameDesk
    folder: Path
    url: str
    server: PostgreSQL | None

    def spent(self, do: Callable[[], object]) -> float:
        """Seconds of CPU here and in the database."""
        began = time.process_time() + self.beside()
        do()
        return time.process_time() + self.beside() - began

    def beside(self) -> float:
        """Seconds of CPU that the server of the database has taken."""
        if self.server is None:
            return 0.0
        return sum(map(processor_seconds, self.server.processes))

    def for_django(self) -> Mapping[str, str]:
        """Where a peer keeps what is its own, on a database of the same kind."""
        if self.server is None:
            return {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{self.folder}/peer.sqlite3"}
        at = make_url(self.server.create())
        told = {"NAME": at.database or "", "USER": at.username or "", "HOST": str(at.query["host"])}
        return {"ENGINE": "django.db.backends.postgresql", **told}


def databases() -> tuple[str, ...]:
    """The kinds of databases that this machine has."""
    return DATABASES if find_binaries() else DATABASES[:1]


@contextmanager
def name_registry(folder: Path, database: str) -> Iterator[NameRegistry]:
    """A registry with one NAAN, within which prefixes can be added."""
    with ExitStack() as stack:
        binaries = find_binaries() if database == "PostgreSQL" else None
        server = stack.enter_context(PostgreSQL(binaries)) if binaries else None
        url = server.create() if server else f"sqlite:///{folder}/registry.sqlite3"
        app = create_app(Settings(data_dir=folder, secret_key="of a bench", database_url=url))
        stack.enter_context(app.app_context())
        database_binding.migrate(asset_dir("migrations"))
        snapshots.initialize(NOTICES["private"], START, empty=True)
        naan = Registration(name=NAAN, space=NAAN_SPACE, contact=())
        import_records(RecordImport(records={NAANS.id: [naan]}), START)
        desk = NameDesk(factories.cast(START), Clock(), folder / "numbers")
        try:
            yield NameRegistry(desk, folder, url, server)
        finally:
            database_binding.close_connections()
