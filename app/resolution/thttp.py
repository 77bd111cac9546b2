"""What the resolution services of RFC 2169 give: a name or a location -> locations and names."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import islice, product
from typing import NamedTuple
from urllib.parse import unquote

from app.registration.profiles.profile_records import ResolutionService, ServiceKind
from app.resolution.judgement import Judgement, judge_text
from app.resolution.namespace_rules import RuleBook
from app.resolution.service_choice import NO_PREFERENCES, NSS, PLACES, Destination, Preferences
from app.resolution.urn_resolver import UrnResolver

_LONGEST = 2_000  # characters of a pattern, as many as may be entered
_MOST = 64  # shapes of one pattern
_DEEPEST = 20  # groups in groups
_OPENING = re.compile(r"\((?:\?P<(\w+)>|\?[a-z]*:|\?([=!]|<[=!]))?")
_ONE = re.compile(r"\[([^\[\]\\^])([^\[\]\\]?)\]")  # `[x]` or `[Xx]`
_CLASS = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*\]")
_COUNT = re.compile(r"\{[0-9,]*\}")
_FIXED = re.compile(r"\[[^\[\]\\]+\](?:\{([0-9]{1,4})\})?")


class GroupPosition(NamedTuple):
    """A named group, where it stands in a shape; ``width`` is its length where that is fixed."""

    name: str
    width: int | None = None


Part = str | GroupPosition
Shape = tuple[Part, ...]


@lru_cache(maxsize=1024)
def shapes_of(expression: str) -> tuple[Shape, ...]:
    """The shapes of what an expression matches, without those that other than groups leave open.

    ``def:(?P<type>[a-z]+):(?P<code>.+)`` gives one: ``def:``, type, ``:``, code. Gives nothing for
    what cannot be read; raises nothing.

    Source: RFC 8141 section 2.2, of which a pattern describes the NSS of one namespace.
    """
    if len(expression) > _LONGEST:
        return ()
    reader = _ShapeReader(expression)
    try:
        found = reader.alternatives(0)
    except (IndexError, RecursionError):
        return ()
    whole = reader.at == len(expression)
    return tuple(dict.fromkeys(found)) if whole else ()


def fill_shape(shape: Shape, values: Mapping[str, str]) -> str | None:
    parts = [part if isinstance(part, str) else values.get(part.name) for part in shape]
    return None if None in parts else "".join(part for part in parts if part)


def widths_in(shapes: tuple[Shape, ...]) -> dict[str, int]:
    groups = (part for shape in shapes for part in shape if isinstance(part, GroupPosition))
    return {group.name: group.width for group in groups if group.width is not None}


def _joined(shape: Shape) -> Shape:
    joined: list[Part] = []
    for part in shape:
        if isinstance(part, str) and joined and isinstance(last := joined[-1], str):
            joined[-1] = last + part
        elif part:
            joined.append(part)
    return tuple(joined)


class _ShapeReader:
    def __init__(self, text: str) -> None:
        self._text, self.at = text, 0

    def alternatives(self, depth: int) -> tuple[Shape, ...]:
        if depth > _DEEPEST:
            raise RecursionError
        found = [*self._series(depth)]
        while self._text.startswith("|", self.at):
            self.at += 1
            found += self._series(depth)
        return tuple(found[:_MOST])

    def _series(self, depth: int) -> tuple[Shape, ...]:
        shapes: tuple[Shape, ...] = ((),)
        while self._text[self.at : self.at + 1] not in ("", "|", ")"):
            following = self._quantified(self._atom(depth))
            made = (_joined(before + after) for before, after in product(shapes, following))
            shapes = tuple(islice(made, _MOST))
        return shapes

    def _quantified(self, shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
        mark = self._text[self.at : self.at + 1]
        counted = _COUNT.match(self._text, self.at)
        if counted or mark in ("*", "+"):
            self.at = counted.end() if counted else self.at + 1
            shapes = ()  # how often it stands there is not fixed
        elif mark == "?":
            self.at += 1
            shapes = (*shapes, ())
        else:
            return shapes
        self.at += self._text[self.at : self.at + 1] in ("?", "+")  # lazy, or possessive
        return shapes

    def _atom(self, depth: int) -> tuple[Shape, ...]:
        character = self._text[self.at]
        if character == "(":
            return self._group(depth)
        if character == "[":
            return tuple(self._class())
        self.at += 1
        if character == "\\":
            character = self._text[self.at]
            self.at += 1
            return () if character.isalnum() else ((character,),)
        return () if character in ".^$" else ((character,),)

    def _class(self) -> Iterator[Shape]:
        one = _ONE.match(self._text, self.at)
        found = one or _CLASS.match(self._text, self.at)
        if found is None:
            raise IndexError
        begun, self.at = self.at, found.end()
        if one and one[1].lower() == (one[2] or one[1]).lower():
            yield (self._letter(one[1], begun, is_either=bool(one[2])),)

    def _letter(self, letter: str, begun: int, *, is_either: bool) -> str:
        is_word = self._text[:begun].endswith("]") or self._text.startswith("[", self.at)
        return letter.lower() if is_either and is_word else letter

    def _group(self, depth: int) -> tuple[Shape, ...]:
        opening = _OPENING.match(self._text, self.at)
        if opening is None:
            raise IndexError
        self.at = begun = opening.end()
        inner = self.alternatives(depth + 1)
        body = self._text[begun : self.at]
        if self._text[self.at] != ")":
            raise IndexError
        self.at += 1
        if opening[2]:
            return ((),)  # what looks round a place takes none
        return ((GroupPosition(opening[1], _width(body)),),) if opening[1] else inner


def _width(body: str) -> int | None:
    fixed = _FIXED.fullmatch(body)
    return int(fixed[1] or 1) if fixed else None


_EXPRESSION = re.compile(r"\{(\+?)([A-Za-z0-9_]+)\}")
_BEGINNING = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")  # scheme and authority
_PORTS = {"http": ":80", "https": ":443"}
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")


def comparable_address(address: str) -> str:
    """An address as those are written that are the same: scheme and host in lower case, without the
    port that the scheme has anyway, the digits of percent-encodings in upper case.

    Source: RFC 3986 sections 6.2.2.1 and 6.2.3.
    """
    found = _BEGINNING.match(address)
    end = found.end() if found else 0
    rest = address[end:]
    if "%" in rest:
        rest = _ENCODED.sub(lambda one: one[0].upper(), rest)
    return _without_port(address[:end].lower()) + rest


def _without_port(beginning: str) -> str:
    for scheme, port in _PORTS.items():
        if beginning.startswith(f"{scheme}://"):
            return beginning.removesuffix(port).removesuffix(":")
    return beginning


def fixed_beginning(template: str) -> str:
    beginning = template.partition("{")[0]
    return comparable_address(beginning) if _BEGINNING.match(beginning) else ""


class _Variable(NamedTuple):
    before: str
    name: str
    is_raw: bool


class AddressReader:
    """Reads addresses of one service, in one pass over each.

    It can read the whole NSS, or named groups of which a shape of the NSS is put together.
    ``pattern`` is that of the namespace, empty where there is none.
    """

    def __init__(self, service: ResolutionService, pattern: str) -> None:
        self._variables, self._end = _split(service.target)
        names = {variable.name for variable in self._variables}
        shapes = (*shapes_of(service.when), *shapes_of(pattern)) if names - {NSS} else ()
        self._shapes = tuple(shape for shape in shapes if _groups(shape) == names)
        self._widths = widths_in(self._shapes)

    def read(self, address: str) -> Iterator[str]:
        """The NSSs that a comparable address may have been made of, each still to be tried."""
        values = self._values(address)
        if values is None:
            return
        if NSS in values:
            yield values[NSS]
            return
        for shape in self._shapes:
            nss = fill_shape(shape, values)
            if nss:
                yield nss

    def _values(self, address: str) -> dict[str, str] | None:
        values: dict[str, str] = {}
        at = 0
        following: Iterator[str | None] = (one.before for one in self._variables[1:])
        for before, name, is_raw in self._variables:
            next_text = next(following, None)
            if not address.startswith(before, at):
                return None
            at += len(before)
            end = self._end_of(address, at, name, next_text)
            if end <= at:
                return None
            value = address[at:end]
            values[name] = value if is_raw else unquote(value, encoding="latin-1")
            at = end
        return values if values and address[at:] == self._end else None

    def _end_of(self, address: str, at: int, name: str, next_text: str | None) -> int:
        if next_text is None:
            return len(address) - len(self._end)
        if next_text:
            return address.find(next_text, at)
        return at + self._widths.get(name, 0)


@lru_cache(maxsize=1024)
def reader_of(service: ResolutionService, pattern: str) -> AddressReader:
    return AddressReader(service, pattern)


def _split(template: str) -> tuple[tuple[_Variable, ...], str]:
    variables: list[_Variable] = []
    at = 0
    for found in _EXPRESSION.finditer(template):
        before = comparable_address(template[at : found.start()])
        variables.append(_Variable(before, found[2], found[1] == "+"))
        at = found.end()
    texts = [template[at:], *(variable.before for variable in variables)]
    is_other = any("{" in text or "}" in text for text in texts)
    return ((), "") if is_other else (tuple(variables), comparable_address(template[at:]))


def _groups(shape: Shape) -> set[str]:
    return {part.name for part in shape if isinstance(part, GroupPosition)}


# A namespace and the targets of its services, as they follow each other in the lines. Within a
# text of a line its quotes would have backslashes.
_MARKS = re.compile(rb'"nid":"([^"\\]*)"|"target":"([^"\\]*)"')


class ServiceLocations:
    """The namespaces by the fixed beginning of their services' addresses."""

    def __init__(self, lines: bytes) -> None:
        self._lines = lines

    @cached_property
    def _namespaces(self) -> dict[str, dict[str, None]]:
        found: dict[str, dict[str, None]] = {}
        folded = ""
        for nid, target in _MARKS.findall(self._lines):
            if nid:
                folded = nid.decode("ascii")
            elif beginning := fixed_beginning(target.decode("ascii")):
                found.setdefault(beginning, {})[folded] = None
        return found

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        return tuple(sorted({len(beginning) for beginning in self._namespaces}, reverse=True))

    def find(self, address: str) -> Iterator[str]:
        """The folded names of namespaces that may have a comparable address."""
        told: set[str] = set()
        for length in self._lengths:
            for folded in self._namespaces.get(address[:length], ()):
                if folded not in told:
                    told.add(folded)
                    yield folded


_MOST_NAMESPACES, _MOST_TRIED = 20, 50  # for one location
_NO_CHARACTER = re.compile(r"[^A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]|%(?![0-9A-Fa-f]{2})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class ThttpService(StrEnum):
    """A service by the name that it is asked for by. Source: RFC 2169 section 3."""

    N2L = "N2L"
    N2LS = "N2Ls"
    N2R = "N2R"
    N2RS = "N2Rs"
    N2C = "N2C"
    N2NS = "N2Ns"
    L2NS = "L2Ns"
    L2LS = "L2Ls"
    L2C = "L2C"

    @property
    def is_of_location(self) -> bool:
        return self.value.startswith("L")


# Also by the tokens that records of the DNS have for the same (RFC 2483 section 4, RFC 3404).
SERVICES = {
    **{str(service): service for service in ThttpService},
    **{f"I{service[1:]}": service for service in ThttpService if not service.is_of_location},
}

LOCATORS = PLACES - {ServiceKind.DESCRIPTION, ServiceKind.DESCRIPTIONS}
RESOURCES = frozenset({ServiceKind.RESOURCE, ServiceKind.RESOURCES})
DESCRIPTIONS = PLACES - LOCATORS
NAMING = frozenset({ServiceKind.NAME, ServiceKind.NAMES})

Found = tuple[tuple[Destination, ...], bool]


class NameLookup:
    """What an edition knows of names and of locations, on one day."""

    def __init__(
        self, book: RuleBook, resolver: UrnResolver, places: ServiceLocations, day: str = ""
    ) -> None:
        self._book, self._resolver, self._places, self._day = book, resolver, places, day

    def locators(self, name: Judgement, preferences: Preferences = NO_PREFERENCES) -> Found:
        """Source: RFC 2169 sections 3.1 and 3.2."""
        return self.find(name, LOCATORS, preferences)

    def resources(self, name: Judgement, preferences: Preferences = NO_PREFERENCES) -> Found:
        """Source: RFC 2169 sections 3.3 and 3.4."""
        found, is_negotiated = self.find(name, RESOURCES, preferences)
        return (found, is_negotiated) if found else self.locators(name, preferences)

    def descriptions(self, name: Judgement, preferences: Preferences = NO_PREFERENCES) -> Found:
        """Source: RFC 2169 section 3.5."""
        return self.find(name, DESCRIPTIONS, preferences)

    def find(
        self,
        name: Judgement,
        kinds: frozenset[ServiceKind],
        preferences: Preferences = NO_PREFERENCES,
    ) -> Found:
        """Services of these kinds."""
        if name.urn is None or name.rules is None or not name.is_name:
            return (), False
        chooser = self._resolver.chooser_of(name.rules)
        if not chooser.is_meant:
            return (), False
        forms = name.normal_form, name.own_form
        return chooser.choose(name.urn, *forms, self._day, preferences, kinds)

    def names_of(self, name: Judgement) -> tuple[str, ...]:
        """Source: RFC 2169 section 3.6; RFC 8141 section 3.2."""
        forms = dict.fromkeys((name.own_form, name.written_form))
        return tuple(form for form in forms if form and form != name.normal_form)

    def names_at(self, location: str) -> tuple[Judgement, ...]:
        """The names that a service has at a location, which is written so in no other way.

        Source: RFC 2169 section 3.7.
        """
        address = comparable_address(location)
        namespaces = islice(self._places.find(address), _MOST_NAMESPACES)
        texts = (text for folded in namespaces for text in self._texts(folded, address))
        tried = (judge_text(text, self._book) for text in islice(texts, _MOST_TRIED))
        found = {name.normal_form: name for name in tried if self._leads_to(name, address)}
        return tuple(found.values())

    def _texts(self, folded: str, address: str) -> Iterator[str]:
        rules = self._book.find(folded)
        if rules is None:
            return
        pattern = rules.pattern.expression if rules.pattern else ""
        for service in rules.resolution.services:
            if service.kind in PLACES:
                for nss in reader_of(service, pattern).read(address):
                    yield f"urn:{folded}:{nss}"

    def _leads_to(self, name: Judgement, address: str) -> bool:
        if name.urn is None or name.urn.r_component or name.urn.q_component:
            return False
        return any(comparable_address(one.target) == address for one in self.find(name, PLACES)[0])

    def locations_at(self, location: str) -> tuple[str, ...]:
        """Source: RFC 2169 section 3.8."""
        address = comparable_address(location)
        found = (one.target for name in self.names_at(location) for one in self._places_of(name))
        return tuple(one for one in dict.fromkeys(found) if comparable_address(one) != address)

    def _places_of(self, name: Judgement) -> tuple[Destination, ...]:
        return self.find(name, PLACES)[0]


def fault_in_location(text: str) -> tuple[int, str] | None:
    """Where a text is no location and why, in a sentence; None for one that is a location.

    Source: RFC 3986 sections 2 and 3; RFC 2169 section 3.7.
    """
    scheme = _SCHEME.match(text)
    if not text:
        return 0, "The location after the question mark is missing. Add one."
    if scheme is None:
        return 0, (
            "A location starts with a scheme and a colon, such as `https:`. Enter it in full."
        )
    if scheme[0].lower() == "urn:":
        return 0, (
            "This is an identifier, not a location. Use N2L, N2Ls, N2C or N2Ns for identifiers."
        )
    wrong = _NO_CHARACTER.search(text)
    if wrong is None:
        return None
    return wrong.start(), "This character must be percent-encoded in a location."
