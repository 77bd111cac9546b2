"""Where the page of one name is, and the namespace to use in place of another."""

import re
from urllib.parse import quote, unquote

from app.identifiers.nid_index import fold_nid
from app.registration.records.succession import last_successor
from app.resolution.namespace_rules import NamespaceRules, RuleBook

NAMES = "/names/"
UNDER = f"{NAMES}under/"  # below which names that begin alike are listed
LONGEST_TARGET = 8 * 1024  # octets of what is asked for
_NOT_OF_SEGMENT = re.compile("%(?:2[35Ff]|3[Ff])")  # what stands in none but encoded: # % / ?
_SEGMENT = "~!$&'()*+,;=:@"  # of pchar, RFC 3986 appendix A, besides what is always kept


def name_path(urn: str) -> str:
    return NAMES + quote(urn, safe=_SEGMENT)


def successor_path(successor: str) -> str:
    is_address = successor.startswith(("http://", "https://"))
    return successor if is_address else name_path(successor)


def names_under_path(beginning: str) -> str:
    return UNDER + quote(beginning, safe=_SEGMENT)


def name_at(segment: str) -> str:
    """The name whose page is at a path that goes on so after ``NAMES``; any text at all. Any other
    encoding is the name's own: ``urn:example:%31`` is another name than ``urn:example:1``.

    Source: RFC 8141 section 3.1; RFC 3986 section 3.3.
    """
    if ":" not in segment:
        return unquote(segment, encoding="latin-1")
    return _NOT_OF_SEGMENT.sub(lambda found: unquote(found[0]), segment)


def successor_of(rules: NamespaceRules, book: RuleBook) -> str:
    return last_successor(rules, book.find, fold_nid)
