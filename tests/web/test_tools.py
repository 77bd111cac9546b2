"""The tools: anybody asks, and gets an answer for anything."""

import csv
import io
import json

import pytest

from app.config import LARGEST_UPLOAD
from app.services.names.availability import MOST
from tests.web.conftest import World
from tests.web.visitor import Page
from tests.web.wellmade import faults

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
pytestmark = ONE_DATABASE
LIST = "urn:isbn:0451450523\r\nURN:ISBN:0451450523#x\r\n\r\nurn:unheard-of:1\r\nurn:isbn:a b\r\n"


def standing_of(world: World, name: str) -> str:
    page = world.visitor().get("/tools/nid", query_string={"q": name})
    assert page.status == 200
    return page.text("//main//li")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unheard-of", "Free urn:unheard-of: You can request this NID."),
        ("ISBN", "Registered urn:ISBN:"),
        ("wombat", "Pending urn:wombat: Someone else has requested this NID."),
        ("uk-mail", "two letters and a hyphen are for country codes"),
        ("uk-mail", "Similar and available: ukmail, mail"),
        ("urn", "Reserved urn:urn: This NID is reserved"),
        ("d0i", "Likely to be questioned urn:d0i:"),
        ("ad-id", "Former urn:ad-id: This NID was registered before."),
        ("ad-id", "Replaced by urn:adid:"),
        ("urn:isbn:0451450523", "Registered urn:isbn:"),
        ("a" * 500, "is too long (500 characters). Remove at least 468."),
        ("ö\u202e", "Forbidden"),
    ],
)
def test_each_name_is_told_how_it_stands_and_why(world: World, name: str, words: str) -> None:
    assert words in standing_of(world, name)


def test_many_names_are_told_at_once_and_there_is_an_end(world: World) -> None:
    names = " ".join(f"unheard-of{n}" for n in range(MOST + 7))
    page = world.visitor().get("/tools/nid", query_string={"q": f"isbn, {names};isbn"})
    assert len(page.each("//main//li")) == MOST
    assert "8 more are not" in page.words


def test_the_namespaces_of_the_urns_in_a_text_are_told(world: World) -> None:
    text = "See urn:example:1, urn:EXAMPLE:2 (and urn:unheard-of:3). Not saturn:a:b."
    page = world.visitor().post("/tools/nid", {"q": text})
    first, second = (" ".join(li.text_content().split()) for li in page.each("//main//li"))
    assert first.startswith("Registered urn:example: 2 in the text urn:example:1, urn:EXAMPLE:2 ")
    assert second.startswith("Free urn:unheard-of: 1 in the text urn:unheard-of:3 ")
    again = world.visitor().post("/tools/urn", page.form("/tools/urn"))
    assert "3 lines: 2 valid, 1 only well-formed" in again.words
    assert "No URNs found" in world.visitor().post("/tools/nid", {"q": "nothing"}).words


def test_a_list_of_urns_is_told_row_by_row(world: World) -> None:
    page = world.visitor().post("/tools/urn", {"q": LIST})
    rows = [" ".join(li.text_content().split()) for li in page.each("//main/div/ol/li")]
    assert rows[0].startswith("Valid URN 1. urn:isbn:0451450523 NID isbn NSS 0451450523")
    assert "Equivalent to URN 1" in rows[1]
    assert "Not valid under RFC 2141" in rows[1]
    assert "Also valid under RFC 2141" in rows[0]
    assert rows[2].startswith("Well-formed 3. urn:unheard-of:1")
    assert "No namespace unheard-of is registered." in rows[2]
    assert rows[3].startswith("Not well-formed 4. urn:isbn:ahere: b Character 11 is a space.")
    assert "4 lines: 2 valid, 1 only" in page.words


@pytest.mark.parametrize(
    ("nid", "typed", "urn"),
    [
        ("isbn", "978-951-0-18435-6", "urn:isbn:978-951-0-18435-6"),
        ("isbn", "ISBN 978 951 0 18435 6", "urn:isbn:978-951-0-18435-6"),
        ("ISBN", "<urn:isbn:0451450523>", "urn:isbn:0451450523"),
        ("gs1", "01:09506000134352:10:ABC123", "urn:gs1:01:09506000134352:10:ABC123"),
        ("isbn", "urn:issn:0028-0836", "urn:issn:0028-0836"),
        ("unheard-of", "7", "7"),
        ("", "978-951-0-18435-6", "978-951-0-18435-6"),
    ],
)
def test_a_bare_name_is_judged_as_one_of_the_namespace_on_whose_page_it_was_typed(
    world: World, nid: str, typed: str, urn: str
) -> None:
    page = world.visitor().get("/tools/urn", query_string={"nid": nid, "q": typed})
    assert page.form("/tools/urn")["q"] == urn


def test_the_field_of_a_namespace_asks_for_its_own_names(world: World) -> None:
    page = world.visitor().get("/namespaces/isbn")
    asked = page.form("/tools/urn") | {"q": "978-951-0-18435-6"}
    told = world.visitor().get("/tools/urn", query_string=asked).words
    assert "NID isbn NSS 978-951-0-18435-6" in told


def test_a_name_that_is_none_of_the_namespace_asked_for_is_told_so_and_so_is_no_name(
    world: World,
) -> None:
    other = world.visitor().get("/tools/urn?nid=isbn&q=urn:ISSN:1234-5679")
    assert "in the namespace issn, not isbn." in other.words
    own = world.visitor().get("/tools/urn?nid=isbn&q=urn:ISBN:0451450523")
    assert "This URN is in the namespace" not in own.words
    empty = world.visitor().get("/tools/urn?nid=isbn&q=")
    assert (empty.status, faults(empty)) == (422, [])
    assert "Enter a URN in the namespace isbn, such as URN:ISBN:978-951-0-18435-6." in empty.words


def test_what_a_text_may_have_been_meant_for_is_told_as_its_own_page_tells_it(world: World) -> None:
    typed = "urn:issbn:1\nurn:example:a b\nurn:isbn:0451450523"
    page = world.visitor().post("/tools/urn", {"q": typed})
    near, cut, _ = [" ".join(li.text_content().split()) for li in page.each("//main/div/ol/li")]
    assert "Similar NIDs: isbn, issn" in near
    assert "Did you mean urn:example:a%20b? Characters that" in cut
    page = world.visitor().post("/tools/urn", {"q": typed, "then": "jsonl"})
    lines = [json.loads(line) for line in page.html.splitlines()]
    assert lines[0]["nearest"][:2] == ["isbn", "issn"]
    assert (lines[1]["corrected"], lines[1]["nearest"]) == ("urn:example:a%20b", None)
    assert lines[2]["nearest"] is None


def download(world: World, text: str, form: str) -> Page:
    page = world.visitor().post("/tools/urn", {"q": text, "then": form})
    assert page.status == 200
    assert page.headers["Content-Disposition"].startswith("attachment")
    return page


def test_the_whole_list_comes_as_a_file(world: World) -> None:
    text = LIST + "urn:isbn:1\n" * 9_000 + "=cmd()\n"
    told = [json.loads(line) for line in download(world, text, "jsonl").html.splitlines()]
    rows = list(csv.DictReader(io.StringIO(download(world, text, "csv").html)))
    assert len(told) == len(rows) == 9_005
    assert [row["urn"] for row in told[:4]] == [True, True, False, False]
    assert [row["well_formed"] for row in rows[:4]] == ["yes", "yes", "yes", "no"]
    assert rows[3]["error"].startswith("Character 11 is a space.")
    assert rows[-1]["input"] == "'=cmd()", "a spreadsheet would take it for a formula"


def test_a_file_goes_before_what_is_typed(world: World) -> None:
    visitor = world.visitor()
    given = {
        "q": "urn:isbn:1",
        "file": (io.BytesIO(b"\xef\xbb\xbfurn:isbn:2\r\nurn:isbn:\xc3\xbf"), "list.txt"),
    }
    page = visitor.post("/tools/urn", given)
    assert "urn:isbn:2" in page.words
    assert "urn:isbn:1" not in page.words
    assert "Not well-formed 2." in page.words


def upload(body: bytes) -> dict[str, object]:
    """A form with a file, put together by hand: the test client would leave a file of it open."""
    lines = (
        b"--edge",
        b'Content-Disposition: form-data; name="file"; filename="list.txt"',
        b"Content-Type: text/plain",
        b"",
        body,
        b"--edge--",
        b"",
    )
    return {"data": b"\r\n".join(lines), "content_type": "multipart/form-data; boundary=edge"}


def test_files_are_taken_where_they_are_asked_for_and_only_so_large(world: World) -> None:
    visitor = world.visitor()
    proof = {"headers": {"X-CSRFToken": visitor.proof, "Sec-Fetch-Site": "same-origin"}}
    page = visitor.open("POST", "/tools/urn", **upload(b"urn:isbn:1\n" * 450_000), **proof)
    assert page.status == 200
    assert "Showing the first 200" in page.words
    assert visitor.open("POST", "/sign-in", **upload(b"urn:isbn:1"), **proof).status == 400
    too_large = upload(b"x" * LARGEST_UPLOAD)
    assert visitor.open("POST", "/tools/nid", **too_large, **proof).status == 413


@pytest.mark.parametrize("path", ["/tools/urn", "/tools/nid"])
def test_a_file_that_is_no_text_is_refused_with_the_reason(world: World, path: str) -> None:
    given = {"file": (io.BytesIO("urn:isbn:1".encode("utf-16")), "list.txt")}
    page = world.visitor().post(path, given)
    assert page.status == 422
    assert "The file is encoded as UTF-16. Save it as plain text in UTF-8." in page.words


@pytest.mark.parametrize("path", ["/tools/urn", "/tools/nid"])
def test_a_list_on_a_page_that_grew_too_old_comes_back_without_signing_in(
    world: World, path: str
) -> None:
    headers = {"Sec-Fetch-Site": "same-origin"}
    page = world.visitor().open("POST", path, data={"q": LIST}, headers=headers)
    assert page.status == 400
    assert page.form(path)["q"] == LIST
    assert "Sign in; your text" not in page.words


@pytest.mark.parametrize("text", ["\u0430rk:12148/btv1", "ark\uff1a12148/btv1"])
def test_what_only_looks_like_an_ark_is_told_so_with_the_ark_that_was_meant(
    world: World, text: str
) -> None:
    visitor = world.visitor()
    page = visitor.get("/tools/ark", query_string={"q": text})
    assert "looks like" in page.words and "Did you mean ark:12148/btv1?" in page.words
    for path in ("/", "/assignments/urn-namespaces/", "/assignments/naans/"):
        found = visitor.get(path, query_string={"q": text}, follow_redirects=True)
        assert "/names/ark:12148%2Fbtv1" in found.values("href", "a"), path
        assert "Are you looking for ark:12148/btv1? " in found.words
        assert "is U+0430 (CYRILLIC" in found.words or "is U+FF1A (FULLWIDTH" in found.words
    alone = visitor.get("/assignments/naans/", query_string={"q": text.partition("/")[0]})
    assert "/names/ark:12148" in alone.values("href", "a")


@pytest.mark.parametrize("text", ["ark:12148/btv1.", "ark:12148/btv\u20101"])
def test_the_tool_offers_what_an_ark_with_a_stray_mark_or_a_false_hyphen_was_meant_for(
    world: World, text: str
) -> None:
    page = world.visitor().get("/tools/ark", query_string={"q": text})
    assert "Did you mean ark:12148/btv1?" in page.words
    whole = world.visitor().get("/tools/ark", query_string={"q": "ark:12148/btv1"})
    assert "Did you mean" not in whole.words


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("<urn:isbn:9789510184356>.", "urn:isbn:9789510184356"),
        ("(urn:isbn:9789510184356)", "urn:isbn:9789510184356"),
        ("urn:isbn:9789510184356>", "urn:isbn:9789510184356"),
        ("urn:isbn:9789510184356?fbclid=x", "urn:isbn:9789510184356"),
        ("urn%3Aisbn%3A9789510184356", "urn:isbn:9789510184356"),
        ("urn:isbn:978 9510184356", "urn:isbn:9789510184356"),
        ("978-951-0-18435-6", "urn:isbn:978-951-0-18435-6"),
    ],
)
def test_advice_beside_a_correction_agrees_with_it(world: World, text: str, meant: str) -> None:
    page = world.visitor().get("/tools/urn", query_string={"q": text})
    found = world.visitor().get("/", query_string={"q": text})
    file = json.loads(download(world, text, "jsonl").html)
    assert f"Did you mean {meant}?" in page.words and file["corrected"] == meant
    for advice in ("In the NSS, encode it", "encode it as %", "Add one of them"):
        assert advice not in page.words + found.words + file["error"]["message"]


def test_advice_to_encode_a_character_stands_beside_the_encoded_urn(world: World) -> None:
    page = world.visitor().get("/tools/urn", query_string={"q": "urn:example:caf\u00e9"})
    assert "In the NSS, encode it as %C3%A9." in page.words
    assert "Did you mean urn:example:caf%C3%A9?" in page.words


def test_what_only_looks_like_a_urn_is_told_so_with_the_urn_that_was_meant(world: World) -> None:
    text = "u\u200brn:isbn:0451450523"
    page = world.visitor().get("/tools/urn", query_string={"q": text})
    assert "which is invisible. Remove it." in page.words
    assert "Did you mean urn:isbn:0451450523?" in page.words
    found = world.visitor().get("/assignments/urn-namespaces/", query_string={"q": text})
    assert "/names/urn:isbn:0451450523" in found.values("href", "a")


def test_an_ark_of_the_bundled_registry_is_told_with_whose_it_is(world: World) -> None:
    asked = "ark:/12148/btv1b8449691v/f29\nark:12184/x\nark:83025/x\n<b>\nark:/61903/1:1:MM"
    page = world.visitor().get("/tools/ark", query_string={"q": asked})
    assert page.status == 200
    assert faults(page) == []
    assert "National Library of France (Bibliothèque nationale de France, BNF), since" in page.words
    assert "Policy: Identifiers are never reassigned" in page.words
    assert "From the NAAN registry of 7 November 2024." in page.words
    assert "NAAN 12184 was not registered on 2024-11-07" in page.words
    assert "Did you mean 12148?" in page.words
    assert "Target None" in page.words
    assert page.values("href", "a[@rel]") == [
        *("http://ark.bnf.fr", "http://ark.bnf.fr/ark:/12148/bpt6k2102478.policy"),
        "http://ark.bnf.fr/ark:/12148/btv1b8449691v/f29",
        *("https://familysearch.org", "https://familysearch.org/ark:/61903/1:1:MM"),
    ]
