"""Prints every figure: ``python -m tests.bench``."""

import sys

from tests.bench import checks, editions, identifiers, published

if __name__ == "__main__":
    for bench in (identifiers, checks, published):
        bench.main()
    for label, figure in editions.run():
        sys.stdout.write(f"{label}: {figure}\n")
