"""Which bound name answers an asked one, beside a reference that looks at each of them."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.bound_names import BoundOutcome, NameFloor, resolve_bound
from app.assigned_names.name_schemes import ASKED_SCHEMES
from app.identifiers.ark import parse_ark

RESERVED, PUBLIC, WITHDRAWN = AssignedNameState
TARGET = "https://repo.example/doc"


def bound(name: str, **more: object) -> AssignedNameRecord:
    """A bound name."""
    return AssignedNameRecord(**{"name": name, "target": TARGET, **more})  # type: ignore[arg-type]


def floor_of(records: Iterable[AssignedNameRecord]) -> NameFloor:
    """What finds a name, or the one before it, among these."""
    known = {one.name: one for one in records}
    names = sorted(known)

    def floor(text: str) -> tuple[str, Callable[[], AssignedNameRecord]] | None:
        at = bisect_right(names, text)
        return (names[at - 1], lambda: known[names[at - 1]]) if at else None

    return floor


def reference(
    name: str, records: Iterable[AssignedNameRecord], signs: str, *, may: bool = True
) -> AssignedNameRecord | None:
    """The longest of all names that answers, each looked at by itself."""
    answering = [
        one
        for one in records
        if name == one.name
        or (
            name.startswith(one.name)
            and (name[len(one.name)] in signs or (may and one.extends_anywhere))
        )
    ]
    return max(answering, key=lambda one: len(one.name), default=None)


RECORDS = st.lists(
    st.builds(
        bound,
        st.text("ab/.", min_size=1, max_size=8),
        state=st.sampled_from(AssignedNameState),
        extends_anywhere=st.booleans(),
    ),
    max_size=12,
    unique_by=lambda one: one.name,
)


@given(
    RECORDS,
    st.text("abc/.", min_size=1, max_size=10),
    st.sampled_from(["", "/", "/."]),
    st.booleans(),
)
def test_the_longest_name_that_is_extended_answers(
    records: list[AssignedNameRecord], name: str, signs: str, may: bool
) -> None:
    found = resolve_bound(name, None, floor_of(records), signs, may_extend=lambda: may)
    expected = reference(name, records, signs, may=may)
    assert (found.record if found else None) == expected
    assert found is None or found.asked == name


@given(RECORDS, st.text("abc/.", min_size=1, max_size=10), st.integers(1, 6))
def test_names_that_are_too_short_to_be_of_the_authority_answer_nothing(
    records: list[AssignedNameRecord], name: str, shortest: int
) -> None:
    found = resolve_bound(name, None, floor_of(records), "/.", shortest=shortest)
    long = [one for one in records if len(one.name) >= shortest]
    expected = reference(name, records, "/.")
    assert (found.record if found else None) == (expected if expected in long else None)


@pytest.mark.parametrize("state", [RESERVED, WITHDRAWN])
def test_what_extends_a_name_that_leads_nowhere_leads_nowhere(state: AssignedNameState) -> None:
    records = [bound("ark:12345/x5a"), bound("ark:12345/x5a/b", state=state)]
    for name in ("ark:12345/x5a/b", "ark:12345/x5a/b/c", "ark:12345/x5a/b.v"):
        found = resolve_bound(name, "q", floor_of(records), "/.")
        assert found is not None and found.record.state is state
        assert found.target == ""
    found = resolve_bound("ark:12345/x5a/bc", None, floor_of(records), "/.")
    assert found is not None and found.target == f"{TARGET}/bc"


def test_a_name_is_found_in_few_steps_among_those_of_others() -> None:
    steps = count()
    floor = floor_of([bound(f"ark:{naan}/x5{n}") for naan in (12345, 54321) for n in range(50)])

    def counted(text: str) -> tuple[str, Callable[[], AssignedNameRecord]] | None:
        next(steps)
        return floor(text)

    shortest = len("ark:33333/x")
    assert resolve_bound("ark:33333/x5abc", None, counted, "/.", shortest=shortest) is None
    assert resolve_bound("ark:54321/x549/a.b", None, counted, "/.", shortest=shortest)
    assert next(steps) == 2


TARGETS = [
    ("https://a.example", "/b", "https://a.example/b"),
    ("https://a.example", ".b", "https://a.example/.b"),
    ("https://a.example:80", "80", "https://a.example:80/80"),
    ("https://a.example/?id=7", ".v", "https://a.example/?id=7.v"),
    ("https://a.example?id=", "7", "https://a.example?id=7"),
    ("https://a.example/x#top", "/b", "https://a.example/x/b#top"),
    ("https://a.example/é", "/b", "https://a.example/%C3%A9/b"),
    ("javascript:alert(1)", "", ""),
    ("https://a.example/\r\nSet-Cookie:x", "", ""),
    ("", "/b", ""),
]


@pytest.mark.parametrize(("target", "suffix", "led"), TARGETS)
def test_what_extends_a_name_goes_behind_its_target(target: str, suffix: str, led: str) -> None:
    assert BoundOutcome(bound("ark:1/x", target=target), suffix).target == led
    with_query = BoundOutcome(bound("ark:1/x", target=target), suffix, "q=1").target
    glue = "&" if "?" in led else "?"
    before, mark, fragment = led.partition("#")
    assert with_query == (led and f"{before}{glue}q=1{mark}{fragment}")


ASKED = [
    ("ark", "ark:/12-345/X5a-b?a=b", ("ark:12345/X5ab", "a=b", False)),
    ("ark", "ark:B7280/x?info", ("ark:b7280/x", None, True)),
    ("ark", "%61rk%3A12345/x??", ("ark:12345/x", None, True)),
    ("ark", "ark:12345/x.b.a?", ("ark:12345/x.a.b", None, True)),
    ("ark", "ark:12345/x/a:b", ("ark:12345/x/a:b", None, False)),
    ("ark", "ark:12345", None),
    ("ark", "ark:12345/../x", None),
    ("ark", "urn:mrn:x", None),
    ("urn", "URN:MRN:imo:1%2c", ("urn:mrn:imo:1%2C", None, False)),
    ("urn", "urn:mrn:imo:1?+r?=q", ("urn:mrn:imo:1", "q", False)),
    ("urn", "urn:mrn:imo:1?info", ("urn:mrn:imo:1", None, True)),
    ("urn", "urn:mrn:imo:1?", ("urn:mrn:imo:1", None, True)),
    ("urn", "urn:mrn:imo:1?x=y", None),
    ("urn", "changes", None),
]


@pytest.mark.parametrize(("scheme", "text", "expected"), ASKED)
def test_a_text_asks_for_a_name_in_normal_form(
    scheme: str, text: str, expected: tuple[object, ...] | None
) -> None:
    asked = ASKED_SCHEMES[scheme].read(text)
    assert (asked and asked[:3]) == expected


@pytest.mark.parametrize("scheme", ASKED_SCHEMES)
@given(st.text() | st.text("ark:/urn?info%2Fx.-12345"))
def test_no_text_is_too_odd_to_be_asked_for(scheme: str, text: str) -> None:
    for asked in filter(None, map(ASKED_SCHEMES[scheme].read, (text, f"{scheme}:{text}"))):
        assert asked.name.isascii() and len(asked.name) >= asked.shortest


def equivalent_spellings(name: str) -> Callable[[], st.SearchStrategy[str]]:
    """Ways to write an ARK that are one name."""
    parts = [st.sampled_from([one, f"{one}-", f"%{ord(one):02x}"]) for one in name]
    return lambda: st.tuples(*parts).map("".join)


@given(equivalent_spellings("x5abc")(), st.sampled_from(["ark:", "ark:/", "ARK:/"]))
def test_an_ark_is_found_by_each_of_its_spellings(named: str, label: str) -> None:
    asked = ASKED_SCHEMES["ark"].read(f"{label}12345/{named}/p")
    assert asked is not None
    assert asked.name == parse_ark("ark:12345/x5abc/p").normal_form
    found = resolve_bound(asked.name, None, floor_of([bound("ark:12345/x5abc")]), "/.")
    assert found is not None and found.target == f"{TARGET}/p"
