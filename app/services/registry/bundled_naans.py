"""The NAANs and shoulders that the software includes; commands read them without a database."""

from functools import lru_cache

from app import bundled
from app.registration.naans.naan_documents import naan_file_from
from app.resolution.ark_rules import NaanSnapshot, naan_snapshot_of


@lru_cache(maxsize=1)
def bundled_naans() -> NaanSnapshot:
    """Return the rules of the included NAANs and shoulders, made on first use."""
    return naan_snapshot_of(naan_file_from(bundled.naans()))
