"""Whether a request is well made, before anything is looked up: the first that fails names it.

Limits stand on everything, so that one event always fits in one commit. Precedence:

`PromiseDeck` bad_hand_id, bad_table_id
`DealHands`  bad_hand_id, bad_table_id, empty_roster, roster_too_long, bad_seat, bad_player_id,
             seat_twice, player_twice, seeds_without_promise, bad_seed, seed_of_nobody,
             seeds_out_of_order
`OpenSeats`  no_seats, seat_twice
`ViewSeat`   bad_reason, bad_key
`AskSeatKey` bad_key
`Draw`       bad_draw_id, bad_purpose, empty_candidates, too_many_candidates

A draw's event holds its order and the bytes that the order was made of. For 10,000 candidates
the first takes 50 KB of JSON, and the second never more than 108 KB (`source_bytes_max`).
"""

from collections.abc import Collection
from typing import Final

from services.dealer.core.mixing import bad_seeds
from shared.contracts.dealer import (
    AskSeatKey,
    DealHands,
    DealtIn,
    Draw,
    OpenSeats,
    PromiseDeck,
    ViewSeat,
)
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id
from shared.poker.deck import BOARD_CARDS, DECK_SIZE

ROSTER_MAX: Final = (DECK_SIZE - BOARD_CARDS) // 2
SEAT_MAX: Final = 255
KEY_BYTES: Final = 32
WORDS_MAX: Final = 200
CANDIDATES_MAX: Final = 10_000


def bad_names(request: PromiseDeck | DealHands) -> Refused | None:
    """Check which hand and table a deck is for."""
    if not is_derived_id(request.hand, "hnd"):
        return Refused("bad_hand_id")
    if not is_derived_id(request.table, "tbl"):
        return Refused("bad_table_id")
    return None


def bad_deal(request: DealHands) -> Refused | None:
    """Check a request for a deck."""
    named_wrong = bad_names(request)
    if named_wrong is not None:
        return named_wrong
    if not request.roster:
        return Refused("empty_roster")
    if len(request.roster) > ROSTER_MAX:
        return Refused("roster_too_long", f"at most {ROSTER_MAX} players")
    return bad_roster(request.roster) or bad_seeds(request.promise, request.roster, request.seeds)


def bad_roster(roster: tuple[DealtIn, ...]) -> Refused | None:
    """Check who is dealt in: every seat and every player once."""
    for dealt in roster:
        if not 1 <= dealt.seat <= SEAT_MAX:
            return Refused("bad_seat", f"seats count from 1 to {SEAT_MAX}")
        if not is_derived_id(dealt.player, "ply"):
            return Refused("bad_player_id")
    if repeats([dealt.seat for dealt in roster]):
        return Refused("seat_twice")
    if repeats([dealt.player for dealt in roster]):
        return Refused("player_twice")
    return None


def bad_opening(request: OpenSeats) -> Refused | None:
    """Check which seats are to be opened."""
    if not request.seats:
        return Refused("no_seats")
    if repeats(request.seats):
        return Refused("seat_twice")
    return None


def bad_view(request: ViewSeat) -> Refused | None:
    """Check the words and the key of a look at one seat."""
    if not is_words(request.reason):
        return Refused("bad_reason", f"1 to {WORDS_MAX} printable ASCII characters")
    return bad_reply_key(request)


def bad_reply_key(request: ViewSeat | AskSeatKey) -> Refused | None:
    """Check the length only; whether the curve takes the key is the shell's to say."""
    if len(request.to_key) != KEY_BYTES:
        return Refused("bad_key", f"a public key has {KEY_BYTES} bytes")
    return None


def bad_draw(request: Draw) -> Refused | None:
    """Check a request for an order."""
    if not is_derived_id(request.draw, "drw"):
        return Refused("bad_draw_id")
    if not is_words(request.purpose):
        return Refused("bad_purpose", f"1 to {WORDS_MAX} printable ASCII characters")
    if request.count < 1:
        return Refused("empty_candidates")
    if request.count > CANDIDATES_MAX:
        return Refused("too_many_candidates", f"at most {CANDIDATES_MAX}")
    return None


def is_words(text: str) -> bool:
    """Say whether this is short, visible and the same in JSON as it stands."""
    return (
        0 < len(text) <= WORDS_MAX
        and text.isascii()
        and text.isprintable()
        and '"' not in text
        and "\\" not in text
    )


def repeats(values: Collection[object]) -> bool:
    """Say whether any value occurs twice."""
    return len(set(values)) < len(values)
