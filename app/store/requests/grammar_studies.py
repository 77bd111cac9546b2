"""What was found in the grammars of texts that were sent, kept while their requests are pending."""

from collections.abc import Collection, Iterable

from sqlalchemy import delete, select, update

from app.store.database import add_missing, db
from app.store.tables import GrammarStudy, Request


def find_grammar_study(number: int, k: int, source: str) -> str:
    row = db.session.get(GrammarStudy, (number, k, source))
    return "" if row is None else row.document


def newest_texts(states: Iterable[str]) -> list[tuple[int, int]]:
    """The newest text of each request in one of these states: its number, and which it is."""
    found = select(Request.number, Request.iterations).where(
        Request.state.in_(list(states)), Request.iterations > 0
    )
    return [(number, k) for number, k in db.session.execute(found.order_by(Request.number))]


def claim_grammar_study(number: int, k: int, source: str) -> bool:
    """Be the one worker that studies a text; False where another is, or was."""
    row = {"request": number, "k": k, "source": source, "document": ""}
    return add_missing(GrammarStudy, [row]) == 1


def keep_grammar_study(number: int, k: int, source: str, document: str) -> None:
    """Keep what was found in a text that one has claimed."""
    own = GrammarStudy.request == number, GrammarStudy.k == k, GrammarStudy.source == source
    db.session.execute(update(GrammarStudy).where(*own).values(document=document))


def forget_grammar_studies(states: Collection[str]) -> None:
    """Drop those of requests that are in none of these states any more."""
    others = select(Request.number).where(Request.state.not_in(list(states)))
    db.session.execute(delete(GrammarStudy).where(GrammarStudy.request.in_(others)))
