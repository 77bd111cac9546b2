"""A text that somebody follows as a name -> the name that it asks for, in normal form."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.assigned_names.name_schemes import SCHEMES
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn
from app.resolution.arks.ark_requests import INFLECTIONS, read_ark_request

__all__ = ["ASKED_SCHEMES", "AskedName", "AskedScheme"]


class AskedName(NamedTuple):
    """What is asked for: a name in normal form, without a query.

    ``query`` is what is to be handed on, None where there is nothing. ``is_described``: what is
    known of the name is asked for, and not what it names. Names shorter than ``shortest`` are of
    another authority or of none.
    """

    name: str
    query: str | None
    is_described: bool
    shortest: int


@dataclass(frozen=True, slots=True)
class AskedScheme:
    """How names of a scheme are asked for.

    ``read`` gives None for a text that asks for no name of it. ``has_inflections``: an inflection
    leads to what is known of a name, as its page does where there are none.
    """

    id: str
    read: Callable[[str], AskedName | None]
    has_inflections: bool

    @property
    def signs(self) -> str:
        return SCHEMES[self.id].passthrough_signs


def _asked_ark(text: str) -> AskedName | None:
    request = read_ark_request(text)
    naan, slash, named = request.path.partition("/")
    if not (slash and named):
        return None
    is_described = request.query in INFLECTIONS
    query = None if is_described else request.query
    return AskedName(f"ark:{request.path}", query, is_described, len(f"ark:{naan}/x"))


def _asked_urn(text: str) -> AskedName | None:
    name, mark, rest = text.partition("?")
    is_described = bool(mark) and rest in INFLECTIONS
    try:
        urn = parse_urn(name if is_described else text)
    except InvalidURN:
        return None
    return AskedName(urn.normal_form, urn.q_component, is_described, len(f"urn:{urn.nid}:x"))


_ARK = AskedScheme("ark", _asked_ark, has_inflections=True)
_URN = AskedScheme("urn", _asked_urn, has_inflections=False)
ASKED_SCHEMES: Final[Mapping[str, AskedScheme]] = {one.id: one for one in (_ARK, _URN)}
