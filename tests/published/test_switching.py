"""From one edition to the next: at once, whole, and never to a broken one."""

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from app.exports.manifests.bundle_paths import blob_path, bundle_path
from app.published import group_plane
from app.published.blobs import LARGEST_READ, FileBody
from app.published.edition import read_edition
from app.published.plane import PublishedPlane
from tests.published.bundles import (
    CSV,
    FROM_BEHIND,
    PAGE,
    PATIENT,
    XML,
    Clock,
    as_of,
    ask,
    contents,
    etag_of,
    http_date,
    lasting,
    make_bundle,
    request_of,
    restless,
)


def test_without_an_edition_it_asks_to_wait_or_lets_pages_through(tmp_path: Path) -> None:
    for path in ("/", XML):
        answer = ask(PublishedPlane(tmp_path / "absent"), path)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
    before = PublishedPlane(tmp_path, falls_through=True)
    assert ask(before, "/").status == FROM_BEHIND
    assert ask(before, XML).status == 503, "no file of an edition is said not to exist"
    assert PublishedPlane(tmp_path).edition is None


def test_the_first_edition_is_seen_when_it_comes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    application = PublishedPlane(tmp_path, clock=restless(), patience=PATIENT)
    assert ask(application, XML).status == 503
    make_bundle(1).lay_out(tmp_path)
    assert ask(application, XML).status == 200
    assert application.edition == 1
    assert not caplog.records


def test_every_process_answers_from_the_new_edition_at_the_next_request(tmp_path: Path) -> None:
    make_bundle(1).lay_out(tmp_path)
    processes = [PublishedPlane(tmp_path, clock=Clock(), patience=PATIENT) for _ in range(3)]
    for edition in (2, 3):
        make_bundle(edition).lay_out(tmp_path)
        etags = [ask(process, XML).headers["ETag"] for process in processes]
        assert etags == [etag_of(XML, edition)] * 3, "not even a second may pass between them"


def test_nothing_is_read_again_while_the_edition_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bundle(1).lay_out(tmp_path)
    application = PublishedPlane(tmp_path, clock=restless(), patience=PATIENT)
    monkeypatch.setattr("app.published.group_plane.read_edition", None)
    assert ask(application, XML).status == 200


def test_bytes_that_did_not_change_are_shared_by_both_editions(tmp_path: Path) -> None:
    make_bundle(1).lay_out(tmp_path)
    application = PublishedPlane(tmp_path, clock=restless(), patience=PATIENT)
    second = make_bundle(2)
    second.lay_out(tmp_path)
    same = next(file for file in second.manifest.files if file.path == CSV)
    (tmp_path / blob_path(same.sha256)).unlink()
    assert ask(application, XML).headers["ETag"] == etag_of(XML, 2)
    assert ask(application, CSV).headers["Last-Modified"] == http_date(2)


def remove_current(folder: Path) -> None:
    (folder / "current").unlink()


def break_blob(folder: Path) -> None:
    path = folder / blob_path(etag_of(XML, 2)[1:-1])
    path.write_bytes(path.read_bytes().replace(b"2", b"3"))


def shorten_blob(folder: Path) -> None:
    (folder / blob_path(etag_of(XML, 2)[1:-1])).write_bytes(b"")


def remove_blob(folder: Path) -> None:
    (folder / blob_path(etag_of(XML, 2)[1:-1])).unlink()


def break_manifest(folder: Path) -> None:
    path = folder / "current" / "manifest.json"
    path.write_bytes(path.read_bytes()[:-1])


def date_manifest_back(folder: Path) -> None:
    path = folder / "current" / "manifest.json"
    path.write_bytes(path.read_bytes().replace(as_of(2).encode(), as_of(1).encode()))


def remove_bundle(folder: Path) -> None:
    (folder / "current" / "manifest.json").unlink()


DAMAGES = [
    remove_current,
    break_blob,
    shorten_blob,
    remove_blob,
    break_manifest,
    date_manifest_back,
    remove_bundle,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_broken_edition_leaves_the_old_one_and_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: Callable[[Path], None]
) -> None:
    make_bundle(1).lay_out(tmp_path)
    clock = Clock()
    application = PublishedPlane(tmp_path, clock=clock, patience=PATIENT)
    make_bundle(2).lay_out(tmp_path)
    damage(tmp_path)
    for clock.now in range(1, 20):
        answers = {path: ask(application, path) for path in contents(1)}
        assert {path: answer.body for path, answer in answers.items()} == {
            path: body for path, (_, body) in contents(1).items()
        }
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "edition 1 stays" in record.getMessage()
    make_bundle(2).lay_out(tmp_path, allow_older=True)
    clock.now = 60.0
    assert ask(application, XML).headers["ETag"] == etag_of(XML, 2)


def test_a_large_file_that_is_broken_keeps_the_edition_from_coming(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    make_bundle(1).lay_out(tmp_path)
    second = make_bundle(2, {CSV: ("text/csv", b"line\n" * LARGEST_READ)})
    second.lay_out(tmp_path)
    (file,) = second.manifest.files
    with (tmp_path / blob_path(file.sha256)).open("r+b") as blob:
        blob.write(b"L")
    site = PublishedPlane(tmp_path, clock=restless(), patience=PATIENT)
    assert (site.edition, ask(site, CSV).status) == (None, 503)
    assert "edition None stays" in caplog.text


def test_after_a_broken_edition_a_newer_one_is_taken_at_once(tmp_path: Path) -> None:
    make_bundle(1).lay_out(tmp_path)
    clock = Clock()
    application = PublishedPlane(tmp_path, clock=clock, patience=PATIENT)
    make_bundle(2).lay_out(tmp_path)
    remove_blob(tmp_path)
    clock.now = 1.0
    assert ask(application, XML).headers["ETag"] == etag_of(XML, 1)
    make_bundle(3).lay_out(tmp_path)
    clock.now = 2.0
    assert ask(application, XML).headers["ETag"] == etag_of(XML, 3)


def test_a_broken_first_edition_asks_to_wait(tmp_path: Path) -> None:
    make_bundle(2).lay_out(tmp_path)
    break_blob(tmp_path)
    assert ask(PublishedPlane(tmp_path), XML).status == 503


def test_an_older_edition_is_followed_when_the_operator_goes_back(tmp_path: Path) -> None:
    make_bundle(2).lay_out(tmp_path)
    application = PublishedPlane(tmp_path, clock=restless(), patience=PATIENT)
    make_bundle(1).lay_out(tmp_path, allow_older=True)
    assert ask(application, XML).headers["ETag"] == etag_of(XML, 1)


def held_back(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, threading.Event, Any]:
    """To read an edition takes until the second event; the first tells that it has begun."""
    begun, go_on, reads = threading.Event(), threading.Event(), count()

    def slow(*arguments: Any) -> Any:
        next(reads)
        begun.set()
        go_on.wait(60)
        return read_edition(*arguments)

    monkeypatch.setattr("app.published.group_plane.read_edition", slow)
    return begun, go_on, reads


def test_a_process_that_is_slow_to_read_asks_to_wait_where_others_have_the_new_edition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bundle(1).lay_out(tmp_path)
    quick = PublishedPlane(tmp_path, clock=restless(), patience=PATIENT)
    slow = PublishedPlane(tmp_path, clock=restless(), patience=0.01)
    make_bundle(2).lay_out(tmp_path)
    assert ask(quick, XML).headers["ETag"] == etag_of(XML, 2)
    _, go_on, reads = held_back(monkeypatch)
    for _ in range(9):
        answer = ask(slow, XML)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
    assert next(reads) == 1, "it is read once, whoever asks meanwhile"
    assert ask(quick, XML).headers["ETag"] == etag_of(XML, 2)
    go_on.set()
    reading = slow.root._reading
    reading.join(60)
    assert ask(slow, XML).headers["ETag"] == etag_of(XML, 2)


def test_an_event_loop_asks_whether_there_is_news_and_lets_another_read_it(
    tmp_path: Path,
) -> None:
    make_bundle(1).lay_out(tmp_path)
    site = PublishedPlane(tmp_path, clock=restless(), patience=PATIENT)
    assert not site.root.is_behind()
    make_bundle(2).lay_out(tmp_path)
    assert site.root.is_behind()
    at_once = site.root.answer_at_once(request_of(XML))
    assert at_once
    assert dict(at_once.headers)["ETag"] == etag_of(XML, 1), "it waits for nothing"
    site.root.catch_up()
    assert not site.root.is_behind()
    at_once = site.root.answer_at_once(request_of(XML))
    assert at_once
    assert dict(at_once.headers)["ETag"] == etag_of(XML, 2)


def test_an_edition_that_cannot_be_read_is_no_news_at_every_request(tmp_path: Path) -> None:
    make_bundle(1).lay_out(tmp_path)
    clock = Clock()
    site = PublishedPlane(tmp_path, clock=clock, patience=PATIENT)
    make_bundle(2).lay_out(tmp_path)
    remove_blob(tmp_path)
    assert site.root.is_behind()
    site.root.catch_up()
    assert not site.root.is_behind(), "nobody waits for it again"
    clock.now = 60.0
    assert site.root.is_behind()


def test_what_is_of_no_edition_goes_on_while_a_new_one_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bundle(1).lay_out(tmp_path)
    kept = lasting(1, {"registry.xml": ("application/xml", b"<registry/>")})
    kept.lay_out_for_ever(tmp_path)
    site = PublishedPlane(tmp_path, falls_through=True, clock=restless(), patience=0.01)
    alone = PublishedPlane(tmp_path, clock=restless(), patience=0.01)
    (own,) = (file.path for file in kept.manifest.files)
    make_bundle(2).lay_out(tmp_path)
    _, go_on, _ = held_back(monkeypatch)
    assert ask(site, XML).status == 503
    assert ask(site, own).status == 200, "what an edition keeps for ever is the same in all"
    assert site.answer(request_of("/requests/")) is None, "it falls through"
    refused = site.answer(request_of(XML, "POST"))
    assert refused is not None
    assert refused.status != 503
    assert ask(alone, "/healthz").status == 200
    go_on.set()
    site.root._reading.join(60)
    alone.root._reading.join(60)


def test_who_comes_while_another_waits_for_the_new_edition_waits_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bundle(1).lay_out(tmp_path)
    application = PublishedPlane(tmp_path, clock=restless(), patience=PATIENT)
    begun, go_on, _ = held_back(monkeypatch)
    make_bundle(2).lay_out(tmp_path)
    answers: list[str] = []
    readers = [
        threading.Thread(target=lambda: answers.append(ask(application, XML).headers["ETag"]))
        for _ in range(3)
    ]
    for reader in readers:
        reader.start()
    assert begun.wait(60)
    assert answers == []
    go_on.set()
    for reader in readers:
        reader.join(60)
    assert answers == [etag_of(XML, 2)] * 3


def test_a_download_that_has_begun_ends_with_the_edition_that_it_began_with(
    tmp_path: Path,
) -> None:
    def large(edition: int) -> dict[str, tuple[str, bytes]]:
        line = b"edition %d\n" % edition
        return {CSV: ("text/csv", line * (3 * LARGEST_READ // len(line)))}

    make_bundle(1, large(1)).lay_out(tmp_path)
    application = PublishedPlane(tmp_path, clock=restless(), patience=PATIENT)
    begun = application.answer(request_of(CSV))
    assert begun
    assert isinstance(begun.body, FileBody)
    pieces = iter(begun.body)
    got = next(pieces)
    make_bundle(2, large(2)).lay_out(tmp_path)
    assert ask(application, CSV).body == large(2)[CSV][1]
    assert application.edition == 2
    assert got + b"".join(pieces) == large(1)[CSV][1]
    begun.body.close()


EDITIONS = 50


@pytest.fixture
def quick_switches() -> Iterator[None]:
    """Threads take turns often, so that more of their interleavings are seen."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("quick_switches")
def test_eight_readers_see_whole_editions_in_order_while_fifty_are_laid_out(
    tmp_path: Path,
) -> None:
    make_bundle(1).lay_out(tmp_path)
    application = PublishedPlane(tmp_path, clock=restless(), patience=PATIENT)
    known = {
        (path, etag_of(path, n), http_date(n), contents(n)[path][1]): n
        for n in range(1, EDITIONS + 1)
        for path in (PAGE, XML)
    }
    over = threading.Event()
    seen: list[list[int | None]] = [[] for _ in range(8)]

    def read(mine: list[int | None]) -> None:
        while not over.wait(0.0005):  # so that the one who lays out gets its turn
            for path in (PAGE, XML):
                answer = ask(application, path)
                validators = answer.headers["ETag"], answer.headers["Last-Modified"]
                mine.append(known.get((path, *validators, answer.body)))

    readers = [threading.Thread(target=read, args=(mine,)) for mine in seen]
    for reader in readers:
        reader.start()
    try:
        for edition in range(2, EDITIONS + 1):
            make_bundle(edition).lay_out(tmp_path)
            over.wait(0.002)  # so that the readers get their turn
    finally:
        over.set()
        for reader in readers:
            reader.join(60)
    ask(application, XML)
    assert application.edition == EDITIONS
    for mine in seen:
        assert None not in mine, "an answer mixes two editions"
        assert mine == sorted(edition for edition in mine if edition is not None)
    assert len({edition for mine in seen for edition in mine}) > 2, "nobody saw a switch"


def test_who_looked_before_another_switched_does_not_switch_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bundle(1).lay_out(tmp_path)
    application, find = (
        PublishedPlane(tmp_path, clock=restless(), patience=PATIENT),
        group_plane._find_link,
    )
    looked_before = find(str(tmp_path / "current"))
    make_bundle(2).lay_out(tmp_path)
    assert ask(application, XML).headers["ETag"] == etag_of(XML, 2)
    looks = iter([looked_before])
    monkeypatch.setattr(group_plane, "_find_link", lambda path: next(looks, None) or find(path))
    assert ask(application, XML).headers["ETag"] == etag_of(XML, 2)
    assert application.edition == 2


def test_the_bundle_folder_is_found_from_its_link_alone(tmp_path: Path) -> None:
    bundle = make_bundle(1)
    bundle.lay_out(tmp_path / "old")
    (tmp_path / "old").rename(tmp_path / "new")
    assert (tmp_path / "new" / "current").readlink() == Path(bundle_path(bundle.manifest))
    assert ask(PublishedPlane(tmp_path / "new"), XML).status == 200
