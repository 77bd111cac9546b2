"""The headings of registration templates, of today and of earlier days, and lines that are one."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from app.identifiers.errors import ODD_SPACES
from app.registration.declarations.registries import TEMPLATE_FIELDS


class HeadingKind(StrEnum):
    """What a heading does with the text below it."""

    OWN = "own"  # the field's own; its words are left out of the text
    EARLIER = "earlier"  # of RFC 2611 or 3406; one of several that make up a field
    EXTRA = "extra"  # of no form: it stays in the field in which it stands, if that can hold it
    GROUP = "group"  # Registration Information, which holds version and date
    OUTSIDE = "outside"  # a section of the document around the template


class HeadingMark(StrEnum):
    """What stands before a heading's words."""

    NONE = "none"
    NUMBER = "number"
    BULLET = "bullet"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class HeadingLabel:
    """A heading's words, the field that it leads to, and its place in the order of its form."""

    words: str
    kind: HeadingKind
    field: str
    place: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A line that can be a heading: what it is, as it was typed, and what follows it."""

    label: HeadingLabel
    typed: str
    rest: str
    indent: int
    mark: HeadingMark
    has_colon: bool


SHORT = frozenset(field.name for field in TEMPLATE_FIELDS if not field.is_long)
EARLIER_ORDER = (
    ("relevant ancillary documentation", "documentation"),
    ("identifier uniqueness considerations", "assignment"),
    ("identifier persistence considerations", "assignment"),
    ("process of identifier assignment", "assignment"),
    ("process for identifier resolution", "resolution"),
    ("rules for lexical equivalence", "syntax"),
    ("conformance with urn syntax", "syntax"),
    ("validation mechanism", "additional_information"),
    ("scope", "purpose"),
    ("namespace considerations", "purpose"),
    ("community considerations", "purpose"),
)
_OWN_TOO = {
    "namespace_identifier": (
        "namespace id",
        "namespace-id",
        "namespaceid",
        "nid",
        "urn namespace identifier",
        "urn namespace id",
        "requested namespace identifier",
    ),
    "version": (
        "registration version number",
        "registration version",
        "version number",
        "template version",
    ),
    "date": ("registration date", "date of registration"),
    "registrant": ("registrants",),
    "assignment": ("identifier assignment",),
    "security_and_privacy": ("security & privacy", "security and privacy considerations"),
    "interoperability": ("interoperability considerations",),
    "documentation": ("documentations",),
    "revision_information": ("revisions", "revision history"),
}
_OTHERS: dict[HeadingKind, dict[str, tuple[str, ...]]] = {
    HeadingKind.EARLIER: {
        "registrant": (
            "declared registrant of the namespace",
            "declared registrant",
            "registrant contact",
            "registrant information",
            "contact information of the registrant",
        ),
        "syntax": (
            "declaration of syntactic structure",
            "declaration of structure",
            "declaration of syntax structure",
            "declaration of syntactic structures",
            "declaration of the syntactic structure",
            "syntactic structure",
            "conformance with the urn syntax",
            "lexical equivalence",
            "rules for urn equivalence",
            "rules for urn-equivalence",
            "character set",
            "syntax considerations",
        ),
        "documentation": (
            "relevant ancillary information",
            "ancillary documentation",
            "additional documentation",
            "additional documentation / information",
            "documentation / additional information",
            "documentation and additional information",
            "relevant documentation",
            "references",
            "normative references",
            "informative references",
        ),
        "assignment": (
            "identifier uniqueness",
            "uniqueness considerations",
            "process of identifier assignment and management",
            "process of identifier and namespace assignment",
            "process of identifiers assignment",
            "identifier and namespace uniqueness considerations",
            "process for identifier assignment",
            "identifier assignment process",
            "identifier persistence",
            "identifiers persistence considerations",
            "identifier and namespace persistence considerations",
            "persistence considerations",
        ),
        "additional_information": (
            "validation mechanisms",
            "other information",
        ),
        "resolution": (
            "process of identifier resolution",
            "identifier resolution",
            "identifier resolution process",
        ),
        "purpose": ("namespace and community considerations", "scope / kind of named resources"),
        "security_and_privacy": (
            "security considerations",
            "privacy considerations",
            "privacy",
            "security",
        ),
        "revision_information": (
            "change history",
            "changes from previous version",
            "changes since the last version",
            "differences from previous versions",
        ),
    },
    HeadingKind.EXTRA: {
        "registrant": (
            "name",
            "organization",
            "organisation",
            "organization name",
            "registering organization",
            "registering organisation",
            "contact",
            "address",
            "designated contact person",
            "designated contact",
            "contact person",
            "organization type",
        ),
        "purpose": (
            "background",
            "overview",
            "introduction",
            "motivation",
            "benefits",
            "rationale",
            "abstract",
            "applicability",
            "description",
        ),
        "syntax": ("examples", "structure", "encoding", "encoding considerations", "equivalence"),
        "assignment": ("uniqueness", "persistence", "management", "assignment policy"),
        "additional_information": ("notes", "note", "comments", "validation"),
    },
    HeadingKind.GROUP: {"version": ("registration information",)},
    HeadingKind.OUTSIDE: {
        "": (
            "iana considerations",
            "acknowledgements",
            "acknowledgments",
            "contributors",
            "author's address",
            "authors' addresses",
            "author's addresses",
            "table of contents",
            "copyright notice",
            "full copyright statement",
            "intellectual property",
            "intellectual property statement",
            "status of this memo",
        )
    },
}
# Whether names last is told where they are assigned (RFC 8141 section 6.4.3), though RFC 3406 asks
# for it under a heading of its own.
_OF_ONE_FIELD = frozenset({"persistence"})
_SPACES = re.compile(r"\s+")
# Word writes `Namespace Identifier:` with a no-break space, and may begin a line with one without
# width.
_PLAIN_SPACES = str.maketrans(dict.fromkeys(ODD_SPACES, " "))
_NO_WIDTH = "\u200b\u2060\ufeff"
# `Purpose (see section 3)` is the heading `Purpose`.
_ASIDE = re.compile(r" ?\([^()]{0,60}\)$")
_LONGEST = 160
_MARK = re.compile(
    r"(?:#{1,6}[ \t]+)?(?:\*\*|__|\*(?=[A-Za-z]))?"
    r"(?:(?:(?:Appendix|Section)[ \t]+)?(?:[0-9]{1,2}|[A-Z](?=\.))(?:\.[0-9]{1,3}){0,4}[.)]?[ \t]+"
    r"|\([0-9A-Za-z]{1,3}\)[ \t]+|[a-z][.)][ \t]+|[-*o•][ \t]+)?(?:\*\*|__)?",
    re.ASCII,
)
_WORDS = re.compile(
    # spaces are few between words, so that a line of nothing else is soon passed over
    r"([A-Za-z](?:[ \t]{0,4}[A-Za-z0-9/&()'’-]){2,70}?)[ \t]*(?:(?:\*\*|__)[ \t]*)?"
    r"(?:(:|(?<=[ \t])[-–—]{1,2}(?=[ \t]))(?:\*\*|__|\*)?|(?=[ \t]*#{0,6}[ \t]*$))"
    r"(?:#{1,6})?[ \t]*(.*)",
    re.ASCII,
)
_VERSION = re.compile(r"(Version)[ \t]+([0-9][0-9.]{0,8}[ \t]*(?:\(.*)?)$", re.IGNORECASE)
_STRUCTURE = re.compile(
    r"the (?:identifier|urn|nid|namespace|name)?(?:'s)? ?(?:structure|syntax)"
    r"(?: of [a-z ]{1,40})? is(?: as follows)?"
)
_ALL_CAPS = re.compile(r"[A-Z][A-Z0-9-]{1,31}[ \t]+(.{3,})")
_LONGER = re.compile(
    r" (?:considerations|(?:of|for|in) (?:the )?"
    r"(?:nss|urns?|nid|names?|namespaces?|identifiers?)\b.*)$",
    re.IGNORECASE,
)
_STRUCTURE_LABEL = HeadingLabel("structure is as follows", HeadingKind.EXTRA, "syntax")


def _labels() -> Iterator[HeadingLabel]:
    """Every heading that is known; places are those of RFC 8141 and of RFC 3406."""
    for place, field in enumerate(TEMPLATE_FIELDS):
        for words in (field.label.lower(), *_OWN_TOO.get(field.name, ())):
            yield HeadingLabel(words, HeadingKind.OWN, field.name, place)
    for kind, fields in _OTHERS.items():
        for name, several in fields.items():
            yield from (HeadingLabel(words, kind, name, _PLACES.get(words, 4)) for words in several)
    for place, (words, name) in enumerate(EARLIER_ORDER):
        yield HeadingLabel(words, HeadingKind.EARLIER, name, place + 5)


_PLACES = {
    "registration information": 1,
    "declared registrant of the namespace": 3,
    "references": 30,
    "change history": 31,
}
LABELS = {label.words: label for label in _labels()}


def find_label(words: str) -> HeadingLabel | None:
    """The heading that these words are, whatever their case and spacing; None for others.

    ``META assignment`` is the heading ``Assignment`` of a template that says its name again, and
    ``Rules for Lexical Equivalence of NSS part`` the one without its end.
    """
    flat = _SPACES.sub(" ", words.replace("’", "'")).strip()
    bare = _ASIDE.sub("", flat)
    # `The structure of the NSS is as follows` stands where others write `Structure`.
    known = LABELS.get(flat.lower()) or LABELS.get(bare.lower())
    if known or _STRUCTURE.fullmatch(bare.lower()):
        return known or _STRUCTURE_LABEL
    named = _ALL_CAPS.fullmatch(bare)
    shorter = _LONGER.sub("", named[1] if named else bare).lower()
    less = LABELS.get(shorter)
    # Words are not taken away from the heading of a short field: `Date of names` is no `Date`. Nor
    # may an earlier heading be left with one word: `Scope of names` could begin any sentence.
    if less is None or (less.kind is HeadingKind.OWN and less.field not in SHORT):
        return less
    return less if less.kind is HeadingKind.EARLIER and " " in shorter else None


def find_heading(line: str) -> Heading | None:
    """What a line is as a heading; None where it is none, whatever stands around it.

    A heading ends in a colon or a dash, which text may follow, or fills its line alone. It may be
    numbered, be an item of a list, or be marked as in Markdown.

    Source: RFC 8141 appendix A; RFC 3406 appendix A.1; RFC 2611 section 5.
    """
    if len(line) > _LONGEST and ":" not in line[:_LONGEST]:
        return None
    plain = line.translate(_PLAIN_SPACES)
    bare = plain.lstrip(f" \t{_NO_WIDTH}")
    mark = _MARK.match(bare[:_LONGEST])
    at = mark.end() if mark else 0
    start_of_line = bare[at : at + _LONGEST]
    found = _VERSION.match(start_of_line) or _WORDS.match(start_of_line)
    label = find_label(found[1]) if found else None
    if found is None or label is None:
        return None
    has_colon = found.re is _VERSION or found[2] is not None
    start = at + found.start(found.re.groups)
    return Heading(
        label=label,
        typed=bare[:start].rstrip(),
        rest=line[len(line) - len(bare) + start :].strip(),
        indent=_width(plain[: len(line) - len(bare)].strip(_NO_WIDTH)),
        mark=_mark_of(bare[:at].strip()),
        has_colon=has_colon,
    )


def _width(space: str) -> int:
    return len(space[:_LONGEST].expandtabs(8))


def _mark_of(text: str) -> HeadingMark:
    if not text:
        return HeadingMark.NONE
    if text in {"-", "*", "o", "•"}:
        return HeadingMark.BULLET
    return HeadingMark.MARKDOWN if text[0] in "#*_" else HeadingMark.NUMBER


def ends_field(label: HeadingLabel, current: str | None) -> bool:
    """Whether a heading ends the field in which it stands.

    An extra section stays where it is, but for a field of one line and for the registrant's,
    which cannot hold what belongs elsewhere, and but for one that every form has in one place.
    """
    if label.kind is not HeadingKind.EXTRA:
        return True
    if label.words in _OF_ONE_FIELD:
        return current != label.field
    return current is None or current in SHORT or current == "registrant" != label.field


def looks_like_heading(line: str, current: str) -> bool:
    """Whether a reader could take a line of a field for the heading of another."""
    heading = find_heading(line)
    return heading is not None and ends_field(heading.label, current)


def are_headings(lines: Iterable[str], current: str) -> bool:
    """Whether one of these lines of a field could be taken for a heading."""
    return any(looks_like_heading(line, current) for line in lines)
