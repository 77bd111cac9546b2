"""NAANs and shoulders in the world of the tables: held, held by nobody, and asked for."""

from app.registration.declarations.naan_registries import NAAN_SPACE, SHOULDER_SPACE, SHOULDERS
from app.services.delegates import delegation, transfers
from app.services.registry.naan_import import import_naans, read_naan_file
from app.services.requests import drafts, revisions
from app.store.accounts import delegate_rows
from app.store.database import read_transaction, transaction
from app.store.requests import request_rows
from app.store.tables.delegates import ClaimKind, DelegateOrigin
from app.workflow.states import Action
from tests import factories
from tests.conftest import START
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of

# The numbers of requests that this world has more; each begins with what it asks for.
NAAN_REQUESTS = (
    *("naan_draft", "naan_new", "naan_checked", "naan_returned", "naan_given", "naan_declined"),
    *("naan_revision", "shoulder_draft", "shoulder_new"),
)
# The registrant acts for all but the last, which nobody does.
HELD = ((NAAN_SPACE, "24680"), (NAAN_SPACE, "13579"), (SHOULDER_SPACE, "24680/x5"))
_FILE = file_of(
    entry_of(LIBRARY),
    entry_of(SHOULDER),
    entry_of(LIBRARY, what="13579"),
    entry_of(LIBRARY, what="97531"),
)


def with_naans(registrant: int, involved: int, secret: str) -> dict[str, int]:
    """Take over NAANs and ask for some; the registrant and the operator with a part act for them.

    13579 is about to be handed over, and somebody is invited to act for it.
    """
    import_naans(read_naan_file(_FILE), START)
    with transaction():
        for space, name in HELD:
            held = delegate_rows.find_name(space, name)
            assert held is not None
            for account in (registrant, involved):
                delegate_rows.add(held, account, DelegateOrigin.INVITED, START)
    people = factories.cast(START)
    transfers.ask(
        factories.command(people.registrant, START, secret=secret),
        *("13579", "Wombats", "w@wombat.example", "They merged."),
        space=NAAN_SPACE,
    )
    holder = factories.command(people.registrant, START, secret=secret)
    delegation.invite(holder, "new@wombat.example", "13579", space=NAAN_SPACE)
    with read_transaction():
        held = delegate_rows.find_name(NAAN_SPACE, "13579")
        assert held is not None
        (invited,) = delegate_rows.open_claims(held, ClaimKind.INVITATION)
        about = {"naan_invited": invited.number}
    numbers = dict(zip(NAAN_REQUESTS, _asked(people), strict=True))
    with transaction():
        for number in numbers.values():
            request = request_rows.find_request(number)
            scope = delegate_rows.scope_of_request(request) if request else None
            if scope is not None and scope.request:
                delegate_rows.add(scope, involved, DelegateOrigin.INVITED, START)
    return numbers | about


def _asked(people: factories.Cast) -> tuple[int, ...]:
    """Requests in the order of ``NAAN_REQUESTS``."""
    draft = factories.naan_draft(people, START)
    new = factories.naan_draft(people, START, organization="Potoroo Library")
    factories.act(new, Action.SUBMIT, people.registrant, START)
    checked = factories.checked_naan(people, START, organization="Bilby Library")
    returned, declined = (
        factories.checked_naan(people, START, organization=f"{name} Library")
        for name in ("Quenda", "Kowari")
    )
    why = {"reason": "Which texts have no number yet?"}
    factories.act(returned, Action.RETURN, people.operator, START, **why)
    factories.act(declined, Action.DECLINE, people.operator, START, **why)
    given = factories.checked_naan(people, START, organization="Numbat Library")
    factories.act(given, Action.REGISTER, people.operator, START)
    holder = factories.command(people.registrant, START)
    revision = revisions.start(holder, "24680", space=NAAN_SPACE)
    shoulder_draft, shoulder_new = (_shoulder(people, name) for name in ("b7", "c6"))
    factories.act(shoulder_new, Action.SUBMIT, people.registrant, START)
    return (
        *(draft, new, checked, returned, given, declined),
        *(revision, shoulder_draft, shoulder_new),
    )


def _shoulder(people: factories.Cast, name: str) -> int:
    """A draft for a shoulder that breaks no rule."""
    number = drafts.start(factories.command(people.registrant, START), SHOULDERS.id)
    answers = {
        "naan_name": f"24680/{name}",
        "organization": "Rare Books",
        "organization_kind": "NP",
        "web_address": "https://rare.example/",
        "target": "https://rare.example/ark:${content}",
    }
    private = {"naan_contact": "Robin Registrant", "naan_address": "robin@wombat.example"}
    saving = drafts.DraftInput(fields=answers, private=private, organization="Rare Books")
    drafts.save(factories.command(people.registrant, START, seen=1), number, saving)
    return number
