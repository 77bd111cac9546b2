"""Numbers make names: each another one, each as its template says, and no name that is none."""

from itertools import count, islice, product, takewhile

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.assigned_names.name_numbering import (
    InvalidNumbering,
    NameNumbering,
    check_numbering,
    numbering_of,
)
from app.assigned_names.name_prefixes import NamePrefix, read_prefix
from app.assigned_names.name_schemes import read_assigned_name
from app.identifiers.ark import parse_ark
from app.identifiers.ark_checks import find_check_scope
from app.identifiers.noid import BETANUMERIC
from app.registration.profiles.profile_records import NssPattern
from app.resolution.check_digits import read_number
from app.resolution.namespace_rules import NamespaceRules
from tests.assigned_names.name_strategies import prefixes
from tests.identifiers.strategies import AWKWARD

MASKS = st.builds(
    "{}{}{}".format,
    st.sampled_from("rsz"),
    st.text("de", min_size=1, max_size=9),
    st.sampled_from(["", "k"]),
)
SEQUENCES = st.sampled_from(["sequence", "sequence1", "sequence6", "sequence32"])


def _numbering(prefix: str, template: str) -> NameNumbering:
    return numbering_of(read_prefix(prefix), template)


@st.composite
def numberings(draw: st.DrawFn) -> NameNumbering:
    """A numbering of any kind."""
    prefix: NamePrefix = draw(prefixes)
    kinds = MASKS if prefix.scheme.is_opaque else MASKS | SEQUENCES
    return numbering_of(prefix, draw(kinds))


def _names(numbering: NameNumbering, most: int) -> list[str]:
    names = map(numbering.nth, islice(count(), most))
    return [name for name in takewhile(bool, names) if name]


@given(numberings(), st.lists(st.integers(0, 10**12), unique=True, max_size=20))
def test_two_numbers_never_give_one_name_and_each_name_is_as_its_template_says(
    numbering: NameNumbering, numbers: list[int]
) -> None:
    total = numbering.total
    within = {n % total if total else n for n in numbers}
    names = {n: numbering.nth(n) for n in within}
    assert len(set(names.values())) == len(within)
    for name in names.values():
        assert name is not None
        assert numbering.prefix.holds(name)
        assert read_assigned_name(name) == name
        assert numbering.fault_of(name) is None


@given(numberings())
def test_after_the_last_name_there_is_none(numbering: NameNumbering) -> None:
    assert numbering.nth(0)
    if numbering.total is not None:
        assert numbering.nth(numbering.total - 1)
        assert numbering.nth(numbering.total) is None
    with pytest.raises(ValueError, match="start at 0"):
        numbering.nth(-1)


@pytest.mark.parametrize(
    ("prefix", "template"),
    [
        *((prefix, mask) for prefix in ("ark:12345/x5", "urn:mrn:a:") for mask in ("rd", "sdk")),
        *((prefix, mask) for prefix in ("ark:12345/", "urn:mrn:") for mask in ("re", "zd", "rdd")),
        *(("urn:mrn:a:", template) for template in ("sequence", "sequence1", "sequence2")),
    ],
)
def test_what_no_number_gives_has_a_fault_and_nothing_else_has(prefix: str, template: str) -> None:
    numbering = _numbering(prefix, template)
    given = set(_names(numbering, 1_000))
    signs = BETANUMERIC[:12] + "A~"
    parts = map("".join, (part for length in (1, 2, 3) for part in product(signs, repeat=length)))
    known = {f"{numbering.prefix.text}{part}" for part in parts}
    assert {name for name in known if numbering.fault_of(name) is None} == given & known


@given(prefixes, st.data())
def test_a_character_that_is_mistyped_is_found_by_the_check_character(
    prefix: NamePrefix, data: st.DataObject
) -> None:
    numbering = numbering_of(prefix, "reedeedk")
    name = numbering.nth(data.draw(st.integers(0, 10**6))) or ""
    assume(len(name) < 28)
    at = data.draw(st.integers(len(prefix.text), len(name) - 1))
    other = data.draw(st.sampled_from(BETANUMERIC).filter(lambda sign: sign != name[at]))
    fault = numbering.fault_of(f"{name[:at]}{other}{name[at + 1 :]}")
    assert fault is not None
    assert fault.code in {"check_character", "mask_character"}
    assert fault.message.endswith(".")


@given(numberings(), st.text(AWKWARD, max_size=20))
def test_no_text_behind_a_prefix_is_too_strange_to_be_judged(
    numbering: NameNumbering, rest: str
) -> None:
    fault = numbering.fault_of(f"{numbering.prefix.text}{rest}")
    assert fault is None or (fault.code and fault.message.isprintable() and fault.source)


def test_the_check_character_is_that_of_other_minters() -> None:
    numbering = _numbering("ark:13030/xf9", "seeeek")
    assert numbering.fault_of("ark:13030/xf93gt2q") is None
    assert numbering.fault_of("ark:13030/xf93gt2z") is not None
    scope = find_check_scope(parse_ark(numbering.nth(7) or ""))
    assert scope is not None
    assert scope.naan_and_name


def test_what_follows_a_name_of_an_ark_is_not_numbered_and_of_a_urn_it_is() -> None:
    ark, urn = _numbering("ark:12345/x5", "sdd"), _numbering("urn:mrn:a:", "sdd")
    assert ark.fault_of("ark:12345/x500/page2.pdf") is None
    assert ark.fault_of("ark:12345/x50/page2") is not None
    assert urn.fault_of("urn:mrn:a:00/page2") is not None


def test_the_mixed_order_is_another_one_under_each_prefix() -> None:
    one, other = _numbering("ark:12345/x5", "reeee"), _numbering("ark:12345/x6", "reeee")
    parts = [[name[-4:] for name in _names(numbering, 50)] for numbering in (one, other)]
    assert parts[0] != parts[1]


def test_the_mask_may_repeat_the_shoulder() -> None:
    plain, repeated = _numbering("ark:12345/x5", "reek"), _numbering("ark:12345/x5", "x5.reek")
    assert _names(plain, 10) == _names(repeated, 10)


@pytest.mark.parametrize(
    ("prefix", "template", "algorithm", "first"),
    [
        ("urn:isbn:978951", "sequence6+isbn", "isbn", "urn:isbn:9789510000014"),
        ("urn:isbn:951", "sequence6+isbn", "isbn", "urn:isbn:9510000019"),
        ("urn:issn:0317-", "sequence3+issn", "issn", "urn:issn:0317-0012"),
        ("urn:isni:", "sequence15+iso7064-mod11-2", "iso7064-mod11-2", "urn:isni:000000000000001X"),
        ("urn:gs1:01:", "sequence13+gs1", "gs1", "urn:gs1:01:00000000000017"),
        (
            "urn:lei:529900T8BM49AURS",
            "sequence2+iso7064-mod97-10",
            "iso7064-mod97-10",
            "urn:lei:529900T8BM49AURS0179",
        ),
    ],
)
def test_a_sequence_ends_in_the_check_that_its_standard_computes(
    prefix: str, template: str, algorithm: str, first: str
) -> None:
    numbering = _numbering(prefix, template)
    names = _names(numbering, 99)
    assert names[0] == first
    assert len(set(names)) == 99
    for name in names:
        number = read_number(algorithm, name.split(":", 2)[2])
        assert number is not None
        assert number.is_valid
        assert numbering.fault_of(name) is None
        other = "1" if name[-1] != "1" else "2"
        fault = numbering.fault_of(f"{name[:-1]}{other}")
        assert fault is not None
        assert fault.code == "check_character"


def test_of_two_checks_that_pass_the_one_that_is_computed_is_given() -> None:
    numbering = _numbering("urn:lei:529900T8BM49AU", "sequence4+iso7064-mod97-10")
    checks = {name[-2:] for name in _names(numbering, 9_999)}
    assert checks == {f"{check:02}" for check in range(2, 99)}


@pytest.mark.parametrize(
    ("prefix", "template", "code"),
    [
        ("ark:12345/x5", "", "template_form"),
        ("ark:12345/x5", "rexk", "template_form"),
        ("ark:12345/x5", "r" + "e" * 64, "template_long"),
        ("ark:12345/x5", "x6.reek", "template_prefix"),
        ("ark:12345/x5", "sequence", "template_sequence"),
        ("ark:12345/x5", "sequence9+isbn", "template_sequence"),
        ("urn:mrn:a:", "sequence0", "template_form"),
        ("urn:mrn:a:", "sequence33", "template_long"),
        ("urn:mrn:a:", "sequence9+abc", "template_check"),
        ("urn:mrn:a:", "sequence9+isbn", "template_check"),
        ("urn:isbn:951", "sequence+isbn", "template_check"),
        ("urn:isbn:951", "sequence7+isbn", "template_check"),
        ("urn:eic:10X", "sequence12+eic", "template_check"),
        ("urn:mrn:a:", "\udc80\0", "template_form"),
    ],
)
def test_a_template_that_numbers_nothing_is_refused_with_a_reason(
    prefix: str, template: str, code: str
) -> None:
    with pytest.raises(InvalidNumbering) as refused:
        _numbering(prefix, template)
    assert refused.value.code == code
    assert "no template" not in str(refused.value), "people call it a mask"
    assert refused.value.message.endswith((".", "`."))
    assert refused.value.source


def test_a_mask_that_is_none_is_called_so() -> None:
    with pytest.raises(InvalidNumbering, match=r"^`reedZ` isn't a valid mask\. Start with `r`"):
        _numbering("ark:12345/x5", "reedZ")


@given(prefixes, st.text(max_size=80) | st.text("rszdek.x5", max_size=70))
def test_any_template_is_read_or_refused(prefix: NamePrefix, template: str) -> None:
    try:
        numbering = numbering_of(prefix, template)
    except InvalidNumbering:
        return
    assert numbering.nth(0)


def _rules(expression: str = "", check: str = "") -> NamespaceRules:
    pattern = NssPattern(expression=expression) if expression else None
    return NamespaceRules(name="a", pattern=pattern, check=check)


@pytest.mark.parametrize(
    ("template", "rules", "is_refused"),
    [
        ("sequence", _rules(), False),
        ("sequence", _rules("a:[0-9]+"), False),
        ("sequence", _rules("a:[0-9]{1,3}"), True),
        ("sequence6", _rules("a:[0-9]{6}"), False),
        ("sequence6", _rules("a:[0-8]{6}"), True),
        ("reek", _rules("a:[a-z0-9]{3}"), False),
        ("reek", _rules("a:[a-z]{3}"), True),
    ],
)
def test_a_template_is_held_against_the_namespace(
    template: str, rules: NamespaceRules, is_refused: bool
) -> None:
    found = check_numbering(_numbering("urn:mrn:a:", template), rules)
    assert (found is not None) == is_refused
    assert found is None or found.source == "registration of a"


def test_a_template_is_held_against_the_check_of_the_namespace() -> None:
    rules = _rules(check="isbn")
    assert check_numbering(_numbering("urn:isbn:978951", "sequence6+isbn"), rules) is None
    # what the namespace holds equivalent to a name of 13 digits would be given beside it
    fault = check_numbering(_numbering("urn:isbn:951", "sequence6+isbn"), rules)
    assert fault is not None
    assert "equivalent to `urn:isbn:978951" in fault.message
    assert check_numbering(_numbering("urn:isbn:951", "sequence7"), rules) is not None
    assert check_numbering(_numbering("ark:12345/x5", "reek"), None) is None
