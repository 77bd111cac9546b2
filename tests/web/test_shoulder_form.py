"""The form for a shoulder says at once, and at its field, which rule is broken."""

from dataclasses import replace

from app.registration.declarations.naan_registries import SHOULDERS
from app.services.registry.naan_import import import_naans, read_naan_file
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of
from tests.web.test_naan_requests import begun, visitor


def test_a_shoulder_that_breaks_a_rule_is_refused_on_its_page(
    make_app: MakeApp, clock: Clock
) -> None:
    app = make_app(demo=True)
    with app.app_context():
        robin = visitor(app, factories.cast(clock()).registrant.email, clock)
        odd = entry_of(replace(SHOULDER, shoulder="bn"))
        file = file_of(entry_of(LIBRARY), entry_of(SHOULDER), odd)
        import_naans(read_naan_file(file), clock.on(minutes=1))
        number = begun(robin, SHOULDERS.id)
        for section, field, text, told in (
            ("name-and-purpose", "naan_name", "24680/x5", "It is given already"),
            ("name-and-purpose", "naan_name", "24680/bn5", "is begun by, 24680/bn: a name"),
            ("name-and-purpose", "naan_name", "24680/x55", "so this is x5. Ask for that."),
            ("name-and-purpose", "naan_name", "24680/a5", "a stands in no shoulder."),
            ("name-and-purpose", "naan_name", "24680/x6", ""),
            ("assignment", "mask", "x5.zed", "Write x6.zed."),
            ("assignment", "mask", "zed", ""),
        ):
            page = robin.send(f"/requests/{number}/edit/{section}", {field: text})
            assert page.status == (422 if told else 303), (text, page.words)
            if told:
                assert told in page.text(f"//*[@data-told='{field}']")
