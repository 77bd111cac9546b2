"""No ARK is led to a host that is this site's: its page is the answer, over a socket."""

from pathlib import Path

import pytest

from app import server
from app.cli import main
from app.config import read_settings
from app.factory import create_asgi
from app.front.asgi import AsgiFront
from app.front.connections import ConnectionLimits
from app.registration.declarations.registry_groups import NAAN_GROUP, RegistryGroup
from tests.front.test_connections import serving
from tests.published.arks import bundle_of_arks
from tests.published.bundles import make_bundle
from tests.published.test_names import ask as ask_socket


@pytest.fixture
def group() -> RegistryGroup:
    """The group of NAANs."""
    return NAAN_GROUP


def test_at_the_hosts_that_settings_name_an_ark_is_answered_with_its_page(
    group: RegistryGroup, tmp_path: Path
) -> None:
    """Section 7.1: beside the address of the registry, whose edition it is, by the settings."""
    given = {
        "URN_REGISTRY_BASE_URL": "https://library.example",
        "URN_REGISTRY_SMTP_URL": "smtp://mail.example",
        "URN_REGISTRY_OWN_HOSTS": "PID.example., doi.example",
    }
    site = read_settings(given, data_dir=tmp_path, secret_key="of a test" * 4)
    make_bundle().lay_out(site.published_dir)
    bundle_of_arks().lay_out(site.published_dir / group.folder)
    with serving(ConnectionLimits(), create_asgi(site)) as port:
        for ark in ("ark:12345/a", "ark:21345/a", "ark:b7280/a", "ark:30002/a"):
            answer = ask_socket(port, f"/{ark}")
            assert (answer.status, answer.headers["location"]) == (
                303,
                f"/names/{ark.replace('/', '%2F')}",
            )
        assert ask_socket(port, "/ark:20003/a").headers["location"] == "https://see.example/20003/a"


def test_a_copy_leads_no_ark_to_the_names_that_its_own_host_has(
    group: RegistryGroup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes by that setting alone: one that a site needs does not keep it from starting."""
    make_bundle().lay_out(tmp_path)
    bundle_of_arks().lay_out(tmp_path / group.folder)
    monkeypatch.setenv("URN_REGISTRY_BASE_URL", "https://library.example")  # which needs mail too
    served: list[AsgiFront] = []
    monkeypatch.setattr(server, "answer_until_stopped", lambda make, *_: served.append(make()))
    for said in (None, "PID.example., doi.example"):
        if said:
            monkeypatch.setenv("URN_REGISTRY_OWN_HOSTS", said)
        assert main(["serve", "--published", str(tmp_path), "--port", "0"]) == 0
        with serving(ConnectionLimits(), served[-1]) as port:
            there = [
                ask_socket(port, path).headers["location"]
                for path in ("/ark:21345/a", "/ark:b7280/a")
            ]
        assert all(one.startswith("/names/") for one in there) is bool(said), there
    monkeypatch.setenv("URN_REGISTRY_OWN_HOSTS", "https://pid.example")
    assert main(["serve", "--published", str(tmp_path), "--port", "0"]) == 2
