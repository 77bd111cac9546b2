"""What a form takes and an import tells of targets is what the resolver makes of them."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.identifiers.public_addresses import canonical_host
from app.registration.naans.asked_answers import (
    advise_target,
    check_target,
    check_target_here,
)
from app.registration.naans.naan_checks import target_faults
from app.resolution.ark_resolver import ArkResolver, CircularArk
from app.resolution.ark_rules import ArkRules, ArkTarget, ark_book_of
from tests.torture.conftest import rounds

PIECES = (
    *("https://a.example", "http://A.example:8080", "HTTPS://a.example.", "a.example", "ftp://a.b"),
    *("/", "//", "?q=", "&", "#", "%41", "%zz", " ", "\\", "|", "<", "ä", "[", "]", "@", ":", "$"),
    *("${content}", "${pid}", "${value}", "${naan}", "${", "}", "{+pid}", "{?pid}", "{pid*}"),
    *("{pid:3}", "{/content}", "{&suffix,prefix}", "{", "n2t.net", "user@", "[::1]", "-"),
)
TARGETS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)


@settings(max_examples=rounds(400, 60))
@given(TARGETS)
@example("https://a.example/ark:${content}")
@example("https://{pid}.example/")
@example("https://a.example/{pid")
@example("https://a.example/${pid")
@example("https://a.example:99999/${pid}")
def test_what_the_form_takes_the_resolver_fills_in(target: str) -> None:
    found = list(check_target(target))
    if not found:
        read = ArkTarget(target)
        assert read.fault is None, (target, read.fault)
        assert read.fill("ark:12345/x1", "12345/x1", "x1").startswith(("http", "HTTP"))
    assert all(one.message and one.source for one in (*found, *advise_target(target)))


@settings(max_examples=rounds(400, 60))
@given(TARGETS)
@example("https://a.example ")
@example("https://a.example#{")
@example("https://a.example/${pid*}")
@example("https://a.example/{pid:0}")
@example("https://{pid}.example/")
def test_an_import_tells_of_what_leads_nowhere_and_of_nothing_else(target: str) -> None:
    told = {code for code, _ in target_faults(target)} - {"fixed", "circle"}
    assert (ArkTarget(target).fault is not None) is bool(told), told


def test_an_import_tells_of_targets_inside_a_network() -> None:
    for host in ("169.254.169.254", "10.0.0.1", "[::1]", "localhost", "library.internal"):
        (code, message), *_ = target_faults(f"http://{host}/${{content}}")
        assert (code, host.strip("[]") in message) == ("host", True)


def test_usual_targets_are_taken() -> None:
    for target in (
        "https://a.example/ark:${content}",
        "http://a.example/find?id=${pid}&x=1",
        "https://a.example/{+content}",
        "https://a.example:8080/${prefix}/${value}",
        "https://a.example:1/${content}",
        "https://a.example:65535/${content}",
    ):
        assert not list(check_target(target)), target
    assert [one.code for one in advise_target("https://a.example/")] == ["target_fixed"]


# What the form refuses, an import tells of, and the resolver leads nobody by.
REFUSED = (
    "https://bank.example@evil.example/${content}",
    "https://evil.example${content}",
    "https://evil.example:${prefix}/",
    "https://a.example:/${content}",
    "https://a.example/{",
    "https://a.example/{+content",
    "https://a.example/%",
    "https://a.example/%zz/${content}",
    "https://-a.example/${content}",
    "https://a.example{.content}",
    "https://localhost/${content}",
    "https://library/${content}",
    "https://[::1]/${content}",
    "https://10.0.0.1/${content}",
    "https://library.internal/${content}",
    *(
        f"https://a.example:{port}/${{content}}"
        for port in ("0", "00000", "65536", "70000", "99999")
    ),
    *(f"https://a.example:{port}/{{+content}}" for port in ("0", "65536", "99999")),
    *("http://127.1/${pid}", "http://2130706433/${pid}", "http://0x7f000001/${pid}"),
)


@pytest.mark.parametrize("target", REFUSED)
def test_what_leads_nowhere_or_into_a_network_is_one_thing_for_form_import_and_resolver(
    target: str,
) -> None:
    assert list(check_target(target))
    assert [code for code, _ in target_faults(target) if code not in ("fixed", "circle")]
    assert ArkTarget(target).fault is not None
    assert ArkTarget(target).fill("ark:12345/x1", "12345/x1", "x1") == ""


OWN = {
    "127.0.0.1": (
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.0.1",
        "127.000.000.001",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "127.0.0.1",
        "127.0.0.1.:80",
        "0x7F.1",
    ),
    "[::1]": ("[0:0:0:0:0:0:0:1]", "[::1]:8000", "[0000::0001]"),
    "8.8.8.8:8000": ("8.8.8.8", "8.8.2056", "134744072", "[::ffff:8.8.8.8]", "010.8.8.8"),
    "[2A00:1450::0001]": ("[2a00:1450:0:0:0:0:0:1]", "[2A00:1450::1]:443"),
    "Site.example": ("SITE.example", "site.EXAMPLE.", "site.example:8000"),
}


@pytest.mark.parametrize(
    ("own", "target"), [(own, one) for own, targets in OWN.items() for one in targets]
)
@pytest.mark.parametrize("form", ["http://{}/ark:${{content}}", "http://{}/a{{?pid}}"])
def test_a_target_at_the_site_that_is_asked_leads_nobody_back_however_its_host_is_spelled(
    own: str, target: str, form: str
) -> None:
    rules = ArkRules(prefix="12345", target=form.format(target))
    resolver = ArkResolver(ark_book_of([rules]), [own])
    assert isinstance(resolver.resolve("ark:12345/x1"), CircularArk)
    assert resolver.find_plain_way("12345/x1") is None
    assert list(check_target_here(rules.target, [own]))


def test_a_host_that_is_another_one_is_not_taken_for_the_site() -> None:
    for own, host in (
        ("127.0.0.1", "127.2"),
        ("8.8.8.8", "8.8.8.9"),
        ("a.example", "b.example"),
        ("8.8.8.8", "8.8.8.8.example"),
    ):
        assert not list(check_target_here(f"http://{host}/${{content}}", [own]))
    assert (
        canonical_host("256.1.1.1") == canonical_host("1.2.3.4.5") == canonical_host("09.1") == ""
    )
