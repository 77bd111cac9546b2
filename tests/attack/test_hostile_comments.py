"""What strangers say of a text must not make the pages of its author slow."""

from functools import partial

import pytest
from flask import Flask

from app.registration.submissions.submission_rules import MOST_LINES
from app.services.accounts import sign_in
from app.services.requests import request_points
from app.services.requests.point_sources import RequestPoint, points_of
from app.store.tables import Request
from tests import factories
from tests.attack.cpu import least_cpu
from tests.attack.test_differences import LONG
from tests.conftest import Clock
from tests.web.visitor import Visitor

pytestmark = pytest.mark.cost

MOST = 0.5  # seconds of CPU of a page of its author
COMMENTS = 20
LINE = "x" * 14
BODIES = {
    "quotes by their number": "> 1: z\na\n" * 900,
    "quotes that stand nowhere": f"> {LINE}y\na\n" * 250,
    "paragraphs of nothing": "a\n\n" * 1900,
    "items that name a field": "- Purpose: why?\n> 1: z\n" * 400,
}
PATHS = ("/edit/name-and-purpose", "/check")


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.slow
def test_comments_do_not_make_the_pages_of_an_author_slow(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    app.extensions["now"] = clock
    people = factories.cast(clock())
    long = [name for name in LONG if name != "registrant"]  # whose text the factory writes
    texts = dict.fromkeys(long, "\n".join([LINE] * MOST_LINES)) | {"purpose": "z\n" * 9}
    number = factories.returned(people, clock(), **texts)
    for place in range(COMMENTS):
        said = f"{place}\n\n{BODIES[body]}"[:7990]
        factories.comment(number, people.rival, clock.on(minutes=10), said)
    monkeypatch.setattr(sign_in, "who", lambda *_: people.registrant)
    browser = Visitor(app, "token")
    reckoned = _calls(monkeypatch)
    for path in PATHS:
        assert browser.get(f"/requests/{number}{path}").status == 200  # what is kept is kept now
        assert (path, len(reckoned)) == (path, 1)
        took, _ = least_cpu(partial(browser.get, f"/requests/{number}{path}"), MOST)
        assert (path, took) <= (path, MOST)
        reckoned.clear()


def _calls(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """Each time that the points of a request are looked for."""
    calls: list[Request] = []

    def counted(request: Request) -> tuple[RequestPoint, ...]:
        calls.append(request)
        return points_of(request)

    monkeypatch.setattr(request_points, "points_of", counted)
    return calls
