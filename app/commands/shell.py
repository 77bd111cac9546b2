"""Shared by all commands: exit codes, input items, output as JSON Lines or text, help."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from app.pages.text.markdown import reveal_unseen

DONE, FOUND, MISUSED = 0, 1, 2
_LONGEST_ERROR = 500  # characters of an error
ITEMS = "text to read, or - for standard input, one per line"


class UsageError(Exception):
    """A command can't run as it was called. The message says what to do."""


def write_message(text: str) -> None:
    """Write a line for people to standard error, with control characters escaped."""
    sys.stderr.write(f"{reveal_unseen(text)}\n")


def write_source_error(source: str, error: Exception) -> None:
    """Write the error of a source in one line, shortened."""
    words = " ".join(str(error).split())
    end = "..." if len(words) > _LONGEST_ERROR else ""
    write_message(f"{source}: {words[:_LONGEST_ERROR]}{end}")


def write_json(document: Any) -> None:
    """Write one JSON object and a line end to standard output, in ASCII."""
    sys.stdout.write(json.dumps(document, ensure_ascii=True) + "\n")


def input_items(given: Iterable[str]) -> Iterator[str]:
    """Yield each argument, or for ``-`` each line of standard input."""
    for item in given:
        if item == "-":
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape", newline="\n")  # type: ignore[union-attr]  # a text stream, here
            yield from (line.removesuffix("\n").removesuffix("\r") for line in sys.stdin)
        else:
            yield item


def write_reports(given: Iterable[str], report: Callable[[str], dict[str, Any]], key: str) -> int:
    """Write a report of each item. Return FOUND if the key is false in one of them."""
    wrong = 0
    for item in input_items(given):
        document = report(item)
        wrong += not document[key]
        write_json(document)
    return FOUND if wrong else DONE


def start_of(path: Path, most: int) -> bytes:
    """Return up to ``most`` bytes from the start of a file."""
    with path.open("rb") as file:
        return file.read(most)


def files_in(folder: Path, pattern: str) -> list[Path]:
    """List the files in a folder. Raises FileNotFoundError for no folder or a broken link."""
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} isn't a folder. Enter the folder of the files.")
    found = sorted(folder.glob(pattern))
    for path in found:
        if path.is_symlink() and not path.exists():
            raise FileNotFoundError(f"{path} is a broken link. Fix or remove it.")
    return [path for path in found if path.is_file()]


def add_command(
    commands: Any, name: str, help_: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help_, description=help_)
    parser.set_defaults(run=run)
    return parser


def add_group(commands: Any, name: str, help_: str) -> Any:
    """Add a group of commands and return its subparsers."""
    parser = commands.add_parser(name, help=help_, description=help_)
    return parser.add_subparsers(required=True, metavar="COMMAND")
