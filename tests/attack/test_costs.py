"""What anybody asks costs little: the processor, the octets of the answer, memory, others' time."""

import gc
import json
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest
from werkzeug.test import EnvironBuilder

from app.outside.work_queue import QUEUE
from app.pages.tools.urn_tool import MOST
from app.registration.declarations.registries import TEMPLATE_FIELDS
from app.web.public import tool_pages
from tests import factories
from tests.attack import costs as known
from tests.attack.costs import INPUTS, OWN, ROOMS, TEXTS, WORST, Input, Row, rows
from tests.conftest import START, TABLE
from tests.torture.conftest import WHOLE, some
from tests.web.conftest import Served, World
from tests.web.visitor import HTML, Visitor

pytestmark = [
    pytest.mark.cost,
    pytest.mark.parametrize("make_world", ["sqlite"], indirect=True),
]

MOST_SECONDS = 0.5  # of the processor, in the process that answers
MOST_OCTETS = 5_000_000
MOST_TIMES = 20  # what was sent, where that is more
TRIES = 3  # the processor's time only ever seems longer than it is
YARDSTICK = 0.05  # seconds that the work of ``_slowness`` takes on a machine that does nothing else

Site = tuple[Served, tuple[int, ...]]


@pytest.fixture(scope="module")
def site(served: Served) -> Site:
    """The whole site, with a request for each of the worst texts."""
    long = [field.name for field in TEMPLATE_FIELDS if field.is_long and field.name != "registrant"]
    numbers = []
    settings = served.world.app.extensions["settings"]
    # a demonstration shows a form for each of its people; strangers never come to one
    served.world.app.extensions["settings"] = replace(settings, demo=False)
    with served.world.app.app_context():
        registrant = factories.cast(START).registrant
        for place, text in enumerate(TEXTS.values()):
            name = {"namespace_identifier": f"heavy{place:02}x"}
            numbers.append(factories.sent(registrant, START, **dict.fromkeys(long, text) | name))
    return served, tuple(numbers)


class Cost(NamedTuple):
    """What an answer took: of the processor, of a child's, and of what was sent and came back."""

    seconds: float
    apart: float
    asked: int
    answered: int
    status: str

    @property
    def is_too_much(self) -> bool:
        """Whether it is over a bound."""
        most = max(MOST_OCTETS, MOST_TIMES * self.asked)
        return self.seconds > MOST_SECONDS or self.answered > most


def _slowness() -> float:
    """How many times longer than on a quiet machine work takes now, whose caches others use."""
    begun = time.process_time()
    held = {str(number): number for number in range(200_000)}
    taken = time.process_time() - begun
    del held
    return max(1.0, taken / YARDSTICK)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ask(served: Served, row: Row, path: str, tried: Input) -> Cost:
    """Ask once, as the server would."""
    visitor = Visitor(served.world.app)
    headers = {"Accept": HTML, "Sec-Fetch-Site": "same-origin", "X-CSRFToken": visitor.proof}
    cookie = visitor.client.get_cookie("session")
    assert cookie is not None
    if row.method == "POST":
        headers["Cookie"] = f"session={cookie.value}"
    headers |= dict(tried.headers)
    where, _, query = (path + tried.query).partition("?")
    builder = EnvironBuilder(
        path=where,
        method=row.method,
        headers=[*headers.items()],
        data=tried.body or None,
        content_type=tried.content_type or None,
    )
    environ = builder.get_environ() | {"QUERY_STRING": query}
    status: list[str] = []

    def begin(code: str, *_: object) -> Callable[[bytes], object]:
        status.append(code)
        return status.append  # type: ignore[return-value]  # nobody writes so

    begun, apart = time.process_time(), _children()
    answer = served.whole(environ, begin)
    size = sum(map(len, answer))
    getattr(answer, "close", lambda: None)()
    seconds = time.process_time() - begun
    if seconds > MOST_SECONDS:
        seconds /= _slowness()
    asked = len(tried.body) + len(path + tried.query) + sum(map(len, headers.values()))
    builder.close()
    return Cost(seconds, _children() - apart, asked, size, status[0])


def tried_at(row: Row, numbers: tuple[int, ...]) -> Iterator[tuple[str, Input]]:
    """The paths of a row, each with what is tried there."""
    for kind in row.kinds:
        for tried in known.tried(kind, whole=WHOLE):
            if kind == "texts":
                yield from ((row.path.format(one), tried) for one in _texts_for(row, numbers))
            else:
                yield row.path, tried


READERS = [row for row in rows() if "texts" in row.kinds]


def _texts_for(row: Row, numbers: tuple[int, ...]) -> Sequence[int]:
    """All of them for the page of a request, which comes first, and a third for each other row."""
    place = READERS.index(row)
    return some(numbers, 3, place) if place else numbers


@pytest.mark.parametrize("row", [*rows()], ids=lambda row: f"{row.method} {row.rule}")
def test_nothing_that_anybody_asks_costs_more_than_it_may(
    site: Site, row: Row, record_property: Callable[[str, object], None]
) -> None:
    served, numbers = site
    ask(served, row, row.path.format(1), Input("to warm up"))
    gc.collect()
    costs = []
    for path, tried in tried_at(row, numbers):
        found = ask(served, row, path, tried)
        for _ in range(TRIES - 1):
            if found.is_too_much:
                found = min(found, ask(served, row, path, tried))
        costs.append((found, path, tried.name))
    dearest = max(costs)
    record_property(TABLE, f"{row.method:4} {row.rule:60} {_shown(*dearest)}")
    assert [_shown(*one) for one in costs if one[0].is_too_much] == []
    assert not [one for one in costs if one[0].status.startswith("500")]


def _shown(cost: Cost, path: str, name: str) -> str:
    return (
        f"{cost.seconds:.2f} s (apart {cost.apart:.2f} s), {cost.asked:,} octets gave "
        f"{cost.answered:,}: {cost.status} {path} {name}"
    )


def test_the_worst_of_a_kind_are_of_that_kind(world: World) -> None:
    del world
    lost = {kind: names - {one.name for one in INPUTS[kind]()} for kind, names in WORST.items()}
    assert {kind: names for kind, names in lost.items() if names} == {}


def test_every_route_is_in_the_table(world: World) -> None:
    known = {(row.method, row.rule) for row in rows()}
    missing = [
        (method, rule.rule)
        for rule in world.app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) & {"GET", "POST"})
        if (method, rule.rule) not in known
        and not rule.rule.startswith(ROOMS)
        and rule.rule.split("/", 3)[-1] not in OWN
    ]
    assert missing == []


def test_a_file_that_would_be_much_larger_than_its_list_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_pages, "LARGEST_FILE", 1_000)
    page = world.visitor().post("/tools/urn", {"q": "u\n" * 100, "then": "jsonl"})
    assert page.status == 422
    assert "The file would be larger than" in page.words


SENT = 'quoll = "urn:quoll:" & more'
TOOLS = (("urn", "q"), ("nid", "q"), ("template", "text"), ("syntax", "q"))


@pytest.mark.parametrize(("tool", "field"), TOOLS)
def test_whoever_comes_while_much_is_at_work_keeps_the_text_and_is_told_when_to_come(
    world: World, monkeypatch: pytest.MonkeyPatch, tool: str, field: str
) -> None:
    monkeypatch.setattr(QUEUE, "patience", 0.05)
    with QUEUE.turn(), QUEUE.turn():
        page = world.visitor().post(f"/tools/{tool}", {field: SENT})
    assert (page.status, page.headers["Retry-After"]) == (503, "5")
    assert "The server is busy with other work. Try again in a few seconds." in page.words
    assert SENT in [str(area.text).strip() for area in page.each("//textarea")]


def test_a_program_that_comes_while_much_is_at_work_gets_a_document(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QUEUE, "patience", 0.05)
    programs = {"Accept": "application/json"}
    with QUEUE.turn(), QUEUE.turn():
        page = world.visitor().post("/tools/urn", {"q": "urn:a:b"}, headers=programs)
    assert page.headers["Content-Type"] == "application/problem+json"
    assert json.loads(page.html)["errors"][0]["field"] == "q"


def test_a_list_is_checked_as_far_as_it_may_cost_and_the_rest_is_told(world: World) -> None:
    page = world.visitor().post("/tools/urn", {"q": "u\n" * (MOST + 5)})
    assert "5 lines not checked. The limit is 10,000 URNs" in page.words
    assert f"{MOST:,} lines: 0 valid" in page.words
    for then in ("csv", "jsonl"):
        page = world.visitor().post("/tools/urn", {"q": "u\n" * (MOST + 5), "then": then})
        assert page.status == 422
        assert "the command urn-registry urn check -" in page.words
        assert page.form("/tools/urn")["q"].count("u") == MOST + 5
