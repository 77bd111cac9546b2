"""The worlds and visitors of the tests of pages serve here too."""

from tests.web.conftest import *  # noqa: F403
