"""What the attacks borrow from the tests of pages."""

from tests.web.conftest import ground, make_world, office

__all__ = ["ground", "make_world", "office"]
