"""The secret that signs sessions and links: one for all hosts of a registry.

It is a setting of every host, or the database keeps it. It is never shown, exported or logged.
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

_TRUSTED_FOR = 5.0  # seconds until a process asks again whether it is the same still
_SETTING = "URN_REGISTRY_SECRET_KEY"
_ELSEWHERE = (
    f"The other hosts of this registry have their secret from {_SETTING}, and this one has none. "
    "Set the same there."
)
_OTHER = (
    f"{_SETTING} is not the secret of this registry's other hosts, so that sessions and links of "
    "one would be worth nothing on another. Set the same on all of them, or none where the "
    "database keeps it. To change it on purpose, run `urn-registry secret change` with the new one."
)


class SecretMismatch(DatabaseNotReady):
    """This host has another secret than the registry; the sentence says what to do."""


class SharedSecret:
    """The secret as one host knows it.

    ``given`` is the setting. ``older`` is the file that older software kept one in, for each host
    its own: it is taken over where the database has none, and counts no more.
    """

    def __init__(self, given: str, older: Path, now: Callable[[], datetime]) -> None:
        self._given, self._older, self._now = given, older, now
        self._known, self._until = "", 0.0
        self._turn = threading.Lock()

    def agree(self) -> str:
        """The secret of all hosts, kept from now on if this is the first of them.

        Raises SecretMismatch where this host has another one, DatabaseUnreachable without the
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
            raise DatabaseNotReady("The database keeps no secret. Run `urn-registry init` first.")
        return self._of(kept)

    def check(self) -> None:
        """Raise what ``agree`` does, and keep nothing."""
        with refuse_unreachable():
            kept = installation_secret.kept_secret()
        if kept is not None:
            self._of(kept)

    def current(self) -> str:
        """The secret for what is signed now. Who changed it on another host is soon followed.

        Raises SecretMismatch as soon as this host has another one than the registry. A database
        that is away changes nothing for whoever knows the secret.
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
        """What to know of the file of older software; empty where there is none."""
        found = self._of_file()
        if not found:
            return ""
        kept = installation_secret.kept_secret()
        is_other = kept is not None and kept.fingerprint != _fingerprint(found)
        ends = " Sessions and links that this host alone signed have ended." if is_other else ""
        return (
            f"{self._older} counts no more: all hosts have one secret now.{ends} Remove the file "
            "once no older software runs here."
        )

    def _of_file(self) -> str:
        try:
            return self._older.read_text(encoding="ascii")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeError) as error:
            raise DatabaseNotReady(
                f"{self._older} cannot be read as the secret that older software kept: {error}. "
                "Let whoever runs the registry read it, or remove it: then a new one is made."
            ) from error


def change_secret(given: str, at: datetime) -> int:
    """Change the secret: to the setting, or without one to a new one that the database keeps.

    Sessions end, and links that were sent sign nobody in any more. Links to act for a registrant
    that have not been sent yet are sent with the new secret. Gives how many of these had been
    asked for and lead nowhere unless they are still to be sent.
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
    """What tells one secret from another; whoever reads it learns nothing of a long one."""
    return hmac.new(secret.encode(), b"fingerprint of the secret", "sha256").hexdigest()
