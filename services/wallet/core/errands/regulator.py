"""The regulator's ids, once they are issued (BP-REGULATOR-IDS)."""

from msgspec.structs import replace

from services.wallet.core.errands.commands import ParticipationIssued, SessionIssued
from services.wallet.core.handlers import Decides, Evolves
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import ParticipationIdIssued, SessionIdIssued, WalletEvent


def session_issued(wallet: Wallet, outcome: SessionIssued, _now: Now) -> tuple[WalletEvent, ...]:
    """A tournament gets its id once."""
    if wallet.session_ids.get(outcome.tournament):
        return ()
    return (SessionIdIssued(tournament=outcome.tournament, session_id=outcome.session_id),)


def participation_issued(
    wallet: Wallet, outcome: ParticipationIssued, _now: Now
) -> tuple[WalletEvent, ...]:
    """An entry gets its id once."""
    if outcome.entry in wallet.participation_ids:
        return ()
    issued = ParticipationIdIssued(
        tournament=outcome.tournament,
        entry=outcome.entry,
        player=outcome.player,
        participation_id=outcome.participation_id,
    )
    return (issued,)


def with_session_id(wallet: Wallet, event: SessionIdIssued) -> Wallet:
    return replace(
        wallet, session_ids=wallet.session_ids.insert(event.tournament, event.session_id)
    )


def with_participation_id(wallet: Wallet, event: ParticipationIdIssued) -> Wallet:
    ids = wallet.participation_ids.insert(event.entry, event.participation_id)
    return replace(wallet, participation_ids=ids)


OUTCOMES: Decides = {
    SessionIssued: session_issued,
    ParticipationIssued: participation_issued,
}
EVOLVES: Evolves = {
    SessionIdIssued: with_session_id,
    ParticipationIdIssued: with_participation_id,
}
