"""The tables, a module per noun. Those marked append-only are kept so by triggers."""

from app.store.tables.accounts import (
    Account,
    Attempt,
    Idempotency,
    RoleGrant,
    SignIn,
    UserSession,
)
from app.store.tables.assigned_names import (
    AssignedName,
    AssignedNameVersion,
    GivenNumber,
    NameBatch,
    NameHost,
    NameImport,
    NameImportFinding,
    NameLine,
    Prefix,
    PrefixDelegate,
    ResolutionCount,
)
from app.store.tables.delegates import Claim, Delegate
from app.store.tables.desk import OperatorNote, ReplyText, RequestLink
from app.store.tables.discussion import ArchivedMessage, Comment, IncomingMail, MailChoice, Reminder
from app.store.tables.editions import (
    Blob,
    Counter,
    Divergence,
    DivergentManifest,
    Edition,
    EditionManifest,
    Publication,
)
from app.store.tables.holders import HolderAnswer, HolderQuestion
from app.store.tables.hosts import Host
from app.store.tables.installation import InstallationSecret, OldestSoftware
from app.store.tables.organizations import RecognizedOrganization, Representative
from app.store.tables.outbox import Outbox, UndeliverableAddress
from app.store.tables.panels import (
    Absence,
    Assignment,
    Interest,
    Recusal,
    TemporaryExpert,
    UndecidableRequest,
)
from app.store.tables.registry import (
    Name,
    PersonVersion,
    RecordVersion,
    RegistryHead,
    WithheldVersion,
)
from app.store.tables.requests import (
    Draft,
    Event,
    GrammarStudy,
    Iteration,
    IterationStudy,
    PrivateValue,
    Rendering,
    Request,
    ReviewDraftRow,
    ReviewRow,
)
from app.store.tables.search import SearchEntry
from app.store.tables.services import CheckRound, ServiceCheck

__all__ = [
    "Absence",
    "Account",
    "ArchivedMessage",
    "AssignedName",
    "AssignedNameVersion",
    "Assignment",
    "Attempt",
    "Blob",
    "CheckRound",
    "Claim",
    "Comment",
    "Counter",
    "Delegate",
    "Divergence",
    "DivergentManifest",
    "Draft",
    "Edition",
    "EditionManifest",
    "Event",
    "GivenNumber",
    "GrammarStudy",
    "HolderAnswer",
    "HolderQuestion",
    "Host",
    "Idempotency",
    "IncomingMail",
    "InstallationSecret",
    "Interest",
    "Iteration",
    "IterationStudy",
    "MailChoice",
    "Name",
    "NameBatch",
    "NameHost",
    "NameImport",
    "NameImportFinding",
    "NameLine",
    "OldestSoftware",
    "OperatorNote",
    "Outbox",
    "PersonVersion",
    "Prefix",
    "PrefixDelegate",
    "PrivateValue",
    "Publication",
    "RecognizedOrganization",
    "RecordVersion",
    "Recusal",
    "RegistryHead",
    "Reminder",
    "Rendering",
    "ReplyText",
    "Representative",
    "Request",
    "RequestLink",
    "ResolutionCount",
    "ReviewDraftRow",
    "ReviewRow",
    "RoleGrant",
    "SearchEntry",
    "ServiceCheck",
    "SignIn",
    "TemporaryExpert",
    "UndecidableRequest",
    "UndeliverableAddress",
    "UserSession",
    "WithheldVersion",
]
