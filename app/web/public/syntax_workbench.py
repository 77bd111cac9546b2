"""The syntax workbench, for everybody and without an account."""

import json
import re
from dataclasses import dataclass, field

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.config import LARGEST_BODY
from app.grammar.analysis.study import Study
from app.identifiers.equivalence import Equivalence, InvalidEquivalence, equivalence_from
from app.identifiers.errors import spell_text
from app.identifiers.nid import nid_typed
from app.pages.tools.workbench_view import MOST_CHARACTERS, MOST_FINDINGS, lines_of, pictures_of
from app.registration.templates.text_encodings import UnreadableText, decode_text
from app.services.refusals import CapacityExhausted
from app.services.requests.syntax_studies import study_syntax
from app.web.middleware.problem_responses import answer_busy, answer_form
from app.web.middleware.request_guard import keeps_nothing, takes_files

bp = Blueprint("syntax_tool", __name__, url_prefix="/tools")

EXAMPLE = """\
The names have a year and a number:

  quoll-urn ::= "urn:quoll:" ( year "/" number | word )
  year        = 4DIGIT
  number      = 1*6DIGIT
  word        = 1*(ALPHA / " ")

Such as urn:quoll:2030/17 and urn:quoll:30/17.
"""
_NID = re.compile(r"(?:urn:)?([A-Za-z0-9][A-Za-z0-9-]{0,31}):?")
# Characters of what stands beside the grammar; the rules of the longest declaration are shorter.
LONGEST = {"nid": 100, "start": 500, "equivalence": 10_000}


@dataclass(slots=True)
class _SyntaxInput:
    text: str = ""
    nid: str = ""
    start: str = ""
    equivalence: str = ""
    declared: Equivalence = field(default_factory=Equivalence)
    wrong: list[tuple[str, str]] = field(default_factory=list)


@bp.get("/syntax")
def show() -> ResponseReturnValue:
    """The form, with an answer where the address asks for one."""
    return _page(_read(request.args))


@bp.post("/syntax")
@takes_files
@keeps_nothing
def study() -> ResponseReturnValue:
    """Study a grammar: of a file where one came, else what was typed."""
    asked = _read(request.form)
    file = request.files.get("file")
    try:
        if file and (data := file.read()):
            asked.text = decode_text(data).text
    except UnreadableText as error:
        asked.wrong.append(("file", str(error)))
    return _page(asked)


def _read(given: MultiDict[str, str]) -> _SyntaxInput:
    nid, start, rules = (given.get(name, "").strip() for name in ("nid", "start", "equivalence"))
    asked = _SyntaxInput(given.get("q", ""), nid_typed(nid), start, rules)
    if too_long := [name for name, most in LONGEST.items() if len(getattr(asked, name)) > most]:
        asked.wrong += [(name, f"Use at most {LONGEST[name]:,} characters.") for name in too_long]
        return asked
    if asked.nid and _NID.fullmatch(asked.nid) is None:
        sentence = f"{spell_text(asked.nid)} isn’t a NID. Enter a NID, such as `quoll`."
        asked.wrong.append(("nid", sentence))
    try:
        asked.declared = _declared(asked.equivalence)
    except InvalidEquivalence as error:
        asked.wrong.append(("equivalence", str(error)))
    return asked


def _declared(text: str) -> Equivalence:
    if not text:
        return Equivalence()
    try:
        return equivalence_from(json.loads(text))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InvalidEquivalence):
            raise
        raise InvalidEquivalence(
            "The equivalence rules aren’t valid JSON. Correct the JSON."
        ) from error


def _page(asked: _SyntaxInput) -> ResponseReturnValue:
    if len(asked.text) > MOST_CHARACTERS:
        sentence = (
            f"The text has {len(asked.text):,} characters. The limit is {MOST_CHARACTERS:,}. "
            "Enter only the grammar."
        )
        asked.wrong.append(("syntax", sentence))
        asked.text = asked.text if len(asked.text) <= LARGEST_BODY else ""
    found = None
    if asked.text.strip() and not asked.wrong:
        try:
            found = _studied(asked)
        except CapacityExhausted as error:
            asked.wrong.append(("syntax", str(error)))
            return answer_busy(error, "syntax", lambda: _drawn(asked, None))
    return answer_form(asked.wrong, 422 if asked.wrong else 200, lambda: _drawn(asked, found))


def _studied(asked: _SyntaxInput) -> Study:
    nid = _NID.fullmatch(asked.nid)
    return study_syntax(
        asked.text.replace("\r\n", "\n"),
        nid[1].lower() if nid else None,
        asked.start or None,
        asked.declared,
    )


def _drawn(asked: _SyntaxInput, found: Study | None) -> str:
    shown = {
        "study": found,
        "lines": lines_of(asked.text.replace("\r\n", "\n"), found) if found else [],
        "most": MOST_FINDINGS,
        "pictures": pictures_of(found) if found else (),
    }
    return render_template("tools/syntax.html", asked=asked, example=EXAMPLE, **shown)
