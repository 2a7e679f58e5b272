"""How the record of a player's conduct changes."""

from msgspec.structs import replace

from services.wallet.core.conduct.standing import conduct_of
from services.wallet.core.conduct.state import Conduct, Step, Suspension
from services.wallet.core.deadlines import Deadline, with_deadline, without_deadline
from services.wallet.core.errands.queue import queued
from services.wallet.core.handlers import Evolves
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    ChatResumed,
    ChatSuspended,
    ClosureAsked,
    MailWarning,
    PlayerWarned,
    PlayResumed,
    PlaySuspended,
    ReportedToAuthorities,
    WarningMailed,
    WarningNotMailed,
)

CHAT = "chat-suspension"
PLAY = "play-suspension"


def warned(wallet: Wallet, event: PlayerWarned) -> Wallet:
    """A warning is an e-mail that has to be sent."""
    conduct = replace(conduct_of(wallet, event.player), warnings=event.number)
    wallet = with_conduct(wallet, event.player, conduct)
    return queued(wallet, MailWarning(event.player, event.number, event.reason))


def post_came_back(wallet: Wallet, _event: WarningMailed | WarningNotMailed) -> Wallet:
    """For whoever reads the history; no decision goes by it."""
    return wallet


def chat_suspended(wallet: Wallet, event: ChatSuspended) -> Wallet:
    return with_chat(wallet, event.player, suspension_in(event))


def chat_resumed(wallet: Wallet, event: ChatResumed) -> Wallet:
    return with_chat(wallet, event.player, None)


def play_suspended(wallet: Wallet, event: PlaySuspended) -> Wallet:
    return with_play(wallet, event.player, suspension_in(event))


def play_resumed(wallet: Wallet, event: PlayResumed) -> Wallet:
    return with_play(wallet, event.player, None)


def suspension_in(event: ChatSuspended | PlaySuspended) -> Suspension:
    return Suspension(event.until_ms, Step(event.author, event.reason))


def with_chat(wallet: Wallet, player: str, chat: Suspension | None) -> Wallet:
    """Put a suspension of chat, or none, in the place of the one before."""
    conduct = conduct_of(wallet, player)
    wallet = with_end(wallet, CHAT, player, conduct.chat, chat)
    return with_conduct(wallet, player, replace(conduct, chat=chat))


def with_play(wallet: Wallet, player: str, play: Suspension | None) -> Wallet:
    """Put a suspension of play, or none, in the place of the one before."""
    conduct = conduct_of(wallet, player)
    wallet = with_end(wallet, PLAY, player, conduct.play, play)
    return with_conduct(wallet, player, replace(conduct, play=play))


def with_end(
    wallet: Wallet, what: str, player: str, before: Suspension | None, now: Suspension | None
) -> Wallet:
    """Wait for the end of the suspension that counts now, and for no other's."""
    deadlines = wallet.deadlines
    if before is not None and before.until_ms is not None:
        deadlines = without_deadline(deadlines, Deadline(before.until_ms, what, player))
    if now is not None and now.until_ms is not None:
        deadlines = with_deadline(deadlines, Deadline(now.until_ms, what, player))
    return replace(wallet, deadlines=deadlines)


def closure_asked(wallet: Wallet, event: ClosureAsked) -> Wallet:
    conduct = replace(conduct_of(wallet, event.player), closure=Step(event.author, event.reason))
    return with_conduct(wallet, event.player, conduct)


def reported(wallet: Wallet, event: ReportedToAuthorities) -> Wallet:
    conduct = replace(conduct_of(wallet, event.player), report=Step(event.author, event.reason))
    return with_conduct(wallet, event.player, conduct)


def with_conduct(wallet: Wallet, player: str, conduct: Conduct) -> Wallet:
    """Return the wallet with this player's record as it is now."""
    return replace(wallet, conduct=wallet.conduct.insert(player, conduct))


EVOLVES: Evolves = {
    PlayerWarned: warned,
    WarningMailed: post_came_back,
    WarningNotMailed: post_came_back,
    ChatSuspended: chat_suspended,
    ChatResumed: chat_resumed,
    PlaySuspended: play_suspended,
    PlayResumed: play_resumed,
    ClosureAsked: closure_asked,
    ReportedToAuthorities: reported,
}
