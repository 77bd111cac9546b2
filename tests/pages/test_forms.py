"""Any field of a form is drawn from its declaration, and gives back what was typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, FileSystemLoader

from app.identifiers.errors import Finding
from app.pages.assets import static_link
from app.pages.site.chrome import Chrome, configure_environment
from app.registration.declarations.registries import FORMAL, Field, Requirement, Widget
from tests.pages.conftest import TEMPLATES
from tests.pages.seen import Page
from tests.pages.test_site import HOSTILE

_ENVIRONMENT = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True)
configure_environment(_ENVIRONMENT)


def _drawn(expression: str, **values: object) -> Page:
    macros = "field, line, text, choice"
    parts = "copy, csrf, error_summary, facts, say, status, tag, urn"
    source = f'{{% from "_field.html" import {macros} %}}{{% from "_parts.html" import {parts} %}}'
    return Page(_ENVIRONMENT.from_string(source + expression).render(values))


def _field(declaration: Field, **values: object) -> Page:
    given = ", ".join(f"{name}={name}" for name in values)
    return _drawn(f"{{{{ field(declaration, {given}) }}}}", declaration=declaration, **values)


def _control(page: Page) -> dict[str, str]:
    return next(given for tag, given in page.elements if tag in {"input", "textarea"})


@pytest.mark.parametrize("name", FORMAL.named)
def test_every_field_has_a_label_its_help_and_its_guidance(name: str) -> None:
    declaration = FORMAL.named[name]
    page = _field(declaration)
    assert declaration.label in page.words
    assert declaration.help in page.words
    assert all(hint.text in page.words for hint in declaration.hints)
    assert ("(optional)" in page.words) == (
        declaration.required is Requirement.NEVER and declaration.widget is not Widget.FILLED_IN
    )
    if declaration.widget is not Widget.FILLED_IN:
        control = _control(page)
        assert (control["id"], control["name"]) == (name, name)
        assert page.values("for", "label") == [name]
        assert control["aria-describedby"] == f"{name}_hint"
        assert "aria-invalid" not in control


def test_problems_and_advisories_are_described_before_the_help() -> None:
    problem = Finding("hyphen", "`un-a` begins with two letters.", "RFC 8141 section 5.1")
    page = _field(FORMAL.named["purpose"], problems=[problem, "Enter <it>."], advisories=["Look."])
    control = _control(page)
    ids = control["aria-describedby"].split()
    assert ids == ["purpose_error_1", "purpose_error_2", "purpose_look_1", "purpose_hint"]
    assert set(ids) <= set(page.values("id"))
    assert control["aria-invalid"] == "true"
    assert "Error: un-a begins with two letters. RFC 8141 section 5.1" in page.words
    assert "Error: Enter <it>. Warning: Look." in page.words
    assert ("div", {"class": "field bad"}) in page.elements


def test_an_advisory_alone_is_no_mistake() -> None:
    page = _field(FORMAL.named["purpose"], advisories=["Look."])
    assert "aria-invalid" not in _control(page)
    assert ("div", {"class": "field"}) in page.elements


def test_the_name_is_asked_for_after_its_scheme_and_not_corrected_by_the_browser() -> None:
    page = _field(FORMAL.named["namespace_identifier"], value="alpha")
    control = _control(page)
    assert page.words.index("urn:") < page.words.index("Points that experts")
    assert (control["autocapitalize"], control["spellcheck"]) == ("none", "false")
    assert control["value"] == "alpha"


def test_what_the_software_fills_in_is_not_asked_for() -> None:
    page = _field(FORMAL.named["version"], value="2")
    assert not {"input", "textarea"} & {tag for tag, _ in page.elements}
    assert "Filled in for you. 2" in page.words


def test_guidance_tells_the_words_that_were_found() -> None:
    hint, other, *_ = FORMAL.named["purpose"].hints
    page = _field(FORMAL.named["purpose"], found={hint.text: "boxes & <bags>", other.text: ""})
    assert f"{hint.text}: boxes & <bags>" in page.words
    assert f"{other.text}: Nothing found yet" in page.words
    assert "Found by a word search" in page.words
    assert "Nothing found yet" not in _field(FORMAL.named["purpose"]).words


@given(st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"])))
def test_what_was_typed_is_given_back_unchanged(value: str) -> None:
    line = _control(_field(FORMAL.named["contact_name"], value=value))
    assert line["value"] == value
    html = str(_ENVIRONMENT.from_string(_TEXTAREA).render(declaration=_PURPOSE, value=value))
    typed = html.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]
    assert Page(typed).text.removeprefix("\n") == value


_PURPOSE = FORMAL.named["purpose"]
_TEXTAREA = '{% from "_field.html" import field %}{{ field(declaration, value) }}'


def test_hostile_values_stay_values() -> None:
    page = _field(FORMAL.named["purpose"], value=HOSTILE, problems=[HOSTILE], advisories=[HOSTILE])
    assert "script" not in {tag for tag, _ in page.elements}


def test_a_choice_is_a_group_with_a_legend() -> None:
    page = _drawn(
        "{{ choice('std', 'A standard?', options, 'no', 'A hint.', ['Choose one.']) }}",
        options=[("no", "No", ""), ("yes", "Yes", "In the IETF.")],
    )
    radios = [given for tag, given in page.elements if tag == "input"]
    assert [(given["value"], "checked" in given) for given in radios] == [
        ("no", True),
        ("yes", False),
    ]
    assert page.values("for", "label") == [given["id"] for given in radios]
    assert page.values("aria-describedby", "fieldset") == ["std_error_1 std_hint"]
    assert "A standard? A hint. Error: Choose one. No Yes" in page.words


def test_lines_and_texts_without_a_declaration_are_drawn_alike() -> None:
    line = _control(_drawn("{{ line('email', 'Your address', 'a@b', type='email') }}"))
    assert (line["type"], line["value"], line["autocomplete"]) == ("email", "a@b", "email")
    assert "aria-describedby" not in line
    page = _drawn("{{ text('reason', 'Reason', 'Because', 'Why?', ['Say more.'], rows=3) }}")
    assert _control(page)["aria-describedby"] == "reason_error_1 reason_hint"
    assert "Because" in page.text


def test_the_summary_links_each_problem_to_its_field() -> None:
    page = _drawn("{{ error_summary(problems) }}", problems=[("purpose", "Enter `it`.")])
    assert page.values("href", "a") == ["#purpose"]
    assert "There is a problem Enter it." in page.words
    two = _drawn("{{ error_summary(problems) }}", problems=[("a", "A."), ("b", "B.")])
    assert "There are 2 problems" in two.words
    assert _drawn("{{ error_summary([]) }}").words == ""


def test_a_form_carries_its_token_where_there_is_one() -> None:
    page = _drawn("{{ csrf(chrome) }}", chrome=Chrome(csrf_token="t"))
    assert _control(page) == {"type": "hidden", "name": "csrf_token", "value": "t"}
    assert _drawn("{{ csrf(chrome) }}", chrome=Chrome()).elements == []


@pytest.mark.parametrize("kind", ["problem", "look", "ok", "wait", "open"])
def test_a_status_is_shape_word_and_colour(kind: str) -> None:
    page = _drawn("{{ tag(kind, 'Word') }}{{ say(kind, 'A `name`.', 'RFC 1') }}", kind=kind)
    shape = "clock" if kind == "wait" else kind
    assert page.values("href", "use") == [f"{static_link('icons.svg')}#{shape}"] * 2
    assert page.words == "Word A name. RFC 1"
    called = _drawn("{% call status(kind, 'First.') %}Then.{% endcall %}", kind=kind)
    assert called.words == "First. Then."


def test_facts_leave_out_what_is_empty() -> None:
    page = _drawn("{{ facts([('A', 'a'), ('B', ''), ('C', 1)]) }}")
    assert page.words == "A a C 1"
    assert _drawn("{{ urn('isbn') }}").text == "urn:isbn:"
