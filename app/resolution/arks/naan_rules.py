"""Records of the registry of NAANs -> the rules by which their ARKs are led on."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from app.registration.naans.naan_file_days import day_in_metadata
from app.registration.naans.naan_records import NaanFile, NaanRow, name_key, split_status
from app.registration.naans.policy_wording import policy_statements, unknown_statements
from app.resolution.arks.ark_rule_books import ArkRuleBook, ark_book_of
from app.resolution.arks.ark_rules import REDIRECTS, ArkRules


class NaanSnapshot(NamedTuple):
    """The rules of all NAANs and shoulders as a file has them, and the day of which it is.

    ``day`` is empty where the file does not say it. ``checks`` has the prefixes under which this
    site mints identifiers, such as ``ark:12345/x5``, and whether these end in a check character.
    """

    book: ArkRuleBook
    day: str = ""
    checks: Mapping[str, bool] = MappingProxyType({})

    def minted_with_check(self, ark: str) -> bool | None:
        above = (ark[:end] for end in range(len(ark) - 1, 0, -1)) if self.checks else ()
        return next((self.checks[prefix] for prefix in above if prefix in self.checks), None)


def ark_rules_of(record: NaanRow) -> ArkRules:
    """The rules of a NAAN or a shoulder, made of what is on file.

    Raises KeyError for a status that no record of a NAAN has, which no reader of records lets in.
    What holds no fact is left out: the zero of a clock is no day, and ``(:unkn)`` declares nothing.
    """
    return ArkRules(
        prefix=name_key(record.name),
        holder=record.holder,
        native_name=record.native_name or "",
        acronym=record.acronym or "",
        where=split_status(record.where)[1],
        target=record.target,
        redirect=REDIRECTS[record.status],
        since=record.day,
        policy=tuple(map(str, policy_statements(record.policy))),
        policy_text=record.policy if unknown_statements(record.policy) else "",
        policy_address=record.policy_address or "",
        tenure=record.tenure,
        test_ark=record.test_ark or "",
    )


def naan_snapshot_of(file: NaanFile) -> NaanSnapshot:
    rules = map(ark_rules_of, file.records)
    return NaanSnapshot(ark_book_of(rules), day_of_file(file))


def day_of_file(file: NaanFile) -> str:
    return day_in_metadata(dict(file.metadata))
