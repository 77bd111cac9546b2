"""Names under prefixes: of one that is minted under, and of one whose names were brought in."""

from app.assigned_names.name_formats import read_name_csv
from app.bundles.given_numbers import GivenNumberFolder
from app.services.assigned_names import minting, name_import, prefixes
from app.services.assigned_names.prefixes import PrefixRules
from tests import factories
from tests.conftest import START

# The numbers that this world has more: a prefix that is minted under, one without a mask, whoever
# is a delegate, what was minted at once, and a file that was brought in.
GIVEN_NAMES = ("prefix", "named", "name_delegate", "name_batch", "name_import")
_FILE = b"name,target,what\nark:24680/w8a,https://wombat.example/a,Boat\nark:99999/x1,,\n"


def with_given_names(given: GivenNumberFolder) -> dict[str, int]:
    """Let the registrant hold prefixes, the rival give names under one, and names be there."""
    people = factories.cast(START)
    holder = people.registrant
    minted = prefixes.add_prefix(
        factories.command(holder, START),
        "ark:24680/m7",
        holder.email,
        PrefixRules(numbering="reedeedk", label="Boats"),
    )
    named = prefixes.add_prefix(
        factories.command(holder, START), "ark:24680/w8", holder.email, PrefixRules()
    )
    for one in (minted, named):
        prefixes.add_delegate(factories.command(holder, START), one, people.rival.email)
    batch = minting.mint(factories.command(holder, START), minted, 3, given=given)
    made = name_import.import_names(
        factories.command(holder, START), "of a test", read_name_csv([_FILE]), given=given
    )
    about = (minted, named, people.rival.id, batch, made.ident)
    return dict(zip(GIVEN_NAMES, about, strict=True))
