"""What the short fields of a template mean: the name, the version's number, the day."""

import re
from collections.abc import Mapping
from datetime import date

from app.identifiers.errors import name_odd_character, spell_text
from app.identifiers.nid import nid_typed
from app.registration.declarations.registries import FORMAL
from app.registration.templates.headings import find_heading
from app.registration.templates.template_parts import TemplateDiagnostic, TemplatePart
from app.registration.templates.template_reader import read_template

_NID = r"[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]"
_NAME = re.compile(_NID, re.ASCII)
_QUOTED = re.compile(rf"[\"'`“”‘’<]({_NID})[\"'`“”‘’>]", re.ASCII)
_AFTER = re.compile(rf"(?::|\b(?:is|be)\b)\s+({_NID})$", re.ASCII)
_BEFORE = re.compile(
    rf"(?:urn:)?({_NID}):?[\s,;(-]{{1,20}}+(?:is |has been |as )?"
    r"(?:requested|request|suggested|proposed|assigned|to be|formal|informal|(?<=\()|requested of)"
    r"\b.*",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)
_NO_NAMES = frozenset(
    {"requested", "request", "assigned", "to", "tbd", "tba", "none", "iana", "by"}
)
# The same places, for any word: what can be no name is judged by the rules for names.
_ANY = r"[^\s\"'`“”‘’<>:,;()]{1,200}"
_ANY_QUOTED = re.compile(rf"[\"'`“”‘’<](?:urn:)?({_ANY}):?[\"'`“”‘’>]", re.IGNORECASE)
_ANY_BEFORE = re.compile(_BEFORE.pattern.replace(_NID, _ANY), _BEFORE.flags & ~re.ASCII)
_ASKS_FOR_NONE = re.compile(
    r"\b(?:tb[ad]|to be|assigned|informal|requested|none|iana)\b|\burn-\W|^\W*(?:n/?a\W*)?$",
    re.ASCII | re.IGNORECASE,
)
_NUMBER = re.compile(r"v?([0-9]{1,4})(?:\.[0-9]{1,3})*\b", re.ASCII | re.IGNORECASE)
_STATED = re.compile(r"Version[^0-9\n]{0,10}([0-9]{1,4})\b", re.ASCII | re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]{{0,20}}"
_DAYS = (
    re.compile(r"(?P<y>[0-9]{4})[-/.](?P<m>[0-9]{1,2})[-/.](?P<d>[0-9]{1,2})\b", re.ASCII),
    re.compile(
        rf"(?P<d>[0-9]{{1,2}})[ .-]*(?P<m>{_MONTH})[ .,-]*(?P<y>[0-9]{{4}})\b",
        re.IGNORECASE | re.ASCII,
    ),
    re.compile(
        rf"(?P<m>{_MONTH})[ .]*(?P<d>[0-9]{{1,2}})[ ,.]*(?P<y>[0-9]{{4}})\b",
        re.IGNORECASE | re.ASCII,
    ),
)


def find_nid(text: str) -> str | None:
    """The name that a template asks for, in the words of its first field; None where none is told.

    ``"dev" requested`` gives ``dev``, ``ISBN Requested of IANA.`` gives ``ISBN``. Whether the
    name may be registered is not asked.

    Source: RFC 8141 appendix A.
    """
    words = " ".join(text.split()).strip().rstrip(".")
    whole = nid_typed(words).rstrip(":")
    if _NAME.fullmatch(whole):
        return whole if whole.lower() not in _NO_NAMES else None
    found = (_AFTER.search(words), _QUOTED.search(words), _BEFORE.fullmatch(words))
    names = (match[1] for match in found if match)
    return next((name for name in names if name.lower() not in _NO_NAMES), None)


def asked_nid(text: str) -> str:
    """Return the name that the first field of a template asks for, as it was typed; "" for none.

    A name that breaks a rule is returned too, for the rules to judge: ``foo_bar`` and
    ``"-abc" requested`` give ``foo_bar`` and ``-abc``. ``To be assigned by IANA`` asks for none.
    Any other text is returned as it is.

    Source: RFC 8141 appendix A.
    """
    if found := find_nid(text):
        return found
    words = " ".join(text.split())
    for match in (_ANY_QUOTED.search(words), _ANY_BEFORE.fullmatch(words)):
        if match and match[1].lower() not in _NO_NAMES:
            return nid_typed(match[1])
    return "" if _ASKS_FOR_NONE.search(words) else nid_typed(words)


def find_version(text: str) -> int | None:
    """The number of a version: ``1`` of ``1.0``, ``2`` of ``2 (revision of ...)``; or None."""
    found = _NUMBER.search(text)
    return int(found[1]) if found else None


def find_date(text: str) -> date | None:
    """The day that is told, in figures from the year on or with the month in English; or None.

    ``2020-04-2``, ``5Feb2001`` and ``February 11, 2002`` are read. ``02/03/01`` is not, since
    nobody knows which figure is the month.
    """
    for form in _DAYS:
        found = form.search(text)
        if found:
            month = found["m"].lower()
            number = int(month) if month.isdigit() else _MONTHS.index(month[:3]) + 1
            return _day(int(found["y"]), number, int(found["d"]))
    return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def stated_version(text: str) -> int | None:
    """The version that a template's text states of itself; None where it does not."""
    stated = find_version(read_template(text).fields.get("version", ""))
    if stated is not None:
        return stated
    lines = (_STATED.match(line.strip()) for line in text.splitlines())
    return next((int(found[1]) for found in lines if found), None)


def fit_for_draft(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields as a form takes them: the NID only, and no heading of the field itself."""
    name = asked_nid(fields.get("namespace_identifier", ""))
    given = {field: _without_heading(field, text) for field, text in fields.items()}
    given["namespace_identifier"] = name
    return {field: text for field, text in given.items() if text}


# `Declared registrant of the namespace` says no more than `Registrant`.
_AROUND = frozenset({"considerations", "declared", "for", "identifier", "namespace", "of"})
_AROUND |= {"process", "the"}
_LABELED = re.compile(r"^[ \t]*[A-Z][a-z]+(?: [A-Za-z]+){0,4}:", re.MULTILINE)


def _without_heading(name: str, text: str) -> str:
    first, _, below = text.partition("\n")
    heading = find_heading(first)
    if heading is None or not heading.has_colon or heading.label.field != name:
        return text
    if heading.typed.rstrip(": ").lower() != heading.label.words:
        return text  # as in `Purpose of the namespace: none known.`
    words = set(heading.label.words.split()) - _AROUND
    if not words <= set(FORMAL.named[name].label.lower().split()) or _LABELED.search(below):
        return text  # it says more, or is one of several
    return f"{heading.rest}\n{below}".strip() or text


def field_value_diagnostics(
    fields: Mapping[str, str], parts: tuple[TemplatePart, ...]
) -> tuple[TemplateDiagnostic, ...]:
    """What a reader has to make out in the short fields, or cannot: each with its line."""
    return tuple(
        TemplateDiagnostic(line=_line_of(parts, name), field=name, code=code, message=message)
        for name, code, message in (
            _odd_name(fields.get("namespace_identifier", "")),
            _odd_version(fields.get("version", "")),
            _odd_date(fields.get("date", "")),
        )
        if message
    )


def _line_of(parts: tuple[TemplatePart, ...], name: str) -> int:
    return next((part.line for part in parts if part.field == name), 1)


def _with_odd(message: str, text: str) -> str:
    return f"{message} {name_odd_character(text)}".rstrip()


def _odd_name(text: str) -> tuple[str, str, str]:
    name = asked_nid(text)
    if not text or name == text:
        message = ""
    elif not name:
        message = _with_odd(f"{spell_text(text)} contains no NID.", text)
    else:
        message = f"{spell_text(text)} was read as the NID `{name}`. Write only the NID."
    return "namespace_identifier", "name-form", message


def _odd_version(text: str) -> tuple[str, str, str]:
    number = find_version(text)
    if not text or text == str(number):
        message = ""
    elif number is None:
        message = (
            f"{spell_text(text)} is not a version number. Write a whole number, starting at 1."
        )
        message = _with_odd(message, text)
    else:
        message = f"{spell_text(text)} was read as version {number}. Write only the number."
        message = _with_odd(message, text)
    return "version", "version-form", message


def _odd_date(text: str) -> tuple[str, str, str]:
    day = find_date(text)
    if not text or (day and text.removesuffix(".") == day.isoformat()):
        message = ""
    elif day is None:
        message = (
            f"{spell_text(text)} is not a date. Write it as YYYY-MM-DD, for example 2026-11-21."
        )
        message = _with_odd(message, text)
    else:
        message = f"{spell_text(text)} was read as {day.isoformat()}. Write it as YYYY-MM-DD."
    return "date", "date-form", message
