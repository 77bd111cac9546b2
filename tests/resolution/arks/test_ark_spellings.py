"""All spellings of one ARK get one answer, and no text is too much."""

import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.identifiers.ark import parse_ark
from app.identifiers.errors import InvalidARK
from app.resolution.ark_resolver import ArkHandedOn, BadArkSyntax, ResolvedArk, read_ark_request
from tests.identifiers.ark_strategies import (
    awkward_texts,
    mutated_arks,
    near_arks,
    parts,
    queries,
    scheme,
)
from tests.resolution.arks.naans import RULES, answer, resolved
from tests.torture.conftest import rounds

NAANS = st.sampled_from(sorted({one.naan for one in RULES if not one.takes_verbatim}))
NAMES = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "x5", "x55", "v1.b", "fk4"]),
    parts,
    st.sampled_from(["", "/c", ".b.a", ".a.b.a", "/c.d"]),
)


def spelled(path: str, data: st.DataObject) -> str:
    """A NAAN and what follows, with hyphens put in and characters encoded that mean nothing."""

    def turned(found: re.Match[str]) -> str:
        one = found[0]
        written = [one, f"-{one}", f"{one}%2d", f"{one}--"]
        if len(one) == 3:  # encoded, in either case
            written += [one.lower(), one.upper()]
        elif one.isascii():
            written += [f"%{ord(one):02x}", f"%{ord(one):02X}"]
        else:
            written.append("".join(f"%{octet:02x}" for octet in one.encode()))
        return str(data.draw(st.sampled_from(written)))

    return re.sub(r"%..|[^%/.\-]", turned, path)


@given(NAANS, NAMES, queries, scheme, st.data())
@settings(max_examples=rounds(2_000, 150))
def test_spellings_of_one_ark_get_one_answer(
    naan: str, name: str, query: str, begun: str, data: st.DataObject
) -> None:
    for rest in ("", f"?{query}"):
        plain, other = f"ark:{naan}/{name}", f"{begun}{spelled(f'{naan.upper()}/{name}', data)}"
        try:
            same = parse_ark(plain + rest).normal_form == parse_ark(other + rest).normal_form
        except InvalidARK:  # what the query has not
            continue
        assert same
        assert answer(resolved(plain + rest)) == answer(resolved(other + rest))


@given(near_arks, near_arks)
@example("ark:1/b?%69nfo", "ARK:/1-/%62-?info")
@settings(max_examples=rounds(1_000, 200))
def test_equivalent_arks_ask_the_same_and_others_do_not(one: str, other: str) -> None:
    first, second = (read_ark_request(text) for text in (one, other))
    same = (first.path, first.query) == (second.path, second.query)
    forms = [parse_ark(text.partition("#")[0]).normal_form for text in (one, other)]
    assert same == (forms[0] == forms[1])


@given(st.one_of(mutated_arks(), awkward_texts, st.builds("ark:12345/{}".format, awkward_texts)))
@settings(max_examples=rounds(3_000, 100))
def test_any_text_is_looked_up_or_refused_with_its_place(text: str) -> None:
    request = read_ark_request(text)
    assert (request.error is None) == bool(request.path)
    if request.error is not None:
        assert request.error.position is not None
        assert 0 <= request.error.position <= len(text)
    outcome = resolved(text)
    if isinstance(outcome, ResolvedArk | ArkHandedOn):
        assert re.fullmatch(r"https?://[!#-;=?-\[\]_a-z~]+", outcome.target)
    try:
        parse_ark(text.partition("#")[0].partition("?")[0])
    except InvalidARK:
        assert not isinstance(outcome, ResolvedArk)


@pytest.mark.parametrize("name", ["а", "ä", "％41", "x‐5", "x−5", "ｘ5"])
def test_what_looks_alike_is_another_name_and_leads_where_it_says(name: str) -> None:
    outcome = resolved(f"ark:12345/z{name}")
    assert isinstance(outcome, ResolvedArk)
    assert outcome.target.isascii()
    assert outcome.request.path != resolved("ark:12345/zx5").request.path
    assert isinstance(resolved(f"ark:1234{name}/z"), BadArkSyntax)


@pytest.mark.parametrize(
    "piece", ["-", "%2d", "/", "/..", "/-.", ":", "%", "x.", "%2E/", "é", "\u202e", "%61rk:", "{"]
)
def test_no_text_takes_more_than_one_pass(piece: str) -> None:
    began = time.process_time()
    for begun in ("ark:12345/a", "ark:", "ark:1/a?"):
        request = read_ark_request(begun + piece * (rounds(500_000, 50_000) // len(piece)))
        assert request.error is None or len(request.error.message) < 200
    assert time.process_time() - began < 10, "ten times what 1 MB may take"
