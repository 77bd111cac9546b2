"""A registration request as an Internet-Draft, in the XML that draft tools take."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from app.exports.documents.draft_text import DraftText, blocks_of
from app.exports.serialization.markup import Markup, element, join_markup
from app.registration.declarations.registries import TEMPLATE_FIELDS

MEDIA_TYPE = "application/rfc+xml"
_RFC = re.compile(r"\bRFC[ -]?0{0,4}([1-9][0-9]{0,4})\b", re.ASCII)
_KEYWORD = re.compile(r"\b(?:MUST|SHALL|SHOULD|REQUIRED|RECOMMENDED|MAY|OPTIONAL)\b", re.ASCII)
_PLAIN = re.compile(r"[^a-z0-9]+", re.ASCII)
_LONGEST_NAME = 60
_MOST_LINES = 60_000
_KNOWN = {
    2119: (
        "Key words for use in RFCs to Indicate Requirement Levels",
        ("S.", "Bradner"),
        "1997-03",
    ),
    8174: ("Ambiguity of Uppercase vs Lowercase in RFC 2119 Key Words", ("B.", "Leiba"), "2017-05"),
    8141: ("Uniform Resource Names (URNs)", ("P.", "Saint-Andre", "J.", "Klensin"), "2017-04"),
    8792: (
        "Handling Long Lines in Content of Internet-Drafts and RFCs",
        ("K.", "Watsen", "E.", "Auerswald", "A.", "Farrel", "Q.", "Wu"),
        "2020-06",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class InternetDraftContent:
    """What an Internet-Draft is made from: a request's public text, and who asks.

    ``fields`` holds texts in which every character can be seen. ``count`` is how many texts were
    sent before this one. ``titles`` are those of RFCs by ``rfc2141``, as far as they are known.
    """

    name: str
    organization: str
    fields: Mapping[str, str]
    day: date
    count: int = 0
    is_standard: bool = False
    titles: Mapping[str, str] = field(default_factory=dict)


def draft_name(draft: InternetDraftContent) -> str:
    """The name of the document: ``draft-quokka-society-urn-quokka-00``."""
    by = _slug(draft.organization) or "registrant"
    whole = f"draft-{by}-urn-{_slug(draft.name) or 'informal'}"
    return f"{whole[:_LONGEST_NAME].rstrip('-')}-{min(draft.count, 99):02}"


def internet_draft(draft: InternetDraftContent) -> bytes:
    """The document: a section for each field of the template, and those that drafts must have.

    Lines of the texts stand as they were typed where they are laid out, folded by RFC 8792 where
    they are too long; the rest are paragraphs. RFCs that the texts name become references, with no
    more about them than is known here. Raises XmlValueError for a character that XML does not take.

    Source: RFC 7991 section 2; RFC 8792 section 7.1; RFC 8141 appendix A; RFC 8126 section 2.2.
    """
    folded = {name: DraftText(blocks_of(text)) for name, text in draft.fields.items()}
    is_folded = any(text.is_cut for text in folded.values())
    words = "\n".join(draft.fields.values())
    cited = {int(number) for number in _RFC.findall(words)} - {8141}
    normative = [8141, *((2119, 8174) if _KEYWORD.search(words) else ())]
    informative = sorted((cited | ({8792} if is_folded else set())) - set(normative))
    root = element(
        "rfc",
        _front(draft),
        element("middle", *_middle(draft, folded, normative, informative)),
        element("back", _references(draft, normative, informative)),
        version="3",
        ipr="trust200902",
        docName=draft_name(draft),
        category="std" if draft.is_standard else "info",
        submissionType="IETF" if draft.is_standard else "independent",
        consensus="true" if draft.is_standard else None,
    )
    # readers of XML lose count of the lines of a longer file, and xml2rfc stops at that
    lines = root if root.count("\n") < _MOST_LINES else root.replace("\n", "&#10;")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{lines}\n'.encode()


def _slug(text: str) -> str:
    return _PLAIN.sub("-", text.lower()).strip("-")[:30].strip("-")


def _front(draft: InternetDraftContent) -> Markup:
    title = f"A Uniform Resource Name (URN) Namespace: {draft.name or 'Informal'}"
    day = draft.day
    return element(
        "front",
        element("title", title, abbrev=f"URN Namespace {draft.name}"[:40].strip()),
        element("seriesInfo", name="Internet-Draft", value=draft_name(draft)),
        element("author", element("organization", draft.organization or "The registrant")),
        element("date", year=f"{day.year}", month=f"{day:%B}", day=f"{day.day}"),
        element("keyword", "URN"),
        element(
            "abstract", _t(f"This document requests {_asked(draft)}, as RFC 8141 describes it.")
        ),
    )


def _asked(draft: InternetDraftContent) -> str:
    kind = "the formal" if draft.name else "an informal"
    named = f' "{draft.name}"' if draft.name else ""
    return f"the registration of {kind} URN namespace{named}"


def _t(*content: str) -> Markup:
    return element("t", *content)


def _to(target: str) -> Markup:
    return element("xref", target=target)


def _rfc(number: int) -> Markup:
    return _to(f"RFC{number}")


def _section(name: str, *content: Markup, anchor: str) -> Markup:
    return element("section", element("name", name), *content, anchor=anchor)


def _middle(
    draft: InternetDraftContent,
    folded: Mapping[str, DraftText],
    normative: list[int],
    informative: list[int],
) -> Iterator[Markup]:
    yield _section("Introduction", *_introduction(draft, normative), anchor="introduction")
    template = [
        _section(asked.label, *folded[asked.name].markup(), anchor=f"field_{asked.name}")
        for asked in TEMPLATE_FIELDS
        if draft.fields.get(asked.name, "").strip()
    ]
    above = [_t("The template of ", _rfc(8141), " is filled in as follows.")]
    if informative:
        above.append(_t("Its texts refer to ", *_listed(map(_rfc, informative)), "."))
    yield _section("Registration Template", *above, *template, anchor="template")
    request = f"IANA is asked to make {_asked(draft)} in the registry of URN namespaces, with the "
    pointing = _t(request, "template in ", _to("template"), ".")
    yield _section("IANA Considerations", pointing, anchor="iana")
    told = draft.fields.get("security_and_privacy", "").strip()
    has_own = "field_security_and_privacy" if told else ""
    for subject in ("Security", "Privacy"):
        where = _t("See ", _to(has_own), ".") if has_own else _t("None declared.")
        yield _section(f"{subject} Considerations", where, anchor=subject.lower())


def _introduction(draft: InternetDraftContent, normative: list[int]) -> Iterator[Markup]:
    yield _t("Uniform Resource Names (URNs) and their namespaces are defined in ", _rfc(8141), ".")
    yield _t(f"This document requests {_asked(draft)}. The template is in ", _to("template"), ".")
    if 2119 in normative:
        yield _t(
            'The key words "MUST", "MUST NOT", "REQUIRED", "SHALL", "SHALL NOT", "SHOULD", '
            '"SHOULD NOT", "RECOMMENDED", "NOT RECOMMENDED", "MAY", and "OPTIONAL" in this '
            "document are to be interpreted as described in BCP 14 ",
            *(_rfc(2119), " ", _rfc(8174)),
            " when, and only when, they appear in all capitals, as shown here.",
        )


def _listed(items: Iterable[Markup]) -> Iterator[str]:
    for place, item in enumerate(items):
        yield ", " if place else ""
        yield item


def _references(
    draft: InternetDraftContent, normative: list[int], informative: list[int]
) -> Markup:
    groups = [_group("Normative References", normative, draft)]
    if informative:
        groups.append(_group("Informative References", informative, draft))
    return element("references", element("name", "References"), *groups)


def _group(name: str, numbers: Iterable[int], draft: InternetDraftContent) -> Markup:
    entries = join_markup(*(_reference(number, draft) for number in sorted(numbers)))
    return element("references", element("name", name), entries)


def _reference(number: int, draft: InternetDraftContent) -> Markup:
    title, people, month = _KNOWN.get(number, ("", (), ""))
    known = draft.titles.get(f"rfc{number}", "")
    authors = [
        element("author", initials=initials, surname=surname, fullname=f"{initials} {surname}")
        for initials, surname in zip(people[::2], people[1::2], strict=True)
    ]
    told = date.fromisoformat(f"{month}-01") if month else None
    front = [
        element("title", title or known or f"RFC {number}"),
        *(authors or [element("author", element("organization", "RFC Series"))]),
        *([element("date", year=f"{told.year}", month=f"{told:%B}")] if told else []),
    ]
    return element(
        "reference",
        element("front", *front),
        element("seriesInfo", name="RFC", value=f"{number}"),
        anchor=f"RFC{number}",
        target=f"https://www.rfc-editor.org/info/rfc{number}",
    )
