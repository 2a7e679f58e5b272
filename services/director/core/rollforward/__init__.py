"""Paying out an interrupted tournament (rulebook §6): a pure function from a case to a sheet."""

from services.director.core.rollforward.case import Case, Survivor
from services.director.core.rollforward.checks import problem_of
from services.director.core.rollforward.policies import shares_of
from services.director.core.rollforward.sheet import Sheet, SheetLine, sheet_of
from shared.kernel.decider import Refused

__all__ = ["Case", "Sheet", "SheetLine", "Survivor", "roll_forward"]


def roll_forward(case: Case) -> Sheet | Refused:
    """Return what everybody is paid, to the cent, or why this case cannot be paid out."""
    problem = problem_of(case)
    return problem if problem is not None else sheet_of(case, shares_of(case))
