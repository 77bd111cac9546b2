"""The NAANs and shoulders that are shipped with this software, ready to be asked."""

from functools import lru_cache

from app import bundled
from app.registration.naans.naan_documents import naan_file_from
from app.resolution.ark_rules import NaanSnapshot, naan_snapshot_of


@lru_cache(maxsize=1)
def bundled_naans() -> NaanSnapshot:
    """The rules of the NAANs and shoulders that are shipped, made when they are first asked for."""
    return naan_snapshot_of(naan_file_from(bundled.naans()))
