"""Definitions from their pieces: alternatives of concatenations of repeated elements."""

from collections.abc import Iterable

from app.grammar.abnf.diagnostics import Diagnostics
from app.grammar.abnf.elements import Alternatives, ElementSequence, Node, Repetition
from app.grammar.abnf.lexer import Token

MOST_DEEP = 60  # brackets within brackets
_CLOSED = {")": "(", "]": "[", "}": "{"}
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class NestingError(ValueError):
    """Brackets stand deeper within each other than is read."""


class Parser:
    """Reads the pieces of one definition; what is missing is noted and supplied."""

    def __init__(self, tokens: Iterable[Token], at: int, notes: Diagnostics) -> None:
        self._tokens, self._place = list(tokens), 0
        self._at, self._notes = at, notes

    def read(self) -> Node | None:
        """The definition, None where nothing stands there. Raises NestingError.

        Source: RFC 5234 section 4.
        """
        if not self._tokens:
            return None
        read = [self._choice(0)]
        while (token := self._next()) is not None:
            message = (
                f"This `{token.kind}` has no opening bracket. Remove it, or add the opening "
                "bracket."
            )
            self._notes.wrong("bracket", token.at, message, "RFC 5234 section 3.5")
            self._place += 1
            read.append(self._choice(0))
        kept = [node for node in read if node != ElementSequence((), node.at)]
        return kept[0] if len(kept) == 1 else ElementSequence(tuple(kept), self._at)

    def _next(self) -> Token | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _choice(self, depth: int) -> Node:
        if depth > MOST_DEEP:
            raise NestingError
        options, at = [self._series(depth)], self._here()
        while (token := self._next()) is not None and token.kind == "/":
            self._place += 1
            options.append(self._series(depth))
        kept = [option for option in options if option != ElementSequence((), option.at)]
        if len(options) > 1 and len(kept) < len(options):
            empty = next(option.at for option in options if option not in kept)
            message = "One side of a `/` is empty. Add an alternative, or remove the `/`."
            self._notes.wrong("empty-alternative", empty, message, "RFC 5234 section 3.2")
        if not kept:
            return ElementSequence((), at)
        return kept[0] if len(kept) == 1 else Alternatives(tuple(kept), kept[0].at)

    def _here(self) -> int:
        token = self._next()
        return token.at if token else self._tokens[-1].end

    def _series(self, depth: int) -> Node:
        parts, at = [], self._here()
        while (token := self._next()) is not None and token.kind not in (*_CLOSED, "/"):
            part = self._repeated(token, depth)
            if part is not None:
                parts.append(part)
        return (
            parts[0]
            if len(parts) == 1
            else ElementSequence(tuple(parts), parts[0].at if parts else at)
        )

    def _repeated(self, token: Token, depth: int) -> Node | None:
        if token.kind == "repeat":
            self._place += 1
            following = self._next()
            if following is None or following.kind in (*_CLOSED, "/", "after"):
                return None
            self._bounds(token)
            inner = self._repeated(following, depth + 1) if depth <= MOST_DEEP else None
            return inner and Repetition(inner, *token.bounds, at=token.at)
        if token.kind == "after":
            self._place += 1
            return None
        return self._followed(self._element(token, depth))

    def _followed(self, node: Node) -> Node:
        token = self._next()
        if token is None or token.kind != "after":
            return node
        self._place += 1
        self._bounds(token)
        return Repetition(node, *token.bounds, at=node.at)

    def _bounds(self, token: Token) -> None:
        low, high = token.bounds
        if high is not None and high < low:
            message = f"The minimum {low} is greater than the maximum {high}. Use `{high}*{low}`."
            self._notes.wrong("repetition-bounds", token.at, message, "RFC 5234 section 3.6")

    def _element(self, token: Token, depth: int) -> Node:
        self._place += 1
        if token.kind not in _CLOSING:
            return token.node if token.node is not None else ElementSequence((), token.at)
        inner = self._choice(depth + 1)
        self._close(token)
        if inner == ElementSequence((), inner.at):
            message = f"`{token.kind}{_CLOSING[token.kind]}` is empty. Remove it."
            self._notes.wrong("empty-group", token.at, message, "RFC 5234 section 3.5")
        if token.kind == "[":
            return Repetition(inner, 0, 1, token.at)
        return Repetition(inner, 0, None, token.at) if token.kind == "{" else inner

    def _close(self, opened: Token) -> None:
        closing, token = _CLOSING[opened.kind], self._next()
        if token is not None and token.kind == closing:
            self._place += 1
            return
        where = f" before `{token.kind}`" if token else ""
        message = f"The `{opened.kind}` is not closed. Add `{closing}`{where or ' after it'}."
        self._notes.wrong("bracket", opened.at, message, "RFC 5234 section 3.5")
