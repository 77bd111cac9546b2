"""Many URNs at once: what each is, whether its namespace is registered, which are the same."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from .equivalence import Equivalence
from .errors import InvalidURN
from .nid import NidIndex
from .reports import error_report
from .urn import URN, parse_urn


class CheckedURN(NamedTuple):
    """One text of a list. ``number`` is its place from 1, and ``same_as`` that of the first of
    the list that names the same, where that is another: by RFC 8141 section 3.1, and by what its
    namespace declares. ``joined`` is the form that the namespace gives it, where that is not the
    normal form, and ``clauses`` say by which words of the registration.

    A text is well-formed when it has a URN's syntax; it is a URN only when its NID is
    registered too, which ``registered`` tells by the NID as it stands in the registry.
    """

    number: int
    text: str
    urn: URN | None
    error: InvalidURN | None
    registered: str | None
    same_as: int | None
    joined: str | None = None
    clauses: tuple[str, ...] = ()

    @property
    def is_urn(self) -> bool:
        """Whether it is well-formed and its NID is registered."""
        return self.registered is not None


LONGEST_CLAUSE = 300  # characters
_NO_RULES: Mapping[str, Equivalence] = {}


def check_urns(
    texts: Iterable[str],
    registered: NidIndex,
    declared: Mapping[str, Equivalence] = _NO_RULES,
) -> Iterator[CheckedURN]:
    """Check texts in their order. Raises nothing; holds the normal form of each that was seen.

    ``declared`` are the rules of equivalence of namespaces, by their folded names.

    Source: RFC 8141 sections 2, 3 and 5.
    """
    first: dict[str, int] = {}
    find, seen = registered.find_registered, first.setdefault
    for number, text in enumerate(texts, 1):
        try:
            urn = parse_urn(text)
        except InvalidURN as error:
            yield CheckedURN(number, text, None, error, None, None)
            continue
        nid = find(urn.nid)
        rules = declared.get(nid) if nid and declared else None
        joined, clauses = _joined(urn, rules) if rules else (None, ())
        begun = seen(joined or urn.normal_form, number)
        same_as = begun if begun != number else None
        yield CheckedURN(number, text, urn, None, nid, same_as, joined, clauses)


def _joined(urn: URN, rules: Equivalence) -> tuple[str | None, tuple[str, ...]]:
    form = rules.normal_form(urn)
    if form == urn.normal_form:
        return None, ()
    return form, tuple(dict.fromkeys(map(_beginning, rules.clauses(urn))))


def _beginning(clause: str) -> str:
    """What is quoted beside each name: a registration's own words, however long they are."""
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
    "joined_form",
    "clauses",
    "error",
)


def checked_row(checked: CheckedURN) -> tuple[object, ...]:
    """The values of ``COLUMNS`` for one text; absent ones are None."""
    urn = checked.urn
    if urn is None:
        error = error_report(checked.error) if checked.error else None
        return (
            checked.number,
            checked.text,
            False,
            False,
            *(None,) * 6,
            False,
            *(None,) * 3,
            error,
        )
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
        None,
    )


def json_line(checked: CheckedURN) -> str:
    """One JSON object in ASCII, with a line end.

    Of a URN it is written by hand, four times as fast: none of its characters is escaped in JSON.
    """
    urn = checked.urn
    if urn is None or checked.joined:
        return json.dumps(dict(zip(COLUMNS, checked_row(checked), strict=True))) + "\n"
    same = "null" if checked.same_as is None else checked.same_as
    return (
        f'{{"number": {checked.number}, "input": "{checked.text}", "well_formed": true, '
        f'"urn": {"true" if checked.is_urn else "false"}, "nid": "{urn.nid}", "nss": "{urn.nss}", '
        f'"r_component": {_quoted(urn.r_component)}, "q_component": {_quoted(urn.q_component)}, '
        f'"f_component": {_quoted(urn.f_component)}, "normal_form": "{urn.normal_form}", '
        f'"rfc2141_valid": {"true" if urn.rfc2141_valid else "false"}, "same_as": {same}, '
        '"joined_form": null, "clauses": null, "error": null}\n'
    )


def _quoted(component: str | None) -> str:
    return "null" if component is None else f'"{component}"'
