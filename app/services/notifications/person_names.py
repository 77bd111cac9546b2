"""The public name of an account, shown with signed comments, roles and managed names."""

import re
import unicodedata
from collections.abc import Collection, Mapping

from app.identifiers.errors import OTHER_SCRIPTS
from app.identifiers.nid import skeleton
from app.problems import use_case_codes
from app.services.refusals import InvalidInput
from app.services.use_cases import Command, use_case
from app.store.accounts import account_rows
from app.store.mail.correspondence import NewComment
from app.store.tables import Comment
from app.store.tables.discussion import Channel
from app.store.tables.requests import EventSubject
from app.workflow.states import Role

_WHO: Mapping[str, str] = {
    Role.REGISTRANT: "The registrant",
    Role.LEADER: "The lead expert",
    Role.EXPERT: "An expert",
    Role.OPERATOR: "The operator",
    Role.REPRESENTATIVE: "The organization’s representative",
}

_WAYS: Mapping[str, str] = {
    Channel.PAGE: "",
    Channel.REPLY: "by e-mail, to a reply address",
    Channel.DMARC: "by e-mail, verified by {origin} (DMARC)",
    Channel.PLACED: "by e-mail, filed by the operator",
}

_ADDRESS = re.compile(r"[^\s<>()\[\]\",;:@]{1,64}+@[^\s<>()\[\]\",;:@]{1,255}")
_OWN_ID = re.compile(r"<urn\.[0-9]{1,9}\.[0-9a-f]{16}@[!-=?-~]{1,250}>", re.ASCII)


def role_words(role: str) -> str:
    """Somebody by the role in which they acted."""
    return _WHO.get(role, "A reader")


def speaker_of(said: Comment | NewComment) -> str:
    """Who said something: a role, and a name only where its owner signed.

    Of mail that nothing proves it is the sender as the message names them, in no role. What an
    operator passes on for an expert is the operator's word.
    """
    if said.channel == Channel.PLACED:
        return f"An unverified sender ({said.origin or 'no address'})"
    if said.relayed:
        return "The operator, passing on an expert’s words"
    who = role_words(said.role)
    return f"{who}, {said.signature}" if said.signature else who


def channel_phrase(said: Comment | NewComment) -> str:
    """How it came, where it did not come by the page.

    Of what was said before that was kept it is known where the words show it: only mail quotes,
    or brings a Message-ID of its own.
    """
    if said.channel != Channel.EARLIER:
        return _WAYS[said.channel].format(origin=said.origin)
    by_mail = said.folded or not _OWN_ID.fullmatch(said.message_id)
    return "by e-mail" if by_mail else ""


def without_addresses(text: str) -> str:
    """A text as everybody may read it: each address in it is shortened."""
    return _ADDRESS.sub(lambda found: mask_address(found[0]), text)


def mask_address(address: str) -> str:
    """An address as everybody may read it: `r…@org.example`."""
    local, at, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}" if local and at else ""


LONGEST_PERSON_NAME = 100
_OF_ADDRESSES = "@<>"
_ENCODED_WORD = re.compile(r"=\?[^?\s]+\?[bq]\?", re.IGNORECASE)  # RFC 2047 section 2
# What Unicode has drawn as nothing though it is no format character: default ignorable, or blank.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0000-\U000e0fff]"
)
# Who decides, beside the roles in which people act; with an article before it or not.
_BODIES = ("IANA", "IESG", "IAB", "IETF", "RFC Editor", "registry", "URN Registry", "leader")
_ARTICLE = re.compile(r"(?:the|an?) ")


@use_case("choose name")
def choose_name(command: Command, name: str) -> None:
    """Be shown under another name from now on, or under none; what was signed stays as it was.

    The record has that a name was chosen, not which. Raises InvalidInput for a name that could be
    taken for an address or for a role of the registry, or that holds what nobody sees.
    """
    bodies = command.post.bodies
    of_site = (bodies.escalation, bodies.appeals, command.post.host)
    chosen = _checked(" ".join(name.split()), of_site)
    account_rows.set_name(command.actor.id, chosen)
    command.append_event(
        "name chosen",
        about=str(command.actor.id),
        subject=EventSubject.ACCOUNT,
        role="account",
    )


def _checked(name: str, of_site: Collection[str]) -> str:
    if len(name) > LONGEST_PERSON_NAME:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"Enter a name of at most {LONGEST_PERSON_NAME} characters.",
            field="name",
        )
    why = _objection(name, of_site) if name else ""
    if why:
        raise InvalidInput(use_case_codes.TEXT_UNFIT, why, field="name")
    return name


def _objection(name: str, of_site: Collection[str]) -> str:
    plain = unicodedata.normalize("NFKC", name)
    if any(sign in plain for sign in _OF_ADDRESSES) or _ENCODED_WORD.search(plain):
        return "Names can’t contain @, < or > or encoded words. Remove them."
    if not name.isprintable() or _UNSEEN.search(name):
        return "The name contains an invisible character. Type it again."
    if not any(map(str.isalpha, name)):
        return "Enter a name with at least one letter."
    if _is_of_role(plain, of_site):
        return "A name can’t start with a role of the registry, such as “operator”. Choose another."
    return ""


def _is_of_role(name: str, of_site: Collection[str]) -> bool:
    spelled = _words_of(name)
    roles = filter(None, map(_words_of, (*map(role_words, ("", *Role)), *_BODIES, *of_site)))
    return any(_begins_with(spelled, role) for role in roles)


def _words_of(name: str) -> list[str]:
    return _ARTICLE.sub("", _looks(name), count=1).split()


def _begins_with(words: list[str], role: list[str]) -> bool:
    return words[: len(role)] in (role, [*role[:-1], f"{role[-1]}s"])


def _looks(words: str) -> str:
    bare = unicodedata.normalize("NFKD", words.casefold()).translate(OTHER_SCRIPTS)
    kept = "".join(
        sign if sign.isalnum() else " " for sign in bare if not unicodedata.combining(sign)
    )
    return skeleton(" ".join(kept.split()))
