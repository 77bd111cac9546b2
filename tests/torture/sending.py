"""The worker as a process of its own, which sends what is due when it is told the time."""

from datetime import datetime, timedelta
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import ColumnElement, literal

from app.config import Settings
from app.factory import create_app
from app.outside import smtp
from app.services.mail import outbox_delivery
from app.store import clocks
from app.store.database import Moment, read_transaction
from app.store.mail import outbox_messages

_REAL_NOW = clocks.database_now


class Turn(NamedTuple):
    """What a worker is told: the time, where the mail server is, how long to wait for it.

    ``database``: the time by the database's clock, where that is not to be the real one.
    """

    at: datetime
    address: str
    patience: float
    database: datetime | None = None


def work(line: Connection, database_url: str, folder: Path) -> None:
    """Send what is due at each turn, and say when nothing more is."""
    outbox_delivery._log.disabled = True  # it says of each what went wrong
    settings = Settings(data_dir=folder, database_url=database_url, secret_key="of a test")
    with create_app(settings).app_context():
        while True:
            turn: Turn = line.recv()
            smtp.TIMEOUT = turn.patience  # the real one is half a minute
            clocks.database_now = partial(_then, turn.database) if turn.database else _REAL_NOW
            while _is_due():
                outbox_delivery.send_waiting(
                    turn.at,
                    deliver=partial(smtp.send, smtp_url=f"smtp://{turn.address}"),
                    sender="registry@registry.example",
                    secret="s",
                    base_url="https://registry.example",
                )
            line.send(None)


def _then(moment: datetime, after: timedelta = timedelta()) -> ColumnElement[datetime]:
    return literal(moment + after, Moment())


def _is_due() -> bool:
    with read_transaction():
        return outbox_messages.is_due()
