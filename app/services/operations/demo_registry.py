"""The actions of the demo's users, each at its own time.

They call the same use cases as the pages, so the results are the same.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from secrets import token_urlsafe

from app.assigned_names.assigned_name_records import NameRevision
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

# The local parts of their e-mail addresses.
ROBIN, HANA, SAM, HOLLIS = "registrant", "harbour", "scholar", "holder"
ELLIS, EMERY, LEE, ODELL = "expert", "expert2", "leader", "operator"

Days = Generator[float]
Story = Callable[["DemoRegistry"], Days]


class DemoGivenNumbers:
    """The counters of minted identifiers while the demo data is created.

    They are only in memory: an interrupted setup leaves nothing, and the commit stores them in the
    database.
    """

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


def _answers(no: str) -> dict[str, str]:
    """Answer yes to all questions except one."""
    return {
        question.key: (ReviewAnswer.NO if question.key == no else ReviewAnswer.YES).value
        for question in QUESTIONS
    }


@dataclass(slots=True)
class DemoRegistry:
    """The registry of the demo, with its policy and the current time.

    Users are identified by the local parts of their addresses.
    """

    policy: Policy
    at: datetime
    given: DemoGivenNumbers = field(default_factory=DemoGivenNumbers)

    @property
    def is_proposal(self) -> bool:
        """Whether this site registers nothing."""
        return self.policy.procedures.authority == PROPOSAL

    @property
    def reviews_needed(self) -> int:
        """The number of experts who must agree."""
        return self.policy.procedures.outcome.needed

    @contextmanager
    def several_needed(self) -> Iterator[None]:
        """Require several reviews for a moment, as an older setting could."""
        now = self.policy
        outcome = replace(now.procedures.outcome, needed=max(2, self.reviews_needed))
        self.policy = replace(now, procedures=replace(now.procedures, outcome=outcome))
        yield
        self.policy = now

    def is_in_review(self, number: int) -> bool:
        """Whether a request is still in expert review."""
        with read_transaction():
            request = request_rows.find_request(number)
            return request is not None and request.state == State.EXPERT_REVIEW

    def waits_for(self, who: str, number: int) -> bool:
        """Whether a request is waiting for the review of this expert."""
        actor = self._actor(who)
        with read_transaction():
            return queues.waits_for(actor, number)

    def command(self, who: str, seen: int | None = None) -> Command:
        """Return a command of this user at the current time."""
        once = token_urlsafe(16)
        return Command(actor=self._actor(who), at=self.at, key=once, policy=self.policy, seen=seen)

    def _actor(self, who: str) -> Actor:
        with read_transaction():
            account = account_rows.find_account(f"{who}@{DOMAIN}")
            if account is None:
                raise NotFound(use_case_codes.ENTRY_UNKNOWN, f"No user is called {who}.")
            return actor_of(account, self.at)

    def draft(self, who: str, text: DemoTemplate, way: DeclaredProcedure | None = None) -> int:
        """Create a complete draft and return its number."""
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
        """Change some fields of a draft."""
        self._save(number, who, drafts.DraftInput(fields=fields, private={}))

    def _save(self, number: int, who: str, saving: drafts.DraftInput) -> None:
        with read_transaction():
            seen = draft_rows.get_draft(number).lock_version
        drafts.save(self.command(who, seen), number, saving)

    def sent(self, who: str, text: DemoTemplate, way: DeclaredProcedure | None = None) -> int:
        """Submit a complete request and return its number."""
        number = self.draft(who, text, way)
        self.act(number, who, Action.SUBMIT)
        return number

    def revision(self, who: str, name: str, **fields: str) -> int:
        """Submit a revision of a registered namespace and return its number."""
        number = revisions.start(self.command(who), name, space=URN_SPACE)
        self._save(number, who, drafts.DraftInput(fields=fields, private={}, standard=False))
        self.act(number, who, Action.SUBMIT)
        return number

    def asked(self, who: str, registry: Registry, answers: Mapping[str, str]) -> int:
        """Submit a request for a NAAN or a shoulder and return its number."""
        number = drafts.start(self.command(who), registry.id)
        private = {
            PrivateNaanField.CONTACT.value: "Identifier manager",
            PrivateNaanField.ADDRESS.value: f"{who}@{DOMAIN}",
        }
        whole = drafts.DraftInput(
            fields=dict(answers), private=private, organization=answers["organization"]
        )
        self._save(number, who, whole)
        self.act(number, who, Action.SUBMIT)
        return number

    def name_of(self, number: int) -> str:
        """Return the name registered by a request, or ""."""
        with read_transaction():
            request = request_rows.find_request(number)
            return (request.assigned_name or "") if request else ""

    def prefix(self, who: str, text: str, rules: PrefixRules, holder: str = "") -> int:
        """Add a prefix owned by ``holder`` or ``who`` and return its number."""
        return prefixes.add_prefix(self.command(who), text, f"{holder or who}@{DOMAIN}", rules)

    def end_prefix(self, who: str, prefix: int, reason: str) -> None:
        """Close a prefix to new identifiers."""
        prefixes.end_prefix(self.command(who), prefix, reason)

    def minted(self, who: str, prefix: int, count: int, *, reserved: bool = False) -> list[str]:
        """Mint identifiers under a prefix."""
        command = self.command(who)
        event = minting.mint(command, prefix, count, given=self.given, reserved=reserved)
        return minting.minted_names(event, command.actor, self.at)

    def tell(self, who: str, *revisions: NameRevision, reason: str = "") -> None:
        """Bind or withdraw identifiers."""
        name_changes.change_names(self.command(who), revisions, reason, given=self.given)

    def act(self, number: int, who: str, action: Action, words: str = "", **given: str) -> None:
        """Carry out an action on a request, optionally with a text."""
        said = ActionInput(reason=words, details=given, iteration=_newest(number))
        self._act(number, who, action, said)

    def review(self, number: int, who: str, verdict: Verdict, words: str, no: str = "") -> None:
        """Review the newest iteration. All answers are yes, except to ``no``."""
        said = ActionInput(
            iteration=_newest(number), reason=words, verdict=verdict, answers=_answers(no)
        )
        self._act(number, who, Action.REVIEW, said)

    def register(self, number: int, who: str, reference: Reference) -> None:
        """Register an approved request, in its own edition."""
        self._act(number, who, Action.REGISTER, ActionInput(reference=reference))

    def _act(self, number: int, who: str, action: Action, said: ActionInput) -> None:
        with read_transaction():
            request = request_rows.find_request(number)
            seen = request.lock_version if request else None
        request_actions.carry_out(self.command(who, seen), number, action, said)

    def say(self, number: int, who: str, words: str, section: str = "") -> None:
        """Add a comment, signed by its author."""
        said = comments.CommentInput(body=words, section=section, signed=True)
        comments.say(self.command(who), number, said)


def _newest(number: int) -> int:
    with read_transaction():
        return len(iteration_rows.iterations_of(number))
