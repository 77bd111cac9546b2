"""The schemes of assigned names, declared: all else of this room asks them and tells none apart."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.identifiers.ark import parse_ark
from app.identifiers.errors import InvalidIdentifier, InvalidURN, spell_character, spell_text
from app.identifiers.urn import parse_urn
from app.registration.declarations.identifier_spaces import URN_SPACE
from app.registration.declarations.naan_registries import NAAN_SPACE, SHOULDER_SPACE
from app.resolution.ark_resolver import INFLECTIONS, read_ark_request

LONGEST_NAME: Final = 1_024  # characters, of the normal form
_LENGTH = "Rule of this registry: an identifier has at most 1,024 characters"
_LONGEST_TEXT = 12 * LONGEST_NAME  # that any spelling of one has, each character encoded


@dataclass(frozen=True, slots=True, kw_only=True)
class NameScheme:
    """One scheme.

    ``space_id`` is that of the space in which the beginnings of its names are registered, a NAAN or
    a NID, and ``part_space_id`` that of the space of their parts which are registered apart, empty
    where there is none. ``separator`` ends what is registered, as in ``ark:12345/`` and
    ``urn:mrn:``. ``read`` gives the normal form of a name and raises InvalidIdentifier.
    ``passthrough_signs`` begin what may follow a bound name and is answered from it.
    ``unordered_signs`` divide parts whose order has no meaning, so that no prefix ends in one.
    ``is_opaque``: its names are made by masks alone, so that they tell nothing. ``extends_names``:
    a binding may say that whatever follows its name is handed on; else only what is registered can
    declare that for its names.
    """

    id: str
    space_id: str
    part_space_id: str = ""
    separator: str
    read: Callable[[str], str]
    passthrough_signs: str = ""
    unordered_signs: str = ""
    is_opaque: bool = False
    extends_names: bool = False
    source: str

    def split(self, name: str) -> tuple[str, str]:
        registered, _, named = name.partition(":")[2].partition(self.separator)
        return registered, named

    def whole(self, registered: str, named: str = "") -> str:
        return f"{self.id}:{registered}{self.separator}{named}"


def _read_ark(text: str) -> str:
    ark = parse_ark(text)
    rest = len(ark.basic_ark)
    if rest < len(text):
        raise InvalidIdentifier(
            text, "query", _behind(text, rest), rest, "The ARK URI scheme section 3.4"
        )
    return ark.normal_form


def _read_urn(text: str) -> str:
    urn = parse_urn(text)
    rest = len(urn.assigned_name)
    if rest < len(text):
        raise InvalidIdentifier(
            text, "component", _behind(text, rest), rest, "RFC 8141 section 2.3"
        )
    return urn.normal_form


def _behind(text: str, rest: int) -> str:
    sign = spell_character(text[rest])
    return f"The identifier ends before {sign}. Remove that character and the text after it."


SCHEMES: Final[Mapping[str, NameScheme]] = {
    scheme.id: scheme
    for scheme in (
        NameScheme(
            id="ark",
            space_id=NAAN_SPACE.id,
            part_space_id=SHOULDER_SPACE.id,
            separator="/",
            read=_read_ark,
            passthrough_signs="/.",
            unordered_signs=".",
            is_opaque=True,
            extends_names=True,
            source="The ARK URI scheme section 4",
        ),
        NameScheme(
            id="urn",
            space_id=URN_SPACE.id,
            separator=":",
            read=_read_urn,
            source="RFC 8141 section 2",
        ),
    )
}


def scheme_of(text: str) -> NameScheme:
    """The scheme that a text begins with, in any case. Raises InvalidIdentifier for one that none
    of them begins.

    Source: RFC 3986 section 3.1.
    """
    begun = text.partition(":")[0]
    scheme = SCHEMES.get(begun.lower()) if begun.isascii() else None
    if scheme is None:
        named = " or ".join(f"`{one}:`" for one in SCHEMES)
        message = f"{spell_text(text)} doesn't start with {named}. Enter the full identifier."
        raise InvalidIdentifier(text, "scheme", message, 0, "RFC 3986 section 3.1")
    return scheme


def read_assigned_name(text: str) -> str:
    """The normal form of a name, whole: ``ark:12345/x5abc``, ``urn:mrn:imo:1``.

    Raises InvalidIdentifier, with the reason, for what is no name of a scheme, for one that has a
    query, a fragment or another component, and for one whose normal form is longer than 1,024
    characters.

    Source: The ARK URI scheme section 6; RFC 8141 section 3.1.
    """
    scheme = scheme_of(text)
    name = scheme.read(text) if len(text) <= _LONGEST_TEXT else ""
    if not name or len(name) > LONGEST_NAME:
        message = f"The identifier is too long. Use at most {LONGEST_NAME:,} characters."
        raise InvalidIdentifier(text, "too_long", message, LONGEST_NAME, _LENGTH)
    return name


def find_scheme(space_id: str) -> NameScheme | None:
    found = (one for one in SCHEMES.values() if space_id in (one.space_id, one.part_space_id))
    return next(found, None)


def has_names_below(space_id: str) -> bool:
    return find_scheme(space_id) is not None


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
