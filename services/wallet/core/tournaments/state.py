"""What decisions need to know of the money of tournaments."""

from typing import Literal

import msgspec

from shared.contracts.director import BountyDue, StagePrizeDue
from shared.contracts.wallet import BountyPaid, StagePrizePaid

EntryStage = Literal["held", "posted", "refused", "released", "refunded"]


class Entry(msgspec.Struct, frozen=True):
    """How far one entry's money has come (PP-ENTRY); never forgotten, so never moved twice.

    `unlocked_cents` of a bonus were staked with it, and are locked again if it is refunded. The
    first into a stage 1 of a Big Shoot keeps the player in the `series` until it ends.
    """

    tournament: str
    player: str
    stage: EntryStage
    price_cents: int = 0
    fee_cents: int = 0
    ticket: str = ""
    ticket_cents: int = 0
    unlocked_cents: int = 0
    series: str = ""


class Prize(msgspec.Struct, frozen=True):
    """What was due for one place, and is paid; with `ticket_for` it was due in kind."""

    player: str
    amount_cents: int
    ticket_for: str = ""


class Ticket(msgspec.Struct, frozen=True):
    """An entry to `target` that a player won; `entry` is the one that it pays for, or paid for.

    Its worth is the balance of its ledger account.
    """

    player: str
    target: str
    entry: str = ""


class Payout(msgspec.Struct, frozen=True):
    """A player's share of an interrupted tournament, by where it came from."""

    pool_cents: int
    commission_cents: int
    top_up_cents: int

    @property
    def total_cents(self) -> int:
        return self.pool_cents + self.commission_cents + self.top_up_cents


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """What went from one tournament of a Big Shoot to the next, and who with it."""

    target: str
    series: str
    players: tuple[str, ...]
    amount_cents: int
    fee_cents: int
    commission_cents: int
    withdrawal_cents: int


def prize_key(tournament: str, place: int) -> str:
    """Name a prize: each place of a tournament is paid once. A prize in kind is a ticket so named.

    Its ledger account bears the name too.
    """
    return f"{tournament}/{place}"


def payout_key(tournament: str, player: str) -> str:
    """Name a share: each player of an interrupted tournament is paid once."""
    return f"{tournament}/{player}"


def bounty_key(bounty: BountyDue | BountyPaid) -> str:
    """Name a bounty: each winner of a knock-out is paid once; one's own comes without a hand."""
    return f"{bounty.tournament}/{bounty.hand}/{bounty.knocked_out}/{bounty.player}"


def stage_prize_key(prize: StagePrizeDue | StagePrizePaid) -> str:
    """Name what a qualified player gets instead of playing on: once a way into the target."""
    return f"{prize.tournament}/{prize.from_tournament}/{prize.player}"


def series_key(series: str, player: str) -> str:
    """Name a player in a Big Shoot."""
    return f"{series}/{player}"
