"""Prints every figure: ``python -m tests.bench``."""

import sys
from itertools import chain

from tests.bench import (
    ark_names,
    ark_resolution,
    bound_names,
    checks,
    editions,
    fronts,
    identifiers,
    judging,
    name_growth,
    name_minting,
    names,
    published,
)

if __name__ == "__main__":
    for bench in (identifiers, judging, ark_resolution, checks, published):
        bench.main()
    for label, figure in chain(
        fronts.run(),
        names.run(),
        ark_names.run(),
        bound_names.run(),
        name_minting.run(),
        name_growth.run(),
        editions.run(),
    ):
        sys.stdout.write(f"{label}: {figure}\n")
