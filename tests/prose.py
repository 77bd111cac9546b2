"""Phrases in pages and messages that readers stumble over, counted per 1,000 words.

``python -m tests.prose [--most N]`` reads the text of templates and the sentences in strings of
``app``. It lists every hit with its place and fails above N hits per 1,000 words in either of them.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
MOST = 1.5  # hits per 1,000 words

# What to write instead, and the phrases. A sentence begins a text or follows one of `.!:;`.
_START = r"(?:^|(?<=[.!:;] ))\W{0,2}"
_NO_QUESTION = r"\b(?![^.!?]*\?)"
PATTERNS = {
    "name the role": r"\b(?:who|what|which|where)(?:so)?ever\b",
    "name the person": r"\b(?:some|no|any|every)body(?:’s)?\b",
    "begin with a noun": rf"{_START}(?-i:Who|Whose|Whom|What|Whether|Those){_NO_QUESTION}",
    "begin with the actor": rf"{_START}(?-i:By|From|In|Of|To|With|For|On) wh(?:om|ich|at|ere)\b",
    "permanently": r"\bfor ?ever\b|\bonce and for all\b",
    "must": r"\b(?:is|are|was|were|has|have|had) to be\b",
    "will, or must": r"\bis to (?!be\b)[a-z]+\b",
    "no longer": r"\bno more\b(?! than)|\bany ?more\.",
    "again": r"\banew\b|\bonce more\b|\bafresh\b",
    "only": r"\b[a-z]+s? alone\b",
    "fix": r"\bmend(?:s|ed|ing)?\b|\bput right\b",
    "is, or remains": r"\bst(?:ands|ood) (?:like|so|as|at|in|with|behind|before|here|there)\b",
    "next to": r"\bbeside\b|\bstands? (?:by|next)\b",
    "resolves to, redirects to": r"\b(?:leads?|led) (?:on|to|there|nowhere|somewhere|back)\b",
    "shows, reports, notifies": r"\b(?:is|are|was|were|be|been) told\b|\btells? (?:of|that|what)\b",
    "registrant, owner, holder": r"\b(?:holds it|held by|are held|is held)\b",
    "mint, assign": r"\b(?:gives?|gave|given|giving) (?:names?|numbers?|out|here)\b",
    "is assigned": r"\bnames? (?:is|are|was|were) given\b|\bnames? given\b",
    "import": r"\b(?:bring|brings|brought|bringing) in\b|\b(?:take|takes|took|taken) (?:over|in)\b",
    "remove": r"\b(?:take|takes|took|taken) (?:away|out)\b|\bthrown? away\b",
    "name the moment": r"\bmeanwhile\b|\bby then\b|\bof old\b",
    "because, so": r"\b(?:hence|thus|thereby|therein|thereof|whereby|wherein|whence)\b",
    "name the thing": r"(?<!one )(?<!all )(?<!half )(?<!most )(?<!each )\bof (?:it|them|theirs)\b",
    "two sentences": r"\bso that\b|, (?:in|of|by|from|to) which\b",
    "if none": r"\bwhere (?:there is )?none\b|\b(?:is|are) none\b(?! of)",
    "you": r"\bone[’']s\b|\b(?:what|where|whom|as) one\b(?! of)",
    "e-mail, message": r"\b(?:by letter|by post|a post)\b",
    "check": r"\bjudged?\b",
    "yet, before": r"\bere\b|\bas yet\b|\bhitherto\b",
    "except": r"\ball but\b|\bbut for\b|\bsave for\b|\bbe it\b",
    "one per line": r"\ba (?:line|row|file) (?:each|a)\b",
    "need": r"\bwants? (?:of|from)\b|\bis wanted\b",
    "plain word order": r"\bneither does\b|\bnor (?:does|is|are|has)\b|\bso (?:does|is) it\b",
}
_COMPILED = {
    hint: re.compile(pattern, re.IGNORECASE | re.MULTILINE) for hint, pattern in PATTERNS.items()
}
_WORD = re.compile(r"[A-Za-z][A-Za-z’'-]*")
_MARKUP = re.compile(
    r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<(script|style)\b.*?</\1>|<[^>]+>", re.DOTALL
)
_SENTENCE = re.compile(r"[a-z’,] [a-z]")
FEWEST = 4  # words of a string that is prose
AROUND = 30  # characters shown on each side of a phrase


class Passage(NamedTuple):
    """A piece of text and the line on which it begins."""

    file: Path
    line: int
    text: str


class Hit(NamedTuple):
    """A phrase with the words around it, where it is, and what to write instead."""

    file: Path
    line: int
    phrase: str
    around: str
    hint: str

    def __str__(self) -> str:
        """Return the line that is printed."""
        place = f"{self.file.relative_to(ROOT)}:{self.line}"
        return f"{place}: “{self.phrase}” in “{self.around}” (write: {self.hint})"


def passages_of_template(file: Path, text: str) -> Iterator[Passage]:
    """Yield the lines of a template without its markup."""
    plain = _MARKUP.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for number, line in enumerate(plain.split("\n"), 1):
        if line.strip():
            yield Passage(file, number, " ".join(line.split()))


def passages_of_module(file: Path, text: str) -> Iterator[Passage]:
    """Yield the strings of a module that hold sentences; docstrings are left out."""
    nodes = list(ast.walk(ast.parse(text)))
    # a string that is a statement is a docstring, or explains the value above it
    notes = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if id(node) not in notes and _is_prose(node.value):
            yield Passage(file, node.lineno, node.value)


def _is_prose(text: str) -> bool:
    return len(text.split()) >= FEWEST and bool(_SENTENCE.search(text))


def hits_in(passage: Passage) -> Iterator[Hit]:
    """Yield every hit in a passage, each with its own line."""
    for hint, pattern in _COMPILED.items():
        for found in pattern.finditer(passage.text):
            line = passage.line + passage.text.count("\n", 0, found.start())
            around = passage.text[max(0, found.start() - AROUND) : found.end() + AROUND]
            yield Hit(passage.file, line, found[0].strip(), " ".join(around.split()), hint)


def passages() -> dict[str, list[Passage]]:
    """Return all passages, by kind: templates and messages."""
    found: dict[str, list[Passage]] = {"templates": [], "messages": []}
    for file in sorted((ROOT / "templates").rglob("*.*")):
        found["templates"] += passages_of_template(file, file.read_text(encoding="utf-8"))
    for file in sorted((ROOT / "app").rglob("*.py")):
        found["messages"] += passages_of_module(file, file.read_text(encoding="utf-8"))
    return found


def main() -> int:
    """Print the hits per 1,000 words, and the hits themselves if there are too many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=float, default=MOST, help="hits per 1,000 words")
    parser.add_argument("--list", action="store_true", help="list the hits in any case")
    arguments = parser.parse_args()
    failed = False
    for kind, texts in passages().items():
        words = sum(len(_WORD.findall(passage.text)) for passage in texts)
        hits = [hit for passage in texts for hit in hits_in(passage)]
        density = 1000 * len(hits) / max(1, words)
        too_many = density > arguments.most
        lines = [str(hit) for hit in hits] if too_many or arguments.list else []
        allowed = f"; at most {arguments.most} allowed" if too_many else ""
        lines.append(f"{kind}: {len(hits)} in {words} words, {density:.1f} per 1,000{allowed}")
        sys.stdout.write("\n".join(lines) + "\n")
        failed |= too_many
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
