"""A source of names that is hostile or broken: nothing of it is kept, printed or followed for ever
that could not be kept at home."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from app.assigned_names.assigned_name_records import HIGHEST_CHANGE
from app.assigned_names.bound_names import LONGEST_LINE, LONGEST_TEXT
from app.assigned_names.name_checks import ELEMENT_LIMIT, FIELD_LIMITS
from app.bundles import name_mirror, source_checks
from app.bundles.copied_changes import BadNameChange, copied_batches
from app.bundles.mirror import MirrorSourceError
from app.bundles.name_copies import NAMES_FOLDER, NameCopyWriter
from app.bundles.name_mirror import mirror_names
from app.bundles.source_checks import read_feed, read_source_change

NAME: Mapping[str, Any] = {"change": 1, "name": "ark:12345/x5a", "state": "public"}
FEED: Mapping[str, Any] = {"feed": "one", "last": 9}


class Source:
    """Answers as a site whose feed and changes a test tells; ``asked`` is how often."""

    def __init__(self, feed: Mapping[str, Any], *changes: Mapping[str, Any]) -> None:
        self.feed, self.changes, self.asked = feed, changes, 0

    def __call__(self, url: str, take: Any, _largest: int) -> int:
        if url.endswith("/names/feed"):
            take(json.dumps(self.feed).encode())
            return 200
        self.asked += 1
        after = int(parse_qs(urlsplit(url).query)["after"][0])
        for change in self.told(after):
            take(json.dumps(change).encode() + b"\n")
        return 200

    def told(self, after: int) -> Iterator[Mapping[str, Any]]:
        """The changes after one."""
        return (one for one in self.changes if one["change"] > after)

    def mirrored(self, folder: Path) -> int | None:
        """The last change of a copy that follows it."""
        return mirror_names("https://odd.example", folder, self)


def line_of(change: Mapping[str, Any]) -> bytes:
    """A change as a line."""
    return json.dumps(change).encode()


@pytest.mark.parametrize(
    "told",
    [
        {"elements": [["what", "a"]] * (ELEMENT_LIMIT + 1)},
        {"elements": [["what", "a" * (FIELD_LIMITS["element"] + 1)]]},
        {"elements": [["what", "a\ud800"]]},
        {"elements": [["wh\nat", "a"]]},
        {"persistence": "a" * (FIELD_LIMITS["persistence"] + 1)},
        {"persistence": "\u202egnp.exe"},
        {"persistence": "\u3164"},
        {"target": "https://a.example/\ud800"},
        {"target": "https://127.0.0.1/"},
        {"target": "http://10.0.0.7:8080/admin"},
        {"target": "javascript:alert(1)"},
        {"target": "https://a.example/".ljust(FIELD_LIMITS["target"] + 1, "a")},
        {"state": "withdrawn", "since": "\ud800"},
        {"state": "withdrawn", "successor": "https://[::1]/"},
        {"state": "\x1b]0;owned\x07"},
        {"name": "ark:12345/\ud800"},
        {"name": "ARK:12345/X-5"},
        {"name": "ark:12345/<script>"},
        {"name": ""},
        {"redirect": 302.0},
        {"redirect": True},
        {"change": 0},
        {"change": True},
        {"change": HIGHEST_CHANGE + 1},
        {"change": 2**63 - 1},
    ],
)
def test_what_could_not_be_kept_at_home_is_no_change_of_a_source(told: dict[str, Any]) -> None:
    assert read_source_change(line_of(NAME)) == NAME
    with pytest.raises(BadNameChange) as refused:
        read_source_change(line_of({**NAME, **told}))
    assert str(refused.value).isprintable() and str(refused.value).isascii()


def test_a_line_that_is_longer_than_any_name_is_not_read() -> None:
    with pytest.raises(BadNameChange, match="too long"):
        read_source_change(b'{"change":1,"x":"' + b"a" * (4 << 20) + b'"}')


@pytest.mark.parametrize("prefix", ["", "urn:old-bridges:\ud800", "<b>", "ark:1\r\n", "ARK:12345/"])
@pytest.mark.parametrize("member", ["masks", "statements"])
def test_a_source_tells_of_prefixes_in_their_normal_form_alone(member: str, prefix: str) -> None:
    said: object = "" if member == "masks" else {}
    assert read_feed(line_of({**FEED, member: {"ark:12345/": said}})).of_prefixes[member]
    with pytest.raises(ValueError, match=r".") as refused:
        read_feed(line_of({**FEED, member: {prefix: said}}))
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    "told",
    [
        {"feed": "\ud800"},
        {"feed": "a" * 201},
        {"feed": 7},
        {"last": None},
        {"last": -1},
        {"last": HIGHEST_CHANGE + 1},
        {"last": 1.0},
        {"masks": {"ark:12345/x5": "e" * 65}},
        {"masks": {"ark:12345/x5": 7}},
        {"masks": {"ark:12345/x5": "e\x1b"}},
        {"statements": {"ark:12345/x5": {"holder": "a" * (LONGEST_LINE + 1)}}},
        {"statements": {"ark:12345/x5": {"holder": "a\nb"}}},
        {"statements": {"ark:12345/x5": {"holder": "\u115f"}}},
        {"statements": {"ark:12345/x5": {"policy": "a" * (LONGEST_TEXT + 1)}}},
        {"statements": {"ark:12345/x5": {"persistence": "a\u202eb"}}},
        {"statements": {"ark:12345/x5": {"persistence": "a\ud800"}}},
    ],
)
def test_what_a_source_tells_of_its_feed_is_judged_as_it_is_at_home(told: dict[str, Any]) -> None:
    assert read_feed(line_of(FEED)).last == 9
    with pytest.raises(ValueError, match=r".") as refused:
        read_feed(line_of({**FEED, **told}))
    assert str(refused.value).isprintable() and str(refused.value).isascii()


def test_a_source_tells_of_no_more_prefixes_than_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_checks, "MOST_PREFIXES", 1)
    with pytest.raises(ValueError, match="2 prefixes"):
        read_feed(line_of({**FEED, "masks": {"ark:12345/a": "", "ark:12345/b": ""}}))


def test_a_policy_of_several_lines_is_taken_as_it_stands() -> None:
    said = {"ark:12345/x5": {"policy": "One.\r\n\r\n\tTwo."}}
    assert read_feed(line_of({**FEED, "statements": said})).of_prefixes["statements"] == said


def test_a_bad_change_ends_a_run_with_its_number_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    source = Source(FEED, NAME, {**NAME, "change": 2, "target": "https://a.example/\ud800"})
    with pytest.raises(MirrorSourceError, match="invalid change: Change 2"):
        source.mirrored(tmp_path)
    assert NameCopyWriter(tmp_path / NAMES_FOLDER).last_change() == 0


def test_nothing_is_taken_above_the_last_change_that_the_feed_told(tmp_path: Path) -> None:
    above = {**NAME, "change": 10, "name": "ark:12345/x5b"}
    feed = FEED
    assert Source(feed, NAME, above).mirrored(tmp_path) == 1
    assert Source({**feed, "last": 10}, NAME, above).mirrored(tmp_path) == 10
    alone = {"change": HIGHEST_CHANGE}
    with suppress(MirrorSourceError):
        Source({**feed, "last": 11}, NAME, above, alone).mirrored(tmp_path)
    assert NameCopyWriter(tmp_path / NAMES_FOLDER).last_change() == 10


def test_a_source_that_sends_more_lines_than_were_asked_for_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_mirror, "_LINES", 1)
    many = [{**NAME, "change": number} for number in range(1, 4)]
    with pytest.raises(MirrorSourceError, match="more lines"):
        Source(FEED, *many).mirrored(tmp_path)


def test_a_number_that_could_not_be_asked_after_is_kept_in_no_copy() -> None:
    last = {**NAME, "change": HIGHEST_CHANGE}
    assert [one.last for one in copied_batches([last], 0)] == [HIGHEST_CHANGE]
    with pytest.raises(BadNameChange):
        list(copied_batches([{**NAME, "change": HIGHEST_CHANGE + 1}], 0))
