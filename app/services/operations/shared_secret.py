"""The secret that signs sessions and links, shared by all hosts of a registry.

It is a setting of every host or stored in the database, and never shown, exported or logged.
"""

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from app.services.delegates import delegate_mail
from app.services.operations.database_binding import (
    DatabaseAway,
    DatabaseNotReady,
    refuse_unreachable,
)
from app.store.accounts import delegate_rows
from app.store.administration import installation_secret
from app.store.administration.installation_secret import StoredSecret
from app.store.database import transaction

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
    """Return a fingerprint that doesn't reveal the secret."""
    return hmac.new(secret.encode(), b"fingerprint of the secret", "sha256").hexdigest()
