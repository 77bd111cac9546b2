"""What the syntax workbench shows: the text by lines with what was found, pictures, answers."""

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from app.grammar.analysis.study import GrammarFinding, RuleReport, Study
from app.pages.diagrams.railroad import draw_railroad_diagram

MOST_CHARACTERS = 100_000
_MOST_DRAWN = 60
_AROUND = 1  # lines shown before and after one that matters
_MOST_LINES = 1_500
MOST_FINDINGS = 300  # in the list; their lines are shown one by one below it


@dataclass(frozen=True, slots=True)
class SyntaxLineView:
    """A line of the text: what stands before, at and after the column of its first finding."""

    number: int
    before: str
    marked: str
    after: str
    findings: tuple[GrammarFinding, ...]
    rule: str

    @property
    def severity(self) -> str:
        """The gravest of its findings; empty where there is none."""
        gravest = sorted(self.findings, key=lambda one: not one.is_problem)
        return gravest[0].severity if gravest else ""


@dataclass(frozen=True, slots=True)
class RuleDiagram:
    """A rule as a railroad diagram, with the same in words."""

    name: str
    abnf: str
    svg: Markup
    words: str


def lines_of(text: str, study: Study) -> list[SyntaxLineView | None]:
    """The lines with rules or findings, and those next to them; None where lines are left out.

    Raises nothing.
    """
    every = text.split("\n")
    found, names = _found_by_line(study), _names_by_line(study)
    wanted = sorted(_wanted(study, len(every)))[:_MOST_LINES]
    shown: list[SyntaxLineView | None] = []
    last = 0
    for number in wanted:
        if number != last + 1:
            shown.append(None)
        line = every[number - 1].rstrip("\r")
        shown.append(_line(number, line, tuple(found.get(number, ())), names.get(number, "")))
        last = number
    if wanted and last < len(every):
        shown.append(None)
    return shown


def _wanted(study: Study, count: int) -> set[int]:
    told = {finding.line for finding in study.findings} | {one.line for one in study.examples}
    inside = {line for rule in study.rules for line in range(rule.line, rule.last_line + 1)}
    around = {line + step for line in told | inside for step in range(-_AROUND, _AROUND + 1)}
    return {line for line in around if 1 <= line <= count}


def _found_by_line(study: Study) -> dict[int, list[GrammarFinding]]:
    found: dict[int, list[GrammarFinding]] = {}
    for finding in study.findings:
        found.setdefault(finding.line, []).append(finding)
    return found


def _names_by_line(study: Study) -> dict[int, str]:
    return {rule.line: rule.name for rule in reversed(study.rules)}  # the first of a line counts


def _line(
    number: int, text: str, findings: tuple[GrammarFinding, ...], name: str
) -> SyntaxLineView:
    at = min((one.column for one in findings), default=0)
    if not findings or at > len(text):
        return SyntaxLineView(number, text, "", "", findings, name)
    examples = [one.example for one in findings if one.code == "example" and one.column == at]
    end = at + (len(examples[0]) if examples and examples[0] else _reach(text, at - 1))
    return SyntaxLineView(
        number, text[: at - 1], text[at - 1 : end - 1], text[end - 1 :], findings, name
    )


def _reach(text: str, start: int) -> int:
    if text[start] == '"' and (end := text.find('"', start + 1)) > 0:
        return end + 1 - start
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] in "-_%*"):
        end += 1
    return max(1, end - start)


def pictures_of(study: Study) -> tuple[RuleDiagram, ...]:
    """The rules as diagrams, those of the start first; a rule without a tree has none."""
    return tuple(_pictures(study.rules[:_MOST_DRAWN]))


def _pictures(rules: tuple[RuleReport, ...]) -> Iterator[RuleDiagram]:
    for rule in rules:
        if rule.tree is not None:
            diagram = draw_railroad_diagram(rule.name, rule.tree)
            svg = Markup(diagram.svg)  # noqa: S704  made here, every text of it escaped
            yield RuleDiagram(rule.name, rule.abnf, svg, diagram.words)
