"""The study of a grammar in a process of its own: both ends of it."""

import json
import re
import sys
from itertools import chain
from typing import Any, BinaryIO

from app.grammar.analysis.study import Study, part_to, study_from
from app.grammar.analysis.study_stages import MOST_CHARACTERS, study_in_parts
from app.identifiers.equivalence import Equivalence, equivalence_from, equivalence_to
from app.outside.child_processes import ProcessLimits, limit_process, run_child

# The CPU limit bounds the work. The clock only ends a process that a busy machine doesn't run.
LIMITS = ProcessLimits(seconds=10, processor=2, memory=512 * 1024 * 1024, output=16 * 1024 * 1024)
_CUT = "The analysis stopped at its time or memory limit. The results shown are reliable."
_TOO_LONG = f"The text has more than {MOST_CHARACTERS:,} characters. Shorten it."
_LAST = {"is_whole": True}
# Whatever defines a rule has one of these, and so has a placeholder: `=`, `::=`, `->`, `<year>`.
_MARKS = re.compile("[={}<>→]")


def may_hold_grammar(text: str) -> bool:
    return _MARKS.search(text) is not None


def study_in_child(
    text: str,
    nid: str | None = None,
    start: str | None = None,
    equivalence: Equivalence | None = None,
    limits: ProcessLimits | None = None,
    section: tuple[int, int] | None = None,
) -> Study:
    """Return all that could be found of the grammar in a text within the limits.

    ``section`` is as ``study_in_parts`` takes it. The default limits are ``LIMITS``.

    Raises WorkQueueFull where too many are studied already.
    """
    if len(text) > MOST_CHARACTERS:
        return study_from([part_to({"too_large": [_TOO_LONG]})])
    document = {
        "text": text,
        "nid": nid,
        "start": start,
        "equivalence": equivalence_to(equivalence or Equivalence()),
        "section": section,
    }
    written = run_child(__name__, json.dumps(document).encode("ascii"), limits or LIMITS)
    parts: list[dict[str, Any]] = [json.loads(line) for line in written.lines]
    if not parts or parts[-1] != _LAST:
        return study_from([*parts, part_to({"too_large": [_CUT]})])
    return study_from(parts[:-1])


def run_study(standard_input: BinaryIO, standard_output: BinaryIO) -> None:
    """Study what comes in and write each part on a line as soon as it is known."""
    document = json.loads(standard_input.read())
    document["equivalence"] = equivalence_from(document["equivalence"])
    for part in chain(study_in_parts(**document), [_LAST]):
        standard_output.write(json.dumps(part).encode("ascii") + b"\n")
        standard_output.flush()


if __name__ == "__main__":
    limit_process(LIMITS)
    run_study(sys.stdin.buffer, sys.stdout.buffer)
