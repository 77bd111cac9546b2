"""What is found in a request by all that is known of it, and how grave it is."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.registration.declarations.registries import FORMAL, INFORMAL, Procedure
from app.registration.profiles.profile_answers import PROFILE
from app.registration.profiles.profile_documents import profile_to
from app.registration.profiles.profile_records import ExampleName, NamespaceProfile
from app.registration.records.registry_records import Submission
from app.registration.submission_findings import Severity, SubmissionCheck
from app.registration.submissions.submission_context import (
    NO_CONTEXT,
    RevisedText,
    SubmissionContext,
)
from app.registration.submissions.submission_rules import check_submission
from tests.factories import TITLED, template

# All that PROCEDURES' hard rules refuse, but for the rules of a NID, and what no program can hold.
HARD = {"missing", "informal-name", "date-form", "address", "other-name", "undoes-newer"}
OF_PROGRAMS = {"successor", "equivalence"}


@dataclass(frozen=True)
class Remark:
    """Something that a study found."""

    severity: str = "should"
    code: str = "undefined"
    line: int = 3
    message: str = "`DIGT` is used and not defined. Define it."
    source: str = "RFC 5234 section 2.1"
    quoted: str = "a = DIGT"
    field: str = "syntax"

    @property
    def sentence(self) -> str:
        return self.message


@dataclass(frozen=True)
class Studied:
    """What a study gave."""

    findings: tuple[Remark, ...] = ()
    too_large: tuple[str, ...] = ()


def check(
    context: SubmissionContext = NO_CONTEXT,
    procedure: Procedure = Procedure.COMMUNITY,
    /,
    *,
    address: str = "",
    registry: str = FORMAL.id,
    **fields: str,
) -> SubmissionCheck:
    """What is found in a whole template that differs as given."""
    submission = Submission(
        registry=registry,
        fields=template(**({"date": "2026-09-01", "version": "1"} | fields)),
        private={"contact_address": address},
    )
    return check_submission(submission, procedure, context=context)


def alone(name: str, text: str) -> dict[str, Any]:
    return {name: text}


def codes(found: SubmissionCheck) -> dict[str, str]:
    return {f"{one.field}/{one.code}": str(one.severity) for one in found}


@pytest.mark.parametrize(
    ("syntax", "found"),
    [
        ("Such as urn:isbn:12.", "must"),
        ("Such as urn:quokka:12, not urn:isbn:12.", "note"),
        ("Such as URN:QUOKKA:12.", ""),
        ("Such as urn:example:12, where a name stands for example.", ""),
        ("Such as urn:urn-n:12, before there is a number.", ""),
        ("Digits.", ""),
    ],
)
def test_an_example_is_of_the_name_that_is_asked_for(syntax: str, found: str) -> None:
    assert codes(check(syntax=f"{syntax} So it is.")) == (
        {"syntax/other-name": found} if found else {}
    )


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ({"syntax": "Such as urn:isbn:12."}, {"syntax/other-name": "must"}),
        ({"syntax": "Such as urn:urn-7:x."}, {"syntax/other-name": "must"}),
        ({"syntax": 'nid = "urn-7"'}, {"syntax/other-name": "must"}),
        ({"syntax": "Such as urn:urn-n:x, not urn:isbn:12."}, {"syntax/other-name": "note"}),
        ({"syntax": 'nid = "urn-" n, not urn:urn-7:x.'}, {"syntax/other-name": "note"}),
        ({"syntax": "Such as urn:urn-XX:x or urn:urn-<number>:x."}, {}),
        ({"syntax": "Such as urn:example:x."}, {}),
        ({"resolution": "As urn-7 does."}, {"resolution/other-number": "should"}),
        ({"resolution": "As urn-n does, and urn-based names."}, {}),
    ],
)
def test_an_informal_text_shows_no_number_before_it_has_one(
    texts: dict[str, str], found: dict[str, str]
) -> None:
    words = {name: f"{text} So it is, and so it will be." for name, text in texts.items()}
    known = {"registry": INFORMAL.id, "namespace_identifier": ""} | words
    assert codes(check(NO_CONTEXT, Procedure.INFORMAL, **known)) == found


def test_a_number_that_nobody_has_yet_is_not_called_anothers() -> None:
    known = {"registry": INFORMAL.id, "namespace_identifier": ""}
    text = 'nid = "urn-9" So it is, and so it will be.'
    (finding,) = check(NO_CONTEXT, Procedure.INFORMAL, syntax=text, **known).problems
    assert "gets its number when it is registered" in finding.message
    assert "belongs to" not in finding.message


@pytest.mark.parametrize(("urn", "found"), [("urn:urn-7:x", 1), ("urn:urn-n:x", 0)])
def test_an_example_that_people_look_up_is_none_of_another_number(urn: str, found: int) -> None:
    profile = profile_to(NamespaceProfile(examples=(ExampleName(urn=urn),)))
    known = {"registry": INFORMAL.id, "namespace_identifier": "", PROFILE: json.dumps(profile)}
    told = check(NO_CONTEXT, Procedure.INFORMAL, **known).problems
    assert [one.question for one in told] == ["examples"] * found


PROMPTS = (
    "1.  Mechanisms or authorities for assigning URNs to resources.\n\n"
    "2.  Methods for ensuring that URNs within the URN namespace are\n    unique.\n"
)


def test_a_field_with_only_sentences_of_the_form_is_unanswered() -> None:
    found = check(assignment=PROMPTS, purpose="Described in Section 6.4.1 of this document.")
    assert codes(found.problems) == {"assignment/missing": "must", "purpose/missing": "must"}
    assert "blank template" in found.problems[0].message
    little = check(assignment=PROMPTS.replace("unique.", "unique. We."))
    assert codes(little.looks) == {"assignment/too-little": "should"}


def test_an_answer_next_to_sentences_of_the_form_counts_and_they_are_noted_once() -> None:
    answer = "The society assigns the numbers in order, each only once."
    both = {"assignment": f"{PROMPTS}\n{answer}", "resolution": f"The potential for\n{answer}"}
    found = check(**both, documentation=f"Description of changes from prior version(s). {answer}")
    assert codes(found) == {"assignment/form-sentence": "note"}
    assert "Assignment, Documentation." in found.notes[0].message


def test_an_answer_that_begins_like_a_sentence_of_the_form_is_an_answer() -> None:
    said = "The kinds of resources identified by URNs assigned within it are rivers and lakes."
    assert not check(purpose=said)


def test_a_day_that_looks_right_is_refused_with_the_character_that_is_wrong() -> None:
    (found,) = check(date="2026\u201109\u201101").problems
    assert found.message.endswith("Character 5 is U+2011 (NON-BREAKING HYPHEN). Use `-` instead.")
    assert not check(date="2026-09-01.")


@pytest.mark.parametrize(
    ("character", "name"), [("\u00ad", "SOFT HYPHEN"), ("\u200b", "ZERO WIDTH SPACE")]
)
def test_a_character_that_nobody_sees_is_named_in_words(character: str, name: str) -> None:
    found = check(purpose=f"Names of quo{character}kkas, for everyone who counts them.")
    assert codes(found) == {"purpose/unseen-character": "should"}
    assert f"({name})" in found[0].message


def test_an_address_is_refused_with_the_character_that_ends_it() -> None:
    found = check(registrant="The Quokka Union, urn@quokka\u2011union.example")
    assert codes(found) == {"registrant/address": "should"}
    assert "U+2011 (NON-BREAKING HYPHEN)" in found[0].message


@pytest.mark.parametrize("text", ["ana@", "ana", "@org.example", "a b@org.example", "a@b@c"])
def test_a_persons_address_that_is_none_must_be_changed_and_is_not_repeated(text: str) -> None:
    (finding,) = check(address=text)
    assert (finding.field, finding.severity) == ("contact_address", Severity.MUST)
    assert text not in finding.message
    assert not check(address="ana@org.example")


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("info@org.example", True),
        ("info@bücher.example", True),
        ("ana@", False),
        ("ana@localhost", False),
        ("ana@foo", False),
        ("ana@host.test", False),
        ("info@DEMO.example", False),
    ],
)
def test_an_address_is_judged_alike_in_its_field_and_in_the_registrant(
    address: str, is_one: bool
) -> None:
    context = SubmissionContext(void_domain="demo.example")
    text = f"Quokka Society (https://ana@host/). Mail to urn@org.example, or {address}."
    found = check(context, address=address, registrant=text)
    judged = {"contact_address/address": "must", "registrant/address": "should"}
    assert codes(found) == ({} if is_one else judged)


@pytest.mark.parametrize("name", [one.name for one in FORMAL.fields if one.least])
def test_a_section_that_says_next_to_nothing_is_to_be_looked_at(name: str) -> None:
    least = FORMAL.named[name].least
    assert codes(check(**alone(name, "x"))) == {f"{name}/too-little": "should"}
    assert codes(check(**alone(name, ". ".join("x" * (least - 1))))) == {
        f"{name}/too-little": "should"
    }
    assert codes(check(**alone(name, "x" * least))) == {}


def test_none_known_is_an_answer() -> None:
    for answer in ("None.", "None known", "Not intended."):
        names = ("security_and_privacy", "interoperability", "resolution")
        answers: dict[str, Any] = dict.fromkeys(names, answer)
        assert not check(**answers)


def test_the_question_of_a_standard_is_asked_while_it_can_be_answered() -> None:
    (finding,) = check(SubmissionContext(asks_standard=True))
    assert (finding.code, finding.question, finding.severity) == ("missing", "standard", "must")
    assert not check(SubmissionContext(asks_standard=False))


@pytest.mark.parametrize(
    ("organization", "registrant", "documentation", "found"),
    [
        ("Quokka Society", "The QUOKKA\n  Society, 1 Road", "RFC 8141", {}),
        ("Quokka Society", "Wombats, 1 Road", "RFC 8141", {"registrant/organization-unnamed"}),
        ("Quokka Ltd.", "For the Quokka, Inc.", "RFC 8141", {}),
        ("量子协会", "本申请由量子协会提出并负责管理该命名空间的全部名称", "RFC 8141", {}),
        ("ISO", "Isolde Society, 1 Road", "RFC 8141", {"registrant/organization-unnamed"}),
        ("Body 4", "The Body 46, 4 Road", "RFC 8141", {"registrant/organization-unnamed"}),
        ("Quokka Society", "Quokka Society", "Our papers.", {"documentation/no-address"}),
    ],
)
def test_on_the_fast_track_the_template_names_the_body_and_its_specification(
    organization: str, registrant: str, documentation: str, found: set[str]
) -> None:
    context = SubmissionContext(organization=organization)
    texts: dict[str, Any] = {"registrant": registrant, "documentation": documentation}
    texts[PROFILE] = TITLED
    assert codes(check(context, Procedure.FAST_TRACK, **texts)) == dict.fromkeys(found, "should")
    assert not check(context, **texts)


@pytest.mark.parametrize("procedure", [Procedure.COMMUNITY, Procedure.FAST_TRACK])
@pytest.mark.parametrize("nothing", ["", " ", "-"])
def test_a_namespace_needs_a_title_and_an_organization(procedure: Procedure, nothing: str) -> None:
    whole = {PROFILE: TITLED, "registrant": "Quokka Society", "documentation": "RFC 8141"}
    society = SubmissionContext(organization="Quokka Society")
    assert not check(society, procedure, **whole)
    untitled = whole | {PROFILE: json.dumps({"title": nothing})}
    (title,) = check(society, procedure, **untitled)
    assert (title.code, title.question, title.severity) == ("missing", "title", "must")
    (organization,) = check(SubmissionContext(organization=nothing), procedure, **whole)
    assert (organization.field, organization.question) == ("registrant", "organization")
    assert (organization.code, organization.severity) == ("missing", "must")
    assert not check(NO_CONTEXT, procedure, documentation="RFC 8141")


@pytest.mark.parametrize(
    ("address", "is_personal"),
    [
        ("ana.silva@quokka.example", True),
        ("asilva@quokka.example", True),
        ("ana+urn@quokka.example", True),
        ("urn@quokka.example", False),
        ("URN-Registry@quokka.example", False),
        ("quokka@quokka.example", False),
        ("quokka.secretariat@mail.example", False),
        ("iso3166-ma@iso.example", False),
    ],
)
def test_a_personal_address_in_the_registrant_is_noted(address: str, is_personal: bool) -> None:
    found = check(registrant=f"Quokka Society, 1 Road, or write to {address}.")
    assert codes(found) == ({"registrant/personal-address": "note"} if is_personal else {})
    assert all(f"`{address}`" in one.message for one in found)


@pytest.mark.parametrize(
    ("revision", "found"),
    [
        (
            RevisedText(is_stale=True, undone=(("syntax", "Theirs."), ("purpose", ""))),
            "undoes-newer must undoes-newer must",
        ),
        (RevisedText(is_stale=True), "newer-version note"),
        (RevisedText(successor_problem="Itself."), "successor must"),
        (RevisedText(successor_advice="Deprecated."), "successor-deprecated should"),
        (RevisedText(), ""),
    ],
)
def test_a_revision_undoes_no_words_of_a_newer_version(revision: RevisedText, found: str) -> None:
    told = check(SubmissionContext(revision=revision))
    assert " ".join(f"{one.code} {one.severity}" for one in told) == found
    if revision.undone:
        assert {one.field for one in told} == {"syntax", "purpose"}, "each where it is mended"
        said = " ".join(one.message for one in told)
        assert "would undo the words “Theirs.”." in said
        assert "would undo a deletion." in said


def test_what_is_wrong_in_a_grammar_is_asked_and_what_is_odd_is_noted() -> None:
    many = [Remark()] * 30 + [Remark(severity="note", line=1)]
    found = check(SubmissionContext(grammar=Studied(tuple(many), ("It is long.",))))
    assert [len(found.looks), len(found.notes)] == [21, 2]
    assert (
        found.looks[0].message
        == "The grammar has 10 more findings. See all of them in the grammar workbench."
    )
    assert found.looks[1].quote.startswith("> Syntax, line 3: a = DIGT\n\n`DIGT` is used")
    assert not found.problems


@given(st.dictionaries(st.sampled_from(sorted(FORMAL.named)), st.text(max_size=60), max_size=8))
def test_the_hard_rules_alone_forbid_and_every_finding_says_what_where_and_by_which_rule(
    texts: dict[str, str],
) -> None:
    context = SubmissionContext(
        rivals=((7, "quokka"),), asks_standard=True, organization="Q", grammar=Studied((Remark(),))
    )
    texts.pop("equivalence", None)
    submission = Submission(registry=FORMAL.id, fields=texts, private=texts)
    for one in (found := check_submission(submission, Procedure.FAST_TRACK, context=context)):
        assert one.field in FORMAL.named
        assert one.source.startswith(("RFC ", "Unicode "))
        assert one.message.rstrip().endswith(".")
        of_name = one.field == "namespace_identifier"
        assert not one.is_problem or of_name or one.code in HARD | OF_PROGRAMS
    assert list(found) == [*found.problems, *found.looks, *found.notes]
