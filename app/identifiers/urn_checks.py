"""Many URNs at once: what each is, whether its namespace is registered, which are the same."""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .errors import InvalidURN
from .nid import NidIndex
from .reports import error_report
from .urn import URN, parse_urn


class CheckedURN(NamedTuple):
    """One text of a list. ``number`` is its place from 1, and ``same_as`` that of the first of
    the list that is URN-equivalent to it, where that is another.

    A text is well-formed when it has a URN's syntax; it is a URN only when its NID is
    registered too, which ``registered`` tells by the NID as it stands in the registry.
    """

    number: int
    text: str
    urn: URN | None
    error: InvalidURN | None
    registered: str | None
    same_as: int | None

    @property
    def is_urn(self) -> bool:
        """Whether it is well-formed and its NID is registered."""
        return self.registered is not None


def check_urns(texts: Iterable[str], registered: NidIndex) -> Iterator[CheckedURN]:
    """Check texts in their order. Raises nothing; holds the normal form of each that was seen.

    Source: RFC 8141 sections 2, 3.1 and 5.
    """
    first: dict[str, int] = {}
    find, seen = registered.find_registered, first.setdefault
    for number, text in enumerate(texts, 1):
        try:
            urn = parse_urn(text)
        except InvalidURN as error:
            yield CheckedURN(number, text, None, error, None, None)
            continue
        begun = seen(urn.normal_form, number)
        yield CheckedURN(number, text, urn, None, find(urn.nid), begun if begun != number else None)


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
    "error",
)


def checked_row(checked: CheckedURN) -> tuple[object, ...]:
    """The values of ``COLUMNS`` for one text; absent ones are None."""
    urn = checked.urn
    if urn is None:
        error = error_report(checked.error) if checked.error else None
        return (checked.number, checked.text, False, False, *(None,) * 6, False, None, error)
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
        None,
    )


def json_line(checked: CheckedURN) -> str:
    """One JSON object in ASCII, with a line end.

    Of a URN it is written by hand, four times as fast: none of its characters is escaped in JSON.
    """
    urn = checked.urn
    if urn is None:
        return json.dumps(dict(zip(COLUMNS, checked_row(checked), strict=True))) + "\n"
    same = "null" if checked.same_as is None else checked.same_as
    return (
        f'{{"number": {checked.number}, "input": "{checked.text}", "well_formed": true, '
        f'"urn": {"true" if checked.is_urn else "false"}, "nid": "{urn.nid}", "nss": "{urn.nss}", '
        f'"r_component": {_quoted(urn.r_component)}, "q_component": {_quoted(urn.q_component)}, '
        f'"f_component": {_quoted(urn.f_component)}, "normal_form": "{urn.normal_form}", '
        f'"rfc2141_valid": {"true" if urn.rfc2141_valid else "false"}, "same_as": {same}, '
        f'"error": null}}\n'
    )


def _quoted(component: str | None) -> str:
    return "null" if component is None else f'"{component}"'
