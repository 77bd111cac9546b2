"""Why a use case of the working plane is refused: a row for each reason."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_RULE = "Rule of this registry:"
_MISSING, _DENIED = ProblemKind.NOT_FOUND, ProblemKind.NOT_ALLOWED
_CONFLICT, _INVALID = ProblemKind.CONFLICT, ProblemKind.INVALID

REQUEST_UNKNOWN = ProblemCode(
    "request_unknown",
    _MISSING,
    "No such request",
    f"{_RULE} a draft is seen by those who act for it alone, and a number is given once.",
    "Check the number, or sign in as the person whose request it is.",
)
NAMESPACE_UNKNOWN = ProblemCode(
    "namespace_unknown",
    _MISSING,
    "No such namespace",
    "RFC 8141 section 5: a NID is known here once it is registered.",
    "Check how the name is written, or search the registry for it.",
)
NAME_UNKNOWN = ProblemCode(
    "name_unknown",
    _MISSING,
    "No such name",
    f"{_RULE} a name is known here once it is registered.",
    "Check how the name is written, or search the list of such names for it.",
)
EDITION_UNKNOWN = ProblemCode(
    "edition_unknown",
    _MISSING,
    "No such edition",
    f"{_RULE} editions are numbered from 1 without a gap.",
    "The list of editions has every number and day.",
)
VERSION_UNKNOWN = ProblemCode(
    "version_unknown",
    _MISSING,
    "No such version",
    "RFC 8141 Appendix A.3: each template registered has a version number.",
    "The page of the namespace lists its versions.",
)
ENTRY_UNKNOWN = ProblemCode(
    "entry_unknown",
    _MISSING,
    "No such entry",
    f"{_RULE} what has ended or was taken away is listed no more.",
    "Load the list again. Somebody may have ended or deleted it meanwhile.",
)
NOT_ASKED_YEARLY = ProblemCode(
    "not_asked_yearly",
    _MISSING,
    "Nobody is asked about this name",
    f"{_RULE} who acts for a NAAN or a shoulder in use is asked once a year whether all is right.",
    "To change what is said of a name, begin a change of it on its page.",
)
LIST_PAGE_UNKNOWN = ProblemCode(
    "list_page_unknown",
    _MISSING,
    "No such page of a list",
    f"{_RULE} a page of a list begins after an entry that exists.",
    "Take after= out of the address to see the first page.",
)
OPERATORS_ONLY = ProblemCode(
    "operators_only",
    _DENIED,
    "For the registry’s operators",
    "RFC 8141 section 6: the registry operator keeps the registry.",
    "Sign in as an operator, or ask one.",
)
EXPERTS_ONLY = ProblemCode(
    "experts_only",
    _DENIED,
    "For the designated experts",
    "RFC 8141 section 6.3; RFC 8126 section 5.",
    "Sign in as an expert, or leave it to one.",
)
REVIEW_CLOSED = ProblemCode(
    "review_closed",
    _DENIED,
    "Not this expert’s to review",
    "RFC 8126 section 5.2: experts with a conflict of interest do not decide.",
    "Leave it to another expert, or end what stands in the way.",
)
REGISTRANT_ONLY = ProblemCode(
    "registrant_only",
    _DENIED,
    "For those who act for the registrant",
    "RFC 8141 section 6.5: the registrant changes a registration.",
    "Ask somebody who acts for it to invite you, or claim it.",
)
AUTHOR_ONLY = ProblemCode(
    "author_only",
    _DENIED,
    "For whoever wrote it",
    f"{_RULE} nobody changes the words of another.",
    "Answer it instead.",
)
OTHER_PERSON_NEEDED = ProblemCode(
    "other_person_needed",
    _DENIED,
    "Another person has to do it",
    f"{_RULE} nobody decides or confirms what they asked for themselves.",
    "Ask another operator.",
)
NOT_YOUR_TURN = ProblemCode(
    "not_your_turn",
    _DENIED,
    "Not with you now",
    "RFC 8141 section 6.3: a text under review is changed when it was returned.",
    "Wait until it is returned, or withdraw the request.",
)
DEMONSTRATION_LIMIT = ProblemCode(
    "demonstration_limit",
    _DENIED,
    "Not in a demonstration",
    "Setting URN_REGISTRY_DEMO: a demonstration changes what it made itself.",
    "Start the registry without demo mode to do it.",
)
NOBODY_ASKED = ProblemCode(
    "nobody_asked",
    _DENIED,
    "This site asks no other server",
    "Setting URN_REGISTRY_FOLLOW_ARKS; nor does a demonstration ask, or a site of one machine.",
    "Run `urn-registry ark resolve` with the ARK on a machine of your own.",
)
EDIT_CONFLICT = ProblemCode(
    "edit_conflict",
    _CONFLICT,
    "Changed meanwhile",
    f"{_RULE} nothing is saved over what the author has not seen.",
    "Load the page again, look at what changed, and send yours once more.",
)
KEY_REUSED = ProblemCode(
    "key_reused",
    _CONFLICT,
    "Sent before with another content",
    f"{_RULE} a form is carried out once, by the key in it.",
    "Open the form anew.",
)
NAME_TAKEN = ProblemCode(
    "name_taken",
    _CONFLICT,
    "The name is taken",
    "RFC 8141 section 5.1: a name is given once and never again.",
    "Choose another name.",
)
REGISTRATION_DISABLED = ProblemCode(
    "registration_disabled",
    _CONFLICT,
    "Nothing is registered here",
    "Setting URN_REGISTRY_AUTHORITY: this registry prepares requests to IANA.",
    "Send the template on to IANA.",
)
REGISTRATION_STOPPED = ProblemCode(
    "registration_stopped",
    ProblemKind.BUSY,
    "Nothing is registered now",
    f"{_RULE} no edition is opened over one that was published and the database does not know.",
    "The operator restores the database from the editions with `urn-registry recover`.",
)
VALUE_MISSING = ProblemCode(
    "value_missing",
    _INVALID,
    "A value is missing",
    f"{_RULE} a form is complete before it is carried out, and a decision gives its reason.",
    "Fill in the field that the message names.",
)
VALUE_TOO_LONG = ProblemCode(
    "value_too_long",
    _INVALID,
    "A value is too long",
    f"{_RULE} each field has a longest length.",
    "Shorten it.",
)
VALUE_MALFORMED = ProblemCode(
    "value_malformed",
    _INVALID,
    "A value is not in the form asked for",
    f"{_RULE} days are written as YYYY-MM-DD, and whole numbers in digits.",
    "Write it as the message says.",
)
TEXT_UNFIT = ProblemCode(
    "text_unfit",
    _INVALID,
    "A text that cannot be kept",
    "RFC 8141 Appendix A; XML 1.0 section 2.2: characters that a record can hold.",
    "Take out what the message names.",
)
CHOICE_UNKNOWN = ProblemCode(
    "choice_unknown",
    _INVALID,
    "Not one of the choices",
    f"{_RULE} a choice is one of those that the page offers.",
    "Load the page again and choose one of those on it.",
)
MAIL_ADDRESS_INVALID = ProblemCode(
    "mail_address_invalid",
    _INVALID,
    "Not an e-mail address",
    "RFC 5321 section 4.1.2.",
    "Write one address in full, such as name@example.org.",
)
ADDRESS_RESERVED = ProblemCode(
    "address_reserved",
    _INVALID,
    "An address of the demonstration",
    "Setting URN_REGISTRY_DEMO: its people have addresses under example names (RFC 2606).",
    "Give an address of your own.",
)
REFERENCE_INVALID = ProblemCode(
    "reference_invalid",
    _INVALID,
    "Not a reference that the registry can hold",
    "RFC 8141 section 6.4: the registry refers to the specification.",
    "Enter an RFC, such as RFC 8141, or an https:// address and whose it is.",
)
ENTRY_UNWRITABLE = ProblemCode(
    "entry_unwritable",
    _INVALID,
    "An entry that the registry cannot be written with",
    "The schema of IANA’s registry files.",
    "Change the value that the message names.",
)
FACT_INVALID = ProblemCode(
    "fact_invalid",
    _INVALID,
    "A fact that no record can hold",
    "RFC 8141 section 6.5; the rules of each field.",
    "Change the fact that the field names.",
)
PROFILE_INVALID = ProblemCode(
    "profile_invalid",
    _INVALID,
    "A profile that cannot be used",
    "RFC 8141 section 6.4.",
    "Change what the findings name.",
)
NOTHING_CHANGED = ProblemCode(
    "nothing_changed",
    _INVALID,
    "Nothing would change",
    f"{_RULE} every new version differs from the one before it.",
    "Change something, or leave it as it is.",
)
ALREADY_DONE = ProblemCode(
    "already_done",
    _INVALID,
    "It is so already",
    f"{_RULE} what is done is not done twice.",
    "There is nothing to do. Load the page again to see how it stands.",
)
NOT_IN_FORCE = ProblemCode(
    "not_in_force",
    _INVALID,
    "It is not so now",
    f"{_RULE} what does not stand cannot be ended or confirmed.",
    "Load the page again to see how it stands.",
)
LAST_DELEGATE = ProblemCode(
    "last_delegate",
    _INVALID,
    "Nobody would act for it",
    f"{_RULE} somebody acts for every request that is open.",
    "Invite somebody first.",
)
LEAVE_BY_YOURSELF = ProblemCode(
    "leave_by_yourself",
    _INVALID,
    "You remove yourself by leaving",
    f"{_RULE} whoever acts for a name removes others, and leaves themselves.",
    "Choose “Leave”.",
)
CLAIM_CLOSED = ProblemCode(
    "claim_closed",
    _INVALID,
    "Not to be claimed in this way",
    "RFC 8141 section 6.5: the contact on file answers for a registration.",
    "Ask those who act for it, or show the operator why you are to act.",
)
OBJECTION_OPEN = ProblemCode(
    "objection_open",
    _INVALID,
    "The old side can still object",
    f"{_RULE} a transfer waits until the old side had time to object.",
    "Carry it out after the day on its page.",
)
SELF_APPOINTMENT = ProblemCode(
    "self_appointment",
    _INVALID,
    "Nobody appoints themselves",
    "RFC 8126 section 5.2: experts are appointed by others.",
    "Ask another operator.",
)
APPOINTEE_CONFLICTED = ProblemCode(
    "appointee_conflicted",
    _INVALID,
    "A conflict of interest",
    "RFC 8126 section 5.2.",
    "Ask for another person to be appointed.",
)
NAME_FIXED = ProblemCode(
    "name_fixed",
    _INVALID,
    "The name stays as it is",
    "RFC 8141 section 6.5: a revision changes a registration, not its name.",
    "Ask for another name by a request of its own.",
)
PROCEDURE_FIXED = ProblemCode(
    "procedure_fixed",
    _INVALID,
    "The answer stands since the text was sent",
    "RFC 8141 section 6: the procedure follows from the text.",
    "Ask for another procedure on the page of the request.",
)
PURPOSE_CLOSED = ProblemCode(
    "purpose_closed",
    _INVALID,
    "Not for a request of this kind",
    "RFC 8141 sections 5 and 6.5: what each kind of request can ask for.",
    "Choose another way on the page of the namespace.",
)
BASE_CURRENT = ProblemCode(
    "base_current",
    _INVALID,
    "Based on what is registered now",
    f"{_RULE} a revision is brought up to date where it is behind.",
    "Go on with it.",
)
FORMER_NAME = ProblemCode(
    "former_name",
    _INVALID,
    "A former name stays as it was",
    "RFC 8141 section 5.1: a name once given is never given again.",
    "Use the name that came in its place.",
)
LINK_SPENT = ProblemCode(
    "link_spent",
    _INVALID,
    "The link cannot be used",
    f"{_RULE} a link from mail works once, and for a while.",
    "Ask for another.",
)
MAIL_UNREADABLE = ProblemCode(
    "mail_unreadable",
    _INVALID,
    "Not a whole message",
    "RFC 5322 section 3.5.",
    "Paste it as it came, with its header.",
)
MAILED_TEMPLATE_UNFIT = ProblemCode(
    "mailed_template_unfit",
    _INVALID,
    "No template that can be taken",
    "RFC 8141 Appendix A.",
    "Send the whole template, as it stands in the RFC.",
)
TOO_OFTEN = ProblemCode(
    "too_often",
    ProblemKind.TOO_OFTEN,
    "Asked for too often",
    f"{_RULE} what mails somebody or keeps something is limited by person and day.",
    "Wait for as long as the message says.",
)
TOO_MANY_OPEN = ProblemCode(
    "too_many_open",
    ProblemKind.TOO_OFTEN,
    "Too many are open",
    f"{_RULE} one person has so many drafts and invitations open at most.",
    "Finish some of them, or throw them away.",
)
WORK_BUSY = ProblemCode(
    "work_busy",
    ProblemKind.BUSY,
    "Too much is at work",
    f"{_RULE} what takes long is done for a few at a time.",
    "Try again in a few seconds.",
)
TRANSITION_UNKNOWN = ProblemCode(
    "transition_unknown",
    _CONFLICT,
    "Not possible now",
    "RFC 8141 section 6: the procedure has no such action from this state.",
    "Load the page again: it shows what can be done now.",
)
ROLE_MISSING = ProblemCode(
    "role_missing",
    _DENIED,
    "For others to do",
    "RFC 8141 section 6: each step of a procedure is somebody’s.",
    "The page of the request shows what you can do.",
)
EVIDENCE_MISSING = ProblemCode(
    "evidence_missing",
    _INVALID,
    "Something is missing",
    "RFC 8141 section 6: what each step of a procedure needs.",
    "Give what the message names.",
)
