"""The room is pure: it asks the standard library for all it needs."""

import json
import subprocess
import sys

_IMPORT = """
import json, sys
before = set(sys.modules)
import app.identifiers.urn, app.identifiers.nid, app.identifiers.urn_reports
import app.identifiers.ark, app.identifiers.noid, app.identifiers.ark_reports
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
