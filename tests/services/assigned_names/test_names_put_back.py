"""An older backup is put back under several hosts: no name and no change is given a second time."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import update

from app.bundles.given_numbers import GivenNumberFolder
from app.bundles.name_copies import NameCopyWriter
from app.problems import assigned_name_codes as codes
from app.problems import operation_codes, use_case_codes
from app.published.names.name_copy_reader import NameCopyReader
from app.services.assigned_names import name_feed, name_lines
from app.services.operations.name_resumption import announce_backup, resume_names
from app.services.operations.site_condition import site_condition
from app.services.refusals import Refusal
from app.store.administration import host_rows
from app.store.assigned_names import assigned_name_rows
from app.store.database import db, read_transaction, transaction
from app.store.tables import NameLine, Prefix
from tests import factories
from tests.conftest import Clock
from tests.services.assigned_names.conftest import NameDesk, revision
from tests.services.conftest import backup
from tests.services.older_backup import Backup

pytestmark = pytest.mark.postgresql

__all__ = ["backup"]

PREFIX = "ark:10099/x5"
on_servers = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)


@dataclass
class NameHost:
    """A host with a data folder of its own: it gives names, and its worker follows them."""

    of: NameDesk
    label: str
    folder: Path

    @property
    def desk(self) -> NameDesk:
        return replace(self.of, numbers=self.folder / "given")

    @property
    def given(self) -> GivenNumberFolder:
        return self.desk.given

    def work(self) -> None:
        """One round of its worker."""
        line = name_lines.tell_numbers(self.given, self.label * 16, self.label)
        if line is not None:
            name_feed.follow(NameCopyWriter(self.folder / "names"), self.given, line)

    def feed(self) -> str | None:
        """The name of the feed that its copy is of."""
        return NameCopyWriter(self.folder / "names").feed()

    def answers(self) -> dict[str, str]:
        """What its copy of names has of each."""
        copy = NameCopyReader(self.folder / "names")
        return {row.name: row.document for row in copy.changes(0, 1_000)} if copy.version() else {}


@pytest.fixture
def hosts(desk: NameDesk, tmp_path: Path) -> tuple[NameHost, NameHost]:
    """Two hosts on one database."""
    return NameHost(desk, "aa", tmp_path / "a"), NameHost(desk, "bb", tmp_path / "b")


def resume(desk: NameDesk, *without: str, skip: int = 0) -> None:
    resume_names(desk.people.operator.email, "Looked at it.", desk.clock(), without, skip)


def names_told() -> str:
    """What the condition of the site says of names."""
    with read_transaction():
        found = [one.sentence for one in site_condition(None).troubles if one.matter == "names"]
    return " ".join(found)


def refused(desk: NameDesk) -> Refusal:
    with pytest.raises(Refusal) as error:
        desk.mint()
    return error.value


@on_servers
def test_a_host_that_heard_nothing_of_lost_names_waits_for_the_one_that_gave_them(
    hosts: tuple[NameHost, NameHost], backup: Backup
) -> None:
    a, b = hosts
    before = a.desk.mint(2)
    for host in hosts:
        host.work()
    backup.save()
    lost = a.desk.mint(4)
    a.work()
    backup.put_back()
    b.work()  # while the other is down
    for _ in range(2):
        why = refused(b.desk)
        assert why.code is codes.NUMBERS_AWAITED
        assert "aa" not in why.message  # nobody but operators is told of hosts
        b.work()
    with pytest.raises(Refusal):
        b.desk.change(revision(before[0], target="https://a.example/"))
    assert "missing: aa." in names_told()
    a.work()
    assert "aa" in names_told()
    assert refused(b.desk).code is refused(a.desk).code is codes.NAMES_LOST
    with pytest.raises(Refusal, match="bb has not reported"):  # what it gave since is asked as well
        resume(a.of)
    b.work()
    resume(a.of)
    after = b.desk.mint(6)
    assert not {*after} & {*lost, *before}
    with read_transaction():
        assert [one.change for one in assigned_name_rows.changes_after(2, 99)] == [*range(7, 13)]
    assert not names_told()


@pytest.mark.parametrize("is_told", [False, True], ids=["same host", "other host"])
@pytest.mark.parametrize("is_old", [False, True], ids=["secret order", "public order"])
def test_a_lost_prefix_that_is_added_again_repeats_none_of_its_lost_names(
    hosts: tuple[NameHost, NameHost], backup: Backup, *, is_told: bool, is_old: bool
) -> None:
    a, b = hosts
    a.desk.mint()  # a change that every host knows of, before the backup
    for host in hosts:
        host.work()
    backup.save()
    lost = a.desk.add("ark:10099/z5", mask="red")
    if is_old:
        with transaction():
            db.session.execute(update(Prefix).where(Prefix.id == lost).values(order_seed=""))
    names = a.desk.mint(200, prefix=lost)
    for host in hosts:
        host.work()
    backup.put_back()
    announce_backup()
    for host in hosts:
        host.work()
    for host in hosts:  # once more: the first has to hear of the loss as well
        host.work()
    resume(a.of)
    again = a.desk.add("ark:10099/z5", mask="red")
    if is_told:
        (b.folder / "given").rename(b.folder / "lost")
    more = (b if is_told else a).desk.mint(90, prefix=again)
    assert len({*names, *more}) == 290


@on_servers
def test_names_go_on_by_themselves_where_nothing_was_lost(
    hosts: tuple[NameHost, NameHost], backup: Backup
) -> None:
    a, b = hosts
    names = a.desk.mint(2)
    for host in hosts:
        host.work()
    copy = (a.folder / "names" / "names.sqlite").readlink()
    backup.save()
    backup.put_back()
    b.work()
    assert refused(b.desk).code is codes.NUMBERS_AWAITED
    a.work()
    assert not {*b.desk.mint(3)} & {*names}
    a.work()
    assert (a.folder / "names" / "names.sqlite").readlink() == copy
    assert len(a.answers()) == 5


def test_copies_of_hosts_are_equal_again_once_names_go_on(
    hosts: tuple[NameHost, NameHost], backup: Backup, app: Flask
) -> None:
    a, b = hosts
    names = a.desk.mint(3)
    for host in hosts:
        host.work()
    backup.save()
    a.desk.change(revision(names[0], target="https://lost.example/"))
    gone = a.desk.mint(1)[0]
    a.work()
    backup.put_back()
    b.work()
    a.work()
    assert refused(a.desk).code in {codes.NAMES_LOST, codes.NUMBERS_AWAITED}
    b.work()
    assert refused(b.desk).code is codes.NAMES_LOST
    assert "https://lost.example/" in a.answers()[names[0]]  # until somebody looked at it
    resume(a.of)
    b.desk.change(revision(names[1], target="https://b.example/"))
    for host in (*hosts, *hosts):
        host.work()
    assert a.answers() == b.answers()
    assert gone not in a.answers()
    assert "https://b.example/" in a.answers()[names[1]]
    aside = NameCopyReader(a.folder / "names", file="names-before.sqlite")
    assert aside.version()
    assert gone in {row.name for row in aside.changes(0, 99)}  # what was lost is not thrown away


def test_one_host_whose_backup_is_put_back_stops_and_goes_on_when_told(
    hosts: tuple[NameHost, NameHost],
    backup: Backup,
    app: Flask,
    caplog: pytest.LogCaptureFixture,
) -> None:
    a, _ = hosts
    a.desk.mint(2)
    a.work()
    backup.save()
    lost = a.desk.mint(3)
    a.work()
    backup.put_back()
    a.work()
    assert refused(a.desk).code is codes.NAMES_LOST
    told = names_told()
    for word in ("aa", "names verify --lost", "names resume", "names import"):
        assert word in told
    assert caplog.messages == [told]  # the worker says so once
    a.work()
    assert caplog.messages == [told]
    assert (
        app.test_client().get("/readyz").get_json()["names"].startswith("stopped: an older backup")
    )
    resume(a.of)
    assert not {*a.desk.mint(5)} & {*lost}
    a.work()
    assert not names_told()
    assert app.test_client().get("/readyz").get_json()["names"] == "ok"
    assert len(a.answers()) == 7


def test_the_feed_of_a_registry_has_a_name_of_its_own_from_the_first_change_on(
    hosts: tuple[NameHost, NameHost],
) -> None:
    """So that who follows a registry which was made anew does not take it for the one before."""
    a, b = hosts
    for host in hosts:
        host.work()
    assert a.feed() and a.feed() == b.feed()
    first = a.feed()
    a.desk.mint(2)
    a.work()
    assert a.feed() == first


def test_a_feed_that_older_software_left_without_a_name_gets_one(
    hosts: tuple[NameHost, NameHost],
) -> None:
    a, b = hosts
    names = a.desk.mint(2)
    for host in hosts:
        host.work()
    with transaction():
        db.session.execute(update(NameLine).values(line=""))
    for host in hosts:
        host.work()
    assert a.feed() and a.feed() == b.feed()
    assert sorted(a.answers()) == sorted(names)
    assert not names_told()
    assert len(a.desk.mint(2)) == 2


def test_a_backup_from_before_the_first_name_is_noticed_and_names_go_on(
    hosts: tuple[NameHost, NameHost], backup: Backup
) -> None:
    a, b = hosts
    backup.save()
    given = {*a.desk.mint(2)}
    for host in hosts:
        host.work()
    backup.put_back()
    for host in hosts:
        host.work()
    assert refused(a.desk).code is codes.NAMES_LOST
    resume(a.of)
    assert not {*a.desk.mint(3)} & given
    for host in hosts:
        host.work()
    assert not names_told()
    assert a.feed() == b.feed()


def test_a_prefix_that_was_lost_gives_none_of_its_names_again(
    hosts: tuple[NameHost, NameHost], backup: Backup
) -> None:
    a, b = hosts
    for host in hosts:
        a.desk.mint()
        host.work()
    backup.save()
    lost = a.desk.mint(3, prefix=a.of.add("ark:10099/z5"))
    a.work()
    backup.put_back()
    for host in (a, b):
        host.work()
    resume(a.of)
    assert not {*b.desk.mint(5, prefix=a.of.add("ark:10099/z5"))} & {*lost}


def test_a_second_backup_from_before_the_first_is_noticed_as_well(
    hosts: tuple[NameHost, NameHost], backup: Backup
) -> None:
    a, _ = hosts
    a.desk.mint(2)
    a.work()
    backup.save()
    given = {*a.desk.mint(3)}
    for _ in range(2):
        a.work()
        backup.put_back()
        a.work()
        assert refused(a.desk).code is codes.NAMES_LOST
        resume(a.of)
        some = {*a.desk.mint(3)}
        assert not some & given
        given |= some
        a.work()
        assert not names_told()  # what was seen of a line that the backup knows nothing of is over


def test_a_backup_that_is_announced_is_waited_for_on_any_database(
    hosts: tuple[NameHost, NameHost], backup: Backup
) -> None:
    a, b = hosts
    for host in hosts:
        a.desk.mint()
        host.work()
    backup.save()
    lost = a.desk.mint(4)
    a.work()
    backup.put_back()
    announce_backup()
    b.work()
    assert refused(b.desk).code is codes.NUMBERS_AWAITED
    for host in (a, b):
        host.work()
    resume(a.of)
    assert not {*b.desk.mint(9)} & {*lost}


def test_a_host_that_is_no_more_is_left_out_by_an_operator_with_numbers_passed_over(
    hosts: tuple[NameHost, NameHost], backup: Backup
) -> None:
    a, b = hosts
    for host in hosts:
        a.desk.mint()
        host.work()
    backup.save()
    lost = a.desk.mint(4)
    backup.put_back()
    announce_backup()
    b.work()
    with pytest.raises(Refusal, match="aa has not reported") as awaited:
        resume(b.of)
    assert awaited.value.code is operation_codes.NUMBERS_AWAITED_STILL
    with pytest.raises(Refusal, match="No host is called nobody"):
        resume(b.of, "nobody")
    resume(b.of, "aa", skip=10)
    assert not {*b.desk.mint(9)} & {*lost}
    with pytest.raises(Refusal) as nothing:
        resume(b.of)
    assert nothing.value.code is operation_codes.NAMES_GO_ON


@pytest.mark.parametrize(
    ("hours", "is_listed", "is_awaited"),
    [
        (26, False, False),  # retired: stopped cleanly, and the others ran on for a day
        (26, True, True),  # its worker was killed, so it may come back
        (2, False, True),  # stopped for the backup, say; it may have given names since
    ],
)
def test_a_host_that_stopped_cleanly_a_day_before_the_backup_is_not_waited_for(
    hosts: tuple[NameHost, NameHost],
    backup: Backup,
    clock: Clock,
    hours: int,
    is_listed: bool,
    is_awaited: bool,
) -> None:
    a, b = replace(hosts[0], label="11"), replace(hosts[1], label="22")
    for host in (a, b):
        factories.host(host.label * 16, label=host.label)
        a.desk.mint()
        host.work()
    if not is_listed:
        with transaction():
            host_rows.forget_host(b.label * 16)
    clock.on(hours=hours)
    a.work()
    backup.save()
    backup.put_back()
    announce_backup()
    a.work()
    assert ("missing: 22." in names_told()) is is_awaited


def test_only_operators_resume_and_say_why(desk: NameDesk) -> None:
    with pytest.raises(Refusal) as not_theirs:
        resume_names(desk.people.registrant.email, "So.", desk.clock(), (), 0)
    assert not_theirs.value.code is use_case_codes.OPERATORS_ONLY
    with pytest.raises(Refusal) as no_reason:
        resume_names(desk.people.operator.email, " ", desk.clock(), (), 0)
    assert no_reason.value.code is use_case_codes.VALUE_MISSING


def test_a_host_whose_numbers_cannot_be_read_is_waited_for(
    hosts: tuple[NameHost, NameHost], caplog: pytest.LogCaptureFixture
) -> None:
    a, b = hosts
    a.desk.mint()
    for host in hosts:
        host.work()
    announce_backup()
    path = next(one for one in (a.folder / "given").iterdir() if b"x5" in one.read_bytes())
    right = path.read_bytes()
    path.write_bytes(b"\0")
    for host in hosts:
        host.work()
    assert str(path) in caplog.text
    assert refused(b.desk).code is codes.NUMBERS_AWAITED
    path.write_bytes(right)
    a.work()
    assert b.desk.mint()


@pytest.fixture(autouse=True)
def _quiet(desk: NameDesk) -> Iterator[None]:
    """Nothing is wrong with names before and where nothing was put back."""
    assert not names_told()
    yield


def test_a_host_whose_numbers_have_no_folder_is_waited_for_and_copies_names_all_the_same(
    hosts: tuple[NameHost, NameHost],
) -> None:
    a, b = hosts
    a.desk.mint()
    for host in hosts:
        host.work()
    announce_backup()
    shutil.rmtree(a.folder / "given")
    (a.folder / "given").write_bytes(b"no folder")
    for host in (a, b):
        host.work()
    assert "missing: aa." in names_told()
    assert refused(b.desk).code is codes.NUMBERS_AWAITED
    (a.folder / "names" / "names.sqlite").unlink()
    a.work()
    assert len(a.answers()) == 1


def test_changes_are_passed_over_with_numbers(
    hosts: tuple[NameHost, NameHost],
) -> None:
    a, b = hosts
    a.desk.mint(3)
    for host in hosts:
        host.work()
    announce_backup()
    a.work()
    resume(b.of, "bb", skip=1_000)
    b.desk.mint()
    with read_transaction():
        assert assigned_name_rows.changes_after(3, 9)[0].change == 1_004
