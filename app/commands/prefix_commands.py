"""Commands that add, list, show, change and close prefixes."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from app.commands.shell import DONE, UsageError, add_command, add_group, write_json, write_message
from app.commands.use_case_commands import (
    add_by,
    carried_out,
    command_of,
    only_operator_account,
)
from app.config import Settings
from app.pages.text.markdown import reveal_unseen

if TYPE_CHECKING:
    from app.assigned_names.assigned_name_records import AssignedNameState
    from app.services.assigned_names.prefix_lists import HeldPrefix, HeldPrefixDetail
    from app.services.use_cases import Command

# The options for the rules of a prefix: field, metavar and help.
_RULES = {
    "label": ("label", "TEXT", "label, such as the name of a collection"),
    "holder-name": ("holder_name", "TEXT", "name of the owner; public"),
    "mask": ("numbering", "MASK", "mask for minted identifiers, such as reedeedk"),
    "pattern": ("pattern", "REGEX", "pattern of the text after the prefix, such as [0-9]{4}"),
    "target-rule": (
        *("target_rule", "URL"),
        "target of identifiers without their own, such as https://example.org/${suffix}",
    ),
    "policy": ("policy", "TEXT", "assignment policy; public"),
    "persistence": ("persistence", "TEXT", "persistence statement; public"),
}
_PREFIX = "prefix, such as ark:12345/x5 or urn:example:part:"


def add_prefixes(names: Any) -> None:
    """Add the group ``prefix`` to the group ``names``."""
    group = add_group(names, "prefix", "Manage the prefixes of identifiers.")
    add = add_command(group, "add", "Add a prefix and its owner.", _add)
    add.add_argument("prefix", help=_PREFIX)
    add.add_argument("--holder", required=True, metavar="EMAIL", help="e-mail address of the owner")
    _add_rules(add)
    add_by(
        add,
        "e-mail address of an operator or an owner of the parent prefix (default: the operator)",
    )
    people = add_command(
        group, "delegate", "Let another person mint under a prefix, or end that.", _delegate
    )
    people.add_argument("prefix", help=_PREFIX)
    people.add_argument("email", help="e-mail address of a person with an account")
    people.add_argument(
        "--until", type=_day, metavar="DAY", help="last day of access, as YYYY-MM-DD"
    )
    people.add_argument(
        "--holder", action="store_true", help="make them an owner of the prefix too"
    )
    people.add_argument("--end", action="store_true", help="end their access")
    add_by(people)
    list_ = add_command(group, "list", "List all prefixes, one per line.", _list)
    add_by(list_, "e-mail address of a person, to list only their prefixes")
    _add_json(list_)
    show = add_command(
        group, "show", "Show a prefix: its rules, people and number of identifiers.", _show
    )
    show.add_argument("prefix", help=_PREFIX)
    add_by(show)
    _add_json(show)
    change = add_command(
        group, "change", "Change rules of a prefix. Rules without an option stay the same.", _change
    )
    change.add_argument("prefix", help=_PREFIX)
    _add_rules(change)
    add_by(change)
    end = add_command(group, "end", "Close a prefix to new identifiers permanently.", _end)
    end.add_argument("prefix", help=_PREFIX)
    end.add_argument(
        "--reason", required=True, metavar="TEXT", help="reason; shown to its people and operators"
    )
    end.add_argument("--dry-run", action="store_true", help="show the effects and save nothing")
    add_by(end)


def _add_rules(parser: argparse.ArgumentParser) -> None:
    for option, (field, metavar, help_) in _RULES.items():
        parser.add_argument(f"--{option}", dest=field, metavar=metavar, help=help_)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="write one JSON object per line")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            "enter a date as YYYY-MM-DD, such as 2027-06-30"
        ) from error


def _rules_told(arguments: argparse.Namespace) -> dict[str, str]:
    told = {field: getattr(arguments, field) for field, *_ in _RULES.values()}
    return {field: text for field, text in told.items() if text is not None}


def _add(arguments: argparse.Namespace) -> int:
    def add(settings: Settings, secret: str) -> int:
        from app.services.assigned_names.prefixes import PrefixRules, add_prefix, has_account

        is_known = has_account(arguments.holder)
        made = add_prefix(
            command_of(settings, secret, arguments.by, only_operator_account),
            arguments.prefix,
            arguments.holder,
            PrefixRules(**_rules_told(arguments)),
        )
        write_message(f"Added {made}, owned by {arguments.holder}.")
        if not is_known:
            write_message("No account has this address yet. Check that it is correct.")
        return DONE

    return carried_out(add)


def _with_prefix(arguments: argparse.Namespace, work: "Callable[[int, Command], int]") -> int:
    def found(settings: Settings, secret: str) -> int:
        from app.factory import now
        from app.services.assigned_names.prefix_lists import first_holder_of_prefix

        ident, holder = first_holder_of_prefix(arguments.prefix, now())
        return work(ident, command_of(settings, secret, arguments.by, lambda: holder))

    return carried_out(found)


def _delegate(arguments: argparse.Namespace) -> int:
    def delegate(ident: int, by: "Command") -> int:
        from app.assigned_names.name_prefixes import PrefixRole
        from app.services.assigned_names import prefix_lists, prefixes

        closed = prefix_lists.prefix_detail(ident, by.actor, by.at).closed
        may = f"{arguments.email} can {'change' if closed else 'mint'} identifiers"
        if arguments.end:
            account = prefixes.delegate_account(ident, arguments.email, by.actor, by.at)
            prefixes.end_delegate(by, ident, account)
            write_message(f"{arguments.email} no longer has access to {arguments.prefix}.")
            return DONE
        role = PrefixRole.HOLDER if arguments.holder else PrefixRole.DELEGATE
        prefixes.add_delegate(by, ident, arguments.email, arguments.until, role)
        until = f" until {arguments.until}" if arguments.until else ""
        write_message(f"{may} under {arguments.prefix}{until}. {closed}".strip())
        return DONE

    return _with_prefix(arguments, delegate)


def _change(arguments: argparse.Namespace) -> int:
    told = _rules_told(arguments)
    if not told:
        options = ", ".join(f"--{option}" for option in _RULES)
        raise UsageError(f"No change was given. Use one of: {options}.")

    def change(ident: int, by: "Command") -> int:
        from app.services.assigned_names import prefix_lists, prefixes

        detail = prefix_lists.prefix_detail(ident, by.actor, by.at)
        rules = replace(detail.rules, **told)
        if rules == detail.rules:
            write_message(f"No change: {detail.held.text} already has these values.")
            return DONE
        prefixes.change_prefix(replace(by, seen=detail.version), ident, rules)
        write_message(f"Changed {detail.held.text}.")
        return DONE

    return _with_prefix(arguments, change)


def _end(arguments: argparse.Namespace) -> int:
    def end(ident: int, by: "Command") -> int:
        from app.services.assigned_names import prefix_lists, prefixes

        prefixes.look_at_end(ident, by.actor, by.at, arguments.reason)
        detail = prefix_lists.prefix_detail(ident, by.actor, by.at)
        if arguments.dry_run:
            write_message(f"Would permanently close {detail.held.text} to new identifiers.")
        else:
            prefixes.end_prefix(by, ident, arguments.reason)
            write_message(f"Permanently closed {detail.held.text} to new identifiers.")
        write_message(f"Identifiers that stay: {_counted(detail.held.counts)}")
        for one in detail.within:
            write_message(f"Not affected: {one.text}")
        return DONE

    return _with_prefix(arguments, end)


def _list(arguments: argparse.Namespace) -> int:
    def list_(settings: Settings, secret: str) -> int:
        from app.services.assigned_names.prefix_lists import prefixes_of

        if not arguments.by:
            rows = _all_prefixes()
        else:
            by = command_of(settings, secret, arguments.by, only_operator_account)
            rows = ((held, {"role": held.role.value}) for held in prefixes_of(by.actor, by.at))
        for held, told in rows:
            document = _document_of(held) | told
            if arguments.json:
                write_json(document)
            else:
                _write_line(_line_of(document))
        return DONE

    return carried_out(list_)


def _all_prefixes() -> "Iterator[tuple[HeldPrefix, dict[str, Any]]]":
    from app.factory import now
    from app.services.assigned_names.prefix_lists import all_prefixes

    page = all_prefixes(now())
    while True:
        for one in page.prefixes:
            yield one.held, {"holders": list(one.holders)}
        if not page.after:
            return
        page = all_prefixes(now(), page.after)


def _document_of(held: "HeldPrefix") -> dict[str, Any]:
    return {
        "prefix": held.text,
        "label": held.label,
        "holder_name": held.holder_name,
        "names": {state.value: count for state, count in held.counts.items()},
        "ended": f"{held.ends:%Y-%m-%d}" if held.ends else None,
    }


def _line_of(document: Mapping[str, Any]) -> str:
    states = (f"{count:,} {state}" for state, count in document["names"].items() if count)
    told = [
        ", ".join(states) or "no identifiers",
        document["label"],
        f"public owner name: {document['holder_name']}" if document["holder_name"] else "",
        f"role: {document['role']}" if "role" in document else "",
        f"owner: {', '.join(document['holders'])}" if document.get("holders") else "",
        f"closed on {document['ended']}" if document["ended"] else "",
    ]
    return f"{document['prefix']}: {'; '.join(filter(None, told))}"


def _show(arguments: argparse.Namespace) -> int:
    def show(ident: int, by: "Command") -> int:
        from app.services.assigned_names.prefix_lists import prefix_detail

        detail = prefix_detail(ident, by.actor, by.at)
        if arguments.json:
            write_json(_whole_document_of(detail))
        else:
            for label, text in _facts_of(detail):
                _write_line(f"{label}: {text}")
        return DONE

    return _with_prefix(arguments, show)


def _whole_document_of(detail: "HeldPrefixDetail") -> dict[str, Any]:
    return {
        **_document_of(detail.held),
        **{option.replace("-", "_"): text for option, text in _rules_of(detail)},
        "closed": detail.closed,
        "why": detail.ended_for,
        "next": list(detail.following),
        "within": [one.text for one in detail.within],
        "people": [
            {
                "name": one.shown,
                "role": one.role.value,
                "since": f"{one.starts:%Y-%m-%d}",
                "until": f"{one.ends:%Y-%m-%d}" if one.ends else None,
            }
            for one in detail.people
        ],
    }


def _rules_of(detail: "HeldPrefixDetail") -> Iterator[tuple[str, str]]:
    return ((option, getattr(detail.rules, field)) for option, (field, *_) in _RULES.items())


def _facts_of(detail: "HeldPrefixDetail") -> Iterator[tuple[str, str]]:
    yield "prefix", detail.held.text
    if detail.closed:
        yield "closed", detail.closed
    if detail.ended_for:
        yield "reason", " ".join(detail.ended_for.split())
    yield "identifiers", _counted(detail.held.counts)
    for option, text in _rules_of(detail):
        if text:
            yield option.replace("-", " "), " ".join(text.split())
    if detail.following and not detail.closed:
        yield "next", ", ".join(detail.following)
    for one in detail.people:
        until = f", until {one.ends:%Y-%m-%d}" if one.ends else ""
        yield one.role.value, f"{one.shown}, since {one.starts:%Y-%m-%d}{until}"
    for delegated in detail.within:
        yield "prefix within it", delegated.text


def _counted(counts: "Mapping[AssignedNameState, int]") -> str:
    return ", ".join(f"{count:,} {state}" for state, count in counts.items() if count) or "none"


def _write_line(text: str) -> None:
    sys.stdout.write(f"{reveal_unseen(text)}\n")
