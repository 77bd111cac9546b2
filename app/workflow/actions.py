"""Actions: what can be done to a request, each with everything that is true of it in one row."""

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

_IESG = "Enter what was decided elsewhere, with where it can be read."


@unique
class Action(DeclaredAction):
    """What can be done to a request."""

    START = ActionRow("start", "started", has_own_use_case=True)
    REVISE = ActionRow("revise", "revision started", has_own_use_case=True)
    SUBMIT = ActionRow(
        "submit",
        "submitted",
        story="The registrant sent the request.",
        button=ActionButton("Check and send it", page=ActionPage.CHECK),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT, Audience.RIVALS),
        effect=ActionEffect.KEEP_TEXT,
    )
    DISCARD = ActionRow(
        "discard",
        "discarded",
        button=ActionButton("Discard it", page=ActionPage.CHECK),
        has_own_use_case=True,
    )
    TAKE = ActionRow(
        "take",
        "taken",
        story="The operator began to check it.",
        button=ActionButton("Take it to check", "Everybody sees that you are at it."),
    )
    PASS = ActionRow(
        "pass",
        "passed",
        story="The operator found it complete and passed it to the experts.",
        button=ActionButton(
            "Pass it to the experts",
            "The experts review it next.",
            asks="Who shows that the organization makes or authorizes the request",
        ),
        tells=(Audience.LIST, Audience.EXPERTS, Audience.REGISTRANT),
    )
    ASK_RECOGNITION = ActionRow(
        "ask-recognition",
        "recognition asked",
        story="The operator asked the IESG whether the organization is recognized.",
        button=ActionButton(
            "Ask the IESG to recognize the organization",
            "It waits for the decision. Ask the IESG by mail.",
            asks="Who shows that the organization makes or authorizes the request",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    RETURN = ActionRow(
        "return",
        "returned",
        story="{role} returned it with comments.",
        button=ActionButton(
            "Return it",
            "It goes back to the registrant, who changes the text and sends it again.",
            asks="What is to be changed",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    DECLINE = ActionRow(
        "decline",
        "declined",
        story="{role} declined it.",
        button=ActionButton(
            "Decline it",
            "It ends here. This is for what no change of the text can mend.",
            asks="Why no change of the text can meet it",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    REVIEW = ActionRow(
        "review",
        "reviewed",
        story="An expert reviewed it.",
        button=ActionButton("Review it", page=ActionPage.REVIEW),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    TAKE_ON = ActionRow(
        "take-on",
        "taken on",
        label="Take the review",
        story="An expert took the review.",
        button=ActionButton("Take the review", "It comes into your turn."),
        effect=ActionEffect.TAKE_REVIEW,
    )
    RECUSE = ActionRow(
        "recuse",
        "recused",
        story="An expert recused themselves.",
        button=ActionButton(
            "Recuse yourself",
            "You do not judge this request, and the next expert gets it.",
            asks="Why you stand too near to it",
        ),
        tells=(Audience.LIST, Audience.NEXT),
        effect=ActionEffect.RECUSE_EXPERT,
    )
    PASS_ON = ActionRow(
        "pass-on",
        "passed on",
        story="An expert passed the review on.",
        button=ActionButton("Pass it on", "The next expert who is there gets it."),
        tells=(Audience.NEXT,),
        effect=ActionEffect.HAND_REVIEW_ON,
    )
    APPROVE = ActionRow(
        "approve",
        "approved",
        story="The experts approved it.",
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
        has_own_use_case=True,
    )
    ENDORSE = ActionRow(
        "endorse",
        "endorsed",
        label="Approve for a second operator",
        story="One operator approved it. A second one has to agree.",
        button=ActionButton(
            "Approve it, for a second operator to agree",
            "It is one more than you may give alone within 24 hours here. The name is given when "
            "another operator agrees; the time for an answer goes on.",
            asks="A word to the second operator, if you want",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
    )
    REPORT = ActionRow(
        "report",
        "reported",
        story="{role} reported to {body}.",
        button=ActionButton(
            "Send the report",
            "The namespace is to become part of a standard, so the body that "
            "approves the standard decides. The report tells it what the experts "
            "found.",
        ),
        asks=frozenset({EvidenceInput.REPORT}),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
        effect=ActionEffect.KEEP_BODY,
    )
    COMPLETE = ActionRow(
        "complete",
        "completed",
        story="The organization’s representative completed it.",
        button=ActionButton(
            "Complete it",
            "Your organization says that it is complete. It is registered next as"
            " it was sent last.",
        ),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT, Audience.RIVALS),
        effect=ActionEffect.KEEP_CHANGED_TEXT,
    )
    ESCALATE = ActionRow(
        "escalate",
        "escalated",
        story="{role} asked the IESG, since {why}.",
        button=ActionButton(
            "Ask the IESG",
            "This is for experts who contradict each other, who all stand too near, who are too "
            "few to decide it, or who do not answer.",
            asks="On what they cannot agree, or why nobody can judge it",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
        effect=ActionEffect.KEEP_GROUNDS,
    )
    RESUBMIT = ActionRow(
        "resubmit",
        "resubmitted",
        story="The registrant sent text {iteration}.",
        button=ActionButton("Change the text", page=ActionPage.EDIT),
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
        story="The operator reminded the registrant.",
        button=ActionButton(
            "Remind the registrant",
            "After two reminders and silence it can end; not so on the fast track.",
        ),
        tells=(Audience.REGISTRANT,),
    )
    LAPSE = ActionRow(
        "lapse",
        "lapsed",
        story="It ended, since nothing was heard from the registrant.",
        button=ActionButton(
            "End it for silence",
            "Nothing was heard after two reminders. The registrant can copy it into a new request.",
            asks="A word to the registrant, if you want",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    MERGE = ActionRow(
        "merge",
        "merged",
        story="It ended: the registrant asks for the same in request {other}, which goes on.",
        button=ActionButton(
            "Merge it into another request",
            "The same registrant asks for the same twice. This one ends and points to the other.",
            asks="A word to the registrant, if you want",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.LINK_DUPLICATE,
    )
    ASK_PROCEDURE = ActionRow(
        "ask-procedure",
        "procedure asked",
        label="Ask for another procedure",
        story="The registrant asked for another procedure: {procedure}.",
        button=ActionButton(
            "Ask for another procedure",
            "The operator agrees or not. The request is then checked anew.",
            asks="Why the other fits better",
        ),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT),
        effect=ActionEffect.KEEP_PROCEDURE_WISH,
    )
    DROP_PROCEDURE = ActionRow(
        "drop-procedure",
        "procedure no longer asked",
        label="Keep the present procedure",
        story="The registrant asks for the other procedure ({procedure}) no more.",
        button=ActionButton("Keep the present procedure", "You ask for the other one no more."),
        tells=(Audience.OPERATORS,),
        effect=ActionEffect.END_PROCEDURE_WISH,
    )
    CHANGE_PROCEDURE = ActionRow(
        "change-procedure",
        "procedure changed",
        story="The operator agreed to the other procedure.",
        button=ActionButton(
            "Agree to the other procedure", "The request is checked anew.", asks="Why it fits"
        ),
        knows=frozenset({EvidenceInput.PROCEDURE}),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.CHANGE_STANDARD_ANSWER,
        counts_anew=True,
    )
    REFUSE_PROCEDURE = ActionRow(
        "refuse-procedure",
        "procedure refused",
        label="Refuse the other procedure",
        story="The operator refused the other procedure: {procedure}.",
        button=ActionButton(
            "Refuse the other procedure",
            "The request goes on as it is; the registrant can ask again.",
            asks="Why it does not fit",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.END_PROCEDURE_WISH,
    )
    RAISE_DELAY = ActionRow(
        "raise-delay",
        "delay raised",
        label="Say that it is late",
        story="The registrant said that it is late.",
        button=ActionButton("Say that it is late", "The flag is seen by everybody."),
        tells=(Audience.OPERATORS, Audience.EXPERTS),
        effect=ActionEffect.FLAG_DELAY,
    )
    RECOGNIZE = ActionRow(
        "recognize",
        "recognized",
        story="The IESG recognized the organization.",
        button=ActionButton(
            "The organization is recognized",
            "It comes on the list of recognized organizations, and its "
            "representative completes the request.",
            asks="What was decided",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.NEXT),
        effect=ActionEffect.LIST_ORGANIZATION,
    )
    REFUSE_RECOGNITION = ActionRow(
        "refuse-recognition",
        "recognition refused",
        story="The IESG did not recognize the organization; the request "
        "goes on by the community procedure.",
        button=ActionButton(
            "The organization is not recognized",
            "The request goes on by the community procedure; you check it anew.",
            asks="What was decided",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    DIRECT = ActionRow(
        "direct",
        "directed",
        story="The registration was directed.",
        button=ActionButton(
            "The registration is directed",
            "The body has the report and directs the registration.",
            asks="The directions",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
    )
    ASK_CHANGES = ActionRow(
        "ask-changes",
        "changes asked",
        story="Changes were asked for before the standard is approved.",
        button=ActionButton("Changes are asked for", _IESG, asks="What is to be changed", may=True),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    REFUSE = ActionRow(
        "refuse",
        "refused",
        story="The body that approves the standard refused it.",
        button=ActionButton(
            "It is refused", "It ends here. " + _IESG, asks="The reasons that were given", may=True
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    NO_STANDARD = ActionRow(
        "no-standard",
        "standard cleared",
        story="No standard is anticipated any more; the experts decide it themselves.",
        button=ActionButton(
            "No standard is anticipated",
            "The experts decide it themselves. " + _IESG,
            asks="In short",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.EXPERTS),
        effect=ActionEffect.DENY_STANDARD,
        counts_anew=True,
    )
    ANSWER = ActionRow(
        "answer",
        "answered",
        story="The IESG answered; the experts go on.",
        button=ActionButton(
            "Enter the answer",
            "The experts go on with it. Somebody appointed for this request decides it.",
            asks="The explanation that was given",
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
        story="The registrant appealed to the IESG.",
        button=ActionButton(
            "Appeal to the IESG",
            "The IESG decides whether the denial stands.",
            asks="On what grounds",
        ),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT),
    )
    APPEAL_TO_IAB = ActionRow(
        "appeal-to-iab",
        "appealed to the IAB",
        label="Appeal to the IAB",
        story="The registrant appealed to the IAB.",
        button=ActionButton(
            "Appeal to the IAB", "The IAB decides for the last time.", asks="On what grounds"
        ),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT),
    )
    OVERTURN = ActionRow(
        "overturn",
        "overturned",
        story="The appeal succeeded; the experts review it again.",
        button=ActionButton(
            "Overturned: review it again", "The experts review it again.", asks="What was decided"
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.EXPERTS),
        counts_anew=True,
    )
    OVERTURN_AND_APPROVE = ActionRow(
        "overturn-and-approve",
        "overturned and approved",
        label="Overturn and allow",
        story="The appeal succeeded; it waits to be registered.",
        button=ActionButton(
            "Overturned: allow it", "It waits to be registered.", asks="What was decided"
        ),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
    )
    UPHOLD = ActionRow(
        "uphold",
        "upheld",
        story="The appeal was dismissed; the denial stands.",
        button=ActionButton("The denial stands", "It is Declined again.", asks="What was decided"),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    REGISTER = ActionRow(
        "register",
        "registered",
        story="The operator registered it, in edition {edition}.",
        button=ActionButton("Register it", page=ActionPage.REGISTER),
        tells=(Audience.LIST, Audience.REGISTRANT, Audience.RIVALS),
        effect=ActionEffect.GIVE_NAME,
    )
    COLLISION = ActionRow(
        "collision",
        "collided",
        label="Report a collision",
        story="The name was given to another request meanwhile; it went back.",
        button=ActionButton(
            "Report a collision",
            "The name was given to another request meanwhile. It goes back to the"
            " registrant, who chooses another.",
            asks="A word to the registrant",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    STALE = ActionRow(
        "stale",
        "outdated",
        label="Report a newer version",
        story="A newer version was registered meanwhile; it went back.",
        button=ActionButton(
            "Report a newer version",
            "Another revision was registered meanwhile. It goes back to the "
            "registrant, who takes that as the base.",
            asks="A word to the registrant",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
    )
    SEND_ON = ActionRow(
        "send-on",
        "sent on",
        label="Send it on to IANA",
        story="The operator sent it on to IANA.",
        button=ActionButton(
            "It is sent on to IANA",
            "Send the message for this step yourself first, then enter when you did.",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.KEEP_IANA_STATE,
    )
    ENTER_ANSWER = ActionRow(
        "enter-answer",
        "answered at IANA",
        label="Enter IANA’s answer",
        story="IANA answered.",
        button=ActionButton(
            "Enter IANA’s answer",
            "For what neither registers nor refuses it, such as a question.",
            asks="What IANA answered",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.KEEP_IANA_STATE,
    )
    ENTER_REGISTRATION = ActionRow(
        "enter-registration",
        "registered at IANA",
        label="Enter IANA’s registration",
        story="IANA registered it.",
        button=ActionButton(
            "IANA registered it",
            "It ends here. A number that IANA gave belongs into your words.",
            asks="What IANA wrote",
            may=True,
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.KEEP_IANA_STATE,
    )
    ENTER_REFUSAL = ActionRow(
        "enter-refusal",
        "refused at IANA",
        label="Enter IANA’s refusal",
        story="IANA refused it.",
        button=ActionButton(
            "IANA refused it",
            "It ends here. The registrant can copy it into a new draft.",
            asks="The reasons that IANA gave",
        ),
        tells=(Audience.LIST, Audience.REGISTRANT),
        effect=ActionEffect.KEEP_IANA_STATE,
    )
    REOPEN = ActionRow(
        "reopen",
        "reopened",
        story="{role} reopened it; the experts review it again.",
        button=ActionButton(
            "Reopen the review",
            "What was decided is undone, and the experts review it again.",
            asks="Why it has to be looked at again",
        ),
        tells=(Audience.LIST, Audience.EXPERTS, Audience.REGISTRANT),
        counts_anew=True,
    )
    WITHDRAW = ActionRow(
        "withdraw",
        "withdrawn",
        story="The registrant withdrew it.",
        button=ActionButton(
            "Withdraw the request",
            "It ends, and nothing is registered. What you sent stays public. You "
            "can ask again with a new request.",
            asks="Why you withdraw it, if you want to say",
            may=True,
        ),
        tells=(Audience.LIST, Audience.OPERATORS, Audience.RECEIPT),
    )
    COPY = ActionRow(
        "copy",
        "copied",
        story="The registrant copied it into a new draft.",
        button=ActionButton(
            "Copy it into a new draft", "You can change it and send it as a new request."
        ),
        has_own_use_case=True,
    )
    CORRECT = ActionRow(
        "correct",
        "corrected",
        button=ActionButton("Correct the entry", page=ActionPage.NAME),
        has_own_use_case=True,
    )
    REPLACE = ActionRow(
        "replace",
        "replaced",
        button=ActionButton("Rename or replace the entry", page=ActionPage.NAME),
        has_own_use_case=True,
    )
    NOTE_DISPUTE = ActionRow(
        "note-dispute",
        "dispute noted",
        story="A dispute is noted. The registration stands.",
        button=ActionButton("Note a dispute", page=ActionPage.DISPUTE),
        tells=(Audience.LIST, Audience.REGISTRANT),
        has_own_use_case=True,
    )
    NOTE_APPEAL = ActionRow(
        "note-appeal",
        "appeal noted",
        label="Note a third party’s appeal",
        story="An appeal of somebody else is noted. The registration stands.",
        button=ActionButton("Note a third party’s appeal", page=ActionPage.DISPUTE),
        tells=(Audience.LIST, Audience.REGISTRANT),
        has_own_use_case=True,
    )
    SETTLE = ActionRow(
        "settle",
        "dispute settled",
        label="Settle a dispute or an appeal",
        story="A dispute or an appeal of somebody else is settled.",
        button=ActionButton("Settle what is noted", page=ActionPage.DISPUTE),
        tells=(Audience.LIST, Audience.REGISTRANT),
        has_own_use_case=True,
    )
