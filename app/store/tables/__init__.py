"""The tables, a module per noun. Those marked append-only are kept so by triggers."""

from app.store.tables.accounts import Account, Idempotency, RoleGrant, SignIn, UserSession
from app.store.tables.editions import Blob, Counter, Edition, EditionManifest, Publication
from app.store.tables.outbox import Outbox
from app.store.tables.registry import Name, PersonVersion, RecordVersion, RegistryHead
from app.store.tables.requests import (
    Draft,
    Event,
    Iteration,
    PrivateValue,
    Rendering,
    Request,
    ReviewRow,
)
from app.store.tables.search import Search

__all__ = [
    "Account",
    "Blob",
    "Counter",
    "Draft",
    "Edition",
    "EditionManifest",
    "Event",
    "Idempotency",
    "Iteration",
    "Name",
    "Outbox",
    "PersonVersion",
    "PrivateValue",
    "Publication",
    "RecordVersion",
    "RegistryHead",
    "Rendering",
    "Request",
    "ReviewRow",
    "RoleGrant",
    "Search",
    "SignIn",
    "UserSession",
]
