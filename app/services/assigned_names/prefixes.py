"""Prefixes: how one comes to be, who gives names under it, and how it ends."""

import secrets
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time

from app.assigned_names.bound_names import LONGEST_LINE, LONGEST_TEXT
from app.assigned_names.name_checks import (
    TargetRule,
    check_lines,
    check_text,
    find_expansion_fault,
    find_rule_fault,
)
from app.assigned_names.name_numbering import sample_names
from app.assigned_names.name_prefixes import NamePrefix, PrefixRole
from app.messages.delegate_notices import DelegateNoticeKind
from app.messages.header_fields import is_address
from app.messages.notices import NoticeKind
from app.pages.mail.letters import delegate_words
from app.pages.text.phrases import day_phrase
from app.problems import assigned_name_codes, use_case_codes
from app.services.accounts import rate_limits
from app.services.accounts.actors import Actor
from app.services.accounts.rate_limits import Counted, RateLimitKind, work_turn
from app.services.assigned_names import prefix_rights
from app.services.assigned_names.minting import PREFIX_ENDED, prefix_subject
from app.services.assigned_names.prefix_rights import with_ends_kept
from app.services.refusals import EditConflict, InvalidInput, NotFound, Refusal
from app.services.use_cases import Command, use_case
from app.store.accounts import account_rows
from app.store.assigned_names import assigned_name_rows, prefix_rows
from app.store.database import read_transaction
from app.store.mail import outbox_messages
from app.store.tables import Account, Prefix
from app.store.tables.requests import EventSubject
from app.workflow.separation_of_duties import fold_mailbox

# Once a prefix gets no new names, what is there for whoever gave some is to change those it has.
_OF_CLOSED = {
    DelegateNoticeKind.PREFIX_GIVEN: DelegateNoticeKind.PREFIX_GIVEN_CLOSED,
    DelegateNoticeKind.PREFIX_HELD: DelegateNoticeKind.PREFIX_HELD_CLOSED,
    DelegateNoticeKind.PREFIX_ENDED: DelegateNoticeKind.PREFIX_ENDED_CLOSED,
}
_WHY = (
    "You get this message because your access to this prefix changed. Other users of the prefix "
    "don't receive it."
)


def counted_letter(command: Command, reader: Account) -> list[Counted]:
    """What a letter to somebody is counted by, so that nobody floods them; the operator is free.

    Each sender has a count of their own: what others wrote to a mailbox keeps nobody from letting
    its owner give names, nor is it told.
    """
    if command.actor.is_operator or reader.id == command.actor.id:
        return []
    from_to = f"{command.actor.id} {fold_mailbox(reader.email)}"
    mailbox = rate_limits.keyed(from_to, command.policy.secret)
    return [
        (RateLimitKind.PREFIX_MAIL_TO_MAILBOX, mailbox),
        (RateLimitKind.PREFIX_MAIL_OF_PERSON, str(command.actor.id)),
    ]


def write_letters(
    command: Command,
    event: int,
    tale: DelegateNoticeKind,
    prefix: Prefix,
    readers: Iterable[Account],
    until: datetime | None = None,
) -> None:
    """Put what an event tells into the outbox, a message for each reader but who did it.

    ``until`` is the end of their last day. Whoever gives no names any more is led to their list.
    """
    gives = tale is not DelegateNoticeKind.PREFIX_ENDED
    day = day_phrase(until) if until else ""
    told = _OF_CLOSED.get(tale, tale) if prefix_rights.closure_reason(prefix) else tale
    words = delegate_words(told, {"name": prefix.text, "who": command.actor.shown, "day": day})
    arguments = {
        "happened": words.happened,
        "todo": words.todo,
        "what": words.what,
        "name": prefix.text,
        "reason": "",
        "link": f"{command.post.base_url}/prefixes/{f'{prefix.id}/' if gives else ''}",
        "why": _WHY,
    }
    outbox_messages.add_all(
        outbox_messages.OutgoingMessage(
            event=event,
            recipient=reader.email,
            template=NoticeKind.DELEGATES,
            arguments=arguments,
            message_id=f"<prefix.{event}.{secrets.token_hex(8)}@{command.post.host}>",
            created=command.at,
        )
        for reader in readers
        if reader.id != command.actor.id
    )


_LET = {
    PrefixRole.HOLDER: DelegateNoticeKind.PREFIX_HELD,
    PrefixRole.DELEGATE: DelegateNoticeKind.PREFIX_GIVEN,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefixRules:
    """What the holder of a prefix says of it.

    ``numbering`` is the mask by which names are minted, empty where they are brought in alone, and
    ``pattern`` a regular expression that all of them follow behind the prefix, empty for any.
    ``holder_name`` is who holds it, as everybody is told, empty where nobody is told;
    ``persistence`` is what is promised of its names, empty where nothing is. ``target_rule`` says
    where those lead that are given or changed without a target of their own.
    """

    label: str = ""
    holder_name: str = ""
    numbering: str = ""
    pattern: str = ""
    policy: str = ""
    persistence: str = ""
    target_rule: str = ""


def _study_pattern(rules: PrefixRules) -> None:
    with work_turn():
        prefix_rights.checked_pattern(rules.pattern)


@with_ends_kept
@use_case("add prefix", check=lambda _command, _text, _holder, rules: _study_pattern(rules))
def add_prefix(command: Command, text: str, holder: str, rules: PrefixRules) -> int:
    """Let somebody, told by their address, hold a prefix; gives its number.

    It lies within a NAAN, a shoulder or a namespace that is registered, and within a prefix that
    it is delegated from, if there is one. Raises InvalidInput, NotAllowed, and Refusal where it
    overlaps another one, lies within one that has ended, or holds a shoulder that is registered for
    somebody else.
    """
    asked = prefix_rights.read(text)
    _check_texts(rules)  # before others wait: it takes a while to tell how quick a pattern is
    assigned_name_rows.hold_changes()  # nobody else adds one meanwhile that overlaps it
    place = prefix_rights.place_of(asked, command.actor.id)
    _check_mask_and_rule(asked, rules)
    role = prefix_rights.role_to_add(command.actor, place.registered, place.decides, command.at)
    account = _account_of(holder, "holder", command)
    prefix_rights.require_no_shoulder_of_others(asked, {account.id})
    limited = counted_letter(command, account)
    if not command.actor.is_operator:
        limited.append((RateLimitKind.PREFIXES_OF_PERSON, str(command.actor.id)))
    rate_limits.spend(limited, command.at)
    made = prefix_rows.add(
        text=asked.text,
        parent=place.parent.id if place.parent else None,
        registered=place.registered.name_id,
        starts=command.at,
        order_seed=_new_order_seed(),
        **_texts_of(rules),
    )
    prefix_rows.let_give(made.id, account.id, PrefixRole.HOLDER, command.at)
    event = _note(command, made, "prefix added", role, asked.text)
    write_letters(command, event, DelegateNoticeKind.PREFIX_HELD, made, [account])
    return made.id


@with_ends_kept
@use_case("change prefix", check=lambda _command, _ident, rules: _study_pattern(rules))
def change_prefix(command: Command, ident: int, rules: PrefixRules) -> None:
    """Say something else of a prefix; its names stay as they are.

    Raises NotFound, NotAllowed, InvalidInput, and EditConflict where somebody changed it since it
    was seen.
    """
    prefix = _held(command, ident)
    _check_texts(rules, {prefix.policy, prefix.persistence})
    if command.seen is not None and command.seen != prefix.version:
        raise EditConflict(
            use_case_codes.EDIT_CONFLICT,
            "Another user changed this prefix after you opened it. Reload the page.",
        )
    _check_mask_and_rule(prefix_rights.read(prefix.text), rules)
    if rules.numbering.strip() != prefix.numbering and prefix.next_number:
        raise InvalidInput(
            assigned_name_codes.NUMBERING_MALFORMED,
            "This mask is in use and can't change. To use another mask, add a prefix within this "
            "one.",
            "numbering",
        )
    if rules.numbering.strip() != prefix.numbering:
        prefix.order_seed = _new_order_seed()
    for column, text in _texts_of(rules).items():
        setattr(prefix, column, text)
    prefix.version += 1
    _note(command, prefix, "prefix changed", _role(command, prefix), prefix.text)


@with_ends_kept
@use_case("end prefix")
def end_prefix(command: Command, ident: int, reason: str) -> None:
    """Let a prefix get no new names from now on; those that it has stay and lead where they lead.

    Raises NotFound, NotAllowed, InvalidInput.
    """
    assigned_name_rows.hold_changes()  # nobody adds a prefix within it meanwhile
    prefix = _held(command, ident)
    _require_end(prefix, reason)
    prefix.ends = command.at
    prefix.version += 1
    event = _note(command, prefix, PREFIX_ENDED, _role(command, prefix), reason.strip())
    people = [one for one, _ in prefix_rows.people_of(prefix.id, command.at)]
    write_letters(command, event, DelegateNoticeKind.PREFIX_CLOSED, prefix, people)


def look_at_end(ident: int, actor: Actor, at: datetime, reason: str) -> None:
    """Raise what ``end_prefix`` would, and let nothing end."""
    with read_transaction():
        _require_end(_decided(ident, actor, at), reason)


def _require_end(prefix: Prefix, reason: str) -> None:
    if not reason.strip():
        raise InvalidInput(use_case_codes.VALUE_MISSING, "Enter the reason.", field="reason")
    if prefix.ends is not None:
        raise Refusal(assigned_name_codes.PREFIX_ENDED, f"{prefix.text} is already closed.")


@with_ends_kept
@use_case("add prefix delegate")
def add_delegate(
    command: Command,
    ident: int,
    email: str,
    until: date | None = None,
    role: PrefixRole = PrefixRole.DELEGATE,
) -> None:
    """Let somebody with an account give names under a prefix, until the end of a day or further.

    As a holder they decide on it as well, and have no last day. Whoever gives its names already
    does so from now on as it is said now, but no holder takes the prefix from themselves so. Once
    it has ended they change the names that it has. Raises NotFound, NotAllowed, InvalidInput, and
    Refusal for the only holder, who stays one.
    """
    prefix = _held(command, ident)
    ends = _end_of(until) if until else None
    if ends is not None and ends <= command.at:
        past = f"{until} is in the past. Enter a future date, or leave the field empty."
        raise InvalidInput(use_case_codes.VALUE_MALFORMED, past, "until")
    if ends is not None and role is PrefixRole.HOLDER:
        sentence = "An owner can't have a last day. Leave it empty, or add a delegate instead."
        raise InvalidInput(use_case_codes.VALUE_MALFORMED, sentence, "until")
    account = _account_of(email, "email", command)
    people = prefix_rows.people_of(prefix.id, command.at)
    if now_as := next((as_ for one, as_ in people if one.id == account.id), None):
        if (now_as.role, now_as.ends) == (role, ends):
            sentence = f"{account.email} already has this role."
            raise InvalidInput(use_case_codes.VALUE_MALFORMED, sentence, "email")
        if role is not PrefixRole.HOLDER:
            _keep_a_holder(prefix, account.id, command)
            _keep_own(now_as.role, account, command)
    rate_limits.spend(counted_letter(command, account), command.at)
    if now_as:
        prefix_rows.end_giving(prefix.id, account.id, command.at)
    prefix_rows.let_give(prefix.id, account.id, role, command.at, ends)
    event = _note(command, prefix, f"prefix {role} added", _role(command, prefix), "")
    write_letters(command, event, _LET[role], prefix, [account], ends)


@with_ends_kept
@use_case("end prefix delegate")
def end_delegate(command: Command, ident: int, account: int) -> None:
    """Let somebody give names under a prefix no more; what they gave stays.

    The last holder stays. Raises NotFound, NotAllowed, Refusal.
    """
    prefix = _held(command, ident)
    _keep_a_holder(prefix, account, command)
    role = prefix_rows.role_at(prefix.id, account, command.at)
    if role is None or not prefix_rows.end_giving(prefix.id, account, command.at):
        raise NotFound(use_case_codes.ENTRY_UNKNOWN, "This person has no role under this prefix.")
    event = _note(command, prefix, f"prefix {role} ended", _role(command, prefix), "")
    gone = [account_rows.get_account(account)]
    write_letters(command, event, DelegateNoticeKind.PREFIX_ENDED, prefix, gone)


def _keep_a_holder(prefix: Prefix, account: int, command: Command) -> None:
    """Raise Refusal where a prefix would be left without a holder."""
    people = prefix_rows.people_of(prefix.id, command.at)
    if {one.id for one, as_ in people if as_.role == PrefixRole.HOLDER} == {account}:
        last = "A prefix needs an owner, and this is the last one. Add another owner first."
        raise Refusal(assigned_name_codes.PREFIX_HOLDER_NEEDED, last)


def _keep_own(role: str, account: Account, command: Command) -> None:
    """Raise InvalidInput for a holder who would give names alone by their own word."""
    if role == PrefixRole.HOLDER and account.id == command.actor.id:
        told = "This is your own address. To stop being an owner, use the list of people."
        raise InvalidInput(use_case_codes.VALUE_MALFORMED, told, "email")


def _end_of(day: date) -> datetime:
    return datetime.combine(day, time.max, UTC)


def _held(command: Command, ident: int) -> Prefix:
    """A prefix of which who asks decides, locked. Raises NotFound and NotAllowed."""
    return _decided(ident, command.actor, command.at, locked=True)


def _decided(ident: int, actor: Actor, at: datetime, *, locked: bool = False) -> Prefix:
    found = prefix_rows.of_id(ident, locked=locked)
    prefix = prefix_rights.require_visible(found, actor, at)
    prefix_rights.require_holder(prefix, actor, at)
    return prefix


def _role(command: Command, prefix: Prefix) -> str:
    return prefix_rights.role_in(prefix, command.actor, command.at)


def delegate_account(ident: int, email: str, actor: Actor, at: datetime) -> int:
    """The account of somebody who gives names under a prefix, told by their address.

    Raises NotFound, and NotAllowed for whoever does not decide on it.
    """
    with read_transaction():
        _decided(ident, actor, at)
        account = account_rows.find_account(email.strip())
        if account is None:
            raise NotFound(
                use_case_codes.ENTRY_UNKNOWN, "This person has no role under this prefix."
            )
        return account.id


def has_account(email: str) -> bool:
    """Whether somebody with an address is known here."""
    with read_transaction():
        return account_rows.find_account(email.strip()) is not None


def _account_of(email: str, field: str, command: Command) -> Account:
    address = email.strip()
    if not address:
        raise InvalidInput(use_case_codes.VALUE_MISSING, "Enter an e-mail address.", field)
    if command.actor.is_operator and is_address(address):
        return account_rows.get_or_add_account(address, command.at)
    account = account_rows.find_account(address)
    if account is None:
        sentence = "No account has this address. Ask the person to sign in once first."
        raise InvalidInput(use_case_codes.VALUE_MALFORMED, sentence, field)
    return account


def _check_texts(rules: PrefixRules, stands: Collection[str] = ()) -> None:
    for field, longest, check in (
        ("label", LONGEST_LINE, check_text),
        ("holder_name", LONGEST_LINE, check_text),
        ("policy", LONGEST_TEXT, check_lines),
        ("persistence", LONGEST_TEXT, check_lines),
    ):
        text = getattr(rules, field).strip()
        if len(text) > longest and text not in stands:
            sentence = f"The text is too long. Enter at most {longest:,} characters."
            raise InvalidInput(use_case_codes.VALUE_MALFORMED, sentence, field)
        # everybody reads it, and what reorders a line would make it say something else
        for found in check(field, text, len(text), ""):
            raise InvalidInput(use_case_codes.VALUE_MALFORMED, found.message, field)
    prefix_rights.checked_pattern(rules.pattern)
    rule = rules.target_rule.strip()
    if rule and (fault := find_rule_fault(rule)):
        raise InvalidInput(assigned_name_codes.TARGET_RULE_MALFORMED, fault, "target_rule")


def _new_order_seed() -> str:
    return secrets.token_hex(32)


def _texts_of(rules: PrefixRules) -> dict[str, str]:
    return {column: text.strip() for column, text in asdict(rules).items()}


def _check_mask_and_rule(prefix: NamePrefix, rules: PrefixRules) -> None:
    shortest = [f"{prefix.text}0"]  # names that are brought in are judged one by one
    names: Iterable[str] = shortest
    if rules.numbering.strip():
        pattern = rules.pattern.strip()
        names = sample_names(prefix_rights.checked_numbering(prefix, rules.numbering, pattern))
    rule = TargetRule(prefix, rules.target_rule.strip())
    longest = max(map(rule.target_of, names), key=len)
    if fault := find_expansion_fault(longest):
        sentence = f"{fault} Use fewer variables."
        raise InvalidInput(assigned_name_codes.TARGET_RULE_MALFORMED, sentence, "target_rule")


def _note(command: Command, prefix: Prefix, kind: str, role: str, said: str) -> int:
    return command.append_event(
        kind, subject=EventSubject.REGISTRY, about=prefix_subject(prefix), role=role, reason=said
    )
