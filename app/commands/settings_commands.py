"""The command that says whether the settings can be used, and tries what they lead to."""

import argparse
import os
from collections.abc import Callable
from typing import Any

from app.commands.shell import DONE, FOUND, add_command, write_message
from app.config import Settings, read_settings

_PATIENCE = 10  # seconds that a mail server has for each answer


def add_settings(commands: Any) -> None:
    """Add the command ``check-config``."""
    check = add_command(commands, "check-config", "say whether the settings can be used", _check)
    check.add_argument(
        "--connect", action="store_true", help="try the database and the mail server too"
    )


def _check(arguments: argparse.Namespace) -> int:
    from app.factory import check_settings

    settings = read_settings(os.environ)
    check_settings(settings)
    for advice in _advice(settings):
        write_message(advice)
    write_message("The settings can be used.")
    if not arguments.connect:
        return DONE
    tried = [_try(settings) for _try in (_try_database, _try_mail)]
    return DONE if all(tried) else FOUND


def _advice(settings: Settings) -> list[str]:
    said = []
    if settings.base_url.startswith("https:") and not settings.trusted_proxies:
        said.append(
            "A server that speaks TLS stands in front. Name it in URN_REGISTRY_TRUSTED_PROXIES: "
            "else all visitors are one to the limits of who asks for links to sign in."
        )
    if settings.smtp_url and settings.mail_from.endswith("@localhost"):
        said.append(
            "Other servers take no mail from registry@localhost. Set URN_REGISTRY_MAIL_FROM."
        )
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
            return "No mail server is set: links to sign in are printed on the console."
        smtp.check(settings.smtp_url, patience=_PATIENCE)
        return "The mail server lets the registry in. `urn-registry mail send` tries a message."

    return _told(found, OSError, prefix="The mail server cannot be used: ")


def _told(found: Callable[[], str], refused: type[Exception], prefix: str = "") -> bool:
    try:
        write_message(found())
    except refused as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        write_message(f"{prefix}{why}")
        return False
    return True
