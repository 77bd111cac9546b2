"""What every command needs: exit codes, items in, JSON lines and words out, its help."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from app.pages.text.unseen_characters import reveal_unseen

DONE, FOUND, MISUSED = 0, 1, 2
_LONGEST_ERROR = 500  # characters of a source's error
ITEMS = "what to look at, or - to read standard input, one a line"


class UsageError(Exception):
    """A command that cannot be carried out so; the sentence says what to do."""


def write_message(text: str) -> None:
    """Write words for people to standard error; no control character reaches their terminal."""
    sys.stderr.write(f"{reveal_unseen(text)}\n")


def write_source_error(source: str, error: Exception) -> None:
    """Write in one line why a source can't be used; the error may repeat all that it sent."""
    words = " ".join(str(error).split())
    end = "..." if len(words) > _LONGEST_ERROR else ""
    write_message(f"{source}: {words[:_LONGEST_ERROR]}{end}")


def write_json(document: Any) -> None:
    """Write one JSON object and a line end to standard output, in ASCII."""
    sys.stdout.write(json.dumps(document, ensure_ascii=True) + "\n")


def input_items(given: Iterable[str]) -> Iterator[str]:
    """What to look at: each argument, or for ``-`` each line of standard input.

    A line ends as Unix or as Windows ends it; a byte order mark at the start is no part of it.
    """
    for item in given:
        if item == "-":
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape", newline="\n")  # type: ignore[union-attr]  # a text stream, here
            yield from (line.removesuffix("\n").removesuffix("\r") for line in sys.stdin)
        else:
            yield item


def write_reports(given: Iterable[str], report: Callable[[str], dict[str, Any]], key: str) -> int:
    """Write the report of each item; FOUND if one of them has nothing under the key."""
    wrong = 0
    for item in input_items(given):
        document = report(item)
        wrong += not document[key]
        write_json(document)
    return FOUND if wrong else DONE


def start_of(path: Path, most: int) -> bytes:
    """The first octets of a file, at most so many."""
    with path.open("rb") as file:
        return file.read(most)


def files_in(folder: Path, pattern: str) -> list[Path]:
    """The files in a folder; FileNotFoundError for none, and for a link that leads nowhere."""
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is no folder. Give the folder that holds the files.")
    found = sorted(folder.glob(pattern))
    for path in found:
        if path.is_symlink() and not path.exists():
            raise FileNotFoundError(f"{path} is a link that leads nowhere. Mend or remove it.")
    return [path for path in found if path.is_file()]


def add_command(
    commands: Any, name: str, help_: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    """Add a command; its own arguments are added to what comes back."""
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help_, description=help_)
    parser.set_defaults(run=run)
    return parser


def add_group(commands: Any, name: str, help_: str) -> Any:
    """Add a group; its commands are added to what comes back."""
    parser = commands.add_parser(name, help=help_, description=help_)
    return parser.add_subparsers(required=True, metavar="COMMAND")
