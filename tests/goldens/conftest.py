"""What these tests borrow: a world with everybody in it who may ask, and empty databases."""

from tests.attack.tables.conftest import world
from tests.store.conftest import new_database
from tests.web.conftest import make_world

__all__ = ["make_world", "new_database", "world"]
