"""Readers for each kind of setting: text to value, or ValueError that says what is valid.

No message repeats the text, because it can contain a password.
"""

import os
import re
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from unicodedata import category
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

LONGEST_BODY_NAME = 24  # as wide as a box of a diagram
LONGEST_NOTE = 1000
SHORTEST_SECRET, LEAST_LETTERS = 32, 8
MOST_DAYS, MOST_MONTHS = 3650, 120  # ten years: later days are not in every calendar
MOST_NAMES = 100_000
_LONGEST_LOCAL = 64  # RFC 5321 section 4.5.3.1.1
_LONGEST_SUFFIX = 253 - 33  # a NID has 32 characters at most, and a full stop
_REPLY_TOKEN = 41  # a plus and what stands behind it
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"
_NAAN_LETTERS = "bcdfghjkmnpqrstvwxz"
_NAAN_PREFIX = re.compile(f"(?!b)[{_NAAN_LETTERS}]{{1,3}}")
_DOMAIN = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*", re.ASCII)
_LOCAL = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*")
_NAMED = re.compile(r'[^<>"@,;:\\]{1,100} <([^<> ]+)>')
_FOUR_NUMBERS = re.compile(r"[0-9.]+", re.ASCII)
_TELEPHONE = re.compile(r"\+?[0-9().-]{3,30}", re.ASCII)
_CONTACT = "enter an e-mail address, or a mailto:, https: or tel: address"
_POSTGRESQL = frozenset({"postgres", "postgresql", "postgresql+psycopg"})


def is_loopback(host: str | None) -> bool:
    return host in _LOOPBACK


def is_host(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return _DOMAIN.fullmatch(text) is not None and not _FOUR_NUMBERS.fullmatch(text)
    return True


def flag(text: str) -> bool:
    """Read yes or no."""
    if text.lower() not in {"0", "1", "no", "yes", "false", "true"}:
        raise ValueError("enter yes or no")
    return text.lower() in {"1", "yes", "true"}


def count(least: int, most: int) -> Callable[[str], int]:
    """Return a reader of whole numbers within these limits."""

    def read(text: str) -> int:
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
        if not least <= number <= most:
            raise ValueError(f"enter a whole number from {least} to {most}")
        return number

    return read


def count_or_none(least: int, most: int) -> Callable[[str], int | None]:
    """Return a reader of whole numbers within these limits, or None for an empty text."""
    read = count(least, most)
    return lambda text: read(text) if text.strip() else None


def folder(text: str) -> Path:
    """Read a folder that exists or can be created."""
    path = Path(text)
    if not text.strip():
        raise ValueError("enter a folder")
    try:
        nearest = next(one for one in (path, *path.absolute().parents) if one.exists())
        is_folder, is_open = nearest.is_dir(), os.access(nearest, os.R_OK | os.W_OK | os.X_OK)
    except OSError as error:
        raise ValueError(f"the folder can't be read: {error.strerror}. Enter another one") from None
    if not is_folder:
        raise ValueError(f"{nearest} is a file. Enter a folder")
    if not is_open:
        raise ValueError(
            f"no permission to write to {nearest}. Change its permissions or enter another folder"
        )
    return path


def secret(text: str) -> str:
    """Read a secret that can't be guessed, or an empty text."""
    if text and (len(text) < SHORTEST_SECRET or len(set(text)) < LEAST_LETTERS):
        raise ValueError(
            f"enter at least {SHORTEST_SECRET} random letters and digits, for example from "
            "`openssl rand -hex 32`"
        )
    return text


def one_of(known: tuple[str, ...]) -> Callable[[str], str]:
    """Return a reader of one of these words."""

    def read(text: str) -> str:
        if text not in known:
            raise ValueError(f"enter one of {', '.join(known)}")
        return text

    return read


def note(text: str) -> str:
    """Read one line of text."""
    if len(text) > LONGEST_NOTE or not text.isprintable():
        raise ValueError(f"enter one line of at most {LONGEST_NOTE} characters")
    return text.strip()


def body_name(text: str) -> str:
    """Read the name of a body, short enough for a diagram, or an empty text."""
    if len(text) > LONGEST_BODY_NAME or text.casefold().startswith("the "):
        raise ValueError(f"enter a name of at most {LONGEST_BODY_NAME} characters, without “the”")
    if text and not (text[0].isalnum() and all(map(_is_of_a_name, text))):
        raise ValueError(
            "enter a name with only letters, digits, spaces and the characters - ’ . , &"
        )
    return text


def _is_of_a_name(character: str) -> bool:
    is_mark = category(character).startswith("M")  # part of letters in some scripts
    return character.isalnum() or is_mark or character in " -'’.,&"


def base_url(text: str) -> str:
    """Read the base URL: scheme, host and port only."""
    parts = _split(text, "enter an address such as https://registry.example")
    if parts.scheme not in {"http", "https"} or not is_host(parts.hostname or ""):
        raise ValueError("enter an address such as https://registry.example")
    if "@" in parts.netloc or "?" in text or "#" in text or parts.path not in {"", "/"}:
        raise ValueError(
            "enter an address without a path, query, fragment, user name or password, such as "
            "https://registry.example"
        )
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ValueError(
            "http:// is allowed only for this computer (127.0.0.1, localhost, [::1]), because it "
            f"isn't encrypted. Use a TLS proxy and set https://{parts.netloc}"
        )
    return text.rstrip("/")


def _split(text: str, takes: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError(f"{takes}; the host or port isn't valid (ports: 1 to 65535)") from None
    if port == 0 or parts.netloc.endswith(":"):
        raise ValueError(f"{takes}; the port isn't valid (1 to 65535)")
    return parts


def address(text: str) -> str:
    """Read an e-mail address, or an empty text."""
    if text and not _is_address(text):
        raise ValueError("enter an e-mail address such as registry@example.org")
    return text


def _is_address(text: str) -> bool:
    local, _, domain = text.rpartition("@")
    fits = len(local.encode()) <= _LONGEST_LOCAL
    return fits and _LOCAL.fullmatch(local) is not None and is_domain(domain)


def is_domain(text: str) -> bool:
    labels = text.split(".")
    plain = "".join("x" if not letter.isascii() and letter.isalnum() else letter for letter in text)
    return all(labels) and _DOMAIN.fullmatch(plain) is not None


def sender(text: str) -> str:
    """Read the sender of mail: an e-mail address, optionally with a name before it."""
    named = _NAMED.fullmatch(text)
    if not _is_address(named[1] if named else text):
        raise ValueError(
            "enter an e-mail address such as registry@example.org, optionally with a name: "
            "URN Registry <registry@example.org>"
        )
    return text


def reply_address(text: str) -> str:
    """Read an e-mail address with space for a plus sign and a token after its local part."""
    address(text)
    if len(text.rpartition("@")[0].encode()) > _LONGEST_LOCAL - _REPLY_TOKEN:
        raise ValueError(
            f"enter an address with at most {_LONGEST_LOCAL - _REPLY_TOKEN} characters before the "
            "@, such as reply@example.org, because a token is added to it"
        )
    return text


def contact(text: str) -> str:
    """Read the URI of a contact. A plain e-mail address becomes a mailto: URI."""
    if not text:
        return ""
    given = text if ":" in text else f"mailto:{text}"
    scheme, _, rest = given.partition(":")
    if not given.isascii() or not _is_contact(scheme.lower(), rest, given):
        raise ValueError(_CONTACT)
    return given


def _is_contact(scheme: str, rest: str, whole: str) -> bool:
    if scheme == "https":
        parts = _split(whole, _CONTACT)
        return is_host(parts.hostname or "") and "@" not in parts.netloc and " " not in whole
    if scheme == "mailto":
        return _is_address(rest)
    return scheme == "tel" and _TELEPHONE.fullmatch(rest) is not None


def smtp_url(text: str) -> str:
    """Read the address of a mail server, or an empty text."""
    takes = "enter smtp://host:port or smtps://host:port, with user:password@ if required"
    if not text:
        return ""
    parts = _split(text, takes)
    if parts.scheme not in {"smtp", "smtps"} or not is_host(parts.hostname or ""):
        raise ValueError(f"{takes}; the scheme or host isn't valid")
    if parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise ValueError(
            f"{takes}, and nothing after it. In a password, write / ? # @ as %2F %3F %23 %40"
        )
    if bool(parts.username) != bool(parts.password):
        raise ValueError(f"{takes}; the user or the password is missing")
    return text


def networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Read networks or IP addresses, such as ``10.0.0.0/8, ::1``."""
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise ValueError(f"enter networks such as 127.0.0.1, 10.0.0.0/8; {error}") from error


def hosts(text: str) -> tuple[str, ...]:
    """Read host names in lower case, such as ``arks.example.org, pid.example.org``."""
    parts = (part.strip().lower().removesuffix(".") for part in text.split(","))
    named = tuple(dict.fromkeys(filter(None, parts)))
    if not all(is_host(name) and ":" not in name for name in named):
        raise ValueError(
            "enter host names such as arks.example.org, pid.example.org, without a scheme, port "
            "or path"
        )
    return named


def authserv_id(text: str) -> str:
    """Read the name of a mail server (RFC 8601 section 2.5), or an empty text."""
    if text and not _DOMAIN.fullmatch(text):
        raise ValueError("enter a host name such as mx.example.org, without spaces")
    return text


def naptr_suffix(text: str) -> str:
    """Read a domain with space for a NID before it, in lower case, or an empty text.

    Source: RFC 1035 section 2.3.4; RFC 3405 for the two domains that IANA keeps.
    """
    domain = text.removesuffix(".").lower()
    if text and not (_DOMAIN.fullmatch(domain) and len(domain) <= _LONGEST_SUFFIX):
        raise ValueError(
            f"enter a domain such as urn.example.org, at most {_LONGEST_SUFFIX} characters"
        )
    if domain.endswith(".arpa") or domain == "arpa":
        raise ValueError(
            "enter a domain of your own, such as urn.example.org: IANA manages urn.arpa and "
            "uri.arpa (RFC 3405)"
        )
    return domain


def naan_prefix(text: str) -> str:
    """Read the first letters of NAANs assigned here, which no other registry uses.

    Source: The ARK Identifier Scheme, on the Name Assigning Authority Number: those of the registry
    are digits, and those that are images of DOI prefixes begin with ``b``.
    """
    if not _NAAN_PREFIX.fullmatch(text):
        raise ValueError(f"enter one to three of the letters {_NAAN_LETTERS}; the first can't be b")
    return text


def days(text: str) -> tuple[tuple[str, int], ...]:
    """Read days by state, such as ``expert-review=21, informal/expert-review=14``."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if any(not equals for _, equals, _ in pairs):
        raise ValueError("enter states with days, such as expert-review=21, new=3")
    states = [state.strip() for state, _, _ in pairs]
    if len(set(states)) < len(states):
        raise ValueError("enter each state only once, such as expert-review=21, new=3")
    read = count(1, MOST_DAYS)
    return tuple((state.strip(), read(number.strip())) for state, _, number in pairs)


def database_url(text: str) -> str:
    """Read the address of a database, or an empty text for a file in the data folder."""
    scheme, separator, rest = text.partition("://")
    if not text:
        return ""
    if scheme == "sqlite" and rest.startswith("/") and rest.partition("?")[0].strip("/"):
        return text
    if scheme not in _POSTGRESQL or not separator:
        raise ValueError(
            "enter postgresql://user:password@host:5432/name or sqlite:////folder/file.sqlite3"
        )
    _postgresql(rest)
    return text


def sqlalchemy_url(text: str) -> str:
    """Convert a database address for SQLAlchemy: name the driver, list the hosts in the query."""
    scheme, _, rest = text.partition("://")
    return f"postgresql+psycopg://{_postgresql(rest)}" if scheme in _POSTGRESQL else text


def _postgresql(rest: str) -> str:
    authority, slash, behind = rest.partition("/")
    authority, _, query_alone = authority.partition("?")
    who, at, hosts = authority.rpartition("@")
    pairs = [_host_and_port(one) for one in hosts.split(",")] if hosts else []
    name, _, query = behind.partition("?")
    given = parse_qsl(query or query_alone, keep_blank_values=True)
    _check_ports(",".join(value for key, value in given if key == "port"))
    if len(pairs) < 2:
        return rest
    if any(key in {"host", "port"} for key, _ in given):
        raise ValueError(
            "enter hosts either before the database name, or as host= and port= after it"
        )
    listed = [("host", ",".join(h for h, _ in pairs)), ("port", ",".join(p for _, p in pairs))]
    said = urlencode(listed + given, safe=",:/", quote_via=quote)
    return f"{who}{at}{slash or '/'}{name}?{said}"


def _host_and_port(text: str) -> tuple[str, str]:
    bracketed = re.fullmatch(r"\[([0-9a-fA-F:.]+)\](?::(.*))?", text)
    host, port = (bracketed[1], bracketed[2] or "") if bracketed else _parted(text)
    if not is_host(host):
        raise ValueError("enter hosts such as db.example.org:5432; one host isn't valid")
    _check_ports(port)
    return host, port


def _parted(text: str) -> tuple[str, str]:
    host, colon, port = text.partition(":")
    if colon and not port:
        raise ValueError("enter hosts such as db.example.org:5432; a port is missing")
    return host, port


def _check_ports(text: str) -> None:
    for port in filter(None, text.split(",")):
        if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 2**16):
            raise ValueError("enter ports from 1 to 65535; one port isn't valid")
