"""The command line: thin, and quick to start: what lies above the pure rooms is imported late."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import bundled
from app.commands.mail import add_mail
from app.config import BadSetting, Settings, read_settings
from app.identifiers.nid import NidIndex, NidKind
from app.identifiers.reports import compare_report, nid_report, normal_form_report, urn_report
from app.identifiers.urn import InvalidURN
from app.progress import Progress
from app.registration.declarations import Format

if TYPE_CHECKING:
    from flask import Flask

DONE, FOUND, MISUSED = 0, 1, 2


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 when nothing is wrong, 1 when something is, 2 when used wrongly."""
    arguments = _parser().parse_args(argv)
    try:
        result: int = arguments.run(arguments)
    except (BadSetting, FileNotFoundError, PermissionError) as error:
        _say(str(error))
        return MISUSED
    except BrokenPipeError:  # whoever read the output has seen enough
        sys.stderr.close()
        return DONE
    return result


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _write(document: Any) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=True) + "\n")


def _items(given: Iterable[str]) -> Iterator[str]:
    for item in given:
        if item == "-":
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]  # a text stream, here
            yield from (line.removesuffix("\n") for line in sys.stdin)
        else:
            yield item


def _each(given: Iterable[str], report: Callable[[str], dict[str, Any]], key: str) -> int:
    wrong = 0
    for item in _items(given):
        document = report(item)
        wrong += not document[key]
        _write(document)
    return FOUND if wrong else DONE


def _urn_parse(arguments: argparse.Namespace) -> int:
    return _each(arguments.text, urn_report, "valid")


def _urn_normalize(arguments: argparse.Namespace) -> int:
    return _each(arguments.text, normal_form_report, "valid")


def _urn_compare(arguments: argparse.Namespace) -> int:
    try:
        report = compare_report(arguments.a, arguments.b)
    except InvalidURN as error:
        _say(f"{error.message} ({error.source})")
        return MISUSED
    _write(report)
    return DONE if report["equivalent"] else FOUND


def _nid_check(arguments: argparse.Namespace) -> int:
    registered = NidIndex(_registered(arguments.registered))
    kind = NidKind(arguments.kind)
    return _each(arguments.nid, lambda nid: nid_report(nid, kind, registered), "valid")


def _registered(file: Path | None) -> list[str]:
    if file is not None:
        return file.read_text(encoding="utf-8").split()
    facts = json.loads(bundled.read())
    return [record["name"] for records in facts["records"].values() for record in records]


def _settings(**given: Any) -> Settings:
    return read_settings(os.environ, **given)


def _app(settings: Settings) -> "Flask":
    from app.factory import create_app

    return create_app(settings)


def _init(arguments: argparse.Namespace) -> int:
    from app.serving import initialize

    plan = initialize(_settings(), empty=arguments.empty)
    _say(f"{len(plan.added)} namespaces added." if plan else "There is a registry here already.")
    return DONE


def _serve(arguments: argparse.Namespace) -> int:
    from app.serving import serve, serve_published

    if arguments.published is not None:
        return serve_published(
            arguments.published, arguments.host, arguments.port, arguments.workers
        )
    settings = _settings(**({"demo": True} if arguments.demo else {}))
    return serve(settings, arguments.host, arguments.port, arguments.workers)


def _worker(_arguments: argparse.Namespace) -> int:
    from app.serving import work

    work(_settings())
    return DONE


def _check_config(_arguments: argparse.Namespace) -> int:
    from app.factory import check_settings

    check_settings(_settings())
    _say("The settings can be used.")
    return DONE


def _registry_import(arguments: argparse.Namespace) -> int:
    from app.exports.xml_reader import UnreadableRegistry
    from app.factory import now
    from app.services.refusals import Refusal
    from app.services.registry import import_xml

    data = sys.stdin.buffer.read() if arguments.file == "-" else Path(arguments.file).read_bytes()
    settings = _settings()
    with _app(settings).app_context():
        try:
            plan = import_xml(data, now(), dry_run=arguments.dry_run, notice=settings.notice)
        except (UnreadableRegistry, Refusal) as error:
            _say(f"{arguments.file}: {error}")
            return FOUND
    would = "would be " if arguments.dry_run else ""
    _say(f"{would}added: {len(plan.added)} {' '.join(plan.added)}")
    _say(f"{would}changed: {len(plan.changed)} {' '.join(plan.changed)}")
    _say(f"{would}left alone: {len(plan.same)} the same, {len(plan.kept)} only here")
    _say(f"people {would}changed: {len(plan.people_changed)}")
    return DONE


def _registry_import_history(arguments: argparse.Namespace) -> int:
    from app.exports.xml_reader import MAX_BYTES
    from app.factory import now
    from app.services.history import import_history, read_history
    from app.services.refusals import Refusal

    paths = _files_in(arguments.folder, "*.xml")
    with _app(_settings()).app_context():
        try:
            read = Progress("files read", len(paths))
            files = ((path.name, _start_of(path, MAX_BYTES + 1)) for path in paths)
            history = read_history(files, read)
            made = import_history(history, now(), Progress("editions made", len(paths)))
        except Refusal as error:
            _say(str(error))
            return FOUND
    _say(f"editions {made.first} to {made.last}, from {made.since} to {made.until}")
    return DONE


def _registry_import_templates(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services.refusals import Refusal
    from app.services.templates import MAX_BYTES, import_templates, read_templates

    folder, settings = arguments.folder, _settings()
    paths = [path for path in _files_in(folder, "**/*") if not path.name.startswith(".")]
    files = ((str(path.relative_to(folder)), _start_of(path, MAX_BYTES + 1)) for path in paths)
    with _app(settings).app_context():
        try:
            made = import_templates(
                read_templates(files), now(), notice=settings.notice, dry_run=arguments.dry_run
            )
        except Refusal as error:
            _say(str(error))
            return FOUND
    would = "would be " if arguments.dry_run else ""
    _say(f"{would}added: {len(made.added)} {' '.join(made.added)}")
    _say(f"{would}changed: {len(made.changed)} {' '.join(made.changed)}")
    _say(f"{would}left alone: {len(made.same)} the same, {len(made.own)} written here")
    for file in made.unmatched:
        _say(f"{file}: no namespace has this name. Name the file by the NID.")
    return FOUND if made.unmatched else DONE


def _start_of(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        return file.read(most)


def _files_in(folder: Path, pattern: str) -> list[Path]:
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is no folder. Give the folder that holds the files.")
    return sorted(path for path in folder.glob(pattern) if path.is_file())


def _registry_export(arguments: argparse.Namespace) -> int:
    from app.exports.formats import FORMATS
    from app.services.refusals import NotFound
    from app.services.registry import current_snapshot, snapshot_of
    from app.serving import place_of

    settings = _settings()
    with _app(settings).app_context():
        try:
            snapshot = snapshot_of(arguments.edition) if arguments.edition else current_snapshot()
        except NotFound as error:
            _say(str(error))
            return FOUND
    files = list(FORMATS[Format(arguments.format)].files(snapshot, place_of(settings)))
    for name, content in files:
        if arguments.output is None:
            sys.stdout.buffer.write(content)
        else:
            _target(arguments.output, name, len(files)).write_bytes(content)
    return DONE


def _registry_mirror(arguments: argparse.Namespace) -> int:
    from app.exports.bundle import BadManifest, WrongBytes
    from app.services.layout import EditionStands, OlderEdition
    from app.services.mirroring import SourceFailed
    from app.serving import follow

    try:
        edition = follow(arguments.url, arguments.output, mend=arguments.mend)
    except (SourceFailed, BadManifest, WrongBytes, OlderEdition, EditionStands, OSError) as error:
        _say(f"{arguments.url}: {error}")
        return FOUND
    _say(f"{arguments.output} holds edition {edition}.")
    return DONE


def _target(output: Path, name: str, count: int) -> Path:
    """The file to write: the one that was named, or in a folder one for each table."""
    return output / name if count > 1 or output.is_dir() else output


def _procedures_draw(arguments: argparse.Namespace) -> int:
    from app.pages.mermaid import NoPlace, drawn, redrawn

    if arguments.file is None:
        sys.stdout.write(drawn())
        return DONE
    try:
        text = redrawn(arguments.file.read_text(encoding="utf-8"))
    except NoPlace as error:
        _say(f"{arguments.file}: {error}")
        return MISUSED
    arguments.file.write_text(text, encoding="utf-8")
    return DONE


def _account(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services import sign_in
    from app.services.refusals import Refusal
    from app.store.tables.accounts import Grant

    with _app(_settings()).app_context():
        try:
            if arguments.what == "add":
                sign_in.add_account(arguments.email, now(), name=arguments.name)
            elif arguments.what == "grant":
                role = Grant(arguments.role)
                sign_in.grant(arguments.email, role, now(), why=arguments.reference)
            elif not sign_in.revoke(arguments.email, Grant(arguments.role), now()):
                _say(f"{arguments.email} does not hold that role.")
                return FOUND
        except Refusal as error:
            _say(str(error))
            return FOUND
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="urn-registry", description="Runs a registry of names.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_identifiers(commands)
    _add_running(commands)
    _add_registry(commands)
    _add_procedures(commands)
    _add_accounts(commands)
    add_mail(commands)
    return parser


def _command(
    commands: Any, name: str, help_: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help_, description=help_)
    parser.set_defaults(run=run)
    return parser


def _group(commands: Any, name: str, help_: str) -> Any:
    group = commands.add_parser(name, help=help_, description=help_)
    return group.add_subparsers(required=True, metavar="COMMAND")


_ITEMS = "what to look at, or - to read standard input, one a line"


def _add_identifiers(commands: Any) -> None:
    urn = _group(commands, "urn", "parse and compare URNs (RFC 8141 sections 2 and 3)")
    parse = _command(urn, "parse", "tell the parts of URNs as JSON", _urn_parse)
    parse.add_argument("text", nargs="+", help=_ITEMS)
    normal = _command(urn, "normalize", "tell the normal form of URNs as JSON", _urn_normalize)
    normal.add_argument("text", nargs="+", help=_ITEMS)
    compare = _command(urn, "compare", "tell whether two URNs are URN-equivalent", _urn_compare)
    compare.add_argument("a")
    compare.add_argument("b")
    nid = _group(commands, "nid", "check namespace identifiers (RFC 8141 section 5)")
    check = _command(nid, "check", "tell the problems of names as JSON", _nid_check)
    check.add_argument("nid", nargs="+", help=_ITEMS)
    check.add_argument("--kind", choices=list(NidKind), default=NidKind.FORMAL)
    check.add_argument(
        "--registered", type=Path, help="a file of names instead of the bundled registry"
    )


def _add_running(commands: Any) -> None:
    init = _command(commands, "init", "make the database and load the bundled registry", _init)
    init.add_argument("--empty", action="store_true", help="with no namespaces")
    serve = _command(commands, "serve", "serve the site, with a worker beside it", _serve)
    serve.add_argument("--demo", action="store_true", help="one click signs in; loopback only")
    serve.add_argument("--host", default="127.0.0.1")
    serve.add_argument("--port", type=int, default=8000)
    serve.add_argument("--workers", type=int, default=2, help="processes that answer")
    serve.add_argument(
        "--published", type=Path, metavar="FOLDER", help="only what a bundle holds; no database"
    )
    _command(commands, "worker", "publish editions and send mail, without a site", _worker)
    _command(commands, "check-config", "say whether the settings can be used", _check_config)


def _add_registry(commands: Any) -> None:
    registry = _group(commands, "registry", "import and export the registry")
    take = _command(registry, "import", "take over a registry file of IANA's", _registry_import)
    take.add_argument("file", help="an XML file, or - for standard input")
    take.add_argument("--dry-run", action="store_true", help="only say what would change")
    history = _command(
        registry,
        "import-history",
        "make editions of IANA's files of former days, in a database made by init --empty",
        _registry_import_history,
    )
    history.add_argument("folder", type=Path, help="a folder of XML files")
    templates = _command(
        registry,
        "import-templates",
        "attach texts of templates to imported namespaces",
        _registry_import_templates,
    )
    templates.add_argument("folder", type=Path, help="a folder of texts, each named by its NID")
    templates.add_argument("--dry-run", action="store_true", help="only say what would change")
    give = _command(
        registry, "export", "write the registry in one of its formats", _registry_export
    )
    give.add_argument("--format", choices=list(Format), required=True)
    give.add_argument("--edition", type=int, help="an older edition")
    copy = _command(
        registry, "mirror", "follow another registry: copy what it publishes", _registry_mirror
    )
    copy.add_argument("url", help="where the other registry is")
    copy.add_argument("-o", "--output", type=Path, required=True, help="a folder for the copy")
    copy.add_argument("--mend", action="store_true", help="read all that lies there again")
    give.add_argument("-o", "--output", type=Path, help="a file, or a folder for several")


def _add_procedures(commands: Any) -> None:
    procedures = _group(commands, "procedures", "how a request goes (RFC 8141 section 6)")
    draw = _command(procedures, "draw", "draw the procedures as Mermaid diagrams", _procedures_draw)
    draw.add_argument("file", nargs="?", type=Path, help="a text whose marked part is made anew")


def _add_accounts(commands: Any) -> None:
    account = _group(commands, "account", "people and their roles")
    for what, help_ in (
        ("add", "make an account"),
        ("grant", "give a role"),
        ("revoke", "end a role"),
    ):
        parser = _command(account, what, help_, _account)
        parser.set_defaults(what=what)
        parser.add_argument("email")
        if what == "add":
            parser.add_argument("--name", default="")
        else:
            parser.add_argument("role", choices=["operator", "expert", "leader"])
            parser.add_argument("--reference", default="", help="the decision, for the record")


if __name__ == "__main__":
    sys.exit(main())
