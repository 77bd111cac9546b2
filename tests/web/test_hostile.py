"""Every field, path and query takes every string: no surprise, and the same on both databases."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import pytest

from app.registration.declarations import FORMAL, Section
from app.web.forms import asked
from app.workflow.reviews import QUESTIONS
from tests.web.conftest import World
from tests.web.corpus import ALL, CORE

FORM_PAGES = [Section.NAME_AND_PURPOSE, Section.REGISTRANT, Section.SYNTAX]
KEYED = ("key", "lock_version")


class Form(NamedTuple):
    """A form, who fills it in, where it is, where it goes, and what somebody can write there."""

    who: str
    page: str
    action: str
    names: tuple[str, ...]


def _here(who: str, page: str, *names: str) -> Form:
    return Form(who, page, page, names)


def _section(section: Section) -> Form:
    names = (field.name for field in asked(section, FORMAL))
    page = f"/requests/{{draft}}/edit/{section}"
    return _here("registrant", page, *names, "standard", "organization", "then", *KEYED)


FORMS = [
    *map(_section, FORM_PAGES),
    _here("registrant", "/requests/new", "registry", "key", "csrf_token"),
    _here("registrant", "/requests/{draft}/check", "sending", "reason", *KEYED),
    Form("operator", "/requests/{checked}", "/requests/{checked}/return", ("reason", *KEYED)),
    _here(
        *("expert", "/review/{reviewed}", "verdict", "reason", "iteration"),
        *(question.key for question in QUESTIONS),
        *KEYED,
    ),
    _here("operator", "/desk/{approved}/register", "reference", "label", "then", *KEYED),
    _here("stranger", "/sign-in", "email", "next", "kept"),
    Form("stranger", "/sign-in", "/demo/sign-in/0", ("next", "kept")),
]

ADDRESSES = [
    *("/namespaces/{}", "/assignments/urn-formal/{}", "/sign-in/{}", "/static/{}", "/{}"),
    *("/requests/{}", "/requests/4/iterations/{}", "/requests/1/edit/{}", "/review/{}"),
]
QUERIES = [
    *("/?q={}", "/assignments/urn-namespaces/?q={}&sort={}&order={}", "/sign-in?next={}"),
    *("/desk/6/register?reference={}&label={}", "/requests/1/edit/syntax?preview={}"),
]

Asked = tuple[str, str, str, int]


def filled(form: Form) -> Iterator[tuple[dict[str, str], str]]:
    """What is sent: strings of the core into each field, some of all into all fields at once."""
    here = FORMS.index(form)
    for place, name in enumerate(form.names):
        for text in CORE[(here + place) % 8 :: 8]:
            yield {name: text}, text
    written = [name for name in form.names if name not in {*KEYED, "csrf_token"}]
    for text in [*CORE[here % 4 :: 4], *ALL[here :: len(FORMS)]]:
        yield dict.fromkeys(written, text), text


def forms(some: list[Form], world: World) -> Iterator[Asked]:
    """The status of these forms with every string."""
    for form in some:
        visitor, action = world.visitor(form.who), world.path(form.action)
        opened = visitor.get(world.path(form.page)).form(action)
        for fields, text in filled(form):
            status = visitor.post(action, opened | fields).status
            yield form.action, "+".join(fields), text[:40], status


def _quoted(text: str) -> str:
    return "".join(f"%{octet:02X}" for octet in text[:9_000].encode("utf-8", "surrogatepass"))


def addresses(world: World) -> Iterator[Asked]:
    """The status of every address with strings in its path or query."""
    visitor, patterns = world.visitor("operator"), [*ADDRESSES, *QUERIES]
    for place, pattern in enumerate(patterns):
        for text in [*CORE[place % 4 :: 4], "\ud800", *ALL[place :: len(patterns)]]:
            status = visitor.get(pattern.replace("{}", _quoted(text))).status
            yield pattern, "GET", text[:40], status
    for place, pattern in enumerate(("/requests/4/{}", "/demo/sign-in/{}", "/requests/{}/take")):
        for text in CORE[place::3]:
            status = visitor.post(pattern.replace("{}", _quoted(text))).status
            yield pattern, "POST", text[:40], status


@pytest.mark.usefixtures("fleeting")
@pytest.mark.parametrize(
    "asking",
    [*(partial(forms, FORMS[part::3]) for part in range(3)), addresses],
    ids=["forms 1", "forms 2", "forms 3", "addresses"],
)
def test_no_string_surprises_and_both_databases_agree(
    both: tuple[World, World],
    asking: Callable[[World], Iterator[Asked]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    sqlite, postgresql = (list(asking(world)) for world in both)
    assert [answer for answer in sqlite + postgresql if answer[-1] >= 500] == []
    assert [pair for pair in zip(sqlite, postgresql, strict=True) if pair[0] != pair[1]] == []
    assert "Traceback" not in caplog.text


def test_there_are_some_hundred_strings() -> None:
    assert len(set(ALL) | set(CORE)) > 250
