"""Commands that read, check and write templates as text. They need no database."""

import argparse
import sys
from pathlib import Path
from typing import Any

from app.commands.bundled_rules import add_registry_choice, taken_nids
from app.commands.shell import (
    DONE,
    FOUND,
    MISUSED,
    add_command,
    add_group,
    write_json,
    write_message,
)
from app.identifiers.errors import NidKind
from app.identifiers.nid import NidIndex
from app.outside.template_study import study_text
from app.pages.text.markdown import reveal_unseen
from app.registration.templates.template_lint import LintFinding, lint
from app.registration.templates.template_reports import (
    UnreadableFields,
    fields_in,
    lint_report,
    report_title,
    template_report,
)
from app.registration.templates.template_writer import format_template
from app.registration.templates.text_encodings import (
    MAX_BYTES,
    DecodedText,
    UnreadableText,
    decode_text,
)

_FILE = "file, or - for standard input"


def add_templates(commands: Any) -> None:
    """Add the group ``template``."""
    template = add_group(
        commands, "template", "Read, check and write registration templates (RFC 8141 appendix A)."
    )
    read = add_command(template, "read", "Convert the text of a template to JSON.", _read)
    read.add_argument("file", help=_FILE)
    check = add_command(
        template,
        "lint",
        "Check templates and write one finding per line: `FILE:LINE: text (source)`. "
        "For a `should:` finding the approver must give a reason. A `note:` needs no action.",
        _lint,
    )
    check.add_argument("file", nargs="+", help=_FILE)
    check.add_argument(
        "--kind",
        choices=list(map(str, NidKind)),
        help="kind of namespace (default: detected from the NID)",
    )
    check.add_argument(
        "--revision", action="store_true", help="check as a revision of a registered namespace"
    )
    check.add_argument("--json", action="store_true", help="write one JSON object per line")
    add_registry_choice(check)
    again = add_command(template, "write", "Convert JSON to the text of a template.", _write)
    again.add_argument("file", help=f"JSON {_FILE}, as written by `template read`")


def _bytes_of(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with Path(file).open("rb") as opened:
        return opened.read(MAX_BYTES + 1)


def _decoded(file: str) -> DecodedText | None:
    try:
        return decode_text(_bytes_of(file))
    except UnreadableText as error:
        write_message(reveal_unseen(f"{_shown(file)}: {error}"))
        return None


def _shown(file: str) -> str:
    return ascii(file)[1:-1] if not file.isprintable() else file


def _read(arguments: argparse.Namespace) -> int:
    try:
        decoded = _decoded(arguments.file)
    except OSError as error:
        return _misused(error)
    if decoded is None:
        return FOUND
    report = template_report(decoded)
    write_json(report)
    return FOUND if report["problems"] or report["unplaced"] else DONE


def _misused(error: OSError) -> int:
    write_message(reveal_unseen(f"{_shown(str(error.filename))}: {error.strerror}"))
    return MISUSED


def _lint(arguments: argparse.Namespace) -> int:
    try:
        names = taken_nids(arguments)
        found = [_lint_one(file, arguments, names) for file in arguments.file]
    except OSError as error:
        return _misused(error)
    return FOUND if any(found) else DONE


def _lint_one(file: str, arguments: argparse.Namespace, names: NidIndex) -> bool:
    decoded = _decoded(file)
    if decoded is None:
        return True
    kind = NidKind(arguments.kind) if arguments.kind else None
    found = lint(decoded, names, kind=kind, is_revision=arguments.revision, study=study_text)
    for one in found:
        if arguments.json:
            write_json(lint_report(file, one))
        else:
            sys.stdout.buffer.write(_line(file, one).encode())
    return any(one.is_problem for one in found)


def _line(file: str, found: LintFinding) -> str:
    note = "" if found.is_problem else f"{found.severity}: "
    words = " ".join(found.message.split())
    return reveal_unseen(f"{_shown(file)}:{found.line}: {note}{words} ({found.source})") + "\n"


def _write(arguments: argparse.Namespace) -> int:
    try:
        decoded = _decoded(arguments.file)
    except OSError as error:
        return _misused(error)
    if decoded is None:
        return FOUND
    try:
        fields, title = fields_in(decoded.text), report_title(decoded.text)
    except UnreadableFields as error:
        write_message(reveal_unseen(f"{_shown(arguments.file)}: {error}"))
        return FOUND
    sys.stdout.buffer.write(format_template(fields, title=title).encode())
    return DONE
