"""How a form asks for the answers to what was asked of a text."""

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from wtforms.validators import Optional

from app.registration.declarations.registries import Widget
from app.registration.submissions.text_points import (
    PointReply,
    PointReplyKind,
    answer_field,
    words_field,
)
from app.services.requests.request_points import AnsweredPoint
from app.web.forms.request_forms import (
    ChoiceField,
    IdempotentForm,
    SubmissionForm,
    extra_field,
    form_field,
)

REPLIES = (
    (PointReplyKind.CHANGED.value, "I changed the text"),
    (PointReplyKind.LEFT.value, "I didn't change it, because:"),
)
_NAME = re.compile(answer_field("((?:event|review|comment)_[0-9]{1,12}_[0-9]{1,3})"))
_MOST = 200  # answers that one form brings
_WORDS = extra_field(
    "answer",
    "Your answer",
    "One sentence. Public, but not part of the template.",
    Widget.LINE,
)


def keys_of(points: Iterable[AnsweredPoint], sent: Iterable[str] = ()) -> list[str]:
    """The points that a form asks about: those that there are, and those that it came in with.

    So one that is sent twice says the same twice, though nothing is asked any more.
    """
    came = (m[1] for name in sent if (m := _NAME.fullmatch(name.removesuffix("_words"))))
    return list(dict.fromkeys([*(one.of.key for one in points), *islice(came, _MOST)]))


def reply_members(keys: Iterable[str]) -> dict[str, Any]:
    """The members of a form that asks how these points are answered."""
    members: dict[str, Any] = {}
    for key in keys:
        members[answer_field(key)] = ChoiceField(REPLIES, "Choose an answer.", Optional())
        members[words_field(key)] = form_field(_WORDS)
    return members


def saved_replies(
    points: Iterable[AnsweredPoint], saved: Mapping[str, PointReply]
) -> dict[str, str]:
    """What such a form is filled with: what was answered, or what the text itself shows."""
    filled: dict[str, str] = {}
    for one in points:
        reply = saved.get(one.of.key) or one.reply
        if reply:
            filled |= {
                answer_field(one.of.key): reply.kind.value,
                words_field(one.of.key): reply.words,
            }
    return filled


def replies_given(form: IdempotentForm) -> dict[str, PointReply]:
    """The answers by a form; a sentence alone says why something stays as it is."""
    given: dict[str, PointReply] = {}
    for key in (match[1] for name in form.data if (match := _NAME.fullmatch(name))):
        said, words = form[answer_field(key)].data or "", form[words_field(key)].data or ""
        if said or words:
            given[key] = PointReply(PointReplyKind(said or PointReplyKind.LEFT), words)
    return given


def replies_sent(form: IdempotentForm, sent: Iterable[str]) -> dict[str, PointReply] | None:
    """The answers by a form; None where its page asked for none, as those of older software."""
    return replies_given(form) if any(map(_NAME.match, sent)) else None


def submission_form(keys: Iterable[str]) -> type[SubmissionForm]:
    """Sending a text, with the answers that go with it."""
    return type("AnsweringForm", (SubmissionForm,), reply_members(keys))
