"""What is wrong, or asks for a look, in records of NAANs and shoulders.

Nothing here forbids that a record is kept: it is told, and whoever holds the NAAN mends it.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from urllib.parse import urlsplit

from app.registration.naans.naan_json import FACT_PLACES
from app.registration.naans.naan_names import has_naan_form
from app.registration.naans.naan_records import (
    NaanEntry,
    NaanFinding,
    NaanRecord,
    NaanRow,
    ShoulderRecord,
    fold_naan,
    split_status,
)
from app.registration.naans.naan_targets import (
    TARGET_VARIABLES,
    TargetFault,
    authority_of,
    find_target_fault,
    host_of,
    reach_objection,
    target_template,
    unknown_variables,
    variables_of,
)
from app.registration.naans.policy_wording import (
    OrganizationKind,
    is_policy_declared,
    unknown_statements,
)
from app.registration.naans.quoted_text import quote
from app.registration.naans.shoulder_rules import PRIMORDINAL

__all__ = [
    "RESOLVER_HOSTS",
    "check_naan_records",
    "is_resolver",
    "target_faults",
    "web_address_faults",
    "web_host",
]

# Resolvers that follow the registry: what leads there comes back.
RESOLVER_HOSTS = ("n2t.net", "arks.org")

_ARKSPEC = "The ARK Identifier Scheme"
_ON_NAANS = f"{_ARKSPEC}, on the Name Assigning Authority Number"
_ON_SHOULDERS = f"{_ARKSPEC}, on shoulders"
_SCHEMA = "the schema PublicNAAN of the ARK Alliance"
_ON_ADDRESSES = "RFC 3986 section 3"

_NO_ADDRESS = re.compile("[Nn]/?[Aa]|[Nn]one|[Uu]nknown|-|")
_BROKEN_SCHEME = re.compile("[Hh][Tt][Tt][Pp][Ss]?(?:/{1,3}|:(?!//)|;//|:///)")
_SCHEME = re.compile("[Hh][Tt][Tt][Pp][Ss]?://")
_ANY_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*://")
_ADDRESS = re.compile(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*+")
_VARIABLE = re.compile(r"(\$?)\{([^{}]*)\}")
_HOST_NAME = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+\.?|\[[0-9A-Fa-f:.]+\]")

_Fault = tuple[str, str]  # a code, and a sentence


def check_naan_records(
    records: Iterable[NaanRow], resolvers: Collection[str] = RESOLVER_HOSTS
) -> tuple[NaanFinding, ...]:
    """All that is to be told of records, in their order; raises nothing.

    ``resolvers`` are the hosts of resolvers that ask this registry, so that a target there leads in
    a circle; hosts below them count too.

    Source: The ARK Identifier Scheme, on NAANs and shoulders; RFC 3986; the schema PublicNAAN.
    """
    all_records = tuple(records)
    among = _Shoulders(all_records)
    return tuple(
        finding
        for record in all_records
        for finding in (*_of_entry(record, resolvers), *_of_kind(record, among))
    )


def _of_kind(record: NaanRow, among: "_Shoulders") -> Iterator[NaanFinding]:
    if isinstance(record, NaanRecord):
        yield from _of_naan(record)
    else:
        yield from _of_shoulder(record)
        yield from among.conflicts(record)


def _of_entry(record: NaanRow, resolvers: Collection[str]) -> Iterator[NaanFinding]:
    for code, message in web_address_faults(record.where):
        yield _finding(record, "where", f"where_{code}", message, _ON_ADDRESSES)
    for code, message in target_faults(record.target, resolvers):
        yield _finding(record, "target", f"target_{code}", message, _ON_ADDRESSES)
    yield from _of_day(record)
    if record.kind not in set(OrganizationKind):
        message = f"Unknown kind of organization {quote(record.kind)}. Known kinds: NP, FP."
        yield _finding(record, "kind", "kind_unknown", message, _SCHEMA)
    for code in unknown_statements(record.policy):
        message = f"Unknown policy code {quote(code)}. Known codes: NR, OP, CC."
        yield _finding(record, "policy", "policy_unknown", message, _SCHEMA)


def _of_day(record: NaanRow) -> Iterator[NaanFinding]:
    if record.day:
        return
    if record.is_of_zero:
        message = (
            f"The date {quote(record.when[:10])} is a computer's zero date. It is treated as "
            "unknown and left out of charts."
        )
        yield _finding(record, "when", "day_unknown", message, "RFC 3339 section 5.6")
    else:
        message = f"The date {quote(record.when)} can't be read."
        yield _finding(record, "when", "day_unreadable", message, "RFC 3339 section 5.6")


def web_address_faults(where: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the address of a holder: a code and a sentence for each fault.

    Raises nothing. Source: RFC 3986 section 3.
    """
    status, address = split_status(where)
    if address != where:
        yield "status", f"{status} before the address is read as the status of the target."
    if _NO_ADDRESS.fullmatch(address.strip()):
        yield "missing", f"{quote(where)} is not an address."
    elif _BROKEN_SCHEME.match(address):
        yield from _broken(address)
    elif not _ANY_SCHEME.match(address):
        yield "no_scheme", f"{quote(address)} lacks `https://` or `http://`."
    elif not _SCHEME.match(address):
        yield from _broken(address)
    else:
        of_host = tuple(_host_faults(address))
        yield from of_host
        if not of_host and not _ADDRESS.fullmatch(_VARIABLE.sub("", address)):
            yield "character", f"{quote(address)} contains characters not allowed in an address."
    if _VARIABLE.search(address) or "[NAAN]" in address or "$id" in address:
        yield (
            "template",
            (f"{quote(address)} is a template. Enter the address of the organization."),
        )


def target_faults(
    target: str, resolvers: Collection[str] = RESOLVER_HOSTS
) -> Iterator[tuple[str, str]]:
    """What is wrong with a target: a code and a sentence for each fault. Raises nothing.

    What the resolver would lead nobody by is among it, and what leads into a network.

    Source: RFC 3986 section 3; RFC 6570 section 2.
    """
    if not target:
        yield "missing", "There is no target, so its ARKs don't resolve."
        return
    for name in unknown_variables(target):
        yield "variable", f"{quote(name)} is not a variable of targets."
    if not {*variables_of(target)}.intersection(TARGET_VARIABLES):
        yield "fixed", "The target has no variable, so all ARKs resolve to one page."
    match find_target_fault(target):
        case TargetFault.SCHEME:
            yield from _broken(target)
        case TargetFault.HOST | TargetFault.UNREACHED:
            yield from _target_host_faults(target)
        case TargetFault.CHARACTER:
            yield "character", f"{quote(target)} contains characters not allowed in an address."
    host = host_of(target_template(target))
    if is_resolver(host, resolvers):
        yield "circle", f"`{host}` is a resolver that uses this registry, so the target would loop."


def is_resolver(host: str, resolvers: Collection[str] = RESOLVER_HOSTS) -> bool:
    """Whether a host, as ``host_of`` spells it, is one of these resolvers, or lies below one."""
    return any(host == one or host.endswith(f".{one}") for one in resolvers)


def _target_host_faults(target: str) -> Iterator[_Fault]:
    authority = authority_of(target_template(target))
    if authority:
        yield "host", reach_objection(authority)
    elif of_host := tuple(_host_faults(target)):
        yield from of_host
    else:
        yield "host", f"{quote(target)} has a variable in its host."


def _broken(address: str) -> Iterator[_Fault]:
    if address.lower().startswith(("https:///", "http:///")):
        yield "no_host", f"{quote(address)} has three slashes, so the host is missing."
    else:
        yield "scheme", f"{quote(address)} does not begin with `https://` or `http://`."


def _host_faults(address: str) -> Iterator[_Fault]:
    host = web_host(address)
    if "@" in _VARIABLE.sub("", re.split(r"[/?#\\]", address.partition("://")[2], maxsplit=1)[0]):
        yield "user", f"{quote(address)} has a user name before its host, which can mislead."
    elif not host:
        yield "no_host", f"{quote(address)} has no host."
    elif not _HOST_NAME.fullmatch(host) and not host.isascii():
        yield "host_not_ascii", f"The host in {quote(address)} contains non-ASCII letters."
    elif not _HOST_NAME.fullmatch(host):
        yield "host", f"{quote(host)} isn't a public host name."


def web_host(address: str) -> str:
    """The host of an address on file in lower case; empty where it has none, whatever it is.

    A status before it, and a scheme that is missing, are looked past: ``303 http://a.example/b``
    and ``a.example/b`` give ``a.example``. Source: RFC 3986 section 3.2.2.
    """
    _, bare = split_status(address.strip())
    if not _ANY_SCHEME.match(bare):
        bare = "//" + re.sub("^[Hh][Tt][Tt][Pp][Ss]?[:;]?/+", "", bare)
    try:
        host = urlsplit(_VARIABLE.sub("", bare)).hostname or ""
    except ValueError:  # brackets that hold no address
        return ""
    return host.rstrip(".")


def _of_naan(record: NaanRecord) -> Iterator[NaanFinding]:
    if not has_naan_form(record.naan):
        message = f"{quote(record.naan)} is not five digits or consonants (without `l`)."
        yield _finding(record, "naan", "naan_form", message, _ON_NAANS)


def _of_shoulder(record: ShoulderRecord) -> Iterator[NaanFinding]:
    if not PRIMORDINAL.fullmatch(record.shoulder):
        message = (
            f"{quote(record.shoulder)} doesn't follow the first-digit convention: consonants "
            "(without `l`), then one digit. Its end is unclear."
        )
        yield _finding(record, "shoulder", "shoulder_convention", message, _ON_SHOULDERS)
    if not is_policy_declared(record.policy):
        message = "The shoulder has no policy."
        yield _finding(record, "policy", "shoulder_policy", message, _SCHEMA)


class _Shoulders:
    def __init__(self, records: Iterable[NaanRow]) -> None:
        self._of: dict[str, set[str]] = {}
        self._naans = set()
        for record in records:
            if isinstance(record, ShoulderRecord):
                self._of.setdefault(fold_naan(record.naan), set()).add(record.shoulder)
            else:
                self._naans.add(fold_naan(record.naan))

    def conflicts(self, record: ShoulderRecord) -> Iterator[NaanFinding]:
        naan, own = fold_naan(record.naan), record.shoulder
        if naan not in self._naans:
            message = f"The NAAN {quote(record.naan)} of this shoulder is missing."
            yield _finding(record, "naan", "shoulder_orphan", message, _ON_SHOULDERS)
        for end in range(1, min(len(own), 256)):
            if own[:end] in self._of[naan]:
                message = (
                    f"{quote(own)} begins with {quote(own[:end])}, which is also a shoulder. "
                    "An ARK could belong to either."
                )
                yield _finding(record, "shoulder", "shoulder_prefix", message, _ON_SHOULDERS)


def _finding(record: NaanEntry, fact: str, code: str, message: str, source: str) -> NaanFinding:
    told = f"{quote(record.name)[1:-1]}: {message}"
    return NaanFinding(record.name, FACT_PLACES.get(fact, fact), code, told, source)
