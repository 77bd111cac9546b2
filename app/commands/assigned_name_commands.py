"""Commands that mint, change, import and export identifiers under a prefix."""

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
from app.pages.text.markdown import reveal_unseen
from app.progress import Progress

if TYPE_CHECKING:
    from app.assigned_names.assigned_name_records import NameRevision
    from app.services.assigned_names.name_import import ImportFinding, NameImportPreview

_SNIFFED, _READ_AT_ONCE, _FINDINGS = 4_096, 1 << 20, 1_000
_ONCE_MORE = "This file was imported before. To import it again, add --again."
_TAKEN_BEFORE = f"{_ONCE_MORE} Nothing was imported now. Results of the first import:"
_DESCRIBED = ("who", "what", "when", "where")


def add_assigned_names(commands: Any) -> None:
    """Add the group ``names``."""
    names = add_group(commands, "names", "Mint and change identifiers under a prefix.")
    add_prefixes(names)
    mint = add_command(names, "mint", "Mint new identifiers under a prefix, one per line.", _mint)
    mint.add_argument("prefix", help="prefix, such as ark:12345/x5")
    mint.add_argument(
        "--count",
        type=int,
        default=1,
        metavar="N",
        help="number of identifiers, 1 to 10,000 (default: 1)",
    )
    mint.add_argument(
        "--key", default="", help="key of this call: a repeated key returns the same identifiers"
    )
    mint.add_argument(
        "--reserve",
        action="store_true",
        help="reserve them: the public sees only that they exist",
    )
    add_by(mint)
    bind = add_command(names, "bind", "Set the target and the description of an identifier.", _bind)
    bind.add_argument("name", help="identifier, such as ark:12345/x5abc")
    bind.add_argument(
        "--target",
        metavar="URL",
        help="address to redirect to; empty to use the target rule of the prefix",
    )
    for label in _DESCRIBED:
        bind.add_argument(f"--{label}", metavar="TEXT", help=f"“{label}” in its description (ERC)")
    bind.add_argument("--persistence", metavar="TEXT", help="persistence statement")
    bind.add_argument(
        "--redirect", type=int, choices=(302, 303, 307), help="HTTP status of the redirect"
    )
    add_by(bind)
    withdraw = add_command(
        names,
        "withdraw",
        "Withdraw an identifier: it shows a tombstone instead of redirecting.",
        _withdraw,
    )
    withdraw.add_argument("name", help="identifier, such as ark:12345/x5abc")
    withdraw.add_argument("--reason", required=True, metavar="TEXT", help="reason; public")
    withdraw.add_argument(
        "--successor", default="", metavar="NAME", help="identifier to use instead"
    )
    add_by(withdraw)
    _add_files(names)
    add_name_verification(names)
    add_name_resumption(names)


def _add_files(names: Any) -> None:
    take = add_command(names, "import", "Import identifiers from a file.", _import)
    take.add_argument("file", help="CSV, JSON Lines or ANVL file, or - for standard input")
    take.add_argument("--prefix", default="", help="import only identifiers under this prefix")
    take.add_argument("--dry-run", action="store_true", help="show the changes and save nothing")
    take.add_argument("--again", action="store_true", help="import a file that was imported before")
    add_by(take)
    give = add_command(names, "export", "Export assigned identifiers.", _export)
    give.add_argument("--prefix", default="", help="export only identifiers under this prefix")
    give.add_argument(
        "--format",
        choices=("csv", "jsonl", "anvl"),
        default="csv",
        help="output format (default: %(default)s)",
    )
    give.add_argument("-o", "--output", type=Path, help="output file (default: standard output)")
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
    from app.assigned_names.assigned_name_records import AssignedNameRecord, NameRevision

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
    from app.assigned_names.assigned_name_records import NameRevision, withdrawal
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
    from app.services.assigned_names.minting import find_alike

    for sentence in find_alike(names):
        write_message(reveal_unseen(sentence))


def _import(arguments: argparse.Namespace) -> int:
    def take(settings: Settings, secret: str) -> int:
        from app.assigned_names.name_formats import format_of
        from app.services.assigned_names import name_import, prefix_rights
        from app.services.assigned_names.name_import import look_through

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
            write_message(
                f"Only the first {name_import.MOST_KEPT:,} of {made.found:,} findings are stored."
            )
        write_message(
            f"rows: {made.rows:,}, imported: {made.taken:,}, unchanged: {made.same:,}, "
            f"refused: {made.refused:,}"
        )
        return FOUND if made.refused else DONE

    return carried_out(take)


def _previewed(seen: "NameImportPreview") -> int:
    from app.services.assigned_names.name_import import FIRST_FINDINGS

    _write_findings(seen.findings)
    if len(seen.findings) == FIRST_FINDINGS:
        write_message(f"Only the first {FIRST_FINDINGS} findings are shown.")
    for change in seen.changes:
        for one in change.differences:
            now, was = one.after or "none", one.before or "none"
            text = f"line {change.line}: {change.name}: {one.label}: {now} (before: {was})"
            write_message(reveal_unseen(text))
        if change.more:
            write_message(f"line {change.line}: {change.name}: {change.more} more changes")
    if seen.changed > len(seen.changes):
        write_message(f"Only the first {len(seen.changes)} of {seen.changed:,} changes are shown.")
    write_message(
        f"rows: {seen.rows:,}, would be new: {seen.new:,}, would change: {seen.changed:,} "
        f"(withdrawn permanently: {seen.withdrawn:,}), unchanged: {seen.same:,}, "
        f"would be refused: {seen.refused:,}"
    )
    if seen.before:
        write_message(_ONCE_MORE)
    return FOUND if seen.refused else DONE


def _write_findings(found: "Iterable[ImportFinding]") -> None:
    for one in found:
        kind = "refused" if one.is_refusal else "warning"
        write_message(reveal_unseen(f"line {one.line}: {kind}: {one.code}: {one.message}"))


def _holder_for(prefix: str) -> int:
    from app.factory import now
    from app.services.assigned_names.prefix_lists import first_holder_of_prefix

    if not prefix:
        raise UsageError(
            "The owner of the identifiers is missing. Add --as EMAIL or --prefix PREFIX."
        )
    return first_holder_of_prefix(prefix, now())[1]


@contextmanager
def _opened_twice(file: str) -> Iterator[IO[bytes]]:
    if file != "-":
        with Path(file).open("rb") as opened:
            yield opened
        return
    with TemporaryFile() as kept:
        shutil.copyfileobj(sys.stdin.buffer, kept)
        kept.seek(0)
        yield kept


def _digest_of(file: IO[bytes], prefix: str) -> tuple[str, int]:
    from app.services.assigned_names.name_import import begun_digest

    digest, lines = begun_digest(prefix), 0
    while some := file.read(_READ_AT_ONCE):
        digest.update(some)
        lines += some.count(b"\n")
    file.seek(0)
    return digest.hexdigest(), lines


def _export(arguments: argparse.Namespace) -> int:
    def give(settings: Settings, secret: str) -> int:
        from app.assigned_names.name_formats import NAME_FORMATS
        from app.factory import now
        from app.services.assigned_names.name_feed import export_names
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
