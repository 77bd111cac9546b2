"""Searching, and the registry's pages as they are made for one person."""

import json
import re
from urllib.parse import quote

import pytest
from lxml.html import HtmlElement, tostring
from werkzeug.test import Client

from tests.web.conftest import Served, World
from tests.web.visitor import HTML, Page
from tests.web.wellmade import faults

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
REGISTRY = "/assignments/urn-namespaces/"

SEARCHES = {
    "isbn": (303, "/namespaces/isbn"),
    "  ISBN\t": (303, "/namespaces/isbn"),
    "URN-7": (303, "/namespaces/urn-7"),
    "urn:isbn:978-951-0-18435-6": (303, "/names/urn:isbn:978-951-0-18435-6"),
    "URN:IsBn:0451450523?+x?=y#z": (303, "/names/urn:isbn:0451450523"),
    '<urn:ISBN:a/..//b%2f">': (404, ""),
    "\u200f<urn:ISBN:a/..//b%2f> ": (303, "/names/urn:isbn:a%2F..%2F%2Fb%252F"),
    "urn%3Aisbn%3A0451450523": (303, "/names/urn:isbn:0451450523"),
    "978-951-0-18435-6": (303, "/names/urn:isbn:978-951-0-18435-6"),
    "ISSN 0259-000x": (303, "/names/urn:issn:0259-000X"),
    "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6": (
        303,
        "/names/urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    ),
    "https://doi.org/10.1000/456#789": (303, "/names/urn:doi:10.1000%2F456%2523789"),
    "https://orcid.org/0000-0002-1825-0097": (303, "/names/urn:isni:0000000218250097"),
    "7LTWFZYICNSX8D621K86": (303, "/names/urn:lei:7LTWFZYICNSX8D621K86"),
    "9789510184357": (200, ""),
    "urn:isbn:": (303, "/namespaces/isbn"),
    "urn:isbn": (303, "/namespaces/isbn"),
    "urn:unheard-of:1": (404, ""),
    "urn:": (404, ""),
    "urn::": (404, ""),
    "urn:isbn:%": (404, ""),
    "urn:" + "x" * 9000: (404, ""),
    "ark:/12345/x": (200, ""),
    "ARK:12345/x": (200, ""),
    "": (200, ""),
    " \r\n ": (200, ""),
    "standards body": (200, ""),
    "RFC 8141": (200, ""),
    "é<b>": (200, ""),
    "é\0<b>": (400, ""),
    "\N{KELVIN SIGN}": (200, ""),
    "\u202ex" * 5_000: (200, ""),
    "x" * 10_000: (200, ""),
    "web+ark:12345/x": (200, ""),
}


@pytest.mark.parametrize("query", SEARCHES)
@ONE_DATABASE
def test_a_search_goes_where_its_words_belong(world: World, query: str) -> None:
    page = world.visitor().get("/", query_string={"q": query})
    assert (page.status, page.location) == SEARCHES[query]
    assert faults(page) == []


@ONE_DATABASE
def test_the_list_is_shown_where_its_answer_begins(world: World) -> None:
    page = world.visitor().get(f"{REGISTRY}?q=libary+of+congress")
    (form,) = page.each("//form[@id='filter' and @action]")
    assert form.get("action") == f"{REGISTRY}#filter"
    assert "/naans/12026" not in page.values("href"), "which this registry has not"
    some = world.visitor().get(f"{REGISTRY}?q=standards")
    narrowed = [link for link in some.values("href", "a") if f"{REGISTRY}?" in link]
    assert narrowed, "no way to narrow down is offered"
    assert {link.rpartition("#")[2] for link in narrowed} == {"filter"}


@ONE_DATABASE
def test_what_the_list_is_asked_in_vain_is_told_above_it(world: World) -> None:
    page = world.visitor().get(f"{REGISTRY}?status=bogus&organization=<b>&sort=date")
    assert (page.status, faults(page)) == (200, [])
    assert "Use registered, deprecated or former." in page.words
    assert "organization isn't a parameter" in page.words
    assert "isn't a value" not in world.visitor().get(f"{REGISTRY}?status=former&sort=date").words


@ONE_DATABASE
def test_a_urn_too_long_for_a_page_of_its_own_leads_to_its_namespace(world: World) -> None:
    page = world.visitor().get("/", query_string={"q": "urn:isbn:" + "%41" * 3000})
    assert page.location == "/namespaces/isbn"


@ONE_DATABASE
def test_programs_are_told_what_is_wrong_with_a_urn(world: World) -> None:
    for query in ("urn:a b:c", "urn:unheard-of:1"):
        page = world.visitor().get("/", query_string={"q": query}, headers={"Accept": "*/*"})
        assert json.loads(page.html)["status"] == page.status == 404


MOVED = {
    "/namespaces/ISBN": "/namespaces/isbn",
    "/namespaces/ISBN.json": "/namespaces/isbn.json",
    "/namespaces/Isbn.xml": "/namespaces/isbn.xml",
    "/assignments/urn-formal/C2PA": "/assignments/urn-formal/c2pa",
    "/assignments/urn-informal/URN-7": "/assignments/urn-informal/urn-7",
}


@pytest.mark.parametrize("path", MOVED)
@ONE_DATABASE
def test_a_name_in_capitals_leads_to_its_page(world: World, path: str) -> None:
    page = world.visitor().get(path)
    assert (page.status, page.location) == (301, MOVED[path])


ABSENT = {
    "/namespaces/unheard-of": "not registered",
    "/namespaces/unheard-of.json": "not registered",
    "/namespaces/a_b": "not a valid NID. A NID has 2 to 32 letters, digits and hyphens",
    "/namespaces/" + "x" * 300: "not a valid NID. A NID has 2 to 32 letters, digits and hyphens",
    "/namespaces/isbn.pdf": "as a page and as .json, .xml, .xhtml, .csv, .txt, .ttl, .jsonld, "
    ".atom, not as .pdf",
    "/namespaces/isbn.": "as a page and as .json, .xml, .xhtml, .csv, .txt, .ttl, .jsonld, "
    ".atom, not as .",
    "/assignments/urn-formal/unheard-of": "No formal namespace has this name.",
    "/assignments/urn-informal/isbn": "No informal namespace has this name.",
    "/assignments/urn-namespaces/urn-namespaces.pdf": "No page has this address",
    "/assignments/urn-other/isbn": "No page has this address",
    "/schemas/unheard-of.json": "No page has this address",
    "/editions/0": "No page has this address",
}


@ONE_DATABASE
def test_what_is_yet_to_be_laid_out_here_says_when_to_come_again(world: World) -> None:
    page = world.visitor().get("/namespaces/isbn.json")
    assert page.status == 503
    assert "This edition is being published." in page.words
    assert page.headers["Retry-After"]


@pytest.mark.parametrize("path", ABSENT)
@ONE_DATABASE
def test_what_is_not_there_says_so_with_a_way_on(world: World, path: str) -> None:
    page = world.visitor().get(path)
    assert page.status == 404
    assert ABSENT[path] in page.words
    assert faults(page) == []
    document = json.loads(world.visitor().get(path, headers={"Accept": "*/*"}).html)
    assert document["status"] == 404


ORIGINALS = {
    "/assignments/urn-formal/c2pa": "https://www.iana.org/assignments/urn-formal/c2pa",
    "/assignments/urn-formal/3gpp": "https://www.rfc-editor.org/info/rfc5279",
    "/assignments/urn-informal/urn-1": "https://www.iana.org/assignments/urn-informal/urn-1",
    "/assignments/urn-informal/urn-7": "https://www.rfc-editor.org/info/rfc6050",
}


@pytest.mark.parametrize("path", ORIGINALS)
@ONE_DATABASE
def test_a_template_that_is_not_here_is_linked_to(world: World, path: str) -> None:
    page = world.visitor().get(path)
    assert page.status == 404
    assert faults(page) == []
    assert ORIGINALS[path] in page.values("href", "main//a")
    document = json.loads(world.visitor().get(path, headers={"Accept": "*/*"}).html)
    assert ORIGINALS[path] in document["originals"]
    assert ORIGINALS[path] in document["detail"]


@ONE_DATABASE
def test_a_template_that_was_registered_just_now_is_there_before_its_edition(world: World) -> None:
    page = world.visitor().get("/assignments/urn-formal/quokka")
    assert page.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "Namespace Identifier: quokka" in page.html


# On the first page, in the place of what is said to whoever is new.
_WHAT_IS_OF_ONE = re.compile(r' *<p id="home_yours">.*?</p>\n', re.DOTALL)


def main_of(page: Page) -> str:
    """What stands in the middle of a page."""
    (main,) = page.each("//main")
    assert isinstance(main, HtmlElement)
    return str(tostring(main, encoding="unicode", with_tail=False))


@pytest.mark.parametrize("path", ["/", REGISTRY, "/namespaces/isbn", "/namespaces/quokka"])
@ONE_DATABASE
def test_a_page_made_for_one_person_differs_in_its_shell_alone(served: Served, path: str) -> None:
    world, whole = served.world, served.whole
    published = Page(Client(whole).get(path, headers={"Accept": HTML}))
    assert published.headers["ETag"]
    own = world.visitor("operator").get(path)
    assert ("Your work" in own.words) is (path == "/")
    # where an operator corrects it
    desk = '      <dt>Operator</dt>\n      <dd>\n        <a href="/desk/names/'
    before, found, after = main_of(own).partition(desk)
    assert bool(found) is path.startswith("/namespaces/")
    alike = _WHAT_IS_OF_ONE.sub("", before + after.partition("</dd>\n")[2])
    assert alike == _WHAT_IS_OF_ONE.sub("", main_of(published))
    assert "odell@registry.example" in own.words
    assert "odell@registry.example" not in published.words
    asked = world.visitor().get(f"{path}?after=")
    assert asked.html == published.html


@pytest.mark.parametrize("accept", ["application/json", "image/png", "*/*;q=0", "text/html;q=0"])
@ONE_DATABASE
def test_the_answer_to_a_question_is_a_page_and_says_where_all_names_are(
    served: Served, accept: str
) -> None:
    client = Client(served.whole)
    answer = client.get(f"{REGISTRY}?q=isbn", headers={"Accept": accept})
    assert (answer.status_code, answer.content_type) == (406, "application/problem+json")
    first, second = json.loads(answer.data)["choices"]
    assert first == {"type": "text/html", "href": f"{REGISTRY}?q=isbn"}
    assert client.get(second["href"]).status_code == 200
    for taken in (HTML, "*/*", "", "text/*"):
        assert client.get(f"{REGISTRY}?q=isbn", headers={"Accept": taken}).status_code == 200


@ONE_DATABASE
def test_what_published_does_not_have_is_answered_behind_it(
    served: Served,
) -> None:
    client = Client(served.whole)
    for path, status in {
        "/namespaces/isbn.json": 200,
        "/schemas/unheard-of": 404,
        "/namespaces/ISBN": 301,
        "/assignments/urn-formal/isbn": 404,
        "/assignments/urn-formal/quokka": 200,
        f"{REGISTRY}urn-namespaces.xml": 200,
        f"{REGISTRY}urn-namespaces.pdf": 404,
        f"{REGISTRY}?q=isbn": 200,
        "/requests/": 200,
    }.items():
        response = client.get(path, headers={"Accept": HTML})
        assert response.status_code == status, path
        response.close()


GUESSES = {
    "isnb": ("Did you mean urn:isbn:",),
    "urn:isnb:0451450523": ("Did you mean urn:isbn:",),
    "d0i": ("urn:doi: Digital Object Identifier",),
    "boks zzzzz": ("Did you mean", "urn:isbn: International Standard Book Number"),
    "Wi-Fi Aliance": ("Did you mean urn:wfa: Wi-Fi Alliance",),
    "9789510184357": (
        "Are you looking for urn:isbn:9789510184357?",
        "the check digit is wrong. ISO 2108",
    ),
    "zzzzz <b>\u202e": ("No namespace matches",),
}


@pytest.mark.parametrize("query", GUESSES)
@ONE_DATABASE
def test_who_finds_nothing_is_told_what_is_near_and_how_to_ask(world: World, query: str) -> None:
    page = world.visitor().get(REGISTRY, query_string={"q": query})
    assert (page.status, faults(page)) == (200, [])
    for words in GUESSES[query]:
        assert words in page.words, page.words
    assert "/requests/new" in page.values("href")


BY_CHANCE = ["zzzzzz", "xyzzyq qwertzx", "urn:zzzzzz:1"]


@pytest.mark.parametrize("query", BY_CHANCE)
@ONE_DATABASE
def test_nothing_is_guessed_that_is_like_a_query_by_chance(world: World, query: str) -> None:
    page = world.visitor().get(REGISTRY, query_string={"q": query})
    assert page.status == 200
    assert "Did you mean" not in page.words, page.words


@pytest.mark.parametrize("query", ["isnb", "boks zzzzz", "standard zzzzz"])
def test_both_databases_guess_alike(both: tuple[World, World], query: str) -> None:
    one, other = (each.visitor().get(REGISTRY, query_string={"q": query}).words for each in both)
    assert one == other


@ONE_DATABASE
def test_the_list_offers_a_whole_name_beside_what_it_finds(world: World) -> None:
    page = world.visitor().get(f"{REGISTRY}?q=urn:isbn:978-951-0-18435-6")
    assert "/names/urn:isbn:978-951-0-18435-6" in page.values("href")
    assert "Did you mean" not in page.words


@ONE_DATABASE
def test_a_name_of_a_misspelt_namespace_is_offered_under_the_right_one(world: World) -> None:
    page = world.visitor().get("/", query_string={"q": "urn:isnb:978-951-0-18435-6"})
    assert page.status == 404
    names = [href for href in page.values("href") if href.startswith("/names/")]
    assert names == ["/names/urn:isbn:978-951-0-18435-6"]  # it can be no ISNI
    page = world.visitor().get("/namespaces/books")
    assert (page.status, faults(page)) == (404, [])
    assert "/namespaces/isbn" in page.values("href", "section//a")


@ONE_DATABASE
def test_what_does_not_belong_to_a_urn_is_shown_and_left_out(world: World) -> None:
    page = world.visitor().get("/", query_string={"q": "urn:isbn:0451450523?fbclid=x"})
    assert (page.status, faults(page)) == (404, [])
    assert "here: ?" in page.words
    assert "/?q=urn%3Aisbn%3A0451450523" in page.values("href")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        (
            "https://nbn-resolving.org/urn:nbn:de:101:1-201102033592",
            "urn:nbn:de:101:1-201102033592",
        ),
        ("(urn:isbn:0451450523)", "urn:isbn:0451450523"),
        ('"urn:isbn:0451450523"', "urn:isbn:0451450523"),
        ("URN: urn:isbn:0451450523", "urn:isbn:0451450523"),
        ("urn%3Aisbn%3A0451450523", "urn:isbn:0451450523"),
    ],
)
@ONE_DATABASE
def test_a_pasted_urn_is_searched_without_what_is_around_it(
    world: World, query: str, name: str
) -> None:
    page = world.visitor().get("/", query_string={"q": query})
    plain = world.visitor().get("/", query_string={"q": name})
    assert (page.status, page.location) == (plain.status, plain.location)
    if "isbn" in name:
        assert (page.status, page.location) == (303, f"/names/{name}")


@pytest.mark.parametrize("query", ["n2t.net/ark:/12148/x", "(ark:/12148/x)", "/ark:/ark:/12148/x"])
@ONE_DATABASE
def test_a_pasted_ark_is_searched_without_what_is_around_it(world: World, query: str) -> None:
    page = world.visitor().get("/", query_string={"q": query})
    plain = world.visitor().get("/", query_string={"q": "ark:/12148/x"})
    assert (page.status, page.location) == (plain.status, plain.location)
    assert page.words == plain.words


@ONE_DATABASE
def test_a_character_that_no_urn_has_is_encoded_and_the_page_says_so(world: World) -> None:
    page = world.visitor().get("/", query_string={"q": "urn:isbn-x:caf\u00e9"})
    assert "Did you mean urn:isbn-x:caf%C3%A9? Characters that aren't allowed" in page.words


HOSTILE = ["\0", "\u202e" * 300, "urn:" + "%" * 1_000_000, "9-" * 5_000, "((((a+)+)+)+" * 800]
HOSTILE += ["isbn " * 2_000, "urn:isbn:" + "\u200f" * 9, "'\";DROP", "ISBN" * 100, "\N{SNOWMAN}"]


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
@ONE_DATABASE
def test_no_query_is_too_much(world: World, query: str) -> None:
    for path in ("/", REGISTRY):
        page = world.visitor().get(path, query_string={"q": query})
        assert page.status < 500
        assert len(page.html) < 400_000


@ONE_DATABASE
def test_a_search_that_finds_nothing_never_gives_up_in_silence(world: World) -> None:
    def found(query: str) -> Page:
        return world.visitor().get(f"/assignments/urn-namespaces/?q={quote(query)}")

    nobodys = "No entry has similar words"
    vain = found("xyzzyq")
    assert nobodys in vain.words
    assert "/namespaces/xyzzyq" in vain.values("href"), "where those are who ask for it"
    assert nobodys in found("urn:nosuchthing:a:b").words
    assert "/namespaces/nosuchthing" in found("urn:nosuchthing:a:b").values("href")
    mistyped = found("urn:isbm:9780306406157")
    assert nobodys not in mistyped.words
    assert "/names/urn:isbn:9780306406157" in mistyped.values("href"), "a whole URN keeps its name"
    assert nobodys not in found("standarts").words, "it is like a word of titles"


@ONE_DATABASE
def test_the_first_page_leads_whoever_is_signed_in_to_what_is_theirs_to_do(world: World) -> None:
    ways = {"registrant": ["/requests/yours"], "expert": ["/requests/yours", "/review/"]}
    ways["operator"] = ["/requests/yours", "/desk/"]
    for who, there in ways.items():
        page = world.visitor(who).get("/")
        told = page.each("//main//p[contains(., 'Your work')]")[0]
        assert [link.get("href") for link in told.iter("a")][:1] == there[:1], who
        assert set(there) <= {link.get("href") for link in told.iter("a")}, who
    assert "Your work" not in world.visitor().get("/").words
    assert "waiting)" in world.visitor("operator").get("/").words


@ONE_DATABASE
def test_words_find_entries_and_the_page_says_where_they_match(world: World) -> None:
    page = world.visitor().get("/", query_string={"q": "who registers books"})
    assert (page.status, faults(page)) == (200, [])
    assert page.values("href", "ol//a")[:1] == ["/namespaces/isbn"]
    assert "books" in [each.text for each in page.each("//ol//strong")]
    vain = world.visitor().get("/", query_string={"q": "xyzzyq"})
    assert "No entry matches xyzzyq" in vain.words
    assert "/tools/nid?q=xyzzyq" in vain.values("href")


@ONE_DATABASE
def test_a_browser_can_add_the_registry_as_a_search_engine(world: World) -> None:
    (link,) = world.visitor().get("/").each("//link[@rel='search']")
    answer = world.visitor().get(link.get("href", ""))
    assert answer.status == 200
    assert answer.headers["Content-Type"] == link.get("type")
    assert "/?q={searchTerms}" in answer.html


@ONE_DATABASE
def test_an_unknown_address_offers_the_entry_that_it_may_have_meant(world: World) -> None:
    page = world.visitor().get("/isbn.html")
    assert (page.status, faults(page)) == (404, [])
    assert page.values("href", "ol//a") == ["/namespaces/isbn"]
    assert page.values("value", "input[@id='search_q']") == ["isbn"]
