"""Small registries for tests."""

from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
    TemplateStyle,
    Xref,
    XrefFragment,
    XrefType,
)


def rfc(number: int, title: str = "", section: str = "") -> Xref:
    """A reference to an RFC."""
    return Xref(
        XrefType.RFC,
        f"rfc{number}",
        fragment=XrefFragment.SECTION if section else None,
        at=section,
        title=title,
    )


def uri(url: str, label: str) -> Xref:
    """A reference to a page."""
    return Xref(XrefType.URI, url, label=label)


ANN = Xref(XrefType.PERSON, "Ann_Author")

FORMAL = (
    Registration(name="beta10", date="2020-02-02", references=(rfc(1000, "Names for Boxes"),)),
    Registration(
        name="alpha",
        date="2021-03-04",
        updated="2024-05-06",
        version=2,
        style=TemplateStyle.RFC8141,
        template=(uri("https://registry.example/alpha", "alpha-template"),),
        references=(uri("https://alpha.example/", "Alpha Society"),),
        fields=(
            ("namespace_identifier", "alpha"),
            ("version", "2"),
            ("date", "2024-05-01"),
            ("purpose", "Names <things> of `alpha`."),
            ("resolution", ""),
        ),
    ),
    Registration(name="beta2", references=(rfc(99), rfc(1000))),
    Registration(
        name="gamma", date="2020-07", status=Status.DEPRECATED, successor="alpha", references=()
    ),
    Registration(name="al-pha", status=Status.FORMER, successor="alpha", references=(rfc(99),)),
)

INFORMAL = (
    Registration(
        name="urn-1",
        date="2024-05-06",
        references=(uri("https://registry.example/urn-1", "urn-1"),),
        contact=(ANN,),
    ),
)

SMALL = RegistrySnapshot(
    id="urn-namespaces",
    title="Small Registry",
    updated="2024-05-06",
    edition=7,
    notes=(("A note about ", rfc(99), ".\n"),),
    registries=(
        SubRegistry(
            id="urn-namespaces-1",
            title="Formal URN Namespaces",
            references=(rfc(8141),),
            rule=("Expert Review, per ", rfc(8141, section="6"), "."),
            expert="Ann Author",
            records=FORMAL,
        ),
        SubRegistry(id="urn-namespaces-2", title="Informal URN Namespaces", records=INFORMAL),
    ),
    people=(Person(id="Ann_Author", name="Ann Author", org="Alpha Society", updated="2024-05-06"),),
)

EMPTY = RegistrySnapshot(
    id="urn-namespaces",
    title="Empty Registry",
    updated="",
    registries=(SubRegistry(id="urn-namespaces-1", title="Formal URN Namespaces"),),
)
