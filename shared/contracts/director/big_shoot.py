"""A Big Shoot (BH-BIGSHOOT): tournaments in stages, each fed by those of the stage before.

What a tournament has collected and who has qualified in it go to its target by way of the wallet:
`QualifiersNamed` here, `PoolCarried` there, `PlayersQualified` in the target's own history.
Amounts are integer cents; fee and commission are the price of one entry into stage 1.
"""

from typing import final

import msgspec

from shared.contracts.message import Command, Event


class BigShoot(msgspec.Struct, frozen=True, kw_only=True):
    """Which stage of which Big Shoot this is: `series` is the id of the final, "" in itself.

    Entries into stage 1 are sold, those into later stages are not; a later one begins once it has
    been `fed_by` so many tournaments of the stage before, and no sooner than `withdraw_ms` after
    players have come who may withdraw.
    """

    series: str
    stage: int
    fed_by: int = 0
    withdraw_ms: int = 60_000


@final
class Withdraw(Command, frozen=True, tag="director.withdraw.v1"):
    """Take the part payment instead of playing on; asked of the next stage, before its start."""

    player: str


@final
class QualifiersNamed(Event, frozen=True, tag="director.qualifiers-named.v1"):
    """It is over: these go on to the target, and the whole pool with them.

    One that was cancelled sends nobody and nothing.
    """

    tournament: str
    series: str
    target: str
    players: tuple[str, ...]
    amount_cents: int
    fee_cents: int
    commission_cents: int
    withdrawal_cents: int


@final
class PlayersQualified(Event, frozen=True, tag="director.players-qualified.v1"):
    """A pool has come from a tournament of the stage before; who has qualified is registered.

    The stage does not start before the moment `not_before_ms`, so that they can withdraw.
    """

    tournament: str
    from_tournament: str
    players: tuple[str, ...]
    amount_cents: int
    fee_cents: int
    commission_cents: int
    withdrawal_cents: int
    not_before_ms: int = 0


@final
class StagePrizeDue(Event, frozen=True, tag="director.stage-prize-due.v1"):
    """What a qualified player gets out of the target's pool instead of playing there.

    The part payment of who `withdrew`, or a share where there is no next stage to play.
    """

    tournament: str
    from_tournament: str
    player: str
    amount_cents: int
    withdrew: bool


@final
class LeftBigShoot(Event, frozen=True, tag="director.left-big-shoot.v1"):
    """These have nothing more to play for in this series, and may buy into its stage 1 again."""

    tournament: str
    series: str
    players: tuple[str, ...]


BigShootEvent = QualifiersNamed | PlayersQualified | StagePrizeDue | LeftBigShoot
