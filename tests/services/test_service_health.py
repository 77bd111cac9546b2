"""Whether services answer: asked once a day by one worker, kept, told once each way."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask

from app import worker
from app.config import read_settings
from app.outside.service_probe import ServiceAnswer
from app.pages.mail.letters import compose_letter
from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_records import (
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)
from app.server import work_of
from app.services.names import known_services
from app.services.names.known_services import CheckRoundConflict, NoSuchNamespace, ProbePacing
from app.services.registrations.corrections import Correction, correct, find_entry
from app.services.registry.snapshots import current_snapshot
from app.store.database import db, read_transaction, transaction
from app.store.registry import service_answers as checks
from app.store.tables import Outbox, ServiceCheck
from app.worker import WorkerContext
from tests import factories
from tests.conftest import Clock

SITE = "https://registry.example"
UP, DOWN = ServiceAnswer(True, "The server answered.", 200), ServiceAnswer(False, "It fails.", 503)
Rest = Callable[[str], None]
MANNERS = ProbePacing(lambda: 0.0, lambda _seconds: True)


class World:
    """Servers elsewhere, as a test has them; what they were asked is kept."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.down: set[str] = set()

    def __call__(self, url: str, _rest: Rest) -> ServiceAnswer:
        self.asked.append(url)
        return DOWN if url in self.down else UP


@pytest.fixture
def world() -> World:
    return World()


def service(target: str, when: str = "", since: str = "", until: str = "") -> ResolutionService:
    return ResolutionService(
        kind=ServiceKind.LOCATION, target=target, when=when, since=since, until=until
    )


def declare(clock: Clock, name: str, *services: ResolutionService) -> None:
    """Let a namespace have these services."""
    with read_transaction():
        version = find_entry(name, URN_SPACE)
    resolution = Resolution(services=services, resolvability=Resolvability.RESOLVED)
    profile = replace(version.record.profile, resolution=resolution, pattern=None)
    actor = factories.cast(clock()).operator
    order = factories.command(actor, clock(), seen=version.n)
    correct(order, name, Correction(profile=profile), reason="Because.", space=URN_SPACE)


@pytest.fixture
def two(app: Flask, clock: Clock) -> tuple[str, str]:
    """Two services of ``isbn``, and none of any other name; their addresses."""
    with read_transaction():
        records = current_snapshot(URN_GROUP).records()
        others = [one.folded for one in records if one.profile.resolution.services]
    for name in others:
        declare(clock, name)
    one, other = "https://one.example/{+nss}", "https://two.example/find?q={nss}"
    never = service("https://three.example/{nss}", when="NOTHING")
    declare(clock, "isbn", service(one), service(other), never)
    with read_transaction():
        urn = find_entry("isbn", URN_SPACE).record.profile.examples[0].urn
    nss = urn.split(":", 2)[2]
    return one.replace("{+nss}", nss), other.replace("{nss}", nss)


def daily(clock: Clock, world: known_services.Probe, manners: ProbePacing = MANNERS) -> int:
    return known_services.check_daily(clock(), world, manners, SITE)


def rows() -> list[ServiceCheck]:
    with read_transaction():
        found = list(known_services.services_of("isbn"))
        db.session.expunge_all()
    return found


def mail() -> list[tuple[str, str]]:
    """What each of the two operators was written: what it is about, and the lines."""
    with read_transaction():
        found = db.session.query(Outbox).filter_by(template="services").order_by(Outbox.id)
        told = [(one.recipient, json.loads(one.arguments)) for one in found]
    people = sorted({recipient for recipient, _ in told})
    first, second = (
        [(one["todo"], one["rows"]) for recipient, one in told if recipient == who]
        for who in (people if len(people) == 2 else ("", ""))
    )
    assert first == second
    return first


def test_each_service_is_asked_once_a_day_for_an_example(
    two: tuple[str, str], clock: Clock, world: World
) -> None:
    world.down.add(two[1])
    assert daily(clock, world) == 2
    assert sorted(world.asked) == sorted(two)
    first, second, third = rows()
    assert (first.answers, first.status, first.failures, first.since) == (True, 200, 0, clock())
    assert (second.answers, second.status, second.failures) == (False, 503, 1)
    assert (third.answers, third.url, third.urn) == (None, "", "")
    clock.on(hours=23)
    assert daily(clock, world) == 0
    clock.on(hours=1)
    assert daily(clock, world) == 2
    assert rows()[1].failures == 2
    assert rows()[1].since == clock() - timedelta(days=1)
    with read_transaction():
        listed = known_services.service_list()
        assert listed.counts == (3, 1, 1)
        assert listed.done == clock()
        assert [row.url for row in listed.silent] == [two[1]]


def test_operators_hear_once_after_three_failures_and_once_when_it_answers(
    two: tuple[str, str], clock: Clock, world: World
) -> None:
    world.down.add(two[1])
    told = []
    for day in range(8):
        if day == 5:
            world.down.clear()
        daily(clock, world)
        told.append([todo for todo, _ in mail()])
        clock.on(days=1)
    assert told == [[], [], *[["No answer"]] * 3, *[["No answer", "Answers again"]] * 3]
    assert f"urn:isbn:, I2L: {DOWN.words}" in mail()[0][1]
    assert two[1] in mail()[0][1]
    assert two[0] not in mail()[0][1]
    world.down.add(two[0])
    for _ in range(2):
        daily(clock, world)
        clock.on(days=1)
    world.down.clear()
    daily(clock, world)
    assert len(mail()) == 2


def test_the_mail_reads_well(two: tuple[str, str], clock: Clock, world: World) -> None:
    world.down.update(two)
    for _ in range(3):
        daily(clock, world)
        clock.on(days=1)
    with read_transaction():
        waiting = db.session.query(Outbox).filter_by(template="services").all()
        said = json.loads(waiting[0].arguments)
    letter = compose_letter(
        "services",
        said,
        sender="registry@registry.example",
        recipient="operator@registry.example",
        message_id="<1@registry.example>",
        date=clock(),
    )
    assert letter["Subject"] == "No answer: 2 services"
    assert f"{SITE}/resolvers/" in letter.get_content()
    assert f"\n    {two[0]}\n" in letter.get_content()
    assert "Choose which e-mail you get" in letter.get_content()


def test_two_workers_at_the_same_moment_ask_once(
    two: tuple[str, str], app: Flask, clock: Clock, world: World
) -> None:
    met = threading.Barrier(2, timeout=60)

    def go() -> None:
        with app.app_context():
            met.wait()
            daily(clock, world)
            db.session.remove()

    threads = [threading.Thread(target=go) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(world.asked) == sorted(two)


def test_what_was_broken_off_goes_on_and_asks_nobody_twice(
    two: tuple[str, str], clock: Clock, world: World
) -> None:
    steps = iter([True, False])
    assert daily(clock, world, ProbePacing(lambda: 0.0, lambda _seconds: next(steps))) == 1
    clock.on(minutes=5)
    assert daily(clock, world) == 1
    assert sorted(world.asked) == sorted(two)
    assert daily(clock, world) == 0


def test_who_died_in_the_middle_keeps_the_round_for_minutes_only(
    two: tuple[str, str], clock: Clock, world: World
) -> None:
    def die(_url: str, _rest: Rest) -> ServiceAnswer:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        daily(clock, die)
    assert daily(clock, world) == 0
    clock.on(minutes=11)
    assert daily(clock, world) == 2


def test_who_was_too_slow_stops_when_another_has_the_round(
    two: tuple[str, str], clock: Clock, world: World
) -> None:
    def slow(_url: str, _rest: Rest) -> ServiceAnswer:
        clock.on(minutes=11)
        daily(clock, world)
        return DOWN

    assert daily(clock, slow) == 0
    assert sorted(world.asked) == sorted(two)
    assert [row.answers for row in rows()] == [True, True, None]
    assert daily(clock, world) == 0


def test_what_is_no_longer_on_file_is_forgotten(
    two: tuple[str, str], clock: Clock, world: World
) -> None:
    daily(clock, world)
    declare(clock, "isbn", service("https://four.example/{nss}"))
    clock.on(days=1)
    assert daily(clock, world) == 1
    assert [row.target for row in rows()] == ["https://four.example/{nss}"]


def test_a_service_that_is_over_or_has_not_begun_is_not_asked(
    two: tuple[str, str], clock: Clock, world: World
) -> None:
    day = clock().date()
    over = service("https://a.example/{nss}", until=(day - timedelta(days=1)).isoformat())
    begins = service("https://b.example/{nss}", since=(day + timedelta(days=1)).isoformat())
    now = service("https://c.example/{nss}", since=day.isoformat(), until=day.isoformat())
    declare(clock, "isbn", over, begins, now)
    assert daily(clock, world) == 1
    assert world.asked[0].startswith("https://c.example/")


def test_by_command_some_are_asked_and_nobody_beside_a_worker(
    two: tuple[str, str], clock: Clock, world: World
) -> None:
    for _ in range(4):
        world.down.update(two)
        asked = list(known_services.check_now(clock(), world, MANNERS, ["ISBN"]))
    assert [one.answer for one in asked] == [None, DOWN, DOWN]
    assert list(known_services.check_now(clock(), world, MANNERS, ["issn"])) == []
    assert len(rows()) == 3
    assert mail() == []
    with pytest.raises(NoSuchNamespace, match="is called `nobody`"):
        list(known_services.check_now(clock(), world, MANNERS, ["nobody"]))
    with transaction():
        assert checks.take_round("x" * 32)
    with pytest.raises(CheckRoundConflict, match="Try again"):
        list(known_services.check_now(clock(), world, MANNERS))


def test_a_host_rests_between_two_requests() -> None:
    moment, rests = [0.0], list[float]()

    def rest(seconds: float) -> bool:
        rests.append(seconds)
        moment[0] += seconds
        return True

    manners = ProbePacing(lambda: moment[0], rest, pause=2.0)
    for url in ("http://a.example/1", "http://b.example/1", "http://A.example:8080/2"):
        assert manners.wait_for(url)
        manners.note(url)
        moment[0] += 0.5
    assert rests == [0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("given", "asks"),
    [
        ({"BASE_URL": SITE, "SMTP_URL": "smtp://mail.example"}, True),
        ({"BASE_URL": SITE, "SMTP_URL": "smtp://mail.example", "CHECK_RESOLVERS": "no"}, False),
        ({"BASE_URL": "http://127.0.0.1:8000"}, False),
        ({"BASE_URL": "http://localhost:8000", "DEMO": "yes"}, False),
    ],
)
def test_a_real_site_alone_asks_by_itself(
    given: dict[str, str], asks: bool, tmp_path: Path
) -> None:
    prefixed = {f"URN_REGISTRY_{name}": value for name, value in given.items()}
    settings = read_settings(prefixed, data_dir=tmp_path, secret_key="of a test" * 4)
    assert (work_of(settings).probe is not None) is asks


def test_the_worker_asks_where_it_may_and_nobody_elsewhere(
    two: tuple[str, str], clock: Clock, world: World, tmp_path: Path
) -> None:
    work = WorkerContext(
        folder=tmp_path / "published",
        making=factories.making(),
        secret=lambda: "s",
        sender="registry@registry.example",
        now=clock,
        deliver=None,
    )
    assert worker.CHECKING in worker.LANES
    worker.check_services(work)
    assert world.asked == []
    stopped = replace(work, probe=world)
    stopped.stopped.set()
    worker.check_services(stopped)
    assert world.asked == []
    work.stopped.clear()
    worker.check_services(replace(work, probe=world))
    assert len(world.asked) == 1 or sorted(world.asked) == sorted(two)
