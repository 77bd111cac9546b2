"""The prefix of a resolver of ARKs, and the address that it makes of one."""

import string
from urllib.parse import quote

from app.identifiers.ark import ARK, RESOLVER
from app.resolution.reference_resolution.uri_references import (
    InvalidUriReference,
    UriReference,
    parse_reference,
)

GLOBAL_RESOLVER = RESOLVER.rstrip("/")
_LONGEST_PREFIX = 2_000
_SOURCE = "The ARK URI scheme section 7.1"


class InvalidResolverPrefix(ValueError):
    """A text that is no prefix of a resolver which HTTP reaches; says what to write."""

    source = _SOURCE


def parse_prefix(text: str) -> str:
    """A resolver's prefix, as it stands before a slash and an ARK.

    Raises InvalidResolverPrefix for what is not ``http-resolver-prefix`` (a scheme, an authority
    and a path alone), and for an authority with a user's name, which no address of HTTP has any
    more (RFC 9110 section 4.2.4).

    Source: The ARK URI scheme sections 4.1 and 7.1.
    """
    if len(text) > _LONGEST_PREFIX:
        raise InvalidResolverPrefix(f"Enter a prefix of at most {_LONGEST_PREFIX:,} characters.")
    try:
        prefix = parse_reference(text)
    except InvalidUriReference as error:
        raise InvalidResolverPrefix(f"{error} {_WANTED}") from error
    fault = _fault(prefix)
    if fault:
        raise InvalidResolverPrefix(f"{fault} {_WANTED}")
    return text.removesuffix("/")


_WANTED = f"Enter a prefix such as {GLOBAL_RESOLVER}."


def _fault(prefix: UriReference) -> str:
    if not prefix.is_web_address:
        return "The prefix must start with http:// or https://."
    if not (prefix.authority or "").rpartition("@")[2].partition(":")[0]:
        return "The host is missing."
    if "@" in (prefix.authority or ""):
        return "The prefix contains a user name. Remove it."
    if prefix.query is not None or prefix.fragment is not None:
        return "The prefix has a query or fragment. Remove it: the ARK follows the prefix."
    return ""


def embedded_ark(ark: ARK, prefix: str = GLOBAL_RESOLVER) -> UriReference:
    """The address at which a resolver is asked for an ARK, with the ARK's own fragment. Raises
    InvalidResolverPrefix.

    Source: The ARK URI scheme sections 4.1 and 7.1.
    """
    before = parse_reference(parse_prefix(prefix))
    return before._replace(
        path=f"{before.path}/{_encoded(ark.basic_ark)}",
        query=None if ark.query is None else _encoded(ark.query),
        fragment=None if ark.fragment is None else _encoded(ark.fragment),
    )


def _encoded(text: str) -> str:
    return quote(text, safe=string.printable)
