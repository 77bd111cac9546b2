"""The command that checks the settings, the database and the mail server."""

import argparse
import os
from collections.abc import Callable
from typing import Any

from app.commands.shell import DONE, FOUND, add_command, write_message
from app.config import Settings, read_settings

_PATIENCE = 10  # seconds that a mail server has for each answer


def add_settings(commands: Any) -> None:
    """Add the command ``check-config``."""
    check = add_command(commands, "check-config", "Check the settings.", _check)
    check.add_argument(
        "--connect", action="store_true", help="also connect to the database and the mail server"
    )


def _check(arguments: argparse.Namespace) -> int:
    from app.factory import check_settings

    settings = read_settings(os.environ)
    check_settings(settings)
    for advice in _advice(settings):
        write_message(advice)
    write_message("The settings are valid.")
    if not arguments.connect:
        return DONE
    tried = [_try(settings) for _try in (_try_database, _try_mail)]
    return DONE if all(tried) else FOUND


def _advice(settings: Settings) -> list[str]:
    said = []
    if settings.base_url.startswith("https:") and not settings.trusted_proxies:
        said.append(
            "Set URN_REGISTRY_TRUSTED_PROXIES to the network of your TLS proxy. Otherwise all "
            "visitors share one limit on sign-in links."
        )
    if settings.smtp_url and settings.mail_from.endswith("@localhost"):
        said.append("Mail servers refuse mail from registry@localhost. Set URN_REGISTRY_MAIL_FROM.")
    return said


def _try_database(settings: Settings) -> bool:
    from app.factory import asset_dir, open_application, shared_secret
    from app.services.operations import database_binding

    def found() -> str:
        with open_application(settings):
            said = database_binding.check(asset_dir("migrations"))
            shared_secret(settings).check()
            return said

    return _told(found, database_binding.DatabaseNotReady)


def _try_mail(settings: Settings) -> bool:
    from app.outside import smtp

    def found() -> str:
        if not settings.smtp_url:
            return "No mail server is set. Sign-in links are printed on the console."
        smtp.check(settings.smtp_url, patience=_PATIENCE)
        return "The mail server accepts the connection. To send a test: `urn-registry mail send`."

    return _told(found, OSError, prefix="The mail server doesn't work: ")


def _told(found: Callable[[], str], refused: type[Exception], prefix: str = "") -> bool:
    try:
        write_message(found())
    except refused as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        write_message(f"{prefix}{why}")
        return False
    return True
