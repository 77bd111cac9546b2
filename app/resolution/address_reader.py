"""A service's address -> the names that it may stand for: its template, read backwards."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from app.registration.profiles.profile_records import ResolutionService
from app.resolution.nss_shapes import GroupPosition, Shape, fill_shape, shapes_of, widths_in
from app.resolution.targets import NSS

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
