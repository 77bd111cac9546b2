"""URNs that a text shows as examples: whose they are, and what is warned of in them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from app.identifiers.errors import spell_character, spell_encoded, spell_text
from app.identifiers.urn import LDH, UrnOccurrence, find_urns
from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.template_fields import TEMPLATE_FIELDS
from app.registration.profiles.profile_answers import profile_in
from app.registration.submission_findings import Severity, SubmissionFinding
from app.registration.submissions.number_placeholders import find_number, shows_placeholder

# To the end of what is printable, whatever stands there: a text of urn:urn:urn: is read once.
_URN_RUN = re.compile(rf"\b[uU][rR][nN]:[{LDH}]{{1,32}}:[!-~]*+([^\x00-\x7f“”‘’«»…])?+")
_LONG = tuple(field.name for field in TEMPLATE_FIELDS if field.is_long)
# What stands for any name: `example` is kept for that by RFC 6963, the others are habits, such as
# `urn-n` for a number that is not given yet.
_ANYBODYS = re.compile(r"example|nid|namespace|urn-[a-z]+")


def check_examples(fields: Mapping[str, str]) -> Iterator[SubmissionFinding]:
    """Yield what to look at in the URNs of a template, at most one finding of a kind a field.

    Source: RFC 8141 sections 2.2 and 2.3.1.
    """
    for name in _LONG:
        text = fields.get(name, "")
        if "urn:" in text.lower():
            yield from _check(name, text)


def _check(name: str, text: str) -> Iterator[SubmissionFinding]:
    with_r = next((found.text for found in find_urns(text) if "?+" in found.text), None)
    if with_r is not None:
        message = (
            f"{spell_text(with_r)} has an r-component. No specification defines r-components "
            "yet. Remove `?+` and the text after it."
        )
        yield _finding(name, "r-component", message, "RFC 8141 section 2.3.1")
    outside = next((run[1] for run in _URN_RUN.finditer(text) if run[1]), None)
    if outside is not None:
        message = (
            f"A URN contains {spell_character(outside)}. URNs can contain only ASCII "
            f"characters. Write {spell_encoded(outside)} instead."
        )
        yield _finding(name, "outside-ascii", message, "RFC 8141 section 2.2")


def check_whose_examples(fields: Mapping[str, str]) -> Iterator[SubmissionFinding]:
    """Yield an example in Syntax that is a name of another namespace.

    Where the section shows names of its own, another is there to be compared, and is noted
    alone; where it shows none, what it shows is a mistake. Nothing is asked where no name is
    asked for: a number is known at registration alone. Source: RFC 8141 section 6.4.2.
    """
    own = URN_SPACE.fold(fields.get("namespace_identifier", "").strip())
    if not own:
        return
    shown = [one for one in find_urns(fields.get("syntax", "")) if _is_of_one(one)]
    others = [one for one in shown if URN_SPACE.fold(one.nid) != own]
    if others:
        compared = len(others) < len(shown)
        yield _finding(
            "syntax",
            "other-name",
            _of_another(others[0], own, compared=compared),
            "RFC 8141 section 6.4.2",
            Severity.NOTE if compared else Severity.MUST,
        )


def check_numbers(fields: Mapping[str, str]) -> Iterator[SubmissionFinding]:
    """Yield a name of another namespace in a template whose own number is not given yet.

    In Syntax it is a mistake, unless what stands for the number is shown as well: it is there to
    be compared then. Elsewhere a number may be what the author guessed. What stands for the number
    is replaced by it at registration. Source: RFC 8141 sections 5.2 and 6.4.2.
    """
    text = fields.get("syntax", "")
    found = _find_foreign(text)
    if found:
        compared = shows_placeholder(text)
        message = f"{_whose(found)} {_ADVICE[compared]}"
        severity = Severity.NOTE if compared else Severity.MUST
        yield _finding("syntax", "other-name", message, _SHOWN, severity)
    for example in profile_in(fields).examples:
        if not shows_placeholder(example.urn):
            message = f"Examples: {_whose(example.urn)} "
            yield replace(
                _finding("syntax", "other-name", message + _ADVICE[False], _SHOWN, Severity.MUST),
                question="examples",
            )
            break
    for name in _LONG:
        number = find_number(fields.get(name, "")) if name != "syntax" else ""
        if number:
            message = f"{spell_text(number)} has the number of another namespace. {_ADVICE[True]}"
            yield _finding(name, "other-number", message, "RFC 8141 section 5.2")


_SHOWN = "RFC 8141 section 6.4.2"
_ADVICE = {
    True: "You can keep it as a comparison. For your own URNs, write `urn-n`: the number is "
    "filled in at registration.",
    False: "Use an example that begins with `urn:urn-n:`. The number is filled in at registration.",
}


def _whose(text: str) -> str:
    if find_number(text):
        return (
            f"{spell_text(text)} has a number. Your namespace gets its number when it is "
            "registered, and another can get this one first."
        )
    return f"{spell_text(text)} belongs to another namespace."


def _find_foreign(text: str) -> str:
    shown = (one.text for one in find_urns(text) if _is_of_one(one))
    return next(shown, "") or find_number(text)


def _is_of_one(found: UrnOccurrence) -> bool:
    return _ANYBODYS.fullmatch(URN_SPACE.fold(found.nid)) is None


def _of_another(found: UrnOccurrence, own: str, *, compared: bool) -> str:
    is_of = (
        f"{spell_text(found.text)} belongs to the namespace {spell_text(found.nid)}, not to "
        f"`{own}`."
    )
    if compared:
        return f"{is_of} You can keep it as a comparison."
    whole = URN_SPACE.whole(own)
    return f"{is_of} Use an example that begins with `{whole}`, or remove it."


def _finding(
    name: str, code: str, message: str, source: str, severity: Severity = Severity.SHOULD
) -> SubmissionFinding:
    return SubmissionFinding(
        field=name, code=code, message=message, source=source, severity=severity
    )
