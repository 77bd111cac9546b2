"""What is found in a text: the one check of a request, given all that this registry knows of it."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from app.grammar.expressions.regular_expressions import find_unsafe_pattern
from app.identifiers.errors import Finding
from app.pages.text.template_diff import lost_words, merge_lines
from app.registration.declarations.identifier_spaces import NameIndex
from app.registration.declarations.registries import (
    REGISTRIES,
    DeclaredProcedure,
    Procedure,
    Registry,
    procedure_named,
)
from app.registration.profiles.profile_rules import ProfileLimits
from app.registration.records.registry_records import Purpose, Status, Submission
from app.registration.submission_findings import SubmissionCheck
from app.registration.submissions.submission_context import RevisedText, SubmissionContext
from app.registration.submissions.submission_rules import (
    SubmissionFinding,
    check_submission,
    check_texts,
)
from app.resolution.record_rules import judge_examples
from app.services.accounts.actors import is_held_above
from app.services.registry.base_version import (
    PENDING,
    BaseVersion,
    NamesAsked,
    RevisedStatus,
    base_of,
    changes_nothing,
    compared_fields,
    fate_of,
    known_fields,
    request_registered_at_iana,
    requests_competing_with,
    status_advice,
    status_problem,
)
from app.services.registry.bundled_profiles import bundled_patterns
from app.services.registry.naan_history import holders_alike
from app.services.registry.snapshots import site_hosts, taken_index
from app.services.requests import text_studies
from app.services.requests.draft_merge import facts_undone, undecided_facts
from app.services.requests.syntax_studies import (
    GrammarSource,
    grammar_of,
    grammar_source,
    sent_grammar,
)
from app.store.accounts import delegate_rows
from app.store.assigned_names import prefix_rows
from app.store.demonstration import void_domain
from app.store.registry import record_versions as names
from app.store.requests import iteration_rows
from app.store.tables import Request
from app.workflow.states import State

__all__ = ["PENDING", "TextCheck", "check_of", "check_of_sent"]


@dataclass(frozen=True, kw_only=True)
class TextCheck:
    """A text of a request with all that it is held against; each answer is found when asked for.

    Nothing is read from the database any more. The grammar takes a second or two to study where
    nobody has: it forbids nothing, so that who asks what does need not wait for it.
    """

    submission: Submission
    procedure: DeclaredProcedure
    registered: NameIndex | Collection[str]
    context: SubmissionContext
    grammar: GrammarSource | None

    @cached_property
    def problems(self) -> SubmissionCheck:
        """What forbids sending, passing and registering."""
        return self._checked(self._known).problems

    @cached_property
    def findings(self) -> SubmissionCheck:
        """Everything found, gravest first."""
        studied = grammar_of(self.grammar) if self.grammar else None
        return self._checked(replace(self._known, grammar=studied))

    @cached_property
    def asks_approver(self) -> bool:
        """Whether whoever approves says in a sentence why."""
        return self._checked(self._known).asks_approver or self.findings.asks_approver

    @cached_property
    def _known(self) -> SubmissionContext:
        if self.context.in_texts is not None:
            return self.context
        return replace(self.context, in_texts=check_texts(self.submission.fields))

    def _checked(self, context: SubmissionContext) -> SubmissionCheck:
        return check_submission(self.submission, self.procedure, self.registered, context=context)


def check_of(
    request: Request,
    submission: Submission,
    organization: str,
    in_texts: Collection[SubmissionFinding] | None = None,
    asking: Callable[[], NamesAsked] | None = None,
    *,
    grammar: GrammarSource | None = None,
    unmerged: Mapping[str, str] | None = None,
) -> TextCheck:
    """The check of a text of a request, with all that is known of it now.

    ``in_texts`` is what was found in its texts when it was sent, ``asking`` gives what open
    requests ask for, ``grammar`` what is known of its grammar; the rest is looked up. ``unmerged``
    are newer texts of fields that its author has to decide about.
    """
    registry, base = REGISTRIES[submission.registry], base_of(request)
    folded = registry.fold(submission.fields.get(registry.name_field.name, ""))
    problem, advice = _above(request, registry, folded) if base is None else ("", "")
    context = SubmissionContext(
        above_problem=problem,
        above_advice=advice,
        alike=holders_alike(registry, submission.fields) if base is None else (),
        site_hosts=site_hosts(),
        rivals=requests_competing_with(request, folded, asking),
        at_iana=request_registered_at_iana(request, folded),
        in_texts=in_texts,
        limits=_limits(base),
        asks_standard=Procedure.STANDARDS_ACTION in registry.procedures
        and State(request.state).is_private,
        organization=organization,
        revision=_revised(request, base, submission.fields, organization, unmerged or {})
        if base
        else None,
        void_domain=void_domain(),
    )
    return TextCheck(
        submission=submission,
        procedure=procedure_named(request.procedure),
        registered=taken_index(registry.space),
        context=context,
        grammar=grammar or grammar_source(submission.fields, folded),
    )


def check_of_sent(
    request: Request, asking: Callable[[], NamesAsked] | None = None
) -> TextCheck | None:
    """The check of the newest text that was sent in; a draft of the next says nothing here.

    What is private was checked as it was written, and is not told here: others read this.
    """
    sent = iteration_rows.find_iteration(request.number, request.iterations)
    if sent is None:
        return None
    submission = Submission(
        registry=request.registry_id,
        purpose=Purpose(request.purpose),
        fields={**sent.fields, **_dropped(request)},
        standard_anticipated=request.standard_anticipated,
        is_kept_apart=True,
    )
    return check_of(
        request,
        submission,
        request.organization,
        text_studies.findings_of(request.number, sent),
        asking,
        grammar=sent_grammar(request.number, sent.k, sent.fields, request.asked_name),
    )


def _dropped(request: Request) -> dict[str, str]:
    registry = REGISTRIES[request.registry_id]
    numbered = registry.numbering is not None
    return {} if request.asked_name or not numbered else {registry.name_field.name: ""}


def _above(request: Request, registry: Registry, folded: str) -> tuple[str, str]:
    space, (above, slash, _) = registry.space.under, folded.partition("/")
    if space is None or not slash:
        return "", ""
    if overlapped := _overlapped(request, registry, folded):
        return overlapped, ""
    if registry.space.is_shared(above):
        return "", ""
    found = names.find_latest(space.id, above)
    if found is None or found.record.status is Status.FORMER:
        told = (
            f"The {space.label} `{above[:80]}` is not in use. Choose a {registry.label} under one"
        )
        return f"{told} that is in use or shared.", ""
    if not is_held_above(request, folded):
        return "", ""
    told = f"You don't manage `{space.whole(above)}` here. Ask one of its managers"
    return "", f"{told} to submit this, or the operator must record how they agreed."


def _overlapped(request: Request, registry: Registry, folded: str) -> str:
    whole = registry.space.whole(folded)
    asking = delegate_rows.acting_for(request)
    for one in prefix_rows.overlapping(whole):
        if not prefix_rows.holders_of(one.id) & asking:
            told = (
                f"Someone else assigns identifiers under `{one.text[:80]}` here. This request would"
            )
            return f"{told} overlap with it. Choose another {registry.label}."
    return ""


def _limits(base: BaseVersion | None) -> ProfileLimits:
    stands = base.latest.record.profile.resolution.services if base else ()
    return ProfileLimits(
        unsafe_in=find_unsafe_pattern,
        judge=judge_examples,
        known=frozenset(stands),
        known_patterns=bundled_patterns(),
    )


def _revised(
    request: Request,
    base: BaseVersion,
    fields: Mapping[str, str],
    organization: str,
    unmerged: Mapping[str, str],
) -> RevisedText:
    registry = REGISTRIES[request.registry_id]
    fate = fate_of(base, fields, registry)
    return RevisedText(
        advice=tuple(_advice(request, base, fields, fate)),
        changes_nothing=changes_nothing(request, base, fields, organization),
        successor_problem=status_problem(fate, base.version.record.folded, registry.space),
        successor_advice=status_advice(fate, registry.space),
        is_stale=not base.is_latest,
        undone=tuple(_undone(base, fields, registry, unmerged)),
        undone_facts=(*facts_undone(fields, base), *undecided_facts(unmerged)),
        is_left_behind=delegate_rows.is_left_behind(request),
    )


def _advice(
    request: Request, base: BaseVersion, fields: Mapping[str, str], fate: RevisedStatus
) -> Iterator[Finding]:
    registry = REGISTRIES[request.registry_id]
    if registry.advise_change is not None:
        yield from registry.advise_change(dict(base.latest.record.fields), fields)
    if not (fate.is_over and fate.successor):
        return
    held = delegate_rows.find_name(registry.space, fate.successor)
    if not (held and delegate_rows.accounts_of(held) & delegate_rows.acting_for(request)):
        told = f"You don't manage the successor `{registry.space.whole(fate.successor)}`"
        todo = "The operator asks its registrant to agree before registration."
        yield Finding("successor-of-another", f"{told}. {todo}", registry.name_field.source)


def _undone(
    base: BaseVersion, fields: Mapping[str, str], registry: Registry, unmerged: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    now = compared_fields(fields, registry)
    before, newest = ({}, {}) if base.is_latest else _known_of(base, registry)
    for field in registry.public_fields:
        texts = [some.get(field.name, "") for some in (before, now, newest)]
        if field.name in unmerged:
            yield field.name, lost_words("", texts[1], unmerged[field.name])
        elif not base.is_latest and _is_undone(*texts):
            yield field.name, lost_words(*texts)


def _known_of(base: BaseVersion, registry: Registry) -> Iterator[dict[str, str]]:
    for version in (base.version, base.latest):
        yield compared_fields(known_fields(version.record, registry), registry)


def _is_undone(before: str, now: str, newest: str) -> bool:
    found = merge_lines(before, now, newest)
    return not found.is_whole or found.text.splitlines() != now.splitlines()
