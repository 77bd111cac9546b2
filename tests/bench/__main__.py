"""Prints every figure: ``python -m tests.bench``."""

from tests.bench import identifiers, published

if __name__ == "__main__":
    for bench in (identifiers, published):
        bench.main()
