"""What the tests of attacks borrow from those of the web and of the store."""

from tests.store.conftest import new_database
from tests.web.conftest import fresh, make_world, world

__all__ = ["fresh", "make_world", "new_database", "world"]
