"""Names of the plain kind are led on by a shorter way, which answers as the whole one does."""

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
from app.published.names.edition_names import AnswerCache
from app.published.plane import PublishedPlane
from app.registration.profiles.profile_records import (
    NssPattern,
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)
from app.resolution.judgement import judge_text
from app.resolution.namespace_rules import NamespaceRules, book_of
from app.resolution.service_choice import NO_PREFERENCES
from app.resolution.urn_resolver import ResolvedName, UrnResolver
from tests.identifiers.strategies import mutated_urns, urns
from tests.published.name_rules import RULES
from tests.published.rules import bundle_of, shipped, shipped_rules
from tests.torture.conftest import rounds

MANY = tuple(
    ResolutionService(kind=ServiceKind.LOCATION, target=f"https://{'a' * 200}.example/{n}/{{+nss}}")
    for n in range(40)
)
GROUPED = tuple(
    ResolutionService(
        kind=ServiceKind.LOCATION, target=f"https://g.example/{number}/{target}", when=when
    )
    for number, (target, when) in enumerate(
        [("{a}/{b}", "a:(?P<a>.+)"), ("{a}/{b}", ""), ("{nss}", "(?P<nss>a).*"), ("{b}", "(")]
    )
)
MADE = (
    *RULES,
    *shipped_rules(),
    NamespaceRules(
        name="linked", resolution=Resolution(resolvability=Resolvability.RESOLVED, services=MANY)
    ),
    NamespaceRules(
        name="grouped",
        pattern=NssPattern(expression="(?P<a>[a-z]+):(?P<b>[a-z0-9]*)"),
        resolution=Resolution(services=GROUPED),
    ),
)
EVERY = tuple({rules.name.lower(): rules for rules in MADE}.values())
BOOK = book_of(EVERY)
RESOLVER = UrnResolver(BOOK)
EXAMPLES = [
    one["urn"] for profile in shipped().values() for one in profile["profile"].get("examples", ())
]
ACCEPTED = ["", "*/*", "text/html", "application/json, text/html;q=0.1", "text/html;q=0, */*"]
LANGUAGES = ["", "fi", "en-GB,en;q=0.5", "de, en;q=0"]

NAMES = (
    st.builds(
        "urn:{}:{}".format,
        st.sampled_from([rules.name for rules in EVERY]),
        st.text("aAb1xX-:/.,~'()*", min_size=1, max_size=12) | st.just("a" * 301),
    )
    | st.sampled_from(EXAMPLES)
    | st.sampled_from(EXAMPLES).map(lambda urn: f"urn:{urn[4:].lower()}")
    | st.sampled_from(EXAMPLES).map(lambda urn: f"{urn}?=a")
    | urns
    | mutated_urns()
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> PublishedPlane:
    """A copy that knows these rules."""
    folder = tmp_path_factory.mktemp("plain")
    bundle_of(EVERY).lay_out(folder)
    return PublishedPlane(folder)


@pytest.fixture(scope="module")
def forgetful() -> Iterator[pytest.MonkeyPatch]:
    """What takes things away for a while; no answer is known from before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AnswerCache, "find", lambda *_: None)
        yield patch


def ask(plane: PublishedPlane, text: str, method: str, **headers: str) -> HttpAnswer:
    """The answer to a name."""
    target = f"/{text}".encode("utf-8", "surrogatepass").decode("latin-1")
    answer = plane.answer(HttpRequest(method, target, *split_target(method, target), headers))
    assert answer is not None
    return answer


@given(NAMES)
@example("urn:grouped:a:b")
@example("urn:grouped:a:")
@settings(max_examples=rounds(2_000, 200))
def test_the_shorter_way_leads_where_the_whole_one_does(text: str) -> None:
    way = RESOLVER.find_plain_way(text, NO_PREFERENCES)
    if way is None:
        return
    led = RESOLVER.resolve(judge_text(text, BOOK))
    assert isinstance(led, ResolvedName)
    found = [(one.target, one.service, one.is_registrants) for one in (led.first, *led.alternates)]
    assert found == [(at, one.service, one.is_registrants) for at, one in way.found.items()]
    assert (led.judgement.normal_form, led.is_negotiated) == (way.name, way.is_negotiated)
    first = next(iter(way.found.values()))
    assert first.is_description is led.first.is_description


@given(
    NAMES,
    st.sampled_from(["GET", "HEAD"]),
    st.sampled_from(ACCEPTED),
    st.sampled_from(LANGUAGES),
)
@example("urn:linked:a", "GET", "", "")
@settings(max_examples=rounds(1_000, 150))
def test_the_shorter_way_is_answered_as_the_whole_one(
    copy: PublishedPlane,
    forgetful: pytest.MonkeyPatch,
    text: str,
    method: str,
    accept: str,
    language: str,
) -> None:
    sent = {"accept": accept, "accept-language": language}
    soon = ask(copy, text, method, **sent)
    with forgetful.context() as patch:
        patch.setattr(UrnResolver, "find_plain_way", lambda *_: None)
        late = ask(copy, text, method, **sent)
    assert soon[:3] == late[:3]
    for one in filter(None, (soon.prepared, late.prepared)):
        fresh = PreparedHeaders(soon.headers)
        assert (one.lines, one.encoded) == (fresh.lines, encode_headers(soon.headers))


@pytest.mark.parametrize(
    "text",
    [
        *("urn:ietf:rfc:2141", "urn:oid:1.3.6.1", "urn:isbn:9789510184356", "urn:lead:a/b"),
        *("urn:typed:a", "urn:many:a", "urn:about:a", "urn:spelled:ab"),
    ],
)
def test_what_is_in_normal_form_goes_the_shorter_way(
    copy: PublishedPlane, forgetful: pytest.MonkeyPatch, text: str
) -> None:
    with forgetful.context() as patch:
        patch.setattr(UrnResolver, "resolve", None)
        assert ask(copy, text, "GET", accept="text/html").status in (302, 303)
