"""Every action on a request: its event, button, hints, e-mail and effect, in one row each."""

from enum import unique

from app.workflow.action_rows import (
    ActionButton,
    ActionEffect,
    ActionPage,
    ActionRow,
    Audience,
    DeclaredAction,
)
from app.workflow.evidence import EvidenceInput

_ENTERED = "Enter the decision and where it is published."


@unique
class Action(DeclaredAction):
    """An action on a request."""

    START = ActionRow("start", "started", has_own_use_case=True)
    REVISE = ActionRow("revise", "revision started", has_own_use_case=True)
    SUBMIT = ActionRow(
        "submit",
        "submitted",
        story="{role} submitted the request.",
        button=ActionButton("Check and submit", page=ActionPage.CHECK),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT, Audience.RIVALS),
        effect=ActionEffect.KEEP_TEXT,
    )
    DISCARD = ActionRow(
        "discard",
        "discarded",
        button=ActionButton("Delete draft", page=ActionPage.CHECK),
        has_own_use_case=True,
    )
    TAKE = ActionRow(
        "take",
        "taken",
        story="{role} started the check.",
        button=ActionButton("Start the check", "The request shows that it is being checked."),
    )
    PASS = ActionRow(
        "pass",
        "passed",
        story="{role} passed the complete request to the experts.",
        button=ActionButton(
            "Pass to the experts",
            "The request goes to expert review.",
            asks="Evidence that the organization makes or authorizes the request",
        ),
        tells=(Audience.LIST, Audience.EXPERTS, Audience.REGISTRANT),
    )
    ASK_RECOGNITION = ActionRow(
        "ask-recognition",
        "recognition asked",
        story="{role} asked the IESG to recognize the organization.",
        button=ActionButton(
            "Ask the IESG to recognize the organization",
            "Ask the IESG by e-mail. The request waits for its decision.",
            asks="Evidence that the organization makes or authorizes the request",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    RETURN = ActionRow(
        "return",
        "returned",
        story="{role} requested changes.",
        button=ActionButton(
            "Request changes",
            "The request is returned to the registrant.",
            asks="Changes to make",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    DECLINE = ActionRow(
        "decline",
        "declined",
        story="{role} declined the request.",
        button=ActionButton(
            "Decline request",
            "The request ends. Decline it only if no change to the text could fix it.",
            asks="Reason that no change can fix it",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    REVIEW = ActionRow(
        "review",
        "reviewed",
        story="{role} reviewed the request.",
        button=ActionButton("Review request", page=ActionPage.REVIEW),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    TAKE_ON = ActionRow(
        "take-on",
        "taken on",
        label="Take the review",
        story="{role} took the review.",
        button=ActionButton("Take the review", "The request is assigned to you."),
        effect=ActionEffect.TAKE_REVIEW,
    )
    RECUSE = ActionRow(
        "recuse",
        "recused",
        story="{role} recused themselves.",
        button=ActionButton(
            "Recuse yourself",
            "You no longer review this request. The next expert gets the request.",
            asks="Your conflict of interest",
        ),
        tells=(Audience.LIST, Audience.NEXT),
        effect=ActionEffect.RECUSE_EXPERT,
    )
    PASS_ON = ActionRow(
        "pass-on",
        "passed on",
        story="{role} passed the review to another expert.",
        button=ActionButton(
            "Pass to another expert", "The next available expert gets the request."
        ),
        tells=(Audience.NEXT,),
        effect=ActionEffect.HAND_REVIEW_ON,
    )
    APPROVE = ActionRow(
        "approve",
        "approved",
        story="{role} approved the request.",
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
        has_own_use_case=True,
    )
    ENDORSE = ActionRow(
        "endorse",
        "endorsed",
        label="Approve as first operator",
        story="{role} approved the request. A second operator must agree.",
        button=ActionButton(
            "Approve as first operator",
            "You have reached your limit for 24 hours. A second operator must agree before the "
            "registration. The due date stays the same.",
            asks="Note to the second operator (optional)",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
    )
    REPORT = ActionRow(
        "report",
        "reported",
        story="{role} sent the experts’ report to {body}.",
        button=ActionButton(
            "Send report",
            "The standards body decides. The report summarizes the experts’ findings.",
        ),
        asks=frozenset({EvidenceInput.REPORT}),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
        effect=ActionEffect.KEEP_BODY,
    )
    COMPLETE = ActionRow(
        "complete",
        "completed",
        story="{role} completed the request.",
        button=ActionButton(
            "Complete request",
            "Your organization confirms the newest text. Next, the operator registers it.",
        ),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT, Audience.RIVALS),
        effect=ActionEffect.KEEP_CHANGED_TEXT,
    )
    ESCALATE = ActionRow(
        "escalate",
        "escalated",
        story="{role} escalated the request to the IESG: {why}.",
        button=ActionButton(
            "Ask the IESG",
            "Use this if the experts disagree, don’t answer, are too few, or all have a conflict "
            "of interest.",
            asks="Question for the IESG",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
        effect=ActionEffect.KEEP_GROUNDS,
    )
    RESUBMIT = ActionRow(
        "resubmit",
        "resubmitted",
        story="{role} submitted text {iteration}.",
        button=ActionButton("Edit text", page=ActionPage.EDIT),
        tells=(
            Audience.LIST,
            Audience.OPERATORS,
            Audience.EXPERTS,
            Audience.RECEIPT,
            Audience.RIVALS,
        ),
        effect=ActionEffect.KEEP_TEXT,
    )
    REMIND = ActionRow(
        "remind",
        "reminded",
        story="{role} reminded the registrant.",
        button=ActionButton(
            "Remind registrant",
            "After two reminders without an answer, you can end the request (not on the fast "
            "track).",
        ),
        tells=(Audience.REGISTRANT,),
    )
    LAPSE = ActionRow(
        "lapse",
        "lapsed",
        story="The request ended: the registrant didn’t answer.",
        button=ActionButton(
            "End request without answer",
            "The registrant didn’t answer two reminders. The registrant can copy the request "
            "into a new one.",
            asks="Note to the registrant (optional)",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    MERGE = ActionRow(
        "merge",
        "merged",
        story="The request ended as a duplicate of request {other}.",
        button=ActionButton(
            "Merge into another request",
            "For two requests by one registrant. This request ends and links to the other request.",
            asks="Note to the registrant (optional)",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.LINK_DUPLICATE,
    )
    ASK_PROCEDURE = ActionRow(
        "ask-procedure",
        "procedure asked",
        label="Ask for a different procedure",
        story="{role} asked for a different procedure: {procedure}.",
        button=ActionButton(
            "Ask for a different procedure",
            "If the operator agrees, the check starts again.",
            asks="Reason for the change",
        ),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT),
        effect=ActionEffect.KEEP_PROCEDURE_WISH,
    )
    DROP_PROCEDURE = ActionRow(
        "drop-procedure",
        "procedure no longer asked",
        label="Keep the current procedure",
        story="{role} withdrew the proposal for a different procedure ({procedure}).",
        button=ActionButton(
            "Keep current procedure", "Your proposal for a different procedure ends."
        ),
        tells=(Audience.OPERATORS,),
        effect=ActionEffect.END_PROCEDURE_WISH,
    )
    CHANGE_PROCEDURE = ActionRow(
        "change-procedure",
        "procedure changed",
        story="{role} changed the procedure.",
        button=ActionButton(
            "Change procedure", "The check starts again.", asks="Reason for the change"
        ),
        knows=frozenset({EvidenceInput.PROCEDURE}),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.CHANGE_STANDARD_ANSWER,
        counts_anew=True,
    )
    REFUSE_PROCEDURE = ActionRow(
        "refuse-procedure",
        "procedure refused",
        label="Refuse the different procedure",
        story="{role} refused the different procedure ({procedure}).",
        button=ActionButton(
            "Refuse different procedure",
            "The request continues unchanged. The registrant can ask again.",
            asks="Reason",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.END_PROCEDURE_WISH,
    )
    RAISE_DELAY = ActionRow(
        "raise-delay",
        "delay raised",
        label="Report a delay",
        story="{role} reported that the request is delayed.",
        button=ActionButton(
            "Report delay", "The delay is public. The operator and experts are notified."
        ),
        tells=(Audience.OPERATORS, Audience.EXPERTS),
        effect=ActionEffect.FLAG_DELAY,
    )
    RECOGNIZE = ActionRow(
        "recognize",
        "recognized",
        story="The IESG recognized the organization.",
        button=ActionButton(
            "Recognize organization",
            "The organization joins the recognized organizations. Its representative can complete "
            "the request.",
            asks="Decision",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.NEXT),
        effect=ActionEffect.LIST_ORGANIZATION,
    )
    REFUSE_RECOGNITION = ActionRow(
        "refuse-recognition",
        "recognition refused",
        story="The IESG did not recognize the organization. The request "
        "continues under the community procedure.",
        button=ActionButton(
            "Refuse recognition",
            "The request continues under the community procedure, with a new check.",
            asks="Decision",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    DIRECT = ActionRow(
        "direct",
        "directed",
        story="The standards body directed the registration.",
        button=ActionButton(
            "Enter direction to register",
            "The standards body has the report and directs you to register the namespace.",
            asks="Directions",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
    )
    ASK_CHANGES = ActionRow(
        "ask-changes",
        "changes asked",
        story="The standards body requested changes.",
        button=ActionButton("Enter requested changes", _ENTERED, asks="Changes to make", may=True),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    REFUSE = ActionRow(
        "refuse",
        "refused",
        story="The standards body refused the request.",
        button=ActionButton(
            "Enter refusal", "The request ends. " + _ENTERED, asks="Reasons given", may=True
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    NO_STANDARD = ActionRow(
        "no-standard",
        "standard cleared",
        story=(
            "The namespace is no longer expected to become part of a standard. The experts "
            "decide on the request."
        ),
        button=ActionButton(
            "Continue without a standard",
            "The experts decide on the request. " + _ENTERED,
            asks="Summary",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.EXPERTS),
        effect=ActionEffect.DENY_STANDARD,
        counts_anew=True,
    )
    ANSWER = ActionRow(
        "answer",
        "answered",
        story="The IESG answered. The expert review continues.",
        button=ActionButton(
            "Enter answer",
            "The expert review continues. An expert appointed for this request can decide it.",
            asks="Explanation given",
        ),
        tells=(
            Audience.LIST,
            Audience.REGISTRANT,
            Audience.APPOINTED,
            Audience.EXPERTS,
            Audience.OPERATORS,
        ),
        effect=ActionEffect.APPOINT_EXPERT,
    )
    APPEAL = ActionRow(
        "appeal",
        "appealed",
        story="{role} appealed to the IESG.",
        button=ActionButton(
            "Appeal to the IESG",
            "The IESG decides whether the request remains declined.",
            asks="Grounds",
        ),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT),
    )
    APPEAL_TO_IAB = ActionRow(
        "appeal-to-iab",
        "appealed to the IAB",
        label="Appeal to the IAB",
        story="{role} appealed to the IAB.",
        button=ActionButton("Appeal to the IAB", "The IAB’s decision is final.", asks="Grounds"),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT),
    )
    OVERTURN = ActionRow(
        "overturn",
        "overturned",
        story="The appeal succeeded. The experts review the request again.",
        button=ActionButton(
            "Overturn and review again",
            "The experts review the request again.",
            asks="Decision",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.EXPERTS),
        counts_anew=True,
    )
    OVERTURN_AND_APPROVE = ActionRow(
        "overturn-and-approve",
        "overturned and approved",
        label="Overturn and approve",
        story="The appeal succeeded. The request is approved.",
        button=ActionButton(
            "Overturn and approve", "Next, the operator registers the request.", asks="Decision"
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
    )
    UPHOLD = ActionRow(
        "uphold",
        "upheld",
        story="The appeal failed. The request remains declined.",
        button=ActionButton("Dismiss appeal", "The request remains declined.", asks="Decision"),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    REGISTER = ActionRow(
        "register",
        "registered",
        story="{role} published the registration in edition {edition}.",
        button=ActionButton("Register", page=ActionPage.REGISTER),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.RIVALS),
        effect=ActionEffect.GIVE_NAME,
    )
    COLLISION = ActionRow(
        "collision",
        "collided",
        label="Report a collision",
        story=(
            "This identifier was registered for another request. The request was returned "
            "to the registrant."
        ),
        button=ActionButton(
            "Report collision",
            "This identifier was registered for another request. The registrant must choose "
            "a new one.",
            asks="Note to the registrant",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    STALE = ActionRow(
        "stale",
        "outdated",
        label="Report a newer version",
        story="A newer version was registered. The request was returned to the registrant.",
        button=ActionButton(
            "Report newer version",
            "Another revision was registered. The registrant must start from that version.",
            asks="Note to the registrant",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    SEND_ON = ActionRow(
        "send-on",
        "sent on",
        label="Send to IANA",
        story="{role} sent the request to IANA.",
        button=ActionButton(
            "Record that the request was sent to IANA",
            "Send the e-mail to IANA first, then enter the date.",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.KEEP_IANA_STATE,
    )
    ENTER_ANSWER = ActionRow(
        "enter-answer",
        "answered at IANA",
        label="Enter IANA’s answer",
        story="IANA answered the request.",
        button=ActionButton(
            "Enter IANA’s answer",
            "For any answer other than a registration or refusal, such as a question.",
            asks="IANA’s answer",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.KEEP_IANA_STATE,
    )
    ENTER_REGISTRATION = ActionRow(
        "enter-registration",
        "registered at IANA",
        label="Enter IANA’s registration",
        story="IANA registered the namespace.",
        button=ActionButton(
            "Enter IANA’s registration",
            "The request ends. Include the number if IANA assigned one.",
            asks="IANA’s message",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.KEEP_IANA_STATE,
    )
    ENTER_REFUSAL = ActionRow(
        "enter-refusal",
        "refused at IANA",
        label="Enter IANA’s refusal",
        story="IANA refused the request.",
        button=ActionButton(
            "Enter IANA’s refusal",
            "The request ends. The registrant can copy it into a new draft.",
            asks="IANA’s reasons",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.KEEP_IANA_STATE,
    )
    REOPEN = ActionRow(
        "reopen",
        "reopened",
        story="{role} reopened the review.",
        button=ActionButton(
            "Reopen review",
            "The decision is undone. The experts review the request again.",
            asks="Reason to review it again",
        ),
        tells=(Audience.LIST, Audience.EXPERTS, Audience.REGISTRANT),
        counts_anew=True,
    )
    WITHDRAW = ActionRow(
        "withdraw",
        "withdrawn",
        story="{role} withdrew the request.",
        button=ActionButton(
            "Withdraw request",
            "The request ends without a registration. Your submitted text stays public.",
            asks="Reason (optional)",
            may=True,
        ),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT),
    )
    COPY = ActionRow(
        "copy",
        "copied",
        story="{role} copied the request into a new draft.",
        button=ActionButton(
            "Copy to new draft", "You can edit the draft and submit it as a new request."
        ),
        has_own_use_case=True,
    )
    CORRECT = ActionRow(
        "correct",
        "corrected",
        button=ActionButton("Correct entry", page=ActionPage.NAME),
        has_own_use_case=True,
    )
    REPLACE = ActionRow(
        "replace",
        "replaced",
        button=ActionButton("Rename or replace entry", page=ActionPage.NAME),
        has_own_use_case=True,
    )
    NOTE_DISPUTE = ActionRow(
        "note-dispute",
        "dispute noted",
        story="A dispute was recorded. The registration is unchanged.",
        button=ActionButton("Record dispute", page=ActionPage.DISPUTE),
        tells=(Audience.LIST, Audience.REGISTRANT),
        has_own_use_case=True,
    )
    NOTE_APPEAL = ActionRow(
        "note-appeal",
        "appeal noted",
        label="Record a third party’s appeal",
        story="A third party’s appeal was recorded. The registration is unchanged.",
        button=ActionButton("Record third party’s appeal", page=ActionPage.DISPUTE),
        tells=(Audience.LIST, Audience.REGISTRANT),
        has_own_use_case=True,
    )
    SETTLE = ActionRow(
        "settle",
        "dispute settled",
        label="Settle a dispute or an appeal",
        story="A dispute or third party’s appeal was settled.",
        button=ActionButton("Settle dispute or appeal", page=ActionPage.DISPUTE),
        tells=(Audience.LIST, Audience.REGISTRANT),
        has_own_use_case=True,
    )
