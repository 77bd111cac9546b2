"""Prints every figure: ``python -m tests.bench``."""

import sys

from tests.bench import editions, identifiers, published

if __name__ == "__main__":
    for bench in (identifiers, published):
        bench.main()
    for label, figure in editions.run():
        sys.stdout.write(f"{label}: {figure}\n")
