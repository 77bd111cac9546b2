"""The formats in which an edition is published, with their labels and media types.

The writer and reader of a format are in the module of ``app.exports.formats`` that is named
after its suffix.
"""

from enum import StrEnum
from typing import Self


class FormatUse(StrEnum):
    """The purpose of a format. The formats of one entry are listed in this order."""

    DATA = "data"
    TABLES = "tables"  # also given table by table
    PAGE = "page"
    LINKED_DATA = "linked data"


class Format(StrEnum):
    """A format of a whole registry: suffix, media type, label and use.

    ``name_label`` is its label on the page of one entry. ``purpose`` helps readers choose a
    format.
    """

    media_type: str
    label: str
    use: FormatUse
    name_label: str
    purpose: str

    def __new__(
        cls,
        suffix: str,
        media_type: str = "",
        label: str = "",
        use: FormatUse = FormatUse.DATA,
        name_label: str = "",
        purpose: str = "",
    ) -> Self:
        member = str.__new__(cls, suffix)
        member._value_, member.media_type, member.label = suffix, media_type, label
        member.use, member.name_label, member.purpose = use, name_label or label, purpose
        return member

    XML = (
        "xml",
        "application/xml",
        "XML",
        FormatUse.DATA,
        "",
        "for programs that read IANA’s registries",
    )
    XHTML = (
        "xhtml",
        "application/xhtml+xml",
        "HTML",
        FormatUse.PAGE,
        "",
        "one page, laid out like IANA’s",
    )
    TXT = (
        "txt",
        "text/plain; charset=utf-8",
        "Plain text",
        FormatUse.PAGE,
        "Text",
        "to read anywhere",
    )
    JSON = "json", "application/json", "JSON", FormatUse.DATA, "", "all data, for programs"
    CSV = (
        "csv",
        "text/csv; charset=utf-8; header=present",
        "CSV",
        FormatUse.TABLES,
        "",
        "for a spreadsheet",
    )
    TTL = "ttl", "text/turtle; charset=utf-8", "Turtle", FormatUse.LINKED_DATA, "", "linked data"
    JSONLD = (
        "jsonld",
        "application/ld+json",
        "JSON-LD",
        FormatUse.LINKED_DATA,
        "",
        "linked data, as JSON",
    )

    @property
    def bare_type(self) -> str:
        """The media type without its parameters."""
        return self.media_type.partition(";")[0]


def forms_on_page() -> tuple[Format, ...]:
    """Return the formats of a whole registry that its page lists, in IANA's order."""
    return tuple(form for form in Format if form.use in (FormatUse.DATA, FormatUse.PAGE))
