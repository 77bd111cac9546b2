"""Dumps of a database as the software of a checkout fills it, kept for each migration.

``python -m tests.store.dumping tests/store/dumps`` writes two, one for each kind of database, and
names them by the newest migration. That is done once, when a migration lands: with the software
that it lands with, and never again. Each dump is SQL in text, compressed.

For a migration that landed long ago, put this module and ``filling`` into a checkout of the last
software that had no newer one. Where several landed together no software had the earlier ones as
its newest; ``--down 0007`` takes the filled database back to one of those.
"""

import argparse
import lzma
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
from sqlalchemy import make_url

from app.config import Settings
from app.factory import asset_dir, create_app
from app.services.operations import database_binding
from app.store.database import db
from tests.postgresql import PostgreSQL, find_binaries
from tests.store.downgrading import migrate_down
from tests.store.filling import filled

DUMPS = Path(__file__).resolve().parent / "dumps"
_MADE = "SELECT type, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
_WORDS = "search_text"  # the tables behind it are made with it, and its rows again from its words


def dump_sqlite(file: Path) -> str:
    with sqlite3.connect(file) as connection:
        made = [
            (kind, sql)
            for kind, table, sql in connection.execute(_MADE)
            if not table.startswith(f"{_WORDS}_")
        ]
        tables = [sql for kind, sql in made if kind == "table"]
        rest = [sql for kind, sql in made if kind != "table"]
        words = [f"INSERT INTO {_WORDS}({_WORDS}) VALUES ('rebuild')"]
        statements = [*tables, *_rows(connection), *words, *rest]
    connection.close()
    return "".join(f"{statement};\n" for statement in statements)


def _rows(connection: sqlite3.Connection) -> Iterator[str]:
    names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE ? ORDER BY name"
    for (table,) in connection.execute(names, (f"{_WORDS}%",)).fetchall():
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        values = " || ', ' || ".join(f'quote("{column}")' for column in columns)
        listed = ", ".join(f'"{column}"' for column in columns)
        for (row,) in connection.execute(f'SELECT {values} FROM "{table}" ORDER BY 1'):
            yield f'INSERT INTO "{table}" ({listed}) VALUES ({row})'


def dump_postgresql(url: str, binaries: Path) -> str:
    given = make_url(url)
    asked = [str(binaries / "pg_dump"), "-U", "postgres", "-h", str(given.query["host"])]
    options = ["--inserts", "--no-owner", "--no-privileges", str(given.database)]
    made = subprocess.run([*asked, *options], check=True, capture_output=True, text=True)
    lines = made.stdout.splitlines()
    kept = [line for line in lines if line and not line.startswith(("--", "\\", "SET "))]
    return "".join(f"{line}\n" for line in kept)


def load(dump: Path, url: str) -> None:
    statements = lzma.decompress(dump.read_bytes()).decode()
    given = make_url(url)
    if given.get_backend_name() == "sqlite":
        with sqlite3.connect(str(given.database)) as connection:
            connection.executescript(f"BEGIN; {statements} COMMIT;")
        connection.close()
        return
    with psycopg.connect(url.replace("+psycopg", "")) as server:
        server.execute(statements.encode())


def _brought_down(url: str, revision: str | None) -> str:
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), database_url=url, secret_key="s"))
        with app.app_context():
            if revision is not None:
                migrate_down(asset_dir("migrations"), revision)
            with db.engine.connect() as connection:
                at = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
            database_binding.close_connections()
    return str(at)


def _keep(folder: Path, name: str, statements: str) -> None:
    file = folder / f"{name}.sql.xz"
    file.write_bytes(lzma.compress(statements.encode(), preset=9 | lzma.PRESET_EXTREME))
    sys.stdout.write(f"{file}: {file.stat().st_size} bytes\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--down", metavar="REVISION")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "registry.sqlite3"
        filled(f"sqlite:///{file}")
        at = _brought_down(f"sqlite:///{file}", given.down)
        _keep(given.folder, f"{at}.sqlite", dump_sqlite(file))
    binaries = find_binaries()
    if binaries is None:
        raise SystemExit("PostgreSQL is not installed: its dump is missing.")
    with PostgreSQL(binaries) as server:
        url = server.create()
        filled(url)
        at = _brought_down(url, given.down)
        _keep(given.folder, f"{at}.postgresql", dump_postgresql(url, binaries))


if __name__ == "__main__":
    main()
