"""A stage of a Big Shoot as a person reads of it (BH-BIGSHOOT, PP-LOBBY)."""

from services.cli.printable import printable
from services.cli.tournament.figures import lasting, percent
from services.cli.wallet.screen import euros
from services.director.core.big_shoot import LAST_TO_BUY_AGAIN
from shared.contracts.director import BigShoot, QualifyingPrizes


def qualifying(prizes: QualifyingPrizes, stage: int) -> str:
    """Tell who goes on where, and what they may have instead."""
    going_on = f"{percent(prizes.winners)} of the entries go on to {printable(prizes.target)}"
    if not prizes.withdrawal_cents:
        return f"{going_on}, with the whole pool"
    instead = f"who withdraws before that starts gets €{euros(prizes.withdrawal_cents)} of it"
    less = ", or an even share where that is less" if stage > 1 else ""
    return f"{going_on}, with the whole pool; {instead}{less}"


def place_in_series(stage: BigShoot) -> str:
    """Tell where in the series it stands, and what it waits for."""
    of_series = f"stage {stage.stage} of {printable(stage.series)}"
    if not stage.series:
        of_series = f"stage {stage.stage}, the final"
    told = [of_series]
    if stage.stage > 1:
        over = f"{stage.fed_by:,} of stage {stage.stage - 1} {'is' if stage.fed_by == 1 else 'are'}"
        told.append(f"starts once {over} over, with who has qualified there and their pools")
        told.append(f"whoever may withdraw then has {lasting(stage.withdraw_ms)} at least")
    if stage.series and stage.stage <= LAST_TO_BUY_AGAIN:
        told.append("who is out may buy into another one of stage 1")
    return "; ".join(told)
