"""Author and channel of a comment, as shown in public."""

import re
from collections.abc import Mapping

from app.store.mail.correspondence import NewComment
from app.store.tables import Comment
from app.store.tables.discussion import Channel
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
