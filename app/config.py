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

# How much is taken at once from whoever sends something.
LARGEST_BODY = 1024 * 1024  # octets: three long fields, each octet of them written as %XX
MOST_FIELDS = 200
LARGEST_UPLOAD = 6 * LARGEST_BODY  # octets: a file of 5 MB, and what is typed beside it

# What a registry is, and what one that is not IANA's says of itself on every page and export.
NOTICES = {
    "official": "",
    "private": "This is a private registry of URN namespaces. It is not IANA’s: its names and "
    "numbers are valid only here.",
    "proposal": "This registry prepares requests to IANA. It is not IANA’s: it registers "
    "nothing itself.",
}
# What the record of a registry says where fewer people decide than three.
FEWER = {
    1: "One person is enough here to write a request, to approve it and to register it.",
    2: "Two people are enough here: whoever approves a request may register it.",
}


class BadSetting(ValueError):
    """A setting that cannot be used; names the variable and says what it takes."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{PREFIX}{name.upper()}: {why}")


def _setting(
    default: Any, help_: str, read: Callable[[str], Any] = str, *, is_secret: bool = False
) -> Any:
    return field(default=default, metadata={"help": help_, "read": read, "is_secret": is_secret})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that may differ between two registries run by this software."""

    data_dir: Path = _setting(
        Path("instance"), "Folder of the database and of what is published.", values.folder
    )
    database_url: str = _setting(
        "",
        "The database: `postgresql://user:password@host:5432/name`, with several hosts "
        "`postgresql://user@a:5432,b:5432/name?target_session_attrs=read-write`, or "
        "`sqlite:////folder/file.sqlite3`; empty for an SQLite file in the data folder.",
        values.database_url,
        is_secret=True,
    )
    base_url: str = _setting(
        "http://127.0.0.1:8000",
        "Where people reach the site. Every absolute link is made from it.",
        values.base_url,
    )
    secret_key: str = _setting(
        "",
        "Signs sessions and one-time links, the same on every host, 32 characters at least; empty "
        "for one that the database keeps.",
        values.secret,
        is_secret=True,
    )
    authority: str = _setting(
        "private",
        "What this registry is: `official`, `private` (names given here are not IANA’s) or "
        "`proposal` (prepares requests to IANA, registers nothing).",
        values.one_of(tuple(NOTICES)),
    )
    note: str = _setting(
        "",
        "The operator’s own note, in one line. It stands above the names on every page and in "
        "every export, in place of the note that IANA’s registry has.",
        values.note,
    )
    operator: str = _setting(
        "",
        "Who runs this registry, in one line, said at the foot of every page; empty: nobody "
        "is named.",
        values.note,
    )
    contact: str = _setting(
        "",
        "Where to write to who runs it: an address of mail, or one with mailto:, https: or "
        "tel:. The foot of every page links it; empty: there is no such link.",
        values.contact,
    )
    privacy: str = _setting(
        "",
        "Where it is told what is kept of visitors, in the same form; empty: there is no such "
        "link.",
        values.contact,
    )
    imprint: str = _setting(
        "",
        "Where the operator’s imprint stands, in the same form; empty: there is no such link.",
        values.contact,
    )
    smtp_url: str = _setting(
        "",
        "Mail server, as smtp://user:password@host:587 (STARTTLS where offered) or smtps://. "
        "Empty: on loopback, sign-in links are printed on the console of `serve`.",
        values.smtp_url,
        is_secret=True,
    )
    mail_from: str = _setting("registry@localhost", "Sender of the registry’s mail.", values.sender)
    reply_address: str = _setting(
        "",
        "Address that a mail server pipes to `urn-registry mail ingest`, with what stands behind a "
        "plus. Replies to the registry’s mail then come in as comments; empty: mail says no such "
        "address.",
        values.reply_address,
    )
    authserv_id: str = _setting(
        "",
        "Name under which your mail server writes its Authentication-Results field (RFC 8601). "
        "Mail that it says passes DMARC is filed as its sender’s own; the server has to take away "
        "fields of that name that come from outside. Empty: only the registry’s own addresses for "
        "replies show who writes.",
        values.authserv_id,
    )
    security_contact: str = _setting(
        "",
        "Where to report a hole: an address of mail, or one with mailto:, https: or tel:. It "
        "stands in `/.well-known/security.txt`; empty: there is no such file.",
        values.contact,
    )
    list_address: str = _setting(
        "",
        "Discussion list that every request for a URN namespace is posted to; empty: the public "
        "page is the posting.",
        values.address,
    )
    naan_list_address: str = _setting(
        "",
        "Discussion list that every request for a NAAN or a shoulder is posted to, which the one "
        "of URN namespaces does not get; empty: the public page is the posting.",
        values.address,
    )
    escalation_body: str = _setting(
        "",
        "Who decides what goes beyond the experts and hears appeals, as a name that “the” can "
        "stand before, of 24 characters at most, as pages and mail say it. Empty: the IESG in an "
        "`official` registry, and the governing body in any other.",
        values.body_name,
    )
    appeal_body: str = _setting(
        "",
        "Who hears the last appeal, named in the same way. Empty: the IAB in an `official` "
        "registry, and the appeals body in any other.",
        values.body_name,
    )
    reviews_needed: int = _setting(
        2, "Concurring reviews of experts that decide a request.", values.count(1, 20)
    )
    leader_decides: bool = _setting(
        True, "Whether the review of the experts’ team leader decides alone.", values.flag
    )
    people_needed: int = _setting(
        3,
        "People a registration takes at least: 3 keeps who wrote, who approved and who registers "
        "apart; 2 lets who approved register; 1 is for a private registry of one person. With "
        "fewer than 3 every page and record says so.",
        values.count(1, 3),
    )
    due_days: tuple[tuple[str, int], ...] = _setting(
        (),
        "Days until the next step of a request is due, by state and where need be by procedure, "
        "such as `expert-review=21, informal/expert-review=14`; what is not named keeps its own: "
        "5 once sent (New) or approved (Assignable, Modifiable), 10 while it is checked "
        "(Validating Request), 28 for Expert Review (14 if informal), 30 with the registrant "
        "(With Requester), 60 to 90 for IESG Escalation; 2 for a NAAN or a shoulder once sent and "
        "while it is checked (`NAAN/new`).",
        values.days,
    )
    appeal_months: int = _setting(
        2, "Months in which a decision can be appealed.", values.count(0, values.MOST_MONTHS)
    )
    reminder_days: int = _setting(
        7,
        "Days of silence between two reminders to a registrant, and before a request ends.",
        values.count(1, values.MOST_DAYS),
    )
    transfer_days: int = _setting(
        14,
        "Days in which those who act for a namespace, and its contact on file, can object to its "
        "transfer to another registrant.",
        values.count(1, values.MOST_DAYS),
    )
    naptr_suffix: str = _setting(
        "",
        "Domain of your own, such as `urn.example.org`, below which each namespace gets NAPTR "
        "records (RFC 3404) that lead to this site. They are published as "
        "`/dns/urn-namespaces.zone`, to be included in the domain’s zone; empty: there is no such "
        "file. `urn.arpa` is IANA’s and is refused.",
        values.naptr_suffix,
    )
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = _setting(
        (),
        "Networks of the servers in front, such as `127.0.0.1, 10.0.0.0/8`: what they write into "
        "`X-Forwarded-For` is believed. Empty: what it says is ignored, and who connects is who "
        "asks. Links to sign in are limited by who asks.",
        values.networks,
    )
    own_hosts: tuple[str, ...] = _setting(
        (),
        "Other names of this site’s host, such as `arks.example.org, pid.example.org`: an ARK with "
        "its target at one of them, or at the base address, is answered with its page, for to be "
        "led there would be to come back.",
        values.hosts,
    )
    names_under: tuple[str, ...] = _setting(
        (),
        "What the names begin with that this host keeps a copy of, such as `ark:12345/ "
        "urn:example:boats:`, with a space between, 20 at most; a NAAN or a NID is whole; empty: "
        "all names. Whoever asks it for another one is led to the base address, or told that it is "
        "elsewhere if they came from there. A change of it makes the copy anew.",
        values.words,
    )
    check_resolvers: bool = _setting(
        True,
        "Whether the worker asks each service that names lead to, once a day, if it answers, and "
        "tells operators of one that did not three times. A demonstration asks nobody, nor does a "
        "site whose base address is of this machine.",
        values.flag,
    )
    follow_arks: bool = _setting(
        True,
        "Whether the tool for ARKs asks the servers that an ARK leads over, where a visitor wants "
        "it; so much within a quarter of an hour. A demonstration asks nobody, nor does a site "
        "whose base address is of this machine.",
        values.flag,
    )
    naans: bool = _setting(
        True,
        "Whether `init` fills a new registry with the NAANs and shoulders that are shipped too. "
        "`no`: their pages wait for a file, which `registry import-naans` takes over, and no other "
        "page leads to them.",
        values.flag,
    )
    naan_prefix: str = _setting(
        "x",
        "With what the NAANs begin that a `private` registry gives, so that none is one of the "
        "NAAN registry’s: one to three of the letters `bcdfghjkmnpqrstvwxz`, the first of which is "
        "no `b`. Letters and digits follow, such as `x4k7b`. They hold here alone. In an "
        "`official` registry they are of five digits.",
        values.naan_prefix,
    )
    naans_one_person_may_give: int | None = _setting(
        None,
        "How many NAANs and shoulders one operator may give alone within 24 hours. Beyond it a "
        "second operator has to agree before the name is given: nobody who wrote the request or "
        "has a part in it. 0: to every one. Empty: one operator is always enough.",
        values.count_or_none(0, values.MOST_NAMES),
    )
    demo: bool = _setting(
        False,
        "One click signs in as anybody. Starts where the base address and the one to listen on are "
        "of this machine alone, and answers nobody else.",
        values.flag,
    )
    demo_requests: bool = _setting(
        True,
        "Whether a demonstration that `init` makes begins at work: with what IANA's registry was "
        "on six days since 2015, requests in every state, for NAANs as well, a discussion, a "
        "revision, and names that are given, bound and withdrawn. `no`: it begins with the "
        "registry alone.",
        values.flag,
    )

    @property
    def database(self) -> str:
        """The database's address as SQLAlchemy takes it, its driver named."""
        if not self.database_url:
            return f"sqlite:///{self.data_dir.resolve() / 'registry.sqlite3'}"
        return values.sqlalchemy_url(self.database_url)

    @property
    def is_of_one_machine(self) -> bool:
        """Whether nobody elsewhere can reach the site, or look up who it was that asked them."""
        return is_loopback(urlsplit(self.base_url).hostname)

    @property
    def asks_services(self) -> bool:
        """Whether the worker asks services outside if they answer: none is real to a trial."""
        return self.check_resolvers and not (self.is_of_one_machine or self.demo)

    @property
    def site_hosts(self) -> tuple[str, ...]:
        """The hosts that are this site’s: that of the base address, and those that are named."""
        return (urlsplit(self.base_url).netloc, *self.own_hosts)

    @property
    def notice(self) -> str:
        """What the registry says of itself on every page and in every export."""
        said = NOTICES[self.authority], FEWER.get(max(1, self.people_needed), ""), self.note
        return " ".join(filter(None, said))

    @property
    def given_numbers_dir(self) -> Path:
        """Where it is kept, beside the database, which numbers names were given by."""
        return self.data_dir / "given"

    @property
    def published_dir(self) -> Path:
        """Where this host lays out what it publishes."""
        return self.data_dir / "published"

    @property
    def resolutions_dir(self) -> Path:
        """Where the processes of this host leave for its worker how often names led somewhere."""
        return self.data_dir / "resolutions"

    @property
    def leases_dir(self) -> Path:
        """Where the workers of this host note what they have leased."""
        return self.data_dir / "leases"

    @property
    def names_dir(self) -> Path:
        """Where this host keeps its copy of the names that are bound."""
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
                why = f"set this or {name}, not both"
                raise BadSetting(f"{row.name}{FILE_SUFFIX}", why)
            text = _read_file(row.name, Path(file))
        if text is not None:
            read[row.name] = _read(row.name, row.metadata["read"], text)
    return _checked(Settings(**(read | given)))


def _read_file(name: str, path: Path) -> str:
    """Return the content of a file with a secret, without the newline at its end."""
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
        "These environment variables are not settings of this software and are ignored: %s. "
        "Correct or remove them; docs/settings.md lists all settings.",
        ", ".join(named),
    )


def _is_service_link(name: str, value: str) -> bool:
    return any(names.fullmatch(name) and texts.fullmatch(value) for names, texts in _SERVICE_LINKS)


def read_own_hosts(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The names of a host that serves a copy alone: of all settings the one that it goes by.

    Raises BadSetting for what is no list of names.
    """
    name = f"{PREFIX}OWN_HOSTS"
    return read_settings({name: environ[name]} if name in environ else {}).own_hosts


def _read(name: str, read: Callable[[str], Any], text: str) -> Any:
    if not text.isprintable():
        raise BadSetting(name, "takes one line of text; this has a character that cannot be shown")
    try:
        return read(text.strip())
    except ValueError as error:
        raise BadSetting(name, str(error)) from error


def _checked(settings: Settings) -> Settings:
    """Settings that go together."""
    host = urlsplit(settings.base_url).hostname
    if not (settings.smtp_url or settings.demo or is_loopback(host)):
        raise BadSetting(
            "smtp_url",
            "takes the mail server, such as smtp://user:password@host:587, where people come from "
            "other machines: without mail nobody can sign in",
        )
    return settings
