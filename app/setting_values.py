"""What each kind of setting takes: text -> value, or ValueError with what it takes instead.

No sentence repeats the text, which can hold a password.
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
_CONTACT = "takes an address of mail, or one with mailto:, https: or tel:"
_POSTGRESQL = frozenset({"postgres", "postgresql", "postgresql+psycopg"})


def is_loopback(host: str | None) -> bool:
    """Whether a host is this machine, which nobody else reaches by that name."""
    return host in _LOOPBACK


def is_host(text: str) -> bool:
    """Whether a text is the name of a host, or an address of one."""
    try:
        ip_address(text)
    except ValueError:
        return _DOMAIN.fullmatch(text) is not None and not _FOUR_NUMBERS.fullmatch(text)
    return True


def flag(text: str) -> bool:
    """Yes or no."""
    if text.lower() not in {"0", "1", "no", "yes", "false", "true"}:
        raise ValueError("takes yes or no")
    return text.lower() in {"1", "yes", "true"}


def count(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within these bounds."""

    def read(text: str) -> int:
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
        if not least <= number <= most:
            raise ValueError(f"takes a whole number from {least} to {most}")
        return number

    return read


def count_or_none(least: int, most: int) -> Callable[[str], int | None]:
    """Reads a whole number within these bounds; an empty text is none."""
    read = count(least, most)
    return lambda text: read(text) if text.strip() else None


def folder(text: str) -> Path:
    """A folder that is there or can be made."""
    path = Path(text)
    if not text.strip():
        raise ValueError("takes a folder")
    try:
        nearest = next(one for one in (path, *path.absolute().parents) if one.exists())
        is_folder, is_open = nearest.is_dir(), os.access(nearest, os.R_OK | os.W_OK | os.X_OK)
    except OSError as error:
        raise ValueError(f"takes a folder; this cannot be looked at: {error.strerror}") from None
    if not is_folder:
        raise ValueError(f"takes a folder; {nearest} is a file")
    if not is_open:
        raise ValueError(f"takes a folder of whoever runs this; {nearest} is not theirs to write")
    return path


def secret(text: str) -> str:
    """A long text that nobody guesses; empty for none."""
    if text and (len(text) < SHORTEST_SECRET or len(set(text)) < LEAST_LETTERS):
        raise ValueError(
            f"takes {SHORTEST_SECRET} letters and digits at least, chosen at random, such as "
            "`openssl rand -hex 32` makes"
        )
    return text


def one_of(known: tuple[str, ...]) -> Callable[[str], str]:
    """Reads one of these words."""

    def read(text: str) -> str:
        if text not in known:
            raise ValueError(f"takes one of {', '.join(known)}")
        return text

    return read


def note(text: str) -> str:
    """One line for people."""
    if len(text) > LONGEST_NOTE or not text.isprintable():
        raise ValueError(f"takes one line of {LONGEST_NOTE} characters at most")
    return text.strip()


def body_name(text: str) -> str:
    """The name of a body, short enough for a diagram; empty where none is chosen.

    It stands in sentences that are read as Markdown, and in mail: it has none of the characters
    that mean something there.
    """
    if len(text) > LONGEST_BODY_NAME or text.casefold().startswith("the "):
        raise ValueError(
            f"takes a name of {LONGEST_BODY_NAME} characters at most, without “the” before it"
        )
    if text and not (text[0].isalnum() and all(map(_is_of_a_name, text))):
        raise ValueError(
            "takes a plain name: letters, digits and spaces, with “-”, “’”, “.”, “,” and “&” among "
            "them"
        )
    return text


def _is_of_a_name(character: str) -> bool:
    is_mark = category(character).startswith("M")  # which some scripts spell letters with
    return character.isalnum() or is_mark or character in " -'’.,&"


def base_url(text: str) -> str:
    """Where a site is: scheme, host and port alone."""
    parts = _split(text, "takes an address such as https://registry.example")
    if parts.scheme not in {"http", "https"} or not is_host(parts.hostname or ""):
        raise ValueError("takes an address such as https://registry.example, with nothing behind")
    if "@" in parts.netloc or "?" in text or "#" in text or parts.path not in {"", "/"}:
        raise ValueError(
            "takes an address without a path, a query, a fragment, a name or a password, such as "
            "https://registry.example"
        )
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ValueError(
            "takes http:// for this machine alone (127.0.0.1, localhost, [::1]): what people send "
            "to another one would be read on its way. Put a server that speaks TLS in front, and "
            f"set https://{parts.netloc}"
        )
    return text.rstrip("/")


def _split(text: str, takes: str) -> SplitResult:
    """The parts of an address, its port looked at."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError(f"{takes}; its host or its port is none (1 to 65535)") from None
    if port == 0 or parts.netloc.endswith(":"):
        raise ValueError(f"{takes}; its port is none (1 to 65535)")
    return parts


def address(text: str) -> str:
    """An address of mail; empty for none."""
    if text and not _is_address(text):
        raise ValueError("takes an address of mail such as registry@example.org")
    return text


def _is_address(text: str) -> bool:
    local, _, domain = text.rpartition("@")
    fits = len(local.encode()) <= _LONGEST_LOCAL
    return fits and _LOCAL.fullmatch(local) is not None and is_domain(domain)


def is_domain(text: str) -> bool:
    """Whether a text is a domain, in any script."""
    labels = text.split(".")
    plain = "".join("x" if not letter.isascii() and letter.isalnum() else letter for letter in text)
    return all(labels) and _DOMAIN.fullmatch(plain) is not None


def sender(text: str) -> str:
    """Who mail is from: an address, perhaps with a name before it."""
    named = _NAMED.fullmatch(text)
    if not _is_address(named[1] if named else text):
        raise ValueError(
            "takes an address of mail such as registry@example.org, or one with a name before it: "
            "URN Registry <registry@example.org>"
        )
    return text


def reply_address(text: str) -> str:
    """An address that leaves room for a plus and a token behind its local part."""
    address(text)
    if len(text.rpartition("@")[0].encode()) > _LONGEST_LOCAL - _REPLY_TOKEN:
        raise ValueError(
            f"takes an address with {_LONGEST_LOCAL - _REPLY_TOKEN} characters at most before the "
            "@, such as reply@example.org: more is put behind them"
        )
    return text


def contact(text: str) -> str:
    """A URI that a person is reached by; a plain address of mail becomes one."""
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
    """A mail server; empty for none."""
    takes = "takes smtp://host:port or smtps://host:port, with user:password@ where it asks for one"
    if not text:
        return ""
    parts = _split(text, takes)
    if parts.scheme not in {"smtp", "smtps"} or not is_host(parts.hostname or ""):
        raise ValueError(f"{takes}; this has no such scheme, or no such host")
    if parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise ValueError(
            f"{takes}, and nothing behind it. Write a / ? # or @ in a password as %2F %3F %23 %40"
        )
    if bool(parts.username) != bool(parts.password):
        raise ValueError(f"{takes}; this has one of user and password without the other")
    return text


def networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Networks or single addresses, such as ``10.0.0.0/8, ::1``."""
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise ValueError(f"takes networks such as 127.0.0.1, 10.0.0.0/8; {error}") from error


def hosts(text: str) -> tuple[str, ...]:
    """Names of hosts in lower case, such as ``arks.example.org, pid.example.org``."""
    parts = (part.strip().lower().removesuffix(".") for part in text.split(","))
    named = tuple(dict.fromkeys(filter(None, parts)))
    if not all(is_host(name) and ":" not in name for name in named):
        raise ValueError(
            "takes names of hosts such as arks.example.org, pid.example.org, without a scheme, a "
            "port or a path"
        )
    return named


def words(text: str) -> tuple[str, ...]:
    """What stands between spaces."""
    return tuple(text.split())


def authserv_id(text: str) -> str:
    """The name of a mail server, RFC 8601 section 2.5; empty for none."""
    if text and not _DOMAIN.fullmatch(text):
        raise ValueError("takes a name such as mx.example.org, without spaces")
    return text


def naptr_suffix(text: str) -> str:
    """A domain in lower case that has room for a NID before it; empty for none.

    Source: RFC 1035 section 2.3.4; RFC 3405 for the two domains that IANA keeps.
    """
    domain = text.removesuffix(".").lower()
    if text and not (_DOMAIN.fullmatch(domain) and len(domain) <= _LONGEST_SUFFIX):
        raise ValueError(
            f"takes a domain such as urn.example.org, of {_LONGEST_SUFFIX} characters at most"
        )
    if domain.endswith(".arpa") or domain == "arpa":
        raise ValueError(
            "takes a domain of your own, such as urn.example.org: urn.arpa and uri.arpa are "
            "IANA’s, who enters records there by RFC 3405"
        )
    return domain


def naan_prefix(text: str) -> str:
    """Letters with which NAANs of one's own begin, so that nobody else has them.

    Source: The ARK Identifier Scheme, on the Name Assigning Authority Number: those of the registry
    are digits, and those that are images of DOI prefixes begin with ``b``.
    """
    if not _NAAN_PREFIX.fullmatch(text):
        raise ValueError(
            f"takes one to three of the letters {_NAAN_LETTERS}, and no b at the beginning"
        )
    return text


def days(text: str) -> tuple[tuple[str, int], ...]:
    """Days by state, such as ``expert-review=21, informal/expert-review=14``."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if any(not equals for _, equals, _ in pairs):
        raise ValueError("takes states with days, such as expert-review=21, new=3")
    states = [state.strip() for state, _, _ in pairs]
    if len(set(states)) < len(states):
        raise ValueError("takes each state once, such as expert-review=21, new=3")
    read = count(1, MOST_DAYS)
    return tuple((state.strip(), read(number.strip())) for state, _, number in pairs)


def database_url(text: str) -> str:
    """A database that this software knows; empty for a file in the data folder."""
    scheme, separator, rest = text.partition("://")
    if not text:
        return ""
    if scheme == "sqlite" and rest.startswith("/") and rest.partition("?")[0].strip("/"):
        return text
    if scheme not in _POSTGRESQL or not separator:
        raise ValueError(
            "takes postgresql://user:password@host:5432/name, or sqlite:////folder/file.sqlite3"
        )
    _postgresql(rest)
    return text


def sqlalchemy_url(text: str) -> str:
    """A database's address as SQLAlchemy takes it: the driver named, more hosts in the query."""
    scheme, _, rest = text.partition("://")
    return f"postgresql+psycopg://{_postgresql(rest)}" if scheme in _POSTGRESQL else text


def _postgresql(rest: str) -> str:
    """What stands behind the scheme, with hosts and ports in libpq's lists where there are more.

    ``u:p@a:5432,b/name?x=y`` becomes ``u:p@/name?host=a,b&port=5432,&x=y``.

    Source: PostgreSQL, libpq, 34.1.1.2 connection URIs and 34.1.1.3 specifying multiple hosts.
    """
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
        raise ValueError("takes its hosts before the name, or in host= and port= behind it")
    listed = [("host", ",".join(h for h, _ in pairs)), ("port", ",".join(p for _, p in pairs))]
    said = urlencode(listed + given, safe=",:/", quote_via=quote)
    return f"{who}{at}{slash or '/'}{name}?{said}"


def _host_and_port(text: str) -> tuple[str, str]:
    bracketed = re.fullmatch(r"\[([0-9a-fA-F:.]+)\](?::(.*))?", text)
    host, port = (bracketed[1], bracketed[2] or "") if bracketed else _parted(text)
    if not is_host(host):
        raise ValueError("takes hosts such as db.example.org:5432; this has one that is none")
    _check_ports(port)
    return host, port


def _parted(text: str) -> tuple[str, str]:
    host, colon, port = text.partition(":")
    if colon and not port:
        raise ValueError("takes hosts such as db.example.org:5432; a port is missing")
    return host, port


def _check_ports(text: str) -> None:
    for port in filter(None, text.split(",")):
        if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 2**16):
            raise ValueError("takes ports from 1 to 65535; this has one that is none")
