"""The thread that a message stands in: what it follows, and where its list keeps it."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

LONGEST_LINE = 998  # of a header, its name included: RFC 5322 section 2.1.1
LONGEST_ID = 200
LONGEST_URL = 500
_NEVER_LEFT_OUT = 2
_URL = re.compile(r"<\s*(https?://[!#-;=?-\[\]_a-z~]+)\s*>", re.IGNORECASE | re.ASCII)


def references_header(chain: Sequence[str]) -> str:
    """The Message-IDs of a thread, from its first message to the parent, as one header holds them.

    Source: RFC 5322 section 3.6.4; RFC 5537 section 3.4.4.
    """
    known = [ident for ident in dict.fromkeys(chain) if ident]
    while len(_line(known)) > LONGEST_LINE and len(known) > 1 + _NEVER_LEFT_OUT:
        del known[1]
    return " ".join(known)


def _line(ids: Sequence[str]) -> str:
    return f"References: {' '.join(ids)}"


def read_archive(value: str) -> str:
    """The address on the web that an Archived-At or a List-Archive names; "" where it is none.

    Source: RFC 5064 section 2; RFC 2369 section 3.6.
    """
    found = _URL.search(value)
    url = found[1] if found else ""
    try:
        parts = urlsplit(url)
        is_plain = bool(parts.hostname) and parts.username is None and parts.port != 0
    except ValueError:
        return ""
    return url if is_plain and len(url) <= LONGEST_URL else ""


def is_archive_of(url: str, list_address: str) -> bool:
    host = (urlsplit(url).hostname or "").rstrip(".")
    domain = list_address.rpartition("@")[2].lower()
    above = "." in host and domain.endswith(f".{host}")
    return bool(domain) and (host == domain or host.endswith(f".{domain}") or above)
