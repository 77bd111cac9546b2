"""What tells one state of the software from another: after any change all is made anew."""

import json
import os
import platform
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from app import factory
from app.config import Settings
from app.factory import page_fingerprint
from app.identifiers.equivalence import PLAIN
from app.pages import assets
from app.services import software_fingerprint
from app.services.editions import edition_build
from app.services.requests import syntax_studies
from app.services.software_fingerprint import fingerprint
from tests import factories
from tests.conftest import ROOT

FOLDERS = ("app", "migrations", "static", "templates")
ROOMS = sorted(file.parent.name for file in (ROOT / "app").glob("*/__init__.py"))
# Modules at the top and deep in every room, in rooms to come, and what modules read.
CHANGED = (
    "app/progress.py",
    *(f"app/{room}/formats/nested/exporter.py" for room in ROOMS),
    "app/identifiers/equivalence.py",
    "app/services/editions/version_history.py",
    "app/exports/registry.rng",
    "app/exports/xml/registry.xsl",
    "app/bundled/profiles.json",
    "app/new_room/table.json",
    "templates/published/name.html",
    "templates/mail/new.txt",
    "static/ui.css",
)
SCRIPT = """
import json, os, shutil, sys
from pathlib import Path
from app.services import software_fingerprint
from app.services.software_fingerprint import fingerprint

libraries = software_fingerprint._libraries()
software_fingerprint._libraries = lambda: libraries
anew = fingerprint.__wrapped__
found = {"at first": anew()}
for name in json.loads(sys.argv[1]):
    file = Path(name)
    before = file.read_bytes() if file.exists() else None
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes((before or b"") + b"\\n# a byte more")
    found[name] = anew()
    file.unlink() if before is None else file.write_bytes(before)
Path("app/progress.py").rename("app/advance.py")
found["under another name"] = anew()
Path("app/advance.py").rename("app/progress.py")
for file in Path("app").rglob("*.py"):
    os.utime(file, (0, 0))
    beside = file.parent / "__pycache__"
    beside.mkdir(exist_ok=True)
    (beside / "newer.cpython-399.pyc").write_bytes(b"made of what is read already")
found["older, and compiled"] = anew()
for name in sys.argv[2:]:
    shutil.move(name, "app")
found["installed as a package"] = anew()
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The fingerprints of a copy of the software, before and after each change."""
    copy = tmp_path_factory.mktemp("software")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, copy / name)
    asked = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(CHANGED), *FOLDERS[1:]],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode == 0, asked.stderr
    answer: dict[str, str] = json.loads(asked.stdout)
    return answer


def test_a_change_anywhere_in_the_software_is_seen(found: dict[str, str]) -> None:
    unseen = [name for name in CHANGED if found[name] == found["at first"]]
    assert unseen == []
    assert found["under another name"] != found["at first"]
    assert len({found[name] for name in CHANGED}) == len(CHANGED)


def test_the_same_software_is_the_same_wherever_it_lies_and_whenever_it_was_put_there(
    found: dict[str, str],
) -> None:
    assert found["at first"] == fingerprint()
    assert found["older, and compiled"] == found["at first"]
    assert found["installed as a package"] == found["at first"]


def test_every_folder_that_an_installed_package_gets_is_read() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["app"]
    assert wheel["force-include"] == {name: f"app/{name}" for name in assets.ASSETS}


def test_another_library_or_another_python_is_other_software(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = {fingerprint()}
    libraries = software_fingerprint._libraries()
    assert {"markupsafe", "jinja2", "brotli", "python-stdnum"} < set(libraries)
    assert not {"pytest", "psycopg", "hypothesis"} & set(libraries)
    with monkeypatch.context() as patched:
        other = libraries | {"markupsafe": "0.1"}
        patched.setattr(software_fingerprint, "_libraries", lambda: other)
        found.add(fingerprint.__wrapped__())
    monkeypatch.setattr(platform, "python_version", lambda: "3.99.0")
    found.add(fingerprint.__wrapped__())
    assert len(found) == 3


def test_editions_pages_and_studies_all_go_by_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path)
    source = syntax_studies._StudySource((("syntax", "a = b"),), None, PLAIN)
    before = (edition_build.maker_of(factories.PLACE), page_fingerprint(settings), source.digest)
    for module in (edition_build, factory, syntax_studies):
        monkeypatch.setattr(module, "fingerprint", lambda: "of other software")
    after = (edition_build.maker_of(factories.PLACE), page_fingerprint(settings), source.digest)
    assert [one != other for one, other in zip(before, after, strict=True)] == [True] * 3
