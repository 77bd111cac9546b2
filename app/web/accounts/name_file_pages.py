"""Files of names: they are looked through, brought in, and given out."""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from re import sub
from tempfile import SpooledTemporaryFile

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wsgi import wrap_file

from app.assigned_names.name_formats import NAME_FORMATS, NameFormat, format_of
from app.config import LARGEST_BODY
from app.exports.serialization.csv_text import csv_line
from app.problems import page_codes
from app.services.accounts.rate_limits import work_turn
from app.services.assigned_names import name_import, prefix_lists, prefix_rights
from app.services.assigned_names.name_feed import export_names
from app.services.assigned_names.name_import import (
    FIRST_CHANGES,
    FIRST_FINDINGS,
    ImportFinding,
    NameImportPreview,
    NameImportResult,
    look_through,
)
from app.services.assigned_names.name_row_judgements import ReadRow
from app.services.refusals import InvalidInput, NotFound
from app.web.actions.form_submission import (
    command_of,
    field_named,
    redirect_with_notice,
    submit_form,
)
from app.web.forms import prefix_forms as forms
from app.web.forms.request_forms import IdempotentForm
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.request_guard import takes_files
from app.web.middleware.session import given_numbers, now, required_actor

bp = Blueprint("name_files", __name__, url_prefix="/prefixes")

_LARGEST_FILE = 5 * LARGEST_BODY
MOST_ROWS, MOST_LINES = 20_000, 200_000  # of a file, for which preview takes four seconds of CPU
_MOST_CARRIED = LARGEST_BODY * 3 // 4  # characters of a form, beside which something is typed
_FINDINGS_A_PAGE, _FINDINGS_AT_ONCE = 100, 1_000
_MOST_IN_MEMORY = 1 << 20  # octets of a file that is given out
_BOUND = "Split it, or use `urn-registry names import`."
_AS_BEFORE = (
    "Nothing was imported: you imported this file before. The result of that import is "
    "shown. To import it "
    "again, choose the file and tick “Import again”."
)


# ---- bringing in


@bp.get("/import")
def import_page() -> ResponseReturnValue:
    """Where a file is brought in, and what became of earlier ones."""
    begun = {"prefix": request.args.get("prefix", "")}
    return _import_page(forms.NameFileForm(formdata=None, data=begun), 200)


def _import_page(
    form: IdempotentForm, status: int, preview: NameImportPreview | None = None, carried: str = ""
) -> ResponseReturnValue:
    actor = required_actor()
    form.reopen(0)
    form.carried.data = carried
    shown = {
        "form": form,
        "prefix": forms.ONLY_PREFIX,
        "preview": preview,
        "first_changes": FIRST_CHANGES,
        "first_findings": FIRST_FINDINGS,
        "imports": name_import.imports_of(actor),
        "formats": NAME_FORMATS.values(),
        "largest": _LARGEST_FILE // LARGEST_BODY,
        "most_rows": MOST_ROWS,
    }
    return answer_form(
        form.problems(), status, lambda: render_template("prefixes/import.html", **shown)
    )


@bp.post("/import/preview")
@takes_files
def preview() -> ResponseReturnValue:
    """What a file would change, before anything of it is kept."""
    actor, form = required_actor(), forms.NameFileForm()

    def use() -> tuple[NameImportPreview, str]:
        octets, prefix = _octets_of(form), _prefix_of(form)
        name_import.count_file(actor, now())
        with work_turn():
            rows = _rows_of(octets)
            digest = _digest_of(prefix, octets)
            made = look_through(actor, now(), digest, rows, prefix)
        return made, _carried(octets)

    return submit_form(
        form,
        use,
        done=lambda made: _import_page(form, 200, *made),
        again=lambda problem: _import_page(form, problem.status),
        field_of=field_named,
    )


@bp.post("/import")
@takes_files
def bring_in() -> ResponseReturnValue:
    """Take over the names of a file."""
    actor, form = required_actor(), forms.NameFileForm()

    def use() -> tuple[str, NameImportResult]:
        octets, prefix = _octets_of(form), _prefix_of(form)
        digest = _digest_of(prefix, octets)
        if form.again.data:
            digest = sha256(f"{digest} {form.key.data}".encode()).hexdigest()
        name_import.count_file(actor, now())
        notice = _AS_BEFORE if name_import.was_brought_in(actor, digest) else "Import finished."
        with work_turn():
            return notice, name_import.import_names(
                command_of(form), digest, _rows_of(octets), given=given_numbers(), prefix=prefix
            )

    return submit_form(
        form,
        use,
        done=lambda made: redirect_with_notice(made[0], url_for(".imported", ident=made[1].ident)),
        again=lambda problem: _import_page(form, problem.status),
        field_of=field_named,
    )


def _octets_of(form: IdempotentForm) -> bytes:
    file = request.files.get("file")
    octets = file.read(_LARGEST_FILE + 1) if file else b""
    if not octets and form.carried.data:
        octets = _uncarried(form.carried.data)
    if not octets.strip():
        raise InvalidInput(page_codes.FORM_UNFIT, "Choose a file that isn't empty.", "file")
    if len(octets) > _LARGEST_FILE:
        told = f"The file is larger than {_LARGEST_FILE // LARGEST_BODY} MB. {_BOUND}"
        raise InvalidInput(page_codes.FORM_UNFIT, told, "file")
    return octets


def _rows_of(octets: bytes) -> list[ReadRow]:
    """Read the rows of a file. Raises InvalidInput for one with too many rows or lines.

    A file is bounded by its rows too, since 5 MB hold millions of rows of a letter.
    """
    lines = octets.count(b"\n") + octets.count(b"\r")
    rows = (
        list(islice(format_of(octets).read([octets]), MOST_ROWS + 1)) if lines <= MOST_LINES else []
    )
    if lines > MOST_LINES or len(rows) > MOST_ROWS:
        bound = f"{MOST_ROWS:,} rows" if lines <= MOST_LINES else f"{MOST_LINES:,} lines"
        told = f"The file has more than {bound}. {_BOUND}"
        raise InvalidInput(page_codes.FORM_UNFIT, told, "file")
    return rows


def _prefix_of(form: IdempotentForm) -> str:
    text = (form.prefix.data or "").strip()
    return prefix_rights.read(text).text if text else ""


def _digest_of(prefix: str, octets: bytes) -> str:
    digest = name_import.begun_digest(prefix)
    digest.update(octets)
    return digest.hexdigest()


def _carried(octets: bytes) -> str:
    text = b64encode(zlib.compress(octets)).decode()
    return text if len(text) <= _MOST_CARRIED else ""


def _uncarried(text: str) -> bytes:
    try:
        return zlib.decompressobj().decompress(b64decode(text, validate=True), _LARGEST_FILE + 1)
    except (ValueError, zlib.error):
        broken = "The upload was incomplete. Choose the file again."
        raise InvalidInput(page_codes.FORM_UNFIT, broken, "file") from None


@bp.get("/imports/<number:ident>")
def imported(ident: int) -> ResponseReturnValue:
    """What came of a file, and what was found in its rows."""
    actor, after = required_actor(), request.args.get("after", "0")
    start = int(after) if after.isascii() and after.isdigit() and len(after) <= 12 else 0
    found = name_import.findings_of(actor, ident, start, _FINDINGS_A_PAGE + 1)
    return render_template(
        "prefixes/imported.html",
        result=name_import.import_of(actor, ident),
        findings=found[:_FINDINGS_A_PAGE],
        begins_after=start,
        most_kept=name_import.MOST_KEPT,
        after=found[_FINDINGS_A_PAGE - 1].ident if len(found) > _FINDINGS_A_PAGE else 0,
    )


@bp.get("/imports/<number:ident>.csv")
def findings(ident: int) -> ResponseReturnValue:
    """What was found in a file, a row for each finding."""
    name_import.import_of(required_actor(), ident)
    lines = (csv_line(row).encode() for row in _finding_rows(ident))
    return _file_of(lines, "text/csv; charset=utf-8; header=present", f"findings-{ident}.csv")


def _finding_rows(ident: int) -> Iterator[tuple[str, str, str, str]]:
    yield "line", "refused", "code", "message"
    for one in _findings(ident):
        yield str(one.line), "yes" if one.is_refusal else "no", one.code, one.message


def _findings(ident: int) -> Iterator[ImportFinding]:
    actor, after = required_actor(), 0
    while found := name_import.findings_of(actor, ident, after, _FINDINGS_AT_ONCE):
        yield from found
        after = found[-1].ident


# ---- giving out


@bp.get("/export.<suffix>")
def export_all(suffix: str) -> ResponseReturnValue:
    """All names that the reader gives."""
    required_actor()
    return _export(_format_of(suffix), None, "names")


@bp.get("/<number:ident>/export.<suffix>")
def export(ident: int, suffix: str) -> ResponseReturnValue:
    """All names under a prefix."""
    detail = prefix_lists.prefix_detail(ident, required_actor(), now())
    form = _format_of(suffix)
    return _export(form, ident, sub(r"[^a-z0-9]+", "-", detail.held.text.lower()).strip("-"))


def _format_of(suffix: str) -> NameFormat:
    found = next((one for one in NAME_FORMATS.values() if one.suffix == f".{suffix}"), None)
    if found is None:
        forms_ = ", ".join(one.suffix for one in NAME_FORMATS.values())
        raise NotFound(page_codes.ADDRESS_UNKNOWN, f"Unknown format. Use one of {forms_}.")
    return found


def _export(form: NameFormat, ident: int | None, named: str) -> ResponseReturnValue:
    made = export_names(required_actor(), now(), form, ident)
    return _file_of(made, form.media_type, f"{named}{form.suffix}")


def _file_of(octets: Iterator[bytes], media_type: str, name: str) -> ResponseReturnValue:
    made = SpooledTemporaryFile(max_size=_MOST_IN_MEMORY)  # noqa: SIM115 — sent, it is closed
    made.writelines(octets)
    made.seek(0)
    fields = {
        "Content-Type": media_type,
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    return Response(wrap_file(request.environ, made), headers=fields, direct_passthrough=True)
