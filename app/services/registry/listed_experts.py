"""The list of experts that a private registry publishes: its own panel."""

from dataclasses import replace
from datetime import datetime

from app.registration.declarations.registries import REGISTRIES
from app.registration.records.record_documents import Document
from app.registration.records.registry_records import RegistrySnapshot
from app.store.accounts import expert_panels
from app.store.tables import Account, RoleGrant
from app.store.tables.accounts import Grant

UNNAMED = "Unnamed expert"
NOBODY = "Unassigned"  # as IANA says it
_LEADER = " (team leader)"


def with_panel(head: Document, at: datetime) -> Document:
    """The head of a registry with its panel at a moment as the experts of each table.

    A table for which nobody was ever appointed keeps what it says, and so does one without experts.
    """
    tables = [_listed(table, at) for table in head.get("registries", [])]
    return head | {"registries": tables}


def with_panel_experts(registry: RegistrySnapshot, at: datetime) -> RegistrySnapshot:
    """A registry with its panel at a moment as the experts of each table, as above."""
    said = {table.id: panel_line(table.id, at) for table in registry.registries}
    tables = (replace(one, expert=said[one.id] or one.expert) for one in registry.registries)
    return replace(registry, registries=tuple(tables))


def tables_with_panel() -> frozenset[str]:
    """The tables for which somebody was ever appointed."""
    scopes = {grant.registry_id for grant, _ in expert_panels.appointments()}
    judged = frozenset(each for each in REGISTRIES if _has_experts(each))
    return judged if "" in scopes else judged & scopes


def _listed(table: Document, at: datetime) -> Document:
    said = panel_line(table["id"], at)
    return table | {"expert": said} if said else table


def panel_line(registry: str, at: datetime) -> str:
    """Who judges in a registry at a moment, in one line; empty where nobody ever did.

    Leaders come first. No address of anybody is shown. Those who are appointed for all registries
    are so for those that have experts.
    """
    if not _has_experts(registry):
        return ""
    ever = [
        (grant, account)
        for grant, account in expert_panels.appointments()
        if grant.registry_id in {"", registry}
    ]
    now = [(grant, account) for grant, account in ever if _runs(grant, at)]
    return ", ".join(_people(now)) or (NOBODY if ever else "")


def _has_experts(registry: str) -> bool:
    declared = REGISTRIES.get(registry)
    return declared is None or declared.has_experts


def _runs(grant: RoleGrant, at: datetime) -> bool:
    return grant.starts <= at and (grant.ends is None or grant.ends > at)


def _people(appointed: list[tuple[RoleGrant, Account]]) -> list[str]:
    """Each person once, in a lasting order."""
    accounts = {account.id: account for _, account in appointed}
    leaders = {grant.account for grant, _ in appointed if grant.role == Grant.LEADER}
    turn = sorted(accounts, key=lambda ident: (ident not in leaders, ident))
    return [_public_name(accounts[one]) + (_LEADER if one in leaders else "") for one in turn]


def _public_name(account: Account) -> str:
    name = " ".join(account.name.split())
    return name if name.isprintable() and name and "@" not in name else UNNAMED
