"""Who holds a NAAN gives names under a prefix by page, and sees how they are used."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from io import BytesIO
from urllib.parse import unquote

import pytest
from flask import Flask
from sqlalchemy import update

from app.assigned_names.name_checks import FIELD_LIMITS
from app.bundles.resolution_counts import ResolutionCountFolder
from app.config import Settings
from app.outside.service_probe import ServiceAnswer
from app.outside.work_queue import QUEUE
from app.registration.declarations.naan_registries import NAAN_SPACE, NAANS
from app.registration.records.registry_records import Registration
from app.services.accounts import sign_in
from app.services.accounts.rate_limits import LIMITS, RateLimitKind
from app.services.assigned_names import prefix_lists, prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.names.known_services import ProbePacing, check_daily
from app.services.registry.record_import import RecordImport, import_records
from app.store.accounts import delegate_rows
from app.store.database import db, transaction
from app.store.tables import Prefix
from app.store.tables.delegates import DelegateOrigin
from app.web.accounts import assigned_name_pages, name_file_pages
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.factories import Cast
from tests.web.test_naan_requests import Person
from tests.web.visitor import Page, Visitor
from tests.web.wellmade import faults

GLANCE = "//aside[@aria-labelledby='at-a-glance']"
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
    assert "1 identifier minted" in batch.words
    return next(one for one in batch.values("href", "a") if "/name?name=" in one)


@pytest.mark.parametrize(("mask", "is_advised"), [("reedeedk", True), ("reedeed", False)])
def test_the_tool_checks_the_check_character_where_a_local_mask_has_one(
    holder: Holder, mask: str, is_advised: bool
) -> None:
    holder.add("ark:10099/x5", mask)
    page = holder.browser.get("/tools/ark?q=ark:10099/x500b00b0")
    assert ("is mistyped" in page.words) is is_advised
    assert "is mistyped" not in holder.browser.get("/tools/ark?q=ark:10099/w1b0b").words


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
    assert "Withdrawn on" in gone and "It sank." in gone
    assert "1 withdrawn" in well(holder.browser.get(at)).words
    assert "Withdrawn 1 identifier" in well(holder.browser.get("/prefixes/")).text(GLANCE)


def test_the_page_of_a_prefix_leads_to_what_everybody_sees_of_it(holder: Holder) -> None:
    page = well(holder.browser.get(holder.add("ark:10099/x5", "reedeedk")))
    assert "/names/under/ark:10099%2Fx5" in page.values("href", "a")
    assert "Public page" in page.words


def test_the_history_of_a_name_tells_in_what_role_when_and_what_changed(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    there = _name_given(holder, at)
    told = {"target": "https://example.org/1", "redirect": "303"}
    assert holder.send(there, there, told).status == 303
    rival = holder.people.rival.email
    assert holder.send(f"{at}settings", f"{at}people", {"email": rival}).status == 303
    told = {"redirect": "307", "anywhere": "yes", "persistence": "For ever."}
    delegate = holder.other(rival)
    assert delegate.post(there, well(delegate.get(there)).form(there.partition("?")[0]) | told)
    gone = there.replace("/name?", "/withdraw?")
    assert holder.send(there, gone, {"reason": "It sank."}).status == 303
    boxes = [
        " ".join((one.text_content() or "").split())
        for one in well(holder.browser.get(there)).each("//*[@aria-labelledby='history']//li")
    ]
    moment = f"{holder.clock():%H:%M} UTC"
    assert [box.partition(",")[0] for box in boxes] == [f"Version {n}" for n in (4, 3, 2, 1)]
    assert all(moment in box for box in boxes)
    assert [" by a delegate" in box for box in boxes] == [False, True, False, False]
    withdrawn, changed, bound, _ = boxes
    for words in (
        "(307) (was:",
        "forwarded to the target",
        "Persistence For ever.",
    ):
        assert words in changed and words not in bound
    assert "Target https://example.org/1" in bound
    assert "State Withdrawn (was: Public)" in withdrawn and "Reason It sank." in withdrawn
    assert "Target removed (was: https://example.org/1)" in withdrawn
    assert not any(one in withdrawn for one in ("303", "307", "Redirect"))
    form = well(holder.browser.get(_name_given(holder, at))).words
    assert form.count("Redirect options") == 1 and "At the target is" in form
    assert not any(one in "".join(boxes) for one in (rival, holder.people.registrant.name))


def test_how_a_prefix_is_used_stands_above_its_names_with_the_states_drawn(
    holder: Holder,
) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    _name_given(holder, at)
    assert holder.send(at, f"{at}mint", {"count": "2", "reserved": "yes"}).status == 303
    page = well(holder.browser.get(at))
    drawn = [
        one for one in page.values("aria-label", "svg") if one.startswith("Identifiers by state")
    ]
    assert drawn == ["Identifiers by state. Reserved: 2, Public: 1, Withdrawn: 0."]
    assert page.html.index('id="figures"') < page.html.index('id="names"')


def test_a_batch_has_no_page_under_another_prefix(holder: Holder) -> None:
    at, other = holder.add("ark:10099/x5", "reedeedk"), holder.add("ark:10099/w1")
    given = holder.send(at, f"{at}mint", {"count": "1"})
    there = given.location.partition(at)[2]
    for path, status in ((f"{at}{there}", 200), (f"{other}{there}", 404)):
        assert holder.browser.get(path).status == status
        assert holder.browser.get(f"{path}.txt").status == status


def test_the_page_of_a_name_says_which_it_looks_like(holder: Holder) -> None:
    at = holder.add("ark:10099/w1")
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    rows = b"name,target\nark:10099/w1boat,https://a.example/\nark:10099/w1b0at,\n"
    file = {"file": (BytesIO(rows), "names.csv")}
    assert holder.browser.post("/prefixes/import", form | file).status == 303
    page = well(holder.browser.get(f"{at}name?name=ark:10099/w1boat"))
    assert "looks like ark:10099/w1b0at." in page.words


def test_a_refused_withdrawal_keeps_what_was_typed_and_says_why_at_its_field(
    holder: Holder,
) -> None:
    there = _name_given(holder, holder.add("ark:10099/x5", "reedeedk"))
    to = there.replace("/name?", "/withdraw?")
    refused = well(holder.send(there, to, {"reason": "", "successor": "ark:10099/x5q"}), 422)
    assert "Enter the reason" in refused.text("//*[@id='reason_error_1']")
    assert refused.form(to.partition("?")[0])["successor"] == "ark:10099/x5q"


def test_the_form_of_a_prefix_shows_which_names_its_mask_gives_first(holder: Holder) -> None:
    typed = {"prefix": "ark:10099/q2", "numbering": "reedeedk"}
    shown = well(holder.send("/prefixes/", "/prefixes/examples", typed, "/prefixes/"))
    assert shown.text("//*[@role='status']").count("ark:10099/q2") == 3
    assert shown.form("/prefixes/")["numbering"] == "reedeedk"
    typed["numbering"] = "qq"
    wrong = well(holder.send("/prefixes/", "/prefixes/examples", typed, "/prefixes/"), 422)
    assert wrong.each("//*[@id='numbering_error_1']")


@pytest.mark.parametrize(
    ("text", "mask", "is_old", "warns"),
    [
        ("ark:10099/q2", "reedk", False, False),
        ("ark:10099/q2", "reedk", True, True),  # added by older software, in the public order
        ("ark:10099/q2", "seedk", False, True),
    ],
)
def test_the_page_of_a_prefix_says_that_its_next_identifiers_are_predictable(
    holder: Holder, text: str, mask: str, *, is_old: bool, warns: bool
) -> None:
    at = holder.add(text, mask)
    if is_old:
        with transaction():
            db.session.execute(update(Prefix).values(order_seed=""))
    page = well(holder.browser.get(at))
    assert ("Anyone can predict these identifiers" in page.words) is warns


def test_where_names_lead_is_said_with_a_prefix_and_told_at_its_field_where_it_cannot_be(
    holder: Holder,
) -> None:
    by = holder.other(holder.people.operator.email)
    typed = {"prefix": "ark:10099/x5", "numbering": "reedeedk"}
    typed |= {"holder": holder.people.registrant.email, "target_rule": "https://${suffix}.example/"}
    form = well(by.get("/prefixes/")).form("/prefixes/")
    refused = well(by.post("/prefixes/", form | typed), 422)
    assert "fixed host" in refused.text("//*[@id='target_rule_error_1']")
    assert refused.form("/prefixes/")["target_rule"] == typed["target_rule"]
    typed["target_rule"] = "https://boats.example/${suffix}"
    at = by.post("/prefixes/", refused.form("/prefixes/") | typed).location
    assert "https://boats.example/${suffix}" in well(holder.browser.get(at)).words
    assert "https://boats.example/" in well(holder.browser.get(_name_given(holder, at))).words
    settings = f"{at}settings"
    assert well(holder.browser.get(settings)).form(settings)["target_rule"] == typed["target_rule"]
    refused = well(holder.send(settings, settings, {"target_rule": "ftp://boats.example/"}), 422)
    assert "starts with" in refused.text("//*[@id='target_rule_error_1']")
    assert holder.send(settings, settings, {"target_rule": ""}).status == 303
    assert "Target rule none" in well(holder.browser.get(at)).words


def test_a_pattern_is_said_with_a_prefix_shown_and_told_at_its_field_where_it_is_none(
    holder: Holder,
) -> None:
    by = holder.other(holder.people.operator.email)
    typed = {"prefix": "ark:10099/x5", "holder": holder.people.registrant.email, "numbering": ""}
    form = well(by.get("/prefixes/")).form("/prefixes/")
    refused = well(by.post("/prefixes/", form | typed | {"pattern": "(?:[a-z]+)*"}), 422)
    assert "may double the time" in refused.text("//*[@id='pattern_error_1']")
    typed["pattern"] = "[0-9]{4}"
    at = by.post("/prefixes/", refused.form("/prefixes/") | typed).location
    assert "Pattern [0-9]{4}" in well(holder.browser.get(at)).words
    looked = _looked_through(holder, "name,target\nark:10099/x51234,\nark:10099/x5b,\n")
    assert "Line 3:" in looked.words and "match the pattern [0-9]{4}" in looked.words
    settings = f"{at}settings"
    assert well(holder.browser.get(settings)).form(settings)["pattern"] == "[0-9]{4}"
    assert holder.send(settings, settings, {"pattern": "", "policy": "By the shelf."}).status == 303
    page = well(holder.browser.get(at)).words
    assert "Pattern" not in page and "Policy By the shelf." in page


def test_one_name_of_ones_own_choice_is_given_by_page(holder: Holder) -> None:
    at = holder.add("ark:10099/w1")
    typed = {"rest": "boat", "target": "https://example.org/boat"}
    given = holder.send(at, f"{at}choose", typed)
    assert given.status == 303
    assert "https://example.org/boat" in well(holder.browser.get(given.location)).html
    assert holder.send(at, f"{at}choose", {"rest": "ship", "kept": "yes"}).status == 303
    assert "1 reserved" in well(holder.browser.get(at)).words
    again = well(holder.send(at, f"{at}choose", {"rest": "boat", "target": ""}), 422)
    assert "already assigned" in again.text("//*[@id='rest_error_1']")


@pytest.mark.parametrize(
    ("typed", "field", "why"),
    [
        ({"rest": ""}, "rest", "Enter the part after"),
        ({"rest": "-"}, "rest", "Enter the part after"),
        ({"rest": "bo at"}, "rest", ""),
        ({"rest": "9boat"}, "rest", "delegated prefix"),
        ({"rest": "boat", "target": "javascript:x"}, "target", "starts with"),
    ],
)
def test_what_is_wrong_with_a_chosen_name_is_told_at_its_field(
    holder: Holder, typed: dict[str, str], field: str, why: str
) -> None:
    at = holder.add("ark:10099/w1")
    holder.add("ark:10099/w19")
    refused = well(holder.send(at, f"{at}choose", typed), 422)
    assert why in refused.text(f"//*[@id='{field}_error_1']")
    assert typed["rest"] in refused.values("value", "input")


def test_a_number_of_names_that_is_none_is_told_at_its_field(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    for count in ("", "many", "0", "10001", "9" * 30):
        refused = well(holder.send(at, f"{at}mint", {"count": count}), 422)
        assert refused.each("//*[@id='count_error_1']"), count


def test_somebody_gives_names_until_their_last_day_and_their_names_stay(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    rival = holder.people.rival.email
    for until, said in (("2020-01-01", "in the past"), ("tomorrow", "YYYY-MM-DD")):
        refused = holder.send(f"{at}settings", f"{at}people", {"email": rival, "until": until})
        assert said in well(refused, 422).text("//*[@id='until_error_1']")
    last = date.fromordinal(holder.clock().date().toordinal() + 2)
    told = {"email": rival, "until": last.isoformat()}
    assert holder.send(f"{at}settings", f"{at}people", told).status == 303
    assert "until" in well(holder.browser.get(f"{at}settings")).words
    assert well(holder.other(rival).get(at)).words.count("Mint identifiers")
    holder.clock.on(days=3)
    assert holder.other(rival).get(at).status == 404


def test_a_second_holder_is_added_by_page_and_the_only_one_has_no_button_to_end(
    holder: Holder,
) -> None:
    at = f"{holder.add('ark:10099/x5', 'reedeedk')}"
    settings, ends = (
        f"{at}settings",
        "//form[contains(@action, '/end') and contains(@action, 'people')]",
    )
    assert not well(holder.browser.get(settings)).each(ends)
    told = {"email": holder.people.rival.email, "holder": "yes"}
    assert holder.send(settings, f"{at}people", told | {"until": "2027-06-30"}).status == 422
    assert holder.send(settings, f"{at}people", told).status == 303
    assert len(well(holder.browser.get(settings)).each(ends)) == 2


def test_a_file_is_looked_through_before_it_is_brought_in(holder: Holder) -> None:
    at = holder.add("ark:10099/w1")
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    looked = well(
        holder.browser.post(
            "/prefixes/import/preview", form | {"file": (BytesIO(_FILE.encode()), "names.csv")}
        )
    )
    assert "Nothing is imported yet." in looked.words and "Line 4:" in looked.words
    assert "This prefix has no identifiers yet." in well(holder.browser.get(at)).words
    done = holder.browser.post("/prefixes/import", looked.form("/prefixes/import"))
    assert done.status == 303, done.words[:400]
    told = well(holder.browser.get(done.location)).words
    assert "Imported 1" in told and "Errors 2" in told
    rows = holder.browser.get(f"{done.location}.csv").html.splitlines()
    assert rows[0] == "line,refused,code,message"
    assert [one.split(",")[:2] for one in rows[1:]] == [["3", "yes"], ["4", "yes"]]
    assert "1 imported, 2 errors" in well(holder.browser.get("/prefixes/import")).words
    assert holder.other(holder.people.rival.email).get(done.location).status == 404


def test_people_who_share_a_label_are_all_kept_where_something_else_is_changed(
    holder: Holder,
) -> None:
    at = holder.add("ark:10099/w1")
    rows = 'name,elements\nark:10099/w1a,"[[""who"",""Ada""],[""who"",""Bo""]]"\n'
    looked = _looked_through(holder, rows)
    holder.browser.post("/prefixes/import", looked.form("/prefixes/import"))
    name = f"{at}name?name=ark%3A10099%2Fw1a"
    assert "Ada; Bo" in well(holder.browser.get(name)).words
    assert holder.send(name, name, {"target": "https://example.org/"}).status == 303
    page = well(holder.browser.get(name))
    assert not page.each("//main//p[button[@hidden]]")  # nothing is left of it without a script
    assert "Ada; Bo" in page.words and "who Bo" not in page.words
    assert page.form(name.partition("?")[0])["further"] == "who: Bo"


def test_refused_rows_stand_under_a_heading_of_their_own_before_all_others(holder: Holder) -> None:
    holder.add("ark:10099/w1")
    rows = "ark:10099/w1a,\nark:10099/w1a,https://example.org/a\nark:10099/w1b,ftp:x\n"
    looked = _looked_through(holder, f"name,target\n{rows}")
    done = holder.browser.post("/prefixes/import", looked.form("/prefixes/import"))
    for page in (looked, well(holder.browser.get(done.location))):
        refused, others = page.each("//h2[*[contains(@class, 'icon')]]")
        assert refused.text_content().strip() == "Errors: rows not imported"
        assert others.text_content().strip() == "Warnings"
        assert page.words.index("Line 4:") < page.words.index("Line 3:")
    csv = holder.browser.get(f"{done.location}.csv").html.splitlines()
    assert [one.split(",")[:3] for one in csv[1:]] == [
        ["4", "yes", "target_scheme"],
        ["3", "no", "name_repeated"],
    ]


def test_what_a_file_would_do_tells_new_names_from_changed_ones(holder: Holder) -> None:
    holder.add("ark:10099/w1")
    rows = "ark:10099/w1a,https://example.org/a\n"
    for expected in ("New identifiers 1", "Changed identifiers 1"):
        looked = _looked_through(holder, f"name,target\n{rows}")
        assert expected in looked.words
        done = holder.browser.post("/prefixes/import", looked.form("/prefixes/import"))
        page = well(holder.browser.get(done.location))
        assert "No findings." in page.words
        assert "No more findings." in well(holder.browser.get(f"{done.location}?after=9")).words
        rows = "ark:10099/w1a,https://example.org/b\nark:10099/w1b,https://example.org/b\n"
    useless = _looked_through(holder, "name,target\nark:99999/x1,https://example.org/\n")
    assert "no changes" in useless.words and "Import again" not in useless.words


def test_what_names_of_a_mask_look_like_is_told_with_a_file_that_brings_them_in(
    holder: Holder,
) -> None:
    at = holder.add("ark:10099/w1")
    for rows, mask in (("ark:10099/w112C,\n", "rdde"), ("ark:10099/w112c,\n", "")):
        looked = _looked_through(holder, f"name,target\n{rows}")
        done = holder.browser.post("/prefixes/import", looked.form("/prefixes/import"))
        if mask:
            holder.send(f"{at}settings", f"{at}settings", {"numbering": mask})
    told = "ark:10099/w112c looks like ark:10099/w112C"
    assert told in looked.words and told in well(holder.browser.get(done.location)).words


def test_what_a_file_would_change_of_names_is_shown_with_what_was_before(holder: Holder) -> None:
    at = holder.add("ark:10099/w1")
    rows = "name,target,what\nark:10099/w1a,https://example.org/a,A boat\n"
    looked = _looked_through(holder, rows)
    assert not looked.each("//*[@id='changes']")
    holder.browser.post("/prefixes/import", looked.form("/prefixes/import"))
    looked = _looked_through(holder, rows.replace("A boat", "<b>A ship"))
    (box,) = looked.each("//ul[preceding-sibling::h2[1][@id='changes']]/li")
    assert " ".join((box.text_content() or "").split()) == (
        "ark:10099/w1a, line 2 What <b>A ship (was: A boat)"
    )
    there = f"{at}name?name=ark%3A10099/w1a"
    assert there in looked.values("href", "a") and well(holder.browser.get(there))


def test_which_columns_of_a_file_are_none_that_is_known_is_told_before(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    name = _name_given(holder, at).rpartition("=")[2].replace("%3A", ":")
    looked = _looked_through(holder, f"name,titel,who\n{name},A boat,Robin Roe\n")
    assert "other elements: titel" in looked.words
    assert "other elements:" not in _looked_through(holder, f"name,who\n{name},R\n").words


def _looked_through(holder: Holder, rows: str) -> Page:
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    file = {"file": (BytesIO(rows.encode()), "names.csv")}
    return well(holder.browser.post("/prefixes/import/preview", form | file))


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


@pytest.mark.parametrize("action", ["/prefixes/import/preview", "/prefixes/import"])
@pytest.mark.parametrize("row", ["x\n", "\n" * 11], ids=["rows", "lines"])
def test_a_small_file_with_too_many_rows_is_refused_before_anything_is_kept(
    holder: Holder, action: str, row: str
) -> None:
    holder.add("ark:10099/w1")
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    rows = "name\n" + row * (name_file_pages.MOST_ROWS + 1)
    file = {"file": (BytesIO(rows.encode()), "names.csv")}
    refused = well(holder.browser.post(action, form | file), 422)
    assert "Split it" in refused.text("//*[@id='file_error_1']")
    assert not well(holder.browser.get("/prefixes/import")).each("//a[contains(@href, 'imports/')]")


def test_a_person_previews_and_imports_a_bounded_number_of_files(
    holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = RateLimitKind.NAME_FILES_OF_PERSON
    monkeypatch.setitem(LIMITS, kind, replace(LIMITS[kind], most=3))
    holder.add("ark:10099/w1")

    def sent(to: str) -> int:
        form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
        file = {"file": (BytesIO(_FILE.encode()), "names.csv")}
        return holder.browser.post(to, form | file).status

    preview = "/prefixes/import/preview"
    assert [sent(preview), sent("/prefixes/import"), sent(preview)] == [200, 303, 200]
    assert [sent(preview), sent("/prefixes/import")] == [429, 429]
    holder.clock.on(minutes=16)
    assert sent(preview) == 200


@pytest.mark.parametrize("to", ["/prefixes/examples", "/prefixes/", "settings"])
def test_a_pattern_is_studied_in_a_work_turn(
    holder: Holder, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    at = holder.add("ark:10099/w1")
    there, action = (f"{at}settings", f"{at}settings") if to == "settings" else ("/prefixes/", to)
    typed = {"prefix": "ark:10099/w2", "pattern": "[a-z]+[0-9]"}
    filled = well(holder.browser.get(there)).form(there) | typed
    monkeypatch.setattr(QUEUE, "patience", 0.01)
    with QUEUE.turn(), QUEUE.turn():
        assert holder.browser.post(action, filled).status == 503
    assert holder.browser.post(action, filled).status != 503


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
    assert "Unchanged 1" in looked.words and "Errors 0" in looked.words


@pytest.mark.postgresql
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
    assert prefix_lists.gather(folder, "a") == 1_234
    assert prefix_lists.gather(folder, "a") == 0
    page = well(holder.browser.get(at))
    assert "1,234 in 30 days" in page.words


def test_targets_that_did_not_answer_are_listed_with_since_when_and_what_was_answered(
    holder: Holder,
) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    there = _name_given(holder, at)
    assert holder.send(there, there, {"target": "https://gone.example/1"}).status == 303
    none = well(holder.browser.get(at)).text("//section[@aria-labelledby='targets']")
    assert "doesn’t contact other servers" in none

    def ask(url: str, _rest: object) -> ServiceAnswer:
        return ServiceAnswer("gone" not in url, "The server answered “not found”.", 404)

    manners = ProbePacing(lambda: 0.0, lambda _seconds: True)
    check_daily(holder.clock(), ask, manners, "https://registry.example")
    page = well(holder.browser.get(at))
    told = page.text("//section[@aria-labelledby='targets']")
    assert "1 of 1 checked target didn’t answer" in told
    assert "The server answered “not found”. (404)" in told and "Since" in told
    assert f"{at}found?q=//gone.example" in unquote(" ".join(page.values("href", "a")))


def test_what_somebody_acts_for_leads_to_a_prefix_within_it(holder: Holder) -> None:
    assert not well(holder.browser.get("/prefixes/")).each("//*[@id='registered']")
    with transaction():
        scope = delegate_rows.find_name(NAAN_SPACE, "10099")
        assert scope is not None
        account = holder.people.registrant.id
        delegate_rows.add(scope, account, DelegateOrigin.EVIDENCE, holder.clock())
    page = well(holder.browser.get("/prefixes/"))
    links = page.values("href", "a")
    assert "?prefix=ark%3A10099#add" in links and "/naans/10099/people" in links
    assert well(holder.browser.get(f"/prefixes/{links[links.index('?prefix=ark%3A10099#add')]}"))


def test_the_holders_pages_lead_to_the_desk_of_names(holder: Holder) -> None:
    assert "/prefixes/" in well(holder.browser.get("/account")).values("href", "a")
    holder.add("ark:10099/x5")
    assert "Your identifiers" in well(holder.browser.get("/requests/")).text("//header")


def test_what_the_operator_cannot_change_has_no_form(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    there = _name_given(holder, at)
    operator = holder.other(holder.people.operator.email)
    assert not well(operator.get(at)).each(f"//form[@action='{at}mint']")
    assert not well(operator.get(there)).each("//form[@method='post']")


def test_what_can_be_brought_in_of_a_name_can_be_changed_by_page(holder: Holder) -> None:
    at = holder.add("ark:10099/w1")
    target = "https://example.org/".ljust(FIELD_LIMITS["target"], "a")
    what, promised = "b" * FIELD_LIMITS["element"], "c" * FIELD_LIMITS["persistence"]
    rows = f"name,target,what,persistence\nark:10099/w1a,{target},{what},{promised}\n"
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    file = {"file": (BytesIO(rows.encode()), "n.csv")}
    assert holder.browser.post("/prefixes/import", form | file).status == 303
    there = f"{at}name?name=ark:10099/w1a"
    saved = holder.send(there, there, {"who": "Robin", "target": f"{target[:-1]}z"})
    assert saved.status == 303, saved.words[:400]
    assert f"{target[:-1]}z" in well(holder.browser.get(there)).html
    long = holder.send(there, there, {"target": f"{target}z"})
    assert "at most 2,048" in well(long, 422).text("//*[@id='target_error_1']")
    gone = there.replace("/name?", "/withdraw?")
    assert holder.send(there, gone, {"reason": "d" * FIELD_LIMITS["reason"]}).status == 303


def test_names_that_were_found_are_changed_together_or_not_at_all(holder: Holder) -> None:
    at = holder.add("ark:10099/w1")
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    rows = "".join(f"ark:10099/w1a{n},https://old.example/{n},Boat {n}\n" for n in range(5))
    file = {"file": (BytesIO(f"name,target,what\n{rows}".encode()), "n.csv")}
    assert holder.browser.post("/prefixes/import", form | file).status == 303
    there = f"{at}found?q=Boat"
    assert f"{at}found?q=Boat&state=" in well(holder.browser.get(f"{at}?q=Boat")).values("href")
    assert "old.example: 5 identifiers" in well(holder.browser.get(there)).words
    to = f"{at}found/move?q=Boat"
    wrong = {"begins": "https://none.example/", "instead": "https://new.example/"}
    assert well(holder.send(there, to, wrong), 422).each("//*[@id='begins_error_1']")
    refused = holder.send(there, to, {"begins": "https://old.example/", "instead": "ftp://x/"})
    assert "ark:10099/w1a0" in well(refused, 422).text("//*[@id='begins_error_1']")
    moved = holder.send(there, to, wrong | {"begins": "https://old.example/"})
    assert moved.status == 303, moved.words[:400]
    assert well(holder.browser.get(at)).html.count("https://new.example/") == 5
    to = f"{at}found/withdraw?q=Boat"
    looked = f"{at}found/withdraw/look"
    late = well(holder.browser.get(there)).form(looked) | {"reason": "They sank."}
    other = holder.send(
        f"{at}found?q=Boat+3", f"{at}found/withdraw?q=Boat+3", {"reason": "It did."}, looked
    )
    assert other.status == 303
    assert well(holder.browser.post(f"{to}&state=public", late), 409).words
    page = well(holder.browser.get(there))
    assert "5 identifiers" in page.words and "1 identifier already withdrawn" in page.words
    look = f"{looked}?q=Boat"
    assert well(holder.send(there, look, {"reason": ""}), 422).each("//*[@id='reason_error_1']")
    told = {"reason": "They sank.", "successor": "ark:10099/x9"}
    shown = well(holder.send(there, look, told))
    assert (
        "Withdraw 4 identifiers?" in shown.words and "Already withdrawn 1 identifier" in shown.words
    )
    assert "ark:10099/w1a4 (target: https://new.example/4)" in shown.words
    assert "ark:10099/w1a3" not in shown.words and "They sank." in shown.words
    assert well(holder.browser.get(at)).words.count("1 withdrawn") == 1
    withdrawn = holder.browser.post(to, shown.form(to.partition("?")[0]))
    assert withdrawn.status == 303
    page = well(holder.browser.get(withdrawn.location))
    assert "Identifiers changed: 4." in page.words and "5 withdrawn" in page.words
    page = well(holder.browser.get(there))
    assert not page.each(f"//form[contains(@action, '{at}found/withdraw')]")
    late["lock_version"] = page.form(f"{at}found/move")["lock_version"]
    first = well(holder.browser.get(f"{at}name?name=ark:10099/w1a3")).words
    assert "It did." in first and "They sank." not in first
    assert well(holder.browser.post(to, late), 409).words


def test_names_that_were_changed_since_a_page_showed_them_are_not_changed_by_it(
    holder: Holder,
) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    name = _name_given(holder, at)
    to = f"{at}found/withdraw"
    late = well(holder.browser.get(f"{at}found")).form(f"{to}/look") | {"reason": "It sank."}
    assert holder.send(name, name, {"target": "https://a.example/"}).status == 303
    assert well(holder.browser.post(f"{to}/look", late), 409)
    assert well(holder.browser.post(to, late), 409)


def test_a_name_is_found_among_those_of_all_prefixes(
    holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assigned_name_pages, "_NAMES_A_PAGE", 2)
    holder.add("ark:10099/w1")
    holder.add("ark:10099/x5")
    rows = "".join(f"ark:10099/{prefix}{n},Boat {n}\n" for prefix in ("w1", "x5") for n in range(3))
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    file = {"file": (BytesIO(f"name,what\n{rows}".encode()), "n.csv")}
    assert holder.browser.post("/prefixes/import", form | file).status == 303
    assert "/prefixes/names" in well(holder.browser.get("/prefixes/")).values("action", "form")
    page, found = well(holder.browser.get("/prefixes/names?q=boat")), ""
    for _ in range(4):
        found += page.text("//table")
        further = [one for one in page.values("href", "a") if "after=" in one]
        if not further:
            break
        page = well(holder.browser.get(further[0]))
    assert [
        found.count(f"ark:10099/{one}") for one in ("w10", "w11", "w12", "x50", "x51", "x52")
    ] == [1] * 6
    one = well(holder.browser.get("/prefixes/names?q=x52"))
    assert "ark:10099/x52" in one.text("//table")
    for there in one.values("href", "a"):
        if "/name?" in there:
            well(holder.browser.get(there))
    assert "No identifiers found." in holder.browser.get("/prefixes/names?q=ship").words
    other = holder.other(holder.people.rival.email)
    assert "No identifiers found." in well(other.get("/prefixes/names?q=boat")).words


def test_the_operator_has_a_list_of_all_prefixes_with_who_holds_them(
    holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = holder.other(holder.people.operator.email)
    assert "No prefixes yet." in well(operator.get("/desk/prefixes/")).words
    for number in range(51):
        at = holder.add(f"ark:10099/w{number:02}")
    page = well(operator.get("/desk/prefixes/"))
    assert "ark:10099/w49" in page.words and "ark:10099/w50" not in page.words
    further = next(one for one in page.values("href", "a") if "after=" in one)
    last = well(operator.get(further))
    assert at in last.values("href", "a") and "ark:10099/w49" not in last.words
    assert (
        "none" in last.text("//table")
        and "account Robin" in last.text("//table")
        and "First page" in last.words
    )
    assert "/desk/prefixes/" in well(operator.get("/desk/")).values("href", "a")
    assert holder.browser.get("/desk/prefixes/").status == 403


def test_what_the_end_of_a_prefix_means_is_shown_before_it_ends(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    assert holder.send(at, f"{at}mint", {"count": "3", "reserved": "yes"}).status == 303
    _name_given(holder, at)
    holder.add("ark:10099/x57")
    settings, look, end = f"{at}settings", f"{at}end/look", f"{at}end"
    refused = well(holder.send(settings, look, {"reason": " "}), 422)
    assert refused.each("//*[@id='reason_error_1']")
    shown = well(holder.send(settings, look, {"reason": "The boats are sold."}))
    assert "Close ark:10099/x5?" in shown.text("//h1")
    for told in (
        *("can’t undo", "Existing identifiers 3 reserved, 1 public"),
        *("The boats are sold.", "remain open: ark:10099/x57."),
    ):
        assert told in shown.words
    assert "accepts no new identifiers" in well(holder.browser.get(settings)).words, (
        "none ended yet"
    )
    typed = shown.form(end)
    ended = holder.browser.post(end, typed)
    assert (ended.status, ended.location) == (303, at)
    page = well(holder.browser.get(at)).words
    assert "This prefix is closed." in page
    assert "Reason: The boats are sold." in page
    for to in (look, end):
        late = well(holder.browser.post(to, typed | {"key": "x" * 20}), 409)
        assert "already closed" in late.words


def test_the_rules_of_a_prefix_that_has_ended_are_those_that_still_have_an_effect(
    holder: Holder,
) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    _name_given(holder, at)
    settings, end = f"{at}settings", f"{at}end"
    shown = well(holder.send(settings, f"{end}/look", {"reason": "The boats are sold."}))
    assert holder.browser.post(end, shown.form(end)).status == 303
    page = well(holder.browser.get(settings))
    assert "This prefix is closed." in page.words
    assert "Reason: The boats are sold." in page.words and "Mask reedeedk" in page.words
    offered = set(page.form(settings))
    assert {"label", "holder_name", "target_rule", "policy", "persistence"} <= offered
    assert not offered & {"numbering", "pattern"}
    assert "that you change later" in page.words
    assert holder.send(settings, settings, {"label": "Boats that are sold"}).status == 303
    detail = well(holder.browser.get(at)).words
    assert "Boats that are sold" in detail and "Mask reedeedk" in detail


def test_to_whom_a_prefix_that_has_ended_is_opened_is_said_what_they_still_do(
    holder: Holder,
) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    settings, end = f"{at}settings", f"{at}end"
    shown = well(holder.send(settings, f"{end}/look", {"reason": "Done."}))
    assert holder.browser.post(end, shown.form(end)).status == 303
    page = well(holder.browser.get(settings)).words
    assert "withdraw the existing identifiers" in page
    for told in ("can mint",):
        assert told not in page
    rival = holder.people.rival.email
    assert holder.send(settings, f"{at}people", {"email": rival}).status == 303
    assert "Person added." in well(holder.browser.get(settings)).words


def test_a_withdrawn_name_leads_nowhere_in_the_list_of_its_holder_too(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    there = _name_given(holder, at)
    assert holder.send(there, there, {"target": "https://example.org/1"}).status == 303
    assert "https://example.org/1" in well(holder.browser.get(at)).text(
        "//section[@aria-labelledby='names']//table"
    )
    to = there.replace("/name?", "/withdraw?")
    assert holder.send(there, to, {"reason": "It sank."}).status == 303
    for list_ in (at, "/prefixes/names?q=example"):
        table = well(holder.browser.get(list_)).text("//table[contains(@class, 'registry')]")
        assert "none" in table and "https://example.org/1" not in table


def test_a_file_that_was_brought_in_before_is_taken_over_again_only_where_that_is_ticked(
    holder: Holder,
) -> None:
    holder.add("ark:10099/w1")
    rows, other = (f"name,target\nark:10099/w1a,https://example.org/{one}\n" for one in "ab")
    take = "/prefixes/import"
    for some in (rows, other):
        looked = _looked_through(holder, some)
        holder.browser.post(take, looked.form(take))
    looked = _looked_through(holder, rows)
    assert "select the box below" in looked.words
    typed = looked.form(take)
    before = holder.browser.post(take, typed)
    told = well(holder.browser.get(before.location)).words
    assert "Nothing was imported" in told and "Import finished." not in told
    looked = _looked_through(holder, rows)
    again = holder.browser.post(take, looked.form(take) | {"again": "yes"})
    told = well(holder.browser.get(again.location)).words
    assert "Import finished." in told and "Imported 1" in told
    nothing = _looked_through(holder, rows)
    assert "You imported this file before." in nothing.words
    for absent in ("Import again", "select the box"):
        assert absent not in nothing.words


def _within_for_another(holder: Holder, told: dict[str, str]) -> tuple[str, Page]:
    """The path of a prefix, and what came of adding one within it for somebody else."""
    at = holder.add("ark:10099/x5", "reedeedk")
    typed = {"prefix": "ark:10099/x5b", "holder": holder.people.rival.email} | told
    return at, holder.send("/prefixes/", "/prefixes/", typed)


def test_who_adds_a_prefix_for_somebody_else_is_led_to_the_one_around_it_and_told_who_holds_it(
    holder: Holder,
) -> None:
    at, added = _within_for_another(holder, {})
    assert (added.status, added.location) == (303, at)
    words = well(holder.browser.get(added.location)).words
    assert f"{holder.people.rival.email} is the owner." in words


def test_who_adds_a_prefix_for_themselves_is_led_to_its_own_page(holder: Holder) -> None:
    at, added = _within_for_another(holder, {"holder": ""})
    assert added.status == 303 and added.location != at
    page = well(holder.browser.get(added.location))
    assert page.text("//h1") == "ark:10099/x5b" and "You are the owner." in page.words


def test_a_holder_who_ends_it_for_themselves_is_led_to_a_page_that_is_still_theirs(
    holder: Holder,
) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    told = {"email": holder.people.rival.email, "holder": "yes"}
    assert holder.send(f"{at}settings", f"{at}people", told).status == 303
    own = f"{at}people/{holder.people.registrant.id}/end"
    left = holder.send(f"{at}settings", own, {})
    assert (left.status, left.location) == (303, "/prefixes/")
    assert "You left ark:10099/x5." in well(holder.browser.get(left.location)).words


def test_what_was_delegated_is_listed_with_its_page_who_holds_it_and_since_when_it_has_ended(
    holder: Holder,
) -> None:
    at, _ = _within_for_another(holder, {"holder_name": "Harbour Museum"})
    page = well(holder.browser.get(at))
    assert "/names/under/ark:10099%2Fx5b" in page.values("href", "a")
    told = page.text("//section[@aria-labelledby='within']")
    assert "Owner: Harbour Museum" in told and "Closed" not in told
    assert "their owners and the operator" in told
    assert "can’t undo this" in well(holder.browser.get("/prefixes/")).words
    rival = holder.other(holder.people.rival.email)
    inner = next(one for one in rival.get("/prefixes/").values("href", "a") if one[10:-1].isdigit())
    shown = rival.post(
        f"{inner}end/look",
        well(rival.get(f"{inner}settings")).form(f"{inner}end/look") | {"reason": "Sold."},
    )
    assert rival.post(f"{inner}end", well(shown).form(f"{inner}end")).status == 303
    told = well(holder.browser.get(at)).text("//section[@aria-labelledby='within']")
    assert f"Closed on {holder.clock():%-d %B %Y}" in told


@pytest.mark.parametrize("asked", ["ark:10099/z9", "ark:10099/x5bq"])
def test_a_prefix_that_is_not_ones_own_to_give_is_told_at_its_field_with_all_that_was_typed(
    holder: Holder, asked: str
) -> None:
    _within_for_another(holder, {})
    typed = {"prefix": asked, "label": "Boats of the harbour", "policy": "By the shelf."}
    refused = well(holder.send("/prefixes/", "/prefixes/", typed), 403)
    assert "add prefixes within it" in refused.text("//*[@id='prefix_error_1']")
    kept = refused.form("/prefixes/")
    assert {field: kept[field] for field in typed} == typed


def test_the_page_of_a_prefix_that_is_not_there_leads_to_ones_own_names(holder: Holder) -> None:
    holder.add("ark:10099/x5")
    gone = holder.browser.get("/prefixes/9999/")
    assert gone.status == 404 and "/prefixes/" in gone.each("//main")[0].xpath(".//a/@href")


def test_what_a_file_would_do_names_each_name_counts_its_button_and_tells_of_taken_rows_alone(
    holder: Holder,
) -> None:
    holder.add("ark:10099/x5", "reedeedk")
    holder.add("ark:10099/w1")
    rows = "ark:10099/w1a,https://example.org/a,\nark:10099/x5/old1,https://example.org/b,red\n"
    looked = _looked_through(holder, f"name,target,colour\n{rows}")
    (told,) = [one.text_content() for one in looked.each("//main//li") if "Line 3" in one.text]
    assert "ark:10099/x5/old1: The mask makes 7 characters" in told
    assert looked.each("//button[normalize-space()='Import 1 identifier']")
    assert (
        "other elements"
        not in _looked_through(
            holder, "name,target,colour\nark:10099/x5/old1,https://example.org/b,red\n"
        ).words
    )


def test_a_picture_that_is_brought_in_is_said_to_be_no_text_file(holder: Holder) -> None:
    holder.add("ark:10099/w1")
    form = well(holder.browser.get("/prefixes/import")).form("/prefixes/import")
    file = {"file": (BytesIO(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0"), "boat.png")}
    looked = holder.browser.post("/prefixes/import/preview", form | file)
    assert "text file" in looked.words


def test_who_was_given_names_reads_once_that_they_were_and_what_to_do_next(holder: Holder) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    given = holder.send(at, f"{at}mint", {"count": "3"})
    page = well(holder.browser.get(given.location))
    assert "no target yet" in page.words
    assert "/prefixes/import?prefix=ark%3A10099/x5" in page.values("href", "a")


def test_states_that_are_no_plain_ones_have_their_sign_in_lists_of_the_holder_too(
    holder: Holder,
) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    assert holder.send(at, f"{at}mint", {"count": "1", "reserved": "yes"}).status == 303
    page = well(holder.browser.get(at))
    assert page.each("//table//span[contains(@class, 'tag') and contains(., 'Reserved')]")


def test_the_end_of_a_prefix_says_what_everybody_reads_of_it_and_who_reads_why(
    holder: Holder,
) -> None:
    at = holder.add("ark:10099/x5", "reedeedk")
    shown = well(holder.send(f"{at}settings", f"{at}end/look", {"reason": "Sold."}))
    assert "becomes public" in shown.words
    assert "can see the reason" in shown.words
