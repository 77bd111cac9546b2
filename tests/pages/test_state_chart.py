"""How many there are of each state is drawn as a bar each."""

from app.assigned_names.assigned_name_records import AssignedNameState
from app.pages.diagrams.procedure_graph import state_chart


def test_each_state_has_a_bar_and_one_of_few_can_be_seen() -> None:
    chart = state_chart([("Reserved", 1), ("Public", 30_000), ("Withdrawn", 0)])
    assert chart is not None
    few, most, none = chart.bars
    assert (few.width, none.width) == (2, 0)
    assert chart.begin + most.width < chart.width
    assert [bar.y for bar in chart.bars] == sorted({bar.y for bar in chart.bars})
    assert most.y < none.y + chart.thickness <= chart.height
    assert chart.words == "Reserved: 1, Public: 30,000, Withdrawn: 0"


def test_the_word_of_a_state_ends_before_its_bar_where_letters_are_largest() -> None:
    labels = [state.label for state in AssignedNameState]
    chart = state_chart([(label, 1) for label in labels])
    assert chart is not None
    phone, widest = 24, 0.58  # units of a letter's height on a phone; the width of one, on average
    assert max(map(len, labels)) * widest * phone < chart.begin
    assert chart.begin + chart.bars[0].width + 8 + len("30,000") * widest * phone <= chart.width


def test_nothing_of_any_state_has_no_chart() -> None:
    assert state_chart([("Public", 0)]) is None
    assert state_chart([]) is None
