"""What a namespace's page says of its profile: names taken apart, the pattern, services, time."""

import json
from dataclasses import replace

import pytest

from app import bundled
from app.pages.namespaces.profile_view import profile_on_page, service_in_words
from app.pages.namespaces.timeline import EditionLink, HistoryRow, VersionLink, timeline
from app.pages.site.chrome import Chrome
from app.pages.site.published_site import Site
from app.registration.profiles.profile_documents import profile_from
from app.registration.profiles.profile_records import (
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
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    Status,
    Xref,
    XrefType,
)
from tests.pages.seen import Page
from tests.pages.snapshots import SMALL

HOME = Chrome(canonical="https://registry.example")
PROFILES = json.loads(bundled.profiles())
ALPHA = NamespaceProfile(
    title="Alpha Numbers",
    names="boxes & crates",
    description="Each box has one.",
    holder="Alpha Society",
    homepage="https://alpha.example/",
    homepage_source="general knowledge",
    examples=(
        ExampleName(urn="urn:alpha:12/3", source="RFC 1000, section 2"),
        ExampleName(urn="urn:alpha:77"),
    ),
    pattern=NssPattern(expression="[0-9]+(?:/[0-9])?", is_exact=True, source="RFC 1000"),
    rules=(EquivalenceStatement(rule="hyphens do not count", clause="RFC 1000, section 3"),),
    check="isbn",
    resolution=Resolution(
        resolvability=Resolvability.RESOLVED,
        says="By two services.",
        services=(
            ResolutionService(
                kind=ServiceKind.LOCATION,
                target="https://a.example/x?n={+nss}",
                when="[Ff][Ii][:-].*",
                is_registrants=True,
            ),
            ResolutionService(
                kind=ServiceKind.DESCRIPTION, target="http://b.example/{part}", is_sure=False
            ),
        ),
    ),
    remarks="Boxes have lids.",
    related=("beta10",),
)


def record(profile: NamespaceProfile = ALPHA) -> Registration:
    return replace(SMALL.registries[0].records[1], profile=profile)


def page_of(
    site: Site,
    shown: Registration,
    earlier: VersionLink | None = None,
    standing: EditionLink | None = None,
) -> Page:
    table = replace(SMALL.registries[0], records=(shown,))
    small = replace(SMALL, registries=(table,))
    return Page(site.namespace(small, shown, HOME, earlier=earlier, standing=standing))


def test_a_service_is_told_with_its_host_and_its_names() -> None:
    service = ResolutionService(kind=ServiceKind.RESOURCE, target="https://a.example:8/{x}/{+nss}")
    told = service_in_words(service)
    assert (told.gives, told.host, told.names) == ("Resource", "a.example:8", "With a part `x`")
    odd = service_in_words(replace(service, target="mailto:x", when="[0-9]+"))
    assert (odd.host, odd.names, odd.expression) == (
        "mailto:x",
        "Matching a pattern",
        "[0-9]+",
    )


@pytest.mark.parametrize(
    ("when", "names"),
    [
        ("[Aa]b|c", "Matching a pattern"),
        ("(", "Matching a pattern"),
    ],
)
def test_names_of_a_service_are_told_in_words_where_there_are_some(when: str, names: str) -> None:
    service = ResolutionService(kind=ServiceKind.RESOURCE, target="https://a.example/", when=when)
    told = service_in_words(service)
    assert told.names.startswith(names)
    assert told.expression == when


def test_a_page_tells_all_of_a_profile_with_its_sources(site: Site) -> None:
    page = page_of(site, record())
    for words in (
        "Alpha Numbers. Identifies boxes & crates. Each box has one. Formal URN namespace",
        "NID alpha NSS 12/3 Source: RFC 1000, section 2. Check this URN",
        "with this syntax and a valid check digit is valid. Source: RFC 1000.",
        "have a check digit (ISO 2108).",
        "Hyphens do not count. RFC 1000, section 3",
        "Remarks Boxes have lids.",
        "Resolution is intended. Registration: By two services.",
        "Address I2L a.example https://a.example/x?n={+nss} Starting with fi- or",
        "or fi: The registration",
        "With a part part Third-party site, may be offline",
        "Registrant Alpha Society Homepage alpha.example Source: general knowledge",
        "See also urn:beta10:",
    ):
        assert words in page.words
    links = set(page.values("href", "a"))
    assert {"/names/urn:alpha:12%2F3", "/namespaces/beta10"} <= links
    assert "/urn:alpha:12/3" not in links  # no service is for it
    examples = (ExampleName(urn="urn:alpha:fi:1"),)
    assert "/urn:alpha:fi:1" in page_of(site, record(replace(ALPHA, examples=examples))).values(
        "href", "a"
    )
    (first, *_) = ALPHA.resolution.services
    foreign = replace(ALPHA.resolution, services=(replace(first, is_registrants=False),))
    told = page_of(site, record(replace(ALPHA, resolution=foreign))).words
    assert "Resolution is intended. The services listed here are not the registrant’s." in told
    form = next(given for name, given in page.elements if name == "form")
    assert form["action"] == "/tools/urn"
    field = next(given for name, given in page.elements if given.get("name") == "q")
    assert field["value"] == "urn:alpha:12/3"
    assert page.values("class", "figure").count("on-paper") == 1


def test_a_page_asks_for_no_check_character_that_a_judgement_does_not_ask_for(site: Site) -> None:
    isan = profile_from(PROFILES["isan"]["profile"])
    words = page_of(site, replace(record(isan), name="isan")).words
    assert "with this syntax is valid." in words
    assert "only a warning" in words
    right = page_of(site, record(replace(isan, examples=()))).words
    assert "with this syntax and a valid check digit is valid." in right
    assert "only a warning" not in right


def test_a_grammar_of_a_template_is_shown_as_a_pattern(site: Site) -> None:
    grammar = 'NSS = acronym ":" 1*9DIGIT\nacronym = 1*8ALPHA\n'
    page = page_of(site, Registration(name="alpha", fields=(("syntax", grammar),)))
    assert "is valid. Source: the grammar of its template." in page.words
    assert "[A-Za-z]{1,8}:[0-9]{1,9}" in page.words
    assert "See the registrant’s description." in page.words
    recursive = 'NSS = part [ ":" NSS ]\npart = 1*ALPHA\n'
    other = page_of(site, Registration(name="alpha", fields=(("syntax", recursive),)))
    assert "is valid. Source:" not in other.words
    assert "See the registrant’s description." in other.words


def test_a_page_claims_nothing_of_a_profile_that_is_not_there(site: Site) -> None:
    page = page_of(site, Registration(name="alpha"))
    for words in ("Identifies", "Resolution is intended", "declares no", "Source:", "Registrant"):
        assert words not in page.words
    assert "no machine-readable syntax" in page.words
    field = next(given for name, given in page.elements if given.get("name") == "q")
    assert field["value"] == "urn:alpha:"


def test_a_page_of_another_time_asks_nothing_and_a_former_name_shows_what_it_was(
    site: Site,
) -> None:
    then = page_of(site, record(), standing=EditionLink(3, "2024-05-06", "/editions/3/x"))
    earlier = page_of(site, record(), earlier=VersionLink(1, "/namespaces/alpha/versions/1"))
    former = page_of(site, replace(record(), status=Status.FORMER))
    for page in (then, earlier, former):
        assert "checked_name" not in page.values("id")
        assert "boxes & crates" in page.words
    plain = page_of(site, Registration(name="alpha"), standing=EditionLink(3, "2024-05-06", "/x"))
    assert "Examples" not in plain.words
    bare = page_of(site, Registration(name="alpha", status=Status.FORMER))
    assert "Examples" not in bare.words


@pytest.mark.parametrize(
    ("resolution", "words"),
    [
        (Resolution(resolvability=Resolvability.NOT_RESOLVED), "isn't intended"),
        (Resolution(resolvability=Resolvability.RESOLVED), "has no resolver"),
        (Resolution(), "declares no resolution service"),
        (Resolution(is_choice=True), "choose one"),
    ],
)
def test_how_names_are_resolved_is_said_in_a_sentence(
    site: Site, resolution: Resolution, words: str
) -> None:
    said = NamespaceProfile(title="Alpha", case=CaseRule.SENSITIVE, resolution=resolution)
    page = page_of(site, record(said))
    assert words in page.words
    assert "Case-sensitive." in page.words


@pytest.mark.parametrize(
    ("title", "names", "words"),
    [
        ("Plants", "Sheets of dried plants.", "Plants. Identifies: Sheets of dried plants. Formal"),
        ("Plants.", "dried plants", "Plants. Identifies dried plants. Formal"),
        ("Plants", "SHEET files", "Plants. Identifies SHEET files. Formal"),
        ("Names of bridges", "bridges", "Names of bridges. Formal"),
        ("", "", "Formal"),
    ],
)
def test_what_its_names_are_for_is_a_sentence_however_its_registrant_wrote_it(
    site: Site, title: str, names: str, words: str
) -> None:
    page = page_of(site, record(NamespaceProfile(title=title, names=names)))
    assert f"urn:alpha: {words} URN namespace" in page.words


def test_the_list_says_what_each_namespace_is_for(site: Site) -> None:
    table = replace(SMALL.registries[0], records=(record(),))
    page = Page(site.registry(replace(SMALL, registries=(table,)), HOME))
    assert "urn:alpha: Alpha Numbers" in page.words


def test_a_homepage_that_is_no_web_address_is_no_link(site: Site) -> None:
    page = page_of(site, record(NamespaceProfile(homepage="javascript:alert(1)")))
    assert not [href for href in page.values("href", "a") if "javascript" in href]


def test_the_line_of_time_has_each_day_once_and_documents_by_the_registration() -> None:
    shown = Registration(
        name="alpha",
        date="2001-02",
        updated="2019-03-04",
        references=(Xref(XrefType.URI, "https://x.example"), Xref(XrefType.DRAFT, "draft-a"),
                    Xref(XrefType.RFC, "rfc9")),
    )  # fmt: skip
    history = (
        HistoryRow(3, 9, "2026-01-02", "registration"),
        HistoryRow(2, 7, "2025-01-02", "correction", "A slip."),
        HistoryRow(1, 1, "2024-01-02", "import", changes="Added."),
    )
    versions = (VersionLink(2, "/2", "2019-03-04"), VersionLink(1, "/1"))
    points = timeline(shown, versions, history)
    assert [(point.day, point.what, point.told) for point in points] == [
        ("2026-01-02", "Registration changed", ()),
        ("2025-01-02", "Entry corrected", ("A slip.",)),
        ("2024-01-02", "Imported into this registry", ()),
        ("", "Described by", ()),
        ("", "Drafted as", ()),
        ("2019-03-04", "Template version 2", ()),
        ("", "Template version 1", ()),
        ("2001-02", "Registered", ()),
    ]
    documents = [xref.data for point in points for xref in point.documents]
    assert documents == ["rfc9", "draft-a"]
    here = timeline(Registration(name="b", date="2026-01-01"), (), (
        HistoryRow(1, 2, "2026-01-01", "registration"),
    ))  # fmt: skip
    assert [point.what for point in here] == ["Registered"]
    assert timeline(Registration(name="c")) == ()


def test_a_draft_stands_at_its_day_where_the_record_tells_it_and_else_says_that_it_does_not(
    site: Site,
) -> None:
    drafts = (
        Xref(XrefType.DRAFT, "draft-a", lastupdated="2018-05-06"),
        Xref(XrefType.DRAFT, "draft-b"),
    )
    shown = replace(record(), date="2001-02-03", updated="2019-03-04", references=drafts)
    points = [(point.day, point.documents) for point in timeline(shown) if point.documents]
    assert points == [("", drafts[1:]), ("2018-05-06", drafts[:1])]
    described = timeline(replace(shown, references=(Xref(XrefType.RFC, "rfc9"),)))
    assert not any(point.lacks_day for point in described)
    words = page_of(site, shown).words.partition("History")[2]
    assert "Drafted as date not recorded" in words
    assert "Drafted as 6 May 2018" in words


@pytest.mark.parametrize(
    ("name", "former"),
    [("isbn", ["rfc3187"]), ("issn", ["rfc3044"]), ("uuid", ["rfc4122"]), ("oid", ["rfc3001"]),
     ("gsma", []), ("dvb", [])],
)  # fmt: skip
def test_the_line_of_time_ends_with_the_documents_that_others_replaced(
    name: str, former: list[str]
) -> None:
    profile = profile_from(PROFILES[name]["profile"])
    history = (HistoryRow(1, 1, "2026-01-02", "import"),)
    points = timeline(replace(record(profile), references=()), (), history)
    assert [xref.data for xref in points[-1].documents] == former
    assert (points[-1].what == "Previously described by") is bool(former)


def test_an_rfc_that_is_named_as_the_contact_describes_a_namespace_without_references(
    site: Site,
) -> None:
    shown = replace(record(), references=(), contact=(Xref(XrefType.RFC, "rfc6050"),))
    shown = replace(shown, fields=(), text="", template=())
    page = page_of(site, shown)
    assert "The namespace is described in: [RFC6050]" in page.words
    assert "https://www.rfc-editor.org/info/rfc6050" in page.values("href", "a")


def test_of_each_bundled_namespace_a_page_shows_every_example_and_a_sound_picture(
    site: Site, snapshot: RegistrySnapshot
) -> None:
    for table in snapshot.registries:
        for one in table.records:
            document = PROFILES.get(one.folded)
            if document is None:
                continue
            profile = profile_from(document["profile"])
            shown = replace(one, profile=profile)
            known = profile_on_page(shown)
            assert [name.urn for name in known.names] == [name.urn for name in profile.examples]
            alone = replace(snapshot, registries=(replace(table, records=(shown,)),))
            page = Page(site.namespace(alone, shown, HOME))
            told = known.named or profile.title
            assert profile.names in told and told in page.words
    assert len(PROFILES) >= 105
