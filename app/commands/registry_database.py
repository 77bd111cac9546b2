"""The registry's database for the duration of a command."""

from collections.abc import Iterator
from contextlib import contextmanager

from app.commands.shell import UsageError
from app.config import Settings
from app.module_imports import imports


@contextmanager
def registry_database(settings: Settings, *, shares_secret: bool = True) -> Iterator[str]:
    """Open the database, check that this software can use it, and return the shared secret.

    Raises UsageError, with instructions, if the database is unreachable, not set up or changed, if
    the connection breaks, or if ``shares_secret`` is set and this host has another secret.
    """
    with imports():
        from app.factory import asset_dir, open_application, shared_secret
        from app.services.operations.database_binding import (
            DatabaseNotReady,
            refuse_broken_off,
            require_current,
        )

    with open_application(settings):
        try:
            require_current(asset_dir("migrations"))
            secret = shared_secret(settings).agree() if shares_secret else ""
            with refuse_broken_off():
                yield secret
        except DatabaseNotReady as error:
            raise UsageError(str(error)) from error
