"""The HTML of texts, kept by the content it was made of."""

from collections.abc import Iterable, Mapping

from sqlalchemy import select

from app.store.database import add_missing, db
from app.store.digests import sha256
from app.store.tables import Rendering


def renderings(sources: Iterable[str]) -> dict[str, str]:
    """The HTML of those texts of which it was kept."""
    by_hash = {sha256(source): source for source in sources}
    rows = db.session.execute(
        select(Rendering.sha256, Rendering.html).where(Rendering.sha256.in_(by_hash))
    )
    return {by_hash[digest]: html for digest, html in rows}


def keep_renderings(made: Mapping[str, str]) -> None:
    """Keep the HTML of texts; what is there stays."""
    rows = {sha256(source): html for source, html in made.items()}
    add_missing(Rendering, [{"sha256": digest, "html": rows[digest]} for digest in sorted(rows)])
