"""Files of NAANs in the JSON of the ARK Alliance, as its schema PublicNAAN has them, and dirty."""

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.registration.naans.json_values import DEPTH, UnreadableNaanFile
from app.registration.naans.known_members import without_unknown
from app.registration.naans.naan_json import read_naan_json, write_naan_json
from app.registration.naans.naan_records import NaanFile, NaanRecord, ShoulderRecord
from tests.registration.naans.made_records import LIBRARY, RECORDS, SHOULDER, entry_of, file_of
from tests.torture.conftest import rounds

UTF_8_MARK = b"\xef\xbb\xbf"


def test_each_dated_state_is_read_without_a_finding_and_written_to_the_byte(
    naan_states: list[tuple[bytes, NaanFile]],
) -> None:
    assert len(naan_states) == 6
    for data, file in naan_states:
        assert write_naan_json(file) == data
        assert file.findings == ()
    newest = naan_states[-1][1]
    assert (len(newest.naans), len(newest.shoulders)) == (1432, 368)


UNKNOWN = (
    *("contact", "alternate_contact", "homeAddress", "!x", "comments", "email", "existingpractice"),
    *("kontakt", "requester", "adminName", "mailbox", "Adresse", "provider", "Where", "who ", ""),
    *("\uff23\uff2f\uff2e\uff34\uff21\uff23\uff34", "a/b~c", "http_code", "records"),
)


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.parametrize("secret", ["marker", ["marker"], {"what": "marker"}, [{"who": "marker"}]])
def test_a_member_that_no_file_of_naans_has_is_told_and_nowhere_kept(
    name: str, secret: object
) -> None:
    """Whatever it is called: nobody can list what people call a contact."""
    own = entry_of(who={"name": "Utopia", "name_native": None, "acronym": None, name: secret})
    dirty = own | {name: secret, "purpose": {name: secret, "deep": secret}}
    file = read_naan_json(file_of(dirty, dirty, {"what": "", name: secret}, **{name: secret}))
    told = [one for one in file.findings if one.code == "unknown_member"]
    assert len(told) == 10
    assert "/data/0/who/" in told[0].place
    assert "private" in told[0].message
    assert "marker" not in repr(file)
    assert b"marker" not in write_naan_json(file)
    assert read_naan_json(write_naan_json(file)).findings == tuple(
        one for one in file.findings if one.code != "unknown_member"
    )


def test_a_member_that_no_metadata_have_is_told_and_nowhere_kept() -> None:
    metadata = {"version": "1.0", "description": "Ours", "by": "marker", "contact": {"x": "marker"}}
    file = read_naan_json(file_of(entry_of(), metadata=metadata))
    assert file.metadata == (("version", "1.0"), ("description", "Ours"))
    assert [one.place for one in file.findings] == ["/metadata/by", "/metadata/contact"]
    assert b"marker" not in write_naan_json(file)


def test_a_clean_file_gives_its_facts_and_no_finding() -> None:
    file = read_naan_json(file_of(entry_of(LIBRARY), entry_of(SHOULDER)))
    assert file == NaanFile(metadata=(("version", "1.0"),), records=(LIBRARY, SHOULDER))
    assert file.findings == ()


# What stands in the place of an entry, the codes that it is told by, and how many records it gives.
DIRT: tuple[tuple[object, list[str], int], ...] = (
    (entry_of(what=""), ["no_name"], 0),
    (entry_of(what=17), ["no_name"], 0),
    (entry_of(what="\ud800"), ["no_name"], 0),
    (["24680"], ["no_name"], 0),
    (entry_of(purpose=[1.5, None]), ["unread_value"], 1),
    (entry_of(who="Utopia"), ["unread_value"], 1),
    (entry_of(where=None), ["unread_value"], 1),
    (entry_of(where="a\0b"), ["unread_value"], 1),
    (entry_of(where="\udc00"), ["unread_value"], 1),
    (entry_of(target={"url": "http://a.example/${pid}", "http_code": 301}), ["unread_value"], 1),
    (entry_of(target={"url": "http://a.example/${pid}", "http_code": 302.0}), ["unread_value"], 1),
    (entry_of(target={"url": "http://a.example/${pid}", "http_code": True}), ["unread_value"], 1),
    (entry_of(target="http://a.example/${pid}"), [], 1),  # as the schema has it
    (entry_of(target=10**40), ["unread_value"], 1),
    (entry_of(rtype="Other"), ["unread_value"], 1),
    ({"what": "24680"}, ["absent_member"] * 5, 1),
    (entry_of(SHOULDER, what="24680/y7"), ["unread_value"], 1),
    (entry_of(SHOULDER, naan=None), ["unread_value"], 1),
    (entry_of(SHOULDER, naan="", what="x"), ["no_name"], 0),
)


@pytest.mark.parametrize(("entry", "codes", "count"), DIRT)
def test_dirt_is_told_with_its_place_and_written_again(
    entry: object, codes: list[str], count: int
) -> None:
    data = file_of(entry)
    file = read_naan_json(data)
    assert [finding.code for finding in file.findings] == codes
    assert all(finding.place.startswith("/data/0") for finding in file.findings)
    assert len(file.records) == count
    assert _same(write_naan_json(file), data)


def test_a_name_that_stands_twice_in_another_case_is_kept_at_its_place_and_told() -> None:
    data = file_of(entry_of(what="b7280"), entry_of(what="B72-80", where="x"), entry_of(SHOULDER))
    file = read_naan_json(data)
    assert [record.name for record in file.records] == ["b7280", "24680/x5"]
    assert [(one.code, one.place, one.name) for one in file.findings] == [
        ("duplicate", "/data/1", "B72-80")
    ]
    assert write_naan_json(file) == write_naan_json(read_naan_json(write_naan_json(file)))
    assert _same(write_naan_json(file), data)


def test_metadata_that_are_no_texts_are_kept_and_told() -> None:
    data = file_of(entry_of(), metadata={"version": 1, "updated": {}, "description": "x"})
    file = read_naan_json(UTF_8_MARK + data)
    assert file.metadata == (("description", "x"),)
    assert [one.code for one in file.findings] == [*["unread_value"] * 2, "byte_order_mark"]
    assert _same(write_naan_json(file), data)


def test_what_was_kept_of_a_fact_is_not_written_over_a_new_one() -> None:
    data = file_of(entry_of(who=17, where=5, purpose=1))
    file = read_naan_json(data)
    record = replace(file.records[0], holder="Utopia")
    written = json.loads(write_naan_json(replace(file, records=(record,))))["data"][0]
    assert written["who"] == {"name": "Utopia", "name_native": None, "acronym": None}
    assert (written["where"], written["purpose"]) == (5, 1)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"", "line 1, column 1"),
        (b'{"data": [}', "line 1, column 11"),
        (b"[]", ""),
        (b"{}", "/data"),
        (b'{"data": {}}', "/data"),
        (b'{"data": [], "data": []}', ""),
        (b'{"data": [{"what": "24680", "who": {"name": "a", "name": "b"}}]}', "/data/0/who"),
        (b'{"data": [{"what": NaN}]}', "/data/0/what"),
        (b'{"data": [-Infinity]}', "/data/0"),
        (b'{"data": [{"\\ud83d": 1}]}', "/data/0"),
        (b'{"data": ["\xff"]}', "byte 11"),
        ('{"data": []}'.encode("utf-16"), "byte 0"),
        (b'{"data":' * 1_000_000, ""),
        (b"[" * 1_000_000, ""),
        (b'{"data": ' + b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1) + b"}", "/data" + "/0" * DEPTH),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_no_file_of_naans_is_refused_with_the_place(data: bytes, place: str) -> None:
    with pytest.raises(UnreadableNaanFile) as caught:
        read_naan_json(data)
    assert caught.value.place == place
    assert str(caught.value).isprintable()


def test_numbers_beyond_what_a_program_holds_are_kept_as_they_are_spelled() -> None:
    for number in ("1e999", "-0", "9" * 5000, "1.10", "1E2"):
        data = file_of(entry_of(purpose="HERE")).replace(b'"HERE"', number.encode())
        assert f'"purpose": {number}'.encode() in write_naan_json(read_naan_json(data))


@settings(max_examples=20, deadline=None)
@given(RECORDS)
def test_records_are_written_and_read_again(records: list[Any]) -> None:
    file = NaanFile(records=tuple(records))
    assert read_naan_json(write_naan_json(file)) == file


_LEAF = st.none() | st.booleans() | st.integers() | st.floats(-1, 1) | st.text(max_size=3)
_NAMES = st.sampled_from(["url", "name", "a/b", "~"])
_JUNK = _LEAF | st.lists(_LEAF, max_size=2) | st.dictionaries(_NAMES, _LEAF, max_size=2)


@settings(max_examples=rounds(50, 20), deadline=None)
@given(st.data())
def test_whatever_stands_where_a_fact_belongs_the_same_json_is_written(data: st.DataObject) -> None:
    """But for members within it that no such file has."""
    entry = copy.deepcopy(data.draw(st.sampled_from([entry_of(LIBRARY), entry_of(SHOULDER)])))
    for place in data.draw(st.lists(st.sampled_from([*entry, "who.name", "target.http_code"]))):
        first, _, second = place.partition(".")
        inner = entry[first] if second and isinstance(entry[first], dict) else entry
        inner[second if inner is not entry else first] = data.draw(_JUNK)
    file = read_naan_json(file_of(entry))
    known, _ = without_unknown({"data": [entry]})
    assert _same(write_naan_json(file), file_of(*known["data"]))
    assert all(isinstance(one, NaanRecord | ShoulderRecord) for one in file.records)


def _same(one: bytes, other: bytes) -> bool:
    """Whether two files are equal as JSON, where ``1`` is neither ``1.0`` nor ``true``."""
    return _spelled(one) == _spelled(other)


def _spelled(data: bytes) -> str:
    return json.dumps(json.loads(data, parse_float=lambda text: f"number {text}"), sort_keys=True)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ('{"what": "12345", "who": {"name": "A"}}', "the record of one NAAN or shoulder, `12345`"),
        ('[{"what": "12345"}]', 'Put it in an object: `{"data": LIST}`'),
        ('{"records": {}}', "an object with a list of records"),
        ('{"data": {}}', "an object with a list of records"),
    ],
)
def test_records_without_their_list_are_told_how_to_wrap_them(document: str, message: str) -> None:
    with pytest.raises(UnreadableNaanFile) as caught:
        read_naan_json(document.encode())
    assert message in str(caught.value)
    assert '{"data": ' in str(caught.value)
