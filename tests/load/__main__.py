"""Prints what a mixed day is like: ``python -m tests.load [SECONDS]``; ``--help`` tells the rest.

Three hosts with a worker each share a database, and eight clients send each of their requests to
one of them at random; first on SQLite, then on PostgreSQL. With ``--alone`` one client does one
thing after the other on one host, and what the processes that answer took of the processor is
told. With ``--against`` another checkout, with an environment of its own, takes turns
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.load import seeding
from tests.load.day import Client, Day, NothingToDo
from tests.load.figures import Figures, lines
from tests.load.people import Letters
from tests.load.processes import memory, spent, wait_for_workers
from tests.outside.test_smtp import Mailbox, Running
from tests.postgresql import PostgreSQL, find_binaries
from tests.running import hosts, sites

HERE = Path(__file__).resolve().parent.parent.parent
DATABASES = ("sqlite", "postgresql")
ALONE = (
    *("review", "register", "save a section", "look at a request", "look at the desk"),
    *("read a page", "read a file"),
)


class Post(Mailbox):
    """A mail server that keeps the links of letters."""

    def __init__(self, letters: Letters) -> None:
        super().__init__()
        self._letters = letters

    async def handle_DATA(  # noqa: N802 — the name that the server asks for
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """A letter."""
        content = envelope.content
        message: Any = message_from_bytes(
            content if isinstance(content, bytes) else b"", policy=policy.default
        )
        self._letters.keep(str(envelope.rcpt_tos[0]), message.get_body(("plain",)).get_content())
        return "250 OK"


@contextmanager
def opened(software: Path, database: str, given: argparse.Namespace) -> Iterator[tuple[Day, Any]]:
    """A registry with its people signed in, and the hosts that it runs on."""
    letters = Letters()
    binaries = find_binaries()
    if database == "postgresql" and binaries is None:
        raise SystemExit("PostgreSQL: no server is installed")
    server = PostgreSQL(binaries) if binaries and database == "postgresql" else nullcontext()
    with (
        tempfile.TemporaryDirectory() as folder,
        server as running,
        Running(Post(letters)) as smtp,
        running_software(software),
    ):
        url = running.create() if running else f"sqlite:///{folder}/shared.sqlite3"
        settings: dict[str, Any] = {
            "SMTP_URL": f"smtp://{smtp}",
            "SECRET_KEY": "of a load, of forty characters or so",
        }
        count = 1 if given.alone else given.hosts
        with hosts.standing(Path(folder), count, database_url=url, **settings) as made:
            sites.command("init", env=made[0].env)
            seed(software, url, Path(folder), given.waiting, made[0].env)
            made.start()
            for host in made:
                sites.wait_for(host.port, f"{sites.REGISTRY}urn-namespaces.json")
            day = Day([host.port for host in made], letters)
            day.let_in()
            wait_for_workers([host.pid for host in made])
            day.begin(range(1, given.waiting + 1))
            yield day, made


@contextmanager
def running_software(checkout: Path) -> Iterator[None]:
    """What is started is a checkout's own: ``-P`` keeps this folder out of its way."""
    kept, own = sites.COMMAND, (python_of(checkout), "-P", "-m", "app.cli")
    os.environ["PYTHONSAFEPATH"] = "yes"  # its worker is started by it
    use_command(own)
    try:
        yield
    finally:
        use_command(kept)
        os.environ.pop("PYTHONSAFEPATH", None)


def python_of(checkout: Path) -> str:
    """The interpreter of a checkout; the running one where it has none of its own."""
    own = checkout / ".venv" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


def use_command(words: tuple[str, ...]) -> None:
    """Start hosts by these words from now on."""
    for module in (sites, hosts):
        vars(module)["COMMAND"] = words


def seed(software: Path, url: str, folder: Path, waiting: int, env: dict[str, str]) -> None:
    """Fill the database with the software that is measured."""
    python = python_of(software)
    given = ["-P", str(Path(seeding.__file__)), url, str(folder / "seeding"), str(waiting)]
    subprocess.run([python, *given], env=env | {"PYTHONPATH": str(software)}, check=True)


def alone(software: Path, database: str, given: argparse.Namespace) -> dict[str, float]:
    """Milliseconds of the processor that one of each action takes, the worker's not counted."""
    took = {}
    with opened(software, database, given) as (day, made):
        client, leaders = Client(day, 1), [host.pid for host in made]
        for action in ALONE:
            client.do(action)  # what is made once is not of the action
            before, done = spent(leaders), 0
            for _ in range(given.alone * (2 if action == "review" else 1)):
                try:
                    client.do(action)
                    done += 1
                except NothingToDo:
                    break
            took[action] = 1000 * (spent(leaders) - before) / max(1, done)
        if wrong := dict(client.times.errors):
            sys.stdout.write(f"went wrong: {wrong}\n")
    return took


def tell(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def mixed_days(database: str, given: argparse.Namespace) -> int:
    """A day of one software, or of two by turns of a few seconds; gives how many actions failed.

    So both have the same of whatever else the machine does meanwhile.
    """
    softwares = [given.against, HERE] if given.against else [HERE]
    figures = [Figures() for _ in softwares]
    with ExitStack() as stack:
        days = [stack.enter_context(opened(one, database, given)) for one in softwares]
        for _ in range(max(1, round(given.seconds / given.turn))):
            for (day, _hosts), found in zip(days, figures, strict=True):
                found.add(day.run(given.clients, given.turn))
        for (_day, made), found in zip(days, figures, strict=True):
            found.memory = memory([host.pid for host in made])
    *before, own = figures
    for line in lines(own, before[0] if before else None):
        tell(line)
    return own.wrong


def lone_days(database: str, given: argparse.Namespace) -> int:
    """What each action takes alone, and the ratio to another software's."""
    before = alone(given.against, database, given) if given.against else {}
    for action, took in alone(HERE, database, given).items():
        ratio = f"{before[action]:>10.1f}{took / before[action]:>8.2f}" if before else ""
        tell(f"{action:20}{took:>10.1f}{ratio}")
    return 0


def arguments() -> argparse.Namespace:
    """What is to be measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=60)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--waiting", type=int, default=80, help="requests in review at first")
    parser.add_argument("--on", choices=DATABASES, help="one database alone")
    parser.add_argument("--turn", type=float, default=6, help="seconds at a stretch")
    parser.add_argument("--alone", type=int, default=0, metavar="N", help="N of each, no crowd")
    parser.add_argument("--against", type=Path, help="a checkout to compare with")
    return parser.parse_args()


def main() -> int:
    """Measure and print; fails where anything went wrong."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing is left running
    given, wrong = arguments(), 0
    for database in (given.on,) if given.on else DATABASES:
        what = f"{given.alone} of each alone" if given.alone else f"{given.seconds:.0f} s"
        tell(f"\n{database}, {what}")
        wrong += (lone_days if given.alone else mixed_days)(database, given)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
