"""The command that checks the grammar of a namespace."""

import argparse
import sys
from pathlib import Path
from typing import Any

from app.commands.shell import (
    DONE,
    FOUND,
    MISUSED,
    add_command,
    add_group,
    write_json,
    write_message,
)
from app.grammar.analysis.study import ExampleReport, GrammarFinding, Study, study_to
from app.outside.template_study import study_text
from app.registration.templates.text_encodings import UnreadableText, decode_text

_WORDS = {"should": "Warning.", "note": "Note."}


def add_syntax(commands: Any) -> None:
    """Add the group ``syntax``."""
    syntax = add_group(commands, "syntax", "Check the grammar of a namespace (RFC 8141, RFC 5234).")
    check = add_command(syntax, "check", "Check a grammar and list its problems by line.", _check)
    check.add_argument("file", help="text with a grammar, or - for standard input")
    check.add_argument("--nid", help="NID of the namespace (default: the NID in the text)")
    check.add_argument(
        "--start", metavar="RULE", help="start rule of the grammar (default: detected)"
    )
    check.add_argument("--json", action="store_true", help="write the full report as JSON")


def _check(arguments: argparse.Namespace) -> int:
    try:
        text = decode_text(_read(arguments.file)).text
    except (OSError, UnreadableText) as error:
        write_message(str(error))
        return MISUSED
    study = study_text(text, arguments.nid, arguments.start)
    if arguments.json:
        write_json(study_to(study))
    else:
        _tell(study)
    return FOUND if study.problems else DONE


def _read(file: str) -> bytes:
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def _tell(study: Study) -> None:
    write_message(_begun(study))
    for finding in study.findings:
        _print(_finding(finding))
    for example in study.examples:
        _print(_example(example))
    for decision in study.decisions:
        shown = f" {decision.example}" if decision.example else ""
        _print(f"{decision.question} {decision.answer_in_words}.{shown}")
    for caveat in study.caveats:
        _print(caveat)
    for generated in study.generated:
        _print(f"Generated: {generated.text}{'' if generated.is_urn else ' (not a URN)'}")
    if study.known:
        _print(f"From specifications: {', '.join(study.known)}.")
    for sentence in study.too_large:
        _print(f"Too large: {sentence}")


def _print(line: str) -> None:
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def _begun(study: Study) -> str:
    if study.is_empty:
        return "No grammar was found."
    if study.start is None:
        return f"{len(study.rules)} rules. The start rule is unknown: add --start RULE."
    return (
        f"{len(study.rules)} rules. Start rule: {study.start}. {study.start_why} "
        f"Checked as {study.judged_as}."
    )


def _finding(finding: GrammarFinding) -> str:
    word = _WORDS[finding.severity]
    return f"{finding.line}:{finding.column}: {word} {finding.sentence} [{finding.source}]"


def _example(example: ExampleReport) -> str:
    verdicts = {
        "matches": f"matches{_parts(example)}",
        "begins": "is the beginning of an identifier",
        "stops": f"doesn't match from character {example.stops_at}",
        "too large": "is too large to match",
    }
    return f"{example.line}:{example.column}: {example.text} {verdicts[example.verdict]}"


def _parts(example: ExampleReport) -> str:
    named = [f"{text} as {rule}" for rule, text in example.parts if rule]
    return f": {', '.join(named)}" if named else ""
