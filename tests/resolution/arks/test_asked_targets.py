"""What a form takes and an import tells of targets is what the resolver makes of them."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.registration.naans.asked_answers import advise_target, check_target
from app.registration.naans.naan_checks import target_faults
from app.resolution.arks.ark_targets import ArkTarget

PIECES = (
    *("https://a.example", "http://A.example:8080", "HTTPS://a.example.", "a.example", "ftp://a.b"),
    *("/", "//", "?q=", "&", "#", "%41", "%zz", " ", "\\", "|", "<", "ä", "[", "]", "@", ":", "$"),
    *("${content}", "${pid}", "${value}", "${naan}", "${", "}", "{+pid}", "{?pid}", "{pid*}"),
    *("{pid:3}", "{/content}", "{&suffix,prefix}", "{", "n2t.net", "user@", "[::1]", "-"),
)
TARGETS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)


@settings(max_examples=400)
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


@settings(max_examples=400)
@given(TARGETS)
@example("https://a.example ")
@example("https://a.example#{")
@example("https://a.example/${pid*}")
@example("https://a.example/{pid:0}")
@example("https://{pid}.example/")
def test_an_import_tells_of_what_leads_nowhere_and_else_of_the_host_alone(target: str) -> None:
    told = {code for code, _ in target_faults(target)} - {"fixed", "circle"}
    if ArkTarget(target).fault is not None:
        assert told
    else:
        assert told <= {"host"}


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
    ):
        assert not list(check_target(target)), target
    assert [one.code for one in advise_target("https://a.example/")] == ["target_fixed"]


# What the form refuses, and whether the resolver would lead on where a file has it all the same.
REFUSED = (
    ("https://bank.example@evil.example/${content}", False),
    ("https://evil.example${content}", False),
    ("https://evil.example:${prefix}/", False),
    ("https://a.example:/${content}", False),
    ("https://a.example/{", False),
    ("https://a.example/{+content", False),
    ("https://a.example/%", False),
    ("https://a.example/%zz/${content}", False),
    ("https://-a.example/${content}", False),
    ("https://a.example{.content}", False),
    ("https://localhost/${content}", True),
    ("https://library/${content}", True),
    ("https://[::1]/${content}", True),
    ("https://10.0.0.1/${content}", True),
    ("https://library.internal/${content}", True),
    ("https://a.example:99999/${content}", True),
)


def test_what_leads_nowhere_or_into_a_network_is_refused_by_the_form() -> None:
    for target, leads in REFUSED:
        assert list(check_target(target)), target
        assert (ArkTarget(target).fault is None) is leads, target
