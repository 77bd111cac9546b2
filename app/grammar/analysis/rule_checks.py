"""What is wrong with the rules of a grammar, whatever they are for."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from app.grammar.abnf.elements import (
    Alternatives,
    ElementSequence,
    Literal,
    ProseValue,
    Rule,
    RuleReference,
    ValueRange,
    leaf_nodes,
    write_element,
    write_rule,
)
from app.grammar.abnf.lexer import Diagnostic, Diagnostics
from app.grammar.abnf.parser import R_COMPONENT, known_rules
from app.grammar.abnf.rule_extraction import is_defined_in, rules_known_to
from app.grammar.abnf.rule_reader import UNREAD, rule_names_in
from app.grammar.automata.automaton import strongly_connected
from app.grammar.automata.rule_graph import ReachabilitySolver, RuleGraph, RuleNodeKind, shortest_of
from app.grammar.character_sets import Charset, both_cases, charset, charset_of
from app.identifiers.errors import spell_list

_NAMES = "RFC 5234 section 2.1"
_MOST_NAMED = 30


@dataclass(frozen=True)
class Grammar:
    """The rules of a text, each once, and the known ones that it may use."""

    own: Mapping[str, Rule]
    known: Mapping[str, Rule]

    @cached_property
    def rules(self) -> dict[str, Rule]:
        return {**self.known, **self.own}

    @cached_property
    def uses(self) -> dict[str, dict[str, RuleReference]]:
        return {key: _uses(rule) for key, rule in self.own.items()}

    @cached_property
    def roots(self) -> list[str]:
        used = {name for key in self.own for name in self.uses[key] if name != key}
        return [key for key in self.own if key not in used]


def _uses(rule: Rule) -> dict[str, RuleReference]:
    found: dict[str, RuleReference] = {}
    for named in rule_names_in(rule.node) if rule.node else ():
        found.setdefault(named.name.lower(), named)
    return found


def grammar_of(rules: Iterable[Rule], text: str, notes: Diagnostics) -> Grammar:
    """The rules of a text, put together: ``=/`` adds, and the first of two definitions counts.

    Source: RFC 5234 sections 2.1 and 3.3.
    """
    own: dict[str, Rule] = {}
    for rule in rules:
        first = own.get(rule.key)
        if rule.adds and first is not None:
            own[rule.key] = _added(first, rule)
        elif first is None:
            own[rule.key] = rule
            if rule.adds:
                message = f"`{rule.name}` is extended with `=/` before it is defined. Use `=`."
                notes.wrong("added-to-nothing", rule.at, message, "RFC 5234 section 3.3")
        else:
            _note_again(first, rule, notes)
    used = {name for rule in own.values() for name in _uses(rule)}
    known = rules_known_to(text, used, own)
    return Grammar({key: _as_meant(rule) for key, rule in own.items()}, known)


def _as_meant(rule: Rule) -> Rule:
    if rule.key != "r-component" or rule.node is None or write_element(rule.node) != R_COMPONENT:
        return rule
    return replace(rule, node=known_rules()[rule.key].node)


def _added(first: Rule, more: Rule) -> Rule:
    options = tuple(node for node in (first.node, more.node) if node)
    node = (
        Alternatives(options, first.at) if len(options) > 1 else (options[0] if options else None)
    )
    return Rule(first.name, node, first.at, first.end)


def _note_again(first: Rule, rule: Rule, notes: Diagnostics) -> None:
    written = [write_element(one.node) if one.node else "" for one in (first, rule)]
    if written[0].lower() == written[1].lower():
        message = "The same rule is defined twice. Remove one definition."
        notes.look("defined-twice", rule.at, message, "RFC 5234 section 3.3")
    else:
        message = (
            f"`{rule.name}` is defined twice, and only the first definition is used. Remove "
            "one, or extend the first with `=/`."
        )
        notes.wrong("defined-twice", rule.at, message, "RFC 5234 section 3.3")


def check_known(grammar: Grammar, notes: Diagnostics) -> None:
    """Note the rules of the text that have the name of a core rule and another meaning.

    Source: RFC 5234 appendix B.1.
    """
    for key, rule in grammar.own.items():
        known = known_rules().get(key)
        if known is None or not known.origin.startswith("RFC 5234"):
            continue
        mine, theirs = _characters(rule, grammar.own), _characters(known, known_rules())
        if mine is not None and mine != theirs:
            message = f"`{rule.name}` differs from `{write_rule(known)}` in {known.origin}."
            notes.look("redefined", rule.at, f"{message} Rename it.", _NAMES)


def _characters(rule: Rule, rules: Mapping[str, Rule], depth: int = 3) -> Charset | None:
    found: list[tuple[int, int]] = []
    options = rule.node.options if isinstance(rule.node, Alternatives) else (rule.node,)
    for option in options:
        match option:
            case ValueRange(low, high):
                found.append((low, high))
            case Literal(text, sensitive) if len(text) == 1:
                found.extend(charset_of(text) if sensitive else both_cases(text))
            case RuleReference(name) if depth:
                inner = rules.get(name.lower()) or known_rules().get(name.lower())
                members = _characters(inner, rules, depth - 1) if inner else None
                if members is None:
                    return None
                found.extend(members)
            case _:
                return None
    return charset(found)


def check_names(grammar: Grammar, start: str, text: str, notes: Diagnostics) -> None:
    """Note the rules that are used and not defined, or in words alone, and those not used.

    Source: RFC 5234 sections 2.1 and 4.
    """
    _check_words(grammar, notes)
    keys = _unused(grammar, start)
    unused = [rule for rule in grammar.own.values() if rule.key in keys]
    _check_undefined(grammar, text, unused, notes)
    for rule in unused:
        origin = known_rules().get(rule.key)
        if origin is None or origin.origin.startswith("RFC 8141"):
            name = grammar.rules[start].name
            message = f"`{rule.name}` isn't used by `{name}`. Use it or remove it."
            notes.look("unused", rule.at, message, _NAMES)


def _check_undefined(grammar: Grammar, text: str, unused: list[Rule], notes: Diagnostics) -> None:
    missing: dict[str, RuleReference] = {}
    for key in grammar.own:
        for name, named in grammar.uses[key].items():
            if name not in grammar.rules:
                missing.setdefault(name, named)
    for name, named in list(missing.items())[:_MOST_NAMED]:
        if _is_said(name, text):
            notes.look("in-words", named.at, _in_words(named.name), "RFC 5234 section 4")
        else:
            notes.wrong("undefined", named.at, _undefined(named.name, grammar, unused), _NAMES)
    if rest := list(missing.values())[_MOST_NAMED:]:
        message = f"{len(rest)} more names are used but not defined."
        notes.wrong("undefined", rest[0].at, message, _NAMES)


def _check_words(grammar: Grammar, notes: Diagnostics) -> None:
    for rule in grammar.own.values():
        words = (
            [leaf for leaf in leaf_nodes(rule.node) if isinstance(leaf, ProseValue)]
            if rule.node
            else []
        )
        if words and words[0].text != UNREAD:
            notes.look("in-words", words[0].at, _in_words(rule.name), "RFC 5234 section 4")


def _in_words(name: str) -> str:
    return f"`{name}` is described in words, which can't be checked. Use ABNF if you can."


def _is_said(name: str, text: str) -> bool:
    spelled = re.escape(name).replace(r"\-", "[- ]")
    said = re.compile(
        rf"^[ \t>*•o-]{{0,80}}[\"“'‘<{{`]?{spelled}[\"”'’>}}`]?\s{{0,80}}"
        r"(?:[:–—]|(?:is|are|has|have|consists|means|denotes|as defined)\b)",
        re.IGNORECASE | re.MULTILINE,
    )
    return said.search(text) is not None


def _undefined(name: str, grammar: Grammar, unused: list[Rule]) -> str:
    near = [rule.name for rule in unused[:100] if _is_near(name.lower(), rule.key)]
    near = near or [
        grammar.rules[key].name
        for key in get_close_matches(name.lower(), list(grammar.own)[:1000], 1, 0.8)
    ]
    hint = f" Did you mean `{near[0]}`?" if near else ""
    return f"`{name}` is used but not defined.{hint or ' Define it, or name its source.'}"


def _is_near(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one) or bool(get_close_matches(one, [other]))


def _unused(grammar: Grammar, start: str) -> set[str]:
    reached = reachable_rules(grammar, start)
    rest = [key for key in grammar.own if key not in reached]
    used = {name for key in rest for name in grammar.uses[key] if name != key}
    return (set(rest) - used) or set(rest[:1])


def reachable_rules(grammar: Grammar, start: str) -> set[str]:
    """The rules that a rule uses, itself and those by way of others of the text included."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting.extend(grammar.uses.get(key, ()))
    return found


def check_definitions(
    grammar: Grammar, graph: RuleGraph, solver: ReachabilitySolver, notes: Diagnostics
) -> None:
    """Note rules that are empty, that nothing matches, or that begin with themselves. Raises
    BudgetExceeded.

    Source: RFC 5234 sections 2.2 and 3.
    """
    for rule in grammar.own.values():
        if rule.node is None:
            message = f"`{rule.name} =` has no definition. Add one."
            notes.wrong("empty", rule.at, message, "RFC 5234 section 2.2")
        elif rule.node in (Literal("", False, rule.node.at), ElementSequence((), rule.node.at)):
            message = f"`{rule.name}` matches only the empty text. Check that this is intended."
            notes.look("empty", rule.at, message, "RFC 5234 section 2.2")
    hopeless = {key for key in grammar.own if shortest_of(solver, graph.rule(key)) is None}
    for key in _first_of(hopeless, grammar):
        rule = grammar.own[key]
        message = f"No text matches `{rule.name}`. {_why_none(rule, grammar, hopeless)}"
        notes.wrong("matches-nothing", rule.at, message, "RFC 5234 section 3")
    _check_left(grammar, graph, solver, notes)


def _first_of(hopeless: set[str], grammar: Grammar) -> list[str]:
    ordered = [key for key in grammar.own if key in hopeless]
    own = [key for key in ordered if not (set(grammar.uses[key]) & (hopeless - {key}))]
    return own or ordered[:1]


def _why_none(rule: Rule, grammar: Grammar, hopeless: set[str]) -> str:
    if hopeless.intersection(grammar.uses[rule.key]):
        return "It always refers back to itself. Add an alternative that doesn't."
    return "Correct its range or its repetition."


def _check_left(
    grammar: Grammar, graph: RuleGraph, solver: ReachabilitySolver, notes: Diagnostics
) -> None:
    corners = {key: _corners(graph, solver, graph.rule(key)) for key in grammar.own}
    for ring in strongly_connected(corners):
        rule = grammar.own[min(ring, key=lambda key: grammar.own[key].at)]
        others = [f"`{grammar.own[key].name}`" for key in sorted(ring) if key != rule.key]
        through = f", through {spell_list(others)}" if others else ""
        message = (
            f"`{rule.name}` starts with itself{through}, which many parsers can't process. "
            "Use a repetition instead."
        )
        notes.look("left-recursive", rule.at, message, "RFC 5234 section 3")


def _corners(graph: RuleGraph, solver: ReachabilitySolver, rule: int) -> set[str]:
    found: set[str] = set()
    seen, waiting = set(), list(graph.children[rule])
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        kind, children = graph.kinds[node], graph.children[node]
        if kind is RuleNodeKind.RULE:
            found.add(graph.owners[node])
        elif kind is RuleNodeKind.PAIR:
            waiting.append(children[0])
            first = shortest_of(solver, children[0])
            if first is not None and first.length == 0:
                waiting.append(children[1])
        else:
            waiting.extend(children)
    return found


def is_recursive(grammar: Grammar, start: str) -> bool:
    reached = reachable_rules(grammar, start)
    return bool(strongly_connected({key: set(grammar.uses.get(key, ())) for key in reached}))


_SYNTAX = "RFC 8141 section 6.4.2"
_SENTENCE = re.compile(r"[^.;]+")
_LONGEST_SENTENCE = 1_000
_DEMANDS = re.compile(
    r"\b(?:must|shall|only|always)\b[^.;]*\b(?:upper|lower)[- ]?case\b|\bis case[- ]sensitive\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“‘'`]([A-Za-z]{1,8})[\"”’'`]")
_SOURCE = re.compile(
    r"[\"“‘'`]([A-Za-z][A-Za-z0-9-]*)[\"”’'`]\s+(?:(?:rule|ABNF)\s+)?(?:as\s+|is\s+)?defined\s+(?:in|by)"
    r"\s+\[?RFC[ -]?([0-9]{4})"
)
_READ = frozenset({"2141", "3986", "5234", "7230", "8141"})  # of these it is known what they define
_LONGEST = 200_000

Spans = Collection[tuple[int, int]]


def check_case(text: str, rules: Iterable[Rule], taken: Spans) -> Iterator[Diagnostic]:
    """Literals that match in both cases, of which a sentence of the text asks for one.

    Source: RFC 5234 section 2.3; RFC 7405.
    """
    asked = set(_asked(text[:_LONGEST], taken))
    for rule in rules:
        for leaf in leaf_nodes(rule.node) if rule.node else ():
            if isinstance(leaf, Literal) and not leaf.sensitive and leaf.text in asked:
                other = leaf.text.swapcase()
                message = (
                    f'The literal `"{leaf.text}"` also matches `{other}`, but the text allows only '
                    f'one case. Use `%s"{leaf.text}"`.'
                )
                yield Diagnostic("case", leaf.at, message, "RFC 7405 section 2", is_problem=False)


def _asked(text: str, taken: Spans) -> Iterator[str]:
    for sentence in _SENTENCE.finditer(_outside(text, taken, ";")):
        if len(sentence[0]) < _LONGEST_SENTENCE and _DEMANDS.search(sentence[0]):
            yield from _QUOTED.findall(sentence[0])


def check_sources(text: str, used: Collection[Rule]) -> Iterator[Diagnostic]:
    """Known rules that the text says to be defined where they are not.

    Source: RFC 8141 section 6.4.2.
    """
    origins = {rule.key: rule.origin for rule in used}
    for found in _SOURCE.finditer(text[:_LONGEST]):
        origin = origins.get(found[1].lower(), "")
        if origin and found[2] in _READ and not is_defined_in(found[1], found[2]):
            message = f"`{found[1]}` is defined in {origin}, not in RFC {found[2]}."
            yield Diagnostic("other-source", found.start(1), message, _SYNTAX, is_problem=False)


def _outside(text: str, taken: Spans, instead: str) -> str:
    pieces, at = [], 0
    for start, end in sorted(taken):
        pieces += [text[at:start], instead]
        at = max(at, end)
    return "".join([*pieces, text[at:]])


_MOST, _MOST_WORDS = 20, 2_000
_LIKE, _SHORTEST = 0.85, 7
_BEFORE = r"[A-Za-z0-9:/.~_-]{0,60}"
_HOLDER = r"(?:\{[A-Za-z][A-Za-z0-9 _-]{0,60}\}|<[A-Za-z][A-Za-z0-9 _-]{0,60}>)"
_PATTERN = re.compile(
    rf"(?<![\"“])urn:(?:{_BEFORE}{_HOLDER})+"
    rf"|(?<=\s)(?:{_BEFORE}\{{[A-Za-z][A-Za-z0-9 _-]*\}}){{2,}}",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"[{<]([A-Za-z][A-Za-z0-9 _-]*)[}>]")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*[A-Za-z0-9]|[A-Za-z]")
_QUOTED_WORD = re.compile(r"[\"“‘'`]([A-Za-z][A-Za-z0-9_-]+)[\"”’'`]")
# `"number" is`, `{number}: `, `- number - `, `where number is`
_HEAD = re.compile(
    r"(?:^[ \t>]*(?:[-*•+o][ \t]+|[0-9a-z][.)][ \t]+)?|\b(?:where|and|while)\s+|[,;.]\s+)"
    r"(?:(?:the|a|an|each)\s+)?"
    r"(?P<open>[\"“‘'`<{]?)(?P<name>[A-Za-z][A-Za-z0-9_-]{0,60})(?P<close>[\"”’'`>}]?)"
    r"\s{0,20}(?P<sign>:|=|[–—-](?=\s)|\b(?:is|are|consists|means|denotes|identifies|stands|"
    r"represents)\b)",
    re.IGNORECASE | re.MULTILINE,
)


class _Explanation(NamedTuple):
    name: str
    form: tuple[str, str]

    @property
    def is_marked(self) -> bool:
        return bool(self.form[0]) or not self.form[1].isalpha()


def check_placeholders(text: str) -> Iterator[Diagnostic]:
    """Placeholders of a pattern that the text explains by another spelling or another name. By
    another spelling: ``local-id`` and ``local-identifier``, ``num`` and ``number``.

    Source: RFC 8141 section 6.4.2.
    """
    text = text[:_LONGEST]
    patterns = list(islice(_PATTERN.finditer(text), _MOST))
    if patterns:
        checking = _PlaceholderCheck(text, patterns)
        for pattern in patterns:
            yield from checking.notes(pattern)


class _PlaceholderCheck:
    def __init__(self, text: str, patterns: list[re.Match[str]]) -> None:
        outside = _placeholder_outside(text, [one.span() for one in patterns])
        self._words = {word.lower(): word for word in _WORD.findall(outside)}
        self._phrases = " ".join(outside.lower().split())
        self._quoted = {word.lower() for word in _QUOTED_WORD.findall(outside)}
        self._inside = {
            found[1].lower() for one in patterns for found in _PLACEHOLDER.finditer(one[0])
        }
        self._spare = sorted(
            word for word in self._words if len(word) >= _SHORTEST and word not in self._inside
        )[:_MOST_WORDS]
        self._said = [
            _Explanation(found["name"], (found["open"], found["sign"].lower()))
            for found in islice(_HEAD.finditer(outside), _MOST_WORDS)
        ]

    def notes(self, pattern: re.Match[str]) -> Iterator[Diagnostic]:
        holders = list(islice(_PLACEHOLDER.finditer(pattern[0]), _MOST))
        names = list(dict.fromkeys(one[1].lower() for one in holders))
        missing = [name for name in names if not self._is_mentioned(name)]
        for holder in holders:
            name = holder[1].lower()
            if name not in missing:
                continue
            if other := self._spelled_otherwise(name) or self._left_over(names, missing):
                message = (
                    f"The pattern uses `{holder[1]}`, but the text explains `{other}`. Use the "
                    "same name."
                )
                at = pattern.start() + holder.start(1)
                yield Diagnostic("placeholder", at, message, _SYNTAX, is_problem=False)

    def _is_mentioned(self, name: str) -> bool:
        return name in self._words or (" " in name and name in self._phrases)

    def _spelled_otherwise(self, name: str) -> str:
        is_long = len(name) >= _SHORTEST
        near: list[str] = list(get_close_matches(name, self._spare, 1, _LIKE)) if is_long else []
        near = near or [
            word
            for word in self._spare
            if is_long and word in self._quoted and word.startswith(name)
        ]
        near = near or [one.name for one in self._other() if _is_short_for(name, one.name.lower())]
        return self._words.get(near[0].lower(), near[0]) if near else ""

    def _left_over(self, names: list[str], missing: list[str]) -> str:
        forms = {one.form for one in self._said if one.name.lower() in names and one.is_marked}
        left = {one.name.lower(): one.name for one in self._other() if one.form in forms}
        return next(iter(left.values())) if len(missing) == len(left) == 1 else ""

    def _other(self) -> Iterator[_Explanation]:
        return (one for one in self._said if one.name.lower() not in self._inside)


def _is_short_for(name: str, word: str) -> bool:
    return 2 <= len(name) < len(word) and word.startswith(name)


def _placeholder_outside(text: str, taken: Collection[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for start, end in sorted(taken):
        pieces += [text[at:start], " "]
        at = max(at, end)
    return "".join([*pieces, text[at:]])
