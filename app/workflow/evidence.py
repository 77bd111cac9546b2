"""The evidence that a transition requires."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Self


class Evidence(StrEnum):
    """A required fact or input; ``sentence`` explains what to do if it is missing."""

    sentence: str

    def __new__(cls, value: str, sentence: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.sentence = sentence
        return member

    # Sending a text
    AUTHORISED = (
        "authorised",
        (
            "Only a manager of the registration can change it. Ask the registrant to add you "
            "as a manager."
        ),
    )
    FIXED_NAME = "fixed-name", "A registered NID or number never changes. Enter the registered one."
    BASE_VERSION = "base-version", "Choose the registered version that you are changing."
    PROCEDURE = "procedure", "Choose the procedure."
    STANDARD_ANSWER = (
        "standard-answer",
        (
            "Answer whether the namespace will be part of a standard (RFC 8141 section 6.4.1, "
            "point 7)."
        ),
    )
    HARD_RULES = (
        "hard-rules",
        (
            "Fix the findings marked “To fill in” or “To change”. You can submit with the "
            "other findings."
        ),
    )
    POSTED = (
        "posted",
        (
            "The text couldn’t be posted for discussion (RFC 8141 section 6.2). Submit it "
            "again; nothing is lost."
        ),
    )
    NEW_ITERATION = (
        "new-iteration",
        "Change the text, or explain in your answers why it stays the same.",
    )

    # Validation
    NO_NAME = (
        "no-name",
        ("Leave the NID empty. Informal namespaces get the next number when they’re registered."),
    )
    DIFFERENCES = (
        "differences",
        "Describe the changes from the registered version (RFC 8141 section 6.2).",
    )
    SPECIFICATION = (
        "specification",
        "Link the specification that defines the namespace (RFC 8141 section 6.3).",
    )
    AUTHORIZATION = (
        "authorization",
        ("Show that the organization makes or authorizes the request (RFC 8141 section 6.3)."),
    )
    RECOGNIZED = (
        "recognized",
        ("The organization isn’t recognized. Ask the IESG to recognize it (RFC 8141 section 6.3)."),
    )
    NOT_RECOGNIZED = (
        "not-recognized",
        "The organization is already recognized. Pass the request to the experts.",
    )
    RULE = "rule", "Choose the rule that can’t be met by changing the text."
    REASON = "reason", "Enter a reason."
    NO_PARTY = (
        "no-party",
        (
            "You wrote this request or manage it for the registrant. Ask another operator to "
            "decide it."
        ),
    )

    # Review
    CURRENT = (
        "current",
        ("The text changed after you opened it. Read the newest text, then send your words again."),
    )
    NO_CONFLICT = (
        "no-conflict",
        "You wrote this request or have an interest in it. Leave this request to another expert.",
    )
    CHECKS_ANSWERED = (
        "checks-answered",
        "The checks have open findings. Give a reason to support the request anyway.",
    )
    RELATION = (
        "relation",
        (
            "Your organization’s name is similar to the registrant’s. Explain how they "
            "differ, or recuse yourself."
        ),
    )
    COMMENTS = "comments", "Enter the changes that the registrant must make."
    REVIEWS = "reviews", "The reviews so far don’t decide the request. Wait for the next review."
    REPORT = "report", "Add the experts’ report (RFC 8141 section 6.2)."
    REVIEWED = "reviewed", "The report needs at least one review of this text. Review it first."
    QUESTIONS_ANSWERED = (
        "questions-answered",
        (
            "The report must answer every question of RFC 8141 section 5.1. Answer the open "
            "questions in a review, then send the report."
        ),
    )
    BODY = "body", "Enter the name of the standards body."
    DEADLOCK = "deadlock", "Enter the question on which the experts disagree."
    ALL_CONFLICTED = "all-conflicted", "Explain why every expert has a conflict of interest."
    TOO_FEW_ABLE = "too-few-able", "Enough experts are available. Wait for their reviews."
    NO_LEADER = "no-leader", "A lead expert is available. Let the lead expert send the report."
    NO_ANSWER = (
        "no-answer",
        "The experts still have time. Wait twice the review time after the last review.",
    )
    SILENCE = (
        "silence",
        "The registrant was active or got a reminder a few days ago. Wait a few more days.",
    )
    DUPLICATE = (
        "duplicate",
        (
            "Enter the number of another open request by the same registrant for the same "
            "identifier. Two registrants’ requests can’t be merged."
        ),
    )
    REMINDERS = "reminders", "Send two reminders first, then wait for an answer."
    OVERDUE = "overdue", "The request isn’t overdue yet. Report a delay after its due date."
    NOT_FLAGGED = (
        "not-flagged",
        "A delay is already reported. The report ends when the request reaches its next step.",
    )

    # Another procedure
    ASKED = (
        "asked",
        "The registrant didn’t ask for a different procedure. Only the registrant can ask.",
    )
    OTHER_PROCEDURE = (
        "other-procedure",
        ("Choose a procedure other than the current one. A revision stays formal or informal."),
    )

    # The IESG or another body
    DECISION = "decision", "Enter the decision."
    REFERENCE = "reference", "Enter a URL or a reference for the decision."
    DATE = (
        "date",
        (
            "Enter the date of the decision as YYYY-MM-DD. It can’t be in the future or "
            "before the question."
        ),
    )
    NOT_JUDGED = (
        "not-judged",
        (
            "You reviewed or declined this request. Ask another operator to enter the outcome "
            "of the appeal."
        ),
    )
    DIRECTIONS = "directions", "Add the standards body’s directions (RFC 8141 section 6.2)."
    EXPLANATION = "explanation", "Enter the explanation that was given."
    TEMPORARY_EXPERT = "temporary-expert", "Enter the expert appointed for this request."
    GROUNDS = "grounds", "Enter the grounds of the appeal."
    IN_PERIOD = (
        "in-period",
        "The time to appeal has ended. You can copy the request and submit it again.",
    )
    FIRST_APPEAL = (
        "first-appeal",
        "This decision was already appealed there. It can be appealed only once.",
    )
    APPEAL_UPHELD = (
        "appeal-upheld",
        "Appeal to the IESG first. You can appeal only the IESG’s decision to the IAB.",
    )

    # Registering
    OTHER_PERSON = (
        "other-person",
        (
            "You wrote or approved this request, or only you appointed its experts. Ask "
            "another operator to register it."
        ),
    )
    WITHIN_SHARE = (
        "within-share",
        (
            "You have reached your limit for 24 hours. Approve the request; a second operator "
            "must agree."
        ),
    )
    BEYOND_SHARE = (
        "beyond-share",
        "You are within your limit. Register it without a second operator.",
    )
    SECOND_PERSON = (
        "second-person",
        (
            "You already took part in this request or have an interest in it. Ask another operator "
            "to approve it."
        ),
    )
    FIRST_SENT = (
        "first-sent",
        (
            "Another request for this identifier was submitted first. Register that request, "
            "or give a reason to register this one first."
        ),
    )
    HOLDER_AGREES = (
        "holder-agrees",
        (
            "The registrant doesn’t manage the NAAN above this shoulder. Ask the NAAN holder, "
            "and record how the holder agreed."
        ),
    )
    NAME_FREE = (
        "name-free",
        "This identifier is now registered or reserved. Use “Report collision”.",
    )
    NUMBER = "number", "This registry has no informal namespaces."
    NAME_TAKEN = "name-taken", "The identifier is still available. Register it."
    BASE_LATEST = (
        "base-latest",
        (
            "A newer version was registered. Use “Report newer version”. The registrant then "
            "starts from that version."
        ),
    )
    NEWER_VERSION = (
        "newer-version",
        "The request is based on the newest version. Register the revision.",
    )
    AUTHORITY = "authority", "Show that the registrant of record agrees to the revision."
    # At IANA, for a registry that only prepares requests
    PROPOSES = "proposes", "This registry registers requests itself and sends none to IANA."
    NOT_SENT_ON = "not-sent-on", "The request was already sent to IANA. Enter IANA’s answer."
    SENT_ON = (
        "sent-on",
        ("Enter the date on which you sent the request to IANA first. IANA hasn’t decided it yet."),
    )
    DAY = (
        "day",
        ("Enter the date as YYYY-MM-DD. It can’t be in the future or before the previous step."),
    )
    TICKET = "ticket", "Enter IANA’s ticket number, or a link to it."
    # Registered entries
    REPLACEMENT = "replacement", "Enter the namespace that replaces this one."
    COURT_REFERENCE = "court-reference", "Enter a link or reference to the court’s order."
    OUTCOME = "outcome", "Enter the outcome and the body that decided it."
    EFFECT = "effect", "Enter the effect on the registration."


ESCALATION_GROUNDS: Mapping[Evidence, str] = {
    Evidence.DEADLOCK: "the experts disagree",
    Evidence.ALL_CONFLICTED: "every expert has a conflict of interest",
    Evidence.NO_LEADER: "no lead expert is available",
    Evidence.TOO_FEW_ABLE: "too few experts are available",
    Evidence.NO_ANSWER: "the experts didn’t answer in twice the review time",
}
"""Reasons to escalate a request, as the record gives them."""


class EvidenceInput(StrEnum):
    """An input of an action’s form, by its name in the record."""

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
