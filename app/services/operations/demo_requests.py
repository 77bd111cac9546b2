"""Sample data of the demo: requests in every state, a revision, identifiers in use.

Each story is a generator that yields the number of days before today of its next step. The steps
of all stories run in the order of time.
"""

import heapq
from collections.abc import Generator, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from app.registration.declarations.registries import Procedure
from app.services.accounts import sign_in
from app.services.operations.database_binding import DatabaseNotReady
from app.services.operations.demo_names import NAAN_STORIES, bridge_names
from app.services.operations.demo_people import add_people
from app.services.operations.demo_registry import (
    ELLIS,
    EMERY,
    HANA,
    LEE,
    ODELL,
    ROBIN,
    SAM,
    Days,
    DemoRegistry,
    Story,
)
from app.services.operations.demo_templates import DemoTemplate
from app.services.policy import Policy
from app.services.refusals import Refusal
from app.services.registrations.name_registration import Reference
from app.services.registry.naan_import import has_naans
from app.services.requests import internal_notes
from app.store.database import transaction
from app.store.editions.edition_rows import clock_of
from app.store.mail import outbox_messages
from app.workflow.engine import ActionRefused
from app.workflow.reviews import Verdict
from app.workflow.states import Action

BEGUN = timedelta(days=90)  # age of the demo registry
_INCOMPLETE = (
    "The demo data couldn't be created, and nothing was saved: {why} Try again with "
    "URN_REGISTRY_DEMO_REQUESTS=no."
)
_EXPERTS = (ELLIS, EMERY, LEE)
_OTHERS = ((HANA, "Hana Harbour"), (SAM, "Sam Scholar"))


def add_requests(policy: Policy, now: datetime) -> None:
    """Add the sample data of the demo, over the time ``BEGUN``. All mail counts as sent.

    The caller opens a ``joint_transaction``. Raises DatabaseNotReady if a step is refused.
    """
    began = now - BEGUN
    registry = DemoRegistry(_possible(policy), began)
    try:
        with clock_of(lambda: registry.at):
            _tell(registry, now)
    except (Refusal, ActionRefused) as error:
        raise DatabaseNotReady(_INCOMPLETE.format(why=error.message)) from error
    with transaction():
        outbox_messages.mark_all_sent()


def _possible(policy: Policy) -> Policy:
    """Adapt the policy to the few experts and the one operator of the demo."""
    rules = policy.procedures
    fewer = replace(rules.outcome, needed=min(rules.outcome.needed, len(_EXPERTS)))
    alone = replace(rules.separation, share=None)
    return replace(policy, procedures=replace(rules, outcome=fewer, separation=alone))


def _tell(registry: DemoRegistry, now: datetime) -> None:
    add_people(registry.at)
    for who, name in _OTHERS:
        sign_in.add_account(f"{who}@demo.example", registry.at, name=name)
    gives_naans = has_naans() and not registry.is_proposal
    told = (*STORIES, *(NAAN_STORIES if gives_naans else ()))
    stories = [story(registry) for story in told]
    due = [(-next(story), place) for place, story in enumerate(stories)]
    heapq.heapify(due)
    while due:
        days, place = heapq.heappop(due)
        registry.at = now + timedelta(days=days)
        following = next(stories[place], None)
        if following is not None:
            heapq.heappush(due, (-following, place))


def _passed(registry: DemoRegistry, number: int) -> None:
    """Check a request as operator and pass it to the experts."""
    registry.act(number, ODELL, Action.TAKE)
    registry.act(number, ODELL, Action.PASS, "The organization confirmed the request by letter.")


def _draft(registry: DemoRegistry) -> Days:
    yield 1
    text = DemoTemplate("meadow-flowers", "The Meadow Watch", "meadow flowers", ("plant", "plot"))
    number = registry.draft(ROBIN, text)
    registry.change(number, ROBIN, security_and_privacy="", interoperability="")


def _new(registry: DemoRegistry) -> Days:
    yield 2
    text = DemoTemplate("tide-tables", "The Tide Tables Office", "tide tables", ("port", "table"))
    registry.sent(HANA, text)


def _validating(registry: DemoRegistry) -> Days:
    yield 4
    text = DemoTemplate("lightships", "The Lightship Trust", "lightships", ("ship", "station"))
    number = registry.sent(HANA, text)
    yield 3
    registry.act(number, ODELL, Action.TAKE)
    internal_notes.note(
        registry.command(ODELL),
        number,
        "Asked the trust by phone whether its statutes are online.",
    )


def _returned(registry: DemoRegistry) -> Days:
    yield 24
    text = DemoTemplate("birdsong", "The Birdsong Archive", "recordings of birds", ("call", "bird"))
    number = registry.sent(ROBIN, text)
    yield 22
    _passed(registry, number)
    yield 20
    registry.say(
        number,
        SAM,
        "Many of these recordings already have a DOI. Does `urn:birdsong:call:…` replace it?",
        "purpose",
    )
    yield 19
    registry.say(
        number,
        ROBIN,
        "No. The DOI identifies the file; our URN identifies the bird in the recording.",
    )
    yield 6
    registry.review(
        number,
        ELLIS,
        Verdict.RETURN,
        "Two questions before I can approve this:\n\n"
        "1. Assignment: numbers are assigned in blocks. What happens to the rest of a block "
        "when a member leaves?\n"
        "2. Security and Privacy: a recording has a place and a time. Can a URN reveal where a "
        "rare bird nests?",
    )


def _in_review(registry: DemoRegistry) -> Days:
    yield 16
    text = DemoTemplate("stone-walls", "The Dry Stone Society", "dry stone walls", ("wall", "gate"))
    number = registry.sent(HANA, text)
    yield 14
    _passed(registry, number)
    yield 12
    registry.say(number, SAM, "How do you distinguish two walls that meet in a corner?", "syntax")
    yield 11
    registry.say(
        number, HANA, "Each wall has its own number, and so does the gate between them.", "syntax"
    )
    yield 10
    registry.say(number, SAM, "Thanks, no objections from me.")
    yield 8
    if registry.reviews_needed > 1:
        registry.review(number, ELLIS, Verdict.APPROVE, "Complete and clear.")


def _unread(registry: DemoRegistry) -> Days:
    """A request without reviews that is waiting for every expert."""
    yield 7
    text = DemoTemplate("orchards", "The Old Orchards Union", "fruit trees", ("tree", "orchard"))
    number = registry.sent(HANA, text)
    yield 5
    _passed(registry, number)
    yield 4
    for expert in _EXPERTS:
        if not registry.waits_for(expert, number):
            registry.act(number, expert, Action.TAKE_ON)


def _recognition(registry: DemoRegistry) -> Days:
    yield 21
    text = DemoTemplate("ferries", "The Ferry Standards Body", "ferry lines", ("line", "pier"))
    number = registry.sent(HANA, text, Procedure.FAST_TRACK)
    yield 18
    registry.act(number, ODELL, Action.TAKE)
    registry.act(
        number,
        ODELL,
        Action.ASK_RECOGNITION,
        "The body has published standards since 1951 and confirmed the request by letter.",
    )


def _standard(registry: DemoRegistry) -> Days:
    yield 48
    text = DemoTemplate(
        "weather-codes",
        "The Weather Codes Group",
        "weather codes",
        ("code", "table"),
        standard=True,
    )
    number = registry.sent(HANA, text)
    yield 46
    _passed(registry, number)
    yield 33
    registry.review(number, LEE, Verdict.APPROVE, "It covers all points of RFC 8141 section 6.4.")
    yield 30
    registry.act(
        number,
        LEE,
        Action.REPORT,
        report="# Report of the experts\n\nThe experts have no objections to this namespace.",
        body="the Standards Board",
    )


def _undecided(registry: DemoRegistry) -> Days:
    yield 52
    text = DemoTemplate("cloud-names", "The Society of Skies", "clouds", ("cloud", "sky"))
    number = registry.sent(HANA, text)
    yield 50
    _passed(registry, number)
    yield 40
    with registry.several_needed():
        registry.review(number, ELLIS, Verdict.APPROVE, "I see no conflict with other namespaces.")
    yield 38
    registry.review(
        number,
        EMERY,
        Verdict.DECLINE,
        "Clouds disappear, so their identifiers can't be persistent.",
    )
    yield 31
    registry.act(
        number,
        LEE,
        Action.ESCALATE,
        "We disagree whether short-lived things can have persistent identifiers.",
    )


def _denied(registry: DemoRegistry, text: DemoTemplate, days: float) -> Generator[float, None, int]:
    """Submit a request that the experts decline, and return its number."""
    yield days
    number = registry.sent(ROBIN, text)
    yield days - 2
    _passed(registry, number)
    said = (
        "The published lists show that numbers are reassigned every season.",
        "I agree. RFC 8141 section 5.1 requires that a URN is never reassigned.",
        "I agree: numbers are reassigned.",
    )
    yield from _decided(registry, number, days - 6, Verdict.DECLINE, said, no="permanence")
    return number


def _appealed(registry: DemoRegistry) -> Days:
    text = DemoTemplate("jerseys", "The Football Numbers Club", "players", ("team", "player"))
    number = yield from _denied(registry, text, 44)
    yield 20
    registry.act(
        number, ROBIN, Action.APPEAL, "Every URN includes the season, so none is reassigned."
    )


def _appealed_again(registry: DemoRegistry) -> Days:
    text = DemoTemplate("rankings", "The Chess Rankings Board", "ranks", ("list", "rank"))
    number = yield from _denied(registry, text, 70)
    yield 55
    registry.act(number, ROBIN, Action.APPEAL, "Old lists are kept; only the ranks change.")
    yield 26
    registry.act(
        number,
        ODELL,
        Action.UPHOLD,
        "The experts applied RFC 8141 section 5.1 correctly.",
        reference="https://decisions.example/appeals/12",
        date=f"{registry.at.date() - timedelta(days=1)}",
    )
    yield 15
    registry.act(
        number, ROBIN, Action.APPEAL_TO_IAB, "Neither decision names a URN that would be reused."
    )


def _declined(registry: DemoRegistry) -> Days:
    text = DemoTemplate("hotel-rooms", "The Innkeepers’ Union", "rooms", ("house", "room"))
    yield from _denied(registry, text, 36)


def _withdrawn(registry: DemoRegistry) -> Days:
    yield 28
    text = DemoTemplate("milestones", "The Old Roads Circle", "milestones", ("stone", "road"))
    number = registry.sent(HANA, text)
    yield 25
    registry.act(number, HANA, Action.WITHDRAW, "We will use the identifiers of another society.")


def _approved(registry: DemoRegistry, number: int, days: float) -> Days:
    """Pass a request to the experts and let enough of them approve it."""
    yield days
    _passed(registry, number)
    said = ("Complete and clear.", "I agree.", "I agree too.")
    yield from _decided(registry, number, days - 3, Verdict.APPROVE, said)


def _decided(
    registry: DemoRegistry,
    number: int,
    days: float,
    verdict: Verdict,
    said: Iterable[str],
    no: str = "",
) -> Days:
    """Let experts review a request with the same verdict until it is decided.

    ``no`` is the question that they answer with no.
    """
    for expert, later, words in zip(_EXPERTS, (0, 2, 2.5), said, strict=True):
        yield days - later
        if registry.is_in_review(number):
            registry.review(number, expert, verdict, words, no=no)


def _assignable(registry: DemoRegistry) -> Days:
    yield 13
    text = DemoTemplate("", "The Bell Founders", "church bells", ("bell", "tower"))
    number = registry.sent(HANA, text, Procedure.INFORMAL)
    yield from _approved(registry, number, 9)


def _registered(registry: DemoRegistry) -> Days:
    """A registered namespace with one revision registered and another approved."""
    yield 85
    text = DemoTemplate("old-bridges", "The Bridge Society", "bridges", ("bridge", "arch"))
    number = registry.sent(ROBIN, text)
    yield from _approved(registry, number, 82)
    yield 75
    if registry.is_proposal:
        _registered_at_iana(registry, number)
        return
    registry.register(number, ODELL, Reference(text.home, text.society))
    for days, said, why in (
        (60, "The society runs a resolver.", "Added the society’s resolver."),
        (11, "The society runs two resolvers.", "Added a second resolver."),
    ):
        yield days
        number = registry.revision(
            ROBIN, text.name, additional_information=said, revision_information=why
        )
        yield from _approved(registry, number, days - 3)
        if days == 60:
            yield 51
            registry.register(number, ODELL, Reference(""))


def _registered_at_iana(registry: DemoRegistry, number: int) -> None:
    """Enter IANA's registration, on the same day to keep the order of days."""
    at_iana = {"day": registry.at.date().isoformat(), "ticket": "IANA #1000001"}
    registry.act(number, ODELL, Action.SEND_ON, **at_iana)
    registry.act(number, ODELL, Action.ENTER_REGISTRATION, **at_iana)


STORIES: tuple[Story, ...] = (
    _registered,
    bridge_names,
    _appealed_again,
    _undecided,
    _standard,
    _appealed,
    _declined,
    _withdrawn,
    _returned,
    _recognition,
    _in_review,
    _unread,
    _assignable,
    _validating,
    _new,
    _draft,
)
