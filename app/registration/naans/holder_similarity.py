"""Which NAANs somebody who asks for one may have already: by name, acronym and web host."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log
from typing import NamedTuple, Self

from app.identifiers.nid import one_edit_away
from app.registration.naans.naan_checks import web_host
from app.registration.naans.naan_records import NaanRecord

__all__ = ["LONGEST_HOLDER", "NaanHolderIndex", "NaanMatch", "registrable_host"]

_NUMBER = re.compile("[0-9.]+")
# Below a country, what says of which kind an organization is and is nobody's own.
_SECOND_LEVELS = frozenset({
    *("ac", "asn", "co", "com", "ed", "edu", "go", "gob", "gouv", "gov", "govt", "gub", "id"),
    *("k12", "lg", "mil", "ne", "net", "nhs", "nom", "or", "org", "sch", "school"),
})  # fmt: skip
# Hosts that give a name below theirs to anybody.
_HOSTING = frozenset({
    *("altervista.org", "blogspot.com", "github.io", "gitlab.io", "herokuapp.com"),
    *("hypotheses.org", "netlify.app", "pages.dev", "vercel.app", "web.app", "weebly.com"),
    *("wixsite.com", "wordpress.com", "google.com"),
})  # fmt: skip
LONGEST_HOLDER = 400  # characters of a name: the longest on file has a quarter
_ALIKE = 0.5  # of the weight of all words in two names
_FEW = 12  # holders: a word that no more have in their names finds them, as `smithsonian` does
_MOST_OF = 0.6  # of the weight of the words in the shorter name
_LEAST = 2.0  # below that a match is one of many
_SAME_NAME, _SIMILAR_NAME, _SAME_HOST, _SAME_ACRONYM = 10.0, 8.0, 6.0, 3.0
_PART_OF_NAME = 3.5  # less than a name that is similar as a whole
_SHORTEST_MISSPELT = 5  # characters: one edit makes of `zork` words as unlike as `york` and `work`
_LONGEST_MISSPELT = 32
_MOST_MISSPELT = 8  # words of a name


@dataclass(frozen=True, slots=True)
class NaanMatch:
    """A NAAN that may be the same holder's: how much speaks for it, and what, in sentences."""

    record: NaanRecord
    weight: float
    reasons: tuple[str, ...]


class _HolderName(NamedTuple):
    words: frozenset[str]
    joined: str

    @classmethod
    def of(cls, text: str) -> Self:
        return cls.of_words(_words(text))

    @classmethod
    def of_words(cls, words: Collection[str]) -> Self:
        return cls(frozenset(words), "".join(words))


class NaanHolderIndex:
    """The holders of all NAANs, prepared once to be compared with somebody who asks for one."""

    def __init__(self, records: Iterable[NaanRecord]) -> None:
        self._records = tuple(records)
        self._names = [[_HolderName.of(name) for name in _names(one)] for one in self._records]
        self._hosts = [frozenset(_hosts(one)) for one in self._records]
        told = [{*(word for name in names for word in name.words)} for names in self._names]
        self._spread = Counter(word for words in told for word in words)
        holders: defaultdict[str, set[str]] = defaultdict(set)
        for record, hosts in zip(self._records, self._hosts, strict=True):
            for host in hosts:
                holders[host].add(_HolderName.of(record.holder).joined)
        self._sharing = {host: len(names) for host, names in holders.items()}

    def find(
        self,
        organization: str = "",
        acronym: str = "",
        address: str = "",
        most: int = 10,
        *,
        native_name: str = "",
    ) -> tuple[NaanMatch, ...]:
        """NAANs whose holder may be the one that is described, the likeliest first.

        Names count by their words without case and accents, rare words more than common ones, and
        a rare word alone finds whose name has it; who is known by an acronym may write it as the
        name. A host counts up to what one can register, the less the more holders share it. An
        empty text is compared with nothing, and so is one of more than 400 characters, which is no
        name.
        """
        names = tuple(map(_HolderName.of, (organization, native_name)))
        host = registrable_host(web_host(address))
        short = {"".join(_words(acronym)), *(one.joined for one in names)} - {""}
        found = (self._match(place, names, short, host) for place in range(len(self._records)))
        likely = [one for one in found if one.weight >= _LEAST]
        likely.sort(key=lambda one: (-one.weight, one.record.naan))
        return tuple(likely[:most])

    def find_misspelt(self, organization: str, most: int = 10) -> tuple[NaanMatch, ...]:
        """NAANs whose holder a name may have been meant for that is misspelt, the likeliest first.

        Of a word that no holder has, and of eight such words at the most, that is taken which one
        edit makes of it and which the most holders have. Only who has one of these is given.
        """
        words = _words(organization)
        meant = self._meant(words)
        name = _HolderName.of_words([meant.get(word, word) for word in words])
        found = (self._misspelt_match(place, name, meant) for place in range(len(self._records)))
        likely = [one for one in found if one.reasons and one.weight >= _LEAST] if meant else []
        likely.sort(key=lambda one: (-one.weight, one.record.naan))
        return tuple(likely[:most])

    def _meant(self, words: Iterable[str]) -> dict[str, str]:
        unknown = [word for word in dict.fromkeys(words) if word not in self._spread]
        lengths = range(_SHORTEST_MISSPELT, _LONGEST_MISSPELT + 1)
        tried = [word for word in unknown if len(word) in lengths][:_MOST_MISSPELT]
        return {word: other for word in tried if (other := self._spelt(word))}

    def _spelt(self, word: str) -> str:
        near = [one for one in one_edit_away(word, self._spread) if len(one) >= _SHORTEST_MISSPELT]
        # of those that are as frequent the longer: what is left out is missed least
        return max(near, key=lambda one: (self._spread[one], len(one), one), default="")

    def _misspelt_match(self, place: int, name: _HolderName, meant: Mapping[str, str]) -> NaanMatch:
        told = frozenset(word for one in self._names[place] for word in one.words)
        reasons = (
            f"Its name contains `{other}`, which is similar to `{word}`."
            for word, other in meant.items()
            if other in told
        )
        return NaanMatch(
            self._records[place], round(self._by_name(place, name)[0], 3), tuple(reasons)
        )

    def _match(
        self, place: int, names: Collection[_HolderName], acronyms: Collection[str], host: str
    ) -> NaanMatch:
        record = self._records[place]
        told = (
            max(self._by_name(place, name) for name in names),
            _by_acronym(record, acronyms),
            self._by_host(place, host),
        )
        return NaanMatch(
            record,
            round(sum(weight for weight, _ in told), 3),
            tuple(reason for weight, reason in told if weight),
        )

    def _by_name(self, place: int, name: _HolderName) -> tuple[float, str]:
        if not name.words:
            return 0.0, ""
        best = max((self._likeness(name, other) for other in self._names[place]), default=0.0)
        if best == 1:
            return _SAME_NAME, "It has the same name."
        if best >= _ALIKE:
            return _SIMILAR_NAME * best, "It has a similar name."
        if any(self._has_part(name.words, other.words) for other in self._names[place]):
            return _PART_OF_NAME, "Its name shares a rare word."
        return 0.0, ""

    def _likeness(self, one: _HolderName, other: _HolderName) -> float:
        if one.joined == other.joined:
            return 1.0
        shared = one.words & other.words
        if not shared:
            return 0.0
        return min(self._weight(shared) / self._weight(one.words | other.words), 0.95)

    def _has_part(self, one: frozenset[str], other: frozenset[str]) -> bool:
        shared = one & other
        few = min(_FEW, 1 + len(self._records) // 10)
        if not any(self._spread[word] <= few for word in shared):
            return False
        least = min(self._weight(one), self._weight(other))
        return self._weight(shared) >= _MOST_OF * least

    def _weight(self, words: Iterable[str]) -> float:
        number = len(self._records) + 1
        return sum(log((number + 1) / (self._spread[word] + 1)) + 0.1 for word in words)

    def _by_host(self, place: int, host: str) -> tuple[float, str]:
        if not host or host not in self._hosts[place]:
            return 0.0, ""
        return _SAME_HOST / self._sharing[host], f"It also uses the host `{host}`."


def _by_acronym(record: NaanRecord, acronyms: Collection[str]) -> tuple[float, str]:
    own = "".join(_words(record.acronym or ""))
    if own not in acronyms:
        return 0.0, ""
    # two letters are the acronym of many
    return _SAME_ACRONYM if len(own) > 2 else 1.0, "It has the same acronym."


def _names(record: NaanRecord) -> Iterator[str]:
    yield record.holder
    if record.native_name:
        yield record.native_name


def _hosts(record: NaanRecord) -> Iterator[str]:
    for address in (record.where, record.target):
        host = registrable_host(web_host(address))
        if host:
            yield host


def _words(text: str) -> tuple[str, ...]:
    """The words of a name without case, accents and stops; ``U.S.`` is one word.

    A text that is too long for a name has none.
    """
    if len(text) > LONGEST_HOLDER:
        return ()
    apart = unicodedata.normalize("NFKD", text).casefold().replace(".", "")
    marks = "".join(one for one in apart if not unicodedata.combining(one))
    return tuple(re.findall(r"[^\W_]+", marks))


def registrable_host(host: str) -> str:
    """The part of a host that somebody registered: ``lib.example.ac.uk`` gives ``example.ac.uk``.

    It goes by the usual second levels below countries and by a few hosts that lodge others, not by
    a list of all; a number of an address, and a host without a dot, are given as they are.
    """
    if ":" in host or _NUMBER.fullmatch(host):
        return host
    labels = host.lower().strip(".").split(".")
    length = 2
    if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVELS:
        length = 3
    if len(labels) > 2 and ".".join(labels[-2:]) in _HOSTING:
        length = 3
    return ".".join(labels[-length:])
