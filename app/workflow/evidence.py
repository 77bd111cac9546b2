"""What a move has to show before it happens."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Self


class Evidence(StrEnum):
    """One thing that must hold or be given. ``sentence`` says what to do where it is missing."""

    sentence: str

    def __new__(cls, value: str, sentence: str = "") -> Self:
        """A piece of evidence with the sentence for whoever lacks it."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.sentence = sentence
        return member

    # Sending a text
    AUTHORISED = (
        "authorised",
        (
            "Only the registrant of record changes a registration, or somebody whom the registrant "
            "names. Ask the registrant to name you."
        ),
    )
    FIXED_NAME = "fixed-name", "A registered name never changes. Put the registered name back."
    BASE_VERSION = "base-version", "Say which registered version you change."
    PROCEDURE = "procedure", "Choose the procedure."
    STANDARD_ANSWER = (
        "standard-answer",
        (
            "Say whether the namespace is to become part of a standard "
            "(RFC 8141 section 6.4.1, point 7)."
        ),
    )
    HARD_RULES = (
        "hard-rules",
        "Mend what the checks list as “To fill in” or “To change”; nothing else in them hinders.",
    )
    POSTED = (
        "posted",
        (
            "The text is posted for discussion in the same step (RFC 8141 section 6.2), and it was "
            "not. Nothing is lost; send it again."
        ),
    )
    NEW_ITERATION = (
        "new-iteration",
        "Change the text, or say of what was asked why you leave it as it is.",
    )

    # Validation
    NO_NAME = "no-name", "Leave the name empty: an informal number is given at registration."
    DIFFERENCES = (
        "differences",
        "Describe what differs from the registered version (RFC 8141 section 6.2).",
    )
    SPECIFICATION = (
        "specification",
        "Point to the specification that defines the namespace (RFC 8141 section 6.3).",
    )
    AUTHORIZATION = (
        "authorization",
        "Show that the organization makes or authorizes the request (RFC 8141 section 6.3).",
    )
    RECOGNIZED = (
        "recognized",
        (
            "The organization is not on the list of recognized ones. Ask for its recognition "
            "(RFC 8141 section 6.3)."
        ),
    )
    NOT_RECOGNIZED = "not-recognized", "The organization is recognized already. Pass the request."
    RULE = "rule", "Choose the rule that no change of the text can meet."
    REASON = "reason", "Give the reason in a sentence."

    NO_PARTY = (
        "no-party",
        (
            "Whoever acts for the registrant or wrote a text of the request does not decide it. "
            "Ask another operator."
        ),
    )

    # Review
    CURRENT = (
        "current",
        "The text has changed since you read it. Read the newest one, then send your words again.",
    )
    NO_CONFLICT = (
        "no-conflict",
        "Nobody judges a request they wrote or have an interest in. Leave it to another expert.",
    )
    CHECKS_ANSWERED = (
        "checks-answered",
        "The checks still find something. If you are for it nevertheless, say in a sentence why.",
    )
    RELATION = (
        "relation",
        (
            "Your organization’s name reads like the registrant’s. Say in a sentence how they "
            "differ, or recuse yourself."
        ),
    )
    COMMENTS = "comments", "Write what the registrant is to change."
    REVIEWS = "reviews", "The reviews of this text do not decide yet. Wait for the next one."
    REPORT = "report", "Add the experts’ report (RFC 8141 section 6.2)."
    REVIEWED = (
        "reviewed",
        "A report is made of at least one review of this text. Review it first.",
    )
    QUESTIONS_ANSWERED = (
        "questions-answered",
        (
            "The report answers every question of RFC 8141 section 5.1. Answer in a review of "
            "this text those that are still open, then send the report."
        ),
    )
    BODY = "body", "Name the body that approves the standard."
    DEADLOCK = "deadlock", "Say on what the experts cannot agree."
    ALL_CONFLICTED = "all-conflicted", "Show that every expert has a conflict of interest."
    TOO_FEW_ABLE = (
        "too-few-able",
        "Enough experts are available to decide it. Wait for their reviews.",
    )
    NO_LEADER = (
        "no-leader",
        "A leader of the experts is available and reports on it. Leave it to the leader.",
    )
    NO_ANSWER = (
        "no-answer",
        "The experts still have time: twice the days until a review is due, from the last one on.",
    )
    SILENCE = (
        "silence",
        "The registrant was written to, or worked on the text, a short time ago. Wait some days.",
    )
    DUPLICATE = (
        "duplicate",
        (
            "Give the number of another open request for the same name by the same registrant. "
            "Two parties who want one name both go on; the first that was sent goes first."
        ),
    )
    REMINDERS = "reminders", "Send two reminders first, and wait for an answer."
    OVERDUE = "overdue", "The work is not past due yet. Come back after the day it is due."
    NOT_FLAGGED = (
        "not-flagged",
        "It is said to be late already. The flag stands until the request moves on.",
    )

    # Another procedure
    ASKED = "asked", "No other procedure is asked for. Only the registrant can ask for one."
    OTHER_PROCEDURE = (
        "other-procedure",
        "Choose a procedure other than the present one. A revision stays formal or informal.",
    )

    # The IESG or another body
    DECISION = "decision", "Enter what was decided."
    REFERENCE = "reference", "Say where the decision can be read."
    DATE = (
        "date",
        (
            "Give the day of the decision as YYYY-MM-DD: today or earlier, and not before the day "
            "on which it was asked for."
        ),
    )
    NOT_JUDGED = (
        "not-judged",
        (
            "Whoever reviewed or declined a request does not enter the outcome of the appeal "
            "against that. Ask another operator."
        ),
    )
    DIRECTIONS = "directions", "Add the directions of the body (RFC 8141 section 6.2)."
    EXPLANATION = "explanation", "Enter the explanation that was given."
    TEMPORARY_EXPERT = "temporary-expert", "Name the temporary expert that was appointed."
    GROUNDS = "grounds", "Say on what grounds."
    IN_PERIOD = "in-period", "The time for an appeal has passed. You can copy the request."
    FIRST_APPEAL = (
        "first-appeal",
        "This decision was appealed there already, and only once is possible.",
    )
    APPEAL_UPHELD = (
        "appeal-upheld",
        "Make the first appeal first; the last one is of what was decided on that.",
    )

    # Registering
    OTHER_PERSON = (
        "other-person",
        (
            "Whoever wrote or decided a request does not register it, nor does an operator who "
            "alone appointed those who decided it. Ask another operator."
        ),
    )
    WITHIN_SHARE = (
        "within-share",
        (
            "It is one more than you may give alone within 24 hours here. Approve it, and another "
            "operator agrees before the name is given."
        ),
    )
    BEYOND_SHARE = "beyond-share", "You may still give this name alone. Register it."
    SECOND_PERSON = (
        "second-person",
        (
            "A second operator agrees before this name is given: nobody who approved it, wrote it, "
            "has an interest in it, recused themselves or belongs to the organization that asks. "
            "Ask another operator."
        ),
    )
    FIRST_SENT = (
        "first-sent",
        (
            "Another request for this name was sent first, and it goes first. Register that one, "
            "or say why this one goes before it."
        ),
    )
    HOLDER_AGREES = (
        "holder-agrees",
        (
            "Who asks does not act for the holder of the name that this one lies under. Ask the "
            "holder, and say in a sentence how the holder agreed."
        ),
    )
    NAME_FREE = "name-free", "The name is registered or reserved by now. Report the collision."
    NUMBER = "number", "This registry gives no informal numbers."
    NAME_TAKEN = "name-taken", "The name is still free. Register it."
    BASE_LATEST = (
        "base-latest",
        (
            "A newer version was registered. Choose “Report a newer version”: whoever asked for "
            "this change takes that as its base, and sends it again."
        ),
    )
    NEWER_VERSION = (
        "newer-version",
        "The version that it changes is still the newest. Register the revision.",
    )
    AUTHORITY = "authority", "Show that the registrant of record agrees to the revision."

    # At IANA, for a registry that only prepares requests
    PROPOSES = "proposes", "This registry registers names itself and sends nothing on."
    NOT_SENT_ON = "not-sent-on", "It is sent on to IANA already. Enter what IANA answered."
    SENT_ON = "sent-on", "Enter first when the request was sent on to IANA; it has not ended there."
    DAY = (
        "day",
        (
            "Give the day as YYYY-MM-DD: today or earlier, and not before the day of what it "
            "follows."
        ),
    )
    TICKET = "ticket", "Give IANA’s number of the request, or where it can be read."

    # What stands in the registry
    REPLACEMENT = "replacement", "Name the namespace that replaces this one."
    COURT_REFERENCE = "court-reference", "Say where the court’s order can be read."
    OUTCOME = "outcome", "Say who decided it, and what came out."
    EFFECT = "effect", "Say what follows from it for the registration."


ESCALATION_GROUNDS: Mapping[Evidence, str] = {
    Evidence.DEADLOCK: "the experts’ reviews contradict each other",
    Evidence.ALL_CONFLICTED: "no expert may judge it",
    Evidence.NO_LEADER: "no leader of the experts is available",
    Evidence.TOO_FEW_ABLE: "fewer experts are available than must agree",
    Evidence.NO_ANSWER: "the experts gave no answer for twice the due time",
}
"""Why experts cannot decide a request, as the record says it of what holds of them."""


class EvidenceInput(StrEnum):
    """One thing that a form asks for, by the name under which the record keeps it."""

    WORDS = "reason"
    REPORT = "report"
    BODY = "body"
    EXPERT = "expert"
    PROCEDURE = "procedure"
    RELATION = "relation"
    RULE = "rule"
    OTHER = "other"
    REFERENCE = "reference"
    DATE = "date"
    TICKET = "ticket"
    DAY = "day"
