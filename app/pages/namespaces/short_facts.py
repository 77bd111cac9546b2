"""What stands on the page of a name that is no URN namespace: its short fields, as they are."""

from typing import Any

from app.exports.content.name_presentation import has_name_feeds
from app.pages.diagrams.qr_code import draw_qr_code
from app.pages.namespaces.ark_prefix_view import ark_prefix_view
from app.registration.declarations.registries import REGISTRIES
from app.registration.records.registry_records import Registration, SubRegistry

__all__ = ["parts_of_page"]


def parts_of_page(table: SubRegistry, record: Registration, address: str) -> dict[str, Any]:
    """What the page of a name has: whether parts about profiles, a feed, a code, and which fields.

    ``ark`` is told where ARKs begin with the name, in the place of the fields.

    Where names have profiles, those tell what short fields say elsewhere, and people print the page
    with a code of its ``address``; to draw one takes a fifth of the time of a short page.
    """
    has_profiles = record.space.has_profiles
    ark = ark_prefix_view(record) if record.space.scheme == "ark" else None
    return {
        "has_profiles": has_profiles,
        "has_feed": has_name_feeds(table),
        "qr": draw_qr_code(address) if address and has_profiles else None,
        "facts": () if has_profiles or ark else _facts(table, record),
        "ark": ark,
    }


def _facts(table: SubRegistry, record: Registration) -> tuple[tuple[str, str], ...]:
    declared = REGISTRIES.get(table.id)
    named = declared.named if declared else {}
    return tuple(
        (named[name].label, text)
        for name, text in record.fields
        if name in named and named[name].public and not named[name].is_long
    )
