"""The links to the changes of names, which copies follow: ``/names/feed`` says which feed it is,
and ``/names/changes?after=N`` has the changes."""

import json
import re
from typing import NamedTuple
from urllib.parse import parse_qsl

from app.assigned_names.assigned_name_records import HIGHEST_CHANGE
from app.assigned_names.name_prefixes import ALL_NAMES, MOST_BEGINNINGS, NamePart, read_part
from app.bundles.name_copies import MASKS, STATEMENTS
from app.bundles.name_mirror import UNDER, under_query
from app.problems import publication_codes
from app.published.group_plane import EditionView
from app.published.http.http_exchange import READS, Headers, HttpAnswer, HttpRequest, answer_options
from app.published.http.problems import NOT_ALLOWED, Problem, problem_answer
from app.published.names.bound_name_resolver import refuse_names
from app.published.names.copied_prefixes import told_of_prefixes
from app.published.names.name_answers import JSON, answer_unless_known, json_document
from app.published.names.name_copy_reader import (
    ChangesOfPart,
    NameCopyReader,
    NameCopyUnavailable,
    NameOutsidePart,
)
from app.published.names.name_targets import CHANGES, FEED, answer_elsewhere

JSON_LINES = "application/jsonl"
USUAL_LINES, MOST_LINES = 1_000, 5_000
_MOST_OTHERS = 5  # members of a question besides what names begin with
_MOST_MEMBERS = _MOST_OTHERS + MOST_BEGINNINGS
_DIGITS = len(str(HIGHEST_CHANGE))
_is_number = re.compile(f"[0-9]{{1,{_DIGITS}}}").fullmatch

MALFORMED = Problem(
    publication_codes.CHANGE_NUMBER_MALFORMED,
    "Use /names/changes?after=N. N is the number of the last change that you have, "
    f"with up to {_DIGITS} digits, or 0. Use &limit=M to set the number of lines "
    f"(default {USUAL_LINES:,}, at most {MOST_LINES:,}); long lines count more. Use "
    f"&under= with a prefix such as ark:12345/x5 to filter, up to {MOST_BEGINNINGS} "
    "times.",
)


class _FeedQuestion(NamedTuple):
    after: int
    most: int
    part: NamePart

    def path(self, after: int) -> str:
        limit = "" if self.most == USUAL_LINES else f"&limit={self.most}"
        return f"{CHANGES}?after={after}{limit}{under_query(self.part)}"


class NameChangeFeed:
    """Names in the order in which they were changed last, a line of JSON each, from the copy
    here."""

    def __init__(self, names: NameCopyReader, *, is_copy: bool) -> None:
        self._names, self._is_copy = names, is_copy

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
        except NameOutsidePart as error:
            return answer_elsewhere(error.part, request, is_copy=self._is_copy)

    def _tell(self, request: HttpRequest) -> HttpAnswer:
        try:
            told = self._names.meta() if self._names.version() else {}
            part = self._names.part() if told else ALL_NAMES
            of_prefixes = told_of_prefixes(self._names) if told else {MASKS: {}, STATEMENTS: {}}
        except NameCopyUnavailable as error:
            return refuse_names(error, request)
        document: dict[str, object] = {
            "feed": told.get("feed", ""),
            "last": told.get("last", 0),
            UNDER: part.beginnings,
            **of_prefixes,
        }
        text = json_document(document)
        return answer_unless_known(f"feed {text}", JSON, text, [], request)

    def _answer(self, asked: _FeedQuestion, request: HttpRequest) -> HttpAnswer:
        found, passed = self._found(asked)
        lines = "".join(one.line for one in found)
        told = found[-1].change if found else asked.after
        if passed > told:  # of other names, which are not told
            lines += json.dumps({"change": passed}, separators=(",", ":")) + "\n"
            told = passed
        fields: Headers = []
        if lines and told < self._names.last_change():
            fields = [("Link", f'<{asked.path(told)}>; rel="next"')]
        return answer_unless_known(f"{asked} {lines}", JSON_LINES, lines, fields, request)

    def _found(self, asked: _FeedQuestion) -> ChangesOfPart:
        if not self._names.version():
            # where nothing was copied yet, who follows has all of it, and asks again
            return ChangesOfPart([], asked.after)
        return self._names.changes_of(asked.part, asked.after, asked.most)


def _read_query(query: str) -> _FeedQuestion | None:
    try:
        members = parse_qsl(query, keep_blank_values=True, max_num_fields=_MOST_MEMBERS)
        part = read_part(value for name, value in members if name == UNDER)
    except ValueError:
        return None
    others = [one for one in members if one[0] != UNDER]
    given = dict(others)
    if len(others) > _MOST_OTHERS or len(given) != len(others):
        return None  # of two numbers nobody says which one is meant
    after, limit = given.get("after", "0"), given.get("limit", str(USUAL_LINES))
    if not (_is_number(after) and _is_number(limit) and int(limit)):
        return None
    return _FeedQuestion(int(after), min(int(limit), MOST_LINES), part)
