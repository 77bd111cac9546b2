"""The command that imports templates, as texts or from RFCs, for registered namespaces."""

import argparse
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.registry_database import registry_database
from app.commands.shell import DONE, FOUND, add_command, files_in, start_of, write_message
from app.config import read_settings
from app.pages.text.markdown import reveal_unseen
from app.registration.templates.text_encodings import MAX_BYTES as MOST_OF_RFC

if TYPE_CHECKING:
    from app.services.registry.template_files import RfcTemplate, TemplateImport


def add_import_templates(registry: Any) -> None:
    """Add the command to the group ``registry``."""
    templates = add_command(
        registry,
        "import-templates",
        "Import templates, from text files or RFCs, for registered namespaces.",
        _import_templates,
    )
    templates.add_argument(
        "folder",
        type=Path,
        help="folder of texts named by NID and RFCs named rfcNNNN.txt or rfcNNNN.txt.gz",
    )
    templates.add_argument(
        "--dry-run", action="store_true", help="show the changes and save nothing"
    )
    templates.add_argument(
        "--force", action="store_true", help="also import texts that contain another NID or none"
    )


def _import_templates(arguments: argparse.Namespace) -> int:
    from app.factory import now
    from app.services.refusals import Refusal
    from app.services.registry.template_files import (
        MAX_BYTES,
        import_templates,
        read_rfcs,
        read_templates,
        rfcs_referred_to,
    )

    folder, settings = arguments.folder, read_settings(os.environ)
    paths = [path for path in files_in(folder, "**/*") if not path.name.startswith(".")]
    with registry_database(settings):
        cited = rfcs_referred_to()
        texts, rfcs, others = _sorted_out(paths, cited)
        try:
            made = import_templates(
                read_templates(_read(folder, texts, MAX_BYTES)) if texts or not rfcs else {},
                now(),
                notice=settings.notice,
                rfcs=read_rfcs(_read(folder, rfcs, MOST_OF_RFC), cited),
                dry_run=arguments.dry_run,
                force=arguments.force,
            )
        except Refusal as error:
            write_message(reveal_unseen(str(error)))
            return FOUND
    # the findings are the result of a dry run, so write them to standard output
    tell = print if arguments.dry_run else write_message
    _tell_found(made, tell, is_dry=arguments.dry_run)
    if others:
        tell(f"skipped: {len(others)} RFCs and compressed files that no record refers to")
    return FOUND if made.unmatched or made.refused else DONE


def _sorted_out(
    paths: Iterable[Path], cited: Mapping[int, object]
) -> tuple[list[Path], list[Path], list[Path]]:
    from app.services.registry.template_files import rfc_number

    texts, rfcs, others = list[Path](), list[Path](), list[Path]()
    for path in paths:
        number = rfc_number(path.name)
        if number is None:
            (others if path.suffix == ".gz" else texts).append(path)
        else:
            (rfcs if number in cited else others).append(path)
    return texts, rfcs, others


def _read(folder: Path, paths: Iterable[Path], most: int) -> Iterator[tuple[str, bytes]]:
    return ((str(path.relative_to(folder)), start_of(path, most + 1)) for path in paths)


def _tell_found(made: "TemplateImport", tell: Callable[[str], None], *, is_dry: bool) -> None:
    for name, found in sorted(made.found.items()) if is_dry else ():
        _tell_cut(name, found, tell)
    would = "would be " if is_dry else ""
    tell(f"{would}added: {len(made.added)} {' '.join(made.added)}")
    tell(f"{would}changed: {len(made.changed)} {' '.join(made.changed)}")
    tell(f"unchanged: {len(made.same)} identical, {len(made.own)} written in this registry")
    for name in made.filed:
        tell(f"{name}: The RFC was skipped: the namespace has a template as text.")
    for file in made.unmatched:
        tell(reveal_unseen(f"{file}: No namespace has this NID. Rename the file to the NID."))
    for refused in made.refused:
        tell(reveal_unseen(f"{refused}{_FORCED if refused in made.doubtful else ' Skipped.'}"))


_FORCED = " Skipped. To import it for the NID in the file name, add --force."


def _tell_cut(name: str, found: "RfcTemplate", tell: Callable[[str], None]) -> None:
    one = found.registration
    tell(reveal_unseen(f"{name}: {found.file}: {one.place}, lines {one.line} to {one.last_line}"))
    tell(reveal_unseen(f"  {len(one.sections)} sections: {'; '.join(one.sections)}"))
    for doubt in one.doubts:
        tell(reveal_unseen(f"  uncertain: {doubt}"))
