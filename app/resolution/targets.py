"""Where a service has a name: its template expanded, and the name's components put on."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import quote

from uritemplate import URITemplate

from app.identifiers.urn import URN
from app.registration.profiles.profile_records import ResolutionService

NSS = "nss"  # the variable that is the whole of it

_EXPRESSION = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z0-9_]+")
_is_unreserved = re.compile(r"[A-Za-z0-9._~-]*").fullmatch
# What a URI is made of (RFC 3986 appendix A), and an address of the Web in this.
_ADDRESS = re.compile(r"(?i:https?)://(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+")
# No percent sign but before two hexadecimal digits.
_is_whole = re.compile("[^%]*+(?:%[0-9A-Fa-f]{2}[^%]*+)*+").fullmatch
_QUERY_OPERATORS = ("?", "&")


class _TemplatePosition(NamedTuple):
    is_value: bool  # in the value of a query's member
    rest: str  # the part of the template that follows


class AddressTemplate:
    """A URI template that gives addresses of the Web, taken apart once.

    ``variables`` are the names that it needs. ``is_address``: it gives addresses, the scheme of
    which stands in it.

    Source: RFC 6570.
    """

    def __init__(self, template: str) -> None:
        # the library looks for the end of each brace, and so again and again where none is closed
        closed = template.rpartition("}")
        self._template, self._tail = URITemplate("".join(closed[:2])), closed[2]
        self.variables = frozenset(self._template.variable_names)
        self._plain = _plain_form_of(template)
        self.is_address = _ADDRESS.fullmatch(_EXPRESSION.sub("a", template)) is not None

    def fill(self, variables: Mapping[str, str]) -> str:
        """What the template gives for these variables, all of which are set.

        Source: RFC 6570 section 3.
        """
        if self._plain is None:
            return self._expand(variables)
        form, expressions = self._plain
        values = []
        for name, may_stand in expressions:
            value = variables[name]
            if not may_stand(value):
                return self._expand(variables)
            values.append(value)
        return form % tuple(values)

    def _expand(self, variables: Mapping[str, str]) -> str:
        return f"{self._template.expand(dict(variables))}{self._tail}"


class TargetTemplate(AddressTemplate):
    """The template of a service, taken apart once. Raises nothing."""

    def __init__(self, service: ResolutionService) -> None:
        super().__init__(service.target)
        self._service = service
        self._place = _place_of(service.target)

    def expand(self, variables: Mapping[str, str], urn: URN) -> str | None:
        """Source: RFC 6570 section 3; RFC 8141 sections 2.3.1 to 2.3.3."""
        target = self.place(variables)
        if target is None:
            return None
        r, q = urn.r_component, urn.q_component
        return target if r is None and q is None else self._with_components(target, variables, r, q)

    def place(self, variables: Mapping[str, str]) -> str | None:
        """Source: RFC 6570 section 3."""
        if not self.is_address:
            return None
        target = self.fill(variables)
        # a group may cut `%2C` into pieces
        return None if "%" in target and not _ADDRESS.fullmatch(target) else target

    def _with_components(
        self, target: str, variables: Mapping[str, str], r: str | None, q: str | None
    ) -> str:
        place, service = self._place, self._service
        if service.is_resolver and place is not None:
            written = f"{'' if r is None else f'?+{r}'}{'' if q is None else f'?={q}'}"
            rest = URITemplate(place.rest).expand(dict(variables))
            head = target.removesuffix(rest)
            if place.is_value:
                return f"{head}{quote(written, safe='')}{rest}"
            if rest[:1] in ("", "#"):
                return f"{head}{written}{rest}"
        if r is not None and (service.takes_r or service.is_resolver):
            target = join_query(target, f"+{r}")
        return target if q is None else join_query(target, q)


def join_query(target: str, query: str) -> str:
    """An address with this query, or with it behind the one that it has, before any fragment.

    Source: RFC 8141 section 2.3.2, which leaves the second case to the resolver.
    """
    address, mark, fragment = target.partition("#")
    glue = "&" if "?" in address and address[-1] not in "?&" else ""
    separator = glue if "?" in address else "?"
    return f"{address}{separator}{query}{mark}{fragment}"


_Test = Callable[[str], object]


def _plain_form_of(template: str) -> tuple[str, tuple[tuple[str, _Test], ...]] | None:
    expressions = []
    for operator, name in _EXPRESSION.findall(template):
        if operator not in ("", "+") or not _NAME.fullmatch(name):
            return None
        expressions.append((name, _is_reserved if operator else _is_unreserved))
    literals = _EXPRESSION.split(template)[:: _EXPRESSION.groups + 1]
    return "%s".join(literal.replace("%", "%%") for literal in literals), tuple(expressions)


def _is_reserved(value: str) -> bool:
    return "%" not in value or _is_whole(value) is not None


def _place_of(template: str) -> _TemplatePosition | None:
    found = list(_EXPRESSION.finditer(template))
    if not found:
        return None
    last = found[-1]
    _, mark, query = template[: last.start()].partition("?")
    is_value = last[1] in _QUERY_OPERATORS or (bool(mark) and "=" in query.rpartition("&")[2])
    return _TemplatePosition(is_value, template[last.end() :])
