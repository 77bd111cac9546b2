"""Settings: the environment, read once into a frozen value."""

import logging
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from app import setting_values as values

_log = logging.getLogger(__name__)

is_loopback = values.is_loopback
PREFIX = "URN_REGISTRY_"
FILE_SUFFIX = "_FILE"
_LARGEST_FILE = 65_536  # bytes that a file with a secret can have
_ALIKE = 0.8  # how alike a misspelled name is to the one that may be meant, from 0 to 1

# What Kubernetes adds to each container for every Service in its namespace: for a Service called
# `urn-registry` these names begin like settings. The value must look like a service link too, so
# that a misspelled setting is still reported.
# Source: Kubernetes documentation, "Service", section "Environment variables".
_PROTOCOL = "(?:TCP|UDP|SCTP)"
_SERVICE_LINKS = tuple(
    (re.compile(rf"{PREFIX}(?:\w{{1,100}}_)?{ending}", re.ASCII), re.compile(text, re.ASCII))
    for ending, text in (
        ("SERVICE_HOST", r"[0-9A-Fa-f.:]+"),
        (r"SERVICE_PORT(?:_\w{1,100})?", r"[0-9]+"),
        (rf"PORT(?:_[0-9]+_{_PROTOCOL})?", r"(?:tcp|udp|sctp)://[^/\s]{1,253}:[0-9]+"),
        (rf"PORT_[0-9]+_{_PROTOCOL}_PROTO", r"tcp|udp|sctp"),
        (rf"PORT_[0-9]+_{_PROTOCOL}_PORT", r"[0-9]+"),
        (rf"PORT_[0-9]+_{_PROTOCOL}_ADDR", r"[0-9A-Fa-f.:]+"),
    )
)

# Limits on what a client can send at once.
LARGEST_BODY = 1024 * 1024  # bytes: three long fields, each byte written as %XX
MOST_FIELDS = 200
LARGEST_UPLOAD = 6 * LARGEST_BODY  # bytes: a file of 5 MB and the other fields of its form

# The kinds of registry, and the notice of each on every page and in every export.
NOTICES = {
    "official": "",
    "private": "This is a private registry of URN namespaces. It is not IANA’s: its registrations "
    "are valid only here.",
    "proposal": "This site prepares requests to IANA and registers nothing. It is not IANA’s "
    "registry.",
}
# The notice if fewer than three people decide on a request.
FEWER = {
    1: "One person can write, approve and register a request here.",
    2: "The person who approves a request can also register it here.",
}


class BadSetting(ValueError):
    """A setting with an invalid value. The message names the variable and says what is valid."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{PREFIX}{name.upper()}: {why}")


def _setting(
    default: Any, help_: str, read: Callable[[str], Any] = str, *, is_secret: bool = False
) -> Any:
    return field(default=default, metadata={"help": help_, "read": read, "is_secret": is_secret})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a registry."""

    data_dir: Path = _setting(
        Path("instance"), "Folder for the database and the published files.", values.folder
    )
    database_url: str = _setting(
        "",
        "The database: `postgresql://user:password@host:5432/name`, with several hosts "
        "`postgresql://user@a:5432,b:5432/name?target_session_attrs=read-write`, or "
        "`sqlite:////folder/file.sqlite3`. Empty: an SQLite file in the data folder.",
        values.database_url,
        is_secret=True,
    )
    base_url: str = _setting(
        "http://127.0.0.1:8000",
        "Public address of the site. All absolute links begin with it.",
        values.base_url,
    )
    secret_key: str = _setting(
        "",
        "Secret that signs sessions and one-time links: at least 32 characters, the same on "
        "every host. Empty: a secret stored in the database.",
        values.secret,
        is_secret=True,
    )
    authority: str = _setting(
        "private",
        "Kind of registry: `official`, `private` (registrations are valid only here) or "
        "`proposal` (prepares requests to IANA and registers nothing).",
        values.one_of(tuple(NOTICES)),
    )
    note: str = _setting(
        "",
        "Note of the operator, one line. It replaces IANA’s note on every page and in every "
        "export.",
        values.note,
    )
    operator: str = _setting(
        "",
        "Name of the operator, one line, in the footer of every page. Empty: no name.",
        values.note,
    )
    contact: str = _setting(
        "",
        "Contact of the operator: an e-mail address, or a mailto:, https: or tel: address. "
        "Linked in the footer of every page. Empty: no link.",
        values.contact,
    )
    privacy: str = _setting(
        "",
        "Address of the privacy policy, in the same format. Empty: no link.",
        values.contact,
    )
    imprint: str = _setting(
        "",
        "Address of the operator’s imprint, in the same format. Empty: no link.",
        values.contact,
    )
    smtp_url: str = _setting(
        "",
        "Mail server: smtp://user:password@host:587 (with STARTTLS if offered) or smtps://. "
        "Empty: sign-in links are printed on the console of `serve` (only if the base URL is "
        "on this computer).",
        values.smtp_url,
        is_secret=True,
    )
    mail_from: str = _setting("registry@localhost", "Sender of the registry’s mail.", values.sender)
    reply_address: str = _setting(
        "",
        "Address that your mail server pipes to `urn-registry mail ingest`, including "
        "addresses with a plus sign (`reply+...@`). Replies to the registry’s mail then "
        "become comments. Empty: mail can't be answered.",
        values.reply_address,
    )
    authserv_id: str = _setting(
        "",
        "Name of your mail server in its Authentication-Results fields (RFC 8601). Mail that "
        "passes DMARC is filed under its sender. The server must remove fields with this name "
        "from incoming mail. Empty: only the registry’s reply addresses identify senders.",
        values.authserv_id,
    )
    security_contact: str = _setting(
        "",
        "Contact for security reports: an e-mail address, or a mailto:, https: or tel: "
        "address. Published in `/.well-known/security.txt`. Empty: no such file.",
        values.contact,
    )
    list_address: str = _setting(
        "",
        "Discussion list that receives every request for a URN namespace. Empty: requests are "
        "only on their public pages.",
        values.address,
    )
    naan_list_address: str = _setting(
        "",
        "Discussion list that receives every request for a NAAN or a shoulder. Empty: "
        "requests are only on their public pages.",
        values.address,
    )
    escalation_body: str = _setting(
        "",
        "Body that decides escalated requests and hears appeals: a name without “the”, at "
        "most 24 characters. Empty: IESG in an `official` registry, otherwise governing body.",
        values.body_name,
    )
    appeal_body: str = _setting(
        "",
        "Body that hears the last appeal, in the same format. Empty: IAB in an `official` "
        "registry, otherwise appeals body.",
        values.body_name,
    )
    reviews_needed: int = _setting(
        2, "Number of experts who must agree to decide a request, 1 to 20.", values.count(1, 20)
    )
    leader_decides: bool = _setting(
        True,
        "`yes`: the lead expert’s review is enough to decide a request.",
        values.flag,
    )
    people_needed: int = _setting(
        3,
        "Minimum number of people for a registration. 3: the author, the approver and the "
        "operator who registers must differ. 2: the approver can register. 1: one person can "
        "do everything. With fewer than 3, every page and record says so.",
        values.count(1, 3),
    )
    due_days: tuple[tuple[str, int], ...] = _setting(
        (),
        "Days until the next step of a request is due, by state, or by procedure and state, "
        "such as `expert-review=21, informal/expert-review=14`. Defaults: 5 for New, "
        "Assignable and Modifiable; 10 for the check (Validating Request); 28 for Expert Review "
        "(14 if informal); 30 for the registrant (With Requester); 60 to 90 for IESG Escalation; "
        "2 for New and Validating Request of a NAAN or shoulder (`NAAN/new`).",
        values.days,
    )
    appeal_months: int = _setting(
        2,
        "Months in which a decision can be appealed, 0 to 120.",
        values.count(0, values.MOST_MONTHS),
    )
    reminder_days: int = _setting(
        7,
        "Days without an answer until a registrant is reminded, and from the last reminder "
        "until the request ends.",
        values.count(1, values.MOST_DAYS),
    )
    transfer_days: int = _setting(
        14,
        "Days in which the managers and the registered contact of a namespace can object to "
        "its transfer.",
        values.count(1, values.MOST_DAYS),
    )
    naptr_suffix: str = _setting(
        "",
        "Your domain, such as `urn.example.org`, under which each namespace gets NAPTR "
        "records (RFC 3404) for this site. They are published in `/dns/urn-namespaces.zone`, "
        "to include in the zone of the domain. Empty: no such file. `urn.arpa` is refused "
        "because it belongs to IANA.",
        values.naptr_suffix,
    )
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = _setting(
        (),
        "Networks of your reverse proxies, such as `127.0.0.1, 10.0.0.0/8`. Their "
        "`X-Forwarded-For` headers identify visitors, for example to limit sign-in links. "
        "Empty: the header is ignored.",
        values.networks,
    )
    own_hosts: tuple[str, ...] = _setting(
        (),
        "Other host names of this site, such as `arks.example.org, pid.example.org`. An ARK "
        "with a target on these hosts or on the base URL shows its page, to avoid a redirect "
        "loop.",
        values.hosts,
    )
    check_resolvers: bool = _setting(
        True,
        "Check every resolver once a day and notify operators after three failures. Always "
        "off in demo mode and if the base URL is on this computer.",
        values.flag,
    )
    follow_arks: bool = _setting(
        True,
        "Let visitors follow the redirects of an ARK with the ARK tool, up to a limit per 15 "
        "minutes. Always off in demo mode and if the base URL is on this computer.",
        values.flag,
    )
    naans: bool = _setting(
        True,
        "`yes`: `init` adds the bundled NAANs and shoulders to a new registry. `no`: their "
        "pages stay empty and unlinked until `registry import-naans` imports a file.",
        values.flag,
    )
    naan_prefix: str = _setting(
        "x",
        "Prefix of the NAANs that a `private` registry assigns, such as `x` for `x4k7b`: one "
        "to three of the letters `bcdfghjkmnpqrstvwxz`, not beginning with `b`. It keeps them "
        "apart from the global NAANs. An `official` registry assigns five digits.",
        values.naan_prefix,
    )
    naans_one_person_may_give: int | None = _setting(
        None,
        "Number of NAANs and shoulders that one operator can assign within 24 hours without a "
        "second one. Above it, another operator who isn't involved in the request must agree. "
        "0: always. Empty: never.",
        values.count_or_none(0, values.MOST_NAMES),
    )
    demo: bool = _setting(
        False,
        "Demo mode: anyone signs in with one click. It works only if the base URL and the "
        "listening address are on this computer, and answers only this computer.",
        values.flag,
    )
    demo_requests: bool = _setting(
        True,
        "`yes`: `init --demo` adds past editions since 2015, requests in every state and "
        "sample identifiers. `no`: only the current registry.",
        values.flag,
    )

    @property
    def database(self) -> str:
        """The database address for SQLAlchemy, with its driver."""
        if not self.database_url:
            return f"sqlite:///{self.data_dir.resolve() / 'registry.sqlite3'}"
        return values.sqlalchemy_url(self.database_url)

    @property
    def is_of_one_machine(self) -> bool:
        return is_loopback(urlsplit(self.base_url).hostname)

    @property
    def asks_services(self) -> bool:
        return self.check_resolvers and not (self.is_of_one_machine or self.demo)

    @property
    def site_hosts(self) -> tuple[str, ...]:
        """The host of the base URL and the other hosts of this site."""
        return (urlsplit(self.base_url).netloc, *self.own_hosts)

    @property
    def notice(self) -> str:
        """The notice on every page and in every export."""
        said = NOTICES[self.authority], FEWER.get(max(1, self.people_needed), ""), self.note
        return " ".join(filter(None, said))

    @property
    def given_numbers_dir(self) -> Path:
        """Folder of the counters for minting, outside the database."""
        return self.data_dir / "given"

    @property
    def published_dir(self) -> Path:
        """Folder of the published files."""
        return self.data_dir / "published"

    @property
    def resolutions_dir(self) -> Path:
        """Folder where processes leave their counts of resolutions for the worker."""
        return self.data_dir / "resolutions"

    @property
    def leases_dir(self) -> Path:
        """Folder where workers note their leases."""
        return self.data_dir / "leases"

    @property
    def names_dir(self) -> Path:
        """Folder of this host's copy of the bound identifiers."""
        return self.data_dir / "names"


def read_settings(environ: Mapping[str, str], **given: Any) -> Settings:
    """Read the settings from an environment; values given by name take precedence.

    A secret can be in a file: ``NAME_FILE`` is then the path of the file.
    Logs one warning that lists every unknown name with the prefix.

    Raises BadSetting for a value that can't be used.
    """
    known = {f"{PREFIX}{row.name.upper()}": row for row in fields(Settings)}
    files = {f"{name}{FILE_SUFFIX}" for name, row in known.items() if row.metadata["is_secret"]}
    _warn_of_unknown(environ, {*known, *files})
    read: dict[str, Any] = {}
    for name, row in known.items():
        text = environ.get(name)
        if row.metadata["is_secret"] and (file := environ.get(f"{name}{FILE_SUFFIX}", "").strip()):
            if text:
                why = f"set either this or {name}, not both"
                raise BadSetting(f"{row.name}{FILE_SUFFIX}", why)
            text = _read_file(row.name, Path(file))
        if text is not None:
            read[row.name] = _read(row.name, row.metadata["read"], text)
    return _checked(Settings(**(read | given)))


def _read_file(name: str, path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
        text = content.decode() if len(content) <= _LARGEST_FILE else None
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it isn't text in UTF-8"
        raise BadSetting(f"{name}{FILE_SUFFIX}", f"{path} can't be read: {why}") from None
    if text is None:
        raise BadSetting(f"{name}{FILE_SUFFIX}", f"{path} is larger than {_LARGEST_FILE:,} bytes")
    if not text.strip():
        why = f"{path} is empty. Write the value into it, or remove this setting"
        raise BadSetting(f"{name}{FILE_SUFFIX}", why)
    return text.removesuffix("\n").removesuffix("\r")


def _warn_of_unknown(environ: Mapping[str, str], known: Collection[str]) -> None:
    unknown = sorted(
        name
        for name, value in environ.items()
        if name.startswith(PREFIX) and name not in known and not _is_service_link(name, value)
    )
    if not unknown:
        return
    endings = [name.removeprefix(PREFIX) for name in known]
    named = []
    for name in unknown:
        nearest = get_close_matches(name.removeprefix(PREFIX), endings, 1, _ALIKE)
        named.append(f"{name} (did you mean {PREFIX}{nearest[0]}?)" if nearest else name)
    _log.warning(
        "Ignored unknown settings: %s. Correct or remove these environment variables; "
        "docs/settings.md lists all settings.",
        ", ".join(named),
    )


def _is_service_link(name: str, value: str) -> bool:
    return any(names.fullmatch(name) and texts.fullmatch(value) for names, texts in _SERVICE_LINKS)


def read_own_hosts(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Read ``OWN_HOSTS``, the only setting of a host that just serves a copy.

    Raises BadSetting for an invalid value.
    """
    name = f"{PREFIX}OWN_HOSTS"
    return read_settings({name: environ[name]} if name in environ else {}).own_hosts


def _read(name: str, read: Callable[[str], Any], text: str) -> Any:
    if not text.isprintable():
        raise BadSetting(name, "enter one line of text without control characters")
    try:
        return read(text.strip())
    except ValueError as error:
        raise BadSetting(name, str(error)) from error


def _checked(settings: Settings) -> Settings:
    host = urlsplit(settings.base_url).hostname
    if not (settings.smtp_url or settings.demo or is_loopback(host)):
        raise BadSetting(
            "smtp_url",
            "enter the mail server, such as smtp://user:password@host:587. Without mail, users on "
            "other computers can't sign in",
        )
    return settings
