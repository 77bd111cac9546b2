"""Settings: the environment, read once into a frozen value."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PREFIX = "URN_REGISTRY_"
# What a registry is, and what one that is not IANA's says of itself on every page and export.
NOTICES = {
    "official": "",
    "private": "This is a private registry of URN namespaces. It is not IANA’s: names and numbers "
    "given here hold here alone.",
    "proposal": "This registry prepares requests to IANA. It is not IANA’s: it gives no names and "
    "no numbers.",
}
# What the record of a registry says where fewer people decide than three.
FEWER = {
    1: "One person is enough here to write a request, to approve it and to register it.",
    2: "Two people are enough here: whoever approves a request may register it.",
}
LONGEST_NOTE = 1000
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class BadSetting(ValueError):
    """A setting that cannot be used; names the variable and says what it takes."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{PREFIX}{name.upper()}: {why}")


def is_loopback(host: str | None) -> bool:
    """Whether a host is this machine, which nobody else reaches by that name."""
    return host in _LOOPBACK


def _flag(text: str) -> bool:
    if text.lower() not in {"0", "1", "no", "yes", "false", "true"}:
        raise ValueError("takes yes or no")
    return text.lower() in {"1", "yes", "true"}


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError("takes a whole number")
    return int(text)


def _base_url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path not in {"", "/"}:
        raise ValueError("takes an address such as https://registry.example, without a path")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ValueError(
            "takes http:// for this machine alone (127.0.0.1, localhost, [::1]): what people send "
            "to another one would be read on its way. Put a server that speaks TLS in front, and "
            f"set https://{parts.netloc}"
        )
    return text.rstrip("/")


def _authority(text: str) -> str:
    if text not in NOTICES:
        raise ValueError(f"takes one of {', '.join(NOTICES)}")
    return text


def _note(text: str) -> str:
    if len(text) > LONGEST_NOTE or not text.isprintable():
        raise ValueError(f"takes one line of {LONGEST_NOTE} characters at most")
    return text.strip()


def _contact(text: str) -> str:
    """A URI that a person is reached by; a plain address of mail becomes one."""
    if not text:
        return ""
    given = text if ":" in text else f"mailto:{text}"
    scheme, _, rest = given.partition(":")
    is_known = scheme.lower() in {"mailto", "https", "tel"} and bool(rest.strip("/"))
    is_mail = scheme.lower() != "mailto" or "@" in rest.strip("@")
    if not (is_known and is_mail and given.isascii() and given.isprintable() and " " not in given):
        raise ValueError("takes an address of mail, or one with mailto:, https: or tel:")
    return given


def _smtp_url(text: str) -> str:
    if text and urlsplit(text).scheme not in {"smtp", "smtps"}:
        raise ValueError("takes smtp://host:port or smtps://host:port")
    return text


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Networks or single addresses, such as ``10.0.0.0/8, ::1``."""
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise ValueError(f"takes networks such as 127.0.0.1, 10.0.0.0/8; {error}") from error


def _authserv_id(text: str) -> str:
    if not re.fullmatch(r"[!-~]{0,255}", text, re.ASCII) or set(text) & set('();="'):
        raise ValueError("takes a name such as mx.example.org, without spaces")
    return text


def _days(text: str) -> tuple[tuple[str, int], ...]:
    """Days by state, such as ``expert-review=21, informal/expert-review=14``."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if any(not equals for _, equals, _ in pairs):
        raise ValueError("takes states with days, such as expert-review=21, new=3")
    return tuple((state.strip(), _count(days.strip())) for state, _, days in pairs)


def _setting(default: Any, help_: str, read: Callable[[str], Any] = str) -> Any:
    return field(default=default, metadata={"help": help_, "read": read})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that may differ between two registries run by this software."""

    data_dir: Path = _setting(
        Path("instance"), "Folder of the database and of what is published.", Path
    )
    database_url: str = _setting(
        "", "SQLAlchemy address of the database; empty for SQLite in the data folder."
    )
    base_url: str = _setting(
        "http://127.0.0.1:8000",
        "Where people reach the site. Every absolute link is made from it.",
        _base_url,
    )
    secret_key: str = _setting(
        "", "Signs sessions and one-time links; empty for one made and kept in the data folder."
    )
    authority: str = _setting(
        "private",
        "What this registry is: `official`, `private` (names given here are not IANA’s) or "
        "`proposal` (prepares requests to IANA, registers nothing).",
        _authority,
    )
    note: str = _setting(
        "",
        "The operator’s own note, in one line. It stands above the names on every page and in "
        "every export, in place of the note that IANA’s registry has.",
        _note,
    )
    smtp_url: str = _setting(
        "",
        "Mail server, as smtp://user:password@host:587 (STARTTLS where offered) or smtps://. "
        "Empty: on loopback, sign-in links are printed on the console of `serve`.",
        _smtp_url,
    )
    mail_from: str = _setting("registry@localhost", "Sender of the registry’s mail.")
    reply_address: str = _setting(
        "",
        "Address that a mail server pipes to `urn-registry mail ingest`, with what stands behind a "
        "plus. Replies to the registry’s mail then come in as comments; empty: mail says no such "
        "address.",
    )
    authserv_id: str = _setting(
        "",
        "Name under which your mail server writes its Authentication-Results field (RFC 8601). "
        "Mail that it says passes DMARC is filed as its sender’s own; the server has to take away "
        "fields of that name that come from outside. Empty: only the registry’s own addresses for "
        "replies show who writes.",
        _authserv_id,
    )
    security_contact: str = _setting(
        "",
        "Where to report a hole: an address of mail, or one with mailto:, https: or tel:. It "
        "stands in `/.well-known/security.txt`; empty: there is no such file.",
        _contact,
    )
    list_address: str = _setting(
        "",
        "Discussion list that every request is posted to; empty: the public page is the posting.",
    )
    reviews_needed: int = _setting(
        2, "Concurring reviews of experts that decide a request.", _count
    )
    leader_decides: bool = _setting(
        True, "Whether the review of the experts’ team leader decides alone.", _flag
    )
    people_needed: int = _setting(
        3,
        "People a registration takes at least: 3 keeps who wrote, who approved and who registers "
        "apart; 2 lets who approved register; 1 is for a private registry of one person. With "
        "fewer than 3 every page and record says so.",
        _count,
    )
    due_days: tuple[tuple[str, int], ...] = _setting(
        (),
        "Days until the next step of a request is due, by state and where need be by procedure, "
        "such as `expert-review=21, informal/expert-review=14`; what is not named keeps its own: "
        "5 for New, Assignable and Modifiable, 10 for Validating Request, 28 for Expert Review "
        "(14 if informal), 30 for With Requester, 60 to 90 for IESG Escalation.",
        _days,
    )
    appeal_months: int = _setting(2, "Months in which a decision can be appealed.", _count)
    reminder_days: int = _setting(
        7,
        "Days of silence between two reminders to a registrant, and before a request ends.",
        _count,
    )
    transfer_days: int = _setting(
        14,
        "Days in which those who act for a namespace, and its contact on file, can object to its "
        "transfer to another registrant.",
        _count,
    )
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = _setting(
        (),
        "Networks of the servers in front, such as `127.0.0.1, 10.0.0.0/8`: what they write into "
        "`X-Forwarded-For` is believed. Empty: the header is ignored, and who connects is who "
        "asks. Links to sign in are limited by who asks.",
        _networks,
    )
    demo: bool = _setting(
        False,
        "One click signs in as anybody. Starts where the base address and the one to listen on are "
        "of this machine alone, and answers nobody else.",
        _flag,
    )

    @property
    def database(self) -> str:
        """The database's address as SQLAlchemy takes it, its driver named."""
        if not self.database_url:
            return f"sqlite:///{self.data_dir.resolve() / 'registry.sqlite3'}"
        scheme, _, rest = self.database_url.partition("://")
        return (
            f"postgresql+psycopg://{rest}"
            if scheme in {"postgres", "postgresql"}
            else self.database_url
        )

    @property
    def notice(self) -> str:
        """What the registry says of itself on every page and in every export."""
        said = NOTICES[self.authority], FEWER.get(max(1, self.people_needed), ""), self.note
        return " ".join(filter(None, said))

    @property
    def published_dir(self) -> Path:
        """Where this host lays out what it publishes."""
        return self.data_dir / "published"


def read_settings(environ: Mapping[str, str], **given: Any) -> Settings:
    """Settings from an environment; what is given by name goes before it.

    Raises BadSetting for a value that cannot be used and for an unknown variable with
    the prefix, since a misspelt setting would otherwise be lost in silence.
    """
    known = {f"{PREFIX}{row.name.upper()}": row for row in fields(Settings)}
    unknown = sorted(name for name in environ if name.startswith(PREFIX) and name not in known)
    if unknown:
        raise BadSetting(unknown[0].removeprefix(PREFIX), "is not a setting of this software")
    values: dict[str, Any] = {}
    for name, row in known.items():
        if name in environ:
            values[row.name] = _read(row.name, row.metadata["read"], environ[name])
    return Settings(**(values | given))


def _read(name: str, read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except ValueError as error:
        raise BadSetting(name, str(error)) from error


_SHOWN = {"True": "yes", "False": "no", "()": ""}


def settings_table() -> str:
    """The settings as a Markdown table, for the README."""
    rows = ["| variable | default | what it does |", "|---|---|---|"]
    for row in fields(Settings):
        default = _SHOWN.get(str(row.default), str(row.default))
        shown = f"`{default}`" if default else ""
        rows.append(f"| `{PREFIX}{row.name.upper()}` | {shown} | {row.metadata['help']} |")
    return "\n".join(rows)
