"""A Big Shoot (BH-BIGSHOOT): freeze-outs in stages, each of them a tournament of its own.

`feeding` is what one says when it is over, `arriving` how the next one takes in pool and players,
`withdrawing` the part payment, `leaving` who may buy into stage 1 again.
"""

from services.director.core.big_shoot.arriving import (
    begins_ms,
    carried,
    is_fed,
    is_later_stage,
    unfed,
)
from services.director.core.big_shoot.feeding import (
    finished,
    given_up,
    has_bye,
    has_qualified,
    passed,
)
from services.director.core.big_shoot.leaving import LAST_TO_BUY_AGAIN, out
from services.director.core.big_shoot.sharing import price_of, shared_out
from services.director.core.big_shoot.terms import big_shoot_problems, id_problems
from services.director.core.big_shoot.withdrawing import withdraw

__all__ = [
    "LAST_TO_BUY_AGAIN",
    "begins_ms",
    "big_shoot_problems",
    "carried",
    "finished",
    "given_up",
    "has_bye",
    "has_qualified",
    "id_problems",
    "is_fed",
    "is_later_stage",
    "out",
    "passed",
    "price_of",
    "shared_out",
    "unfed",
    "withdraw",
]
