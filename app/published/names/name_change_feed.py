"""The links to the changes of names, which copies follow: ``/names/feed`` says which feed it is,
and ``/names/changes?after=N`` has the changes."""

import re
from typing import NamedTuple
from urllib.parse import parse_qsl

from app.assigned_names.assigned_name_records import HIGHEST_CHANGE
from app.bundles.name_copies import MASKS, STATEMENTS
from app.problems import publication_codes
from app.published.group_plane import EditionView
from app.published.http.http_exchange import READS, Headers, HttpAnswer, HttpRequest, answer_options
from app.published.http.problems import NOT_ALLOWED, Problem, problem_answer
from app.published.names.bound_name_resolver import refuse_names
from app.published.names.copied_prefixes import told_of_prefixes
from app.published.names.name_answers import JSON, answer_unless_known, json_document
from app.published.names.name_copy_reader import NameCopyReader, NameCopyUnavailable
from app.published.names.name_targets import CHANGES, FEED

JSON_LINES = "application/jsonl"
USUAL_LINES, MOST_LINES = 1_000, 5_000
_MOST_MEMBERS = 5  # of a question
_DIGITS = len(str(HIGHEST_CHANGE))
_is_number = re.compile(f"[0-9]{{1,{_DIGITS}}}").fullmatch

MALFORMED = Problem(
    publication_codes.CHANGE_NUMBER_MALFORMED,
    "Use /names/changes?after=N. N is the number of the last change that you have, "
    f"with up to {_DIGITS} digits, or 0. Use &limit=M to set the number of lines "
    f"(default {USUAL_LINES:,}, at most {MOST_LINES:,}); long lines count more.",
)


class _FeedQuestion(NamedTuple):
    after: int
    most: int

    def path(self, after: int) -> str:
        limit = "" if self.most == USUAL_LINES else f"&limit={self.most}"
        return f"{CHANGES}?after={after}{limit}"


class NameChangeFeed:
    """Names in the order in which they were changed last, a line of JSON each, from the copy
    here."""

    def __init__(self, names: NameCopyReader) -> None:
        self._names = names

    def answer(self, request: HttpRequest, _view: EditionView) -> HttpAnswer | None:
        """Names whose last change is after a number, or which feed that is; None elsewhere."""
        if request.path not in (CHANGES, FEED):
            return None
        if request.method not in READS:
            is_asked = request.method == "OPTIONS"
            return answer_options() if is_asked else problem_answer(NOT_ALLOWED, request)
        if request.path == FEED:
            return self._tell(request)
        asked = _read_query(request.query)
        if asked is None:
            return problem_answer(MALFORMED, request)
        try:
            return self._answer(asked, request)
        except NameCopyUnavailable as error:
            return refuse_names(error, request)

    def _tell(self, request: HttpRequest) -> HttpAnswer:
        try:
            told = self._names.meta() if self._names.version() else {}
            of_prefixes = told_of_prefixes(self._names) if told else {MASKS: {}, STATEMENTS: {}}
        except NameCopyUnavailable as error:
            return refuse_names(error, request)
        document: dict[str, object] = {
            "feed": told.get("feed", ""),
            "last": told.get("last", 0),
            **of_prefixes,
        }
        text = json_document(document)
        return answer_unless_known(f"feed {text}", JSON, text, [], request)

    def _answer(self, asked: _FeedQuestion, request: HttpRequest) -> HttpAnswer:
        # where nothing was copied yet, who follows has all of it, and asks again
        has_names = bool(self._names.version())
        found = self._names.changes(asked.after, asked.most) if has_names else []
        lines = "".join(one.line for one in found)
        fields: Headers = []
        if found and found[-1].change < self._names.last_change():
            fields = [("Link", f'<{asked.path(found[-1].change)}>; rel="next"')]
        return answer_unless_known(f"{asked} {lines}", JSON_LINES, lines, fields, request)


def _read_query(query: str) -> _FeedQuestion | None:
    try:
        members = parse_qsl(query, keep_blank_values=True, max_num_fields=_MOST_MEMBERS)
    except ValueError:
        return None
    given = dict(members)
    if len(given) != len(members):
        return None  # of two numbers nobody says which one is meant
    after, limit = given.get("after", "0"), given.get("limit", str(USUAL_LINES))
    if not (_is_number(after) and _is_number(limit) and int(limit)):
        return None
    return _FeedQuestion(int(after), min(int(limit), MOST_LINES))
