"""Connect an application to its database, and describe database problems."""

import errno
import hmac
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from flask import Flask
from sqlalchemy import Engine, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    DBAPIError,
    IntegrityError,
    InternalError,
    OperationalError,
    SQLAlchemyError,
)

from app.services.delegates import delegate_mail
from app.store import tables
from app.store.accounts import attempts, delegate_rows
from app.store.administration import installation_secret, migrations
from app.store.administration.installation_secret import StoredSecret
from app.store.compatibility import SchemaState
from app.store.database import (
    DatabaseTrouble,
    db,
    is_disk_full,
    limit_waits_of,
    transaction,
    trouble_of,
)
from app.store.demonstration import SETTING

Trouble, DatabaseAway, DatabaseFailure = DatabaseTrouble, OperationalError, DBAPIError
NOT_WRITTEN = (OperationalError, InternalError)  # it is away, or open for reading alone
TABLES = tables.__all__  # importing them is what puts them into the metadata


# Options that libpq checks only when it connects (PostgreSQL, libpq, 34.1.2).
_OPTIONS = {
    name: (takes, re.compile(takes.replace(", ", "|").replace("a whole number", "[0-9]{1,9}")))
    for name, takes in {
        "connect_timeout": "a whole number",
        "keepalives": "0, 1",
        "sslmode": "disable, allow, prefer, require, verify-ca, verify-full",
        "target_session_attrs": "any, read-write, read-only, primary, standby, prefer-standby",
    }.items()
}

_SILENT_FOR = 60_000  # milliseconds in which no packet was confirmed
_CONNECT_WITHIN = 5  # seconds for each host of a database on servers


class DatabaseNotReady(RuntimeError):
    """This software can't use the database. The message says what to do."""


class DatabaseUnreachable(DatabaseNotReady):
    """The database doesn't answer at the moment."""


class DatabaseEmpty(DatabaseNotReady):
    """The database is empty, for example a new SQLite file."""


_SENTENCES = {
    DatabaseTrouble.DISK_FULL: "The disk of the database is full: {}. Free some space.",
    DatabaseTrouble.READ_ONLY: (
        "The database accepts no changes: {}. If it has several hosts, add "
        "?target_session_attrs=read-write to its address."
    ),
    DatabaseTrouble.BUSY: (
        "The database is busy: {}. Another user may be changing the same data. Try again."
    ),
    DatabaseTrouble.AWAY: "The database can't be reached: {}.",
}
_STATES = {
    DatabaseTrouble.DISK_FULL: "the disk of the database is full",
    DatabaseTrouble.READ_ONLY: "the database accepts no changes",
    DatabaseTrouble.BUSY: "the database is busy",
    DatabaseTrouble.AWAY: "the database cannot be reached",
}
PROBE_EVERY = 10.0  # seconds between two test writes of a process


class DatabaseFault(NamedTuple):
    """A database problem and the first line of the database's error message."""

    trouble: DatabaseTrouble
    why: str

    @property
    def state(self) -> str:
        """A short public description, without the error message."""
        return _STATES[self.trouble]

    @property
    def sentence(self) -> str:
        """The problem and its solution, for operators."""
        return _SENTENCES[self.trouble].format(self.why)


def fault_of(error: BaseException) -> DatabaseFault | None:
    """Return the database problem; None for an error with another cause."""
    trouble = trouble_of(error)
    return None if trouble is None else DatabaseFault(trouble, _first_line(error))


def _first_line(error: BaseException) -> str:
    cause = getattr(error, "orig", None) or error
    return str(cause).strip().partition("\n")[0].rstrip(".")


def is_passing(error: BaseException) -> bool:
    """Return whether the database did not answer, or was busy, when this error was raised."""
    return trouble_of(error) in (DatabaseTrouble.AWAY, DatabaseTrouble.BUSY)


def outage_of(error: BaseException) -> tuple[str, str] | None:
    """Return the work that a full disk or the database prevents, and the reason.

    Return None for an error with another cause.
    """
    fault = None if isinstance(error, IntegrityError) else fault_of(error)
    if fault is not None:
        return _CANNOT[fault.trouble], fault.why
    return (
        ("can't write because a disk of this host is full", str(error))
        if is_disk_full(error)
        else None
    )


_CANNOT = {
    DatabaseTrouble.DISK_FULL: "can't write because the disk of the database is full",
    DatabaseTrouble.READ_ONLY: "can't write because the database accepts no changes",
    DatabaseTrouble.BUSY: "can't use the database because it is busy",
    DatabaseTrouble.AWAY: "can't reach the database",
}


def write_fault() -> DatabaseFault | None:
    """Return the reason why nothing can be saved now, or None.

    Tries a write, and undoes it, at most every 10 seconds. Otherwise returns the last result.
    """
    engine = db.engine
    made, fault = _probes.get(engine, (0.0, None))
    if made and time.monotonic() - made < PROBE_EVERY:
        return fault
    _probes[engine] = time.monotonic(), fault
    fault = _probe()
    _probes[engine] = time.monotonic(), fault
    return fault


_probes: WeakKeyDictionary[Engine, tuple[float, DatabaseFault | None]] = WeakKeyDictionary()


def _probe() -> DatabaseFault | None:
    try:
        attempts.try_write()
    except DBAPIError as error:
        fault = DatabaseFault(trouble_of(error) or DatabaseTrouble.AWAY, _first_line(error))
        # another user is writing, so writing works
        return None if fault.trouble is DatabaseTrouble.BUSY else fault
    except OSError as error:
        if is_disk_full(error):
            return DatabaseFault(DatabaseTrouble.DISK_FULL, str(error))
        if error.errno == errno.EROFS:
            return DatabaseFault(DatabaseTrouble.READ_ONLY, str(error))
    return None


@contextmanager
def refuse_unreachable() -> Iterator[None]:
    """Raise DatabaseUnreachable if the database is unreachable, DatabaseNotReady if it is unusable.

    The message has the reason, without the statement.
    """
    try:
        yield
    except DatabaseError as error:
        fault = fault_of(error)
        if fault is None:
            why = str(error.orig or error).strip()
            raise DatabaseNotReady(
                f"The database can't be used: {why}. Check its address."
            ) from error
        raise DatabaseUnreachable(fault.sentence) from error


class ValueRefused(DatabaseNotReady):
    """A value breaks a constraint of the database. Nothing was saved."""


@contextmanager
def refuse_broken_off() -> Iterator[None]:
    """Raise DatabaseUnreachable for an interrupted command, ValueRefused for a forbidden value.

    A command is interrupted when the database goes away or is full, or when another process locks
    or writes the same rows. Either cause can break a uniqueness constraint: the message names both.
    """
    try:
        yield
    except (IntegrityError, DataError) as error:
        why = str(error.orig or error).strip().partition("\n")[0]
        advice = (
            "Run the command again. If it fails again, the value is a duplicate in the input or "
            "the database."
            if "unique" in why.lower()
            else "Correct this value in the input and run the command again."
        )
        raise ValueRefused(
            f"The database refused a value: {why}. Nothing was changed. {advice}"
        ) from error
    except DBAPIError as error:
        fault = fault_of(error)
        if fault is None:
            raise
        said = f"The database interrupted this command: {_first_line(error)}."
        if fault.trouble is not DatabaseTrouble.AWAY:
            said = fault.sentence
        raise DatabaseUnreachable(f"{said} Nothing was changed. Run the command again.") from error


def find_file(url: str) -> Path | None:
    """Return the SQLite file of a database address, or None."""
    made = make_url(url)
    is_file = made.get_backend_name() == "sqlite" and made.database not in {None, "", ":memory:"}
    return Path(str(made.database)) if is_file else None


def bind(app: Flask, url: str, *, demo: bool = False) -> None:
    """Connect an application to its database. ``demo`` is whether demo accounts are valid."""
    app.config[SETTING] = demo
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {
        "pool_pre_ping": True,
        "connect_args": _patience(url),
    }
    db.init_app(app)


def limit_waits(app: Flask) -> None:
    """Limit how long an application that serves pages waits for its database.

    The worker, migrations and commands wait longer.
    """
    with app.app_context():
        limit_waits_of(db.engine)


def _patience(url: str) -> dict[str, Any]:
    made = make_url(url)
    if made.get_backend_name() != "postgresql":
        return {}
    bounds = {"connect_timeout": _CONNECT_WITHIN, "tcp_user_timeout": _SILENT_FOR}
    return {name: bound for name, bound in bounds.items() if name not in made.query}


def check_url(url: str) -> None:
    """Raise ValueError unless SQLAlchemy and its driver can read an address. Don't connect."""
    try:
        made = make_url(url)
        _, options = made.get_dialect()().create_connect_args(made)
    except (ArgumentError, ValueError, TypeError):
        raise ValueError("can't be read as the address of a database") from None
    if made.get_backend_name() == "postgresql":
        _check_options(options)


def _check_options(options: Mapping[str, Any]) -> None:
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import make_conninfo
    except ImportError:  # the driver is optional
        raise ValueError("needs psycopg. Install urn-registry[postgresql]") from None
    try:
        make_conninfo(**options)
    except ProgrammingError as error:
        raise ValueError(f"has an unknown option: {str(error).strip()}") from None
    for name, (takes, pattern) in _OPTIONS.items():
        if name in options and not pattern.fullmatch(str(options[name])):
            raise ValueError(f"has an invalid option. Values of {name}: {takes}")


def check(scripts: Path) -> str:
    """Describe the database. Raises DatabaseNotReady if it can't be used."""
    with refuse_unreachable(), db.engine.connect() as connection:
        numbers = connection.dialect.server_version_info or ()
        name = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.dialect.name]
    require_current(scripts)
    fault = write_fault()
    if fault is not None:
        raise DatabaseNotReady(fault.sentence)
    return f"The database is ready: {name} {'.'.join(map(str, numbers))}."


def migrate(scripts: Path) -> SchemaState:
    """Upgrade the database to the revision of this software and return its state before.

    Changes all or nothing. Raises DatabaseNotReady if the database is unreachable, has a newer
    revision, or was changed so that a migration fails.
    """
    with refuse_unreachable():
        before = migrations.schema_state(scripts)
    try:
        migrations.migrate(scripts)
    except migrations.NewerSchemaError as error:
        beside = f" {_RUNS_BESIDE}" if error.state.can_run else ""
        raise DatabaseNotReady(f"{_of_newer(error.state)}{beside}") from error
    except migrations.UnknownSchemaError as error:
        raise DatabaseNotReady(_of_unknown(error.own, error.other)) from error
    except migrations.ChangedSchemaError as error:
        raise DatabaseNotReady("\n- ".join((_CHANGED, *error.problems))) from error
    except (SQLAlchemyError, RuntimeError) as error:
        fault = fault_of(error)
        if fault is not None and fault.trouble is not DatabaseTrouble.AWAY:
            raise DatabaseUnreachable(f"{fault.sentence} Nothing was changed.") from error
        why = str(getattr(error, "orig", None) or error).strip()
        raise DatabaseNotReady(f"{_FAILED} Details: {why}") from error
    return before


def is_current(scripts: Path) -> bool:
    """Return whether this software can run with the schema of the database.

    Raises what the database raises.
    """
    return migrations.schema_state(scripts).can_run


def require_current(scripts: Path) -> None:
    """Raise DatabaseNotReady unless this software can run with the database."""
    with refuse_unreachable():
        state = migrations.schema_state(scripts)
        problems = migrations.schema_problems(is_newer=state.is_newer) if state.can_run else []
    if state.is_foreign:
        raise DatabaseNotReady(_FOREIGN)
    if not state.can_run and not state.revision:
        raise DatabaseEmpty(_of_older(state))
    if not state.can_run:
        raise DatabaseNotReady(_of_newer(state) if state.is_newer else _of_older(state))
    if problems:
        raise DatabaseNotReady("\n- ".join((_CHANGED, *problems)))


_RUNS_BESIDE = (
    "During a rolling upgrade, `serve` and `worker` of this version still run; only the newer "
    "version upgrades the database."
)
_FAILED = (
    "The database couldn't be upgraded, and nothing was changed. Its tables may have been changed "
    "by hand: undo that change, or restore a backup."
)
_CHANGED = (
    "The tables were changed by hand. Nothing was started or changed. Undo these changes, or "
    "restore a backup:"
)


_FOREIGN = (
    "The database belongs to other software. Nothing was changed. Set URN_REGISTRY_DATABASE_URL to "
    "a database of the registry's own."
)


def _of_unknown(own: list[str], other: list[str]) -> str:
    if not (own or other):
        return (
            "The database has only a table alembic_version, with the revision of other software. "
            "Nothing was changed. Check URN_REGISTRY_DATABASE_URL. If nothing else uses this "
            "database, drop that table and run `urn-registry init` again."
        )
    if 2 * len(own) < len(TABLES):
        return f"{_FOREIGN} It has these tables: {', '.join((*own, *other)[:10])}."
    return (
        "The database has the tables of a registry, but the table alembic_version is missing or "
        "empty. Nothing was changed. Restore a backup of the database."
    )


def _of_newer(state: SchemaState) -> str:
    return (
        f"The database was upgraded by newer software (revision {state.revision}; this software: "
        f"{state.expected}). Nothing was changed. Run the newer software, or restore the backups "
        "of the database and the data folder from before the upgrade."
    )


def _of_older(state: SchemaState) -> str:
    stands = f" (revision {state.revision}; this software: {state.expected})"
    return (
        f"The database isn't set up for this software{stands if state.revision else ''}. "
        "Run `urn-registry init` first."
    )


def close_connections() -> None:
    """Close every connection, before a process forks."""
    db.session.remove()  # it may have one, which would stay open
    db.engine.dispose()


_TRUSTED_FOR = 5.0  # seconds until a process checks it again
_SETTING = "URN_REGISTRY_SECRET_KEY"
_ELSEWHERE = (
    f"{_SETTING} is set on the other hosts of this registry, but not on this one. Set it to the "
    "same value here."
)
_OTHER = (
    f"{_SETTING} differs from the secret of this registry's other hosts. Set the same value on all "
    "hosts, or on none. To change the secret, run `urn-registry secret change` with the new value."
)


class SecretMismatch(DatabaseNotReady):
    """This host has another secret than the registry. The message says what to do."""


class SharedSecret:
    """The secret on one host.

    ``given`` is the setting. ``older`` is the file of older software, which is imported if the
    database has no secret, and otherwise ignored.
    """

    def __init__(self, given: str, older: Path, now: Callable[[], datetime]) -> None:
        self._given, self._older, self._now = given, older, now
        self._known, self._until = "", 0.0
        self._turn = threading.Lock()

    def agree(self) -> str:
        """Return the secret of all hosts. The first host stores it.

        Raises SecretMismatch if this host has another one, DatabaseUnreachable without the
        database.
        """
        with refuse_unreachable():
            kept = installation_secret.kept_secret()
            if kept is None:
                first = self._given or self._of_file() or secrets.token_hex(32)
                with transaction():
                    installation_secret.keep_first(
                        _kept(first, is_setting=bool(self._given)), self._now()
                    )
                kept = installation_secret.kept_secret()
        if kept is None:
            raise DatabaseNotReady("The database has no secret. Run `urn-registry init` first.")
        return self._of(kept)

    def check(self) -> None:
        """Raise the errors of ``agree``, without storing anything."""
        with refuse_unreachable():
            kept = installation_secret.kept_secret()
        if kept is not None:
            self._of(kept)

    def current(self) -> str:
        """Return the current secret. A change on another host takes effect within seconds.

        Raises SecretMismatch if this host has another secret than the registry. Without the
        database, the last known secret stays valid.
        """
        with self._turn:
            if time.monotonic() >= self._until:
                self._known = self._asked()
                self._until = time.monotonic() + _TRUSTED_FOR
            return self._known

    def _asked(self) -> str:
        try:
            kept = installation_secret.kept_secret()
        except DatabaseAway:
            if not (self._known or self._given):
                raise
            return self._known or self._given
        if kept is None:
            return self._given or self.agree()
        return self._of(kept)

    def _of(self, kept: StoredSecret) -> str:
        if not self._given:
            if not kept.value:
                raise SecretMismatch(_ELSEWHERE)
            return kept.value
        if not hmac.compare_digest(_fingerprint(self._given), kept.fingerprint):
            raise SecretMismatch(_OTHER)
        return self._given

    def find_leftover(self) -> str:
        """Return a note on the file of older software, or ""."""
        found = self._of_file()
        if not found:
            return ""
        kept = installation_secret.kept_secret()
        is_other = kept is not None and kept.fingerprint != _fingerprint(found)
        ends = " Sessions and links signed with it are no longer valid." if is_other else ""
        return (
            f"{self._older} is no longer used: all hosts share one secret.{ends} Remove the file "
            "when no older version runs here."
        )

    def _of_file(self) -> str:
        try:
            return self._older.read_text(encoding="ascii")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeError) as error:
            raise DatabaseNotReady(
                f"{self._older}, the secret of an older version, can't be read: {error}. Fix its "
                "permissions, or remove it to create a new secret."
            ) from error


def change_secret(given: str, at: datetime) -> int:
    """Change the secret to the setting, or to a new one stored in the database.

    Ends all sessions and mailed links. Access links not sent yet get the new secret. Returns the
    number of open access links.
    """
    new = given or secrets.token_hex(32)
    with transaction():
        installation_secret.replace_secret(_kept(new, is_setting=bool(given)), at)
        installation_secret.end_what_was_signed(at)
        claims = delegate_rows.open_links()
        for claim in claims:
            delegate_rows.void_link(claim, delegate_mail.token_of_claim(claim.number, new))
        return len(claims)


def _kept(secret: str, *, is_setting: bool) -> StoredSecret:
    return StoredSecret("" if is_setting else secret, _fingerprint(secret))


def _fingerprint(secret: str) -> str:
    return hmac.new(secret.encode(), b"fingerprint of the secret", "sha256").hexdigest()
