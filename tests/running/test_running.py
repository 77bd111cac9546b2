"""What stays while something is away: the database, or the site that a copy was made of."""

import json
import os
from pathlib import Path

import pytest

from app.config import Settings
from app.factory import create_app
from app.services.operations import database_binding
from tests import factories
from tests.conftest import START, leave_out
from tests.postgresql import PostgreSQL, find_binaries
from tests.running.sites import (
    REGISTRY,
    Readers,
    command,
    environment,
    free_port,
    get,
    names_in,
    serving,
    set_up,
    wait_for,
    wait_for_all,
)
from tests.waiting import wait_until

READ = (
    *("/", REGISTRY, f"{REGISTRY}urn-namespaces.json", f"{REGISTRY}urn-namespaces.xml"),
    *("/namespaces/isbn", "/namespaces/isbn.json", "/editions/", "/editions/1/urn-namespaces.xml"),
)


def register(url: str, folder: Path, name: str) -> None:
    """Register a name, as another process on the same database."""
    app = create_app(Settings(data_dir=folder, database_url=url, secret_key="of a test"))
    with app.app_context():
        factories.registered(factories.cast(START), START, namespace_identifier=name)
        database_binding.close_connections()


def test_everything_published_is_answered_while_the_database_is_away(
    tmp_path: Path,
) -> None:
    binaries = find_binaries()
    if binaries is None:
        leave_out("PostgreSQL: no server is installed")
        raise AssertionError
    port = free_port()
    with PostgreSQL(binaries) as server:
        url = server.create()
        env = environment(tmp_path, port, DATABASE_URL=url)
        set_up(env=env)
        with serving(port, env=env):
            wait_for_all(port, f"{REGISTRY}urn-namespaces.json")
            with Readers(port, READ) as readers:
                server.stop()
                assert get(port, "/requests/")[0] == 503
                answered = readers.answers
                wait_until(lambda: readers.answers > answered + 5 * len(READ))
                server.start()
                register(url, tmp_path, "quokka")
                wait_for(port, f"{REGISTRY}urn-namespaces.json", b'"quokka"')
            assert readers.wrong[:9] == []
            assert "quokka" in names_in(get(port, "/editions/2/urn-namespaces.json")[2])
            assert get(port, "/requests/")[0] == 200


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, str]]:
    """A registry that was set up but is not served yet."""
    port = free_port()
    env = environment(tmp_path_factory.mktemp("source"), port)
    set_up(env=env)
    return port, env


@pytest.mark.slow
def test_a_copy_follows_a_registry_and_serves_it_alone(
    source: tuple[int, dict[str, str]], tmp_path: Path
) -> None:
    port, env = source
    copy, own = tmp_path / "copy", free_port()
    kept = {}
    with serving(port, "--workers", "1", env=env):
        wait_for_all(port, "/.well-known/urn-registry/manifest.json")
        command("registry", "mirror", f"http://127.0.0.1:{port}", "-o", str(copy), env=env)
        for path in (*READ, "/static/ui.css", "/robots.txt", "/sitemap.xml"):
            kept[path] = get(port, path)
    with serving(own, "--workers", "1", "--published", str(copy), env=dict(os.environ)):
        for path, (status, headers, body) in kept.items():
            answer = get(own, path)
            assert (answer[0], answer[2]) == (status, body) == (200, body), path
            assert answer[1]["ETag"] == headers["ETag"]
            assert get(own, path, If_None_Match=headers["ETag"])[0] == 304
        assert get(own, "/requests/")[0] == 404
        assert json.loads(get(own, "/readyz")[2])["edition"] == 1
