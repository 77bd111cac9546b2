"""The demonstration's registry: what its people do in it, on which day.

It calls the use cases that pages call, so that what they leave is what people leave.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from secrets import token_urlsafe

from app.assigned_names.name_revisions import NameRevision
from app.problems import use_case_codes
from app.registration.declarations.naan_registries import PrivateNaanField
from app.registration.declarations.registries import (
    FORMAL,
    INFORMAL,
    URN_SPACE,
    DeclaredProcedure,
    Procedure,
    Registry,
)
from app.services.accounts.actors import Actor, actor_of
from app.services.assigned_names import minting, name_changes, prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.operations.demo_templates import DemoTemplate
from app.services.policy import PROPOSAL, Policy
from app.services.refusals import NotFound
from app.services.registrations.name_registration import Reference
from app.services.requests import comments, drafts, queues, request_actions, revisions
from app.services.requests.action_facts import ActionInput
from app.services.use_cases import Command
from app.store.accounts import account_rows
from app.store.database import read_transaction
from app.store.demonstration import DOMAIN
from app.store.requests import draft_rows, iteration_rows, request_rows
from app.workflow.reviews import QUESTIONS, ReviewAnswer, Verdict
from app.workflow.states import Action, State

# What stands before the @ of their addresses.
ROBIN, HANA, SAM, HOLLIS = "registrant", "harbour", "scholar", "holder"
ELLIS, EMERY, LEE, ODELL = "expert", "expert2", "leader", "operator"

Days = Generator[float]
Story = Callable[["DemoRegistry"], Days]


class DemoGivenNumbers:
    """Which numbers were given, as long as the stories go on.

    Nothing of it is kept beside the database: stories that are stopped leave nothing at all, and
    from the commit on the database tells it.
    """

    def __init__(self) -> None:
        self._following: dict[str, int] = {}

    def next_of(self, of: str) -> int:
        """The number after the highest one given; 0 where none is."""
        return self._following.get(of, 0)

    def seed_of(self, _prefix: str) -> str:
        """Return "": every prefix and its seed are in the database."""
        return ""

    def keep(self, of: str, following: int, _seed: str = "") -> None:
        """Note that all numbers below one are given."""
        self._following[of] = max(following, self.next_of(of))


def _answers(no: str) -> dict[str, str]:
    """Yes to every question but one."""
    return {
        question.key: (ReviewAnswer.NO if question.key == no else ReviewAnswer.YES).value
        for question in QUESTIONS
    }


@dataclass(slots=True)
class DemoRegistry:
    """The registry in which the stories happen: by which policy, and what moment it is.

    Who acts is told by what stands before the @ of their address.
    """

    policy: Policy
    at: datetime
    given: DemoGivenNumbers = field(default_factory=DemoGivenNumbers)

    @property
    def is_proposal(self) -> bool:
        """Whether nothing is registered here."""
        return self.policy.procedures.authority == PROPOSAL

    @property
    def reviews_needed(self) -> int:
        """How many experts have to agree."""
        return self.policy.procedures.outcome.needed

    @contextmanager
    def several_needed(self) -> Iterator[None]:
        """Let one expert's review decide nothing for a moment, as by an older setting."""
        now = self.policy
        outcome = replace(now.procedures.outcome, needed=max(2, self.reviews_needed))
        self.policy = replace(now, procedures=replace(now.procedures, outcome=outcome))
        yield
        self.policy = now

    def is_in_review(self, number: int) -> bool:
        """Whether the experts have not decided a request yet."""
        with read_transaction():
            request = request_rows.find_request(number)
            return request is not None and request.state == State.EXPERT_REVIEW

    def waits_for(self, who: str, number: int) -> bool:
        """Whether a request waits for the review of one of the experts."""
        actor = self._actor(who)
        with read_transaction():
            return queues.waits_for(actor, number)

    def command(self, who: str, seen: int | None = None) -> Command:
        """What one of the people does now."""
        once = token_urlsafe(16)
        return Command(actor=self._actor(who), at=self.at, key=once, policy=self.policy, seen=seen)

    def _actor(self, who: str) -> Actor:
        with read_transaction():
            account = account_rows.find_account(f"{who}@{DOMAIN}")
            if account is None:
                raise NotFound(use_case_codes.ENTRY_UNKNOWN, f"Nobody here is called {who}.")
            return actor_of(account, self.at)

    def draft(self, who: str, text: DemoTemplate, way: DeclaredProcedure | None = None) -> int:
        """A draft that is filled in whole; gives its number."""
        registry = INFORMAL if way is Procedure.INFORMAL else FORMAL
        number = drafts.start(self.command(who), registry.id, way)
        whole = drafts.DraftInput(
            fields=text.fields,
            private={},
            organization=text.society,
            standard=None if registry is INFORMAL else text.standard,
            profile=text.profile,
        )
        self._save(number, who, whole)
        return number

    def change(self, number: int, who: str, **fields: str) -> None:
        """Some fields of a draft get another text."""
        self._save(number, who, drafts.DraftInput(fields=fields, private={}))

    def _save(self, number: int, who: str, saving: drafts.DraftInput) -> None:
        with read_transaction():
            seen = draft_rows.get_draft(number).lock_version
        drafts.save(self.command(who, seen), number, saving)

    def sent(self, who: str, text: DemoTemplate, way: DeclaredProcedure | None = None) -> int:
        """A request that is sent as it was filled in; gives its number."""
        number = self.draft(who, text, way)
        self.act(number, who, Action.SUBMIT)
        return number

    def revision(self, who: str, name: str, **fields: str) -> int:
        """A revision of a registered name that is sent; gives its number."""
        number = revisions.start(self.command(who), name, space=URN_SPACE)
        self._save(number, who, drafts.DraftInput(fields=fields, private={}, standard=False))
        self.act(number, who, Action.SUBMIT)
        return number

    def asked(self, who: str, registry: Registry, answers: Mapping[str, str]) -> int:
        """A request for a NAAN or a shoulder that is sent; gives its number."""
        number = drafts.start(self.command(who), registry.id)
        private = {
            PrivateNaanField.CONTACT.value: "The keeper of the names",
            PrivateNaanField.ADDRESS.value: f"{who}@{DOMAIN}",
        }
        whole = drafts.DraftInput(
            fields=dict(answers), private=private, organization=answers["organization"]
        )
        self._save(number, who, whole)
        self.act(number, who, Action.SUBMIT)
        return number

    def name_of(self, number: int) -> str:
        """The name that a request led to; empty where it led to none."""
        with read_transaction():
            request = request_rows.find_request(number)
            return (request.assigned_name or "") if request else ""

    def prefix(self, who: str, text: str, rules: PrefixRules, holder: str = "") -> int:
        """A prefix within what is somebody's, held by them or another; gives its number."""
        return prefixes.add_prefix(self.command(who), text, f"{holder or who}@{DOMAIN}", rules)

    def end_prefix(self, who: str, prefix: int, reason: str) -> None:
        """That no more names are given under a prefix."""
        prefixes.end_prefix(self.command(who), prefix, reason)

    def minted(self, who: str, prefix: int, count: int, *, reserved: bool = False) -> list[str]:
        """The next names of a prefix."""
        command = self.command(who)
        event = minting.mint(command, prefix, count, given=self.given, reserved=reserved)
        return minting.minted_names(event, command.actor, self.at)

    def tell(self, who: str, *revisions: NameRevision, reason: str = "") -> None:
        """What names are to be from now on."""
        name_changes.change_names(self.command(who), revisions, reason, given=self.given)

    def act(self, number: int, who: str, action: Action, words: str = "", **given: str) -> None:
        """One action on a request, perhaps with words."""
        said = ActionInput(reason=words, details=given, iteration=_newest(number))
        self._act(number, who, action, said)

    def review(self, number: int, who: str, verdict: Verdict, words: str, no: str = "") -> None:
        """A review of the newest text, with every question answered; ``no`` is what is denied."""
        said = ActionInput(
            iteration=_newest(number), reason=words, verdict=verdict, answers=_answers(no)
        )
        self._act(number, who, Action.REVIEW, said)

    def register(self, number: int, who: str, reference: Reference) -> None:
        """What was approved is registered, in an edition of its own."""
        self._act(number, who, Action.REGISTER, ActionInput(reference=reference))

    def _act(self, number: int, who: str, action: Action, said: ActionInput) -> None:
        with read_transaction():
            request = request_rows.find_request(number)
            seen = request.lock_version if request else None
        request_actions.carry_out(self.command(who, seen), number, action, said)

    def say(self, number: int, who: str, words: str, section: str = "") -> None:
        """A comment under its author's name."""
        said = comments.CommentInput(body=words, section=section, signed=True)
        comments.say(self.command(who), number, said)


def _newest(number: int) -> int:
    with read_transaction():
        return len(iteration_rows.iterations_of(number))
