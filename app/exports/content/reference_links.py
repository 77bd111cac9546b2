"""Where a reference leads."""

import re
from collections.abc import Callable

from app.exports.serialization.xml_values import has_fit_data
from app.registration.records.registry_records import Xref, XrefType

_WEB = re.compile(r"https?://[^/?#]", re.ASCII | re.IGNORECASE)


def xref_url(xref: Xref) -> str | None:
    """The address a reader is sent to; None where there is none that is safe to follow.

    A person's is the anchor of their id on the page. A URI is followed only if it is of the
    Web, so that no page can be made to hold a link that runs a script. Data that do not fit
    the type give None.
    """
    find = _URLS.get(xref.type)
    return find(xref.data) if find and has_fit_data(xref) else None


def _draft(data: str) -> str:
    # IANA writes RFC-name for a draft that is approved and waits for its number
    name = data.removeprefix("RFC-").removeprefix("draft-")
    return f"https://datatracker.ietf.org/doc/html/draft-{name}"


def _unicode(data: str) -> str:
    return f"https://www.unicode.org/versions/Unicode{data.removeprefix('ucd')}/"


_URLS: dict[XrefType, Callable[[str], str | None]] = {
    XrefType.RFC: "https://www.rfc-editor.org/info/{}".format,
    XrefType.DRAFT: _draft,
    XrefType.ERRATA: "https://www.rfc-editor.org/errata/eid{}".format,
    XrefType.URI: lambda data: data if _WEB.match(data) else None,
    XrefType.PERSON: "#{}".format,
    XrefType.REGISTRY: "https://www.iana.org/assignments/{}/".format,
    XrefType.UNICODE: _unicode,
}
