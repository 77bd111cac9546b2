"""The targets of NAANs and shoulders are asked as services of URNs are, on servers of the test."""

import socket
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from flask import Flask

from app.outside.public_connections import PublicDialer
from app.outside.service_probe import ServiceAnswer, ServiceProbe
from app.registration.declarations.naan_registries import NAANS
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.registration.naans.naan_records import NaanFile, NaanRecord, ShoulderRecord
from app.registration.records.naan_registrations import naan_row_of, registration_of
from app.registration.records.registry_records import Status
from app.resolution.ark_resolver import ark_sample
from app.resolution.ark_rules import ark_rules_of
from app.services.editions.version_history import history
from app.services.names import known_services
from app.services.names.known_services import ProbePacing
from app.services.registry.naan_import import import_naans
from app.services.registry.record_import import RecordImport, import_records
from app.store.database import db, read_transaction
from app.store.tables import ServiceCheck
from tests import factories
from tests.conftest import Clock
from tests.outside.test_fetching import serving, whole
from tests.services.test_service_health import MANNERS, Rest, mail
from tests.web.test_branches import well
from tests.web.visitor import Visitor

OUTSIDE, INSIDE = "127.0.0.1", "127.0.0.2"  # as what they are taken for here
INSIDE_WORDS = "The address or port isn’t public."
SITE = "https://registry.example"


def look_up(host: str, _port: int) -> Sequence[str]:
    return [INSIDE if host.startswith("inside") else OUTSIDE]


class NaanServers:
    """All hosts of some NAANs, behind one port; what each was asked is kept."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, connection: socket.socket, head: bytes) -> None:
        path, host = (part.split(b" ")[1].decode() for part in head.split(b"\r\n")[:2])
        self.asked.append(f"{host.partition('.')[0]}{path}")
        line = "503 Away" if host.startswith("fails") else "200 OK"
        connection.sendall(whole(b"", "404 Nothing" if path == "/ark:/" else line))


@pytest.fixture
def servers() -> NaanServers:
    return NaanServers()


@pytest.fixture
def probe() -> ServiceProbe:
    """One for which the loopback address of the servers stands for the Internet."""
    return ServiceProbe("test", dialer=PublicDialer(look_up, lambda found: found == OUTSIDE))


@pytest.fixture
def on_file(app: Flask, clock: Clock, servers: NaanServers) -> Iterator[None]:
    """NAANs whose targets behave, fail, are inside, are this site's, and are none."""
    with serving(servers) as url:
        port = urlsplit(url).port

        def naan(number: str, host: str, test_ark: str | None = None) -> NaanRecord:
            target = f"http://{host}.example:{port}/ark:/${{content}}"
            return NaanRecord(naan=number, holder="H", target=target, test_ark=test_ark)

        records = (
            naan("11111", "tested", "https://n2t.example/ark:/11-111/t1"),
            naan("22222", "fails", "ark:22222/t2"),
            naan("33333", "shared"),
            ShoulderRecord(naan="33333", shoulder="x5", target=naan("1", "shared").target),
            naan("44444", "inside"),
            naan("55555", "arks"),
            NaanRecord(naan="66666", target="N/A"),
            naan("77777", "shared", "ark:77777/t7"),
        )
        import_naans(NaanFile(records=records), clock.on(minutes=1))
        yield


def rows() -> dict[str, tuple[bool | None, str, str]]:
    """Whether each target answered, what is said of it, and which ARK it was asked for."""
    with read_transaction():
        found = db.session.query(ServiceCheck).filter(ServiceCheck.namespace.like("naan%"))
        return {one.namespace: (one.answers, one.words, one.urn) for one in found}


def test_targets_are_asked_for_their_test_arks_or_without_a_name(
    on_file: None, app: Flask, clock: Clock, servers: NaanServers, probe: ServiceProbe
) -> None:
    def ask(url: str, rest: Rest) -> ServiceAnswer:
        return (
            probe(url, rest)
            if "/ark:/" in url
            else ServiceAnswer(True, "The server answered.", 200)
        )

    factories.cast(clock())
    for _ in range(known_services.TELLING):
        known_services.check_daily(clock(), ask, MANNERS, SITE, ["ARKS.example:8000"])
        clock.on(days=1)
    answers = "The server answered."
    assert rows() == {
        "naan:11111": (True, answers, "ark:11111/t1"),
        "naan:22222": (False, "The server answered with an error.", "ark:22222/t2"),
        "naan:33333": (True, "The server answered, but has no page without an identifier.", ""),
        "naan-shoulder:33333/x5": (
            True,
            "The server answered, but has no page without an identifier.",
            "",
        ),
        "naan:44444": (False, INSIDE_WORDS, ""),
        "naan:77777": (True, answers, "ark:77777/t7"),
    }
    once = ["fails/ark:/22222/t2", "shared/ark:/", "shared/ark:/77777/t7", "tested/ark:/11111/t1"]
    assert sorted(servers.asked) == sorted(3 * once)
    ((todo, told),) = mail()
    assert todo == "No answer"
    assert "  ark:22222, target: The server answered with an error. Since " in told
    assert "  ark:44444, target: The address or port isn’t public" in told
    with read_transaction():
        assert len(history(NAAN_GROUP)) == 1


def test_what_was_seen_of_a_naan_is_shown_beside_what_was_seen_of_namespaces(
    on_file: None, app: Flask, clock: Clock, servers: NaanServers, probe: ServiceProbe
) -> None:
    stranger = Visitor(app)
    well(stranger.get("/resolvers/ark:22222"), "contact other servers")
    well(stranger.get("/resolvers/ark:66666"), "No services are registered")
    wanted = ["ark:22222", "ark:33333/X5"]
    found = list(known_services.check_now(clock(), probe, MANNERS, wanted))
    assert {one.service.namespace for one in found} == {"naan:22222", "naan-shoulder:33333/x5"}
    page = well(stranger.get("/resolvers/"), "1 answered, 1 did not", "ark:22222")
    assert "/naans/22222" in page.values("href", "a")
    well(
        stranger.get("/resolvers/ark:22222"),
        "The server answered with an error. (503)",
        "ark:22222/t2",
    )
    shoulder = well(stranger.get("/resolvers/ark:33333/x5"), "no page without an identifier")
    assert "/naans/33333/x5" in shoulder.values("href", "a")
    for text, there in (
        ("ARK:33-333/X5", "/resolvers/ark:33333/x5"),
        ("33333", "/resolvers/ark:33333"),
        ("urn:ISBN:", "/namespaces/isbn/resolvers"),
    ):
        assert stranger.get(f"/resolvers/{text}").location == there
    assert stranger.get("/resolvers/ark:88888").status == 404


def test_what_is_at_this_site_or_former_is_not_asked_and_no_page_waits_for_it(
    app: Flask, clock: Clock
) -> None:
    ours = app.extensions["settings"].site_hosts
    targets = {
        "11111": f"http://{ours[0]}/ark:${{content}}",
        "22222": "http://a.example/${content}",
    }
    records = [
        registration_of(NaanRecord(naan=naan, holder="H", target=target))
        for naan, target in targets.items()
    ]
    clock.on(minutes=1)
    import_records(RecordImport(records={NAANS.id: records}), clock())
    stranger = Visitor(app)
    well(stranger.get("/resolvers/ark:11111"), "No services are registered")
    well(stranger.get("/resolvers/ark:22222"), "contact other servers")
    former = replace(records[1], status=Status.FORMER)
    import_records(RecordImport(records={NAANS.id: [former]}), clock.on(minutes=1))
    well(stranger.get("/resolvers/ark:22222"), "No services are registered")
    asked: list[str] = []

    def ask(url: str, _rest: Rest) -> ServiceAnswer:
        asked.append(url)
        return ServiceAnswer(True, "The server answered.", 200)

    known_services.check_daily(clock(), ask, MANNERS, SITE, ours)
    assert asked
    assert not [url for url in asked if "a.example" in url or ours[0] in url]
    rules = ark_rules_of(naan_row_of(records[1]))
    assert ark_sample(rules) == ("", "http://a.example/")
    assert ark_sample(rules._replace(status=Status.FORMER)) is None


def test_no_host_is_asked_twice_within_the_pause_also_where_others_lead_to_it(
    app: Flask, clock: Clock, probe: ServiceProbe
) -> None:
    moment, asked = [0.0], list[tuple[str, float]]()

    def answer(connection: socket.socket, head: bytes) -> None:
        host = head.split(b"Host: ")[1].split(b".")[0].decode().lower()
        asked.append((host, moment[0]))
        there = f"Location: http://Common.example:{connection.getsockname()[1]}/{host}"
        connection.sendall(whole(b"", "200 OK" if host == "common" else "302 There", there))

    def rest(seconds: float) -> bool:
        moment[0] += seconds
        return True

    with serving(answer) as url:
        at = f":{urlsplit(url).port}/ark:/${{content}}"
        hosts = ("one", "two", "Common", "three")
        numbers = {f"1111{n}": f"http://{host}.example{at}" for n, host in enumerate(hosts)}
        records = tuple(
            NaanRecord(naan=naan, target=target, test_ark=f"ark:{naan}/t")
            for naan, target in numbers.items()
        )
        import_naans(NaanFile(records=records), clock.on(minutes=1))
        manners = ProbePacing(lambda: moment[0], rest)
        names = [f"ark:{one.naan}" for one in records]
        found = list(known_services.check_now(clock(), probe, manners, names))
    assert [one.answer and one.answer.words for one in found] == ["The server answered."] * 4
    common = [when for host, when in asked if host == "common"]
    assert len(common) == 4
    assert all(later - before >= known_services.PAUSE for before, later in pairwise(common))
