"""Many URNs at once: what each is, whether it can be a name, which are the same."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from app.identifiers.errors import InvalidURN
from app.identifiers.urn import URN
from app.identifiers.urn_reports import error_report
from app.resolution.judgement import Ground, Judgement, judge_text
from app.resolution.namespace_rules import RuleBook


class CheckedURN(NamedTuple):
    """One text of a list. ``number`` is its place from 1, and ``same_as`` that of the first of the
    list that names the same, where that is another: by RFC 8141 section 3.1, and by the rules of
    its namespace."""

    number: int
    judgement: Judgement
    own_form: str
    same_as: int | None

    @property
    def text(self) -> str:
        return self.judgement.text

    @property
    def urn(self) -> URN | None:
        return self.judgement.urn

    @property
    def error(self) -> InvalidURN | None:
        return self.judgement.error

    @property
    def fault(self) -> dict[str, object] | None:
        if self.error is not None:
            return error_report(self.error)
        found = self.judgement
        return None if self.is_urn else _fault_among(found, found.grounds, found.notes)

    @property
    def registered(self) -> str | None:
        rules = self.judgement.rules
        return rules.name if rules and self.judgement.is_registered else None

    @property
    def is_urn(self) -> bool:
        return self.judgement.is_name

    @property
    def joined(self) -> str | None:
        return self.own_form if self.own_form != self.judgement.normal_form else None

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(_beginning, self.judgement.clauses_of(self.own_form))))


LONGEST_CLAUSE = 300  # characters


def check_urns(texts: Iterable[str], book: RuleBook) -> Iterator[CheckedURN]:
    """Check texts in their order. Raises nothing; holds the form of each that was seen.

    Source: RFC 8141 sections 2, 3 and 5.
    """
    first: dict[str, int] = {}
    for number, text in enumerate(texts, 1):
        found = judge_text(text, book)
        form = found.own_form
        begun = first.setdefault(form, number) if form else number
        yield CheckedURN(number, found, form, begun if begun != number else None)


def _beginning(clause: str) -> str:
    return clause if len(clause) <= LONGEST_CLAUSE else f"{clause[:LONGEST_CLAUSE]}…"


COLUMNS = (
    "number",
    "input",
    "well_formed",
    "urn",
    "nid",
    "nss",
    "r_component",
    "q_component",
    "f_component",
    "normal_form",
    "rfc2141_valid",
    "same_as",
    "own_form",
    "clauses",
    "possibility",
    "why",
    "corrected",
    "correction",
    "error",
)


def checked_row(checked: CheckedURN) -> tuple[object, ...]:
    """The values of ``COLUMNS`` for one text; absent ones are None."""
    urn, found = checked.urn, checked.judgement
    if urn is None:
        told = (checked.number, checked.text, False, False, *_NO_URN)
        return (*told, *_correction(found), checked.fault)
    grounds, notes = found.grounds, found.notes  # made when they are asked for, and of many names
    return (
        checked.number,
        checked.text,
        True,
        checked.is_urn,
        urn.nid,
        urn.nss,
        urn.r_component,
        urn.q_component,
        urn.f_component,
        urn.normal_form,
        urn.rfc2141_valid,
        checked.same_as,
        checked.joined,
        list(checked.clauses) or None,
        found.possibility and str(found.possibility),
        list(map(_sentence, (*grounds, *notes))),
        *_correction(found),
        None if checked.is_urn else _fault_among(found, grounds, notes),
    )


def _fault_among(
    found: Judgement, grounds: Sequence[Ground], notes: Sequence[Ground]
) -> dict[str, object]:
    is_former = found.rules is not None and not found.is_registered
    ground = (notes if is_former else grounds)[0]
    source = _beginning(ground.clause)
    return {"code": ground.code, "message": ground.message, "position": None, "source": source}


_NO_URN = (*(None,) * 6, False, *(None,) * 5)


def reasons_to(found: Judgement) -> list[str]:
    return sentences_of((*found.grounds, *found.notes))


def sentences_of(grounds: Iterable[Ground]) -> list[str]:
    return list(map(_sentence, grounds))


def _sentence(ground: Ground) -> str:
    return f"{ground.message} ({_beginning(ground.clause)})" if ground.clause else ground.message


def json_line(checked: CheckedURN) -> str:
    """One JSON object in ASCII, with a line end."""
    urn, found = checked.urn, checked.judgement
    form = urn.normal_form if urn else ""
    if urn is None or checked.own_form != form or found.correction:
        return json.dumps(dict(zip(COLUMNS, checked_row(checked), strict=True))) + "\n"
    same = "null" if checked.same_as is None else checked.same_as
    nid, nss = urn.nid_and_nss
    possibility = f'"{found.possibility}"' if found.possibility else "null"
    return (
        f'{{"number": {checked.number}, "input": "{checked.text}", "well_formed": true, '
        f'"urn": {"true" if checked.is_urn else "false"}, "nid": "{nid}", "nss": "{nss}", '
        f'"r_component": {_quoted(urn.r_component)}, "q_component": {_quoted(urn.q_component)}, '
        f'"f_component": {_quoted(urn.f_component)}, "normal_form": "{form}", '
        f'"rfc2141_valid": {"true" if urn.rfc2141_valid else "false"}, "same_as": {same}, '
        f'"own_form": null, "clauses": null, "possibility": {possibility}, '
        f'"why": {_why((*found.grounds, *found.notes))}, "corrected": null, "correction": null, '
        f'"error": {"null" if checked.is_urn else json.dumps(checked.fault)}}}\n'
    )


def _correction(found: Judgement) -> tuple[str | None, str | None]:
    correction = found.correction
    return (correction.identifier, correction.why) if correction else (None, None)


def found_report(found: Judgement) -> dict[str, object]:
    """What is told of a URN that stands in a text, as JSON-ready values."""
    rules = found.rules if found.is_registered else None
    corrected, correction = _correction(found)
    error = found.error
    return {
        "urn": found.text,
        "nid": found.urn.nid if found.urn else None,
        "registered": rules.name if rules else None,
        "possibility": found.possibility and str(found.possibility),
        "why": [f"{error.message} ({error.source})"] if error else reasons_to(found),
        "corrected": corrected,
        "correction": correction,
    }


@lru_cache(maxsize=1_024)
def _why(grounds: tuple[Ground, ...]) -> str:
    return json.dumps(list(map(_sentence, grounds)))


def _quoted(component: str | None) -> str:
    return "null" if component is None else f'"{component}"'
