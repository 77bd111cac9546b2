"""What the tests of the pages share."""

import json
from pathlib import Path

import pytest

from app import bundled
from app.pages.site.chrome import Chrome, NavigationLink
from app.pages.site.published_site import Site
from app.registration.records.record_documents import snapshot_read
from app.registration.records.registry_records import RegistrySnapshot

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


@pytest.fixture(scope="session")
def site() -> Site:
    """The pages, made from the project's own templates."""
    return Site(TEMPLATES)


@pytest.fixture(scope="session")
def snapshot() -> RegistrySnapshot:
    """The registry as it is shipped."""
    return snapshot_read(json.loads(bundled.read()))


@pytest.fixture
def chrome() -> Chrome:
    """A shell with something in each of its members."""
    return Chrome(
        demo=True,
        notice="This registry is private.",
        nav=(
            NavigationLink("Registry", "/assignments/urn-namespaces/"),
            NavigationLink("Review", "/review/", count=3),
        ),
        account=NavigationLink("Sign in", "/sign-in"),
        canonical="https://registry.example",
        new_request="/requests/new",
        name_check="/tools/nid",
        appointments="/appointments/",
    )
