"""A target leads to its own host whatever the ARK is, or says why it leads nowhere."""

import time
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.registration.naans.naan_targets import TARGET_VARIABLES
from app.resolution.ark_resolver import ArkHandedOn, ArkResolver, ResolvedArk
from app.resolution.ark_rules import ArkRules, ArkTarget, ark_book_of
from app.resolution.service_choice import AddressTemplate
from tests.identifiers.ark_strategies import AWKWARD
from tests.torture.conftest import rounds

NOWHERE = [
    ("", "no_target"),
    ("N/A", "target_scheme"),
    ("www.example.org/${content}", "target_scheme"),
    ("//www.example.org/${content}", "target_scheme"),
    ("303 http://www.example.org/${content}", "target_scheme"),
    ("javascript:alert(${pid})", "target_scheme"),
    ("http//cams.example/${content}", "target_scheme"),
    ("https:///www.example.org/${content}", "target_host"),
    ("https:${content}", "target_scheme"),
    # nothing of a request may stand in scheme, host or port
    ("http://${value}", "target_host"),
    ("${value}", "target_scheme"),
    ("https://example.org${suffix}", "target_host"),
    ("https://example.org{+value}/a", "target_host"),
    ("https://example.org.${value}/", "target_host"),
    ("https://example.org:${value}/", "target_host"),
    ("https://example.org:80${value}/", "target_host"),
    ("https://example.org@${value}/", "target_host"),
    ("https://example.org{.value}", "target_host"),
    ("https://${value}@example.org/", "target_host"),
    ("https://user@example.org/${value}", "target_host"),
    ("https://example.org\\@other.example/${value}", "target_host"),
    ("https://exämple.org/${value}", "target_host"),
    ("https://ex%61mple.org/${value}", "target_host"),
    ("https://example.org/${nlid}", "target_variable"),
    ("https://example.org/{}", "target_variable"),
    ("https://example.org/{value:x}", "target_variable"),
    ("https://example.org/${value", "target_character"),
    ("https://example.org/a b/${value}", "target_character"),
    ("https://example.org/\r\nSet-Cookie:a", "target_character"),
    ("https://example.org/%zz", "target_character"),
]
PLACES = (
    "https://host.example:8443/a/${content}b",
    "https://host.example:8443/?${value}",
    "https://host.example:8443/a${content}b?${pid}&${suffix}#${value}",
    "https://host.example:8443?{+value}",
    "https://host.example:8443{/value}{?pid,prefix}{&content:3}",
    "HTTPS://HOST.EXAMPLE.:8443#{+value}",
    "https://host.example:8443/..${content}",
)
PLACE_OF = {
    one: "host.example.:8443" if "EXAMPLE." in one else "host.example:8443" for one in PLACES
}
PIECES = [*AWKWARD, "//", "@", "\\", "://", "evil.example", "%2F", "%5C", "%0d", ":80"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


@pytest.mark.parametrize(("target", "code"), NOWHERE)
def test_a_target_that_is_no_address_says_why_and_leads_nowhere(target: str, code: str) -> None:
    made = ArkTarget(target)
    assert made.fault is not None
    assert made.fault.code == code
    assert made.fault.message.isascii()
    assert made.fault.message.isprintable()
    assert made.fill("ark:1/a", "1/a", "/a") == made.host == ""


@pytest.mark.parametrize("name", TARGET_VARIABLES)
def test_a_variable_is_the_same_in_the_words_of_records_and_of_rfc_6570(name: str) -> None:
    ark = "ark:12345/x5%C3%A9/a=b", "12345/x5%C3%A9/a=b", "%C3%A9/a=b"
    told, general = (
        ArkTarget(f"https://host.example:8443/a?b={one}&c")
        for one in (f"${{{name}}}", f"{{+{name}}}")
    )
    assert told.fill(*ark) == general.fill(*ark)
    assert told.host == general.host == "host.example"


@given(st.sampled_from(PLACES), TEXTS, st.booleans())
@settings(max_examples=rounds(2_000, 150))
def test_nothing_of_a_request_changes_where_it_goes(target: str, text: str, is_raw: bool) -> None:
    rules = ArkRules(prefix="12345", target=target, takes_verbatim=is_raw)
    for asked in (f"ark:12345/a{text}", f"ark:/12345/{text}", f"ark:12345/a?{text}"):
        outcome = ArkResolver(ark_book_of([rules])).resolve(asked)
        if isinstance(outcome, ResolvedArk | ArkHandedOn):
            assert outcome.target.isascii()
            assert not set(outcome.target) & {*map(chr, range(0x21)), "\x7f", "\\", "<", '"'}
            led = urlsplit(outcome.target)
            assert led.scheme == "https"
            assert led.netloc.lower() == PLACE_OF[target]


@pytest.mark.parametrize("piece", ["{", "${", "{a", "}", "{}", "{,", "${pid}{", "{a}"])
def test_the_longer_a_target_the_longer_it_takes_and_no_more(piece: str) -> None:
    began = time.process_time()
    ArkTarget(f"https://a.example/{piece * (64_000 // len(piece))}")
    assert time.process_time() - began < 3, "ten times what 64 KB may take"


def test_a_brace_that_nothing_closes_stands_as_it_is() -> None:
    template = AddressTemplate("https://a.example/{pid*}/{suffix{,{")
    assert template.fill({"pid": "a b"}) == "https://a.example/a%20b/{suffix{,{"
    assert template.variables == {"pid"}
    assert not template.is_address
