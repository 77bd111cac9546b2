"""The worker as a process of its own, which sends what is due when it is told the time."""

import os
import signal
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import ColumnElement, literal

from app.config import Settings
from app.factory import create_app
from app.outside import smtp
from app.server import work_of
from app.services.mail import outbox_delivery
from app.store import clocks
from app.store.database import Moment, read_transaction
from app.store.mail import outbox_messages
from app.worker import send

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


def be_killed(database_url: str, folder: Path, at: datetime) -> None:
    """Be killed with a message in hand, as a worker of the host that has this data folder."""
    settings = Settings(data_dir=folder, database_url=database_url, secret_key="of a test")
    clocks.database_now = partial(_then, at)
    with create_app(settings).app_context():
        send(
            replace(
                work_of(settings),
                deliver=lambda _message: os.kill(os.getpid(), signal.SIGKILL),
                secret=lambda: "s",
                now=lambda: at,
            )
        )


def _then(moment: datetime, after: timedelta = timedelta()) -> ColumnElement[datetime]:
    return literal(moment + after, Moment())


def _is_due() -> bool:
    with read_transaction():
        return outbox_messages.is_due()
