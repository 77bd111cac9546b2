"""Brings a database back to what older software made of it: nobody but tests does that."""

from pathlib import Path

from alembic import command

from app.store.administration import migrations


def migrate_down(scripts: Path, revision: str = "base") -> None:
    with migrations._alone() as connection:
        command.downgrade(migrations._config(scripts, connection), revision)
