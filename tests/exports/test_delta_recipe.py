"""The recipe by which a mirror applies deltas, run as it stands in the documentation."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from app.exports.editions.delta import delta_bytes
from app.exports.formats.xml_reader import read_xml
from app.registration.records.registry_records import Person, RegistrySnapshot, SubRegistry
from tests.conftest import ROOT
from tests.exports.snapshots import FULL
from tests.exports.test_delta import named, published, registry

NODE = shutil.which("node")
_PROGRAM = re.compile(r"^```js\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What the recipe says of the two digests, and every step from the one before.
_WALK = """
const { createHash } = require("node:crypto");
const { base, deltas } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const digest = (text) => createHash("sha256").update(text, "utf8").digest("hex");
let text = base, done = 0;
for (const step of deltas) {
  const delta = JSON.parse(step);
  if (digest(text) !== delta.from.sha256) throw new Error(`step ${done}: another base`);
  text = applied(JSON.parse(text), delta);
  if (digest(text) !== delta.to.sha256) throw new Error(`step ${done}: another result`);
  done += 1;
}
console.log(done);
"""


def walked(states: Iterable[RegistrySnapshot]) -> int:
    """How many steps from state to state the program in the documentation makes."""
    files = [published(state) for state in states]
    deltas = [delta_bytes(*pair).decode() for pair in pairwise(files)]
    (program,) = _PROGRAM.findall((ROOT / "docs/published-files.md").read_text(encoding="utf-8"))
    done = subprocess.run(
        [NODE or "", "-e", program + _WALK],
        input=json.dumps({"base": files[0].decode(), "deltas": deltas}).encode(),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    return int(done.stdout)


def there_and_back(states: Sequence[RegistrySnapshot]) -> list[RegistrySnapshot]:
    return [*states, *states[-2::-1]]


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_recipe_walks_all_of_ianas_history_forth_and_back(shared: Path) -> None:
    files = sorted((shared / "data" / "iana" / "history").glob("*.xml"))
    read = (read_xml(file.read_bytes()) for file in files)
    states = [replace(snapshot, edition=n) for n, snapshot in enumerate(read, 1)]
    assert walked(there_and_back(states)) == 2 * (len(states) - 1) >= 150


def shuffled(seed: int) -> RegistrySnapshot:
    """A registry with some of ten names and some of four people, in any order."""
    draw = Random(seed)
    records = [replace(one, date=f"20{seed % 3}0-01-01") for one in named(*"abcdefghij")]
    chosen = tuple(draw.sample(records, draw.randint(0, 10)))
    others = Random(seed // 2)  # two states in a row have the same people
    people = tuple(others.sample([Person(id=one) for one in "WXYZ"], others.randint(0, 4)))
    return registry(*chosen, edition=seed + 1, people=people, title="“Ünïcode” \u2028 \x7f")


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_recipe_keeps_any_order_and_leaves_out_what_did_not_change() -> None:
    states = [shuffled(seed) for seed in range(60)]
    steps = [json.loads(delta_bytes(*map(published, pair))) for pair in pairwise(states)]
    moves = [step["tables"]["things-1"] for step in steps if "tables" in step]
    assert any("moved" in one and "added" in one for one in moves)
    assert not all("people" in step for step in steps)
    assert walked(states) == 59


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_recipe_knows_a_table_that_comes_or_goes_and_one_without_a_change() -> None:
    more = SubRegistry(id="more", title="More", records=named("zed"))
    states = [
        FULL,
        replace(FULL, edition=11, title="Other"),
        replace(FULL, edition=12, registries=(more, *FULL.registries)),
        replace(FULL, edition=13, registries=FULL.registries[::-1], people=FULL.people[::-1]),
    ]
    assert walked(there_and_back(states)) == 6
