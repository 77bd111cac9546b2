"""What holds for every text, valid or not."""

import string
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn

from .recognizer import recognize
from .strategies import Spelled, awkward_texts, mutated_urns, spelled_urns
from .test_urn import CODES

PARTS = ("nid", "nss", "r_component", "q_component", "f_component")
# One of these makes a URN of any text that a URN can begin with.
ENDINGS = ["", "a", "urn:ab:c", "rn:ab:c", "n:ab:c", ":ab:c", "ab:c", "a:c", ":c", "=c", "+c"]


@given(spelled_urns())
def test_a_urn_made_by_the_grammar_parses_into_what_it_was_made_of(spelled: Spelled) -> None:
    urn = parse_urn(spelled.text)
    assert tuple(getattr(urn, part) for part in PARTS) == spelled[1:]
    assert str(urn) == spelled.text
    assert spelled.text.startswith(urn.assigned_name)


@given(mutated_urns() | awkward_texts | st.text(st.characters(exclude_categories=[])))
@example("urn:example:a\n")
def test_any_text_parses_to_itself_or_is_refused_at_a_place_within_it(text: str) -> None:
    try:
        assert str(parse_urn(text)) == text
    except InvalidURN as refusal:
        assert refusal.text == text
        assert refusal.position is not None
        assert 0 <= refusal.position <= len(text)
        assert refusal.code in CODES
        assert refusal.message.isascii()
        assert refusal.message.isprintable()


@given(mutated_urns() | awkward_texts)
def test_the_patterns_accept_what_a_reading_by_hand_accepts(text: str) -> None:
    assert _parts(text) == recognize(text)


@pytest.mark.parametrize(("start", "characters"), [("urn:ab:c", "?+=#/%4"), ("urn:", "a-:%?")])
def test_the_patterns_and_the_reading_by_hand_agree_on_every_short_ending(
    start: str, characters: str
) -> None:
    for length in range(6):
        for ending in product(characters, repeat=length):
            assert _parts(text := start + "".join(ending)) == recognize(text), text


def _parts(text: str) -> dict[str, str | None] | None:
    try:
        urn = parse_urn(text)
    except InvalidURN:
        return None
    return {part: getattr(urn, part) for part in PARTS}


@given(mutated_urns() | awkward_texts)
def test_what_stands_before_a_fault_is_without_fault(text: str) -> None:
    if recognize(text) is not None:
        return
    try:
        parse_urn(text)
    except InvalidURN as refusal:
        sound = text[: refusal.position]
        if refusal.code == "nid_too_long":
            sound = sound.rstrip("-")
        assert any(recognize(sound + ending) is not None for ending in ENDINGS)


@given(spelled_urns())
def test_rfc_2141_allowed_fewer_characters_and_no_components(spelled: Spelled) -> None:
    allowed = set(string.ascii_letters + string.digits + "()+,-.:=@;$_!*'%")
    was_urn = (
        spelled[3:] == (None, None, None)
        and set(spelled.nss) <= allowed
        and "%00" not in spelled.nss
        and spelled.nid.lower() != "urn"
    )
    assert parse_urn(spelled.text).rfc2141_valid == was_urn
