"""Sample data of the demo: requests in every state, a revision, identifiers in use.

``app/bundled/demo.json`` has the steps of each story: who does what, and how many days ago. They
call the same use cases as the pages, in the order of time.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from secrets import token_urlsafe
from typing import Any

from app import bundled
from app.assigned_names.assigned_name_records import (
    ELEMENTS,
    AssignedNameRecord,
    NameRevision,
    withdrawal,
)
from app.problems import use_case_codes
from app.registration.declarations.naan_registries import PrivateNaanField
from app.registration.declarations.registries import (
    FORMAL,
    INFORMAL,
    REGISTRIES,
    URN_SPACE,
    Procedure,
)
from app.registration.profiles.profile_answers import write_profile
from app.registration.profiles.profile_records import ExampleName, NamespaceProfile
from app.services.accounts import sign_in
from app.services.accounts.actors import Actor, actor_of
from app.services.assigned_names import minting, name_changes, prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.operations.database_binding import DatabaseNotReady
from app.services.operations.demo_people import add_people
from app.services.policy import PROPOSAL, Policy
from app.services.refusals import NotFound, Refusal
from app.services.registrations.name_registration import Reference
from app.services.registry.naan_import import has_naans
from app.services.requests import comments, drafts, queues, request_actions, revisions
from app.services.requests.request_evidence import ActionInput
from app.services.use_cases import Command
from app.store.accounts import account_rows
from app.store.database import read_transaction, transaction
from app.store.demonstration import DOMAIN
from app.store.editions.edition_rows import clock_of
from app.store.mail import outbox_messages
from app.store.requests import draft_rows, iteration_rows, request_rows
from app.workflow.engine import ActionRefused
from app.workflow.reviews import QUESTIONS, ReviewAnswer, Verdict
from app.workflow.states import Action, State

BEGUN = timedelta(days=90)  # age of the demo registry
_INCOMPLETE = (
    "The demo data couldn't be created, and nothing was saved: {why} Try again with "
    "URN_REGISTRY_DEMO_REQUESTS=no."
)
_EXPERTS = 3
_OTHERS = (("harbour", "Hana Harbour"), ("scholar", "Sam Scholar"))

Step = Mapping[str, Any]


def stories(*, with_naans: bool) -> list[list[Step]]:
    """Return the stories, each as its steps; those about NAANs only if wanted."""
    document = json.loads(bundled.demo())
    named = document["stories"] | (document["naan_stories"] if with_naans else {})
    return list(named.values())


def add_requests(policy: Policy, now: datetime) -> None:
    """Add the sample data of the demo, over the time ``BEGUN``. All mail counts as sent.

    The caller opens a ``joint_transaction``. Raises DatabaseNotReady if a step is refused.
    """
    world = _World(_possible(policy), now - BEGUN)
    try:
        with clock_of(lambda: world.at):
            add_people(world.at)
            for who, name in _OTHERS:
                sign_in.add_account(f"{who}@{DOMAIN}", world.at, name=name)
            told = stories(with_naans=has_naans() and not world.is_proposal)
            steps = [
                (step, story) for one in told for story in [DemoRegistry(world)] for step in one
            ]
            for step, story in sorted(steps, key=lambda one: -one[0]["days"]):
                world.at = now - timedelta(days=step["days"])
                story.run(step)
    except (Refusal, ActionRefused) as error:
        raise DatabaseNotReady(_INCOMPLETE.format(why=error.message)) from error
    with transaction():
        outbox_messages.mark_all_sent()


def _possible(policy: Policy) -> Policy:
    rules = policy.procedures
    fewer = replace(rules.outcome, needed=min(rules.outcome.needed, _EXPERTS))
    alone = replace(rules.separation, share=None)
    return replace(policy, procedures=replace(rules, outcome=fewer, separation=alone))


class _DemoGivenNumbers:
    def __init__(self) -> None:
        self._following: dict[str, int] = {}

    def next_of(self, of: str) -> int:
        """Return the number after the highest one used, or 0."""
        return self._following.get(of, 0)

    def seed_of(self, _prefix: str) -> str:
        """Return "": every prefix and its seed are in the database."""
        return ""

    def keep(self, of: str, following: int, _seed: str = "") -> None:
        """Note that all numbers below ``following`` are used."""
        self._following[of] = max(following, self.next_of(of))


@dataclass(slots=True)
class _World:
    policy: Policy
    at: datetime
    given: _DemoGivenNumbers = field(default_factory=_DemoGivenNumbers)

    @property
    def is_proposal(self) -> bool:
        return self.policy.procedures.authority == PROPOSAL


class DemoRegistry:
    """One story: its request, and the identifiers minted in it.

    Steps refer to ``{name}``, the name registered by the request, to ``{minted[0]}`` and so on, and
    to ``{today}`` and ``{yesterday}``.
    """

    def __init__(self, world: _World) -> None:
        self._world, self._request = world, 0
        self._prefixes: dict[str, int] = {}
        self._words: dict[str, str] = {}

    def run(self, step: Step) -> None:
        """Carry out a step, if its condition applies."""
        today = self._world.at.date()
        self._words |= {"{today}": f"{today}", "{yesterday}": f"{today - timedelta(days=1)}"}
        told = self._filled(step)
        if "if" not in told or self._applies(told["if"], told["who"]):
            getattr(self, told["do"])(told["who"], told)

    def _filled(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._filled(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self._filled(one) for one in value]
        if isinstance(value, str):
            for mark, words in self._words.items():
                value = value.replace(mark, words)
        return value

    def _applies(self, condition: str, who: str) -> bool:
        match condition:
            case "registers":
                return not self._world.is_proposal
            case "proposes":
                return self._world.is_proposal
            case "several":
                return self._world.policy.procedures.outcome.needed > 1
        actor = self._actor(who)
        with read_transaction():
            if condition == "not_waiting":
                return not queues.waits_for(actor, self._request)
            request = request_rows.find_request(self._request)
            return request is not None and request.state == State.EXPERT_REVIEW

    def _actor(self, who: str) -> Actor:
        with read_transaction():
            account = account_rows.find_account(f"{who}@{DOMAIN}")
            if account is None:
                raise NotFound(use_case_codes.ENTRY_UNKNOWN, f"No user is called {who}.")
            return actor_of(account, self._world.at)

    def _command(self, who: str, seen: int | None = None) -> Command:
        world = self._world
        return Command(
            actor=self._actor(who),
            at=world.at,
            key=token_urlsafe(16),
            policy=world.policy,
            seen=seen,
        )

    def draft(self, who: str, step: Step) -> None:
        """Create a complete draft."""
        told, procedure = step["template"], step.get("procedure")
        is_informal = procedure == Procedure.INFORMAL
        registry = INFORMAL if is_informal else FORMAL
        self._request = drafts.start(
            self._command(who), registry.id, Procedure(procedure) if procedure else None
        )
        fields, profile = write_template(told)
        whole = drafts.DraftInput(
            fields=fields,
            private={},
            organization=told["society"],
            standard=None if is_informal else told.get("standard", False),
            profile=profile,
        )
        self._save(who, whole)

    def submit(self, who: str, step: Step) -> None:
        """Submit a complete request."""
        self.draft(who, step)
        self._act(who, Action.SUBMIT, ActionInput(iteration=self._newest()))

    def revise(self, who: str, step: Step) -> None:
        """Submit a revision of a registered namespace."""
        self._request = revisions.start(self._command(who), step["name"], space=URN_SPACE)
        self._save(who, drafts.DraftInput(fields=step["fields"], private={}, standard=False))
        self._act(who, Action.SUBMIT, ActionInput(iteration=self._newest()))

    def request(self, who: str, step: Step) -> None:
        """Submit a request for a NAAN or a shoulder."""
        self._request = drafts.start(self._command(who), REGISTRIES[step["registry"]].id)
        private = {
            PrivateNaanField.CONTACT.value: "Identifier manager",
            PrivateNaanField.ADDRESS.value: f"{who}@{DOMAIN}",
        }
        answers = step["answers"]
        whole = drafts.DraftInput(
            fields=answers, private=private, organization=answers["organization"]
        )
        self._save(who, whole)
        self._act(who, Action.SUBMIT, ActionInput(iteration=self._newest()))

    def change(self, who: str, step: Step) -> None:
        """Change some fields of the draft."""
        self._save(who, drafts.DraftInput(fields=step["fields"], private={}))

    def _save(self, who: str, saving: drafts.DraftInput) -> None:
        with read_transaction():
            seen = draft_rows.get_draft(self._request).lock_version
        drafts.save(self._command(who, seen), self._request, saving)

    def act(self, who: str, step: Step) -> None:
        """Carry out an action on the request."""
        given = ActionInput(
            reason=step.get("words", ""),
            details=step.get("details", {}),
            iteration=self._newest(),
        )
        self._act(who, Action(step["action"]), given)
        with read_transaction():
            request = request_rows.find_request(self._request)
        if request and request.assigned_name:
            self._words.setdefault("{name}", request.assigned_name)

    def review(self, who: str, step: Step) -> None:
        """Review the newest iteration. All answers are yes, except to the question ``no``."""
        answers = {
            one.key: (ReviewAnswer.NO if one.key == step.get("no") else ReviewAnswer.YES).value
            for one in QUESTIONS
        }
        given = ActionInput(
            iteration=self._newest(),
            reason=step["words"],
            verdict=Verdict(step["verdict"]),
            answers=answers,
        )
        now = self._world.policy
        if step.get("several"):  # as an older setting could require
            outcome = now.procedures.outcome
            outcome = replace(outcome, needed=max(2, outcome.needed))
            self._world.policy = replace(now, procedures=replace(now.procedures, outcome=outcome))
        self._act(who, Action.REVIEW, given)
        self._world.policy = now

    def register(self, who: str, step: Step) -> None:
        """Register the approved request, in its own edition."""
        self._act(who, Action.REGISTER, ActionInput(reference=Reference(*step["reference"])))

    def _act(self, who: str, action: Action, given: ActionInput) -> None:
        with read_transaction():
            request = request_rows.find_request(self._request)
            seen = request.lock_version if request else None
        request_actions.carry_out(self._command(who, seen), self._request, action, given)

    def _newest(self) -> int:
        with read_transaction():
            return len(iteration_rows.iterations_of(self._request))

    def comment(self, who: str, step: Step) -> None:
        """Add a comment, signed by its author."""
        section = step.get("section", "")
        given = comments.CommentInput(body=step["words"], section=section, signed=True)
        comments.say(self._command(who), self._request, given)

    def note(self, who: str, step: Step) -> None:
        """Add an internal note."""
        comments.note(self._command(who), self._request, step["words"])

    def add_prefix(self, who: str, step: Step) -> None:
        """Add a prefix owned by ``holder`` or the user."""
        owner = f"{step.get('holder', who)}@{DOMAIN}"
        rules = PrefixRules(**step["rules"])
        text = step["prefix"]
        self._prefixes[text] = prefixes.add_prefix(self._command(who), text, owner, rules)

    def end_prefix(self, who: str, step: Step) -> None:
        """Close a prefix to new identifiers."""
        prefixes.end_prefix(self._command(who), self._prefixes[step["prefix"]], step["reason"])

    def mint(self, who: str, step: Step) -> None:
        """Mint identifiers under a prefix."""
        command, prefix = self._command(who), self._prefixes[step["prefix"]]
        reserved = step.get("reserved", False)
        event = minting.mint(
            command, prefix, step["count"], given=self._world.given, reserved=reserved
        )
        for number, name in enumerate(minting.minted_names(event, command.actor, self._world.at)):
            self._words.setdefault(f"{{minted[{number}]}}", name)

    def bind(self, who: str, step: Step) -> None:
        """Bind identifiers to their targets, with a description."""
        self._tell(who, *map(_bound, step["records"]))

    def withdraw(self, who: str, step: Step) -> None:
        """Withdraw an identifier in favor of another one."""
        day = f"{self._world.at.date()}"
        self._tell(who, withdrawal(step["name"], step["reason"], day, step["successor"]))

    def _tell(self, who: str, *changes: NameRevision) -> None:
        name_changes.change_names(self._command(who), changes, "", given=self._world.given)


def _bound(told: Mapping[str, str]) -> NameRevision:
    elements = tuple((key, told[key]) for key in ("who", "what", "when"))
    record = AssignedNameRecord(name=told["name"], target=told["target"], elements=elements)
    return NameRevision(record=record, given=frozenset({"target", ELEMENTS}))


def write_template(told: Mapping[str, Any]) -> tuple[dict[str, str], str]:
    """Return the fields of a template for a made-up society, and its profile as the form stores it.

    ``kinds`` are the two words before the number in a URN; the name of an informal namespace is "".
    """
    name, society, things, (one, other) = (
        told[key] for key in ("name", "society", "things", "kinds")
    )
    host = f"{name or one}.example"
    home = f"https://{host}/urn"
    examples = (f"urn:{name}:{one}:120", f"urn:{name}:{other}:4711") if name else ()
    words = {
        "beginning": f'"urn:{name}:"' if name else '"urn:urn-" 1*DIGIT ":"',
        "society": society,
        "things": things,
        "host": host,
        "home": home,
        "one": one,
        "other": other,
        "examples": "\n".join(f"    {urn}" for urn in examples) or f"    {one}:120",
    }
    texts = json.loads(bundled.demo())["template"]
    fields = {key: text.format_map(words) for key, text in texts.items()}
    profile = NamespaceProfile(
        title=f"Identifiers of {things}",
        names=things,
        homepage=home,
        examples=tuple(ExampleName(urn=urn) for urn in examples),
    )
    return fields | {"namespace_identifier": name}, write_profile(profile)
