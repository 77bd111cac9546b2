"""The schemes of assigned names, declared: all else of this room asks them and tells none apart."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from app.identifiers.ark import parse_ark
from app.identifiers.errors import InvalidIdentifier
from app.identifiers.spelling import spell_character, spell_text
from app.identifiers.urn import parse_urn
from app.registration.declarations.identifier_spaces import URN_SPACE
from app.registration.declarations.naan_registries import NAAN_SPACE, SHOULDER_SPACE

__all__ = [
    "LONGEST_NAME",
    "SCHEMES",
    "NameScheme",
    "find_scheme",
    "has_names_below",
    "read_assigned_name",
    "scheme_of",
]

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
