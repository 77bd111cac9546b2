"""The tools, for everybody and without an account."""

import re
from collections.abc import Iterable, Iterator

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from app.exports.csv import csv_line
from app.identifiers.grammar import NID_LONGEST
from app.identifiers.nid import fold_nid
from app.identifiers.urn_checks import COLUMNS, CheckedURN, check_urns, checked_row, json_line
from app.identifiers.urn_finding import FoundURN, find_urns
from app.pages import ark_tool, urn_tool
from app.registration.declarations import FORMAL
from app.registration.decoding import UnreadableText, decode_text
from app.services import availability
from app.services.registry import taken_index
from app.services.spellings import declared
from app.web.intake import takes_files
from app.web.problems import answer_form

bp = Blueprint("tools", __name__, url_prefix="/tools")

ARKS = ("ark:12345/x54xz321", "ark:/12345/x5-4xz-321/s3/f8.05v.tiff", "ARK:12345/abc?info")
URNS = (
    "urn:isbn:0451450523",
    "URN:Example:a%2fb?+s=1?=page=2#top",
    "urn:example:a b",
)
NAMES = ("quokka", "isbn", "uk-mail")
_NAME_IN_URN = re.compile(r"[uU][rR][nN]:([^:\s]*)")


@bp.get("/")
def index() -> ResponseReturnValue:
    """The tools, and what each of them tells."""
    return render_template("tools/index.html")


@bp.get("/ark")
def ark() -> ResponseReturnValue:
    """What ARKs are made of, whether they are the same, and how to cite them."""
    asked = request.args.get("q", "")
    texts = [line for line in asked.split("\n") if line.strip()]
    trimmed = [text.strip() for text in texts]
    shown = {"asked": asked, "found": ark_tool.look(trimmed), "count": len(texts)}
    return render_template("tools/ark.html", examples=ARKS, most=ark_tool.MOST, **shown)


@bp.get("/urn")
def urn() -> ResponseReturnValue:
    """What a URN is made of, and whether its namespace is registered."""
    return _urn_page(request.args.get("q", ""))


@bp.post("/urn")
@takes_files
def urns() -> ResponseReturnValue:
    """The same of a list: the first rows as a page, or all of them as a file."""
    try:
        text, form = _given(), request.form.get("then")
    except UnreadableText as error:
        return _urn_page("", refusal=str(error))
    if form == "csv":
        return _download(_csv(_checked(text)), "text/csv", "urns.csv")
    if form == "jsonl":
        return _download(map(json_line, _checked(text)), "application/jsonl", "urns.jsonl")
    return _urn_page(text)


def _given() -> str:
    """The text of a file where one came, else what was typed; UnreadableText for no text."""
    file = request.files.get("file")
    data = file.read() if file else b""
    return decode_text(data).text if data else request.form.get("q", "")


def _checked(text: str) -> Iterator[CheckedURN]:
    lines = (line.strip() for line in text.split("\n"))
    texts = (line for line in lines if line)
    return check_urns(texts, taken_index(FORMAL.space), declared())


def _urn_page(text: str, refusal: str = "") -> ResponseReturnValue:
    rows, count = urn_tool.shown(_checked(text))
    shown = {"asked": text, "rows": rows, "count": count, "most": urn_tool.SHOWN}
    return _answered("tools/urn.html", refusal, examples=URNS, **shown)


def _answered(template: str, refusal: str, **shown: object) -> ResponseReturnValue:
    wrong = [("file", refusal)] if refusal else []
    status = 422 if refusal else 200
    return answer_form(wrong, status, lambda: render_template(template, wrong=wrong, **shown))


def _csv(checked: Iterable[CheckedURN]) -> Iterator[str]:
    yield csv_line(COLUMNS)
    for one in checked:
        *row, error = checked_row(one)
        yield csv_line([*map(_cell, row), one.error.message if error and one.error else ""])


def _cell(value: object) -> str:
    """A value of a table, as it is written."""
    if isinstance(value, list):
        return "; ".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _download(pieces: Iterable[str], media_type: str, name: str) -> Response:
    body = "".join(pieces).encode("utf-8", "replace")
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, mimetype=media_type, headers=disposition)


@bp.get("/nid")
def nid() -> ResponseReturnValue:
    """Which of some names can be asked for."""
    return _nid_page(request.args.get("q", ""))


@bp.post("/nid")
@takes_files
def nids_in_text() -> ResponseReturnValue:
    """Of which namespaces there are URNs in a text, and which of them are registered."""
    try:
        return _nid_page("", _given())
    except UnreadableText as error:
        return _nid_page("", refusal=str(error))


def _nid_page(asked: str, text: str = "", refusal: str = "") -> ResponseReturnValue:
    wanted = list(dict.fromkeys(_names(asked)))
    found = _by_name(find_urns(text))
    shown = {
        "asked": asked,
        "wanted": availability.availability_of(wanted),
        "text_given": text,
        "found": [(one, found[one.name]) for one in availability.availability_of(found)],
        "beyond": max(len(wanted), len(found)) - availability.MOST,
        "longest": NID_LONGEST,
    }
    return _answered("tools/nid.html", refusal, examples=NAMES, **shown)


def _names(asked: str) -> Iterator[str]:
    """Names as they were typed; of a URN its NID."""
    for item in re.split(r"[\s,;]+", asked):
        within = _NAME_IN_URN.match(item)
        name = within[1] if within else item
        if name:
            yield name


def _by_name(found: Iterable[FoundURN]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for one in found:
        names.setdefault(fold_nid(one.nid), []).append(one.text)
    return names
