"""What is sent for a name: in which form, by which tag it is known, and what is not made twice."""

from pathlib import Path

import pytest

from app.published.http.http_exchange import HttpAnswer, HttpRequest, split_target
from app.published.names import name_resolver
from app.published.plane import PublishedPlane
from app.resolution.judgement import Judgement, judge_text
from app.resolution.namespace_rules import RuleBook
from tests.published.name_rules import RULES
from tests.published.rules import bundle_of

HTML, JSON, PROBLEM = "text/html", "application/json", "application/problem+json"


def laid_out(folder: Path, edition: int = 1) -> PublishedPlane:
    """A copy that has read an edition with these rules."""
    folder.mkdir(exist_ok=True)
    bundle_of(RULES, edition=edition).lay_out(folder)
    return PublishedPlane(folder)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> PublishedPlane:
    return laid_out(tmp_path_factory.mktemp("answers"))


def ask(plane: PublishedPlane, target: str, **headers: str) -> HttpAnswer:
    """What a target is answered."""
    answer = plane.answer(HttpRequest("GET", target, *split_target("GET", target), headers))
    assert answer is not None
    return answer


def tag_of(plane: PublishedPlane, target: str, **headers: str) -> str:
    """The entity tag of what a target is answered."""
    return dict(ask(plane, target, **headers).headers)["ETag"]


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("", PROBLEM),
        ("*/*", PROBLEM),
        ("text/html", HTML),
        ("TEXT/HTML", HTML),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", HTML),
        ("text/html, application/problem+json", HTML),
        ("application/problem+json, text/html;q=0.9", PROBLEM),
        ("application/problem+json, text/html;q=0", PROBLEM),
        ("text/html;q=0, */*", PROBLEM),
        ("text/html;q=0", PROBLEM),
        ("application/json, text/html;q=0.1", PROBLEM),
        ("application/json;q=0.1, text/html", HTML),
        ("image/png", PROBLEM),
    ],
)
@pytest.mark.parametrize("target", ["/urn:exact:a", "/urn:nosuch:a", "/urn:a", "/uri-res/N2X?x"])
def test_weights_choose_between_the_page_and_the_document_of_a_refusal(
    copy: PublishedPlane, target: str, accept: str, media_type: str
) -> None:
    headers = {"accept": accept} if accept else {}
    told = dict(ask(copy, target, **headers).headers)
    assert told["Content-Type"].partition(";")[0] == media_type
    assert told["Vary"] == "Accept"


def test_an_entity_tag_is_of_edition_name_and_representation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planes = [laid_out(tmp_path / str(edition), edition) for edition in (1, 2)]
    monkeypatch.setattr("app.pages.site.name_pages.NamePages.page", lambda *_given: "a page")
    names = ("/names/urn:lead:a", "/names/urn:lead:b", "/names/urn:none:a")
    tags = [
        tag_of(plane, name, accept=accept)
        for plane in planes
        for name in names
        for accept in (HTML, JSON)
    ]
    assert len({*tags}) == len(tags), "though all pages are the same text"
    again = laid_out(tmp_path / "again", 2)
    assert tag_of(again, names[0], accept=HTML) == tag_of(planes[1], names[0], accept=HTML)


def test_a_list_of_rfc_2169_has_a_tag_of_its_edition(tmp_path: Path) -> None:
    planes = [laid_out(tmp_path / str(edition), edition) for edition in (1, 2)]
    asked = "/uri-res/N2Ls?urn:lead:a"
    assert tag_of(planes[0], asked) != tag_of(planes[1], asked)


def test_a_name_that_was_led_on_twice_is_not_judged_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plane, judged = laid_out(tmp_path), list[str]()

    def watched(text: str, book: RuleBook) -> Judgement:
        judged.append(text)
        return judge_text(text, book)

    monkeypatch.setattr(name_resolver, "judge_text", watched)
    # with a component, since what is as plain as most names is led on without a judgement
    for name in ("urn:lead:a?=q", "urn:none:a?=q"):
        _, second = ask(plane, f"/{name}"), ask(plane, f"/{name}")
        assert ask(plane, f"/{name}") is second, "the answer that is known"
    assert judged == ["urn:lead:a?=q"] * 2 + ["urn:none:a?=q"] * 2
    for accept in (HTML, JSON) * 3:  # what the asker likes has a say in it
        told = dict(ask(plane, "/urn:typed:a?=q", accept=accept).headers)
        assert told["Location"].startswith(f"https://typed.example/{_WAYS[accept]}/")
    assert judged[4:] == ["urn:typed:a?=q"] * 4


_WAYS = {HTML: "en", JSON: "data"}
