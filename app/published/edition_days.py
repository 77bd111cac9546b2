"""The link to an edition of a day: ``?as-of=2021-05-01``, told from what is laid out here."""

import re
from datetime import datetime
from urllib.parse import parse_qs

from app.exports.content.file_names import registry_folder
from app.exports.editions.edition_list import edition_path, end_of_day
from app.published.chain import FALL_THROUGH, EditionView
from app.published.edition_history import EditionHistory
from app.published.http.file_answers import redirect_for_now
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import NO_DAY, NO_EDITION_OF_DAY, Problem, problem_answer
from app.published.names.name_targets import is_page_of_group, segment_asked
from app.registration.declarations.name_addresses import is_below_names
from app.resolution.name_paths import NAMES

_AS_OF = "as-of"
_ASKED = re.compile(rf"(?:^|&){_AS_OF}=")
_MOST_MEMBERS = 20


class EditionDays:
    """Leads from a page or a file to the one of the edition that stood on a day.

    ``is_copy``: nobody behind says why there is no edition of a day.
    """

    def __init__(self, *, is_copy: bool) -> None:
        self._is_copy = is_copy

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The way to the edition of the day; None where no day is asked for."""
        if not (request.query and names_a_day(request.query) and request.method in READS):
            return None
        is_of_one = is_page_of_group(request.path, view.group)
        if not (is_of_one or _has_days(request, view)):
            return None
        view.check_current()
        there = _find_of_day(request, view)
        if there is not None:
            return redirect_for_now(there)
        is_last = self._is_copy or is_of_one
        return problem_answer(no_edition_of_day(request), request) if is_last else FALL_THROUGH


def names_a_day(query: str) -> bool:
    return _ASKED.search(query) is not None


def find_edition_of_day(query: str, history: EditionHistory) -> int | None:
    """The edition that stood at the end of the day that a query names, in UTC. Raises Damaged."""
    end = _find_end(query)
    numbers = history.numbers() if end else []
    return next((n for n in reversed(numbers) if end and history.moment(n) <= end), None)


def no_edition_of_day(request: HttpRequest) -> Problem:
    return NO_EDITION_OF_DAY if _find_end(request.query) else NO_DAY


def _find_end(query: str) -> datetime | None:
    try:
        (asked,) = parse_qs(query, max_num_fields=_MOST_MEMBERS).get(_AS_OF, [""])
        return end_of_day(asked.strip())  # of two days neither is meant more than the other
    except ValueError:
        return None


def _has_days(request: HttpRequest, view: EditionView) -> bool:
    path, group = request.path, view.group
    is_of_registry = path.startswith(registry_folder(group.id))
    has_days = path == group.editions or is_of_registry or is_below_names(path, group)
    return has_days and view.edition.find(path) is not None


def _find_of_day(request: HttpRequest, view: EditionView) -> str | None:
    group, path = view.group, request.path
    number = find_edition_of_day(request.query, view.history)
    if number is None:
        return None
    if is_below_names(path, group):
        return edition_path(number, path[1:], group.id)
    if is_page_of_group(path, group):
        return edition_path(number, f"{NAMES[1:]}{segment_asked(request)}", group.id)
    file = path.rpartition("/")[2] if path.startswith(registry_folder(group.id)) else ""
    there = edition_path(number, file, group.id)
    # older software kept fewer formats
    return there if view.history.find_file(there) else edition_path(number, group=group.id)
