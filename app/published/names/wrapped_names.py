"""Identifiers with something written around them, as people paste them into an address."""

from urllib.parse import quote, unquote

from app.identifiers.ark import parse_ark
from app.identifiers.corrections import LONGEST_CORRECTED, corrections
from app.identifiers.errors import InvalidIdentifier
from app.identifiers.urn import parse_urn
from app.problems import publication_codes
from app.published.chain import EditionView
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import Problem, problem_answer
from app.published.names.name_targets import target_asked

_SHOWN = 200  # characters of an identifier in a sentence
_URI = "".join(map(chr, range(0x21, 0x7F)))


class WrappedNames:
    """Offer the identifier at paths such as ``/https://n2t.net/ark:12148/x`` or ``/(urn:isbn:X)``.

    A path whose first segment is a page of the site, as in ``/resolvers/ark:12148``, is left to
    that page.
    """

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """Return a page that offers the identifier; None at any other path."""
        if ":" not in request.path or request.method not in READS:
            return None
        lowered = request.path.lower()
        if "urn:" not in lowered and "ark:" not in lowered:
            return None
        view.check_current()
        target = target_asked(request)
        if len(target) > LONGEST_CORRECTED:
            return None
        path, mark, query = target[1:].partition("?")
        inner = next(filter(_is_identifier, _inner_texts(path)), "")
        return offer_identifier(f"{inner}{mark}{query}", "", request) if inner else None


def offer_identifier(identifier: str, why: str, request: HttpRequest) -> HttpAnswer:
    """Answer a request for more than an identifier with a page that links to the identifier.
    ``identifier`` is as it goes into an address, ``why`` a sentence on what is left out."""
    shown = identifier if len(identifier) <= _SHOWN else f"{identifier[:_SHOWN]}…"
    why = why or "There is extra text around the identifier."
    there = "/" + quote(identifier, safe=_URI)
    detail = f"This address is not an identifier. Did you mean `{shown}`? {why}"
    problem = Problem(publication_codes.IDENTIFIER_WRAPPED, detail, there=there)
    return problem_answer(problem, request)


def _inner_texts(path: str) -> list[str]:
    texts = (path, unquote(path)) if "%" in path else (path,)
    return [one.identifier for text in texts for one in corrections(text)]


def _is_identifier(text: str) -> bool:
    try:
        (parse_urn if text[:4].lower() == "urn:" else parse_ark)(text)
    except InvalidIdentifier:
        return False
    return True
