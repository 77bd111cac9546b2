"""Snapshots to export: one that uses every feature, one that is small, and generated ones."""

import json
from dataclasses import replace
from itertools import groupby

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from app import bundled
from app.identifiers.equivalence import (
    Equivalence,
    EquivalenceOperation,
    EquivalenceRule,
    NssSegments,
)
from app.registration.declarations.registries import FORMAL, INFORMAL
from app.registration.profiles.profile_documents import profile_from
from app.registration.profiles.profile_records import (
    NO_PROFILE,
    CaseRule,
    EquivalenceStatement,
    ExampleName,
    NamespaceProfile,
    NssPattern,
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)
from app.registration.records.record_documents import snapshot_read
from app.registration.records.registry_records import (
    Dispute,
    DisputeKind,
    Person,
    Registration,
    RegistrySnapshot,
    RichText,
    Status,
    SubRegistry,
    TemplateStyle,
    Xref,
    XrefFragment,
    XrefType,
)
from tests.torture.conftest import rounds

# A busy machine draws slowly; that says nothing of what is tested.
GENERATED = settings(
    max_examples=rounds(50, 15), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)

RFC = Xref(XrefType.RFC, "rfc8141", title="Uniform Resource Names (URNs)")
JANE = Xref(XrefType.PERSON, "Jane_Doe")

LETTERS = NamespaceProfile(
    title="Letters",
    names='letters, "sounds"',
    description="Names of letters.\nAlso of sounds.",
    holder="=The Alphabet, Inc.",
    homepage="https://alphabet.example/?a&b",
    homepage_source="asked",
    examples=(
        ExampleName(urn="urn:alpha:1-a", source="section 3"),
        ExampleName(urn="urn:alpha:22"),
    ),
    pattern=NssPattern(
        expression=r"(?P<n>[0-9]+)(?:-(?i:a|\(?P<x>))?", is_exact=True, source="section 2"
    ),
    case=CaseRule.MIXED,
    rules=(EquivalenceStatement(rule="hyphens are nothing", clause="section 4"),),
    check="iso7064-mod11-2",
    resolution=Resolution(
        resolvability=Resolvability.RESOLVED,
        says="Resolved on the Web.",
        services=(
            ResolutionService(
                kind=ServiceKind.LOCATION,
                target="https://alphabet.example/{+nss}",
                when="[0-9]+",
                is_registrants=True,
                is_sure=False,
                since="2020-01-01",
            ),
            ResolutionService(kind=ServiceKind.DESCRIPTION, target="https://a.example/{n}"),
        ),
        is_choice=True,
    ),
    components="No r-component.",
    remarks="None.",
    related=("omega",),
)

FULL = RegistrySnapshot(
    id="urn-namespaces",
    title="Names & <Numbers>",
    category="Names",
    updated="2026-01-02",
    edition=7,
    notice="This is a private registry.\nIts numbers are not IANA's.",
    notes=(("A note on ", RFC, ".\nIts second line.\n  "), ("Another",)),
    registries=(
        SubRegistry(
            id=FORMAL.id,
            title="Formal",
            references=(RFC, replace(RFC, fragment=XrefFragment.SECTION, at="6.2")),
            rule=("Expert Review, per ", RFC, ". \nOr not."),
            expert="Jane Doe, Juan Pérez",
            records=(
                Registration(
                    name="Alpha",
                    date="2020-02-29",
                    updated="2021-03",
                    template=(Xref(XrefType.URI, "https://example.org/a?b&c", "alpha-template"),),
                    references=(RFC, Xref(XrefType.ERRATA, "3188", lastupdated="2022-01")),
                    version=2,
                    style=TemplateStyle.RFC8141,
                    fields=(
                        ("syntax", "alpha = 1*DIGIT"),
                        ("purpose", "Identifies\nletters <a>"),
                        ("contact_name", "Never To Be Published"),
                        ("unheard_of", "Nor this"),
                        ("resolution", ""),
                    ),
                    request=41,
                    equivalence=Equivalence(
                        (
                            EquivalenceRule(EquivalenceOperation.DROP, "Hyphens are nothing.", "-"),
                            EquivalenceRule(
                                EquivalenceOperation.FOLD_CASE, "3.2 <b>", part=NssSegments(":", 1)
                            ),
                        )
                    ),
                    profile=LETTERS,
                ),
                Registration(
                    name="alfa", status=Status.FORMER, successor="alpha", updated="2019-01-01"
                ),
                Registration(
                    name="omega",
                    status=Status.DEPRECATED,
                    references=(Xref(XrefType.URI, "https://example.org/", '=Omega, "Inc".'),),
                ),
                Registration(name="draft", references=(Xref(XrefType.DRAFT, "RFC-a-b-01"),)),
            ),
        ),
        SubRegistry(
            id=INFORMAL.id,
            title="Informal",
            records=(
                Registration(
                    name="urn-1",
                    references=(Xref(XrefType.URI, "https://example.org/urn-1", "urn-1"),),
                    contact=(JANE,),
                ),
            ),
        ),
    ),
    people=(
        Person(
            id="Jane_Doe", name="Jane Doe", uris=("mailto:jane&example.org",), updated="2020-01"
        ),
        Person(id="Ørg", org="The Ørg"),
    ),
)

EMPTY = RegistrySnapshot(
    id="things",
    title="Things",
    updated="2026-01-02",
    registries=(SubRegistry(id="things-1", title="All of them"),),
)


def profiled() -> RegistrySnapshot:
    """The registry as it is shipped, with what its namespaces say of themselves."""
    snapshot, known = snapshot_read(json.loads(bundled.read())), json.loads(bundled.profiles())
    tables = (
        replace(
            table,
            records=tuple(
                replace(
                    record, profile=profile_from(known.get(record.folded, {}).get("profile", {}))
                )
                for record in table.records
            ),
        )
        for table in snapshot.registries
    )
    return replace(snapshot, registries=tuple(tables), edition=7)


def xml_view(snapshot: RegistrySnapshot) -> RegistrySnapshot:
    """What is left of a snapshot in XML: no number, no former names, no texts, no titles."""
    return replace(
        snapshot,
        edition=0,
        notes=tuple(map(_rich_view, snapshot.notes)),
        registries=tuple(map(_registry_view, snapshot.registries)),
    )


def _registry_view(registry: SubRegistry) -> SubRegistry:
    return replace(
        registry,
        references=tuple(map(_xref_view, registry.references)),
        rule=_rich_view(registry.rule),
        records=tuple(
            _record_view(record)
            for record in registry.records
            if record.status is not Status.FORMER
        ),
    )


def _record_view(record: Registration) -> Registration:
    return Registration(
        name=record.name,
        date=record.date,
        updated=record.updated,
        template=_rich_view(record.template),
        references=tuple(map(_xref_view, record.references)),
        contact=None if record.contact is None else _rich_view(record.contact),
    )


def _xref_view(xref: Xref) -> Xref:
    return replace(xref, title="", at=xref.at if xref.fragment else "")


def _rich_view(text: RichText) -> RichText:
    """Texts that touch are one, and an empty one is none."""
    merged: list[str | Xref] = []
    for kind, run in groupby((part for part in text if part != ""), key=type):
        parts = list(run)
        if kind is str:
            merged.append("".join(map(str, parts)))
        else:
            merged += [_xref_view(part) for part in parts if isinstance(part, Xref)]
    return tuple(merged)


_NASTY = st.sampled_from(
    ["\t", "\n", "\r", "\r\n", "]]>", "&amp;", "<", '"', "'", "\u2028", "\u202e", "\U0001f600", " "]
)
_CHARACTERS = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff")
TEXTS = st.lists(_CHARACTERS | _NASTY, max_size=8).map("".join)
_LETTERS = "abcXYZéßжяΩ"
_IDS = st.text(_LETTERS + "_", min_size=1, max_size=3).map("id_{}".format)
_DAYS = st.dates().map(str)
_DATES = _DAYS | _DAYS.map(lambda day: day[:7])
_URIS = st.sampled_from(
    ["", "a", "mailto:jane&example.org", "https://example.org/a?b=c&d#e", "urn:x:y", "http://é/%C3"]
)

_DATA: dict[XrefType, st.SearchStrategy[str]] = {
    XrefType.RFC: st.integers(1).map("rfc{}".format),
    XrefType.DRAFT: st.sampled_from(["draft-a-00", "RFC-a-b"]),
    XrefType.ERRATA: st.integers(1, 999_999_999).map(str),
    XrefType.URI: _URIS,
    XrefType.PERSON: _IDS,
    XrefType.REGISTRY: _IDS,
    XrefType.NOTE: st.integers(1, 9).map(str),
    XrefType.UNICODE: st.just("ucd15.0.0"),
    XrefType.TEXT: st.just(""),
}


@st.composite
def xrefs(draw: st.DrawFn) -> Xref:
    """A reference of any type, with data that fit."""
    type_ = draw(st.sampled_from(XrefType))
    whole = type_ not in (XrefType.RFC, XrefType.DRAFT)
    return Xref(
        type=type_,
        data=draw(_DATA[type_]),
        label=draw(TEXTS),
        fragment=None if whole else draw(st.none() | st.sampled_from(XrefFragment)),
        at=draw(TEXTS),
        lastupdated=draw(st.none() | _DATES),
        title=draw(TEXTS),
    )


RICH = st.lists(TEXTS | xrefs(), max_size=3).map(tuple)
_REFERENCES = st.lists(xrefs(), max_size=2).map(tuple)


def _records(name: str) -> st.SearchStrategy[Registration]:
    return st.builds(
        Registration,
        name=TEXTS.map(name.__add__),
        date=st.none() | _DATES,
        updated=st.none() | _DATES,
        template=RICH,
        references=_REFERENCES,
        contact=st.none() | RICH,
        status=st.sampled_from(Status),
        version=st.none() | st.integers(1, 9),
        style=st.sampled_from(TemplateStyle),
        fields=st.just((("purpose", "To name things"),)),
        text_source=TEXTS,
        equivalence=_EQUIVALENCES,
        disputes=_DISPUTES,
        profile=_PROFILES,
    )


_DISPUTES = st.lists(
    st.builds(
        Dispute,
        kind=st.sampled_from(DisputeKind),
        date=_DAYS,
        reference=TEXTS,
        grounds=TEXTS,
    ),
    max_size=2,
).map(tuple)


def _profile(text: str) -> NamespaceProfile:
    return NamespaceProfile(
        title=text,
        names=text,
        holder=text,
        homepage=text,
        examples=(ExampleName(urn=text),),
        pattern=NssPattern(expression=text),
        related=(text,),
    )


_PROFILES = st.just(NO_PROFILE) | TEXTS.map(_profile)


_EQUIVALENCES = st.builds(
    Equivalence,
    st.lists(
        st.builds(
            EquivalenceRule,
            st.just(EquivalenceOperation.FOLD_CASE),
            st.text("ab .", min_size=1, max_size=9),
            part=st.none()
            | st.builds(NssSegments, st.sampled_from(":/"), st.integers(0, 3), st.none()),
        ),
        max_size=1,
    ).map(tuple),
)


@st.composite
def snapshots(draw: st.DrawFn) -> RegistrySnapshot:
    """A registry of up to two tables, whose names and ids differ."""
    counts = draw(st.lists(st.integers(0, 3), max_size=2))
    tables = tuple(
        SubRegistry(
            id=f"table-{n}",
            title=draw(TEXTS),
            references=draw(_REFERENCES),
            rule=draw(RICH),
            expert=draw(TEXTS),
            records=tuple(draw(_records(f"{n}.{k}.")) for k in range(count)),
        )
        for n, count in enumerate(counts)
    )
    return RegistrySnapshot(
        id=draw(st.sampled_from(["urn-namespaces", "things"])),
        title=draw(TEXTS),
        updated=draw(_DAYS),
        edition=draw(st.integers(0)),
        notice=draw(TEXTS),
        category=draw(TEXTS),
        notes=draw(st.lists(RICH, max_size=2).map(tuple)),
        registries=tables,
        people=draw(_people()),
    )


def _people() -> st.SearchStrategy[tuple[Person, ...]]:
    person = st.builds(
        Person,
        id=_IDS,
        name=st.none() | TEXTS,
        org=st.none() | TEXTS,
        uris=st.lists(_URIS, max_size=2).map(tuple),
        updated=st.none() | _DATES,
    )
    return st.lists(person, max_size=2, unique_by=lambda person: person.id).map(tuple)
