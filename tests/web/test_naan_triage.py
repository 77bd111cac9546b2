"""Before a NAAN is asked for: who has one is shown it, and others what is enough for them."""

from dataclasses import replace
from urllib.parse import urlencode

import pytest
from flask import Flask

from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.declarations.naan_triage import NAAN_WISHES, NaanWish
from app.services.registry.naan_import import import_naans, read_naan_file
from tests.attack.tables.texts import MARK
from tests.conftest import Clock
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of
from tests.web.visitor import Page, Visitor
from tests.web.wellmade import faults

MUSEUM = replace(
    LIBRARY,
    naan="13579",
    holder="Quokka Museum",
    native_name=None,
    acronym="QUOMU",
    where="https://www.museum.example",
    target="https://lodging.example/${pid}",
)
PATH = "/requests/new/naan"


@pytest.fixture
def visitor(app: Flask, clock: Clock) -> Visitor:
    """Somebody without an account, where two organizations have NAANs."""
    records = file_of(entry_of(LIBRARY), entry_of(MUSEUM), entry_of(SHOULDER))
    import_naans(read_naan_file(records), clock.on(minutes=1))
    return Visitor(app)


def ask(visitor: Visitor, **given: str) -> Page:
    """The page that answers."""
    page = visitor.get(f"{PATH}?{urlencode(given)}")
    assert faults(page) == []
    return page


def shown(page: Page) -> list[str]:
    """The NAANs that somebody may have, as their pages."""
    return [path for path in page.values("href", "a") if path in ("/naans/24680", "/naans/13579")]


def test_who_has_a_naan_is_led_to_it_by_name_acronym_or_host(
    visitor: Visitor, clock: Clock
) -> None:
    for given, found in (
        ({"organization": "quokka MUSEUM"}, ["/naans/13579"]),
        ({"organization": "Bibliotheek van Utopia"}, ["/naans/24680"]),
        ({"organization": "Another", "acronym": "QUOMU"}, ["/naans/13579"]),
        ({"organization": "Another", "address": "shop.museum.example"}, ["/naans/13579"]),
        ({"organization": "Another"}, []),
    ):
        page = ask(visitor, wish="names", **given)
        assert (page.status, shown(page)) == (200, found)
        told = "You may already have a NAAN" if found else "None of the 2 registered NAANs"
        assert told in page.words
        changing = [path for path in page.values("href", "a") if path.endswith("wish=change")]
        assert len(changing) == len(found)
        assert all("Request a change" in visitor.get(PATH + path).words for path in changing)
    new = replace(MUSEUM, naan="98760", holder="Another", acronym="", where="N/A", target="")
    import_naans(read_naan_file(file_of(entry_of(new))), clock.on(minutes=1))
    assert "/naans/98760" in ask(visitor, wish="client", organization="Another").values("href", "a")


def test_a_misspelt_holder_is_offered_beside_what_was_found(visitor: Visitor) -> None:
    page = ask(visitor, wish="names", organization="Quoka Musuem")
    assert shown(page) == ["/naans/13579"]
    assert "Did you mean ark:13579 Quokka Museum (QUOMU)" in page.words
    assert "Its name contains quokka, which is similar to quoka." in page.words
    changed = ask(visitor, wish="change", organization="Quoka Musuem")
    assert "/naans/13579/revise" in changed.values("href", "a")
    for spelt in ("Quokka Museum", "Another"):
        assert "Did you mean" not in ask(visitor, wish="names", organization=spelt).words


def test_each_wish_is_answered_with_what_is_enough_and_leads_to_its_form(visitor: Visitor) -> None:
    first = visitor.get(PATH)
    assert faults(first) == []
    assert "Set-Cookie" not in first.headers
    assert first.values("value", "input")[: len(NAAN_WISHES)] == [str(one) for one in NaanWish]
    for wish, registry, words in (
        (NaanWish.NAMES, NAANS.id, "One NAAN is enough"),
        (NaanWish.CHANGE, NAANS.id, "stay yours if you change"),
        (NaanWish.PART, SHOULDERS.id, "need to request shoulders"),
        (NaanWish.TERMS, SHOULDERS.id, "99152"),
        (NaanWish.AGENTS, SHOULDERS.id, "99166"),
        (NaanWish.TESTS, SHOULDERS.id, "99999"),
        (NaanWish.CLIENT, NAANS.id, "The client becomes the NAAN holder"),
    ):
        given = {"organization": "Another"} if wish.needs_holder else {}
        page = ask(visitor, wish=wish, **given)
        draws = wish in (NaanWish.NAMES, NaanWish.CLIENT)
        assert ("x4k7b." in page.words) is draws
        begin = f"/requests/new?kind={registry}"
        assert words in page.words
        (begin,) = (path for path in page.values("href", "a") if path.startswith(begin))
        form = visitor.get(begin)
        assert form.each(f"//button[@value='{registry}'][@class='btn']")


def test_whatever_is_said_the_answer_says_what_is_wrong_at_its_field(visitor: Visitor) -> None:
    for given, field, told in (
        ({"wish": "names"}, "organization", "Enter the name of the organization"),
        ({"wish": "client", "acronym": "QUOMU"}, "organization", "Enter the name"),
        ({"organization": "Quokka Museum"}, "wish", "Choose an option."),
        ({"organization": "", "acronym": "", "address": ""}, "wish", "Choose an option."),
        ({"wish": "x", "organization": "a"}, "wish", "Choose an option."),
        ({"wish": "terms", "acronym": "a" * 401}, "acronym", "at most 400"),
        ({"wish": "names", "organization": "é " * 300}, "organization", "at most 400"),
    ):
        page = ask(visitor, **given)
        assert page.status == 422
        assert told in page.text(f"//*[@id='{field}_error_1']")
        assert page.title.startswith("Error: ")
    for text in (MARK, "\u202e", "http://[", "a" * 400, "(", "%00"):
        page = ask(visitor, wish="names", organization=text, acronym=text)
        assert page.status == 200
        assert shown(page) == []
        page = ask(visitor, wish="names", organization=text, acronym=text, address=text)
        assert page.status == 422, "what is no host is not carried on to the form"
        assert page.text("//*[@id='address_error_1']")
    as_program = visitor.get(f"{PATH}?wish=x", headers={"Accept": "application/json"})
    assert (as_program.status, "Choose an option." in as_program.html) == (422, True)
