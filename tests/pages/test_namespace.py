"""What a namespace's page says beyond its record: examples, components, citation, code, past."""

import json
import re
from dataclasses import replace

import pytest
import segno

from app.pages.diagrams.qr_code import QUIET, draw_qr_code
from app.pages.namespaces.template_summary import components_in, examples_in
from app.pages.namespaces.timeline import HistoryRow, NameHistoryView, VersionLink
from app.pages.site.chrome import Chrome
from app.pages.site.published_site import Site
from app.pages.text.template_diff import DiffKind, DiffSegment, difference
from app.registration.records.registry_records import Registration, RegistrySnapshot
from tests.pages.seen import Page
from tests.pages.snapshots import SMALL

HOME = Chrome(canonical="https://registry.example")


def told(**fields: str) -> Registration:
    record = SMALL.registries[0].records[1]
    return replace(record, fields=(*record.fields[:4], *fields.items()))


def page_of(site: Site, record: Registration, chrome: Chrome = HOME) -> str:
    table = replace(SMALL.registries[0], records=(record,))
    return site.namespace(replace(SMALL, registries=(table,)), record, chrome)


def test_examples_are_the_templates_own_and_urns_of_this_namespace() -> None:
    record = told(
        purpose="As in urn:alpha:9.",
        syntax="Such as (urn:alpha:a/b?=page=2#top), URN:ALPHA:x; not urn:beta:1 or urn:alpha:%zz, "
        "nor `urn:alpha:{id}` or urn:alpha:.",
    )
    assert examples_in(record) == ("urn:alpha:a/b?=page=2#top", "URN:ALPHA:x", "urn:alpha:9")
    many = "Examples: " + " ".join(f"urn:alpha:{n}" for n in range(9))
    assert examples_in(told(syntax=many))[-1] == "urn:alpha:4"
    assert examples_in(Registration(name="alpha")) == ()


@pytest.mark.parametrize(
    ("syntax", "found"),
    [
        ("All begin with urn:alpha:x.", ()),
        ("urn:alpha:x, for example urn:alpha:y", ("urn:alpha:y",)),
        ("Examples:\n\n   urn:alpha:1\n\n   urn:alpha:2\n\nAnd now urn:alpha:3.", "123"),
        ("Examples:\n\nThey come later.\n\nIt is urn:alpha:3.", ()),
        ("A guideline could be, for example:\n\n> urn:alpha:1 \n\nOf these some stay.", "1"),
        ("For example, the namespace urn:alpha:tags has tags.", ()),
        ('For example, all outside of the "urn:alpha:tags" namespace.', ()),
        ('An authority is given names, e.g. under "urn:alpha:shib," or another.', ()),
        ("Such as urn:alpha:id: and what follows, urn:alpha:id- or urn:alpha:<id>.", ()),
        ("Examples of such are not valid: no urn:alpha:1.", "1"),
        ("An example that is not urn:alpha:1, but urn:alpha:2.", ()),
    ],
)
def test_an_example_is_one_that_the_text_calls_so(
    syntax: str, found: str | tuple[str, ...]
) -> None:
    names = tuple(f"urn:alpha:{one}" for one in found) if isinstance(found, str) else found
    assert examples_in(told(syntax=syntax)) == names


@pytest.mark.parametrize(
    ("texts", "fields"),
    [
        ({}, ["", "", ""]),
        ({"syntax": "The r-component is passed on."}, ["syntax", "", ""]),
        ({"resolution": "No q- or f-components."}, ["", "resolution", "resolution"]),
        ({"syntax": "r-, q-, and F-Components"}, ["syntax", "syntax", "syntax"]),
        ({"syntax": "or-component, f-stop, q-ary"}, ["", "", ""]),
        ({"purpose": "r-component"}, ["", "", ""]),
    ],
)
def test_semantics_are_undefined_unless_syntax_or_resolution_speak_of_them(
    texts: dict[str, str], fields: list[str]
) -> None:
    assert [one.field for one in components_in(told(**texts))] == fields


def test_the_page_links_to_what_describes_a_component(site: Site) -> None:
    html = page_of(site, told(resolution="The q-component is a page."))
    page = Page(html)
    silent = "not mentioned in the template"
    told_of_each = f"r-component: {silent}; q-component: see Resolution; f-component: {silent}"
    assert told_of_each in page.words
    assert "#statement_resolution" in page.values("href", "a")
    assert "statement_resolution" in page.values("id")
    assert page.words.count("from the registrant") == 2


def test_a_registration_is_cited_with_its_edition_and_day(site: Site) -> None:
    words = Page(page_of(site, told())).words
    assert (
        "urn:alpha:, a formal URN namespace. Registered 2021-03-04. Changed 2024-05-06. "
        "Template version 2. In: Small Registry, edition 7 (2024-05-06). "
        "https://registry.example/namespaces/alpha" in words
    )
    assert "@misc{alpha-7, title = {{urn:alpha:, a formal URN namespace}}" in words
    assert "year = {2021}" in words
    number = SMALL.registries[1].records[0]
    assert ", an informal URN namespace." in Page(site.namespace(SMALL, number, HOME)).words


def test_what_tex_takes_for_a_command_is_escaped(site: Site) -> None:
    table = replace(SMALL.registries[0], records=(told(),))
    odd = replace(SMALL, title=r"50% \input{x} & $y$", registries=(table,))
    words = Page(site.namespace(odd, told(), HOME)).words
    assert r"howpublished = {50\% \textbackslash{}input\{x\} \& \$y\$, edition 7" in words


def test_the_code_holds_the_pages_address() -> None:
    address = "https://registry.example/namespaces/alpha"
    code = draw_qr_code(address)
    rows = [bytes(row) for row in segno.make(address, error="m", micro=False, mask=3).matrix]
    dark = {
        (x, int(y))
        for at, y, run in re.findall(r"M(\d+) (\d+)h(\d+)v1H\1z", code.path)
        for x in range(int(at), int(at) + int(run))
    }
    assert code.size == len(rows) + 2 * QUIET
    assert dark == {
        (x + QUIET, y + QUIET) for y, row in enumerate(rows) for x, bit in enumerate(row) if bit
    }


def test_a_page_without_an_address_has_neither_code_nor_data(site: Site) -> None:
    html = page_of(site, told(), Chrome())
    assert "ld+json" not in html
    assert "QR code" not in html


def test_pages_tell_programs_what_they_are_about(site: Site) -> None:
    pages = dict(site.pages(SMALL, HOME))
    kinds = {"/namespaces/alpha": "DefinedTerm", "/assignments/urn-namespaces/": "Dataset"}
    for path, kind in kinds.items():
        (text,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', pages[path])
        data = json.loads(text)
        assert data["@type"] == kind
        assert data["url"] == f"https://registry.example{path}"


def test_what_a_registrant_wrote_cannot_end_the_data(site: Site) -> None:
    html = page_of(site, told(purpose="</script><script>alert(1)</script>"))
    assert "<script>alert" not in html


def test_versions_lead_to_their_changes_and_the_history_tells_cause_and_reason(site: Site) -> None:
    page = "/namespaces/alpha"
    past = NameHistoryView(
        versions=(
            VersionLink(
                2, "/namespaces/alpha", "2024-05-06", True, "/namespaces/alpha/versions/2/diff"
            ),
            VersionLink(1, "/namespaces/alpha/versions/1", "2021-03-04"),
        ),
        history=(
            HistoryRow(
                *(3, 7, "2024-05-06", "correction", "A draft became an RFC.", "/editions/7"),
                changes="Reference `draft-a` became RFC 1.",
            ),
            HistoryRow(2, 5, "2023-05-06", "registration"),
        ),
    )
    shown = Page(dict(site.pages(SMALL, HOME, {"alpha": past}))[page])
    assert (
        "Template version 2 6 May 2024 Changes in version 2 "
        "Entry corrected 6 May 2024 edition 7 "
        "A draft became an RFC. Reference draft-a became RFC 1. "
        "Registered 6 May 2023 edition 5 Template version 1 4 March 2021"
    ) in shown.words
    assert {f"{page}/versions/2/diff", "/editions/7"} <= set(shown.values("href", "a"))


def pieces(old: str, new: str) -> tuple[DiffSegment, ...]:
    """What became of a text."""
    (field,) = difference({"purpose": old}, {"purpose": new}).changed
    return field.pieces


def test_every_word_of_both_texts_is_in_a_difference() -> None:
    old, new = "One two three four.\nSame line.\nGone.\n", "One 2 three four.\nSame line.\n  New.\n"
    found = pieces(old, new)
    assert "".join(p.text for p in found if p.kind is not DiffKind.ADDED) == old.rstrip()
    assert "".join(p.text for p in found if p.kind is not DiffKind.REMOVED) == new.rstrip()
    assert tuple(
        next(p.text for p in found if p.kind is kind) for kind in (DiffKind.REMOVED, DiffKind.ADDED)
    ) == ("two ", "2 ")
    assert [p.text for p in pieces("To name books.", "It names maps.")] == [
        "To name books.",
        "It names maps.",
    ]
    long = pieces("a " * 30_000, "b " * 30_000)
    assert [p.kind for p in long] == [DiffKind.REMOVED, DiffKind.ADDED]


def test_a_difference_names_the_fields_that_are_the_same() -> None:
    found = difference({"purpose": "a", "syntax": "b"}, {"purpose": "a", "odd_field": "c"})
    assert [field.label for field in found.changed] == ["Syntax", "Odd field"]
    assert found.same == ("Purpose",)


def test_a_difference_is_shown_with_its_words_escaped(site: Site) -> None:
    old, new = told(syntax="A <i>old</i> text"), told(syntax="A <i>new</i> text")
    table = replace(SMALL.registries[0], records=(new,))
    small = replace(SMALL, registries=(table,))
    html = site.difference(small, HOME, old, new, (1, 2), newest=2)
    assert "removed: &lt;i&gt;old&lt;/i&gt;" in html.replace("</span>", "").replace(
        '<span class="vh">', ""
    )
    assert "Unchanged: Namespace Identifier, Version, Date, Purpose." in Page(html).words


def with_text(text: str) -> RegistrySnapshot:
    """The small registry, in which the template of alpha came as a whole."""
    formal, informal = SMALL.registries
    records = tuple(
        replace(r, fields=(), text=text) if r.name == "alpha" else r for r in formal.records
    )
    return replace(SMALL, registries=(replace(formal, records=records), informal))


def test_a_template_that_came_as_a_whole_is_shown_by_its_sections(site: Site) -> None:
    text = (
        "Namespace ID: alpha\n\nVersion: 3\n\nRegistrant:\n\n   Name:  Alpha Society\n"
        "   Address: 1 Quokka Road\n\nSyntax:\n\n   E.g. urn:alpha:7 <id> is one; q-components are"
        " ignored.\n\nResolution:\n\n   None.\n"
    )
    shown = Page(dict(site.pages(with_text(text), HOME))["/namespaces/alpha"])
    assert "Registrant Alpha Society See the template" in shown.words
    assert "urn:alpha:7 <id> is one; q-components are ignored." in shown.words
    assert "NSS 7 Source: the template." in shown.words
    assert "Version 3" in shown.words
    assert "original plain text" in shown.words
    assert "/assignments/urn-formal/alpha" in shown.values("href", "a")
    assert {"statement_registrant", "statement_syntax", "statement_resolution"} <= set(
        shown.values("id")
    )
    assert "q-component: see Syntax" in shown.words
    assert "Resolution See the registrant’s description." in shown.words


def test_a_text_without_a_section_is_shown_word_for_word(site: Site) -> None:
    text = "The names are, for example:\n\n   urn:alpha:7 <id> is one; q-components are ignored.\n"
    shown = Page(dict(site.pages(with_text(text), HOME))["/namespaces/alpha"])
    assert " ".join(text.split()) in shown.words
    assert "NSS 7 Source: the template." in shown.words
    assert "q-component: see the template" in shown.words
    assert "has no copy of the template" not in shown.words
