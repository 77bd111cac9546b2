"""Names that a stranger can place: classes, modules and rooms, and how large each may grow."""

import ast
import builtins
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import PurePath

import pytest

from tests.conftest import ROOT

Sources = Mapping[PurePath, str]

# The rooms that hold the domain: each public class there is named by a noun of it.
DOMAIN = {
    *("identifiers", "grammar", "registration", "workflow", "resolution", "messages", "exports"),
    *("pages", "bundles", "published", "store", "services", "assigned_names"),
}
# Refusals that mean what their words say, of anything, and what each table is derived from.
PLAIN_NAMES = {"NotFound", "NotAllowed", "NothingToAcknowledge", "Base"}
# Rooms of the layout: an edition as it is published, and the facts as they are bundled.
PLAIN_ROOMS = {"app/bundled", "app/published"}
MODULES_IN_A_ROOM = 25
LINES = 1_000
# What a participle is followed by where the two say nothing: `told_of`, `left_at`, `given_back`.
ENDS = frozenset({"above", "back", "before", "below", "elsewhere", "to", "with"})

_TERM = re.compile(r"^- \*\*(.+?)\*\*: (?=[A-Z])(?:.*[^ ])\.$", re.MULTILINE)
_LEANS = re.compile(
    r"(?:The )?same\b|As above|Likewise|Ditto|See above|One of them\b|Its |So many\b"
    r"|These (?:bytes|in|as)\b",
    re.IGNORECASE,
)
# Where a docstring names a class: in what is raised, by two humps or more, between backticks, and
# by one word with a capital where a sentence goes on.
_RAISES = re.compile(r"\b[Rr]aise[sd]? ([^.]*)")
_CLASS = re.compile(r"\b(?:[A-Z]+[a-z]+){2,}\b|^[A-Z]\w+")
_HUMPS = re.compile(r"\b[A-Z][a-z]+(?:[A-Z]+[a-z]+)+\b|\b[A-Z]{2,}[a-z]{2,}[A-Za-z]*\b")
_QUOTED = re.compile(r"``([A-Z][A-Za-z]*[a-z])``")
_GOING_ON = re.compile(r"; ([A-Z][a-z]+)\b")
# Capitals that are no class of ours: makes of software, words of other specifications.
FOREIGN = frozenset({
    *("ETag", "JavaScript", "OpenPGP", "OpenSearch", "PostgreSQL", "SQLite", "WTForms", "BibTeX"),
    *("ComponentPath", "VariantPath", "DefinedTerm", "ThreadPoolExecutor"),
    *("Accept", "Forwarded", "Notice", "Werkzeug"),
})  # fmt: skip
_FUNCTION = re.compile(r"^def (\w+)\(", re.MULTILINE)
_IMPORT = re.compile(r"^ *from ([\w.]+) import (?:\(([^)]*)\)|(.+))$", re.MULTILINE)
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+")


@cache
def sources() -> Sources:
    """The modules of the software by their paths."""
    files = sorted((ROOT / "app").rglob("*.py"))
    return {file.relative_to(ROOT): file.read_text(encoding="utf-8") for file in files}


def _declared(title: str) -> frozenset[str]:
    """The words that the glossary lists under a title."""
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    return frozenset(text.partition(f"\n{title}:\n")[2].partition("\n\n")[0].split())


@cache
def glossary() -> frozenset[tuple[str, ...]]:
    """The nouns of the glossary, each as its words in lower case."""
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    return frozenset(tuple(re.split("[ -]", term.lower())) for term in _TERM.findall(text))


def _classes(files: Sources) -> Iterator[tuple[PurePath, str]]:
    for path, text in files.items():
        yield from ((path, name) for name in _classes_of(text))


@cache
def _classes_of(text: str) -> tuple[str, ...]:
    tree = ast.walk(ast.parse(text)) if "class " in text else ()
    return tuple(node.name for node in tree if isinstance(node, ast.ClassDef))


def _names(files: Sources) -> Iterator[tuple[PurePath, list[str]]]:
    """Each module, room and class, as its words."""
    yield from ((path, path.stem.split("_")) for path in files if path.stem != "__init__")
    yield from ((room, room.name.split("_")) for room in {path.parent for path in files})
    yield from ((path / name, _words(name)) for path, name in _classes(files))


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def _holds(words: list[str], term: tuple[str, ...]) -> bool:
    """Whether the words of a term follow each other, the last maybe in the plural."""
    runs = (words[at : at + len(term)] for at in range(len(words) - len(term) + 1))
    return any(all(map(_is_word, run, term)) for run in runs)


def _is_word(word: str, noun: str) -> bool:
    return word in (noun, f"{noun}s", f"{noun}es", f"{noun.removesuffix('y')}ies")


def without_noun(files: Sources) -> set[str]:
    """Public classes of the domain whose name has no noun."""
    nouns = {*glossary(), *((noun,) for noun in _declared("General nouns"))}
    nouns -= {(kind,) for kind in _declared("Kinds")}
    public = {
        name
        for path, name in _classes(files)
        if path.parts[1] in DOMAIN and not name.startswith("_") and name not in PLAIN_NAMES
    }
    return {name for name in public if not any(_holds(_words(name), noun) for noun in nouns)}


def twice(files: Sources) -> set[str]:
    """Names that two classes have, whether or not an underscore stands before one."""
    counted = Counter(name.lstrip("_") for _, name in _classes(files))
    return {name for name, count in counted.items() if count > 1}


def everyday(files: Sources) -> set[str]:
    """Modules, rooms and classes that are named by an everyday word or by a participle alone."""
    nowhere = _declared("Forbidden words")
    alone = _declared("Everyday words")
    nouns = glossary()
    return {
        str(path)
        for path, words in _names(files)
        if not nowhere.isdisjoint(words)
        or (len(words) == 1 and (words[0] in alone or _is_participle(words[0], nouns)))
    } - PLAIN_ROOMS


def _is_participle(word: str, nouns: frozenset[tuple[str, ...]]) -> bool:
    return word.endswith(("ing", "ed")) and (word,) not in nouns


def unplaced(files: Sources) -> set[str]:
    """Functions that are imported by themselves and say nothing where they are called."""
    functions = {(_module(path), name) for path, text in files.items() for name in _defined(text)}
    named = {found for text in files.values() for found in _taken_from(text)} & functions
    nouns = glossary() | {(noun,) for noun in _declared("General nouns")}
    alone = _declared("Function names of one word")
    return {f"{module}.{name}" for module, name in named if _is_unplaced(name, nouns, alone)}


def _is_unplaced(name: str, nouns: Collection[tuple[str, ...]], alone: Collection[str]) -> bool:
    first, *rest = name.strip("_").split("_")
    if not rest:
        return first not in alone and not any(_holds([first], noun) for noun in nouns)
    told = first.endswith("ed") or first in _declared("Irregular participles")
    leans = _declared("Words that start no function")
    return first in leans or (told and len(rest) == 1 and rest[0] in leans | ENDS)


def _module(path: PurePath) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _defined(text: str) -> list[str]:
    return _FUNCTION.findall(text)


def _taken_from(text: str) -> Iterator[tuple[str, str]]:
    """What a module imports from others: their names and those of what it takes."""
    for module, several, one in _IMPORT.findall(text):
        yield from (
            (module, taken.split()[0]) for taken in (several or one).split(",") if taken.strip()
        )


def crowded(files: Sources) -> set[str]:
    """Rooms with more modules than one sees at a glance."""
    counted: defaultdict[PurePath, int] = defaultdict(int)
    for path in files:
        counted[path.parent] += path.stem != "__init__"
    return {str(room) for room, count in counted.items() if count > MODULES_IN_A_ROOM}


def too_long(files: Sources) -> set[str]:
    """Modules of more lines than one reads in one go; a row of a table is looked up by itself."""
    long = {path: text for path, text in files.items() if text.count("\n") > LINES}
    return {str(path) for path, text in long.items() if text.count("\n") - _rows(text) > LINES}


def _rows(text: str) -> int:
    """The lines of tables: of classes that hold rows, each a call, and nothing else."""
    classes = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    tables = (node.body[1:] for node in classes if ast.get_docstring(node))
    rows = (row for table in tables if all(map(_is_row, table)) for row in table)
    return sum((row.end_lineno or 0) - row.lineno + 1 for row in rows)


def _is_row(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)


def dependent(files: Sources) -> set[str]:
    """Docstrings that make no sense without the one above."""
    return {text[:60] for text in _docstrings(files) if _LEANS.match(text)}


def unknown_refusals(files: Sources) -> set[str]:
    """What docstrings name as a class or an exception, and nothing is called."""
    known = {name for _, name in _classes(files)} | set(dir(builtins)) | FOREIGN
    return {word for text in _docstrings(files) for word in _named(text)} - known - _imported(files)


def _named(docstring: str) -> Iterator[str]:
    """The names of classes that a docstring speaks of."""
    for sentence in _RAISES.findall(docstring):
        yield from _CLASS.findall(sentence)
    for pattern in (_HUMPS, _QUOTED, _GOING_ON):
        yield from pattern.findall(docstring.partition("\nSource: ")[0])


def _imported(files: Sources) -> set[str]:
    """What comes from elsewhere, or has a name of its own without being a class."""
    return {name for text in files.values() for name in _imported_by(text)}


@cache
def _imported_by(text: str) -> frozenset[str]:
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return frozenset(found)


def _docstrings(files: Sources) -> Iterator[str]:
    for text in files.values():
        yield from _docstrings_of(text)


@cache
def _docstrings_of(text: str) -> tuple[str, ...]:
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds))
    return tuple(filter(None, map(ast.get_docstring, nodes)))


RULES = [without_noun, twice, everyday, unplaced, crowded, too_long, dependent, unknown_refusals]


@pytest.mark.parametrize("rule", RULES)
def test_the_software_keeps_the_rules_on_names(rule: Callable[[Sources], set[str]]) -> None:
    assert rule(sources()) == set()


def test_the_glossary_has_each_noun_once_in_one_sentence_or_two() -> None:
    lines = (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if line.startswith("- ")]
    assert all(_TERM.fullmatch(entry) for entry in entries)
    assert len(entries) == len(glossary())
    folded = [entry.lower() for entry in entries]
    assert len(set(folded)) == len(folded)


def _planted(name: str, module: str = "app/services/names/availability_check.py") -> Sources:
    urn = PurePath("app/identifiers/urn.py")
    return {urn: "class URN:\n    pass\n", PurePath(module): f"class {name}:\n    pass\n"}


@pytest.mark.parametrize("name", ["Told", "RowView", "ResultReader", "Nice", "KeptReport"])
def test_a_class_without_a_noun_is_found(name: str) -> None:
    assert without_noun(_planted(name)) == {name}


@pytest.mark.parametrize("name", ["ExpertView", "BaseVersions", "CheckRoundReport", "NIDEntry"])
def test_a_class_with_a_noun_is_let_be(name: str) -> None:
    assert without_noun(_planted(name)) == set()


def test_a_class_that_stands_twice_is_found_behind_its_underscore() -> None:
    assert twice(_planted("_URN")) == {"URN"}


@pytest.mark.parametrize("name", ["Held", "Doing", "Tale", "EditionManager", "Iterated"])
def test_an_everyday_word_is_found_as_a_class(name: str) -> None:
    assert {PurePath(path).name for path in everyday(_planted(name))} == {name}


@pytest.mark.parametrize("name", ["holding", "beside", "ways", "name_utils", "kept"])
def test_an_everyday_word_is_found_as_a_module_and_as_a_room(name: str) -> None:
    assert everyday({PurePath(f"app/services/{name}.py"): ""}) == {f"app/services/{name}.py"}
    assert everyday({PurePath(f"app/{name}/urn.py"): ""}) == {f"app/{name}"}


def _imported_bare(name: str) -> Sources:
    urn, page = PurePath("app/identifiers/urn.py"), PurePath("app/pages/urn_page.py")
    return {urn: f"def {name}(): ...\n", page: f"from app.identifiers.urn import {name}\n"}


@pytest.mark.parametrize(
    "name",
    [
        *("told", "alike", "leaves", "given", "shown", "since", "keep"),
        *("as_told", "by_name", "told_of", "left_at", "given_back", "approved_by"),
    ],
)
def test_a_function_is_found_that_says_nothing_where_it_is_called(name: str) -> None:
    assert unplaced(_imported_bare(name)) == {f"app.identifiers.urn.{name}"}
    urn, page = _imported_bare(name)
    called = f"from app.identifiers import urn\n\nurn.{name}()\n"
    assert unplaced({urn: f"def {name}(): ...\n", PurePath(page): called}) == set()


@pytest.mark.parametrize(
    "name", ["parse_urn", "sha256", "facets", "registered_names", "name_of", "with_titles"]
)
def test_a_function_is_let_be_whose_name_has_a_verb_and_a_noun(name: str) -> None:
    assert unplaced(_imported_bare(name)) == set()


def test_a_crowded_room_and_a_long_module_are_found() -> None:
    many = {PurePath(f"app/identifiers/urn_{at}.py"): "" for at in range(MODULES_IN_A_ROOM + 1)}
    assert crowded(many) == {"app/identifiers"}
    assert too_long({PurePath("app/urn.py"): "\n" * (LINES + 1)}) == {"app/urn.py"}


def test_the_rows_of_a_table_make_no_module_long_unless_something_else_is_among_them() -> None:
    rows = 'class Action:\n    """What can be done."""\n\n' + "    TAKE = row()\n" * LINES
    assert too_long({PurePath("app/urn.py"): rows}) == set()
    assert too_long({PurePath("app/urn.py"): f"{rows}    take: int\n"}) == {"app/urn.py"}


@pytest.mark.parametrize("said", ["The same for a request.", "Likewise.", "Same, in a row."])
def test_a_docstring_that_leans_on_another_is_found(said: str) -> None:
    assert dependent({PurePath("app/urn.py"): f'"""{said}"""'}) == {said}


def test_a_refusal_that_nobody_knows_is_found_in_a_docstring() -> None:
    text = '"""Read it. Raises Unfit for nothing, and ValueError or NoSuchThing."""'
    assert unknown_refusals({PurePath("app/urn.py"): text}) == {"Unfit", "NoSuchThing"}


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Count it; TooMany where a limit is over.", {"TooMany"}),
        ("An address; Unfit says what is wrong with it.", {"Unfit"}),
        ("Take steps; the last one raises Large.", {"Large"}),
        ("What is asked, by ``Ask``.", {"Ask"}),
        ("Keep it, or UnfitFact.", {"UnfitFact"}),
        ("The URNs of RFC 8141, in PostgreSQL; ``Accept`` and ``etc``, and KeyError.", set()),
    ],
)
def test_a_name_that_nothing_has_is_found_wherever_a_docstring_says_it(
    said: str, names: set[str]
) -> None:
    assert unknown_refusals({PurePath("app/urn.py"): f'"""{said}"""'}) == names
