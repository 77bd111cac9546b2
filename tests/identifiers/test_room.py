"""The room is pure: it asks the standard library for all it needs."""

import json
import subprocess
import sys
from itertools import islice, permutations, product
from pathlib import Path
from typing import Any

import pytest

import app.identifiers
from app.identifiers import ARK, URN
from tests.identifiers.reference import PAGE, SECTIONS, reference

ROOT = Path(__file__).resolve().parents[2]

_IMPORT = """
import json, sys
before = set(sys.modules)
import app.identifiers.urn, app.identifiers.nid, app.identifiers.urn_reports
import app.identifiers.ark, app.identifiers.noid, app.identifiers.ark_checks
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def test_a_fresh_interpreter_that_imports_it_loads_nothing_but_the_standard_library() -> None:
    command = [sys.executable, "-c", _IMPORT]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = json.loads(run.stdout)
    assert {f"app.identifiers.{kind}" for kind in ("urn", "nid", "ark", "noid")} <= set(loaded)
    packages = {name.partition(".")[0] for name in loaded}
    assert packages - sys.stdlib_module_names == {"app"}
    assert {name for name in loaded if name.startswith("app.")} == {
        name for name in loaded if name.startswith("app.identifiers")
    }
    assert packages.isdisjoint({"flask", "sqlalchemy", "socket", "sqlite3", "random", "time"})


_LIBRARY = """
import json, sys
sys.path.insert(0, sys.argv[1])
from app.identifiers import *
from app.identifiers import __all__ as names
assert parse_urn("urn:example:a").nss == "a" and parse_ark("ark:12345/x5").naan == "12345"
print(json.dumps([names, sorted(sys.modules)]))
"""


def test_the_library_works_where_no_package_is_installed() -> None:
    command = [sys.executable, "-I", "-S", "-c", _LIBRARY, str(ROOT)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
    names, loaded = json.loads(run.stdout)
    assert {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names <= {
        "__main__",
        "app",
    }
    assert {"parse_urn", "URN", "parse_ark", "ARK", "check_nid", "Mask"} <= set(names)
    assert (ROOT / "app" / "py.typed").exists(), "types are for those who use the library too"


def test_the_reference_says_what_the_docstrings_say() -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(
        app.identifiers.__all__
    )
    assert PAGE.read_text(encoding="utf-8") == reference(), "python -m tests.identifiers.reference"


_URNS = (
    "urn:bb:1",
    "URN:AA:2",
    "urn:aa:2",
    "urn:aa:%C3",
    "urn:AA:%c3",
    "urn:aa:2#f",
    "urn:aa:2?=q",
)
_ARKS = (
    "ark:12345/x-1",
    "ark:/12345/x1",
    "ark:12345/x1",
    "ARK:12345/x1",
    "ark:1/x",
    "ark:1/x?info",
)


@pytest.mark.parametrize(
    "names", [list(map(URN, _URNS)), list(map(ARK, _ARKS))], ids=["URN", "ARK"]
)
def test_equivalent_names_stand_together_and_only_equal_ones_have_no_order(
    names: list[Any],
) -> None:
    ordered = sorted(names)
    assert all(sorted(some) == ordered for some in islice(permutations(names), 0, None, 37))
    forms = [name.normal_form for name in ordered]
    assert forms == sorted(forms)
    for one, other in product(names, repeat=2):
        assert [one < other, one == other, one > other].count(True) == 1
        assert (one <= other, one >= other) == (not one > other, not one < other)
        assert one != other or hash(one) == hash(other)
    with pytest.raises(TypeError):
        names[0] < str(names[0])  # noqa: B015 - what is asked is whether it can be
