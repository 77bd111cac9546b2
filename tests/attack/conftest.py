"""What the tests of attacks borrow from those of the web."""

from tests.web.conftest import fresh, make_world, world

__all__ = ["fresh", "make_world", "world"]
