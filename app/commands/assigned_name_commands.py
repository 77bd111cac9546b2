"""The commands about names under a prefix: to mint them, to change them, to bring them in."""

import argparse
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from app.commands.name_resumption_commands import add_name_resumption
from app.commands.name_verification_commands import add_name_verification
from app.commands.prefix_commands import add_prefixes
from app.commands.shell import (
    DONE,
    FOUND,
    UsageError,
    add_command,
    add_group,
    write_json,
    write_message,
)
from app.commands.use_case_commands import add_by, carried_out, command_of, given_numbers
from app.config import Settings
from app.pages.text.unseen_characters import reveal_unseen
from app.progress import Progress

if TYPE_CHECKING:
    from app.assigned_names.name_revisions import NameRevision
    from app.services.assigned_names.name_import import ImportFinding
    from app.services.assigned_names.name_import_preview import NameImportPreview

_SNIFFED, _READ_AT_ONCE, _FINDINGS = 4_096, 1 << 20, 1_000
_ONCE_MORE = "This file was taken over before: it is once more only with --again."
_TAKEN_BEFORE = f"{_ONCE_MORE} Nothing is taken over now; this is what came of it then."
_DESCRIBED = ("who", "what", "when", "where")


def add_assigned_names(commands: Any) -> None:
    """Add the group ``names``."""
    names = add_group(commands, "names", "give names under a prefix, and change them")
    add_prefixes(names)
    mint = add_command(names, "mint", "give the next names of a prefix, a line each", _mint)
    mint.add_argument("prefix", help="as in ark:12345/x5")
    mint.add_argument("--count", type=int, default=1, metavar="N", help="how many, up to 10,000")
    mint.add_argument("--key", default="", help="the same key gives the same names")
    mint.add_argument(
        "--reserve",
        action="store_true",
        help="that they are is seen by all, and nothing else of them",
    )
    add_by(mint)
    bind = add_command(names, "bind", "say where a name leads and what it is", _bind)
    bind.add_argument("name", help="as in ark:12345/x5abc")
    bind.add_argument(
        "--target",
        metavar="URL",
        help="where it leads; empty: by the rule of its prefix, or nowhere",
    )
    for label in _DESCRIBED:
        bind.add_argument(f"--{label}", metavar="TEXT", help=f"the element “{label}” of its ERC")
    bind.add_argument("--persistence", metavar="TEXT", help="what is promised of it")
    bind.add_argument("--redirect", type=int, choices=(302, 303, 307), help="how it leads there")
    add_by(bind)
    withdraw = add_command(names, "withdraw", "let a name lead nowhere from now on", _withdraw)
    withdraw.add_argument("name", help="as in ark:12345/x5abc")
    withdraw.add_argument("--reason", required=True, metavar="TEXT", help="why; everybody reads it")
    withdraw.add_argument("--successor", default="", metavar="NAME", help="what to use instead")
    add_by(withdraw)
    _add_files(names)
    add_name_verification(names)
    add_name_resumption(names)


def _add_files(names: Any) -> None:
    take = add_command(names, "import", "bring in names that exist elsewhere, from a file", _import)
    take.add_argument("file", help="CSV, JSON Lines or ANVL; - for standard input")
    take.add_argument("--prefix", default="", help="only names under this one")
    take.add_argument("--dry-run", action="store_true", help="only say what would come of it")
    take.add_argument("--again", action="store_true", help="a file that was taken over before")
    add_by(take)
    give = add_command(names, "export", "write all names that somebody gave", _export)
    give.add_argument("--prefix", default="", help="those under this one alone")
    give.add_argument("--format", choices=("csv", "jsonl", "anvl"), default="csv")
    give.add_argument("-o", "--output", type=Path, help="a file; without it, standard output")
    add_by(give)


def _mint(arguments: argparse.Namespace) -> int:
    def mint(settings: Settings, secret: str) -> int:
        from app.factory import now
        from app.services.assigned_names import minting
        from app.services.assigned_names.prefix_lists import first_holder_of_prefix

        ident, holder = first_holder_of_prefix(arguments.prefix, now())
        by = command_of(settings, secret, arguments.by, lambda: holder)
        by = replace(by, key=arguments.key or by.key)
        event = minting.mint(
            by, ident, arguments.count, given=given_numbers(settings), reserved=arguments.reserve
        )
        names = minting.minted_names(event, by.actor, by.at)
        for name in names:
            write_json({"name": name})
        _tell_alike(names)
        return DONE

    return carried_out(mint)


def _bind(arguments: argparse.Namespace) -> int:
    from app.assigned_names.assigned_name_records import AssignedNameRecord
    from app.assigned_names.name_revisions import NameRevision

    told = {
        name: getattr(arguments, name)
        for name in ("target", "persistence", "redirect")
        if getattr(arguments, name) is not None
    }
    elements = tuple(
        (label, getattr(arguments, label))
        for label in _DESCRIBED
        if getattr(arguments, label) is not None
    )
    given = frozenset({*told, *(label for label, _ in elements)})

    def revision(name: str) -> NameRevision:
        record = AssignedNameRecord(name=name, elements=elements, **told)
        return NameRevision(record=record, given=given)

    return _change(arguments, revision, tell=_tell_alike)


def _withdraw(arguments: argparse.Namespace) -> int:
    from app.assigned_names.name_revisions import NameRevision, withdrawal
    from app.factory import now

    def revision(name: str) -> NameRevision:
        since = now().date().isoformat()
        return withdrawal(name, arguments.reason, since, arguments.successor)

    return _change(arguments, revision)


def _change(
    arguments: argparse.Namespace,
    revision: "Callable[[str], NameRevision]",
    *,
    tell: Callable[[Collection[str]], None] = lambda _names: None,
) -> int:
    def change(settings: Settings, secret: str) -> int:
        from app.factory import now
        from app.services.assigned_names.name_changes import change_names, read_name
        from app.services.assigned_names.prefix_lists import first_holder_of

        name = read_name(arguments.name)
        by = command_of(settings, secret, arguments.by, lambda: first_holder_of(name, now()))
        change_names(by, (revision(name),), given=given_numbers(settings))
        write_json({"name": name})
        tell([name])
        return DONE

    return carried_out(change)


def _tell_alike(names: Collection[str]) -> None:
    """Say which names look like others, beside what is written for programs."""
    from app.services.assigned_names.look_alike_names import find_alike

    for sentence in find_alike(names):
        write_message(reveal_unseen(sentence))


def _import(arguments: argparse.Namespace) -> int:
    def take(settings: Settings, secret: str) -> int:
        from app.assigned_names.name_files.name_formats import format_of
        from app.services.assigned_names import name_import, prefix_rights
        from app.services.assigned_names.name_import_preview import look_through

        prefix = prefix_rights.read(arguments.prefix).text if arguments.prefix else ""
        by = command_of(settings, secret, arguments.by, lambda: _holder_for(arguments.prefix))
        with _opened_twice(arguments.file) as file:
            digest, lines = _digest_of(file, prefix)
            if arguments.again:
                digest = sha256(f"{digest} {by.at.isoformat()}".encode()).hexdigest()
            form = format_of(file.read(_SNIFFED))
            file.seek(0)
            rows, progress = form.read(file), Progress("lines at most", lines)
            if arguments.dry_run:
                seen = look_through(by.actor, by.at, digest, rows, prefix, told=progress)
                return _previewed(seen)
            given = given_numbers(settings)
            if name_import.was_brought_in(by.actor, digest):
                write_message(_TAKEN_BEFORE)
            made = name_import.import_names(
                by, digest, rows, given=given, prefix=prefix, told=progress
            )
        after, found = 0, name_import.findings_of(by.actor, made.ident, 0, _FINDINGS)
        while found:
            _write_findings(found)
            after = found[-1].ident
            found = name_import.findings_of(by.actor, made.ident, after, _FINDINGS)
        if made.found > name_import.MOST_KEPT:
            write_message(f"{made.found:,} findings; the first {name_import.MOST_KEPT:,} are kept.")
        write_message(
            f"{made.rows:,} rows: {made.taken:,} names taken over, {made.same:,} the same"
        )
        write_message(f"refused: {made.refused:,}")
        return FOUND if made.refused else DONE

    return carried_out(take)


def _previewed(seen: "NameImportPreview") -> int:
    """Say what a file would do, first values before and after; FOUND where rows are refused."""
    from app.services.assigned_names.name_import_preview import FIRST_FINDINGS

    _write_findings(seen.findings)
    if len(seen.findings) == FIRST_FINDINGS:
        write_message("These are the first of what was found.")
    for change in seen.changes:
        for one in change.differences:
            now, was = one.after or "nothing any more", one.before or "nothing"
            said = f"line {change.line}: {change.name}: {one.label}: {now} (before: {was})"
            write_message(reveal_unseen(said))
        if change.more:
            write_message(f"line {change.line}: {change.name}: and {change.more} more")
    if seen.changed > len(seen.changes):
        write_message(f"The first {len(seen.changes)} changes of {seen.changed:,} are told.")
    write_message(
        f"{seen.rows:,} rows: {seen.new:,} names would be new, {seen.changed:,} changed, "
        f"{seen.withdrawn:,} of these withdrawn for good, {seen.same:,} the same"
    )
    write_message(f"would be refused: {seen.refused:,}")
    if seen.before:
        write_message(_ONCE_MORE)
    return FOUND if seen.refused else DONE


def _write_findings(found: "Iterable[ImportFinding]") -> None:
    for one in found:
        kind = "refused" if one.is_refusal else "look at it"
        write_message(reveal_unseen(f"line {one.line}: {kind}: {one.code}: {one.message}"))


def _holder_for(prefix: str) -> int:
    from app.factory import now
    from app.services.assigned_names.prefix_lists import first_holder_of_prefix

    if not prefix:
        raise UsageError("Say whose names they are: --as EMAIL, or --prefix for its holder.")
    return first_holder_of_prefix(prefix, now())[1]


@contextmanager
def _opened_twice(file: str) -> Iterator[IO[bytes]]:
    """A file that can be read from its beginning more than once."""
    if file != "-":
        with Path(file).open("rb") as opened:
            yield opened
        return
    with TemporaryFile() as kept:
        shutil.copyfileobj(sys.stdin.buffer, kept)
        kept.seek(0)
        yield kept


def _digest_of(file: IO[bytes], prefix: str) -> tuple[str, int]:
    """What tells a file, and what it is for, from others; and how many lines it has."""
    from app.services.assigned_names.name_import import begun_digest

    digest, lines = begun_digest(prefix), 0
    while some := file.read(_READ_AT_ONCE):
        digest.update(some)
        lines += some.count(b"\n")
    file.seek(0)
    return digest.hexdigest(), lines


def _export(arguments: argparse.Namespace) -> int:
    def give(settings: Settings, secret: str) -> int:
        from app.assigned_names.name_files.name_formats import NAME_FORMATS
        from app.factory import now
        from app.services.assigned_names.name_export import export_names
        from app.services.assigned_names.prefix_lists import first_holder_of_prefix

        by = command_of(settings, secret, arguments.by, lambda: _holder_for(arguments.prefix))
        ident = first_holder_of_prefix(arguments.prefix, now())[0] if arguments.prefix else None
        made = export_names(by.actor, by.at, NAME_FORMATS[arguments.format], ident)
        if arguments.output is None:
            sys.stdout.buffer.writelines(made)
            return DONE
        with arguments.output.open("wb") as file:
            file.writelines(made)
        return DONE

    return carried_out(give)
