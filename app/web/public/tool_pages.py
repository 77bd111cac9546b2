"""The tools, for everybody and without an account."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from app.config import LARGEST_BODY
from app.exports.serialization.csv_text import csv_line
from app.identifiers.nid import fold_nid, nid_typed
from app.identifiers.urn import NID_LONGEST, UrnOccurrence, find_urns
from app.pages.tools import urn_tool
from app.pages.tools.urn_tool import COLUMNS, NearNames
from app.registration.templates.text_encodings import UnreadableText, decode_text
from app.resolution.outcome_documents import CheckedURN, check_urns
from app.services.accounts.rate_limits import work_turn
from app.services.names import availability
from app.services.names.rule_book import rule_book
from app.services.refusals import CapacityExhausted
from app.web.middleware.problem_responses import answer_busy, answer_form
from app.web.middleware.request_guard import keeps_nothing, takes_files
from app.web.public.search_targets import name_of_namespace

Wrong = list[tuple[str, str]]

bp = Blueprint("tools", __name__, url_prefix="/tools")

URNS = (
    "urn:isbn:0451450523",
    "URN:Example:a%2fb?+s=1?=page=2#top",
    "urn:example:a b",
)
NAMES = ("quokka", "isbn", "uk-mail")
_BOUND = (
    f"The limit is {urn_tool.MOST:,} URNs or {urn_tool.MOST_CHARACTERS:,} characters at once. "
    "Split a longer list, or check it with the command `urn-registry urn check -`."
)
_BLOCK = 64 * 1024
LARGEST_FILE = 8_000_000  # octets of an answer, or so many times what was sent
_MOST_TIMES = 20
_MOST_GUESSED = 200  # names of a file that nobody registered


@bp.get("/")
def index() -> ResponseReturnValue:
    """The tools, and what each of them tells."""
    return render_template("tools/index.html")


@bp.get("/urn")
def urn() -> ResponseReturnValue:
    """What a URN is made of, and whether its namespace is registered; ``nid`` is that of a page."""
    asked, nid = request.args.get("q", ""), fold_nid(request.args.get("nid", ""))
    rules = rule_book().find(nid)
    if rules is None:
        return _urn_page(asked)
    name = name_of_namespace(asked, nid)
    if not name:
        example = f", such as `{rules.example}`" if rules.example else ""
        return _urn_form("", 422, [("q", f"Enter a URN in the namespace `{nid}`{example}.")])
    return _urn_page(name, other_than=nid)


@bp.post("/urn")
@takes_files
@keeps_nothing
def urns() -> ResponseReturnValue:
    """Take a list of URNs apart: the first rows as a page, or all of them as a file."""
    try:
        with work_turn():
            return _answer_list(_given(), request.form.get("then", ""))
    except UnreadableText as error:
        return _urn_form("", 422, [("file", str(error))])
    except CapacityExhausted as error:
        wrong = [("q", str(error))]
        return answer_busy(error, "q", lambda: _urn_html(_typed(), wrong=wrong))


def _typed() -> str:
    return request.form.get("q", "")


def _given() -> str:
    file = request.files.get("file")
    data = file.read() if file else b""
    return decode_text(data).text if data else _typed()


def _echoed(text: str) -> str:
    return text if len(text) <= LARGEST_BODY else ""


def _answer_list(text: str, then: str) -> ResponseReturnValue:
    if then not in _FILES:
        return _urn_page(text)
    texts, left = urn_tool.read_urn_list(text)
    if left:
        return _urn_form(
            _echoed(text), 422, [("q", f"The list is {left:,} lines too long. {_BOUND}")]
        )
    write, media_type = _FILES[then]
    most = max(LARGEST_FILE, _MOST_TIMES * len(text))
    book = rule_book()
    file = _file_of(write(check_urns(texts, book), NearNames(book, _MOST_GUESSED)), most)
    if file is None:
        wrong = [("q", f"The file would be larger than {most // 1_000_000} MB. {_BOUND}")]
        return _urn_form(_echoed(text), 422, wrong)
    return _download(file, media_type, f"urns.{then}")


def _urn_page(text: str, other_than: str = "") -> ResponseReturnValue:
    texts, left = urn_tool.read_urn_list(text)
    book = rule_book()
    rows, count = urn_tool.describe_urns(check_urns(texts, book))
    return _urn_html(_echoed(text), rows=rows, count=count, left=left, other_than=other_than)


def _urn_form(asked: str, status: int, wrong: Wrong) -> ResponseReturnValue:
    return answer_form(wrong, status, lambda: _urn_html(asked, wrong=wrong))


def _urn_html(asked: str, **shown: object) -> str:
    none = {"rows": (), "count": urn_tool.NONE, "left": 0, "wrong": []}
    bounds = {"most": urn_tool.SHOWN, "longest": urn_tool.LONGEST_SHOWN, "bound": _BOUND}
    return render_template("tools/urn.html", asked=asked, examples=URNS, **bounds, **(none | shown))


def _csv(checked: Iterable[CheckedURN], near: NearNames) -> Iterator[str]:
    yield csv_line(COLUMNS)
    for one in checked:
        told = dict(zip(COLUMNS, near.row(one), strict=True))
        fault = told["error"]
        told["error"] = fault["message"] if isinstance(fault, dict) else None
        yield csv_line(map(_cell, told.values()))


def _json_lines(checked: Iterable[CheckedURN], near: NearNames) -> Iterator[str]:
    return map(near.line, checked)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


_FILES: dict[str, tuple[Callable[[Iterable[CheckedURN], NearNames], Iterable[str]], str]] = {
    "csv": (_csv, "text/csv"),
    "jsonl": (_json_lines, "application/jsonl"),
}


def _file_of(pieces: Iterable[str], most: int) -> IO[bytes] | None:
    """A file, made while there is a turn and sent from the disk later: readers may be slow.

    None where it would be larger than that: names may be short, and told of at length.
    """
    file = SpooledTemporaryFile(max_size=LARGEST_BODY)  # noqa: SIM115 — closed with the answer
    for piece in pieces:
        file.write(piece.encode("utf-8", "replace"))
        if file.tell() > most:
            file.close()
            return None
    return cast(IO[bytes], file)


def _download(file: IO[bytes], media_type: str, name: str) -> Response:
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Length": str(file.tell()),
    }
    file.seek(0)
    read = iter(partial(file.read, _BLOCK), b"")
    response = Response(read, mimetype=media_type, headers=headers)
    response.call_on_close(file.close)
    return response


@bp.get("/nid")
def nid() -> ResponseReturnValue:
    """Which of some names can be asked for."""
    asked = request.args.get("q", "")
    wanted = list(dict.fromkeys(_names(asked)))
    beyond = len(wanted) - availability.MOST
    return _nid_html(asked=asked, wanted=availability.availability_of(wanted), beyond=beyond)


@bp.post("/nid")
@takes_files
@keeps_nothing
def nids_in_text() -> ResponseReturnValue:
    """Of which namespaces there are URNs in a text, and which of them are registered."""
    try:
        with work_turn():
            return _found_page(_given())
    except UnreadableText as error:
        wrong = [("file", str(error))]
        return answer_form(wrong, 422, lambda: _nid_html(wrong=wrong))
    except CapacityExhausted as error:
        wrong = [("text", str(error))]
        return answer_busy(error, "text", lambda: _nid_html(text_given=_typed(), wrong=wrong))


def _found_page(text: str) -> ResponseReturnValue:
    urns = list(islice(find_urns(text), urn_tool.MOST + 1))
    names = _by_name(urns[: urn_tool.MOST])
    return _nid_html(
        text_given=_echoed(text),
        is_read=bool(text),
        found=[(one, names[one.name]) for one in availability.availability_of(names)],
        together=urn_tool.join_urn_list(chain.from_iterable(names.values())),
        is_cut=len(urns) > urn_tool.MOST,
        beyond=len(names) - availability.MOST,
    )


def _nid_html(**shown: object) -> str:
    none = {"asked": "", "wanted": (), "text_given": "", "beyond": 0, "wrong": [], "is_read": False}
    bounds = {"longest": NID_LONGEST, "most": urn_tool.MOST, "cut": urn_tool.LONGEST_SHOWN}
    return render_template("tools/nid.html", examples=NAMES, **bounds, **(none | shown))


def _names(asked: str) -> Iterator[str]:
    return filter(None, map(nid_typed, re.split(r"[\s,;]+", asked)))


def _by_name(found: Iterable[UrnOccurrence]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for one in found:
        names.setdefault(fold_nid(one.nid), []).append(one.text)
    return names
