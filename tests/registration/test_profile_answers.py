"""What a form asks of a profile: kept as text, read back, and brought into what stands."""

from dataclasses import replace

from app.registration.profiles.profile_answers import (
    NOTHING,
    ProfileAnswers,
    answers_of,
    profile_in,
    registered_profile,
    revised_profile,
    with_answers,
    with_services,
    write_profile,
    write_services,
)
from app.registration.profiles.profile_records import (
    NO_PROFILE,
    NO_RESOLUTION,
    ExampleName,
    NamespaceProfile,
    ResolutionService,
    Resolvability,
    ServiceKind,
)

STANDS = NamespaceProfile(
    title="Books",
    names="books",
    homepage="https://books.example",
    homepage_source="its template",
    examples=(ExampleName(urn="urn:books:1", source="section 3"),),
    check="isbn",
)


def fields(profile: NamespaceProfile) -> dict[str, str]:
    return {
        "profile": write_profile(profile),
        "services": write_services(profile.resolution),
    }


def test_a_profile_is_read_as_it_was_written() -> None:
    service = ResolutionService(kind=ServiceKind.RESOURCE, target="https://x.example/{+nss}")
    resolution = replace(NO_RESOLUTION, services=(service,))
    profile = replace(STANDS, resolution=resolution)
    assert profile_in(fields(profile)) == profile
    assert fields(NO_PROFILE) == {"profile": "", "services": ""}
    assert profile_in({}) == NO_PROFILE


def test_what_was_sent_under_older_names_is_read_and_kept_under_the_new_ones() -> None:
    one = '{"kind": "I2L", "target": "https://x.example/{+nss}", "is_registrants": true}'
    sent = {"services": f'{{"is_choice": true, "services": [{one}]}}'}
    resolution = profile_in(sent).resolution
    assert resolution.is_choice
    assert resolution.services[0].is_registrants
    kept = write_services(resolution)
    assert '"choice": true' in kept
    assert '"registrant": true' in kept


def test_answers_that_stay_keep_what_the_form_does_not_ask_for() -> None:
    assert with_answers(STANDS, answers_of(STANDS)) == STANDS
    more = replace(answers_of(STANDS), examples="urn:books:1\nurn:books:2", homepage="")
    changed = with_answers(STANDS, more)
    assert changed.examples == (*STANDS.examples, ExampleName(urn="urn:books:2"))
    assert (changed.homepage, changed.homepage_source, changed.check) == ("", "", "isbn")


def test_a_service_that_was_not_changed_stays_marked_as_not_the_registrants() -> None:
    shipped = ResolutionService(
        kind=ServiceKind.LOCATION, target="https://a.example/{+nss}", source="seen", is_sure=False
    )
    sent = replace(shipped, source="", is_sure=True, is_registrants=True)
    other = replace(sent, target="https://b.example/{+nss}")
    before = replace(NO_RESOLUTION, services=(shipped,))
    after = with_services(before, Resolvability.RESOLVED, (sent, other))
    assert after.services == (shipped, other)


def test_a_revision_changes_what_it_says_and_leaves_what_was_corrected_meanwhile() -> None:
    latest = replace(STANDS, names="printed books", related=("issn",))
    given = fields(with_answers(STANDS, replace(answers_of(STANDS), title="All books")))
    made = revised_profile(given, "books", STANDS, latest)
    assert made == replace(latest, title="All books")
    assert revised_profile({}, "books", STANDS, latest) == latest
    taken_back = revised_profile({"profile": NOTHING}, "books", STANDS, latest)
    assert (taken_back.title, taken_back.examples, taken_back.related) == ("", (), ("issn",))


def test_an_example_of_another_name_is_not_registered() -> None:
    profile = with_answers(
        NO_PROFILE, ProfileAnswers(examples="urn:urn-9:1\nurn:urn-10:1\nnonsense")
    )
    kept = registered_profile(fields(profile), "urn-9")
    assert [example.urn for example in kept.examples] == ["urn:urn-9:1"]
