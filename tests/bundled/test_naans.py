"""The NAANs and shoulders as shipped."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import bundled
from app.registration.naans.json_values import UnreadableNaanFile, json_text
from app.registration.naans.naan_documents import naan_file_from, naan_record_from
from app.registration.naans.naan_json import read_naan_json, write_naan_json
from app.registration.naans.naan_records import NaanFile, UnreadValue
from tests.bundled.naan_lines import naan_file_to, naan_record_to
from tests.registration.naans.made_records import LIBRARY, SHOULDER


def test_the_shipped_records_are_those_of_the_file_of_the_ark_alliance(shared: Path) -> None:
    source = shared / "data" / "ark" / "naan_records.json"
    if not source.is_file():
        pytest.skip(f"no file of NAANs at {source}")
    theirs = read_naan_json(source.read_bytes())
    metadata = theirs.metadata
    assert naan_file_from(bundled.naans()) == replace(theirs, metadata=metadata)


def test_each_record_is_a_line_in_the_form_in_which_records_are_shipped() -> None:
    data = bundled.naans()
    file = naan_file_from(data)
    assert (len(file.naans), len(file.shoulders)) == (1432, 368)
    assert naan_file_to(file) == data
    lines = data.decode().splitlines()
    assert len(lines) == 3 + 1800
    assert all(json.loads(line.rstrip(",")) for line in lines[2:-1])
    assert len(data) < 320_000


def test_nobodys_mail_address_is_shipped() -> None:
    assert not re.search(r"[\w.+-]@[\w-]+\.[a-z]", bundled.naans().decode())


@pytest.mark.parametrize(
    "record",
    [
        LIBRARY,
        SHOULDER,
        replace(LIBRARY, where="", target="", when="2001-03-08", tenure="", kind="", policy=""),
        replace(LIBRARY, policy_address="", acronym=None, unread=(UnreadValue("/a", "[1]", ""),)),
        replace(SHOULDER, status=302, tenure="2009-2010", test_ark="ark:/24680/x5a"),
    ],
)
def test_what_goes_without_saying_is_left_out_and_read_again(record: Any) -> None:
    document = naan_record_to(record)
    assert naan_record_from(json.loads(json.dumps(document))) == record
    assert naan_record_to(LIBRARY).keys().isdisjoint({"kind", "target", "status", "tenure"})
    file = NaanFile(records=(record,), unread=(UnreadValue("/data/1", "7"),))
    assert naan_file_from(naan_file_to(file)) == file


_NO_VALUES = (
    *("5", '"abc"', '{"/a": "1"}', "null", '["abc"]', "[[]]", '[["/a"]]', '[["/a", "1", "", ""]]'),
    *(
        "[[1, 2, 3]]",
        "[[5, 6]]",
        '[["/a", 1]]',
        '[["/a", "1", null]]',
        '[["", "1"]]',
        '[["a", "1"]]',
    ),
    *('[["/a", "nojson"]]', '[["/a", "1", "nojson"]]', '[["/a", "\\ud800"]]', '[["/a", "NaN"]]'),
    *('[["/nope/a/b", "1"]]', '[["/who/x/y", "1", ""]]', '[["/nope/a", "1"]]'),
)


@pytest.mark.parametrize("unread", [[["/who", "5", ""], ["/who/x", "1", ""], ["/who/y", "", ""]]])
def test_a_value_without_a_place_by_now_is_not_written(unread: list[list[str]]) -> None:
    record = naan_record_from({"naan": "24680", "unread": unread})
    changed = replace(record, unread=(UnreadValue("/who", "5", _who(record)), *record.unread))
    written = read_naan_json(write_naan_json(NaanFile(records=(changed,)))).records
    assert [(one.place, one.text) for one in written[0].unread] == [("/who", "5")]


def _who(record: Any) -> str:
    return json_text({"name": "", "name_native": None, "acronym": None}, "")


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"records": 7}',
        '{"records": [7]}',
        '{"records": [{"holder": "Utopia"}]}',
        '{"records": [{"naan": 24680}]}',
        '{"records": [{"naan": "24680", "when": 7}]}',
        '{"records": [{"naan": "24680", "day": "never"}]}',
        '{"records": [{"naan": "24680", "status": 301}]}',
        '{"records": [{"naan": "24680", "status": true}]}',
        '{"records": [{"naan": "24680", "holder": null}]}',
        '{"records": [{"naan": "24680", "colour": "red"}]}',
        '{"records": [{"naan": "24680", "unread": [7]}]}',
        '{"records": [{"naan": "24680", "where": "\\ud800"}]}',
        '{"records": [{"naan": "b7280"}, {"naan": "B7280"}]}',
        '{"records": [], "metadata": []}',
        '{"records": [], "metadata": {"updated": 7}}',
        '{"records": [], "metadata": {"updated": "\\ud800"}}',
        *(f'{{"records": [], "unread": {one}}}' for one in (*_NO_VALUES, '[["/data/x", "1"]]')),
        '{"records": [], "unread": [["/x/y", "1"]]}',
        *(f'{{"records": [{{"naan": "1", "unread": {one}}}]}}' for one in _NO_VALUES),
        '{"records": [{"naan": "1", "unread": [["/data/0", "1"]]}]}',
    ],
)
def test_what_is_no_file_of_this_form_is_refused(text: str) -> None:
    with pytest.raises(UnreadableNaanFile):
        naan_file_from(text.encode())
