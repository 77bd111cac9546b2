"""The example that first-time registrants are shown: whole, right, and nobody's."""

from app.registration.declarations.registries import TEMPLATE_FIELDS, Procedure, Requirement
from app.registration.records.registry_records import Purpose, Submission
from app.registration.submissions.review_hints import find_hint_words
from app.registration.submissions.submission_rules import check_submission
from app.registration.templates.sample_template import EXAMPLE
from app.registration.templates.template_reader import read_template
from app.registration.templates.template_writer import WIDTH, format_template


def test_nothing_at_all_is_found_in_it() -> None:
    submission = Submission(
        registry="urn-namespaces-1",
        purpose=Purpose.NEW,
        fields=dict(EXAMPLE),
        private={},
        standard_anticipated=False,
    )
    name = "namespace_identifier"
    found = check_submission(submission, Procedure.FAST_TRACK)
    assert [finding.code for finding in found if finding.field != name] == []
    assert not any(finding.is_problem for finding in found)


def test_every_point_that_experts_look_for_is_answered() -> None:
    for field in TEMPLATE_FIELDS:
        for point, quote in find_hint_words(field, EXAMPLE.get(field.name, "")).items():
            assert quote or point.startswith("On the fast track"), (field.name, point)


def test_every_field_but_those_for_revisions_is_filled_in() -> None:
    fields = {f.name for f in TEMPLATE_FIELDS if f.required is not Requirement.REVISION}
    assert set(EXAMPLE) == fields


def test_it_is_a_text_that_one_could_mail() -> None:
    text = format_template(EXAMPLE)
    assert max(map(len, text.splitlines())) <= WIDTH
    read = read_template(text)
    assert {name: words.split() for name, words in read.fields.items()} == {
        name: words.split() for name, words in EXAMPLE.items()
    }
    assert (read.unplaced, read.problems) == ((), ())
