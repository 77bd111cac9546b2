"""The discussion of a request: public, kept for ever, an edit beside its earlier words."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.messages.mailed_tokens import without_tokens
from app.problems import use_case_codes
from app.registration.declarations.registries import (
    REGISTRIES,
    Field,
    FormSection,
    Registry,
    Requirement,
    Widget,
)
from app.registration.records.record_documents import canonical_json
from app.registration.submissions.submission_rules import InvalidText, fit_text
from app.registration.submissions.text_points import BESIDE_TEMPLATE
from app.services.accounts import rate_limits
from app.services.accounts.actors import Actor, roles_toward
from app.services.accounts.rate_limits import LIMITS, RateLimitKind
from app.services.notifications.event_notices import (
    CommentNotice,
    message_id,
    notify_about_comment,
)
from app.services.notifications.person_names import channel_phrase, speaker_of
from app.services.notifications.request_notices import find_parent, texts_of
from app.services.refusals import EditConflict, InvalidInput, NotAllowed, NotFound
from app.services.requests.draft_preview import keep_words
from app.services.use_cases import Command, operators_only, use_case
from app.store.mail import correspondence
from app.store.mail.correspondence import NewComment
from app.store.requests import operator_notes, request_rows
from app.store.tables import Comment, Request
from app.store.tables.discussion import Channel
from app.store.tables.requests import EventSubject
from app.workflow.separation_of_duties import SeparationOfDuties
from app.workflow.states import Role, State

# Long text about anything, whichever fields a registry has.
_COMMENT = Field(
    name="comment",
    label="Your comment",
    help="",
    widget=Widget.TEXT,
    required=Requirement.ALWAYS,
    section=FormSection.DOCUMENTS,
    source="XML 1.0 section 2.2",
)
LONGEST_COMMENT = 8000
MOST_AN_HOUR = LIMITS[RateLimitKind.COMMENTS_OF_PERSON].most  # and again by mail, with drafts
HOUR = timedelta(hours=1)
COMMENTED, CHANGED = "commented", "comment changed"
DISCUSSED = frozenset({COMMENTED, CHANGED})  # kinds of event that the discussion itself shows

_SPEAKS_AS = (Role.REGISTRANT, Role.LEADER, Role.EXPERT, Role.OPERATOR, Role.REPRESENTATIVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentInput:
    """What somebody wants to say, on the request or on one field of its template.

    ``signed`` shows the name of who says it; ``relayed`` is an expert's word that the operator
    passes on without a name. ``folded`` is what a message quoted. ``message_id`` is that of the
    message it came by; ``posted`` says that the list has it. ``channel`` is how it came, and
    ``origin`` who vouches for that: what is placed is its sender's word and no role's.
    """

    body: str
    section: str = ""
    signed: bool = False
    relayed: bool = False
    folded: str = ""
    message_id: str = ""
    followed: tuple[str, ...] = ()
    posted: bool = False
    channel: Channel = Channel.PAGE
    origin: str = ""

    @property
    def is_placed(self) -> bool:
        """Whether it is somebody else's who is not known."""
        return self.channel is Channel.PLACED


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentView:
    """One thing that was said, as everybody sees it; ``for_reader`` is who said it to its reader,
    who knows their own words as theirs.
    """

    id: int
    at: datetime
    who: str
    for_reader: str
    way: str
    section: str
    body: str
    folded: str
    own: bool
    archive: str
    earlier: tuple[str, ...]


@use_case("comment")
def say(command: Command, number: int, saying: CommentInput) -> int:
    """Say something about a request that was sent, and give the comment's id.

    Raises NotFound, NotAllowed, InvalidInput and RateLimitExceeded.
    """
    _refuse_too_many(command)
    return file_comment(command, number, saying)


def file_comment(command: Command, number: int, saying: CommentInput) -> int:
    """File a comment on a request within the caller's transaction."""
    actor, post = command.actor, command.post
    request = _discussed(number)
    body = _checked(saying, REGISTRIES[request.registry_id])
    roles = roles_toward(actor, request, SeparationOfDuties())
    if (saying.relayed or saying.is_placed) and Role.OPERATOR not in roles:
        raise NotAllowed(
            use_case_codes.OPERATORS_ONLY, "Only operators can post on behalf of others."
        )
    new = NewComment(
        request=number,
        at=command.at,
        author=actor.id,
        role=_role(saying, roles),
        signature=actor.name if saying.signed and not saying.relayed else "",
        relayed=saying.relayed,
        section=saying.section,
        body=body,
        folded=saying.folded,
        message_id=saying.message_id or message_id(number, post.host),
        answers=find_parent(number, saying.followed, is_posted=saying.posted),
        channel=saying.channel,
        origin=saying.origin,
    )
    return _keep(command, request, new, COMMENTED, posted=saying.posted)


@use_case("change comment")
def change(command: Command, number: int, ident: int, body: str) -> int:
    """Put other words in the place of one's own; the earlier ones stay, and can be read."""
    _refuse_too_many(command)
    request = _discussed(number)
    before = _own(number, ident, command.actor)
    if correspondence.is_replaced(ident):
        raise EditConflict(
            use_case_codes.EDIT_CONFLICT,
            "You changed this comment in another window. Reload the page and try again.",
        )
    new = NewComment(
        request=number,
        at=command.at,
        author=command.actor.id,
        role=before.role,
        signature=before.signature,
        relayed=before.relayed,
        section=before.section,
        body=_checked(
            CommentInput(body=body, section=before.section), REGISTRIES[request.registry_id]
        ),
        folded=before.folded,
        replaces=ident,
        message_id=message_id(number, command.post.host),
        answers=before.message_id,
    )
    return _keep(command, request, new, CHANGED)


def _refuse_too_many(command: Command) -> None:
    if not command.actor.is_operator:
        limited = (RateLimitKind.COMMENTS_OF_PERSON, str(command.actor.id))
        rate_limits.spend([limited], command.at)


def _discussed(number: int) -> Request:
    request = request_rows.find_request(number)
    if request is None or State(request.state).is_private:
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
    return request


def _own(number: int, ident: int, actor: Actor) -> Comment:
    found = correspondence.find_comment(ident)
    if found is None or found.request != number:
        raise NotFound(use_case_codes.ENTRY_UNKNOWN, "There is no such comment.")
    if not _is_own(found, actor):
        raise NotAllowed(
            use_case_codes.AUTHOR_ONLY, "Only its author can change a comment. You can reply to it."
        )
    return found


def _checked(saying: CommentInput, registry: Registry) -> str:
    if saying.section and saying.section not in _sections(registry):
        raise InvalidInput(
            use_case_codes.CHOICE_UNKNOWN,
            "Choose a section of the template, or none.",
            field="section",
        )
    try:
        body = fit_text(_COMMENT, saying.body).strip()
    except InvalidText as error:
        raise InvalidInput(use_case_codes.TEXT_UNFIT, str(error), field="comment") from error
    if not body or len(body) > LONGEST_COMMENT:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            f"Enter a comment of at most {LONGEST_COMMENT} characters.",
            field="comment",
        )
    return body


def _sections(registry: Registry) -> frozenset[str]:
    return frozenset(one.name for one in (*registry.public_fields, *BESIDE_TEMPLATE))


def _role(saying: CommentInput, roles: frozenset[Role]) -> str:
    if saying.is_placed:
        return ""  # whatever its author is, nothing proves who that is
    if saying.relayed:
        return Role.EXPERT
    return next((role for role in _SPEAKS_AS if role in roles), "")


def _keep(
    command: Command, request: Request, new: NewComment, kind: str, *, posted: bool = False
) -> int:
    # what older software kept is said anew here: a message that is placed, what a change quotes
    new = replace(new, body=without_tokens(new.body), folded=without_tokens(new.folded))
    ident = correspondence.add_comment(new)
    keep_words(new.body)
    n = command.append_event(
        kind,
        about=str(request.number),
        role=Role.OPERATOR if new.channel is Channel.PLACED else new.role,
        iteration=request.iterations,
        body=canonical_json({"comment": ident}),
    )
    news = CommentNotice(
        request=request, actor=command.actor, event=n, at=new.at, comment=new, posted=posted
    )
    notify_about_comment(news, command.post)
    return ident


# ---- what pages show


def discussion_of(number: int, actor: Actor | None) -> tuple[CommentView, ...]:
    """What was said about a request, oldest first, each with its earlier words."""
    rows = correspondence.comments_of(number)
    by_id = {row.id: row for row in rows}
    replaced = {row.replaces for row in rows if row.replaces}
    archives = correspondence.archived([row.message_id for row in rows])
    shown = [row for row in rows if row.id not in replaced]
    return tuple(_said(row, by_id, archives.get(row.message_id, ""), actor) for row in shown)


def archive_of(number: int) -> str:
    """Where the list's archive has the newest text of a request that it is known to have."""
    texts = texts_of(number)
    known = correspondence.archived(texts)
    return next((known[text] for text in reversed(texts) if text in known), "")


def _said(
    row: Comment, by_id: Mapping[int, Comment], archive: str, actor: Actor | None
) -> CommentView:
    chain, own = [row], _is_own(row, actor)
    while chain[-1].replaces is not None:
        chain.append(by_id[chain[-1].replaces])
    return CommentView(
        id=row.id,
        at=chain[-1].at,
        who=speaker_of(row),
        for_reader="You" if own and not row.relayed else speaker_of(row),
        way=channel_phrase(row),
        section=row.section,
        body=row.body,
        folded=row.folded,
        own=own,
        archive=archive,
        earlier=tuple(earlier.body for earlier in chain[1:]),
    )


def _is_own(row: Comment, actor: Actor | None) -> bool:
    return actor is not None and row.author == actor.id and row.channel != Channel.PLACED


LONGEST_NOTE = 8000
LONGEST_TITLE = 200
NOTED = "noted"
_FOR_OPERATORS = operators_only("Only operators can read and write notes.")


@dataclass(frozen=True, slots=True)
class InternalNote:
    """What an operator told the others."""

    at: datetime
    body: str
    own: bool


@dataclass(frozen=True, slots=True)
class SavedReply:
    """Words kept under a title."""

    title: str
    body: str


def notes_of(number: int, actor: Actor | None) -> tuple[InternalNote, ...]:
    """The notes on a request, for operators alone."""
    if actor is None or not actor.is_operator:
        return ()
    return tuple(
        InternalNote(one.at, one.body, one.author == actor.id)
        for one in operator_notes.notes_of(number)
    )


@use_case("note", check=_FOR_OPERATORS)
def note(command: Command, number: int, body: str) -> None:
    """Tell the other operators something about a request. The record has that, not what."""
    request = request_rows.find_request(number)
    if request is None or not request.iterations:
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
    if not body.strip() or len(body) > LONGEST_NOTE:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            f"Enter a note of at most {LONGEST_NOTE} characters.",
            field="note",
        )
    operator_notes.add_note(number, command.actor.id, command.at, body.strip())
    command.append_event(NOTED, about=str(number), subject=EventSubject.REQUEST, role="operator")


def reply_texts(actor: Actor | None) -> tuple[SavedReply, ...]:
    """The words that are kept for again, for operators alone."""
    if actor is None or not actor.is_operator:
        return ()
    return tuple(SavedReply(one.title, one.body) for one in operator_notes.reply_texts())


@use_case("keep reply text", check=_FOR_OPERATORS)
def keep_reply_text(command: Command, title: str, body: str) -> None:
    """Keep words under a title, in place of those that stood there."""
    if not title.strip() or len(title) > LONGEST_TITLE:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            f"Enter a title of at most {LONGEST_TITLE} characters.",
            field="title",
        )
    if not body.strip() or len(body) > LONGEST_NOTE:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            f"Enter a text of at most {LONGEST_NOTE} characters.",
            field="body",
        )
    operator_notes.keep_reply_text(title.strip(), body.strip())
    _record_reply_text(command, "reply text kept")


@use_case("remove reply text", check=_FOR_OPERATORS)
def remove_reply_text(command: Command, title: str) -> None:
    """Take words away."""
    if not operator_notes.remove_reply_texts([title]):
        raise NotFound(use_case_codes.ENTRY_UNKNOWN, "No text has this title.")
    _record_reply_text(command, "reply text removed")


def _record_reply_text(command: Command, kind: str) -> None:
    command.append_event(kind, about="reply texts", subject=EventSubject.REGISTRY, role="operator")
