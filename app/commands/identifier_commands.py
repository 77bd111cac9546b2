"""Commands about identifiers. They need no database."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.commands.ark_resolution_commands import add_ark_resolution
from app.commands.bundled_rules import (
    add_registry_choice,
    naans_as_shipped,
    rules_by,
    taken_nids,
)
from app.commands.shell import (
    DONE,
    FOUND,
    ITEMS,
    MISUSED,
    add_command,
    add_group,
    input_items,
    write_json,
    write_message,
    write_reports,
)
from app.identifiers.ark import ArkProfile
from app.identifiers.ark_checks import (
    ark_compare_report,
    ark_normal_form_report,
    ark_report,
    noid_report,
)
from app.identifiers.errors import InvalidIdentifier, NidKind, spell_text
from app.identifiers.noid import BETANUMERIC, InvalidMask, Mask
from app.identifiers.urn import find_urns
from app.identifiers.urn_reports import compare_report, nid_report, normal_form_report, urn_report
from app.pages.tools.urn_tool import NearNames
from app.progress import count_items
from app.resolution.ark_documents import check_arks
from app.resolution.judgement import judge_text
from app.resolution.outcome_documents import check_urns, found_report


def add_identifiers(commands: Any) -> None:
    """Add the groups ``urn``, ``nid``, ``ark`` and ``noid``."""
    _add_urn(
        add_group(commands, "urn", "Parse, check and compare URNs (RFC 8141 sections 2 and 3).")
    )
    _add_nid(add_group(commands, "nid", "Check namespace identifiers (RFC 8141 section 5)."))
    _add_ark(
        add_group(commands, "ark", "Parse, check, compare and resolve ARKs (The ARK URI scheme).")
    )
    _add_noid(add_group(commands, "noid", "Mint and check opaque identifiers (Noid)."))


def _add_urn(urn: Any) -> None:
    parse = add_command(urn, "parse", "Show the parts of URNs as JSON.", _urn_parse)
    parse.add_argument("text", nargs="+", help=ITEMS)
    normal = add_command(urn, "normalize", "Show the normal form of URNs as JSON.", _urn_normalize)
    normal.add_argument("text", nargs="+", help=ITEMS)
    compare = add_command(urn, "compare", "Check whether two URNs are equivalent.", _urn_compare)
    _add_two(compare)
    check = add_command(urn, "check", "Check a list of URNs and find duplicates.", _urn_check)
    check.add_argument("text", nargs="+", help=ITEMS)
    add_registry_choice(check)
    find = add_command(urn, "find", "Find the URNs in a text, with line and column.", _urn_find)
    find.add_argument("text", nargs="+", help="text to search, or - for standard input")
    add_registry_choice(find)


def _add_nid(nid: Any) -> None:
    check = add_command(nid, "check", "Show the problems of NIDs as JSON.", _nid_check)
    check.add_argument("nid", nargs="+", help=ITEMS)
    check.add_argument(
        "--kind",
        choices=list(map(str, NidKind)),
        default=NidKind.FORMAL,
        help="kind of namespace (default: %(default)s)",
    )
    add_registry_choice(check)


def _add_ark(ark: Any) -> None:
    parse = add_command(ark, "parse", "Show the parts of ARKs as JSON.", _ark_parse)
    parse.add_argument("text", nargs="+", help=ITEMS)
    normal = add_command(ark, "normalize", "Show the normal form of ARKs as JSON.", _ark_normalize)
    normal.add_argument("text", nargs="+", help=ITEMS)
    _add_profile(normal)
    compare = add_command(ark, "compare", "Check whether two ARKs are equivalent.", _ark_compare)
    _add_two(compare)
    _add_profile(compare)
    check = add_command(
        ark, "check", "Check a list of ARKs: syntax, NAAN holder and target.", _ark_check
    )
    check.add_argument("text", nargs="+", help=ITEMS)
    check.add_argument(
        "--registered", type=Path, help="JSON file of NAANs to use instead of the bundled ones"
    )
    check.add_argument(
        "--check-character",
        action="store_true",
        help="check the last character as a check character in every ARK",
    )
    add_ark_resolution(ark)


def _add_noid(noid: Any) -> None:
    mint = add_command(noid, "mint", "Mint identifiers from a template, in its order.", _noid_mint)
    mint.add_argument("template", help="prefix and mask, such as f5.reedeedk")
    mint.add_argument("--naan", type=_naan, default="", help="NAAN to write before each identifier")
    mint.add_argument(
        "--count", type=_number, default=1, metavar="N", help="number of identifiers (default: 1)"
    )
    mint.add_argument(
        "--start",
        type=_number,
        default=0,
        metavar="N",
        help="number of the first identifier (default: 0)",
    )
    mint.add_argument(
        "--seed", default="", help="any text; selects another order for masks that begin with r"
    )
    check = add_command(noid, "check", "Check the check characters of Noids.", _noid_check)
    check.add_argument("text", nargs="+", help=ITEMS)


def _add_two(compare: argparse.ArgumentParser) -> None:
    compare.add_argument("a", help="first identifier")
    compare.add_argument("b", help="second identifier")


def _add_profile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile",
        choices=list(map(str, ArkProfile)),
        default=ArkProfile.SCHEME,
        help="rules: The ARK URI scheme, or Kunze's specification (default: %(default)s)",
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{spell_text(text)} isn't a whole number from 0")
    return int(text)


def _naan(text: str) -> str:
    if not set(text) <= set(BETANUMERIC):
        raise argparse.ArgumentTypeError(
            f"{spell_text(text)} isn't a NAAN: use only digits and consonants"
        )
    return text


def _urn_parse(arguments: argparse.Namespace) -> int:
    return write_reports(arguments.text, urn_report, "valid")


def _urn_normalize(arguments: argparse.Namespace) -> int:
    return write_reports(arguments.text, normal_form_report, "valid")


def _urn_compare(arguments: argparse.Namespace) -> int:
    return _compare(lambda: compare_report(arguments.a, arguments.b))


def _urn_check(arguments: argparse.Namespace) -> int:
    book = rules_by(arguments)
    wrong, near = 0, NearNames(book)
    for checked in check_urns(count_items(input_items(arguments.text), "lines"), book):
        wrong += not checked.is_urn
        sys.stdout.write(near.line(checked))
    return FOUND if wrong else DONE


def _urn_find(arguments: argparse.Namespace) -> int:
    book = rules_by(arguments)
    wrong = 0
    for number, line in enumerate(count_items(input_items(arguments.text), "lines"), 1):
        for found in find_urns(line):
            judgement = judge_text(found.text + found.rest, book)
            wrong += not judgement.is_name
            write_json({"line": number, "column": found.position + 1, **found_report(judgement)})
    return FOUND if wrong else DONE


def _compare(report: Callable[[], dict[str, object]]) -> int:
    try:
        found = report()
    except InvalidIdentifier as error:
        write_message(f"{error.message} ({error.source})")
        return MISUSED
    write_json(found)
    return DONE if found["equivalent"] else FOUND


def _nid_check(arguments: argparse.Namespace) -> int:
    registered = taken_nids(arguments)
    kind = NidKind(arguments.kind)
    return write_reports(arguments.nid, lambda nid: nid_report(nid, kind, registered), "valid")


def _ark_parse(arguments: argparse.Namespace) -> int:
    return write_reports(arguments.text, ark_report, "valid")


def _ark_normalize(arguments: argparse.Namespace) -> int:
    profile = ArkProfile(arguments.profile)
    return write_reports(
        arguments.text, lambda text: ark_normal_form_report(text, profile), "valid"
    )


def _ark_compare(arguments: argparse.Namespace) -> int:
    profile = ArkProfile(arguments.profile)
    return _compare(lambda: ark_compare_report(arguments.a, arguments.b, profile))


def _ark_check(arguments: argparse.Namespace) -> int:
    snapshot = naans_as_shipped(arguments.registered)
    wrong = 0
    texts, has_check = count_items(input_items(arguments.text), "lines"), arguments.check_character
    for document in check_arks(texts, snapshot, has_check=has_check):
        wrong += not (document["valid"] and document["registered"])
        write_json(document)
    return FOUND if wrong else DONE


def _noid_mint(arguments: argparse.Namespace) -> int:
    try:
        mask = Mask(arguments.template, arguments.seed)
    except InvalidMask as error:
        write_message(str(error))
        return MISUSED
    for number in range(arguments.start, arguments.start + arguments.count):
        name = mask.nth(number, arguments.naan)
        if name is None:
            write_message(f"{arguments.template} has only {mask.total} identifiers.")
            return FOUND
        # By hand, at twice the speed: nothing in a Noid is escaped in JSON.
        sys.stdout.write(f'{{"number": {number}, "noid": "{name}"}}\n')
    return DONE


def _noid_check(arguments: argparse.Namespace) -> int:
    return write_reports(arguments.text, noid_report, "valid")
