"""The registered names that those of a list may have been meant for which nobody registered."""

import json

from app.resolution.namespace_rules import RuleBook
from app.resolution.outcome_documents import COLUMNS as CHECKED
from app.resolution.outcome_documents import CheckedURN, checked_row, json_line

COLUMNS = (*CHECKED, "nearest")


class NearNames:
    """Finds them by the book that judged the list, as the page of one name has them.

    Each unregistered name is looked for once, and with ``most`` no more than so many, since each
    is held against all that are registered; of later ones nothing is told.
    """

    def __init__(self, book: RuleBook, most: int | None = None) -> None:
        self._book, self._most = book, most
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, checked: CheckedURN) -> tuple[str, ...]:
        """The names like that of a checked text, the nearest first; none where it is registered."""
        if checked.urn is None or checked.judgement.rules is not None:
            return ()
        return self._nearest_to(checked.urn.nid.lower())

    def row(self, checked: CheckedURN) -> tuple[object, ...]:
        """The values of ``COLUMNS`` for one text; absent ones are None."""
        return (*checked_row(checked), list(self.of(checked)) or None)

    def line(self, checked: CheckedURN) -> str:
        """One JSON object in ASCII, with a line end."""
        return f'{json_line(checked)[:-2]}, "nearest": {json.dumps(self.of(checked) or None)}}}\n'

    def _nearest_to(self, nid: str) -> tuple[str, ...]:
        found = self._known.get(nid)
        if found is not None:
            return found
        if self._most is not None and len(self._known) >= self._most:
            return ()
        return self._known.setdefault(nid, self._book.nearest(nid))
