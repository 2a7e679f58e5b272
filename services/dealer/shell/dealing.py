"""The dealer as the runtime sees it: requests in, facts and sealed replies out.

This wraps the pure core with what may not be there: entropy and the vault. Secrets are touched
only after the core has found nothing against the request. When the runtime decides again after
a conflict, a fresh deck may be made; only the committed one counts, and every answer is read
from the committed facts.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import assert_never

from services.dealer.core import DECIDER, Dealings, deck_from, order_from, verdict_on
from services.dealer.core.commands import (
    CommitDeck,
    DealerCommand,
    OpenBoard,
    RecordDraw,
    RecordOpenings,
    RecordView,
)
from services.dealer.core.shuffle import BUFFER_BYTES
from services.dealer.shell.replies import replied
from services.dealer.shell.sealing import SEED_BYTES, deck_of, seal_deck, seal_hands, unseal_deck
from services.dealer.shell.vault import Vault
from shared.contracts.dealer import (
    AskSeatKey,
    DealBoard,
    DealerEvent,
    DealerRequest,
    DealHands,
    DeckCommitted,
    Draw,
    OpenSeats,
    SeatOpening,
    ViewSeat,
)
from shared.contracts.message import Reply
from shared.kernel.decider import Decider, Refused
from shared.poker.deck import CARDS, board_positions, seat_positions
from shared.runtime.ports import Entropy
from shared.runtime.sealed import KEY_BYTES, BadKey, agreed

PROBE = bytes(KEY_BYTES)

Stepped = tuple[tuple[DealerEvent, ...], Dealings] | Refused


def make_decider(vault: Vault, entropy: Entropy) -> Decider[Dealings, DealerRequest, DealerEvent]:
    """Return the decider whose commands are the requests themselves."""
    dealing = Dealing(vault, entropy)
    return Decider(initial=DECIDER.initial, step=dealing.step, evolve=DECIDER.evolve)


def make_respond(
    vault: Vault, entropy: Entropy
) -> Callable[[Dealings, DealerRequest], Reply | None]:
    """Return what answers an accepted request from the state after its commit."""
    return partial(replied, vault, entropy)


class Dealing:
    """Makes the material of a fact and gives it to the core."""

    def __init__(self, vault: Vault, entropy: Entropy) -> None:
        self._vault = vault
        self._entropy = entropy

    def step(self, dealings: Dealings, request: DealerRequest, at_ms: int) -> Stepped:
        """Refuse, find it recorded, or make what is missing and record it."""
        verdict = verdict_on(dealings, request)
        if isinstance(verdict, Refused):
            return verdict
        unable = self.unable(dealings, request, verdict == "due")
        if unable is not None:
            return unable
        if verdict == "recorded" or isinstance(request, AskSeatKey):
            return (), dealings
        return DECIDER.step(dealings, self.command(dealings, request), at_ms)

    def unable(self, dealings: Dealings, request: DealerRequest, due: bool) -> Refused | None:
        """Say what only this process can know: the key is unusable, or the vault's is gone."""
        deck, secret = dealings.deck, isinstance(request, ViewSeat | AskSeatKey)
        if deck is not None and (due or secret) and deck.vault_key not in self._vault.keys:
            return Refused("vault_key_missing", deck.vault_key)
        if isinstance(request, ViewSeat | AskSeatKey) and not usable(request.to_key):
            return Refused("bad_key", "not a usable X25519 public key")
        return None

    def command(self, dealings: Dealings, request: DealerRequest) -> DealerCommand:
        """Branch once, here: which material this request needs."""
        match request:
            case DealHands():
                return self.fresh_deck(request)
            case Draw():
                return RecordDraw(request, order_from(len(request.candidates), self.buffers()))
            case ViewSeat():
                return RecordView(request)
            case DealBoard():
                return self.board(committed_in(dealings), request)
            case OpenSeats():
                return self.openings(committed_in(dealings), request)
            case AskSeatKey():
                raise TypeError("a seat key is never recorded")
            case _:
                assert_never(request)

    def fresh_deck(self, request: DealHands) -> CommitDeck:
        """Shuffle, salt, commit and seal (PP-RNG)."""
        numbers = deck_from(self.buffers())
        cards = tuple(CARDS[number] for number in numbers)
        deck = deck_of(request.hand, cards, self._entropy(SEED_BYTES))
        vault_key = self._vault.keys[self._vault.current]
        return CommitDeck(
            request,
            deck.tree.root,
            self._vault.current,
            seal_deck(vault_key, deck, self._entropy),
            seal_hands(vault_key, deck, request.roster),
        )

    def board(self, committed: DeckCommitted, request: DealBoard) -> OpenBoard:
        """Open one street."""
        deck = unseal_deck(self._vault.keys[committed.vault_key], committed)
        positions = board_positions(request.street, len(committed.roster))
        return OpenBoard(request, deck.opened(positions))

    def openings(self, committed: DeckCommitted, request: OpenSeats) -> RecordOpenings:
        """Open the hole cards of these seats."""
        deck = unseal_deck(self._vault.keys[committed.vault_key], committed)
        seats = [dealt.seat for dealt in committed.roster]
        return RecordOpenings(
            request,
            tuple(
                SeatOpening(seat=seat, openings=deck.opened(seat_positions(seats, seat)))
                for seat in request.seats
            ),
        )

    def buffers(self) -> Iterator[bytes]:
        """Ask the generator for one buffer after the other, as they are needed."""
        while True:
            yield self._entropy(BUFFER_BYTES)


def committed_in(dealings: Dealings) -> DeckCommitted:
    """Return the deck that the verdict has already found."""
    if dealings.deck is None:
        raise TypeError("no deck is committed")
    return dealings.deck


def usable(to_key: bytes) -> bool:
    """Say whether a secret can be agreed on with this key: the same for every private key."""
    try:
        agreed(PROBE, to_key)
    except BadKey:
        return False
    return True
