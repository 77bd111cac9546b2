"""One judge of names: a NID gets the same verdict, codes and words at every entrance."""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.commands.shell import DONE, FOUND, MISUSED
from app.registration.declarations.registries import FORMAL, INFORMAL
from app.registration.templates.template_writer import format_template
from app.services.accounts import rate_limits
from app.services.mail import incoming_mail
from app.services.registry.snapshots import taken_index
from app.services.requests import drafts
from app.store.database import read_transaction
from app.store.requests import request_rows
from tests import factories
from tests.services.test_ingesting import MX, letter
from tests.web.conftest import EMAILS, World
from tests.web.visitor import Page, Visitor

FIELD = "namespace_identifier"
ROBIN = EMAILS["registrant"]

# A name as someone types it -> the name that is judged. `quokka` is registered here, not at IANA.
NAMES: Mapping[str, str] = {
    "herbaria": "herbaria",
    "Herbaria": "Herbaria",
    "  herbaria  ": "herbaria",
    "\therbaria": "herbaria",
    "herbaria\N{NO-BREAK SPACE}": "herbaria",
    "urn:herbaria": "herbaria",
    "URN:herbaria:": "herbaria",
    "herbaria:": "herbaria",
    "urn:herbaria:sheet:1": "herbaria",
    "quokka": "quokka",
    "urn:QUOKKA:": "QUOKKA",
    "isbn": "isbn",
    "ISBN": "ISBN",
    "ad-id": "ad-id",
    "d0i": "d0i",
    "gbr": "gbr",
    "": "",
    "a": "a",
    "ab": "ab",
    "x" * 32: "x" * 32,
    "x" * 33: "x" * 33,
    "-abc": "-abc",
    "abc-": "abc-",
    "foo_bar": "foo_bar",
    "a/b": "a/b",
    "für": "für",
    "her\N{SOFT HYPHEN}baria": "her\N{SOFT HYPHEN}baria",
    "urn": "urn",
    "urn:": "urn",
    "urn-quokka": "urn-quokka",
    "uk-mail": "uk-mail",
    "xn--abc": "xn--abc",
    "x-abc": "x-abc",
    "foo:bar": "foo:bar",
}


@dataclass(frozen=True)
class Verdict:
    """What an entrance says of a name; pages show no codes."""

    is_valid: bool
    sentences: frozenset[str]
    codes: frozenset[str] | None = None


@dataclass(frozen=True)
class Site:
    """A world with someone who writes requests, and the commands with its database."""

    world: World
    robin: Visitor
    folder: Path


def plain(text: str) -> str:
    return " ".join(text.replace("`", "").split())


def template(name: str) -> str:
    """A template as a text, with the name as it was typed."""
    whole = factories.template(namespace_identifier="PLACE", date="2026-09-01", version="1")
    return format_template(whole).replace("PLACE", name)


# ---- what each entrance says


def at_field(page: Page) -> Verdict:
    """What the form's field says, without the source behind each sentence."""
    said = f"//*[@data-told='{FIELD}']//p[@class='{{}}']/span"
    wrong, looks = (_sentences(page, said.format(kind)) for kind in ("error", "say look"))
    return Verdict(not wrong, wrong | looks)


def _sentences(page: Page, within: str) -> frozenset[str]:
    texts = set()
    for one in page.each(within):
        for beside in one.xpath("*[contains(@class, 'vh') or contains(@class, 'source')]"):
            beside.text = ""
        texts.add(plain(one.text_content()))
    return frozenset(texts)


def of_draft(site: Site, number: int) -> Verdict:
    """What the form and the check page show of a draft, which is thrown away then."""
    page = site.robin.get(f"/requests/{number}/edit/name-and-purpose?found=yes")
    shown = at_field(page)
    with site.world.app.app_context():
        actor = factories.person(ROBIN, site.world.app.extensions["now"](), name="Robin")
        with read_transaction():
            found = drafts.open_draft(actor, number, "2026-09-01").findings
        own = [one for one in found if one.field == FIELD]
        look = site.robin.get(f"/requests/{number}/check")
        assert all(plain(one.message) in look.words for one in own)
        drafts.discard(actor, number)
    assert shown.sentences == {plain(one.message) for one in own}
    return Verdict(shown.is_valid, shown.sentences, frozenset(one.code for one in own))


def in_form(site: Site, name: str) -> Verdict:
    started = site.robin.post("/requests/new", {"registry": FORMAL.id, "key": factories.key()})
    number = int(started.location.split("/")[2])
    path = f"/requests/{number}/edit/name-and-purpose"
    given = {FIELD: name, "purpose": "Names of herbaria.", "title": "Herbaria", "standard": "no"}
    sent = {"key": factories.key(), "lock_version": "1", **given}
    page = site.robin.post(path, sent)
    shown = of_draft(site, number)
    assert (page.status, at_field(page) if page.status == 422 else shown.is_valid) in (
        (303, True),
        (422, Verdict(shown.is_valid, shown.sentences)),
    )
    return shown


def in_pasted_template(site: Site, name: str) -> Verdict:
    given = {"text": template(name), "registry": FORMAL.id, "key": factories.key()}
    page = site.robin.post("/requests/new/template", given)
    assert page.status == 303, page.words[:300]
    return of_draft(site, int(page.location.split("/")[2]))


def in_uploaded_template(site: Site, name: str) -> Verdict:
    file = (io.BytesIO(template(name).encode()), "template.txt")
    given = {"file": file, "registry": FORMAL.id, "key": factories.key()}
    page = site.robin.post("/requests/new/template", given)
    return of_draft(site, int(page.location.split("/")[2]))


def in_mailed_template(site: Site, name: str) -> Verdict:
    raw = letter(ROBIN, template(name))
    with site.world.app.app_context():
        at = site.world.app.extensions["now"]()
        filed = incoming_mail.ingest(raw, at, factories.policy("s"), authserv_id=MX)
    assert filed.request is not None, filed
    return of_draft(site, filed.request)


def on_template_page(site: Site, name: str) -> Verdict:
    """The page shows all that's found in a template: the sentences are looked for in it."""
    page = site.robin.post("/tools/template", {"text": template(name)})
    wrong = " ".join(_words(page, "problem"))
    looks = " ".join(_words(page, "look"))
    expected = judged(site, name)
    said = {one for one in expected.sentences if one in f"{wrong} {looks}"}
    return Verdict(not any(one in wrong for one in expected.sentences), frozenset(said))


def _words(page: Page, kind: str) -> Iterator[str]:
    for one in page.each(f"//main//p[contains(@class, 'say {kind}')]"):
        yield plain(one.text_content())


def on_name_page(site: Site, name: str) -> Verdict:
    page = site.robin.get("/tools/nid", query_string={"q": name})
    findings = "//ul[@aria-label='NIDs']//p[contains(@class, 'say')]/span"
    sentences = set()
    for one in page.each(findings):
        one.xpath("*[@class='small muted']")[0].text = ""
        sentences.add(plain(one.text_content()))
    can_be = bool(page.each("//a[@href='/requests/new' and contains(@class, 'btn')]"))
    return Verdict(can_be, frozenset(sentences))


def by_name_command(site: Site, name: str) -> Verdict:
    (report,), code = run("nid", "check", "--", name)
    assert (report["input"], code == DONE) == (name, report["valid"])
    found = [*report["problems"], *report["advisories"]]
    return Verdict(report["valid"], *_said(found))


def by_template_command(site: Site, name: str) -> Verdict:
    file = site.folder / "template.txt"
    file.write_text(template(name), "utf-8")
    reports, _ = run("template", "lint", "--json", "--kind", "formal", str(file))
    found = [
        one for one in reports if one["field"] == FIELD and one["severity"] in ("must", "should")
    ]
    return Verdict(not any(one["is_problem"] for one in found), *_said(found))


def _said(found: Sequence[Mapping[str, Any]]) -> tuple[frozenset[str], frozenset[str]]:
    return (
        frozenset(plain(one["message"]) for one in found),
        frozenset(one["code"] for one in found),
    )


def run(*arguments: str) -> tuple[list[dict[str, Any]], int]:
    out = io.StringIO()
    with redirect_stdout(out):
        code = main([*arguments])
    assert code in (DONE, FOUND)
    return [json.loads(line) for line in out.getvalue().splitlines()], code


Entrance = Callable[[Site, str], Verdict]

# A new entrance is a line here.
ENTRANCES: Mapping[str, Entrance] = {
    "the form and its check page": in_form,
    "a pasted template": in_pasted_template,
    "an uploaded template": in_uploaded_template,
    "a mailed template": in_mailed_template,
    "/tools/template": on_template_page,
    "/tools/nid": on_name_page,
    "nid check": by_name_command,
    "template lint": by_template_command,
}


# ---- the tests


@pytest.fixture
def site(fresh: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Site:
    url = fresh.app.extensions["settings"].database_url
    monkeypatch.setenv("URN_REGISTRY_DATABASE_URL", url.replace("+psycopg", ""))
    monkeypatch.setenv("URN_REGISTRY_DATA_DIR", str(tmp_path / "data"))
    for what, limit in rate_limits.LIMITS.items():
        monkeypatch.setitem(rate_limits.LIMITS, what, replace(limit, most=10_000))
    monkeypatch.setattr(incoming_mail, "MOST_AN_HOUR", 10_000)
    return Site(fresh, fresh.visitor("registrant"), tmp_path)


def judged(site: Site, name: str) -> Verdict:
    """The verdict of the rules themselves, with the names that are taken here."""
    with site.world.app.app_context(), read_transaction():
        report = FORMAL.check(NAMES[name], taken_index(FORMAL.space))
    found = (*report.problems, *report.advisories)
    return Verdict(
        not report.problems,
        frozenset(plain(one.message) for one in found),
        frozenset(one.code for one in found),
    )


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_a_name_is_judged_alike_at_every_entrance(site: Site, entrance: str) -> None:
    differing = {}
    for name in NAMES:
        if entrance == "/tools/nid" and not name:
            continue  # there nothing is asked
        expected, said = judged(site, name), ENTRANCES[entrance](site, name)
        codes = expected.codes if said.codes is None else said.codes
        if (said.is_valid, said.sentences, codes) != (
            expected.is_valid,
            expected.sentences,
            expected.codes,
        ):
            differing[name] = (expected, said)
    assert not differing


def test_blanks_within_a_name_are_refused_where_one_name_is_asked_for(site: Site) -> None:
    message = "Character 4 is a space, which isn't allowed. Use letters, digits and hyphens."
    for entrance in ENTRANCES:
        if entrance not in ("/tools/nid", "/tools/template"):  # a list, and checked above
            said = ENTRANCES[entrance](site, "foo bar")
            assert said.sentences == frozenset([message]), entrance
            assert not said.is_valid, entrance


@pytest.mark.parametrize("identifier", ["urn-77", "To be assigned by IANA"])
def test_a_mailed_template_for_a_number_becomes_an_informal_request(
    site: Site, identifier: str
) -> None:
    with site.world.app.app_context():
        at = site.world.app.extensions["now"]()
        raw = letter(ROBIN, template(identifier))
        filed = incoming_mail.ingest(raw, at, factories.policy("s"), authserv_id=MX)
        with read_transaction():
            request = request_rows.find_request(filed.request or 0)
            assert request is not None
            assert request.registry_id == INFORMAL.id


@pytest.mark.parametrize("command", ["nid", "urn", "template"])
def test_commands_judge_by_the_configured_registry_or_by_the_bundled_one(
    site: Site, command: str
) -> None:
    file = site.folder / "template.txt"
    file.write_text(template("quokka"), "utf-8")
    arguments = {
        "nid": ("nid", "check", "quokka"),
        "urn": ("urn", "check", "urn:quokka:1"),
        "template": ("template", "lint", "--json", "--kind", "formal", str(file)),
    }[command]

    def is_known(*options: str) -> bool:
        text = json.dumps(run(*arguments[:2], *options, *arguments[2:])[0])
        return '"urn": true' in text or "is already registered" in text

    assert is_known()
    assert not is_known("--bundled")
    names = site.folder / "names"
    names.write_text("isbn", "utf-8")
    assert not is_known("--registered", str(names))


def test_commands_fail_if_the_configured_registry_cannot_be_read(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = site.folder / "empty.sqlite3"
    empty.touch()
    away = (f"sqlite:///{empty}", f"sqlite:///{site.folder}/none.sqlite3")
    for url in (*away, "postgresql://nobody@127.0.0.1:1/none"):
        monkeypatch.setenv("URN_REGISTRY_DATABASE_URL", url)
        for command in (("nid", "check", "herbaria"), ("urn", "check", "urn:isbn:1")):
            assert main([*command]) == MISUSED, url
            words = capsys.readouterr()
            assert (words.out, "can't be read" in words.err) == ("", True), url
            assert main([*command, "--bundled"]) in (DONE, FOUND)
            capsys.readouterr()
    assert not (site.folder / "none.sqlite3").exists()
    monkeypatch.delenv("URN_REGISTRY_DATABASE_URL")
    monkeypatch.setenv("URN_REGISTRY_DATA_DIR", str(site.folder / "none"))
    assert main(["nid", "check", "herbaria"]) == DONE
