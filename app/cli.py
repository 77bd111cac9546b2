"""The command line. Heavy modules are imported inside the commands, so that it starts quickly."""

import argparse
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.commands.assigned_name_commands import add_assigned_names
from app.commands.host_commands import add_hosts
from app.commands.identifier_commands import add_identifiers
from app.commands.mail_commands import add_mail
from app.commands.naan_commands import add_import_naans, import_naan_states
from app.commands.profile_commands import add_profiles
from app.commands.recovery_commands import add_recovery
from app.commands.registry_database import registry_database
from app.commands.resolver_commands import add_resolvers
from app.commands.secret_commands import add_secret
from app.commands.settings_commands import add_settings
from app.commands.shell import (
    DONE,
    FOUND,
    MISUSED,
    UsageError,
    add_command,
    add_group,
    files_in,
    start_of,
    write_message,
    write_source_error,
)
from app.commands.syntax_commands import add_syntax
from app.commands.template_commands import add_templates
from app.commands.template_import_commands import add_import_templates
from app.commands.token_commands import add_tokens
from app.commands.verification_commands import add_verify
from app.commands.version import VersionAction
from app.commands.withholding_commands import add_withholding
from app.config import BadSetting, Settings, read_own_hosts, read_settings
from app.module_imports import imports
from app.progress import Progress
from app.registration.declarations.registries import DerivedFormat, Format
from app.registration.declarations.registry_groups import GROUPS, URN_GROUP
from app.registration.templates.text_encodings import UnreadableText

_NO_FILE = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)
_LONGEST_NUMBER = 10  # digits, and one more
_LONGEST_COUNT = 3  # likewise


def main(argv: list[str] | None = None) -> int:
    """Run one command. Return 0 for success, 1 if it found a problem, 2 for wrong usage."""
    arguments = _parser().parse_args(argv)
    if sys.stdin is None:  # closed by the parent process: treat it as empty
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    try:
        result: int = arguments.run(arguments)
    except (BadSetting, UsageError, UnreadableText, *_NO_FILE) as error:
        write_message(str(error))
        return MISUSED
    except BrokenPipeError:  # the reader closed the pipe, as `head` does
        sys.stderr.close()
        return DONE
    return result


def _settings(**given: Any) -> Settings:
    return read_settings(os.environ, **given)


@contextmanager
def _told() -> Iterator[None]:
    from app.services.operations.database_binding import DatabaseNotReady

    try:
        yield
    except DatabaseNotReady as error:
        raise UsageError(str(error)) from error


def _init(arguments: argparse.Namespace) -> int:
    with imports():
        from app.server import initialize
        from app.services.refusals import Refusal

    with _told():
        try:
            plan = initialize(_demo_settings(arguments), write_message, empty=arguments.empty)
        except Refusal as error:
            write_message(str(error))
            return FOUND
    write_message(
        f"Added {len(plan.added)} namespaces."
        if plan
        else "The database already has a registry. Nothing was changed."
    )
    return DONE


def _demo_settings(arguments: argparse.Namespace) -> Settings:
    return _settings(**({"demo": True} if arguments.demo else {}))


def _serve(arguments: argparse.Namespace) -> int:
    with imports():
        from app.front.processes import ListenError
        from app.server import serve_published, serve_site

    at = arguments.host, arguments.port, arguments.workers
    try:
        if arguments.published is not None:
            return serve_published(arguments.published, *at, read_own_hosts(os.environ))
        return serve_site(_demo_settings(arguments), *at)
    except ListenError as error:
        raise UsageError(str(error)) from error


def _worker(arguments: argparse.Namespace) -> int:
    with imports():
        from app.server import run_worker

    with _told():
        return run_worker(_settings(), supervised=arguments.supervised)


def _registry_import(arguments: argparse.Namespace) -> int:
    from app.exports.formats.xml_reader import UnreadableRegistry
    from app.factory import now
    from app.services.policy import PRIVATE
    from app.services.refusals import Refusal
    from app.services.registry.snapshots import import_xml

    data = sys.stdin.buffer.read() if arguments.file == "-" else Path(arguments.file).read_bytes()
    settings = _settings()
    with registry_database(settings):
        try:
            plan = import_xml(
                data,
                now(),
                dry_run=arguments.dry_run,
                notice=settings.notice,
                lists_panel=settings.authority == PRIVATE,
                allow_legacy=arguments.allow_legacy,
            )
        except (UnreadableRegistry, Refusal) as error:
            write_message(f"{arguments.file}: {error}")
            return FOUND
    would = "would be " if arguments.dry_run else ""
    write_message(f"{would}added: {len(plan.added)} {' '.join(plan.added)}")
    write_message(f"{would}changed: {len(plan.changed)} {' '.join(plan.changed)}")
    write_message(f"unchanged: {len(plan.same)} identical, {len(plan.kept)} not in the file")
    write_message(f"people {would}changed: {len(plan.people_changed)}")
    for sentence in plan.legacy:
        write_message(f"legacy name: {sentence}")
    return DONE


def _registry_import_history(arguments: argparse.Namespace) -> int:
    from app.exports.formats.xml_reader import MAX_BYTES
    from app.factory import now
    from app.services.refusals import Refusal
    from app.services.registry.history_import import import_history, read_history

    paths = files_in(arguments.folder, "*.xml")
    if not paths and (naans := files_in(arguments.folder, "*.json")):
        return import_naan_states(naans)
    with registry_database(_settings()):
        try:
            read = Progress("files read", len(paths))
            files = ((path.name, start_of(path, MAX_BYTES + 1)) for path in paths)
            history = read_history(files, read)
            done, legacy = Progress("editions made", len(paths)), arguments.allow_legacy
            made = import_history(history, now(), done, allow_legacy=legacy)
        except Refusal as error:
            write_message(str(error))
            return FOUND
    for finding in made.findings:
        write_message(finding)
    write_message(f"editions {made.first} to {made.last}, from {made.since} to {made.until}")
    return DONE


def _registry_export(arguments: argparse.Namespace) -> int:
    from app.server import place_of
    from app.services.editions.edition_build import export_files
    from app.services.refusals import NotFound

    settings = _settings()
    with registry_database(settings):
        try:
            of_group = GROUPS[arguments.group]
            files = export_files(of_group, arguments.format, arguments.edition, place_of(settings))
        except NotFound as error:
            write_message(str(error))
            return FOUND
    if arguments.output is None:
        sys.stdout.buffer.write(files[0][1])
    elif not arguments.output.is_dir():
        arguments.output.write_bytes(files[0][1])
    else:
        for name, content in files:
            (arguments.output / name).write_bytes(content)
    return DONE


def _workers(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < _LONGEST_COUNT and int(text)):
        raise argparse.ArgumentTypeError("enter a whole number from 1 to 99")
    return int(text)


def _edition(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < _LONGEST_NUMBER):
        raise argparse.ArgumentTypeError("enter the number of an edition, from 1")
    return int(text)


def _registry_mirror(arguments: argparse.Namespace) -> int:
    from app.bundles.layout import EditionConflict, OlderEditionRefused
    from app.bundles.mirror import MirrorSourceError, held_editions
    from app.exports.manifests.bundle_files import BadManifest, DigestMismatch
    from app.server import follow_registry

    try:
        change = follow_registry(arguments.url, arguments.output, mend=arguments.mend)
        held = [(group.title, edition) for group, edition in held_editions(arguments.output)]
    except (
        MirrorSourceError,
        BadManifest,
        DigestMismatch,
        OlderEditionRefused,
        EditionConflict,
        OSError,
    ) as error:
        write_source_error(arguments.url, error)
        return FOUND
    for title, edition in held:
        write_message(f"{title}: edition {edition}")
    if change is not None:
        write_message(f"Identifiers: up to change {change}")
    return DONE


def _procedures_draw(arguments: argparse.Namespace) -> int:
    from app.pages.diagrams.procedure_graph import (
        DiagramMarksMissing,
        replace_mermaid,
        write_mermaid,
    )

    if arguments.file is None:
        sys.stdout.write(write_mermaid())
        return DONE
    try:
        text = replace_mermaid(arguments.file.read_text(encoding="utf-8"))
    except DiagramMarksMissing as error:
        write_message(f"{arguments.file}: {error}")
        return MISUSED
    except UnicodeDecodeError:
        write_message(f"{arguments.file}: The file isn't UTF-8 text. Save it as UTF-8.")
        return MISUSED
    arguments.file.write_text(text, encoding="utf-8")
    return DONE


def _account(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services.accounts import sign_in
    from app.services.refusals import Refusal
    from app.store.tables.accounts import Grant

    with registry_database(_settings()):
        try:
            if arguments.what == "add":
                sign_in.add_account(arguments.email, now(), name=arguments.name)
            elif arguments.what == "grant":
                role = Grant(arguments.role)
                sign_in.grant(arguments.email, role, now(), why=arguments.reference)
            elif not sign_in.revoke(arguments.email, Grant(arguments.role), now()):
                write_message(f"{arguments.email} doesn't have the role {arguments.role}.")
                return FOUND
        except Refusal as error:
            write_message(str(error))
            return FOUND
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="urn-registry", description="Run a registry of URN namespaces and ARK NAANs."
    )
    parser.add_argument("--version", action=VersionAction, help="show the version and exit")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_identifiers(commands)
    add_templates(commands)
    add_syntax(commands)
    _add_running(commands)
    add_settings(commands)
    _add_registry(commands)
    add_assigned_names(commands)
    add_resolvers(commands)
    add_recovery(commands)
    add_hosts(commands)
    _add_procedures(commands)
    _add_accounts(commands)
    add_mail(commands)
    add_tokens(commands)
    add_secret(commands)
    return parser


def _add_running(commands: Any) -> None:
    init = add_command(
        commands, "init", "Create or upgrade the database and load the bundled registry.", _init
    )
    init.add_argument("--empty", action="store_true", help="start without namespaces")
    init.add_argument("--demo", action="store_true", help="add sample requests and identifiers")
    serve = add_command(commands, "serve", "Serve the site and run a worker.", _serve)
    serve.add_argument(
        "--demo",
        action="store_true",
        help="demo mode: sign in with one click; only on this computer",
    )
    serve.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: %(default)s)"
    )
    serve.add_argument(
        "--port", type=int, default=8000, help="port to listen on (default: %(default)s)"
    )
    serve.add_argument(
        "--workers", type=_workers, default=2,
        help="number of processes, 1 to 99 (default: %(default)s)",
    )  # fmt: skip
    serve.add_argument(
        "--published", type=Path, metavar="FOLDER",
        help="serve only the published files in this folder, without a database",
    )  # fmt: skip
    worker = add_command(
        commands, "worker", "Publish editions and send mail, without serving the site.", _worker
    )
    worker.add_argument(
        "--supervised", action="store_true", help="stop when standard input closes; used by `serve`"
    )


def _add_registry(commands: Any) -> None:
    registry = add_group(commands, "registry", "Import, export, verify and mirror the registry.")
    take = add_command(
        registry, "import", "Import IANA's registry of URN namespaces.", _registry_import
    )
    take.add_argument("file", help="XML file, or - for standard input")
    take.add_argument("--dry-run", action="store_true", help="show the changes and save nothing")
    history = add_command(
        registry,
        "import-history",
        "Import past states of the registry, one edition for each file.",
        _registry_import_history,
    )
    history.add_argument(
        "folder", type=Path, help="folder of IANA's XML files or of NAAN files in JSON"
    )
    for parser in (take, history):
        parser.add_argument("--allow-legacy", action="store_true", help="also import legacy NIDs")
    add_import_naans(registry)
    add_import_templates(registry)
    add_profiles(registry)
    add_withholding(registry)
    give = add_command(registry, "export", "Export the registry in one format.", _registry_export)
    choices = [*map(str, Format), "atom", *map(str, DerivedFormat)]
    give.add_argument("--format", choices=choices, required=True, help="output format")
    give.add_argument(
        "--edition", type=_edition, help="number of the edition (default: the newest)"
    )
    give.add_argument(
        "--group",
        choices=[*GROUPS],
        default=URN_GROUP.id,
        help="group of registries (default: %(default)s)",
    )
    copy = add_command(
        registry,
        "mirror",
        "Copy the published files of another registry, and update the copy.",
        _registry_mirror,
    )
    copy.add_argument("url", help="address of the other registry")
    copy.add_argument("-o", "--output", type=Path, required=True, help="folder for the copy")
    copy.add_argument(
        "--mend", action="store_true", help="check all files in the folder and repair damaged ones"
    )
    give.add_argument(
        "-o",
        "--output",
        type=Path,
        help="file, or folder to include the tables (default: standard output)",
    )
    add_verify(registry)


def _add_procedures(commands: Any) -> None:
    procedures = add_group(
        commands, "procedures", "Draw the registration procedures (RFC 8141 section 6)."
    )
    draw = add_command(
        procedures, "draw", "Draw the procedures as Mermaid diagrams.", _procedures_draw
    )
    draw.add_argument(
        "file",
        nargs="?",
        type=Path,
        help="Markdown file whose diagrams are replaced (default: standard output)",
    )


def _add_accounts(commands: Any) -> None:
    account = add_group(commands, "account", "Manage accounts and their roles.")
    for what, help_ in (
        ("add", "Create an account."),
        ("grant", "Give a role to an account."),
        ("revoke", "Remove a role from an account."),
    ):
        parser = add_command(account, what, help_, _account)
        parser.set_defaults(what=what)
        parser.add_argument("email", help="e-mail address of the account")
        if what == "add":
            parser.add_argument("--name", default="", help="name of the person")
        else:
            parser.add_argument("role", choices=["operator", "expert", "leader"], help="role")
            parser.add_argument(
                "--reference", default="", help="reference of the decision, kept in the event log"
            )


if __name__ == "__main__":
    sys.exit(main())
