"""The registry's facts as they are shipped, each file as its bytes.

``read`` gives the registry of URN namespaces as IANA published it on 2026-07-28, in the
form in which this project stores records, with the name ``ad-id``, which became ``adid``.
People stand there without their addresses.
"""

from importlib.resources import files


def read() -> bytes:
    """The facts of the registry, as JSON."""
    return _shipped("urn-namespaces.json")


def history() -> bytes:
    """The registry of URN namespaces on six former days, from 2015-10-19 to 2023-11-30, as JSON.

    ``app.registration.records.registry_history.history_read`` gives the states. The second and the
    third are those between which ``ad-id`` became ``adid``.
    """
    return _shipped("urn-namespaces-history.json")


def rfc_titles() -> bytes:
    """The titles of the RFCs that the registry ever referred to, as JSON: by ``rfc2141``."""
    return _shipped("rfc-titles.json")


def profiles() -> bytes:
    """What the namespaces say of themselves, as JSON by folded names."""
    return _shipped("profiles.json")


def naans() -> bytes:
    """The NAANs and shoulders that the ARK Alliance published on 2024-11-07, as JSON, one a line.

    ``app.registration.naans.naan_documents.naan_file_from`` gives the records.
    """
    return _shipped("naans.json")


def demo() -> bytes:
    """The sample data of the demo, as JSON: what its users do, and how many days ago."""
    return _shipped("demo.json")


def _shipped(name: str) -> bytes:
    return files("app.bundled").joinpath(name).read_bytes()
