"""How many there are of each state is drawn as a bar each."""

from app.pages.diagrams.state_chart import state_chart


def test_each_state_has_a_bar_and_one_of_few_can_be_seen() -> None:
    chart = state_chart([("Reserved", 1), ("Public", 30_000), ("Withdrawn", 0)])
    assert chart is not None
    few, most, none = chart.bars
    assert (few.width, none.width) == (2, 0)
    assert chart.begin + most.width < chart.width
    assert [bar.y for bar in chart.bars] == sorted({bar.y for bar in chart.bars})
    assert most.y < none.y + chart.thickness <= chart.height
    assert chart.words == "Reserved: 1, Public: 30,000, Withdrawn: 0"


def test_nothing_of_any_state_has_no_chart() -> None:
    assert state_chart([("Public", 0)]) is None
    assert state_chart([]) is None
