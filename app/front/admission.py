"""Who is let in, judged by the head of a request alone, whichever server it runs under."""

import re
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from app.config import is_loopback
from app.problems import transport_codes
from app.published.http.http_exchange import HttpRequest
from app.published.http.problems import Problem
from app.published.names.name_targets import is_of_ark, is_of_name

_HOST = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE | re.ASCII)
# What servers in between add to a request; whoever added one, it came from another machine.
_ADDED = frozenset(
    ("forwarded", "via", "true-client-ip", "client-ip", "cdn-loop", "proxy-connection")
)
_ADDED_SO = (
    *("x-forwarded", "x-real", "x-client", "x-cluster", "x-original", "x-host", "x-proxyuser"),
    *("x-envoy", "x-azure", "x-amzn", "cf-", "fastly"),
)
TLS_ALONE = ("Strict-Transport-Security", "max-age=31536000")  # RFC 6797: a year
# No address of ours has a control character: what reads it may take one for the end of a line. A
# name may have an encoded one, and is answered as it is written, never by what reads paths decoded.
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

_UNREADABLE = Problem(
    transport_codes.ADDRESS_CONTROL,
    "The address has a control character, such as a line break (%0A). Correct the address.",
)
_OTHER_HOST = Problem(
    transport_codes.HOST_MISSING,
    "The request has different hosts in its address and its Host header. Send the same host in "
    "both (RFC 9112 section 3.2).",
)
_ABSOLUTE = re.compile(r"(https?)://([^/?#]*)", re.IGNORECASE)
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class Admission(NamedTuple):
    """The rules of a site: its base address, and whether it is a demonstration."""

    base_url: str
    demo: bool

    @property
    def is_secure(self) -> bool:
        return self.base_url.startswith("https:")

    def find_problem(self, request: HttpRequest) -> Problem | None:
        """Why a request is not let in; None where it is."""
        why = _find_elsewhere(request) if self.demo else None
        if why:
            return _only_here(why, self.base_url)
        if request.target[:1] != "/" and _is_for_other_host(request):
            return _OTHER_HOST
        path = request.path
        if _CONTROL.search(path) is None or is_of_name(path) or is_of_ark(path):
            return None
        return _UNREADABLE


def _is_for_other_host(request: HttpRequest) -> bool:
    target, host = _ABSOLUTE.match(request.target), request.headers.get("host")
    if target is None or host is None:
        return False
    port = _DEFAULT_PORTS[target[1].lower()]
    named, sent = (text.lower().removesuffix(port) for text in (target[2], host))
    return named != sent


def _find_elsewhere(request: HttpRequest) -> str | None:
    headers = request.headers
    if not _HOST.fullmatch(headers.get("host", "")):
        return "its Host header names another host"
    if not request.target.startswith(("/", "*")):
        return "it was meant for a proxy"
    if request.version == "1.0":  # no browser does, and nginx by itself
        return "it came through a proxy"
    names = [name.replace("_", "-") for name in headers]
    if any(name in _ADDED or name.startswith(_ADDED_SO) for name in names):
        return "it came through a proxy"
    if not _is_from_here(request.peer):
        return "it came from another computer"
    # A page whose address is secret, such as that of a sign-in link, has no referrer. Browsers send
    # "Origin: null" for its own forms too, and tell them apart by Sec-Fetch-Site.
    is_own = headers.get("sec-fetch-site") == "same-origin"
    for page in filter(None, (headers.get("origin"), headers.get("referer"))):
        if not (_is_of_loopback(page) or (page == "null" and is_own)):
            return "it was sent by a page of another site"
    return None


def _is_from_here(address: str | None) -> bool:
    if address is None:  # the server does not say
        return True
    try:
        return ip_address(address.removeprefix("::ffff:")).is_loopback
    except ValueError:
        return False


def _is_of_loopback(origin: str) -> bool:
    try:
        return is_loopback(urlsplit(origin).hostname)
    except ValueError:
        return False


def _only_here(why: str, base_url: str) -> Problem:
    return Problem(
        transport_codes.DEMONSTRATION_FOREIGN,
        f"Demo mode accepts only requests from its own computer. This request was refused: {why}. "
        "Open the site on the computer where it runs, or start it without demo mode.",
        there=base_url,
        leads_home=False,
    )
