"""The registry's database for the length of a command."""

from collections.abc import Iterator
from contextlib import contextmanager

from app.commands.shell import UsageError
from app.config import Settings
from app.module_imports import imports


@contextmanager
def registry_database(settings: Settings, *, shares_secret: bool = True) -> Iterator[str]:
    """A database that this software can run with; gives the secret that all hosts share.

    Raises UsageError, with what to do, for one that is away, is not set up or is not as it was
    made; where this host has another secret, unless a command has nothing to do with that; and
    where the database broke off what was done with it.
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
