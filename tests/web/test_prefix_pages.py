"""Who holds a NAAN gives names under a prefix by page, and sees how they are used."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from io import BytesIO

import pytest
from flask import Flask

from app.bundles.resolution_counts import ResolutionCountFolder
from app.config import Settings
from app.registration.declarations.naan_registries import NAAN_SPACE, NAANS
from app.registration.records.registry_records import Registration
from app.services.accounts import sign_in
from app.services.assigned_names import prefixes, resolution_figures
from app.services.assigned_names.prefixes import PrefixRules
from app.services.registry.record_import import RecordImport, import_records
from app.web.accounts import name_file_pages
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.factories import Cast
from tests.web.test_naan_requests import Person
from tests.web.visitor import Page, Visitor
from tests.web.wellmade import faults

_FILE = (
    "name,target,what\n"
    "ark:10099/w1a,https://example.org/a,A boat\n"
    "ark:10099/w1b,javascript:x,A harbour\n"
    "ark:99999/x1,https://example.org/,Elsewhere\n"
)


@pytest.fixture
def app(make_app: MakeApp) -> Iterator[Flask]:
    """The application, where people are let in with a click."""
    app = make_app(demo=True, naans=True)
    with app.app_context():
        yield app


@dataclass
class Holder:
    """Somebody who holds a prefix, at their browser."""

    app: Flask
    people: Cast
    clock: Clock
    browser: Visitor

    def add(self, text: str, mask: str = "") -> str:
        """The path of a new prefix of theirs."""
        by = factories.command(self.people.operator, self.clock())
        rules = PrefixRules(numbering=mask)
        return f"/prefixes/{prefixes.add_prefix(by, text, self.people.registrant.email, rules)}/"

    def other(self, email: str) -> Visitor:
        """Somebody else at a browser."""
        return Person(self.app, sign_in.enter_as(email, self.clock()).token)

    def send(self, there: str, to: str, typed: dict[str, str], form: str = "") -> Page:
        """Fill in a form of a page, and send it; ``form`` where a button leads elsewhere."""
        filled = well(self.browser.get(there)).form(form or to.partition("?")[0])
        return self.browser.post(to, filled | typed)


@pytest.fixture
def holder(app: Flask, clock: Clock) -> Holder:
    """The holder of a prefix of a NAAN that is registered."""
    known = Registration(name="10099", space=NAAN_SPACE, contact=())
    import_records(RecordImport(records={NAANS.id: [known]}), clock())
    people = factories.cast(clock())
    browser = Person(app, sign_in.enter_as(people.registrant.email, clock()).token)
    return Holder(app, people, clock, browser)


def well(page: Page, status: int = 200) -> Page:
    """A page that is as it should be."""
    assert (page.status, faults(page)) == (status, []), page.words[:600]
    return page


def _name_given(holder: Holder, at: str) -> str:
    """The address of the page of a name that was just given."""
    given = holder.send(at, f"{at}mint", {"count": "1"})
    assert given.status == 303, given.words[:400]
    batch = well(holder.browser.get(given.location))
    assert "1 name given" in batch.words
    return next(one for one in batch.values("href", "a") if "/name?name=" in one)


def test_names_are_given_described_and_withdrawn_by_page(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    there = _name_given(holder, at)
    told = {"target": "https://example.org/1", "what": "A boat", "further": "how: a photograph"}
    assert holder.send(there, there, told).status == 303
    page = well(holder.browser.get(there))
    assert "Version 2" in page.words and "how: a photograph" in page.words
    assert any(one.startswith("/names/ark") for one in page.values("href", "a"))
    to = there.replace("/name?", "/withdraw?")
    assert holder.send(there, to, {"reason": "It sank."}).status == 303
    gone = well(holder.browser.get(there)).words
    assert "This name is withdrawn since" in gone and "It sank." in gone
    assert "1 withdrawn" in well(holder.browser.get(at)).words


def test_a_refused_withdrawal_keeps_what_was_typed_and_says_why_at_its_field(
    holder: Holder,
) -> None:
    there = _name_given(holder, holder.add("ark:10099/x5", "reedeedk"))
    to = there.replace("/name?", "/withdraw?")
    refused = well(holder.send(there, to, {"reason": "", "successor": "ark:10099/x5q"}), 422)
    assert "Say why the name is withdrawn." in refused.text("//*[@id='reason_error_1']")
    assert refused.form(to.partition("?")[0])["successor"] == "ark:10099/x5q"


def test_the_form_of_a_prefix_shows_which_names_its_mask_gives_first(holder: Holder) -> None:
    typed = {"prefix": "ark:10099/q2", "numbering": "reedeedk"}
    shown = well(holder.send("/prefixes/", "/prefixes/examples", typed, "/prefixes/"))
    names = [one.text_content() for one in shown.each("//*[@role='status']//li")]
    assert len(names) == 3 and all(one.startswith("ark:10099/q2") for one in names)
    assert shown.form("/prefixes/")["numbering"] == "reedeedk"
    typed["numbering"] = "qq"
    wrong = well(holder.send("/prefixes/", "/prefixes/examples", typed, "/prefixes/"), 422)
    assert wrong.each("//*[@id='numbering_error_1']")


def test_a_number_of_names_that_is_none_is_told_at_its_field(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    for count in ("", "many", "0", "10001", "9" * 30):
        refused = well(holder.send(at, f"{at}mint", {"count": count}), 422)
        assert refused.each("//*[@id='count_error_1']"), count


def test_somebody_gives_names_until_their_last_day_and_their_names_stay(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    rival = holder.people.rival.email
    for until, said in (("2020-01-01", "is past"), ("tomorrow", "Write a day")):
        refused = holder.send(f"{at}settings", f"{at}people", {"email": rival, "until": until})
        assert said in well(refused, 422).text("//*[@id='until_error_1']")
    last = date.fromordinal(holder.clock().date().toordinal() + 2)
    told = {"email": rival, "until": last.isoformat()}
    assert holder.send(f"{at}settings", f"{at}people", told).status == 303
    assert "until" in well(holder.browser.get(f"{at}settings")).words
    assert well(holder.other(rival).get(at)).words.count("Give names")
    holder.clock.on(days=3)
    assert holder.other(rival).get(at).status == 404


def test_a_file_is_looked_through_before_it_is_brought_in(holder: Holder) -> None:
    at = holder.add("ark:10099/w1")
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    looked = well(
        holder.browser.post(
            "/prefixes/import/preview", form | {"file": (BytesIO(_FILE.encode()), "names.csv")}
        )
    )
    assert "Nothing is kept yet." in looked.words and "Line 4:" in looked.words
    assert "No name was given under it yet." in well(holder.browser.get(at)).words
    done = holder.browser.post("/prefixes/import", looked.form("/prefixes/import"))
    assert done.status == 303, done.words[:400]
    told = well(holder.browser.get(done.location)).words
    assert "Taken over 1" in told and "Refused 2" in told
    rows = holder.browser.get(f"{done.location}.csv").html.splitlines()
    assert rows[0] == "line,code,message" and [one[0] for one in rows[1:]] == ["3", "4"]
    assert "1 taken over, 2 refused" in well(holder.browser.get("/prefixes/import")).words
    assert holder.other(holder.people.rival.email).get(done.location).status == 404


@pytest.mark.parametrize(
    "typed",
    [
        {},
        {"file": (BytesIO(b"  \n"), "names.csv")},
        {"carried": "no base64"},
        {"carried": "bm8gemxpYg=="},
        {"file": (BytesIO(_FILE.encode()), "names.csv"), "prefix": "ark:"},
    ],
)
def test_no_file_is_told_in_words(holder: Holder, typed: dict[str, object]) -> None:
    holder.add("ark:10099/w1")
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    well(holder.browser.post("/prefixes/import/preview", form | typed), 422)


def test_a_file_that_is_too_large_is_told_what_takes_larger_ones(
    holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_file_pages, "_LARGEST_FILE", 50)
    holder.add("ark:10099/w1")
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    file = {"file": (BytesIO(_FILE.encode()), "names.csv")}
    refused = well(holder.browser.post("/prefixes/import/preview", form | file), 422)
    assert "urn-registry names import" in refused.text("//*[@id='file_error_1']")


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "anvl"])
def test_all_names_are_given_out_and_can_be_brought_in_again(holder: Holder, suffix: str) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    name = _name_given(holder, at).rpartition("=")[2].replace("%3A", ":")
    for there in (f"{at}export.{suffix}", f"/prefixes/export.{suffix}"):
        assert there in well(holder.browser.get(at if "1" in there else "/prefixes/")).values(
            "href"
        )
        given = holder.browser.get(there)
        assert given.status == 200 and name in given.html
        assert given.headers["Content-Disposition"].endswith(f'.{suffix}"')
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    file = {"file": (BytesIO(given.html.encode()), f"n.{suffix}")}
    looked = well(holder.browser.post("/prefixes/import/preview", form | file))
    assert "The same as what is known 1" in looked.words and "Refused 0" in looked.words


def test_how_often_names_led_somewhere_is_drawn_for_who_gives_them(
    app: Flask, holder: Holder
) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    name = _name_given(holder, at).rpartition("=")[2].replace("%3A", ":")
    settings: Settings = app.extensions["settings"]
    folder = ResolutionCountFolder(settings.resolutions_dir)
    today = holder.clock().date()
    for count in (1_200, 34):
        folder.leave({(today, name): count, (today, "ark:10099/x5nobody"): 5})
    assert resolution_figures.gather(folder, "a") == 1_234
    assert resolution_figures.gather(folder, "a") == 0
    page = well(holder.browser.get(at))
    assert "1,234 times in 30 days" in page.words
    assert f"{today.isoformat()}: 1,234" in page.values("aria-label", "svg")[0]


def test_the_holders_pages_lead_to_the_desk_of_names(holder: Holder) -> None:
    assert "/prefixes/" in well(holder.browser.get("/account")).values("href", "a")
    holder.add("ark:10099/x5")
    assert "Your names" in well(holder.browser.get("/requests/")).text("//header")


def test_what_the_operator_cannot_change_has_no_form(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    there = _name_given(holder, at)
    operator = holder.other(holder.people.operator.email)
    assert not well(operator.get(at)).each(f"//form[@action='{at}mint']")
    assert not well(operator.get(there)).each("//form[@method='post']")


def test_names_that_were_found_are_changed_together_or_not_at_all(holder: Holder) -> None:
    at = holder.add("ark:10099/w1")
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    rows = "".join(f"ark:10099/w1a{n},https://old.example/{n},Boat {n}\n" for n in range(5))
    file = {"file": (BytesIO(f"name,target,what\n{rows}".encode()), "n.csv")}
    assert holder.browser.post("/prefixes/import", form | file).status == 303
    there = f"{at}found?q=Boat"
    assert f"{at}found?q=Boat&state=" in well(holder.browser.get(f"{at}?q=Boat")).values("href")
    assert "old.example: 5 names" in well(holder.browser.get(there)).words
    to = f"{at}found/move?q=Boat"
    wrong = {"begins": "https://none.example/", "instead": "https://new.example/"}
    assert well(holder.send(there, to, wrong), 422).each("//*[@id='begins_error_1']")
    refused = holder.send(there, to, {"begins": "https://old.example/", "instead": "ftp://x/"})
    assert "ark:10099/w1a0" in well(refused, 422).text("//*[@id='begins_error_1']")
    moved = holder.send(there, to, wrong | {"begins": "https://old.example/"})
    assert moved.status == 303, moved.words[:400]
    assert well(holder.browser.get(at)).html.count("https://new.example/") == 5
    to = f"{at}found/withdraw?q=Boat"
    late = well(holder.browser.get(there)).form(to.partition("?")[0]) | {"reason": "They sank."}
    other = holder.send(
        f"{at}found?q=Boat+3", f"{at}found/withdraw?q=Boat+3", {"reason": "It did."}
    )
    assert other.status == 303
    assert well(holder.browser.post(f"{to}&state=public", late), 409).words
    done = holder.send(f"{there}&state=public", f"{to}&state=public", {"reason": "They sank."})
    assert done.status == 303
    assert "5 withdrawn" in well(holder.browser.get(at)).words
