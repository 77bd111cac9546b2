"""NIDs: RFC 8141 sections 2, 5.1 and 5.2, and what is only advised."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.identifiers.errors import Finding, InvalidURN, NidKind
from app.identifiers.nid import NidIndex, check_nid, suggest_nids
from app.identifiers.urn import parse_urn

from .strategies import AWKWARD, nids
from .vectors import read_vectors

REGISTERED = NidIndex(["isbn", "issn", "doi", "uuid", "GS1", "urn-1"], reserved=["ad-id", "Former"])
FORMAL, INFORMAL = NidKind.FORMAL, NidKind.INFORMAL
anything = st.text(AWKWARD + "xXuU-", max_size=40) | nids


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]


def problem(text: str, kind: NidKind = FORMAL) -> str:
    """The message of the only problem."""
    (finding,) = check_nid(text, kind, REGISTERED).problems
    return finding.message


def advisory(text: str, registered: NidIndex = REGISTERED) -> str:
    """The message of the only advisory of a NID without problems."""
    report = check_nid(text, FORMAL, registered)
    assert report.valid
    (finding,) = report.advisories
    return finding.message


@pytest.mark.parametrize("row", read_vectors("nid"), ids=lambda row: ascii(row["input"]))
def test_all_problems_are_found_at_once(row: dict[str, Any]) -> None:
    report = check_nid(row["input"], NidKind(row["kind"]), REGISTERED)
    assert codes(report.problems) == row["problems"]
    assert report.valid == (row["problems"] == [])


@pytest.mark.parametrize(
    ("code", "text", "kind", "source"),
    [
        ("missing", "", FORMAL, "RFC 8141 section 5.1"),
        ("too_short", "ab", FORMAL, "RFC 8141 section 5.1"),
        ("too_long", "b" * 33, FORMAL, "RFC 8141 section 2"),
        ("character", "a_b", FORMAL, "RFC 8141 section 2"),
        ("hyphen", "abc-", FORMAL, "RFC 8141 section 2"),
        ("informal_prefix", "urn-a", FORMAL, "RFC 8141 section 5.1"),
        ("country_prefix", "uk-mail", FORMAL, "RFC 8141 section 5.1"),
        ("encoded_prefix", "xn--abc", FORMAL, "RFC 8141 section 5.1"),
        ("experimental_prefix", "x-abc", FORMAL, "RFC 8141 section 5.1"),
        ("registered", "isbn", FORMAL, "RFC 8141 section 5.1"),
        ("registered", "urn-1", INFORMAL, "RFC 8141 section 5.2"),
        ("reserved", "urn", FORMAL, "RFC 2141 section 2.1"),
        ("informal_form", "abc", INFORMAL, "RFC 8141 section 5.2"),
        ("leading_zero", "urn-01", INFORMAL, "RFC 8141 section 5.2"),
    ],
)
def test_each_problem_cites_its_section(code: str, text: str, kind: NidKind, source: str) -> None:
    (finding,) = check_nid(text, kind, REGISTERED).problems
    assert (finding.code, finding.source) == (code, source)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ab", "`ab` is too short (2 characters). Formal NIDs have 3 to 32 characters."),
        ("a", "`a` is too short (1 character). Formal NIDs have 3 to 32 characters."),
        ("b" * 35, f"`{'b' * 35}` is too long (35 characters). Remove at least 3."),
        ("abc_", "Character 4 is `_`"),
        (
            "a b.c.",
            "Character 2 is a space and character 4 is `.`",
        ),
        (
            "abc\n",
            "Character 4 is a line break",
        ),
        (
            "ISBN",
            "`ISBN` is already registered as `isbn`.",
        ),
        (
            "gs1",
            "`gs1` is already registered as `GS1`.",
        ),
        ("isbn", "`isbn` is already registered. Choose another NID."),
        ("FORMER", "`FORMER` is reserved by this registry. Choose another NID."),
    ],
)
def test_a_problem_says_what_is_wrong_and_what_to_do(text: str, message: str) -> None:
    assert problem(text).startswith(message)


def test_a_long_list_of_wrong_characters_is_cut() -> None:
    message = problem("!$&()*+,;")
    assert message.startswith("Character 1 is `!`, character 2 is `$`")
    assert "and 4 more. Use letters" in message


def test_a_name_is_quoted_without_what_could_harm_a_page_or_a_terminal() -> None:
    quoted = [finding.message for finding in check_nid("`\x1b\u202e\ud800", INFORMAL).problems]
    shown = [finding.message for finding in check_nid("a`" + "é" * 40, FORMAL).problems]
    assert all(message.isascii() and message.isprintable() for message in quoted + shown)
    assert any(r"`a\x60\xe9" in message and "...`" in message for message in shown)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "nzl",
            "`nzl` is a country code (New Zealand).",
        ),
        (
            "XMPP",
            "`XMPP` is a registered URI scheme.",
        ),
        (
            "d0i",
            "`d0i` looks like the registered NID `doi`.",
        ),
        (
            "uuld",
            "`uuld` looks like the registered NID `uuid`.",
        ),
        (
            "u-u-id",
            "`u-u-id` looks like the registered NID `uuid`.",
        ),
        (
            "GSI",
            "`GSI` looks like the registered NID `GS1`.",
        ),
        (
            "library",
            "`library` is a very common word.",
        ),
        (
            "Standard",
            "`Standard` suggests broad authority.",
        ),
    ],
)
def test_an_advisory_says_why_and_lets_one_go_on(text: str, message: str) -> None:
    assert advisory(text).startswith(f"{message} You can continue;")


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("isxn", "`isbn` and `issn`"),
        ("iisbn", "`isbn`"),
        ("isb", "`isbn`"),
        ("sibn", "`isbn`"),
        ("UUID4", "`uuid`"),
    ],
)
def test_a_name_one_character_away_from_others_is_told_which(text: str, near: str) -> None:
    sentence = f"`{text}` differs by one character from the registered NID {near}."
    assert advisory(text).startswith(f"{sentence} You can continue;")


@pytest.mark.parametrize(("asked", "held"), [("modem", "modern"), ("kvvv", "kwv"), ("l1i", "ill")])
def test_pairs_of_letters_may_look_like_one(asked: str, held: str) -> None:
    assert NidIndex([held]).find_look_alikes(asked) == [held]


def test_a_look_alike_is_not_named_again_as_one_edit_away() -> None:
    index = NidIndex(["doi", "ddi"])
    first, second = check_nid("d0i", FORMAL, index).advisories
    assert (first.code, second.code) == ("look_alike", "one_edit_away")
    assert "`doi`" in first.message and "`doi`" not in second.message


def test_a_name_with_a_problem_gets_no_advice_besides() -> None:
    assert check_nid("nzl", FORMAL, NidIndex(["nzl", "nz1"])).advisories == ()


def test_an_informal_name_gets_no_advice() -> None:
    assert check_nid("urn-9", INFORMAL, REGISTERED).advisories == ()


def test_a_name_apart_from_all_others_gets_no_advice() -> None:
    assert check_nid("glossarium", FORMAL, REGISTERED).advisories == ()


def test_plain_names_serve_as_well_as_an_index() -> None:
    assert check_nid("ISBN", FORMAL, {"isbn"}) == check_nid("ISBN", FORMAL, NidIndex(["isbn"]))
    assert check_nid("isbn", FORMAL).valid


@given(anything, st.sampled_from(NidKind))
def test_no_text_breaks_the_check(text: str, kind: NidKind) -> None:
    report = check_nid(text, kind, REGISTERED)
    for finding in report.problems + report.advisories:
        assert finding.message.isprintable()
        assert finding.message.endswith(".")
        assert len(finding.message) < 500


@given(anything, st.sampled_from(NidKind))
def test_a_name_without_problems_makes_urns(text: str, kind: NidKind) -> None:
    if check_nid(text, kind).valid:
        assert parse_urn(f"urn:{text}:a").nid == text


@given(anything)
def test_a_name_that_makes_no_urns_has_a_problem_with_its_syntax(text: str) -> None:
    syntax = {"missing", "too_short", "too_long", "character", "hyphen"}
    try:
        is_nid = parse_urn(f"urn:{text}:a").nid == text
    except InvalidURN:
        is_nid = False
    found = set(codes(check_nid(text, FORMAL).problems)) & syntax
    assert bool(found) == (not is_nid or len(text) == 2)


@given(st.text("abAB-1", min_size=1, max_size=5), st.sets(st.text("ab-1", min_size=1, max_size=5)))
def test_one_edit_away_is_what_comparing_with_all_names_finds(text: str, names: set[str]) -> None:
    near = sorted(name for name in names if _edits_are_one(text.lower(), name))
    assert NidIndex(names).find_one_edit_away(text) == near


def _edits_are_one(a: str, b: str) -> bool:
    if len(a) > len(b):
        a, b = b, a
    if len(a) < len(b):
        return any(b[:i] + b[i + 1 :] == a for i in range(len(b)))
    apart = [i for i in range(len(a)) if a[i] != b[i]]
    swapped = len(apart) == 2 and apart[1] == apart[0] + 1 and a[apart[0]] == b[apart[1]]
    return len(a) == len(b) and (len(apart) == 1 or (swapped and a[apart[1]] == b[apart[0]]))


def test_a_check_against_a_hundred_thousand_names_is_quick() -> None:
    index = NidIndex(f"name-{n}-of-a-large-registry" for n in range(100_000))
    began = time.process_time()
    report = check_nid("name-777-of-a-large-registrv", FORMAL, index)
    assert time.process_time() - began < 0.01, "ten times the promise"
    assert codes(report.advisories) == ["one_edit_away"]


@pytest.mark.parametrize("kind", NidKind)
@pytest.mark.parametrize("piece", ["a", "-", "urn-", "é", "\ud800", "0", "x-", " "])
def test_a_text_of_any_length_is_checked_at_once(kind: NidKind, piece: str) -> None:
    began = time.process_time()
    assert not check_nid(piece * (65_536 // len(piece)), kind, REGISTERED).valid
    suggest_nids(piece * (65_536 // len(piece)), REGISTERED)
    assert time.process_time() - began < 2, "ten times what 64 KB may take"


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        ("un-wmo", ("wmo", "unwmo")),
        ("my_name", ("myname", "name")),
        ("x-Foo", ("foo", "xfoo")),
        ("urn-abcd", ("abcd", "urnabcd")),
        ("xn--abcd", ("abcd", "xnabcd")),
        (" École.", ("ecole",)),
        ("uk-mail", ("ukmail", "mail")),
        ("x-isbn", ("xisbn",)),
        ("isbn", ()),
        ("urn", ()),
        ("free-name", ()),
        ("", ()),
        ("b" * 40, ()),
        ("☃", ()),
    ],
)
def test_free_names_are_suggested_for_a_refused_one(text: str, suggested: tuple[str, ...]) -> None:
    assert suggest_nids(text, REGISTERED) == suggested


@given(anything)
def test_a_suggestion_may_be_registered(text: str) -> None:
    suggested = suggest_nids(text, REGISTERED)
    assert len(suggested) == len(set(suggested)) <= 3
    assert all(check_nid(name, FORMAL, REGISTERED).valid for name in suggested)
