"""Keeping what lets somebody answer as an account out of what everybody can read."""

import re


def without_tokens(text: str, address: str) -> str:
    """A text in which our address for replies has nothing behind its plus.

    Mail programs copy the addresses of a message above what they quote, and whoever knows
    the part behind the plus could write in another's name. An empty address changes nothing.

    Source: RFC 5233 section 1, for addresses with a detail.
    """
    local, _, domain = address.rpartition("@")
    if not local:
        return text
    detail = r"(?:\+|%2B)[\w.%-]{1,100}"
    found = rf"(?<![\w.+-]){re.escape(local)}{detail}@{re.escape(domain)}(?![\w-]|\.\w)"
    return re.sub(found, lambda _: address, text, flags=re.IGNORECASE | re.ASCII)
