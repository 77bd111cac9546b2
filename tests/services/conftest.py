"""What the tests of services borrow from those of the store."""

from tests.store.conftest import new_database

__all__ = ["new_database"]
