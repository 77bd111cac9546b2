"""A name that was seen is known again, however many there are, in little room."""

import tracemalloc

from app.assigned_names.name_rows import SeenNames


def test_each_name_is_new_once() -> None:
    seen = SeenNames()
    names = [f"ark:12345/x5{n}" for n in range(10_000)]
    assert all(seen.add(name) for name in names)
    assert not any(seen.add(name) for name in names)
    assert seen.add("ark:12345/x5a")


def test_a_hundred_thousand_names_take_less_than_four_megabytes() -> None:
    tracemalloc.start()
    try:
        seen = SeenNames()
        for n in range(100_000):
            seen.add(f"ark:12345/x5{n}")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 4_000_000
