"""Why a use case of the working plane is refused: a row for each reason."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_RULE = "Rule of this registry:"
_MISSING, _DENIED = ProblemKind.NOT_FOUND, ProblemKind.NOT_ALLOWED
_CONFLICT, _INVALID = ProblemKind.CONFLICT, ProblemKind.INVALID

REQUEST_UNKNOWN = ProblemCode(
    "request_unknown",
    _MISSING,
    "Request not found",
    f"{_RULE} only the people who manage a draft can see it, and request numbers are never reused.",
    "Check the number, or sign in with the account that manages the request.",
)
NAMESPACE_UNKNOWN = ProblemCode(
    "namespace_unknown",
    _MISSING,
    "Namespace not registered",
    "RFC 8141 section 5: the registry lists registered namespaces.",
    "Check the spelling, or search the registry.",
)
NAME_UNKNOWN = ProblemCode(
    "name_unknown",
    _MISSING,
    "Not registered",
    f"{_RULE} the registry lists registered NAANs and shoulders.",
    "Check the spelling, or search the list.",
)
EDITION_UNKNOWN = ProblemCode(
    "edition_unknown",
    _MISSING,
    "Edition not found",
    f"{_RULE} editions are numbered from 1 without gaps.",
    "Choose an edition from the list of editions.",
)
VERSION_UNKNOWN = ProblemCode(
    "version_unknown",
    _MISSING,
    "Version not found",
    "RFC 8141 Appendix A.3: each registered template has a version number.",
    "Choose a version from the page of the namespace.",
)
ENTRY_UNKNOWN = ProblemCode(
    "entry_unknown",
    _MISSING,
    "Item not found",
    f"{_RULE} items that ended or were deleted are no longer listed.",
    "Reload the list. Another user may have ended or deleted the item.",
)
NOT_ASKED_YEARLY = ProblemCode(
    "not_asked_yearly",
    _MISSING,
    "No yearly check for this entry",
    f"{_RULE} the managers of a NAAN or shoulder confirm its entry once a year.",
    "To change the entry, request a change on its page.",
)
LIST_PAGE_UNKNOWN = ProblemCode(
    "list_page_unknown",
    _MISSING,
    "Page of the list not found",
    f"{_RULE} each page of a list starts after an existing entry.",
    "Remove `after=` from the address to see the first page.",
)
OPERATORS_ONLY = ProblemCode(
    "operators_only",
    _DENIED,
    "Only for operators",
    "RFC 8141 section 6: the registry operator maintains the registry.",
    "Sign in as an operator, or ask an operator to do this.",
)
EXPERTS_ONLY = ProblemCode(
    "experts_only",
    _DENIED,
    "Only for designated experts",
    "RFC 8141 section 6.3; RFC 8126 section 5.",
    "Sign in as an expert, or leave this to an expert.",
)
REVIEW_CLOSED = ProblemCode(
    "review_closed",
    _DENIED,
    "You can’t review this request",
    "RFC 8126 section 5.2: experts with a conflict of interest don’t decide.",
    "Leave the review to another expert, or resolve the conflict that the message names.",
)
REGISTRANT_ONLY = ProblemCode(
    "registrant_only",
    _DENIED,
    "Only for managers",
    "RFC 8141 section 6.5: the registrant changes a registration.",
    "Ask a manager to invite you, or claim the entry.",
)
AUTHOR_ONLY = ProblemCode(
    "author_only",
    _DENIED,
    "Only for the author",
    f"{_RULE} people can change only their own comments.",
    "Post a reply instead.",
)
OTHER_PERSON_NEEDED = ProblemCode(
    "other_person_needed",
    _DENIED,
    "Another person must do this",
    f"{_RULE} no one can decide or confirm their own request.",
    "Ask another operator.",
)
NOT_YOUR_TURN = ProblemCode(
    "not_your_turn",
    _DENIED,
    "The request isn’t waiting for you",
    "RFC 8141 section 6.3: a text under review changes only after it is returned.",
    "Wait until the request is returned, or withdraw it.",
)
DEMONSTRATION_LIMIT = ProblemCode(
    "demonstration_limit",
    _DENIED,
    "Not available in the demonstration",
    "Setting URN_REGISTRY_DEMO: a demonstration changes only its own data.",
    "Start the registry without demo mode.",
)
NOBODY_ASKED = ProblemCode(
    "nobody_asked",
    _DENIED,
    "This site doesn’t contact other servers",
    "Setting URN_REGISTRY_FOLLOW_ARKS: demonstrations and local sites never contact other servers.",
    "Run `urn-registry ark resolve` with the ARK on your own computer.",
)
EDIT_CONFLICT = ProblemCode(
    "edit_conflict",
    _CONFLICT,
    "Changed by another user",
    f"{_RULE} no one can overwrite changes that they haven’t seen.",
    "Reload the page, check what changed and submit again.",
)
KEY_REUSED = ProblemCode(
    "key_reused",
    _CONFLICT,
    "Already submitted with different content",
    f"{_RULE} each form has a key and is processed only once.",
    "Reload the form and submit it again.",
)
NAME_TAKEN = ProblemCode(
    "name_taken",
    _CONFLICT,
    "Name already taken",
    "RFC 8141 section 5.1: names are never reused.",
    "Choose another name.",
)
REGISTRATION_DISABLED = ProblemCode(
    "registration_disabled",
    _CONFLICT,
    "Registration is turned off",
    "Setting URN_REGISTRY_AUTHORITY: this registry prepares requests for IANA.",
    "Send the template to IANA.",
)
REGISTRATION_STOPPED = ProblemCode(
    "registration_stopped",
    ProblemKind.BUSY,
    "Registration is paused",
    f"{_RULE} the database must contain every published edition before the next one starts.",
    "The operator restores the database from the editions with `urn-registry recover`.",
)
VALUE_MISSING = ProblemCode(
    "value_missing",
    _INVALID,
    "Required value missing",
    f"{_RULE} required fields must be filled in, and decisions need a reason.",
    "Fill in the field that the message names.",
)
VALUE_TOO_LONG = ProblemCode(
    "value_too_long",
    _INVALID,
    "Value too long",
    f"{_RULE} each field has a maximum length.",
    "Shorten the value.",
)
VALUE_MALFORMED = ProblemCode(
    "value_malformed",
    _INVALID,
    "Value in the wrong format",
    f"{_RULE} dates are written as YYYY-MM-DD, and whole numbers as digits.",
    "Enter the value in the format that the message gives.",
)
TEXT_UNFIT = ProblemCode(
    "text_unfit",
    _INVALID,
    "Text contains characters that aren’t allowed",
    "RFC 8141 Appendix A; XML 1.0 section 2.2: a record can contain only certain characters.",
    "Remove the characters that the message names.",
)
CHOICE_UNKNOWN = ProblemCode(
    "choice_unknown",
    _INVALID,
    "Choice not available",
    f"{_RULE} only the choices on the page are accepted.",
    "Reload the page and choose again.",
)
MAIL_ADDRESS_INVALID = ProblemCode(
    "mail_address_invalid",
    _INVALID,
    "E-mail address not valid",
    "RFC 5321 section 4.1.2.",
    "Enter one complete address, such as name@example.org.",
)
ADDRESS_RESERVED = ProblemCode(
    "address_reserved",
    _INVALID,
    "Address reserved for the demonstration",
    "Setting URN_REGISTRY_DEMO: demonstration accounts use example domains (RFC 2606).",
    "Enter your own address.",
)
REFERENCE_INVALID = ProblemCode(
    "reference_invalid",
    _INVALID,
    "Reference not valid",
    "RFC 8141 section 6.4: the registry refers to the specification.",
    "Enter an RFC, such as RFC 8141, or an https:// address and the name of its owner.",
)
ENTRY_UNWRITABLE = ProblemCode(
    "entry_unwritable",
    _INVALID,
    "Entry can’t be published",
    "The schema of IANA’s registry files.",
    "Change the value that the message names.",
)
FACT_INVALID = ProblemCode(
    "fact_invalid",
    _INVALID,
    "Value not valid",
    "RFC 8141 section 6.5, and the rules for each field.",
    "Change the value of the field that the message names.",
)
PROFILE_INVALID = ProblemCode(
    "profile_invalid",
    _INVALID,
    "Profile not valid",
    "RFC 8141 section 6.4.",
    "Fix the findings.",
)
NOTHING_CHANGED = ProblemCode(
    "nothing_changed",
    _INVALID,
    "No changes",
    f"{_RULE} each new version must differ from the previous one.",
    "Change something, or cancel.",
)
ALREADY_DONE = ProblemCode(
    "already_done",
    _INVALID,
    "Already done",
    f"{_RULE} an action can’t be repeated.",
    "You don’t need to do anything. Reload the page to see the current state.",
)
NOT_IN_FORCE = ProblemCode(
    "not_in_force",
    _INVALID,
    "Not in effect",
    f"{_RULE} only an entry in effect can be ended or confirmed.",
    "Reload the page to see the current state.",
)
LAST_DELEGATE = ProblemCode(
    "last_delegate",
    _INVALID,
    "Last manager",
    f"{_RULE} every open request has at least one manager.",
    "Invite another manager first.",
)
LEAVE_BY_YOURSELF = ProblemCode(
    "leave_by_yourself",
    _INVALID,
    "You can’t remove yourself here",
    f"{_RULE} managers can remove other managers, and can leave.",
    "Choose “Leave”.",
)
CLAIM_CLOSED = ProblemCode(
    "claim_closed",
    _INVALID,
    "Claim not available",
    "RFC 8141 section 6.5: the contact on file is responsible for a registration.",
    "Ask a manager to invite you, or send evidence to the operator.",
)
OBJECTION_OPEN = ProblemCode(
    "objection_open",
    _INVALID,
    "Objection period still open",
    f"{_RULE} a transfer waits until the objection period ends.",
    "Complete the transfer after the date on its page.",
)
SELF_APPOINTMENT = ProblemCode(
    "self_appointment",
    _INVALID,
    "You can’t appoint yourself",
    "RFC 8126 section 5.2: experts are appointed by others.",
    "Ask another operator.",
)
APPOINTEE_CONFLICTED = ProblemCode(
    "appointee_conflicted",
    _INVALID,
    "Conflict of interest",
    "RFC 8126 section 5.2.",
    "Choose another person to appoint.",
)
NAME_FIXED = ProblemCode(
    "name_fixed",
    _INVALID,
    "The name can’t change",
    "RFC 8141 section 6.5: a revision changes a registration, not its name.",
    "Request another name separately.",
)
PROCEDURE_FIXED = ProblemCode(
    "procedure_fixed",
    _INVALID,
    "This answer can no longer be changed",
    "RFC 8141 section 6: the submitted text determines the procedure.",
    "Ask for a different procedure on the page of the request.",
)
PURPOSE_CLOSED = ProblemCode(
    "purpose_closed",
    _INVALID,
    "Not available for this kind of request",
    "RFC 8141 sections 5 and 6.5 define the kinds of requests.",
    "Start a different request from the page of the namespace.",
)
BASE_CURRENT = ProblemCode(
    "base_current",
    _INVALID,
    "Already based on the newest version",
    f"{_RULE} a revision can move to a newer version only if one is registered.",
    "Continue with the revision.",
)
FORMER_NAME = ProblemCode(
    "former_name",
    _INVALID,
    "Former names can’t change",
    "RFC 8141 section 5.1: names are never reused.",
    "Use the current name instead.",
)
LINK_SPENT = ProblemCode(
    "link_spent",
    _INVALID,
    "Link expired",
    f"{_RULE} links in e-mail work once, for a limited time.",
    "Request a new link.",
)
MAIL_UNREADABLE = ProblemCode(
    "mail_unreadable",
    _INVALID,
    "Message incomplete",
    "RFC 5322 section 3.5.",
    "Paste the complete message, including its headers.",
)
MAILED_TEMPLATE_UNFIT = ProblemCode(
    "mailed_template_unfit",
    _INVALID,
    "Template not usable",
    "RFC 8141 Appendix A.",
    "Send the complete template of RFC 8141.",
)
TOO_OFTEN = ProblemCode(
    "too_often",
    ProblemKind.TOO_OFTEN,
    "Too many attempts",
    f"{_RULE} each person can send and save only a limited amount in a given time.",
    "Wait as long as the message says, then try again.",
)
TOO_MANY_OPEN = ProblemCode(
    "too_many_open",
    ProblemKind.TOO_OFTEN,
    "Too many open items",
    f"{_RULE} the number of open drafts and invitations per person is limited.",
    "Submit or delete a draft, or cancel an invitation.",
)
WORK_BUSY = ProblemCode(
    "work_busy",
    ProblemKind.BUSY,
    "Server busy",
    f"{_RULE} only a few long operations can run at the same time.",
    "Try again in a few seconds.",
)
TRANSITION_UNKNOWN = ProblemCode(
    "transition_unknown",
    _CONFLICT,
    "Not available now",
    "RFC 8141 section 6: the procedure doesn’t allow this action in this state.",
    "Reload the page to see the available actions.",
)
ROLE_MISSING = ProblemCode(
    "role_missing",
    _DENIED,
    "Not allowed for your role",
    "RFC 8141 section 6: each step of a procedure belongs to a role.",
    "The page of the request shows your actions.",
)
EVIDENCE_MISSING = ProblemCode(
    "evidence_missing",
    _INVALID,
    "Required information missing",
    "RFC 8141 section 6: each step of a procedure requires certain information.",
    "Add the information that the message names.",
)
