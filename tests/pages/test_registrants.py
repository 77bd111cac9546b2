"""Who a template says its registrant is, in the shapes in which real ones say it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.pages.namespaces.registrants import registrant_in, with_holder
from app.pages.namespaces.template_summary import with_template_fields
from app.registration.profiles.profile_records import NO_PROFILE, NamespaceProfile
from app.registration.records.registry_records import Registration
from app.registration.templates.rfc_registrations import find_registrations


def named(text: str) -> str:
    return registrant_in(Registration(name="alpha", fields=(("registrant", text),)))


UNION = "Quokka Union (QU)"  # stands for itself in the rows
HEADING = "Declared registrant of the namespace"


@pytest.mark.parametrize(
    ("text", "registrant"),
    [
        ("Registering Organization: QRST", "QRST"),
        ("Registering organization:  QRST\n\nDesignated contact:  Quinn Roe", "QRST"),
        (f"Registering organization:\n   Name: {UNION}\n   Address:\n      1 Hill", UNION),
        (f"Registering organization\n\nName: {UNION}\nAddress: 1 Hill", UNION),
        (f"2.3.  {HEADING}\nRegistering organization:\n\n  QU House", "QU House"),
        (f"-  Registering organization:\n   Name: {UNION}\n\n-  Designated contact", UNION),
        (f"Registering organization\n   Organization: {UNION}\n", UNION),
        ("Standards Organization: Quokka Union\n(QU)\n\nContact:\n\nQuinn Roe, Head", UNION),
        (f"Name:\n\n   {UNION}\n\nAddress:\n\n   1 Hill", UNION),
        (f"Name:                {UNION}\n\nAddress:             1 Hill", UNION),
        (f"{HEADING}:\nName: {UNION}\nAddress: 1 Hill", UNION),
        (f"{HEADING}: {UNION}", UNION),
        (f"{UNION} is an\nassociation.\n\nRegistrant\n\n  Name: QU Ltd.", "QU Ltd."),
        (f"{UNION}\n1 Hill Road\nEmail: qu@quokka.example", UNION),
        (f"{UNION}\n\nc/o Wombat House\n\nRoad 1", UNION),
        (f"Name: {UNION}\n      Names Agency\nAddress: 1 Hill", f"{UNION} Names Agency"),
        ("Quokka, Inc. is a subsidiary of QU\n1 Hill", "Quokka, Inc."),
        ("Quokkas of the North.  Should they\ncease to be, ask others.", "Quokkas of the North"),
        ("Q. Roe, on behalf of QU.\nEmail: a&b.example", "Q. Roe, on behalf of QU"),
        ("Quinn Roe,\non behalf of QU2 (Union)\n1 Hill", "Quinn Roe, on behalf of QU2 (Union)"),
        ("Q. Roe for QU (Quokka\nUnion), a\nhttps://x.example", "Q. Roe for QU (Quokka Union), a"),
        ("Name: Q. Roe\nE-mail: q@x.example\nAffiliation: Adviser to QU", "Q. Roe, Adviser to QU"),
        ("Name: Q. Roe\n\nTitle: Head\n\nAffiliation: QU\n   House\n", "Q. Roe, Head, QU House"),
        (f"Name: Quinn Roe\nE-mail: q&x.example\n{UNION}\n1 Hill", UNION),
        (f"Name: Quinn Roe\nE-mail: q&x.example\n\n{UNION} is a union.", "Quinn Roe"),
        ("Name: Quinn Roe\n12 Library Road", "Quinn Roe"),
        ("Quinn Roe\nQuokka Names Office\n1 Hill", "Quinn Roe, Quokka Names Office"),
        ("Technical Director\nQuokka Forum\nP.O. Box 1", "Technical Director, Quokka Forum"),
        ("Quinn Roe\nqr@x.example\nQU", "Quinn Roe"),
        ("Required: Quinn Roe <qr&x.example>", "Quinn Roe"),
        (f"{HEADING}: TBD", ""),
        ("Designated contact person:\n   Name: Quinn Roe\n   Email: q@x.example", ""),
        ("1 Hill Road\nQuokka Town", ""),
        ("qr@x.example", ""),
        ("Address: 1 Hill", ""),
        ("See section 4.", ""),
        ("", ""),
    ],
)
def test_the_registrant_is_whom_the_words_name(text: str, registrant: str) -> None:
    assert named(text) == registrant


def test_the_registrant_of_a_template_is_the_holder_unless_the_name_went_to_another() -> None:
    def told(registrant: str, title: str = "", holder: str = "") -> Registration:
        fields = (("registrant", f"Registering Organization: {registrant}"),)
        return Registration(
            name="alpha", fields=fields, profile=NamespaceProfile(title=title, holder=holder)
        )

    first = with_holder(told("QU", title="Alpha"))
    assert first.profile.holder == "QU"
    assert with_holder(told("QV", title="Alpha", holder="QU"), first).profile.holder == "QV"
    assert with_holder(told("QV", title="Alpha", holder="QW"), first).profile.holder == "QW"
    assert with_holder(told("QU")).profile == NO_PROFILE


def real(shared: Path) -> Iterator[Registration]:
    """Every template that IANA publishes, and every one that was found inside an RFC."""
    files = sorted((shared / "data/iana/templates").glob("urn-*/*"))
    rfcs = sorted((shared / "data/rfc-registrations").glob("rfc*.txt"))
    if not (files and rfcs):
        pytest.skip(f"the real templates are not there: {shared}")
    for file in files:
        yield Registration(name=file.stem, text=file.read_text("utf-8"))
    for rfc in rfcs:
        text = rfc.read_text("utf-8", "replace")
        for found in find_registrations(text, int(rfc.stem[3:]), ()):
            yield Registration(name=found.name or "unknown", text=found.text)


def test_of_every_real_template_but_one_a_registrant_is_told_in_its_words(shared: Path) -> None:
    nobody, odd = [], []
    for record in map(with_template_fields, real(shared)):
        told, text = registrant_in(record), dict(record.fields).get("registrant", "")
        if not told:
            nobody.append(record.name)
        words = set(text.replace(",", " ").split())
        if ":" in told or not {word.strip(",.") for word in told.split()} <= (
            {word.strip(".") for word in words}
        ):
            odd.append((record.name, told))
    assert nobody == ["urn-7"]  # it says "TBD"
    assert odd == []
