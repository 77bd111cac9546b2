"""The six dated states of the registry of NAANs, where the reference material is at hand."""

from pathlib import Path

import pytest

from app.registration.naans.naan_json import read_naan_json
from app.registration.naans.naan_records import NaanFile


@pytest.fixture(scope="session")
def naan_states(shared: Path) -> list[tuple[bytes, NaanFile]]:
    """Each state as its bytes and as it is read, the oldest first."""
    folder = shared / "data" / "ark"
    if not folder.is_dir():
        pytest.skip(f"no states of the registry of NAANs at {folder}")
    files = [*sorted((folder / "history").glob("*.json")), folder / "naan_records.json"]
    return [(data, read_naan_json(data)) for data in map(Path.read_bytes, files)]
