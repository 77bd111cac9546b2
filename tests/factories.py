"""People, templates and requests for tests, each valid unless the test says otherwise."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask
from sqlalchemy import select

from app.assigned_names.name_formats import NAME_FORMATS
from app.bundles.given_numbers import GivenNumberFolder
from app.config import NOTICES
from app.exports.content.publication_site import PublicationSite
from app.exports.manifests.bundle_paths import CURRENT
from app.factory import asset_dir
from app.outside.service_probe import ServiceAnswer
from app.pages.site.chrome import Chrome
from app.pages.site.published_site import Site
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.declarations.registries import (
    FORMAL,
    INFORMAL,
    TEMPLATE_FIELDS,
    URN_SPACE,
    Widget,
)
from app.registration.naans.yearly_question import NaanAnswer
from app.registration.profiles.profile_answers import write_profile
from app.registration.profiles.profile_records import NamespaceProfile
from app.registration.records.registry_records import DisputeKind
from app.registration.submissions.text_points import PointReply, PointReplyKind
from app.registration.templates.template_writer import format_template
from app.services.accounts import sign_in
from app.services.accounts.actors import Actor, actor_of
from app.services.assigned_names import minting, prefixes
from app.services.assigned_names.name_import import import_names
from app.services.assigned_names.prefixes import PrefixRules
from app.services.delegates import claims, delegation, transfers, yearly_questions
from app.services.editions.publication import PublicationEnvironment
from app.services.experts import fast_track_organizations, panel_membership
from app.services.mail import incoming_mail
from app.services.names.known_services import ProbePacing, check_daily
from app.services.policy import MailSettings, Policy, ProcedureSettings
from app.services.registrations import disputes
from app.services.registrations.name_registration import Reference
from app.services.requests import (
    comments,
    drafts,
    point_sources,
    request_actions,
    revisions,
)
from app.services.requests.comments import CommentInput
from app.services.requests.request_evidence import ActionInput
from app.services.use_cases import Command
from app.store.administration import host_rows
from app.store.database import db, read_transaction, transaction
from app.store.demonstration import is_counted
from app.store.mail import correspondence, undeliverable_addresses
from app.store.registry import service_answers
from app.store.requests import draft_rows, iteration_rows, request_rows
from app.store.tables import Account, Host, Outbox, ResolutionCount
from app.store.tables.accounts import Grant
from app.store.tables.discussion import MailDisposition
from app.workflow.reviews import QUESTIONS, OutcomeRule, Verdict
from app.workflow.separation_of_duties import SeparationOfDuties
from app.workflow.states import Action, State

POST = MailSettings(
    base_url="http://127.0.0.1:8000", list_address="urn@lists.example", host="127.0.0.1"
)
PLACE = PublicationSite("http://127.0.0.1:8000")
RULES = ProcedureSettings(
    outcome=OutcomeRule(),
    separation=SeparationOfDuties(),
    authority="private",
    notice=NOTICES["private"],
)


def key() -> str:
    """A key under which a write is done once."""
    return secrets.token_urlsafe(16)


def template(**given: str) -> dict[str, str]:
    """The fields of a template that breaks no rule; a field given as "" is left out."""
    fields = {
        field.name: f"{field.label} of the namespace: none known."
        for field in TEMPLATE_FIELDS
        if field.widget is Widget.TEXT
    }
    fields["namespace_identifier"] = "quokka"
    del fields["revision_information"]
    return {name: text for name, text in (fields | given).items() if text}


TITLED = write_profile(NamespaceProfile(title="Quokka Identifiers"))


def person(email: str, at: datetime, *grants: Grant, name: str = "") -> Actor:
    """Somebody with an account and these roles, made unless they are there."""
    there = _actors([email], at).get(email.lower())
    if there and there.grants == set(grants):
        return there
    sign_in.add_account(email, at, name=name)
    for grant in grants:
        sign_in.grant(email, grant, at)
    return _actors([email], at)[email.lower()]


def _actors(emails: Iterable[str], at: datetime) -> dict[str, Actor]:
    """Who of them has an account, in one read: most tests begin with all people."""
    named = Account.email.in_([email.lower() for email in emails])
    with read_transaction():
        accounts = db.session.scalars(select(Account).where(named, is_counted(Account))).all()
        return {account.email: actor_of(account, at) for account in accounts}


@dataclass(frozen=True)
class Cast:
    """Everybody that a request meets."""

    registrant: Actor
    rival: Actor
    expert: Actor
    second_expert: Actor
    leader: Actor
    operator: Actor
    second_operator: Actor


_PEOPLE: Mapping[str, tuple[str, str, tuple[Grant, ...]]] = {
    "registrant": ("robin@org.example", "Robin", ()),
    "rival": ("rival@other.example", "", ()),
    "expert": ("ellis@experts.example", "", (Grant.EXPERT,)),
    "second_expert": ("emery@experts.example", "", (Grant.EXPERT,)),
    "leader": ("lee@experts.example", "", (Grant.LEADER,)),
    "operator": ("odell@registry.example", "", (Grant.OPERATOR,)),
    "second_operator": ("otto@registry.example", "", (Grant.OPERATOR,)),
}


def cast(at: datetime) -> Cast:
    """A registry's people."""
    there = _actors([email for email, _, _ in _PEOPLE.values()], at)
    found = {
        who: there[email]
        if email in there and there[email].grants == set(grants)
        else person(email, at, *grants, name=name)
        for who, (email, name, grants) in _PEOPLE.items()
    }
    return Cast(**found)


def policy(secret: str = "s", **rules: Any) -> Policy:
    """The policy of a registry with these rules, and else with the usual ones."""
    return Policy(procedures=replace(RULES, **rules), mail=POST, secret=secret)


def command(
    actor: Actor,
    at: datetime,
    *,
    seen: int | None = None,
    key: str = "",
    secret: str = "s",
    **rules: Any,
) -> Command:
    """What somebody does now, for the first time unless a key is given."""
    known = policy(secret, **rules)
    once = key or secrets.token_urlsafe(16)
    return Command(actor=actor, at=at, key=once, policy=known, seen=seen)


def lock_of(number: int) -> int:
    """What somebody who opens the request now sees."""
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        return request.lock_version


def act(number: int, action: Action, actor: Actor, at: datetime, **given: Any) -> State:
    """Take an action on what stands now, or on what was seen."""
    once = {"seen": given.pop("seen", None) or lock_of(number), "key": given.pop("key", "")}
    if action is Action.RESUBMIT:
        given.setdefault("replies", replies(number))
    asked = command(actor, at, **once)
    return request_actions.carry_out(asked, number, action, ActionInput(**given))


def replies(number: int) -> dict[str, PointReply]:
    """Everything that was asked of a text, answered by saying that it was changed."""
    with read_transaction():
        request = request_rows.find_request(number)
        asked = point_sources.points_of(request) if request else ()
    return {one.key: PointReply(PointReplyKind.CHANGED) for one in asked if one.is_asked}


def draft(
    registrant: Actor,
    at: datetime,
    *,
    informal: bool = False,
    services: str = "",
    **fields: str,
) -> int:
    """A draft that is filled in."""
    registry = INFORMAL if informal else FORMAL
    number = drafts.start(command(registrant, at), registry.id)
    text = template(**({"namespace_identifier": ""} if informal else {}) | fields)
    saving = drafts.DraftInput(
        fields=text,
        private={"contact_name": "Jo"},
        organization="Quokka Society",
        standard=None if informal else False,
        profile=TITLED,
        services=services or None,
    )
    drafts.save(command(registrant, at, seen=1), number, saving)
    return number


def sent(registrant: Actor, at: datetime, **given: Any) -> int:
    """A request that was sent."""
    number = draft(registrant, at, **given)
    act(number, Action.SUBMIT, registrant, at)
    return number


def in_review(people: Cast, at: datetime, **given: Any) -> int:
    """A request that the operator passed to the experts."""
    number = sent(people.registrant, at, **given)
    act(number, Action.TAKE, people.operator, at)
    act(number, Action.PASS, people.operator, at)
    return number


def review(number: int, expert: Actor, verdict: Verdict, at: datetime, **given: Any) -> State:
    """An expert's review of the newest text."""
    with read_transaction():
        iteration = len(iteration_rows.iterations_of(number))
    values: dict[str, Any] = {"iteration": iteration, "reason": "Because."} | given
    return act(number, Action.REVIEW, expert, at, verdict=verdict, **values)


def for_a_standard(people: Cast, at: datetime, **given: Any) -> int:
    """A request in review whose registrant says that it becomes part of a standard."""
    number = draft(people.registrant, at, **given)
    with read_transaction():
        seen = draft_rows.get_draft(number).lock_version
    saving = drafts.DraftInput(fields={}, private={}, standard=True)
    drafts.save(command(people.registrant, at, seen=seen), number, saving)
    act(number, Action.SUBMIT, people.registrant, at)
    act(number, Action.TAKE, people.operator, at)
    act(number, Action.PASS, people.operator, at)
    return number


def reported(people: Cast, at: datetime, **given: Any) -> int:
    """A request on which the lead expert reported to the body of the standard."""
    number = for_a_standard(people, at, **given)
    review_whole(number, people.leader, at)
    act(number, Action.REPORT, people.leader, at, iteration=1, details=REPORT)
    return number


def review_whole(
    number: int, expert: Actor, at: datetime, verdict: Verdict = Verdict.APPROVE
) -> State:
    """A review that answers every question, as a report needs it."""
    answers = {question.key: "yes" for question in QUESTIONS}
    return review(number, expert, verdict, at, answers=answers)


REPORT = {"report": "# Report\n\nIt is fine.", "body": "IESG"}
DECISION = {"reference": "https://decisions.example/7", "date": "2026-09-01"}


def recognized(people: Cast, at: datetime, name: str, speaker: str = "") -> int:
    """An organization on the list of those that the fast track recognizes."""
    recognition = fast_track_organizations.Recognition(
        name=name, since="2020-01-01", decision="Decision 1", reference="https://list.example/1"
    )
    fast_track_organizations.recognize(command(people.operator, at), recognition)
    (row,) = [
        one
        for one in fast_track_organizations.all_recognized(people.operator, at)
        if one.name == name
    ]
    if speaker:
        fast_track_organizations.add_representative(command(people.operator, at), row.id, speaker)
    return row.id


def absence(expert: Actor, at: datetime) -> int:
    """A time in which an expert will be away."""
    panel_membership.be_away(command(expert, at), "2027-05-01", "2027-05-31")
    with read_transaction():
        return panel_membership.standing_of(expert, at).absences[0].id


def appointed(
    people: Cast, at: datetime, email: str, registry: str = "", by: Actor | None = None
) -> int:
    """An appointment of an expert, entered by the operator, or by another."""
    given = (email, "expert", registry, "Decision 7")
    panel_membership.appoint(command(by or people.operator, at), *given)
    with read_transaction():
        return next(one.id for one in panel_membership.panel() if one.email == email)


def comment(number: int, who: Actor, at: datetime, body: str = "What of it?", **given: Any) -> int:
    """Something that was said about a request."""
    return comments.say(command(who, at), number, CommentInput(body=body, **given))


SECRET = "of a test"
UNKNOWN = b"From: who@nowhere.example\nMessage-ID: <1@nowhere.example>\nSubject: Hello\n\nHello?\n"


def queued_mail(at: datetime, raw: bytes = UNKNOWN) -> int:
    """A message of somebody whom nobody knows."""
    incoming_mail.ingest(raw, at, policy(SECRET))
    with read_transaction():
        return correspondence.mail_by_disposition([MailDisposition.QUEUED], 1)[0].id


def queued_template(at: datetime) -> int:
    """A filled-in template of somebody whom nobody knows."""
    text = format_template(template(namespace_identifier="thylacine"))
    return queued_mail(at, b"From: new@nowhere.example\nSubject: A name\n\n" + text.encode())


def failed_message() -> int:
    """A message that was given up."""
    with transaction():
        row = db.session.scalars(select(Outbox).order_by(Outbox.id).limit(1)).one()
        row.state, row.why, row.attempts = "failed", "550 No such user", 3
        return row.id


def laid_out(app: Flask) -> None:
    """An edition on the host of an application, as far as one sees where ``current`` leads."""
    folder: Path = app.extensions["settings"].published_dir
    folder.mkdir(exist_ok=True)
    (folder / CURRENT).symlink_to(f"bundles/1-{'0' * 16}")


HERE, THERE = "1" * 32, "2" * 32  # two hosts


def host(ident: str = HERE, **told: Any) -> int:
    """A host whose worker tells that all goes well, but for what is said otherwise."""
    usual: dict[str, Any] = {
        "label": {HERE: "one.example", THERE: "two.example"}.get(ident, ident),
        "version": "1.0",
        "edition": 1,
        "free_bytes": 50 * 10**9,
        "total_bytes": 100 * 10**9,
        "sends": True,
        "age": timedelta(hours=1),
        "published": timedelta(),
        "mailed": timedelta(),
        "trouble": "",
        "heard": None,
        "said": "",
    }
    with transaction():
        host_rows.keep_sign(host_rows.HostHeartbeat(id=ident, **usual | told))
    return int(ident)


def unseen_host(for_: timedelta) -> int:
    """A host whose worker was seen so long ago."""
    ident = host(THERE)
    with transaction():
        row = db.session.get(Host, THERE)
        assert row is not None
        row.seen -= for_
    return ident


def asked_services(at: datetime, silent: str = "") -> int:
    """Every service was asked; each answers but those whose address holds these words."""

    def probe(url: str, _rest: object) -> ServiceAnswer:
        if silent and silent in url:
            return ServiceAnswer(False, "The server answered with an error.", 503)
        return ServiceAnswer(True, "The server answered.", 200)

    manners = ProbePacing(lambda: 0.0, lambda _seconds: True)
    return check_daily(at, probe, manners, POST.base_url)


def silent_service(namespace: str) -> None:
    """A service that did not answer when it was asked, as the store keeps it."""
    target = "https://service.example/{nss}"
    known = service_answers.KnownService(
        key="0" * 64,
        namespace=namespace,
        place=0,
        kind="I2L",
        target=target,
        urn=f"urn:{namespace}:1",
        url="https://service.example/1",
    )
    with transaction():
        service_answers.know([known])
        service_answers.note_answer(known.key, answers=False, status=503, words="It fails.")


def marked_address(at: datetime, address: str = "gone@org.example") -> int:
    """An address that mail came back from."""
    with transaction():
        undeliverable_addresses.mark(address, "550 5.1.1 no such user", at)
        row = undeliverable_addresses.find_mark(address)
        assert row is not None
        return row.id


def approved(people: Cast, at: datetime, **given: Any) -> int:
    """A request that two experts approved."""
    number = in_review(people, at, **given)
    review(number, people.expert, Verdict.APPROVE, at)
    review(number, people.second_expert, Verdict.APPROVE, at)
    return number


REFERENCE = Reference("https://quokka.example/", "Quokka Society")


def registered(people: Cast, at: datetime, **given: Any) -> int:
    """A request whose name was registered."""
    number = approved(people, at, **given)
    act(number, Action.REGISTER, people.operator, at, reference=REFERENCE)
    return number


def naan_draft(people: Cast, at: datetime, **fields: str) -> int:
    """A draft for a NAAN that breaks no rule."""
    number = drafts.start(command(people.registrant, at), NAANS.id)
    answers = {
        "organization": "Wombat Library",
        "organization_kind": "NP",
        "web_address": "https://wombat.example/",
        "target": "https://wombat.example/ark:${content}",
    }
    private = {"naan_contact": "Robin Registrant", "naan_address": "robin@wombat.example"}
    saving = drafts.DraftInput(
        fields=answers | fields, private=private, organization=answers["organization"]
    )
    drafts.save(command(people.registrant, at, seen=1), number, saving)
    return number


def checked_naan(people: Cast, at: datetime, **fields: str) -> int:
    """A request for a NAAN that the operator looks at."""
    number = naan_draft(people, at, **fields)
    act(number, Action.SUBMIT, people.registrant, at)
    act(number, Action.TAKE, people.operator, at)
    return number


def registered_naan(people: Cast, at: datetime, **fields: str) -> str:
    """A NAAN that was asked for and registered."""
    number = checked_naan(people, at, **fields)
    act(number, Action.REGISTER, people.operator, at, reason="It was looked at.")
    return assigned(number)


def registered_shoulder(people: Cast, at: datetime, name: str, **fields: str) -> str:
    """A shoulder that was asked for and registered."""
    number = drafts.start(command(people.registrant, at), SHOULDERS.id)
    answers = {
        "naan_name": name,
        "organization": "Wombat Library",
        "organization_kind": "NP",
        "web_address": "https://wombat.example/",
        "policy": "NR",
        "target": "https://wombat.example/ark:${content}",
    }
    private = {"naan_contact": "Robin Registrant", "naan_address": "robin@wombat.example"}
    saving = drafts.DraftInput(
        fields=answers | fields, private=private, organization=answers["organization"]
    )
    drafts.save(command(people.registrant, at, seen=1), number, saving)
    act(number, Action.SUBMIT, people.registrant, at)
    act(number, Action.TAKE, people.operator, at)
    act(number, Action.REGISTER, people.operator, at, reason="It was looked at.")
    return assigned(number)


def answered_naan(people: Cast, at: datetime) -> str:
    """A NAAN whose holder was asked a year later, and answered."""
    name, later = registered_naan(people, at), at + timedelta(days=366)
    yearly_questions.ask_due(later, base_url="https://r.example", host="r.example")
    answering = command(people.registrant, later)
    yearly_questions.answer(answering, name, NaanAnswer.STANDS, space=NAANS.space)
    return name


def given_names(people: Cast, at: datetime, begin: str) -> None:
    """Names under a prefix in every state, and a file of them with a row that was refused."""
    told = PrefixRules(numbering="reedeedk")
    prefix = prefixes.add_prefix(command(people.operator, at), begin, people.registrant.email, told)
    holder = command(people.registrant, at)
    with TemporaryDirectory() as folder:
        given = GivenNumberFolder(Path(folder))
        event = minting.mint(holder, prefix, 4, given=given)
        bound, withdrawn, *_ = minting.minted_names(event, holder.actor, at)
        minting.mint(replace(holder, key=key()), prefix, 1, given=given, reserved=True)
        row = f"{withdrawn},,withdrawn,Given twice.,{at:%Y-%m-%d}"
        rows = [
            "name,target,state,reason,since",
            f"{bound},https://wombat.example/1,,,",
            row,
            "no name,,,,",
        ]
        file = NAME_FORMATS["csv"].read(BytesIO("\n".join(rows).encode()))
        import_names(replace(holder, key=key()), "0" * 64, file, given=given)
    with transaction():
        counted = ResolutionCount(prefix=begin, day=at.date(), host="host", count=3)
        db.session.add(counted)


def assigned(number: int) -> str:
    """The name that a request led to."""
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None and request.assigned_name
        return request.assigned_name


def change_request(number: int, **columns: Any) -> None:
    """Put a request into a state that would take long to reach."""
    with transaction():
        request = request_rows.find_request(number)
        for name, value in columns.items():
            setattr(request, name, value)


def assignable(registrant: Actor, at: datetime, **given: Any) -> int:
    """A request that waits to be registered, without the reviews that lead there."""
    number = sent(registrant, at, **given)
    change_request(number, state=State.ASSIGNABLE)
    return number


def returned(people: Cast, at: datetime, **given: Any) -> int:
    """A request that an expert returned, and whose text was then changed, as its author says."""
    number = in_review(people, at, **given)
    review(number, people.expert, Verdict.RETURN, at)
    change_text(number, people.registrant, at, purpose="Better.")
    with read_transaction():
        seen = draft_rows.get_draft(number).lock_version
    saving = drafts.DraftInput(fields={}, private={}, replies=replies(number))
    drafts.save(command(people.registrant, at, seen=seen), number, saving)
    return number


def add_title(number: int, registrant: Actor, at: datetime) -> None:
    """Add a title to a text that was returned, and send it again."""
    with read_transaction():
        seen = draft_rows.get_draft(number).lock_version
    fields = {"purpose": "Identifiers with a title."}
    saving = drafts.DraftInput(fields=fields, private={}, profile=TITLED, replies=replies(number))
    drafts.save(command(registrant, at, seen=seen), number, saving)
    act(number, Action.RESUBMIT, registrant, at)


def change_text(number: int, registrant: Actor, at: datetime, /, **fields: str) -> None:
    """Save some fields of a draft as it stands now."""
    with read_transaction():
        seen = draft_rows.get_draft(number).lock_version
    drafts.save(
        command(registrant, at, seen=seen), number, drafts.DraftInput(fields=fields, private={})
    )


@cache
def _site() -> Site:
    """One for all tests, since to read the page templates takes longer than to fill them."""
    return Site(asset_dir("templates"))


def making(made_by: str = "test") -> PublicationEnvironment:
    """What a host makes pages with."""
    return PublicationEnvironment(
        site=_site(),
        chrome=Chrome(canonical=PLACE.base_url),
        static=asset_dir("static"),
        place=PLACE,
        made_by=made_by,
    )


KEPT = Reference("")  # what the registry refers to stays


def revision(actor: Actor, at: datetime, name: str = "quokka", /, **fields: str) -> int:
    """A draft that changes a registered name, and says how."""
    number = revisions.start(command(actor, at), name, space=URN_SPACE)
    said = {"revision_information": "The society grew."} | fields
    if said.keys() <= {"revision_information"}:  # what changes nothing is not sent
        said["additional_information"] = "The society names its frogs as well."
    change_text(number, actor, at, **said)
    return number


def answer(number: int, actor: Actor, at: datetime, **given: Any) -> None:
    """Answer what is asked beside the template; no standard, unless said otherwise."""
    with read_transaction():
        seen = draft_rows.get_draft(number).lock_version
    saving = drafts.DraftInput(fields={}, private={}, standard=False, **given)
    drafts.save(command(actor, at, seen=seen), number, saving)


def sent_revision(actor: Actor, at: datetime, name: str = "quokka", /, **fields: str) -> int:
    """A revision that was sent."""
    number = revision(actor, at, name, **fields)
    answer(number, actor, at)
    act(number, Action.SUBMIT, actor, at)
    return number


def to_modifiable(number: int, actor: Actor, at: datetime) -> int:
    """Send a revision, and let it wait to be registered without the reviews that lead there."""
    answer(number, actor, at)
    act(number, Action.SUBMIT, actor, at)
    change_request(number, state=State.MODIFIABLE)
    return number


def modifiable(people: Cast, at: datetime, name: str = "quokka", /, **fields: str) -> int:
    """A revision that waits to be registered."""
    return to_modifiable(revision(people.registrant, at, name, **fields), people.registrant, at)


def invite(actor: Actor, address: str, at: datetime, secret: str, name: str = "quokka") -> None:
    """Invite somebody to act for a name too."""
    delegation.invite(command(actor, at, secret=secret), address, name, space=URN_SPACE)


def claim(actor: Actor, name: str, at: datetime, secret: str) -> int:
    """Claim a name by what shows it, and give the number of the claim."""
    claims.ask_operator(
        command(actor, at, secret=secret), name, "I am on their board.", space=URN_SPACE
    )
    with read_transaction():
        return claims.to_decide()[-1].number


def outdated(people: Cast, at: datetime, name: str) -> int:
    """A draft that changes a name which another revision has changed meanwhile."""
    registered(people, at, namespace_identifier=name)
    number = revision(people.registrant, at, name)
    other = modifiable(people, at, name, purpose="Another.")
    act(other, Action.REGISTER, people.operator, at, reference=KEPT)
    return number


def disputed(people: Cast, at: datetime, name: str) -> None:
    """Note a dispute over a registered name."""
    given = disputes.DisputeInput(kind=DisputeKind.DISPUTE, reference="https://court.example/7")
    disputes.note(command(people.operator, at, seen=2), name, given, space=URN_SPACE)


def ask_transfer(actor: Actor, name: str, at: datetime, secret: str) -> None:
    """Ask that a name goes to the wombats."""
    transfers.ask(
        command(actor, at, secret=secret),
        name,
        "Wombats",
        "w@wombat.example",
        "They merged.",
        space=URN_SPACE,
    )
