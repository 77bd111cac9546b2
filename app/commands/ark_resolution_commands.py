"""The command that follows the redirects of ARKs."""

import argparse
import time
from itertools import chain, repeat
from typing import Any

from app.commands.shell import ITEMS, add_command, write_reports
from app.resolution.reference_resolution import (
    GLOBAL_RESOLVER,
    MOST_REDIRECTS,
    USUAL_REDIRECTS,
    InvalidResolverPrefix,
    ReferenceResolution,
    ResolutionMethod,
    TooFewRedirects,
    Walk,
    check_redirects,
    parse_prefix,
    resolution_report,
)

SECONDS = 60.0  # for all hops of one ARK
PAUSE = 1.0  # seconds between two ARKs, which one resolver is asked for


def add_ark_resolution(ark: Any) -> None:
    """Add ``resolve`` to the group ``ark``."""
    resolve = add_command(
        ark,
        "resolve",
        "Resolve ARKs and follow their redirects, one JSON object per line.",
        _resolve,
    )
    resolve.add_argument("text", nargs="+", help=ITEMS)
    resolve.add_argument(
        "--resolver",
        type=_prefix,
        default=GLOBAL_RESOLVER,
        metavar="PREFIX",
        help=f"address of the resolver (default: {GLOBAL_RESOLVER})",
    )
    resolve.add_argument(
        "--method",
        type=str.upper,
        choices=list(map(str, ResolutionMethod)),
        default="GET",
        help="HTTP method (default: %(default)s)",
    )
    resolve.add_argument(
        "--max-redirects",
        type=_redirects,
        default=USUAL_REDIRECTS,
        metavar="N",
        help=f"redirects to follow, 5 to {MOST_REDIRECTS} (default: {USUAL_REDIRECTS})",
    )


def _prefix(text: str) -> str:
    try:
        return parse_prefix(text)
    except InvalidResolverPrefix as error:
        raise argparse.ArgumentTypeError(f"{error} ({error.source})") from error


def _redirects(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    try:
        check_redirects(number)
    except TooFewRedirects as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return number


def hop_probe() -> Walk:
    """Return the function that requests each address, with our User-Agent."""
    from app.outside.hop_probe import HopProbe

    return HopProbe("urn-registry", seconds=SECONDS)


def _resolve(arguments: argparse.Namespace) -> int:
    walk, method = _paced(hop_probe()), ResolutionMethod(arguments.method)
    prefix, most = arguments.resolver, arguments.max_redirects
    return write_reports(
        arguments.text,
        lambda text: resolution_report(text, prefix, method, most, walk),
        "resolved",
    )


def _paced(walk: Walk) -> Walk:
    rests = chain([0.0], repeat(PAUSE))

    def paced(begun: ReferenceResolution) -> ReferenceResolution:
        time.sleep(next(rests))
        return walk(begun)

    return paced
