"""The command that checks whether resolvers answer."""

import argparse
import os
import time
from typing import Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, UsageError, add_command, add_group, write_message
from app.config import read_settings


def add_resolvers(commands: Any) -> None:
    """Add the group ``resolvers``."""
    resolvers = add_group(
        commands, "resolvers", "Check the resolvers of namespaces, NAANs and shoulders."
    )
    check = add_command(
        resolvers, "check", "Check that resolvers answer, with an example identifier each.", _check
    )
    check.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="namespace, NAAN or shoulder, such as isbn, ark:12345 or ark:12345/x5 (default: all)",
    )


def _check(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.server import service_probe
    from app.services.names.known_services import ProbePacing, check_now
    from app.services.refusals import Refusal

    settings = read_settings(os.environ)
    if settings.demo:
        raise UsageError(
            "Demo mode sends no requests to other servers. Run the command without demo mode."
        )
    manners, silent, asked = ProbePacing(time.monotonic, _rest), 0, 0
    with registry_database(settings, shares_secret=False):
        try:
            probe, own = service_probe(settings), settings.site_hosts
            for one in check_now(now(), probe, manners, arguments.names, own):
                asked += one.answer is not None
                silent += one.answer is not None and not one.answer.answers
                write_message(_told(one))
        except Refusal as error:
            write_message(str(error))
            return FOUND
    write_message(
        f"checked: {asked}, without an answer: {silent}" if asked else "No resolver was checked."
    )
    return FOUND if silent else DONE


def _rest(seconds: float) -> bool:
    time.sleep(seconds)
    return True


def _told(one: Any) -> str:
    from app.services.names.known_services import name_told

    service, answer = one
    named = f"{name_told(service.namespace).whole} {service.kind}"
    if answer is None:
        return f"{named} {service.target}: not checked: no example of the namespace applies"
    status = f" ({answer.status})" if answer.status else ""
    return f"{named} {service.url}: {answer.words}{status}"
