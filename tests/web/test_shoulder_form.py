"""The form for a shoulder says at once, and at its field, which rule is broken."""

from dataclasses import replace

from app.registration.declarations.naan_registries import SHOULDERS
from app.services.registry.naan_import import import_naans, read_naan_file
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of
from tests.web.test_naan_requests import ANSWERS, begun, visitor

_HELD = "You don't manage"


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
            ("name-and-purpose", "naan_name", "24680/x5", "It is already assigned"),
            ("name-and-purpose", "naan_name", "24680/bn5", "overlaps with 24680/bn"),
            ("name-and-purpose", "naan_name", "24680/x55", "so this is x5, which is taken."),
            ("name-and-purpose", "naan_name", "24680/a5", "t contain a."),
            ("name-and-purpose", "naan_name", "ark:/24680/x6", ""),
            ("assignment", "mask", "x5.zed", "Use x6.zed."),
            ("assignment", "mask", "zed", ""),
            ("safety-and-use", "test_ark", "ark:12148/x61", "Enter one of your own ARKs"),
            ("safety-and-use", "test_ark", "ark:24680/x51", "such as ark:24680/x61"),
            ("safety-and-use", "test_ark", "ark:/24680/x-61", ""),
        ):
            page = robin.send(f"/requests/{number}/edit/{section}", {field: text})
            assert page.status == (422 if told else 303), (text, page.words)
            if told:
                assert told in page.text(f"//*[@data-told='{field}']")


def test_a_shoulder_lies_under_a_naan_that_is_there_and_the_operator_is_told_whose_it_is(
    make_app: MakeApp, clock: Clock
) -> None:
    app = make_app(demo=True)
    with app.app_context():
        people = factories.cast(clock())
        robin, odell = (
            visitor(app, one.email, clock) for one in (people.registrant, people.operator)
        )
        own = factories.registered_naan(people, clock())
        import_naans(read_naan_file(file_of(entry_of(LIBRARY))), clock.on(minutes=1))
        number = begun(robin, SHOULDERS.id)
        there = f"/requests/{number}"
        page = robin.send(f"{there}/edit/name-and-purpose", {"naan_name": "13579/x7"})
        assert page.status == 422
        assert "The NAAN 13579 is not in use" in page.text("//*[@data-told='naan_name']")
        robin.send(f"{there}/edit/registrant", ANSWERS["registrant"])
        for name, is_told in (("99152/x7", False), (f"{own}/x7", False), ("24680/x7", True)):
            page = robin.send(f"{there}/edit/name-and-purpose", {"naan_name": name})
            assert page.status == 303, page.words
            assert (_HELD in robin.get(f"{there}/check").words) is is_told, name
        assert robin.send(f"{there}/check").status == 303
        assert odell.send(there, action=f"{there}/take").status == 303
        assert f"{_HELD} ark:24680" in odell.get(there).words
        deciding = f"/desk/{number}/register"
        page = odell.get(deciding)
        assert f"{_HELD} ark:24680" in page.words
        assert page.each("//main//textarea[@name='reason']")
        refused = odell.send(deciding, {"reason": ""})
        assert refused.status == 422
        assert refused.each("//*[@id='reason_error_1']")
        agreed = "Robin Roe of the library agreed by telephone."
        assert odell.send(deciding, {"reason": agreed}).status == 303
        assert agreed in robin.get(there).text("//main")
