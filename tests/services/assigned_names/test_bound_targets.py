"""What bound names lead to is asked with services: a sample, a few times a day to a host."""

from collections import Counter
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import pytest

from app.assigned_names.assigned_name_records import AssignedNameState
from app.outside.public_connections import PublicDialer
from app.outside.service_probe import ServiceAnswer, ServiceProbe
from app.registration.naans.naan_records import NaanFile, NaanRecord
from app.services.names import known_services
from app.services.names.bound_targets import (
    MOST_OF_HOST,
    TargetHealth,
    target_health,
)
from app.services.names.known_services import ProbePacing
from app.services.refusals import NotFound
from app.services.registry.naan_import import import_naans
from app.store.database import db, read_transaction
from app.store.tables import Outbox
from tests.services.assigned_names.conftest import NameDesk, revision

SITE = "https://registry.example"
MANNERS = ProbePacing(lambda: 0.0, lambda _seconds: True)
UP, GONE = (
    ServiceAnswer(True, "The server answered.", 200),
    ServiceAnswer(False, "Nothing there.", 404),
)


class Hosts:
    """Servers elsewhere; those of the test are told apart from those that the registry names."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.gone: set[str] = set()

    def __call__(self, url: str, _rest: Callable[[str], None]) -> ServiceAnswer:
        if ".bound.example" not in url:
            return UP
        self.asked.append(url)
        return GONE if url in self.gone else UP

    def taken(self) -> list[str]:
        asked, self.asked = self.asked, []
        return sorted(asked)


@pytest.fixture
def hosts() -> Hosts:
    return Hosts()


def bind(desk: NameDesk, *targets: str) -> list[str]:
    """Names, bound to these targets in their order."""
    names = sorted(desk.mint(len(targets)))
    desk.change(*(revision(name, target=to) for name, to in zip(names, targets, strict=True)))
    return names


def go_round(desk: NameDesk, hosts: known_services.Probe, manners: ProbePacing = MANNERS) -> None:
    known_services.check_daily(desk.clock(), hosts, manners, SITE, ["registry.example"])


def seen(desk: NameDesk) -> TargetHealth:
    with read_transaction():
        found = target_health(desk.prefix, desk.people.registrant, desk.clock())
        db.session.expunge_all()
    return found


def test_a_target_that_is_gone_is_told_with_since_when_until_it_is_back_or_changed(
    desk: NameDesk, hosts: Hosts
) -> None:
    one, two = "https://a.bound.example/1", "https://b.bound.example/2"
    names = bind(desk, one, two)
    assert seen(desk).asked == 0
    hosts.gone.add(two)
    began = desk.clock()
    go_round(desk, hosts)
    assert hosts.taken() == [one, two]
    desk.clock.on(days=1)
    go_round(desk, hosts)
    assert two in hosts.taken()
    (row,) = seen(desk).dead
    assert (row.name, row.target, row.words, row.status) == (names[1], two, GONE.words, 404)
    assert (row.since, row.looked, row.failures) == (began, desk.clock(), 2)
    hosts.gone.clear()
    desk.clock.on(days=1)
    go_round(desk, hosts)
    assert seen(desk).dead == ()
    hosts.gone.add(two)
    desk.clock.on(days=1)
    go_round(desk, hosts)
    assert seen(desk).dead
    desk.change(revision(names[1], target="https://c.bound.example/"))
    assert seen(desk).dead == ()


def test_a_host_is_asked_a_few_times_a_day_and_what_is_gone_is_asked_again_first(
    desk: NameDesk, hosts: Hosts
) -> None:
    targets = [f"https://many.bound.example/{n:02}" for n in range(2 * MOST_OF_HOST)]
    bind(desk, *targets, "https://few.bound.example/")
    hosts.gone.add(targets[0])
    go_round(desk, hosts)
    first = hosts.taken()
    assert len(first) == MOST_OF_HOST + 1
    desk.clock.on(days=1)
    go_round(desk, hosts)
    second = hosts.taken()
    many = [url for url in second if "many" in url]
    assert len(many) == MOST_OF_HOST
    assert set(many) & set(first) == {targets[0]}
    for _ in range(3):
        desk.clock.on(days=1)
        go_round(desk, hosts)
    assert {*first, *second, *hosts.asked} == {*targets, "https://few.bound.example/"}


def test_what_is_asked_of_a_host_as_a_service_counts_too(desk: NameDesk, hosts: Hosts) -> None:
    bind(desk, *(f"https://many.bound.example/{n}" for n in range(MOST_OF_HOST)))
    naan = NaanRecord(naan="10098", holder="H", target="https://many.bound.example/${content}")
    import_naans(NaanFile(records=(naan,)), desk.clock.on(minutes=1))
    go_round(desk, hosts)
    assert len(hosts.taken()) == MOST_OF_HOST


def test_names_that_nobody_is_led_by_and_addresses_of_this_site_are_not_asked(
    desk: NameDesk, hosts: Hosts
) -> None:
    withdrawn, *_ = bind(desk, "https://w.bound.example/", "https://registry.example/about")
    desk.change(
        revision(withdrawn, state=AssignedNameState.WITHDRAWN, reason="Why.", since="2026-01-01")
    )
    (reserved,) = desk.mint(reserved=True)
    desk.change(revision(reserved, target="https://r.bound.example/"))
    go_round(desk, hosts)
    assert hosts.asked == []
    assert seen(desk).asked == 0


def test_an_address_that_is_private_by_now_is_never_asked(desk: NameDesk) -> None:
    dialled: list[str] = []

    def look_up(host: str, _port: int) -> Sequence[str]:
        dialled.append(host)
        return ["10.0.0.1"]

    inside = ServiceProbe("test", dialer=PublicDialer(look_up))

    def ask(url: str, rest: Callable[[str], None]) -> ServiceAnswer:
        return inside(url, rest) if "bound.example" in url else UP

    bind(desk, "https://inside.bound.example/")
    go_round(desk, ask)
    (row,) = seen(desk).dead
    assert row.words == "The address or port isn’t public."
    assert dialled == ["inside.bound.example"]


def test_a_round_that_was_broken_off_asks_no_other_sample(desk: NameDesk, hosts: Hosts) -> None:
    bind(desk, *(f"https://many.bound.example/{n:02}" for n in range(3 * MOST_OF_HOST)))
    left = [True] * 2

    def rest(_seconds: float) -> bool:
        return not hosts.asked or bool(left and left.pop())

    go_round(desk, hosts, ProbePacing(lambda: 0.0, rest))
    assert 0 < len(hosts.asked) < MOST_OF_HOST
    desk.clock.on(minutes=5)
    go_round(desk, hosts)
    per_host = Counter(urlsplit(url).hostname for url in hosts.asked)
    assert per_host == {"many.bound.example": MOST_OF_HOST}
    assert len(set(hosts.asked)) == MOST_OF_HOST


def test_operators_and_the_page_of_services_are_told_nothing_of_bound_names(
    desk: NameDesk, hosts: Hosts
) -> None:
    bind(desk, "https://a.bound.example/1")
    hosts.gone.add("https://a.bound.example/1")
    for _ in range(known_services.TELLING + 1):
        go_round(desk, hosts)
        desk.clock.on(days=1)
    with read_transaction():
        assert db.session.query(Outbox).filter_by(template="services").count() == 0
        listed = known_services.service_list()
        assert listed.silent == ()
        assert listed.counts.silent == 0
    list(known_services.check_now(desk.clock(), hosts, MANNERS))
    assert len(seen(desk).dead) == 1


def test_a_stranger_is_told_nothing_of_what_is_gone(desk: NameDesk) -> None:
    with read_transaction(), pytest.raises(NotFound):
        target_health(desk.prefix, desk.people.rival, desk.clock())
