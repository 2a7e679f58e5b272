"""How a later stage takes in a pool and its players, and when it may begin."""

from services.director.core.big_shoot.sharing import even_shares
from services.director.core.state import LISTED_MAX, Tournament
from shared.contracts.director import DirectorEvent, LeftBigShoot, PlayersQualified
from shared.contracts.wallet import PoolCarried


def carried(tournament: Tournament, fact: PoolCarried, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Register who has qualified; where that is too late, they share what has come at once.

    Nobody withdraws more than an even share of what has come along, and whoever may has the time
    to.
    """
    if any(fact.from_tournament == one.from_tournament for one in tournament.carried):
        return ()
    if not takes(tournament, fact):
        return shared_at_once(fact)
    even_share = fact.amount_cents // max(len(fact.players), 1)
    withdrawal_cents = min(fact.withdrawal_cents, even_share)
    return (
        PlayersQualified(
            tournament=fact.tournament,
            from_tournament=fact.from_tournament,
            players=fact.players,
            amount_cents=fact.amount_cents,
            fee_cents=fact.fee_cents,
            commission_cents=fact.commission_cents,
            withdrawal_cents=withdrawal_cents,
            not_before_ms=time_to_withdraw(tournament, at_ms) if withdrawal_cents else 0,
        ),
    )


def time_to_withdraw(tournament: Tournament, at_ms: int) -> int:
    """Return until when who comes now may withdraw, even if the start was to be sooner."""
    stage = tournament.agreed.big_shoot
    return at_ms + stage.withdraw_ms if stage is not None else 0


def begins_ms(tournament: Tournament) -> int:
    """Return the moment before which a scheduled tournament does not start."""
    return max(tournament.agreed.start_at_ms, *(one.not_before_ms for one in tournament.carried), 0)


def takes(tournament: Tournament, fact: PoolCarried) -> bool:
    """Tell whether players of this series can still come in."""
    if tournament.phase != "registering" or not is_later_stage(tournament):
        return False
    fits = len(tournament.registered) + len(fact.players) <= LISTED_MAX
    return tournament.series == fact.series and fits


def shared_at_once(fact: PoolCarried) -> tuple[DirectorEvent, ...]:
    """It has started or ended, was never announced, or is none of this series."""
    if not fact.players:
        return ()
    qualified = ((fact.from_tournament, player) for player in fact.players)
    shares = even_shares(fact.tournament, qualified, fact.amount_cents)
    left = LeftBigShoot(tournament=fact.tournament, series=fact.series, players=fact.players)
    return (*shares, left)


def is_later_stage(tournament: Tournament) -> bool:
    """Tell whether nobody can buy in here, since players come from the stage before."""
    stage = tournament.agreed.big_shoot
    return stage is not None and stage.stage > 1


def is_fed(tournament: Tournament) -> bool:
    """Tell whether all that it waits for of the stage before is over."""
    stage = tournament.agreed.big_shoot
    return stage is None or len(tournament.carried) >= stage.fed_by


def unfed(tournament: Tournament) -> str:
    """Say what a later stage waits for, "" when it has come."""
    stage = tournament.agreed.big_shoot
    if stage is None or is_fed(tournament):
        return ""
    return f"stage_before: {len(tournament.carried)} of {stage.fed_by} tournaments are over"
