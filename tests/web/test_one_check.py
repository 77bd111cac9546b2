"""One check of a request: whatever page shows what was found shows and counts the same."""

from collections.abc import Mapping
from contextvars import Context
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.identifiers.errors import spell_list
from app.registration.declarations.registries import FORMAL, FormSection, Procedure
from app.registration.profiles.profile_answers import write_profile
from app.registration.profiles.profile_records import NamespaceProfile
from app.registration.submission_findings import SubmissionCheck, SubmissionFinding
from app.registration.templates.sample_template import EXAMPLE
from app.registration.templates.template_lint import lint
from app.registration.templates.template_writer import format_template
from app.registration.templates.text_encodings import decode_text
from app.services.accounts import sign_in
from app.services.requests import drafts
from app.services.requests.detail.request_detail import show_request
from app.store.database import read_transaction
from app.workflow.engine import EvidenceMissing
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import START
from tests.grammar.studies import study
from tests.web.stages import Office
from tests.web.visitor import Page, Visitor

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
NID = "namespace_identifier"
GRAMMAR = 'A name, in ABNF:\n\n    name = "urn:{}:" 1*DIGT\n\nSuch as urn:{}:12.'
SHAPES = {"problem": "must", "look": "should", "note": "note"}


def good(name: str) -> dict[str, str]:
    """A text with nothing against it."""
    fields = {key: text for key, text in EXAMPLE.items() if key not in ("version", "date")}
    return {key: text.replace("urn:example:", f"urn:{name}:") for key, text in fields.items()} | {
        NID: name
    }


@dataclass(frozen=True)
class Written:
    """What somebody writes, and what is found in it: codes by severity."""

    fields: Mapping[str, str]
    must: frozenset[str] = frozenset()
    should: frozenset[str] = frozenset()
    note: frozenset[str] = frozenset()
    private: Mapping[str, str] = field(default_factory=dict)
    organization: str = "Example Society for Lighthouse Heritage"
    title: str = "Example Lighthouse Names"
    standard: bool | None = False
    procedure: Procedure = Procedure.COMMUNITY


LETTERS = {one.name: "x" for one in FORMAL.fields if one.is_long and one.required != "revision"}
REQUIRED = {one.name for one in FORMAL.fields if one.required in ("always", "formal")} - {"date"}
TEXTS = {
    "empty": Written(
        {},
        must=frozenset({f"{name}/missing" for name in REQUIRED}),
        should=frozenset({"documentation/missing"}),
        organization="",
        title="",
        standard=None,
    ),
    "one letter in every field": Written(
        LETTERS | {NID: "qokkax"},
        should=frozenset(
            f"{name}/too-little" for name in LETTERS if name != "additional_information"
        ),
    ),
    "good": Written(good("tamarin")),
    "bad grammar": Written(
        good("siamang") | {"syntax": GRAMMAR.format("siamang", "siamang")},
        should=frozenset({"syntax/grammar-undefined"}),
    ),
    "example of another name": Written(
        good("tango-nid") | {"syntax": "Digits after the name, such as urn:isbn:12."},
        must=frozenset({"syntax/other-name"}),
    ),
    "compared with another name": Written(
        good("gelada") | {"syntax": "Such as urn:gelada:12, which is not urn:isbn:12."},
        note=frozenset({"syntax/other-name"}),
    ),
    "no answer on a standard": Written(
        good("tarsier"), must=frozenset({"purpose/missing"}), standard=None
    ),
    "no title": Written(good("douc"), must=frozenset({"purpose/missing"}), title=""),
    "no organization": Written(
        good("saki"), must=frozenset({"registrant/missing"}), organization=""
    ),
    "a personal address": Written(
        good("uakari") | {"registrant": "Uakari Society, mail to ana.silva@uakari.example"},
        note=frozenset({"registrant/personal-address"}),
    ),
    "an address that is none": Written(
        good("colobus") | {"registrant": "Colobus Society, mail to ana@ or urn@colobus.example"},
        must=frozenset({"contact_address/address"}),
        should=frozenset({"registrant/address"}),
        private={"contact_address": "ana@localhost"},
    ),
    "fast track of somebody else": Written(
        good("indri") | {"documentation": "Our papers."},
        should=frozenset({"registrant/organization-unnamed", "documentation/no-address"}),
        organization="Indri Union",
        procedure=Procedure.FAST_TRACK,
    ),
}


def codes(found: SubmissionCheck, severity: str) -> set[str]:
    return {f"{one.field}/{one.code}" for one in found if one.severity == severity}


def draft_of(office: Office, text: Written) -> int:
    at, registrant = office.clock(), office.people.registrant
    begins = factories.command(registrant, at)
    number = drafts.start(begins, FORMAL.id, text.procedure)
    saving = drafts.DraftInput(
        fields=dict(text.fields),
        private=dict(text.private),
        organization=text.organization,
        standard=text.standard,
        profile=write_profile(NamespaceProfile(title=text.title)),
    )
    drafts.save(factories.command(registrant, at, seen=1), number, saving)
    return number


def opened(office: Office, number: int) -> drafts.OpenDraft:
    with read_transaction():
        return drafts.open_draft(office.people.registrant, number, "2026-09-01")


@dataclass(frozen=True)
class Reader:
    """Somebody who reads pages; outside the test's context, where all are taken for the first."""

    visitor: Visitor

    def get(self, path: str) -> Page:
        page = Context().run(lambda: self.visitor.get(path))
        assert page.status == 200, (path, page.location, page.words)
        return page


def reader(office: Office, email: str = "") -> Reader:
    return Reader(Visitor(office.app, sign_in.enter_as(email, START).token if email else ""))


def told(page: Page, within: str) -> list[tuple[str, str]]:
    """The findings that a part of a page lists: the mark and the sentence of each."""
    found = []
    for one in page.each(f"{within}//p[@class='say'][span/strong]"):
        words = " ".join(one.findall("span")[0].text_content().split())
        mark = " ".join(one.xpath("string(span/strong)").split())
        found.append((SHAPES[one.xpath("string(span/strong/@class)")], words[len(mark) + 1 :]))
    return found


def plain(found: SubmissionCheck) -> list[tuple[str, str]]:
    return [(str(one.severity), " ".join(one.message.replace("`", "").split())) for one in found]


def at_fields(page: Page) -> dict[str, int]:
    """How many findings a page of the form shows at its fields, by their kind."""
    kinds = {"must": "error", "should": "say look", "note": "say note"}
    return {
        severity: len(page.each(f"//form[@data-autosave]//p[@class='{kind}']"))
        for severity, kind in kinds.items()
    }


@ONE_DATABASE
@pytest.mark.parametrize("name", TEXTS)
def test_every_place_that_shows_what_was_found_shows_and_counts_the_same(
    office: Office, name: str
) -> None:
    text = TEXTS[name]
    number = draft_of(office, text)
    writing = opened(office, number)
    found = writing.findings
    for severity in SHAPES.values():
        assert codes(found, severity) == getattr(text, severity), severity
    author = reader(office, "robin@org.example")
    look = author.get(f"/requests/{number}/check")
    for section in FormSection:
        own = found.of_fields({one.name for one in FORMAL.fields if one.section is section})
        page = author.get(f"/requests/{number}/edit/{section}?found=yes")
        for at in (page, look):
            words = at.text(f"//ol[@class='steps']//a[contains(@href, '/edit/{section}')]")
            assert (own.summary or "Complete") in words, (section, words)
        if writing.is_begun(section):
            counted = {one: len(codes_of(own, one)) for one in SHAPES.values()}
            assert at_fields(page) == counted, section
    assert told(look, "//main") == plain(found)
    assert ("Ready to submit" in look.words) is not bool(found.problems)
    assert ("may ask about" in look.words) is bool(found.looks)
    assert bool(look.each("//button[text()='Submit request']")) is not bool(found.problems)
    if found.problems:
        with pytest.raises(EvidenceMissing):
            factories.act(number, Action.SUBMIT, office.people.registrant, office.clock())
        return
    factories.act(number, Action.SUBMIT, office.people.registrant, office.clock())
    sent_is_found_the_same(office, number, found)


def codes_of(found: SubmissionCheck, severity: str) -> list[SubmissionFinding]:
    return [one for one in found if one.severity == severity]


def sent_is_found_the_same(office: Office, number: int, found: SubmissionCheck) -> None:
    path, summary = f"/requests/{number}", found.summary
    for email in ("", "robin@org.example", "odell@registry.example", "ellis@experts.example"):
        page = reader(office, email).get(path)
        assert summary in page.text("//aside//dl[dt='Checks']"), email
        assert told(page, "//section[@aria-labelledby='checks']") == plain(found), email
    factories.change_request(number, state=State.EXPERT_REVIEW)
    expert = reader(office, "ellis@experts.example")
    page = expert.get(f"/review/{number}")
    assert page.text("//h2[@id='checks']").startswith(f"Checks {summary}")
    assert page.text("//a[@href='#checks']").startswith(f"Checks: {summary}")
    assert told(page, "//section[@aria-labelledby='checks']") == plain(found)
    assert ("No findings" in page.words) is not bool(found)
    given: dict[str, Any] = {"verdict": Verdict.APPROVE, "iteration": 1}
    approve = (number, Action.REVIEW, office.people.expert, office.clock())
    if found.asks_approver:
        with pytest.raises(EvidenceMissing, match=r"(?i)give a reason"):
            factories.act(*approve, **given)
    else:
        factories.act(*approve, **given)


def test_a_template_by_itself_is_found_the_same_as_far_as_it_tells() -> None:
    """What is asked beside the template no text by itself is judged by."""
    for name, text in TEXTS.items():
        fields = dict(text.fields) | {"version": "1", "date": "2026-09-01"}
        if text.procedure is not Procedure.COMMUNITY or name == "empty":
            continue
        read = lint(decode_text(format_template(fields).encode()), study=study)
        beside = {"purpose/missing", "registrant/missing", "contact_address/address"}
        for severity in SHAPES.values():
            told_of = {f"{one.field}/{one.code}" for one in read if one.severity == severity}
            assert told_of == getattr(text, severity) - beside, (name, severity)
        lines = [one.line for one in read if one.code == "grammar-undefined"]
        written = format_template(fields).split("\n")
        assert all("DIGT" in written[line - 1] for line in lines)


@ONE_DATABASE
def test_the_workbench_says_of_a_grammar_what_the_request_says(office: Office) -> None:
    text = GRAMMAR.format("vervet", "vervet")
    number = draft_of(office, Written(good("vervet") | {"syntax": text}))
    with read_transaction():
        page = show_request(number, office.people.registrant, office.clock())
    alone = study(text, "vervet")
    assert [(one.message, one.line) for one in page.findings] == [
        (one.message, one.line) for one in alone.findings
    ]
    stranger = reader(office).visitor
    bench = stranger.post("/tools/syntax", {"q": text, "nid": "vervet"})
    assert all(
        " ".join(one.message.replace("`", "").split()) in bench.words for one in page.findings
    )


# A rule outside the Syntax section, a wrong example in Resolution, and six in Syntax.
SPREAD = {
    "syntax": 'name = "urn:{}:" number\n\nSuch as urn:{}:12, and also:\n\n'
    + "\n".join(f"urn:{{}}:x{place}" for place in range(6)),
    "resolution": "Ask the office for urn:{}:abc by mail, and for no other name.",
    "additional_information": "A number is:\n\nnumber = 1*DIGIT",
}


@ONE_DATABASE
def test_every_entrance_finds_the_same_in_a_grammar_and_tells_the_lines_of_its_text(
    office: Office, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = {name: text.replace("urn:bonobo:", "") for name, text in good("bonobo").items()}
    fields |= {name: text.replace("{}", "bonobo") for name, text in SPREAD.items()}
    number = draft_of(office, Written(fields))
    drafted = {
        (one.code, one.field, one.line)
        for one in opened(office, number).findings
        if one.code.startswith("grammar-")
    }
    inside = [("syntax", line) for line in (5, 6, 7, 8)]
    assert drafted == {("grammar-example", *place) for place in inside}
    text = format_template(fields | {"version": "1", "date": "2026-09-01"})
    file = tmp_path / "bonobo"
    file.write_text(text, encoding="utf-8")
    places = [at for at, line in enumerate(text.split("\n"), 1) if ":x" in line or ":abc" in line]
    more = spell_list([str(place) for place in places[4:]])
    rest = f"4 more examples don't match. Also on lines {more}."
    for command in (["template", "lint"], ["syntax", "check"]):
        main([*command, str(file)])
        lines = capsys.readouterr().out.splitlines()
        told = [one.removeprefix(f"{file}:") for one in lines if "'t match" in one]
        shown = [one for one in told if "The example" in one or "more examples" in one]
        assert [int(one.split(":")[0]) for one in shown] == places[:4], command
        assert rest in shown[-1]
        assert not any("used but not defined" in one for one in lines), "it is defined below"
    stranger = reader(office).visitor
    for path, given in (("/tools/template", {"text": text}), ("/tools/syntax", {"q": text})):
        page = stranger.post(path, given)
        assert rest in page.words, path
        assert "used but not defined" not in page.words, path
    panel = reader(office, "robin@org.example").get(f"/requests/{number}/edit/syntax?grammar=yes")
    bench = stranger.post("/tools/syntax", panel.form("/tools/syntax"))
    assert "4 more examples don't match." in bench.words
