"""The dealer as the runtime sees it: requests in, facts and sealed replies out.

This wraps the pure core with what may not be there: entropy and the vault. Secrets are touched
only after the core has found nothing against the request. When the runtime decides again after
a conflict, with a fresh deck, only the committed one counts, and every answer is read from the
committed facts.
"""

from collections.abc import Callable
from functools import partial
from typing import assert_never

from services.dealer.core import DECIDER, Dealings, verdict_on
from services.dealer.core.commands import (
    CommitDeck,
    DealerCommand,
    OpenBoard,
    RecordDraw,
    RecordOpenings,
    RecordView,
)
from services.dealer.shell.promising import Shuffled, promised
from services.dealer.shell.replies import replied
from services.dealer.shell.sealing import SEED_BYTES, deck_of, seal_deck, seal_hands, unseal_deck
from services.dealer.shell.shuffling import Shuffles
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
    PromiseDeck,
    SeatOpening,
    ViewSeat,
)
from shared.contracts.message import Reply
from shared.kernel.decider import Decider, Refused
from shared.poker.deck import board_positions, seat_positions
from shared.runtime.ports import Entropy
from shared.runtime.sealed import KEY_BYTES, BadKey, agreed

PROBE = bytes(KEY_BYTES)

Stepped = tuple[tuple[DealerEvent, ...], Dealings] | Refused


def make_decider(
    vault: Vault, entropy: Entropy, shuffles: Shuffles
) -> Decider[Dealings, DealerRequest, DealerEvent]:
    """Return the decider whose commands are the requests themselves.

    It deals what `shuffles` was told to prepare, and nothing else.
    """
    dealing = Dealing(vault, entropy, shuffles)
    return Decider(initial=DECIDER.initial, step=dealing.step, evolve=DECIDER.evolve)


def make_respond(
    vault: Vault, entropy: Entropy
) -> Callable[[Dealings, DealerRequest], Reply | None]:
    """Return what answers an accepted request from the state after its commit."""
    return partial(replied, vault, entropy)


class Dealing:
    """Makes the material of a fact and gives it to the core."""

    def __init__(self, vault: Vault, entropy: Entropy, shuffles: Shuffles) -> None:
        self._vault = vault
        self._entropy = entropy
        self._shuffles = shuffles

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
        if isinstance(request, DealHands):
            return self.deal(dealings, request, at_ms)
        return DECIDER.step(dealings, self.command(dealings, request), at_ms)

    def deal(self, dealings: Dealings, request: DealHands, at_ms: int) -> Stepped:
        """Commit to the deck that is registered for this hand; without one, ask again."""
        if request.promise:
            shuffled = self._shuffles.take_promised(request)
        else:
            shuffled = self._shuffles.take(request.hand)
        if shuffled is None:
            return Refused("unavailable", "the registry of used decks does not answer")
        return DECIDER.step(dealings, self.fresh_deck(request, shuffled), at_ms)

    def unable(self, dealings: Dealings, request: DealerRequest, due: bool) -> Refused | None:
        """Say what only this process can know: the key is unusable, or the vault's is gone."""
        deck, secret = dealings.deck, isinstance(request, ViewSeat | AskSeatKey)
        sealed = dealings.promise if isinstance(request, DealHands) else deck
        if sealed is not None and (due or secret) and sealed.vault_key not in self._vault.keys:
            return Refused("vault_key_missing", sealed.vault_key)
        if isinstance(request, ViewSeat | AskSeatKey) and not usable(request.to_key):
            return Refused("bad_key", "not a usable X25519 public key")
        return None

    def command(
        self, dealings: Dealings, request: PromiseDeck | DealBoard | ViewSeat | OpenSeats | Draw
    ) -> DealerCommand:
        """Branch once, here: which material this request needs."""
        match request:
            case PromiseDeck():
                return promised(self._vault, self._entropy, request)
            case Draw():
                return RecordDraw(request, *self._shuffles.drawn(request.count))
            case ViewSeat():
                return RecordView(request)
            case DealBoard():
                return self.board(committed_in(dealings), request)
            case OpenSeats():
                return self.openings(committed_in(dealings), request)
            case _:
                assert_never(request)

    def fresh_deck(self, request: DealHands, shuffled: Shuffled) -> CommitDeck:
        """Salt, commit and seal a deck that was shuffled for this hand."""
        deck = deck_of(request.hand, shuffled.cards, self._entropy(SEED_BYTES))
        vault_key = self._vault.keys[self._vault.current]
        return CommitDeck(
            request,
            deck.tree.root,
            self._vault.current,
            seal_deck(vault_key, deck, self._entropy),
            seal_hands(vault_key, deck, request.roster),
            shuffled.repeats,
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
