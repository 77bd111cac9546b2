"""What software does with a database that is not of its own version.

``python -m tests.store.going_on URL STEP...``, in a checkout of that software with this module and
``filling`` put into it: ``fill`` a database that newer software set up, ``go-on`` with a request
that stands there, or ``read`` the pages that most people read.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from flask import Flask

from app.config import Settings
from app.factory import create_app
from app.services.operations import database_binding
from app.services.registry import snapshots
from tests.store.filling import BEGUN, LATER, NOTICE, SECRET, fill, go_on

PAGES = ("/", "/requests/", "/requests/1", "/namespaces/quokka", "/editions/", "/appointments/")


def _fill(_app: Flask) -> None:
    snapshots.initialize(NOTICE, BEGUN, empty=True)
    fill(BEGUN)


def _go_on(_app: Flask) -> None:
    go_on(LATER)


def _read(app: Flask) -> None:
    client = app.test_client()
    for page in PAGES:
        answer = client.get(page)
        if answer.status_code != 200:
            raise SystemExit(f"{page}: {answer.status}")


STEPS: dict[str, Callable[[Flask], None]] = {"fill": _fill, "go-on": _go_on, "read": _read}


def main() -> None:
    url, *steps = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), database_url=url, secret_key=SECRET))
        with app.app_context():
            for step in steps:
                STEPS[step](app)
            database_binding.close_connections()


if __name__ == "__main__":
    main()
