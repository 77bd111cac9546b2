"""Hypothesis strategies for prefixes and what may follow them, and for what is known of names."""

from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import (
    REDIRECT_STATUSES,
    AssignedNameRecord,
    AssignedNameState,
)
from app.assigned_names.name_prefixes import read_prefix
from app.identifiers.noid import BETANUMERIC

_ark_beginnings = st.builds(
    "{}{}/{}{}".format,
    st.sampled_from(["ark:", "ark:/", "ARK:"]),
    st.sampled_from(["12345", "bcdfg", "BCDFG", "1-2345"]),
    st.sampled_from(["", "x5", "x-5", "X5", "x5é", "x5%c3%a9", "x5/c"]),
    st.text("x5-", max_size=2).map(lambda text: f"b{text}" if text else ""),
)
_urn_beginnings = st.builds(
    "{}:{}:{}".format,
    st.sampled_from(["urn", "URN"]),
    st.sampled_from(["mrn", "MRN", "example"]),
    st.sampled_from(["", "imo", "imo:", "imo:%c3", "iso:a/", "I"]),
)
beginnings = _ark_beginnings | _urn_beginnings
prefixes = beginnings.map(read_prefix)
rests = st.text(BETANUMERIC + "AX_=~", min_size=1, max_size=12)

names = st.builds(
    "{}{}".format,
    st.sampled_from(["ark:12345/x5", "urn:mrn:imo:", "ark:12345/x5%C3%A9"]),
    rests,
)
# What readers of files trip over, and no control: of what may be kept.
_texts = st.text("abcÄ \"',;=+-@%|:#{}[]\\()&<>\u00a0\u3000\u2003😀1", max_size=12)
_labels = st.sampled_from(["who", "what", "when", "where", "dc.title", "Who", "elements-of", "x y"])
records = st.builds(
    AssignedNameRecord,
    name=names,
    state=st.sampled_from(AssignedNameState),
    target=st.just("") | _texts.map("https://www.example.org/{}".format),
    redirect=st.sampled_from(REDIRECT_STATUSES),
    extends_anywhere=st.booleans(),
    elements=st.lists(st.tuples(_labels, _texts), max_size=5).map(tuple),
    persistence=_texts,
    reason=_texts,
    since=st.sampled_from(["", "2026-02-28"]),
    successor=st.just("") | names,
)
