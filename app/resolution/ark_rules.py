"""What is needed of a NAAN or a shoulder to lead its ARKs on and to say whose they are: its
rules."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from app.identifiers.errors import spell_list, spell_text
from app.identifiers.nid import NidIndex
from app.registration.naans.naan_file_days import day_in_metadata
from app.registration.naans.naan_records import NaanFile, NaanRow, is_fit, name_key, split_status
from app.registration.naans.naan_targets import (
    LABEL,
    TARGET_VARIABLES,
    TargetFault,
    find_target_fault,
    host_of,
    reach_objection,
    target_template,
    unknown_variables,
)
from app.registration.naans.policy_wording import (
    PolicyStatement,
    policy_statements,
    statement_in_words,
    unknown_statements,
)
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Status
from app.resolution.judgement import Ground
from app.resolution.namespace_rules import RuleLines, similar_names
from app.resolution.service_choice import AddressTemplate

# As nearly all targets are: one variable after an address, where it stands as it is.
_AS_IS = r"[A-Za-z0-9._~:/?&=;,!@+-]*+"
_match_plain = re.compile(
    rf"(?P<head>https?://(?P<authority>{LABEL}(?:\.{LABEL})*(?::[0-9]{{1,5}}|))/{_AS_IS})"
    rf"\$\{{(?P<name>{'|'.join(TARGET_VARIABLES)})\}}(?P<tail>{_AS_IS})"
).fullmatch
_OF_REGISTRY = "The ARK URI scheme section 7"
_KNOWN = spell_list([f"`{one}`" for one in TARGET_VARIABLES])
_GROUNDS = {
    TargetFault.MISSING: ("The registry has no target for it.", _OF_REGISTRY),
    TargetFault.SCHEME: (
        "The target {target} doesn't start with `http://` or `https://`.",
        _OF_REGISTRY,
    ),
    TargetFault.HOST: (
        ("The target {target} has no fixed host, so an ARK could choose its own target."),
        "RFC 3986 section 3.2",
    ),
    TargetFault.UNREACHED: (
        "The host or port of the target {target} isn't publicly reachable.",
        "RFC 6890",
    ),
    TargetFault.VARIABLE: (
        f"The target {{target}} uses {{unknown}}. Allowed: {_KNOWN}.",
        "RFC 6570 section 2",
    ),
    TargetFault.CHARACTER: (
        "The target {target} contains characters that aren't allowed in an address.",
        "RFC 3986 section 2",
    ),
}


class ArkTarget:
    """The target of a NAAN or a shoulder, taken apart once. Raises nothing.

    ``fault`` says why it leads nowhere, None where it leads. ``host`` is that of every address it
    gives, or would give, as ``canonical_host`` spells it: nothing of an ARK stands in scheme, host
    or port.
    """

    __slots__ = ("_pieces", "_template", "fault", "host")

    def __init__(self, target: str) -> None:
        self._pieces: tuple[str, str, str] | None = None
        self._template: AddressTemplate | None = None
        self.fault: Ground | None = None
        plain = _match_plain(target)
        if plain and not reach_objection(plain["authority"]):
            self.host = host_of(target)
            self._pieces = plain["head"], plain["name"], plain["tail"]
        else:
            self._take_apart(target, target_template(target))

    def _take_apart(self, target: str, template: str) -> None:
        fault = find_target_fault(target)
        self.fault = _ground(fault, target) if fault else None
        self._template = None if self.fault else _template_of(template)
        # a site that not everybody reaches has its own names all the same
        is_known = fault is None or fault is TargetFault.UNREACHED
        self.host = host_of(template) if is_known else ""

    def fill(self, pid: str, content: str, suffix: str, separator: str = "/") -> str:
        """The address for an ARK; empty where the target leads nowhere.

        ``pid`` is the whole ARK, ``content`` its NAAN and what follows, ``suffix`` what follows the
        NAAN or shoulder that was found for it. Names of other schemes have another ``separator``
        behind what is registered.
        """
        if self._pieces is not None and self._pieces[1] == "content":
            return f"{self._pieces[0]}{content}{self._pieces[2]}"
        prefix, _, value = content.partition(separator)
        variables = {"pid": pid, "content": content, "prefix": prefix, "value": value}
        variables["suffix"] = suffix
        if self._pieces is not None:
            head, name, tail = self._pieces
            return f"{head}{variables[name]}{tail}"
        return "" if self._template is None else self._template.fill(variables)


@lru_cache(maxsize=64)
def _template_of(template: str) -> AddressTemplate:
    return AddressTemplate(template)


def _ground(fault: TargetFault, target: str) -> Ground:
    message, source = _GROUNDS[fault]
    unknown = [spell_text(one) for one in unknown_variables(target)]
    told = message.format(target=spell_text(target), unknown=spell_list(unknown) if unknown else "")
    return Ground(f"target_{fault}" if target else "no_target", told, source)


Document = dict[str, Any]


class ArkRedirect(StrEnum):
    """What it means to lead an ARK on, in the words of RFC 9110 section 15.4.

    ``FOUND`` and ``TEMPORARY_REDIRECT`` lead to what is named; ``SEE_OTHER`` to what is related.

    Source: The ARK URI scheme section 7.1.2, which rules out what lasts.
    """

    FOUND = "found"
    SEE_OTHER = "see other"
    TEMPORARY_REDIRECT = "temporary redirect"


# What the records of NAANs say by the number of a status.
REDIRECTS: Mapping[int, ArkRedirect] = {
    302: ArkRedirect.FOUND,
    303: ArkRedirect.SEE_OTHER,
    307: ArkRedirect.TEMPORARY_REDIRECT,
}
_NUMBERS = {redirect: number for number, redirect in REDIRECTS.items()}
# Members that are texts, by the same name in a document.
_TEXTS = (
    *("holder", "native_name", "acronym", "where", "target", "since"),
    *("policy_text", "policy_address", "tenure", "test_ark", "successor"),
)

_TEXT_NAMES = frozenset(_TEXTS)
_REGISTERED = Status.REGISTERED  # a member of an enumeration is found slowly by its name


# Targets that are held taken apart: the shoulders of one holder mostly have one target.
_way_of = lru_cache(maxsize=4_096)(ArkTarget)


class ArkRules(NamedTuple):
    """One NAAN or one shoulder.

    ``prefix`` is ``12345`` or ``12345/x5``, in normal form. ``where`` is the address of the holder,
    ``target`` the template of where its ARKs lead, ``since`` a day or the beginning of one.
    ``policy`` are the codes that the holder declared, NR, OP and CC; empty where it declared none.
    ``takes_verbatim``: the target takes ARKs as they come and not in normal form. A former NAAN or
    shoulder leads nowhere and stays taken.
    """

    prefix: str
    holder: str = ""
    native_name: str = ""
    acronym: str = ""
    where: str = ""
    target: str = ""
    redirect: ArkRedirect = ArkRedirect.FOUND
    since: str = ""
    policy: tuple[str, ...] = ()
    policy_text: str = ""
    policy_address: str = ""
    tenure: str = ""
    test_ark: str = ""
    takes_verbatim: bool = False
    status: Status = Status.REGISTERED
    successor: str = ""

    @property
    def way(self) -> ArkTarget:
        return _way_of(self.target)

    @property
    def naan(self) -> str:
        return self.prefix.partition("/")[0]

    @property
    def shoulder(self) -> str:
        return self.prefix.partition("/")[2]


def ark_rules_to(rules: ArkRules) -> Document:
    """The rules as a document, which leaves out what has its default."""
    members = {
        "prefix": rules.prefix,
        **{name: getattr(rules, name) for name in _TEXTS},
        "http_code": 0 if rules.redirect is ArkRedirect.FOUND else _NUMBERS[rules.redirect],
        "policy": list(rules.policy),
        "takes_verbatim": rules.takes_verbatim,
        "status": "" if rules.status is Status.REGISTERED else str(rules.status),
    }
    return {name: value for name, value in members.items() if value}


def ark_rules_from(document: Mapping[str, Any]) -> ArkRules:
    """The rules whose ``ark_rules_to`` this is. Raises ValueError or KeyError for others."""
    texts = worded(document)
    unread = len(texts) < len(_TEXT_NAMES.intersection(document))
    policy, is_verbatim = document.get("policy", []), document.get("takes_verbatim", False)
    code = document.get("http_code", 302)
    if unread or type(code) is not int or type(is_verbatim) is not bool or not _are_texts(policy):
        raise ValueError("Members of a NAAN's or a shoulder's rules are of another kind.")
    return ArkRules(
        prefix=_prefix_of(document),
        redirect=REDIRECTS[code],
        policy=tuple(policy),
        takes_verbatim=is_verbatim,
        status=Status(document["status"]) if "status" in document else _REGISTERED,
        **texts,
    )


def known_ark_rules_from(document: Mapping[str, Any]) -> ArkRules:
    """Raises ValueError or KeyError for a document that says of no NAAN or shoulder what it is."""
    return ark_rules_from({"prefix": _prefix_of(document), **worded(document), "target": ""})


def worded(document: Mapping[str, Any]) -> dict[str, str]:
    """The members of a document that are mere words, and texts that can be sent."""
    told = {
        name: value
        for name, value in document.items()
        if name in _TEXT_NAMES and type(value) is str
    }
    if is_fit("".join(told.values())):  # as nearly all are, seen at once
        return told
    return {name: value for name, value in told.items() if is_fit(value)}


def _prefix_of(document: Mapping[str, Any]) -> str:
    prefix = document["prefix"]
    if type(prefix) is not str or not is_fit(prefix):
        raise ValueError("The prefix of a NAAN or a shoulder is a text.")
    return prefix


def _are_texts(values: object) -> bool:
    return type(values) is list and all(type(one) is str and is_fit(one) for one in values)


def ark_rule_lines(rules: Iterable[ArkRules]) -> bytes:
    listed = sorted(rules, key=lambda one: one.prefix)
    return "".join(f"{canonical_json(ark_rules_to(one))}\n" for one in listed).encode("ascii")


_SOURCE = "The ARK Identifier Scheme, on name assignment policy"

# By the codes of the registry of NAANs.
POLICIES: Mapping[str, str] = {str(one): statement_in_words(one) for one in PolicyStatement}


def declared_policies(rules: ArkRules) -> Iterator[Ground]:
    """What the holder of a NAAN or a shoulder declared of its names; nothing where it did not."""
    for code in rules.policy:
        if code in POLICIES:
            yield Ground(f"policy_{code.lower()}", POLICIES[code], _SOURCE)
    if rules.policy_text:
        yield Ground("policy_text", rules.policy_text, "")


_FORMER = Status.FORMER  # a name of its own, since to look one up in an enumeration takes long
_MOST_NEAR = 10


class ArkRuleBook(Protocol):
    """The rules of all NAANs and shoulders of an edition."""

    def find(self, prefix: str) -> ArkRules | None:
        """The rules of ``12345`` or ``12345/x5``, in normal form; None where it has none."""

    def longest(self, path: str) -> ArkRules | None:
        """The rules by which an ARK is led on: those of the longest shoulder that it begins with,
        or else of its NAAN; None where that is not registered.

        ``path`` is the ARK in normal form without ``ark:``.
        """

    def nearest(self, naan: str) -> tuple[str, ...]:
        """NAANs that a NAAN may have been meant for, the nearest first; maybe none."""


class LineArkRuleBook:
    """The rules of an edition from its lines; each is read when it is first asked for.

    Any number of threads may ask at once. Raises ValueError for lines that are no rules.
    """

    def __init__(self, lines: bytes) -> None:
        self._rules = RuleLines(lines, "prefix", _rules)
        self.find = self._rules.find
        self._places = self._rules.places
        self._lengths = _lengths_of(self._places)

    def longest(self, path: str) -> ArkRules | None:
        """The rules by which an ARK is led on; a former shoulder gives way to its NAAN."""
        naan = path.partition("/")[0]
        for length in self._lengths.get(naan, ()):
            if path[:length] in self._places:
                rules = self.find(path[:length])
                if rules is not None and rules.status is not _FORMER:
                    return rules
        return self.find(naan)

    def nearest(self, naan: str) -> tuple[str, ...]:
        near = similar_names(naan, self._index)
        digits = sorted(naan)
        return tuple(sorted(near, key=lambda one: sorted(one) != digits)[:_MOST_NEAR])

    @cached_property
    def _index(self) -> NidIndex:
        return NidIndex(prefix for prefix in self._places if "/" not in prefix)


def _rules(document: Mapping[str, Any]) -> ArkRules:
    if not isinstance(document, Mapping) or "prefix" not in document:
        raise ValueError("A line of the edition doesn't contain rules of a NAAN or a shoulder.")
    try:
        return ark_rules_from(document)
    except (ValueError, KeyError):
        return known_ark_rules_from(document)


def _lengths_of(prefixes: Iterable[str]) -> dict[str, tuple[int, ...]]:
    found: defaultdict[str, set[int]] = defaultdict(set)
    for prefix in prefixes:
        naan, slash, _ = prefix.partition("/")
        if slash:
            found[naan].add(len(prefix))
    return {naan: tuple(sorted(lengths, reverse=True)) for naan, lengths in found.items()}


def ark_book_of(rules: Iterable[ArkRules]) -> LineArkRuleBook:
    return LineArkRuleBook(ark_rule_lines(rules))


class NaanSnapshot(NamedTuple):
    """The rules of all NAANs and shoulders as a file has them, and the day of which it is.

    ``day`` is empty where the file does not say it. ``checks`` has the prefixes under which this
    site mints identifiers, such as ``ark:12345/x5``, and whether these end in a check character.
    """

    book: ArkRuleBook
    day: str = ""
    checks: Mapping[str, bool] = MappingProxyType({})

    def minted_with_check(self, ark: str) -> bool | None:
        above = (ark[:end] for end in range(len(ark) - 1, 0, -1)) if self.checks else ()
        return next((self.checks[prefix] for prefix in above if prefix in self.checks), None)


def ark_rules_of(record: NaanRow) -> ArkRules:
    """The rules of a NAAN or a shoulder, made of what is on file.

    Raises KeyError for a status that no record of a NAAN has, which no reader of records lets in.
    What holds no fact is left out: the zero of a clock is no day, and ``(:unkn)`` declares nothing.
    """
    return ArkRules(
        prefix=name_key(record.name),
        holder=record.holder,
        native_name=record.native_name or "",
        acronym=record.acronym or "",
        where=split_status(record.where)[1],
        target=record.target,
        redirect=REDIRECTS[record.status],
        since=record.day,
        policy=tuple(map(str, policy_statements(record.policy))),
        policy_text=record.policy if unknown_statements(record.policy) else "",
        policy_address=record.policy_address or "",
        tenure=record.tenure,
        test_ark=record.test_ark or "",
    )


def naan_snapshot_of(file: NaanFile) -> NaanSnapshot:
    rules = map(ark_rules_of, file.records)
    return NaanSnapshot(ark_book_of(rules), day_of_file(file))


def day_of_file(file: NaanFile) -> str:
    return day_in_metadata(dict(file.metadata))
