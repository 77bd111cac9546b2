"""How much work a question may take, counted in steps, since these rooms know no clock."""


class BudgetExceeded(Exception):
    """A question takes more steps than it was given; it stays undecided."""


class Budget:
    """Steps that are left; the last one raises BudgetExceeded."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise BudgetExceeded
