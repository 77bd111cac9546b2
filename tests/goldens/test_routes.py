"""Every address rule with its methods, and what four people get there."""

import re
from collections.abc import Iterator

import pytest

from tests.attack.tables.routes import ROWS, Row, route_of
from tests.goldens.golden_files import check
from tests.web.conftest import World

_ASKERS = ("stranger", "registrant", "expert", "operator")
_ARGUMENT = re.compile("<(?:([^<>:]*):)?[a-z_]+>")  # its kind counts, and its name does not
_IMPLIED = {"HEAD", "OPTIONS"}


@pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
def test_every_route_answers_those_who_may_and_those_who_may_not_as_it_did(world: World) -> None:
    check("routes.txt", list(_lines(world)))


def _lines(world: World) -> Iterator[str]:
    """Each rule with its methods, and under it what is got at an address that somebody reads."""
    samples, methods = _samples(world), dict[str, set[str]]()
    for rule in world.app.url_map.iter_rules():
        methods.setdefault(_written(rule.rule), set()).update((rule.methods or set()) - _IMPLIED)
    for written in sorted(methods):
        yield f"{' '.join(sorted(methods[written]))} {written}"
        if "GET" in methods[written]:
            yield f"    {samples[written].path}"
            yield from (f"        {line}" for line in _answers(world, samples[written]))


def _written(rule: str) -> str:
    return _ARGUMENT.sub(lambda found: f"<{found[1] or ''}>", rule)


def _samples(world: World) -> dict[str, Row]:
    """For each rule the first address that somebody can read, or else the first."""
    found: dict[str, Row] = {}
    for row in (row for row in ROWS if row.method == "GET" and row.is_here(world)):
        route = route_of(world, row)
        known = found.get(_written(route.rule)) if route else None
        if route and (known is None or (row.who_may and not known.who_may)):
            found[_written(route.rule)] = row
    return found


def _answers(world: World, row: Row) -> list[str]:
    """What each of the four gets; one line where all get the same."""
    got = {who: _answer(world, row, who) for who in _ASKERS}
    if len(set(got.values())) == 1:
        return [f"{got[_ASKERS[0]]} for all"]
    return [f"{answer} for the {who}" for who, answer in got.items()]


def _answer(world: World, row: Row, who: str) -> str:
    """The status, and where it leads or what it is."""
    page = world.visitor(who).get(world.path(row.path))
    kind = page.headers.get("Content-Type", "-").partition(";")[0]
    return f"{page.status} {page.location.partition('?')[0] or kind}"
