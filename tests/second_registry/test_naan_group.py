"""The group of NAANs passes what the group passes that tests make up."""

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import NAAN_GROUP, URN_GROUP
from tests.conftest import Clock
from tests.published.bundles import restless
from tests.second_registry import test_two_groups as two_groups

ENGINE = [
    two_groups.test_a_copy_answers_at_the_paths_of_each_group,
    two_groups.test_what_each_group_says_of_its_other_forms_leads_to_its_own_paths,
    two_groups.test_each_group_switches_when_its_own_edition_comes,
    two_groups.test_a_broken_bundle_of_one_group_leaves_the_other_as_it_was,
    two_groups.test_the_registry_has_the_pages_of_each_group,
    two_groups.test_a_list_is_of_one_group_alone,
]


@pytest.fixture
def folder(app: Flask, clock: Clock, tmp_path: Path) -> Path:
    """Two editions of each group, laid out."""
    published = tmp_path / "published"
    two_groups.opened(NAAN_GROUP, clock, "Maps of the sea.")
    two_groups.opened(URN_GROUP, clock, "Books.")
    two_groups.opened(NAAN_GROUP, clock, "Maps of the land.")
    two_groups.lay_out(published, clock)
    return published


@pytest.fixture
def plane(folder: Path) -> PublishedPlane:
    """What is published, without anybody behind."""
    return PublishedPlane(folder, clock=restless())


@pytest.fixture
def client(folder: Path, app: Flask) -> FlaskClient:
    """The registry behind, which makes its pages anew."""
    return app.test_client()


@pytest.mark.parametrize("test", ENGINE, ids=lambda test: test.__name__)
@pytest.mark.slow
def test_naans_pass_what_the_group_passes_that_is_made_up(
    test: Callable[..., None],
    plane: PublishedPlane,
    client: FlaskClient,
    folder: Path,
    clock: Clock,
) -> None:
    there = {"plane": plane, "client": client, "folder": folder, "clock": clock}
    asked = inspect.signature(test).parameters.keys() - {"group"}
    test(**{name: there[name] for name in asked}, group=NAAN_GROUP)
