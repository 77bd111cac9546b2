"""The fixtures of the web's tests, and a world with everybody in it who may ask."""

import pytest

from app.services import publishing
from tests.attack.people import with_everybody
from tests.factories import PLACE
from tests.web.conftest import *  # noqa: F403
from tests.web.conftest import MakeWorld, World


@pytest.fixture(scope="package")
def world(make_world: MakeWorld, tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world whose editions are built, as they are a moment after each decision."""
    made = with_everybody(make_world(tmp_path_factory.mktemp("attacked")))
    with made.app.app_context():
        publishing.build_pending(None, PLACE)
    return made
