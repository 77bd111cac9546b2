"""The tour through the demonstration: its bar on a page, told by the address of that alone."""

from collections.abc import Mapping

from flask import request

from app.pages.site.chrome import TourBar
from app.services.operations import demo_tour
from app.web.middleware.session import now, settings

TOUR = "tour"  # of the query: the number of the stop


def find_tour_bar() -> TourBar | None:
    """The bar of the stop that an address tells; None for another page, and outside of a
    demonstration."""
    asked = request.args.get(TOUR, "")
    if not settings().demo or asked not in _NUMBERS:
        return None
    stops, number = demo_tour.stops(now()), int(asked)
    if number > len(stops) or stops[number - 1].path != request.path:
        return None
    paths = [f"{stop.path}?{TOUR}={place}" for place, stop in enumerate(stops, 1)]
    here = stops[number - 1]
    return TourBar(
        number=number,
        count=len(stops),
        sentence=here.sentence,
        beside=here.beside,
        leave=here.path,
        previous="".join(paths[number - 2 : number - 1]),
        following="".join(paths[number : number + 1]),
    )


_NUMBERS = tuple(str(place) for place, _ in enumerate(demo_tour.TOUR, 1))


def questions_of_page() -> Mapping[str, str]:
    """What an address asks of its page: all but the stop of the tour, in a demonstration."""
    is_tour = settings().demo
    return {name: text for name, text in request.args.items() if not (is_tour and name == TOUR)}
