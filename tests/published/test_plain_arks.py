"""ARKs of the plain kind are led on by a shorter way, which answers as the whole one does."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.published.http.http_exchange import (
    HttpAnswer,
    HttpRequest,
    PreparedHeaders,
    encode_headers,
    split_target,
)
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.resolution.ark_resolver import ArkResolver, ResolvedArk
from app.resolution.ark_rules import ArkRules, ark_book_of
from tests.identifiers.ark_strategies import mutated_arks, near_arks
from tests.published.arks import bundle_of_arks
from tests.published.bundles import make_bundle
from tests.resolution.arks.naans import OWN_HOSTS, RULES
from tests.resolution.arks.test_ark_spellings import NAMES
from tests.torture.conftest import rounds

LONG = f"https://long.example/{'a' * 1_970}/"
MORE = (
    ArkRules(prefix="40001", target=f"{LONG}${{value}}"),
    ArkRules(prefix="40002", target="https://query.example/?a=${value}&"),
    ArkRules(prefix="40003", target="https://query.example/?a&${value}"),
    ArkRules(prefix="40004", target="https://parts.example/{prefix}/{value}#${suffix}"),
    ArkRules(prefix="40004/x5", target="https://ends.example/${suffix}?"),
)
EVERY = (*RULES, *MORE)
RESOLVER = ArkResolver(ark_book_of(EVERY), OWN_HOSTS)

ARKS = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["ark:", "ark:/", "ARK:"]),
    st.sampled_from([f"{one.prefix}{'' if one.shoulder else '/'}" for one in EVERY] + ["12346/"]),
    NAMES | st.just("") | st.text("bcd059/._-%", max_size=40),
    st.sampled_from(["", "", "?", "?info", "?a=b", "#a"]),
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> PublishedPlane:
    """A copy that knows these rules."""
    folder = tmp_path_factory.mktemp("plain")
    make_bundle().lay_out(folder)
    bundle_of_arks(EVERY).lay_out(folder / NAAN_GROUP.folder)
    return PublishedPlane(folder)


@pytest.fixture(scope="module")
def whole(copy: PublishedPlane) -> Iterator[pytest.MonkeyPatch]:
    """What takes the shorter way away for a while."""
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def ask(plane: PublishedPlane, text: str, method: str = "GET") -> HttpAnswer:
    """The answer to an ARK."""
    target = f"/{text}".encode().decode("latin-1")
    answer = plane.answer(HttpRequest(method, target, *split_target(method, target), {}))
    assert answer is not None
    return answer


@given(ARKS | near_arks | mutated_arks())
@example("ark:12345/a")
@example("ark:12345/x5")
@example("ark:99999/912345_a")
@settings(max_examples=rounds(2_000, 200))
def test_the_shorter_way_leads_where_the_whole_one_does(text: str) -> None:
    way = RESOLVER.find_plain_way(text)
    if way is None:
        return
    led = RESOLVER.resolve(text)
    assert isinstance(led, ResolvedArk)
    assert (led.rules, led.target, led.notes) == (way.rules, way.target, ())
    assert (led.request.normal_form, led.request.query) == (f"ark:{way.path}", None)


@given(ARKS, st.sampled_from(["GET", "HEAD"]))
@example(f"ark:40001/{'a' * 1}", "GET")
@example(f"ark:40001/{'a' * 7}", "GET")
@example(f"ark:12345/{'a' * 1_970}", "GET")
@settings(max_examples=rounds(1_000, 100))
def test_the_shorter_way_is_answered_as_the_whole_one(
    copy: PublishedPlane, whole: pytest.MonkeyPatch, text: str, method: str
) -> None:
    soon = ask(copy, text, method)
    with whole.context() as patch:
        patch.setattr(ArkResolver, "find_plain_way", lambda *_: None)
        late = ask(copy, text, method)
    assert soon[:3] == late[:3]
    for one in filter(None, (soon.prepared, late.prepared)):
        fresh = PreparedHeaders(soon.headers)
        assert (one.lines, one.encoded) == (fresh.lines, encode_headers(soon.headers))


@pytest.mark.parametrize(
    "text", ["ark:12345/a", "ark:/12345/x5a/b.c", "ark:21345/A=1", "ark:b7280/a"]
)
def test_what_is_in_normal_form_goes_the_shorter_way(
    copy: PublishedPlane, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(ArkResolver, "resolve", None)
    assert ask(copy, text).status == 302
