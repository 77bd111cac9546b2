"""What the tests of attacks borrow from those of the web and of the store."""

from tests.store.conftest import new_database
from tests.web.conftest import (
    both,
    dump,
    fleeting,
    fresh,
    ground,
    make_world,
    office,
    served,
    world,
)

__all__ = [
    "both",
    "dump",
    "fleeting",
    "fresh",
    "ground",
    "make_world",
    "new_database",
    "office",
    "served",
    "world",
]
