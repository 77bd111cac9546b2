"""How the site is run is judged in one place, by the database's clock."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from threading import Barrier

import pytest
from flask import Flask

from app.messages.delivery_errors import MessageRejected
from app.problems import operation_codes
from app.services.accounts import sign_in
from app.services.editions import edition_build
from app.services.operations import site_condition as site_conditions
from app.services.operations.database_binding import DatabaseAway
from app.services.operations.heartbeats import (
    MAILING,
    PUBLISHING,
    WorkLog,
    find_identity,
    host_identity,
)
from app.services.operations.site_condition import (
    AlertKind,
    SiteCondition,
    find_host,
    publication_sentence,
    site_condition,
)
from app.services.refusals import NotAllowed, NotFound, Refusal
from app.services.registry.naan_import import import_naans, read_naan_file
from app.services.requests.queues import operator_desk
from app.store.administration import host_rows
from app.store.database import read_transaction, transaction
from app.store.editions import edition_rows
from tests import factories
from tests.conftest import Clock
from tests.factories import HERE, THERE
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of

GB = 10**9


def sentences(site: SiteCondition) -> list[str]:
    return [trouble.sentence for trouble in site.troubles]


@pytest.fixture(autouse=True)
def _older(app: Flask, clock: Clock) -> None:
    """The edition is some minutes old."""
    edition_build.build_pending(None, factories.PLACE)
    clock.on(minutes=10)


def test_nothing_is_wrong_where_every_worker_was_seen(clock: Clock) -> None:
    factories.host()
    factories.host(THERE)
    assert sentences(site_condition(HERE)) == []
    clock.on(seconds=59)
    assert sentences(site_condition(HERE)) == []


def test_it_is_told_when_no_worker_was_seen_for_a_minute(clock: Clock) -> None:
    assert sentences(site_condition(None))[0].startswith("No worker has ever run.")
    factories.host()
    clock.on(minutes=3)
    (trouble,) = site_condition(HERE).troubles
    assert trouble.matter is AlertKind.WORKER
    assert trouble.sentence.startswith("No worker has reported for 3 minutes. No editions are")


def test_it_is_told_which_host_is_missing(clock: Clock) -> None:
    factories.host(THERE)
    clock.on(hours=2)
    factories.host()
    expected = ["The worker on two.example hasn't reported for 2 hours."]
    assert sentences(site_condition(HERE)) == expected


def test_a_clock_that_was_set_back_makes_nobody_seen_who_is_not(clock: Clock) -> None:
    factories.host()
    clock.on(days=-3650)
    assert not site_condition(HERE).seen
    factories.host()
    assert site_condition(HERE).seen


def test_a_host_that_is_behind_is_told_once_its_edition_is_a_minute_late(clock: Clock) -> None:
    factories.registered(factories.cast(clock()), clock())
    edition_build.build_pending(None, factories.PLACE)
    factories.host()
    factories.host(THERE, edition=2)
    assert sentences(site_condition(HERE)) == []
    clock.on(minutes=2)
    factories.host()
    factories.host(THERE, edition=2)
    expected = ["one.example has edition 1; the newest is 2."]
    assert sentences(site_condition(HERE)) == expected


def test_publishing_that_fails_or_stops_is_told(clock: Clock) -> None:
    factories.host(trouble="OlderEdition: Edition 1 is older than the current edition 2.")
    factories.host(THERE, published=timedelta(minutes=7))
    first, second = sentences(site_condition(HERE))
    assert first.startswith("Publishing fails on one.example: OlderEdition: Edition 1")
    assert second == "Publishing on two.example stopped 7 minutes ago."


def test_a_worker_that_never_published_is_told_once_it_had_time_to(clock: Clock) -> None:
    factories.host(published=None, age=timedelta(seconds=20))
    assert sentences(site_condition(HERE)) == []
    factories.host(published=None, age=timedelta(minutes=20))
    clock.on(seconds=1)
    factories.host(THERE)
    with transaction():
        host_rows.forget_host(HERE)
    factories.host(published=None, age=timedelta(minutes=20))
    assert "stopped 20 minutes ago" in sentences(site_condition(HERE))[0]


def test_an_edition_that_cannot_be_built_is_told(clock: Clock) -> None:
    factories.registered(factories.cast(clock()), clock())
    factories.host()
    with transaction():
        edition_rows.note_failure(2, "OSError: no space", clock())
    expected = "Edition 2 can't be published (1 attempt): OSError: no space"
    assert expected in sentences(site_condition(HERE))


def test_an_edition_that_cannot_be_built_is_told_until_a_later_one_of_its_group_is_built(
    app: Flask, clock: Clock
) -> None:
    factories.registered(factories.cast(clock()), clock())
    for entries in ([entry_of(LIBRARY)], [entry_of(LIBRARY), entry_of(SHOULDER)]):
        import_naans(read_naan_file(file_of(*entries)), clock.on(minutes=1))
    factories.host()
    with transaction():
        edition_rows.note_failure(2, "OSError: no space", clock())
        edition_rows.note_failure(3, "OSError: no space", clock())
    told = "Edition {} can't be published (1 attempt): OSError: no space"
    of_urns, of_naans = told.format(2), told.format(1)
    assert {of_urns, of_naans} <= set(sentences(site_condition(HERE)))
    edition_build.build_pending(clock(), factories.PLACE)
    said = sentences(site_condition(HERE))
    assert of_naans not in said and of_urns in said, "an edition of another group follows none"
    with read_transaction():
        assert [key for key, *_ in operator_desk(clock()).unpublished] == [2]
        assert [key for key, *_ in edition_rows.failures(9)] == [3, 2]


def ask(clock: Clock) -> None:
    sign_in.ask_for_link("robin@org.example", "/", clock(), secret="s", host="h")


def test_mail_that_nobody_sends_is_told_after_five_minutes(clock: Clock) -> None:
    ask(clock)
    factories.host()
    assert sentences(site_condition(HERE)) == []
    clock.on(minutes=6)
    factories.host()
    expected = ["Mail isn't being sent: 1 message waiting, the oldest for 6 minutes."]
    assert sentences(site_condition(HERE)) == expected


def test_what_the_mail_server_said_is_told_and_which_host_it_told(clock: Clock) -> None:
    ask(clock)
    clock.on(minutes=6)
    factories.host(heard=timedelta(seconds=5), said="NotLetIn: 535 authentication failed")
    factories.host(THERE, heard=timedelta(hours=1))
    (sentence,) = sentences(site_condition(HERE))
    assert sentence.endswith("to one.example: NotLetIn: 535 authentication failed")


def test_mail_without_a_server_is_told_with_the_setting(clock: Clock) -> None:
    ask(clock)
    clock.on(minutes=6)
    factories.host(sends=False)
    assert sentences(site_condition(HERE))[0].endswith("URN_REGISTRY_SMTP_URL.")


@pytest.mark.parametrize(("free", "total"), [(4 * GB, 100 * GB), (GB - 1, 2 * GB)])
def test_a_disk_that_is_nearly_full_is_told(clock: Clock, free: int, total: int) -> None:
    factories.host(free_bytes=free, total_bytes=total)
    (trouble,) = site_condition(HERE).troubles
    assert trouble.matter is AlertKind.DISK
    assert trouble.sentence.startswith("The disk of one.example is nearly full: ")


def test_within_seconds_is_said_only_where_it_is_so(clock: Clock) -> None:
    assert publication_sentence(1, HERE).endswith("runs again: no worker has ever run.")
    factories.host()
    assert publication_sentence(1, HERE) == "Edition 1 will be published within seconds."
    assert "within seconds" not in publication_sentence(1, THERE), "no worker ran here"
    factories.host(trouble="OSError: no space")
    assert publication_sentence(None, HERE) == (
        "The next edition of the registry will be published when the worker on this host "
        "runs again: publishing fails on one.example: OSError: no space."
    )
    factories.host()
    clock.on(minutes=2)
    factories.host(THERE)
    assert ("the worker on one.example hasn't reported for 2 minutes") in publication_sentence(
        1, HERE
    )


def test_a_promise_does_not_depend_on_a_host_that_stopped(clock: Clock) -> None:
    factories.host(THERE)
    clock.on(hours=1)
    factories.host(trouble="OSError: no space")
    said = publication_sentence(1, HERE)
    assert "publishing fails on one.example" in said
    assert "two.example" not in said


def test_a_host_is_found_by_its_id_or_by_a_name_that_no_other_has(clock: Clock) -> None:
    twins = ["5" * 32, "6" * 32]
    for twin in twins:
        factories.host(twin, label="web")
    factories.host()
    with read_transaction():
        assert [find_host(twin).id for twin in twins] == twins
        assert find_host("one.example").id == HERE
        with pytest.raises(NotFound):
            find_host("web2")
        with pytest.raises(Refusal, match=f"2 hosts are called web.*{twins[0]}.*{twins[1]}") as no:
            find_host("web")
    assert no.value.code is operation_codes.HOST_AMBIGUOUS


def test_a_host_is_forgotten_after_days_or_when_an_operator_says_so(clock: Clock) -> None:
    people = factories.cast(clock())
    factories.host()
    factories.host(THERE)
    with pytest.raises(NotAllowed):
        site_conditions.dismiss(factories.command(people.registrant, clock()), THERE)
    site_conditions.dismiss(factories.command(people.operator, clock()), THERE)
    with pytest.raises(NotFound):
        site_conditions.dismiss(factories.command(people.operator, clock()), THERE)
    assert [host.id for host in site_condition(HERE).hosts] == [HERE]
    clock.on(days=6)
    site_conditions.forget_gone()
    assert site_condition(HERE).hosts
    clock.on(days=2)
    site_conditions.forget_gone()
    assert not site_condition(HERE).hosts


def test_what_a_worker_does_not_know_stays_as_it_was(clock: Clock) -> None:
    factories.host(heard=timedelta(), said="NotLetIn: 535")
    clock.on(seconds=30)
    factories.host(published=None, mailed=None)
    (host,) = site_condition(HERE).hosts
    assert (host.said, host.heard) == ("NotLetIn: 535", timedelta(seconds=30))
    assert host.published == timedelta(seconds=30)


def test_a_host_keeps_its_identity_and_nobody_else_reads_it(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert find_identity(folder) is None
    first = host_identity(folder)
    assert host_identity(folder) == find_identity(folder) == first
    assert (folder / "host-id").stat().st_mode & 0o777 == 0o600
    (folder / "host-id").write_text("broken")
    assert find_identity(folder) is None
    with pytest.raises(OSError, match="Remove it"):
        host_identity(folder)


def test_a_message_that_is_refused_alone_says_nothing_of_the_server() -> None:
    time = [0.0]
    log = WorkLog(lambda: time[0])

    def refuse(_message: EmailMessage) -> None:
        raise MessageRejected("550 no such user")

    with pytest.raises(MessageRejected):
        log.hearing(refuse)(EmailMessage())
    assert log.heard[0] is None
    log.hearing(lambda _: None)(EmailMessage())
    log.note(PUBLISHING, [])
    time[0] = 5.0
    assert log.heard == (timedelta(seconds=5), "")
    assert log.since(PUBLISHING) == timedelta(seconds=5)
    assert log.since(MAILING) is None
    log.note(PUBLISHING, [OSError("no space")])
    assert log.trouble == "OSError: no space"
    away = DatabaseAway("SELECT 1", {}, OSError("gone"))
    log.note(PUBLISHING, [away])
    assert log.trouble == "", "what saves this trouble shows that the database is back"
    assert log.since(PUBLISHING) == timedelta(seconds=5)


def test_threads_that_first_ask_who_a_host_is_side_by_side_are_told_the_same(
    tmp_path: Path,
) -> None:
    for n in range(20):
        ready = Barrier(8)

        def ask(folder: Path, ready: Barrier = ready) -> str:
            ready.wait()
            return host_identity(folder)

        with ThreadPoolExecutor(8) as threads:
            folder = tmp_path / str(n)
            assert len({*threads.map(ask, [folder] * 8)}) == 1
        assert [file.name for file in folder.iterdir()] == ["host-id"]
