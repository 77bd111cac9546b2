"""What a value may look like in IANA's XML: one table for the writer and for the reader.

Since both ask here, whatever is written can be read again, and is valid.

Source: IANA's RELAX NG schema for registries; XML 1.0 section 2.2; RFC 3986 appendix A.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from app.registration.records.registry_records import Xref, XrefType

NAMESPACE = "http://www.iana.org/assignments"
NOTICE_TITLE = "Notice"  # tells a registry's word about itself from its notes
DEPRECATED_TITLE = "Deprecated"  # that of the note on names which are, which no record can say
ENDED_TITLE = "No longer in use"  # and of the note on names that their holders ended
NOTE_TITLES = (NOTICE_TITLE, DEPRECATED_TITLE, ENDED_TITLE)

_NAME_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NC_NAME = f"[{_NAME_START}][{_NAME_START}.0-9\u00b7\u0300-\u036f\u203f\u2040-]*"

_REGULAR = r"[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2}|[^\x00-\xa0\ud800-\udfff\ufffe\uffff]"
_SCHEME = r"(?:[A-Za-z][A-Za-z0-9+.-]*:|(?![^/?#]*:))"
_AUTHORITY = rf"(?://(?:{_REGULAR})*(?::[0-9]{{1,5}})?(?=[/?#]|\Z)|(?!//))"
_URI = (
    rf"{_SCHEME}{_AUTHORITY}(?:{_REGULAR}|[:@/])*"
    rf"(?:\?(?:{_REGULAR}|[:@/?])*)?(?:#(?:{_REGULAR}|[:@/?])*)?"
)

_DATA: dict[XrefType, str] = {
    XrefType.RFC: "(?:rfc|bcp|std)[0-9]+",
    XrefType.DRAFT: "(?:draft|RFC)(?:-[a-zA-Z0-9]+)+",
    XrefType.ERRATA: "[1-9][0-9]{0,8}",
    XrefType.URI: _URI,
    XrefType.PERSON: _NC_NAME,
    XrefType.REGISTRY: _NC_NAME,
    XrefType.NOTE: "[1-9][0-9]{0,8}",
    XrefType.UNICODE: r"ucd[0-9]+\.[0-9]+\.[0-9]+",
    XrefType.TEXT: "",
}
_EXAMPLE: dict[XrefType, str] = {
    XrefType.RFC: "rfc8141",
    XrefType.DRAFT: "draft-name-00",
    XrefType.ERRATA: "a number, such as 3188",
    XrefType.URI: "a URI, such as https://example.org/",
    XrefType.PERSON: "a person's id, such as Jane_Doe",
    XrefType.REGISTRY: "a registry's id, such as uri-schemes",
    XrefType.NOTE: "a number, such as 1",
    XrefType.UNICODE: "ucd15.0.0",
    XrefType.TEXT: "nothing",
}
FRAGMENTED = (XrefType.RFC, XrefType.DRAFT)

_DATA_FORMS = {type_: re.compile(form) for type_, form in _DATA.items()}
_UNHELD = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PERSON_ID = re.compile(_NC_NAME)
_REGISTRY_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_URI_FORM = re.compile(_URI)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}(-[0-9]{2})?")
_SHOWN = 60


class XmlValueError(ValueError):
    """A value that IANA's XML cannot hold, or not in that place; ``text`` is the value."""

    def __init__(self, sentence: str, text: str) -> None:
        super().__init__(sentence)
        self.text = text


def fit_text(text: str) -> str:
    """The text with U+FFFD for each character that ``check_text`` refuses."""
    return _UNHELD.sub("\ufffd", text)


def check_text(text: str) -> str:
    """The text itself; XmlValueError if a character is a control, a surrogate or no character.

    Tab, line feed and carriage return are kept. Source: XML 1.0 section 2.2, which
    discourages the controls U+007F to U+009F too.
    """
    if found := _UNHELD.search(text):
        sentence = (
            f"{_shown(text)} contains U+{ord(found[0]):04X}, which isn't allowed in XML. Remove it."
        )
        raise XmlValueError(sentence, text)
    return text


def check_name(text: str) -> str:
    """The name itself; XmlValueError if there is none. Does not ask what its registry allows."""
    if not text:
        raise XmlValueError("A record has no name. Enter one.", text)
    return text


def check_date(text: str) -> str:
    """The date itself; XmlValueError unless it is a day or a month that exists."""
    if not is_day_or_month(text):
        raise XmlValueError(f"{_shown(text)} isn't a date. Use YYYY-MM-DD or YYYY-MM.", text)
    return text


def check_day(text: str) -> str:
    """The date itself; XmlValueError unless it is a day that exists."""
    if not is_day_or_month(text) or text.count("-") == 1:
        raise XmlValueError(f"{_shown(text)} isn't a date. Use YYYY-MM-DD.", text)
    return text


def check_past(text: str, today: date) -> str:
    """The day or month itself; XmlValueError for one that is still to come.

    The day after ``today`` is taken, since it has begun where clocks go before ours.
    """
    if text > (today + timedelta(days=1)).isoformat()[: len(text)]:
        raise XmlValueError(
            (f"{_shown(text)} is in the future. Enter today or an earlier date."), text
        )
    return text


def check_uri(text: str) -> str:
    """The URI itself; XmlValueError for anything that RFC 3986 or RFC 3987 would not take."""
    return _fitting(_URI_FORM.fullmatch(text), text, "isn't a URI. Check its characters.")


def check_person_id(text: str) -> str:
    """The id itself; XmlValueError unless it is a name in XML's sense, which has no spaces."""
    wrong = "can't be a person's id. Start with a letter, and use _ instead of spaces."
    return _fitting(_PERSON_ID.fullmatch(text), text, wrong)


def check_registry_id(text: str) -> str:
    """The id itself; XmlValueError unless it can be an id and part of a file's name."""
    wrong = "can't be a registry's id. Use letters, digits, hyphens, dots and _."
    return _fitting(_REGISTRY_ID.fullmatch(text), text, wrong)


def _fitting(found: re.Match[str] | None, text: str, wrong: str) -> str:
    if found is None:
        raise XmlValueError(f"{_shown(text)} {wrong}", text)
    return text


def check_xref(xref: Xref) -> Xref:
    """The reference itself; XmlValueError if its data does not fit its type.

    Source: the definition ``xref`` of IANA's schema.
    """
    if not has_fit_data(xref):
        wanted = f"{_shown(xref.data)} isn't valid for a reference of type {xref.type}"
        raise XmlValueError(f"{wanted}. Enter {_EXAMPLE[xref.type]}.", xref.data)
    if xref.fragment and xref.type not in FRAGMENTED:
        sentence = f"A reference of type {xref.type} has no {xref.fragment}. Remove it."
        raise XmlValueError(sentence, xref.at)
    if xref.lastupdated is not None:
        check_date(xref.lastupdated)
    check_text(xref.at)
    check_text(xref.label)
    return xref


def has_fit_data(xref: Xref) -> bool:
    """Whether what a reference points at has the form that its type asks for."""
    return _DATA_FORMS[xref.type].fullmatch(xref.data) is not None


def is_day_or_month(text: str) -> bool:
    """Whether a text is a day or a month that exists, as YYYY-MM-DD or YYYY-MM."""
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text if len(text) > len("YYYY-MM") else f"{text}-01")
    except ValueError:
        return False
    return True


def xref_attributes(xref: Xref) -> Iterator[tuple[str, str]]:
    """The attributes of one ``xref`` element, in the order in which IANA writes them."""
    yield "type", xref.type
    if xref.type is not XrefType.TEXT:
        yield "data", xref.data
    if xref.fragment:
        yield xref.fragment, xref.at
    if xref.lastupdated is not None:
        yield "lastupdated", xref.lastupdated


def _shown(text: str) -> str:
    short = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return f"`{short.encode('unicode_escape').decode() if _UNHELD.search(short) else short}`"
