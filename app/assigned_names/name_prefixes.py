"""Prefixes: the beginnings that the names of one holder share, and how they meet."""

from dataclasses import dataclass
from typing import Final

from app.assigned_names.name_schemes import (
    LONGEST_NAME,
    NameScheme,
    read_assigned_name,
    scheme_of,
)
from app.identifiers.errors import Finding, InvalidIdentifier, spell_text
from app.labelled_enum import LabelledEnum
from app.registration.naans.naan_names import fold_naan_name
from app.registration.profiles.nss_forms import compile_pattern

BEHIND_ALL: Final = "\U0010ffff"  # a beginning with this behind it comes after all that begin so
LONGEST_PREFIX: Final = LONGEST_NAME // 4  # so that names have room behind it


class InvalidPrefix(ValueError):
    """A text that no prefix is. Keeps the ``text`` unchanged, with a ``code``, a ``message`` for
    people and the ``source`` of the rule."""

    def __init__(self, text: str, code: str, message: str, source: str) -> None:
        super().__init__(text, code, message, source)
        self.text = text
        self.code = code
        self.message = message
        self.source = source

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class NamePrefix:
    """A beginning of names, as ``read_prefix`` reads it: ``text`` in normal form, whole."""

    scheme: NameScheme
    text: str

    @property
    def registered(self) -> str:
        return self.scheme.split(self.text)[0]

    @property
    def beginning(self) -> str:
        return self.scheme.split(self.text)[1]

    @property
    def shoulder(self) -> str:
        return self.beginning if self.scheme.part_space_id else ""

    @property
    def registrations(self) -> tuple[tuple[str, str], ...]:
        """Source: The ARK Identifier Scheme, on shoulders."""
        scheme, registered, named = self.scheme, self.registered, fold_naan_name(self.beginning)
        own = (scheme.space_id, registered)
        if not scheme.part_space_id:
            return (own,)
        begun = (f"{registered}{scheme.separator}{named[:end]}" for end in range(len(named), 0, -1))
        return (*((scheme.part_space_id, one) for one in begun), own)

    def holds(self, name: str) -> bool:
        return len(name) > len(self.text) and name.startswith(self.text)


def read_prefix(text: str) -> NamePrefix:
    """The prefix that a text is, in normal form.

    ``ark:/12345/x5`` and ``ARK:12345/x-5`` give ``ark:12345/x5``; ``ark:12345`` gives
    ``ark:12345/``, all of a NAAN, and ``urn:example`` gives ``urn:example:``. Raises InvalidPrefix
    for what no name begins with, and for a prefix that other spellings of its names would not begin
    with.

    Source: The ARK URI scheme section 4; RFC 8141 section 2.
    """
    try:
        scheme = scheme_of(text)
        prefix = NamePrefix(scheme, _normal(scheme, text))
    except InvalidIdentifier as error:
        raise InvalidPrefix(text, error.code, error.message, error.source) from error
    strange = next((sign for sign in scheme.unordered_signs if sign in prefix.beginning), "")
    if strange:
        message = f"A prefix can't contain `{strange}`. End it before that character."
        raise InvalidPrefix(text, "prefix_order", message, scheme.source)
    if len(prefix.text) > LONGEST_PREFIX:
        message = f"The prefix is too long. Enter at most {LONGEST_PREFIX} characters."
        raise InvalidPrefix(text, "prefix_long", message, scheme.source)
    return prefix


def _normal(scheme: NameScheme, text: str) -> str:
    lead, colon, rest = text.partition(":")
    begun = rest.removeprefix("/") if scheme.separator == "/" else rest
    if begun and scheme.separator not in begun:
        return _normal(scheme, f"{lead}{colon}{rest}{scheme.separator}")
    if not begun.endswith(("/", scheme.separator)):
        return read_assigned_name(text)
    name = read_assigned_name(f"{text}0")
    if not name.endswith("0"):  # it was taken for a part of something
        raise InvalidIdentifier(text, "prefix", f"{spell_text(text)} can't be a prefix.", None, "")
    return name[:-1]


class PrefixRole(LabelledEnum):
    """A delegate assigns identifiers; an owner also decides on delegates and settings."""

    HOLDER = "holder", "Owner"
    DELEGATE = "delegate", "Delegate"


LONGEST_PATTERN: Final = 500  # characters; what is said of the names of a whole namespace has 1,000
_SOURCE = "Rule of this registry: identifiers match the pattern of their prefix"


class NamePattern:
    """The names of a prefix that a regular expression takes."""

    __slots__ = ("_expression", "_matches", "_prefix")

    def __init__(self, prefix: NamePrefix, expression: str) -> None:
        found = compile_pattern(expression)
        self._prefix, self._expression = prefix, expression
        self._matches = found.fullmatch if found else None

    def fault_of(self, name: str) -> Finding | None:
        """Why a name under the prefix, in normal form, is not given; None for one that may be."""
        part = name.removeprefix(self._prefix.text)
        if self._matches is None or self._matches(part):
            return None
        message = (
            f"{spell_text(part)} doesn't match the pattern {spell_text(self._expression)} "
            f"of {spell_text(self._prefix.text)}."
        )
        return Finding("pattern", message, _SOURCE)


def find_pattern_fault(expression: str) -> str:
    """Why a text is no pattern of names, in a sentence; empty where it is one.

    Source: RFC 8141 section 6.4.2, by which a namespace says how its names are written.
    """
    # imported here because the published plane, which loads this module, needs no grammars
    from app.grammar.expressions.regular_expressions import find_unsafe_pattern

    if len(expression) > LONGEST_PATTERN:
        return f"The pattern is too long. Enter at most {LONGEST_PATTERN} characters."
    return find_unsafe_pattern(expression)
