"""Records made up for the tests, and strategies that make more of them."""

import json
from typing import Any

from hypothesis import strategies as st

from app.registration.naans.naan_records import NaanRecord, NaanRow, ShoulderRecord

LIBRARY = NaanRecord(
    naan="24680",
    holder="Utopian Library",
    native_name="Bibliotheek van Utopia",
    acronym="UTOPIA",
    where="http://library.example",
    target="http://library.example/ark:/${content}",
    when="2002-07-12T00:00:00+00:00",
    policy="NR, OP",
    tenure="2002",
    policy_address="https://library.example/policy",
)
SHOULDER = ShoulderRecord(
    naan="24680",
    shoulder="x5",
    holder="Rare Books",
    acronym="RARE",
    where="303 http://rare.example",
    target="http://rare.example/ark:/${content}",
    status=303,
    when="2010-09-01T00:00:00+00:00",
    tenure="2010",
)

_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
# What has a meaning in some form of the file stands in texts more often than chance has it.
_TEXT = st.one_of(
    _TEXTS, st.sampled_from([" a ", "a|b", "(=)", "a (=) b", "%7C%", "x\ny: z", "#", "303 ", "="])
)
_MAYBE = st.none() | _TEXT.filter(bool)
_SHARED: dict[str, Any] = {
    "holder": _TEXT,
    "native_name": _MAYBE,
    "acronym": _MAYBE,
    "where": _TEXT,
    "target": _TEXT,
    "status": st.sampled_from([302, 303, 307]),
    "when": st.sampled_from(
        ["", "2001-03-08T00:00:00+00:00", "2001-03-08T01:02:03+00:00", "never"]
    ),
    "kind": st.sampled_from(["NP", "FP"]) | _TEXT,
    "policy": st.sampled_from(["NR, OP", "(:unkn) unknown"]) | _TEXT,
    "tenure": _TEXT,
    "policy_address": _MAYBE,
    "test_ark": _MAYBE,
}
_NAAN = st.from_regex(r"[0-9b-df-hj]{5}", fullmatch=True)
NAAN_RECORDS = st.builds(
    NaanRecord, naan=_NAAN, service_provider=_MAYBE, purpose=_TEXT.filter(bool), **_SHARED
)
SHOULDER_RECORDS = st.builds(
    ShoulderRecord, naan=_NAAN, shoulder=st.from_regex("[b-d]{1,2}[0-9]", fullmatch=True), **_SHARED
)
RECORDS = st.lists(
    st.one_of(NAAN_RECORDS, SHOULDER_RECORDS), max_size=4, unique_by=lambda record: record.name
)


def file_of(*entries: object, **more: object) -> bytes:
    """A file in the JSON of the ARK Alliance with some entries."""
    return json.dumps({"metadata": {"version": "1.0"}, "data": [*entries], **more}).encode()


def entry_of(record: NaanRow = LIBRARY, **changed: object) -> dict[str, Any]:
    """A record as an entry of such a file, some of its members replaced."""
    who = {"name": record.holder, "name_native": record.native_name, "acronym": record.acronym}
    own: dict[str, Any] = {}
    rest: dict[str, Any] = {"service_provider": None, "purpose": "unspecified"}
    if isinstance(record, ShoulderRecord):
        own, rest = {"shoulder": record.shoulder, "naan": record.naan}, {}
    return {
        **own,
        "what": record.name,
        "where": record.where,
        "target": {"url": record.target, "http_code": record.status},
        "when": record.when,
        "who": who,
        "na_policy": {
            "orgtype": record.kind,
            "policy": record.policy,
            "tenure": record.tenure,
            "policy_url": record.policy_address,
        },
        "test_identifier": record.test_ark,
        **rest,
        "rtype": record.record_type,
        **changed,
    }
