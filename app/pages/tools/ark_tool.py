"""What the tool for ARKs shows of each text: parts, forms, whose it is, and which are the same."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from app.identifiers.ark import ARK, RESOLVER
from app.identifiers.ark_checks import ArkReport, CheckCharacterScope, check_ark, find_check_scope
from app.identifiers.corrections import unwrap_identifier
from app.pages.diagrams.qr_code import QrCode, draw_qr_code
from app.pages.text.identifier_parts import ARK_LABELS, IdentifierPart, pieces_of_ark
from app.pages.tools.ark_registry_view import ArkRegistryView, registry_view_of
from app.resolution.ark_documents import judge_ark
from app.resolution.ark_rules import NaanSnapshot

MOST = 200  # ARKs at once
_GUESSED = "Shoulder, by the first-digit convention"
_LONGEST_CODE = 300  # characters of an address that a code is drawn of


@dataclass(frozen=True, slots=True, kw_only=True)
class ArkToolRow:
    """One text: what it is as an ARK, and what one does with it.

    ``same_as`` is the number of the first of the texts that names the same thing; ``decoded``
    is the normal form as people read it, where it differs from ASCII.
    """

    number: int
    text: str
    report: ArkReport
    pieces: tuple[IdentifierPart, ...]
    implied: tuple[tuple[str, str], ...]
    checked: CheckCharacterScope | None
    decoded: str
    url: str
    display: str
    code: QrCode | None
    same_as: int | None
    registry: ArkRegistryView

    @property
    def labelled(self) -> tuple[tuple[str, IdentifierPart], ...]:
        """The parts that have a name."""
        named = (piece for piece in self.pieces if piece.kind in ARK_LABELS)
        return tuple((ARK_LABELS[piece.kind], piece) for piece in named)


def describe_arks(
    texts: Sequence[str],
    snapshot: NaanSnapshot,
    own_hosts: Collection[str] = (),
    resolver_of: Callable[[ARK], str] = lambda _ark: RESOLVER,
) -> tuple[ArkToolRow, ...]:
    """What each of these texts is; those beyond ``MOST`` are not looked at. Raises nothing.

    ``own_hosts`` are the names of the site that is asked; ``resolver_of`` gives the resolver with
    which an ARK is cited, as an address that ends with a slash.
    """
    first: dict[str, int] = {}
    found = []
    for number, text in enumerate(texts[:MOST], 1):
        inner = unwrap_identifier(text)
        read = inner if inner in text else text  # what is encoded is shown as a fault
        judged = judge_ark(read, snapshot, own_hosts)
        report = check_ark(read, has_check=judged.has_check)
        form = report.ark.normal_form if report.ark else ""
        same_as = first.setdefault(form, number) if form else number
        view = registry_view_of(judged, snapshot.day)
        again = same_as if same_as != number else None
        cited = report.ark.cite(resolver_of(report.ark)) if report.ark else ("", "")
        found.append(_looked(number, text, report, view, again, cited))
    return tuple(found)


def _looked(
    number: int,
    text: str,
    report: ArkReport,
    registry: ArkRegistryView,
    same_as: int | None,
    cited: tuple[str, str],
) -> ArkToolRow:
    ark, (url, display) = report.ark, cited
    return ArkToolRow(
        number=number,
        text=text,
        report=report,
        pieces=pieces_of_ark(ark) if ark else (),
        implied=_implied(ark, registry) if ark else (),
        checked=find_check_scope(ark) if ark else None,
        decoded=_decoded(ark.normal_form) if ark else "",
        url=url,
        display=display,
        code=draw_qr_code(url) if 0 < len(url) <= _LONGEST_CODE else None,
        same_as=same_as,
        registry=registry,
    )


def _implied(ark: ARK, registry: ArkRegistryView) -> tuple[tuple[str, str], ...]:
    """What it says besides its parts; a shoulder is guessed only where none is on file."""
    is_known = any(one.is_shoulder for one in registry.holders)
    guessed = "" if is_known else ark.shoulder or ""
    pairs = ((_GUESSED, guessed), ("Inside", ", ".join(ark.containers)))
    return tuple((label, text) for label, text in pairs if text)


def _decoded(form: str) -> str:
    """The form with its characters of other scripts; empty where there are none."""
    try:
        read = unquote(form, errors="strict")
    except UnicodeDecodeError:
        return ""
    return read if not read.isascii() else ""
