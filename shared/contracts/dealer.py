"""The dealer's language: decks, boards, views, openings, seat keys and draws.

One hand id is one deck, for ever. Positions count from the top of the deck: with n players
dealt in, the k-th of the roster holds positions k and n + k, the flop is 2n … 2n + 2, the turn
2n + 3, the river 2n + 4 (no burn cards). A card is two characters, such as `Ah`. Bytes travel
as base64.
"""

from typing import Final, Literal, final

import msgspec

from shared.contracts.message import Command, Event, Reply

Street = Literal["flop", "turn", "river"]

PLAYER_SEED_BYTES: Final = 32


class DealtIn(msgspec.Struct, frozen=True):
    """One player who gets cards; a roster lists them in dealing order, left of the button first."""

    seat: int
    player: str


class SeatSeed(msgspec.Struct, frozen=True):
    """What one player adds to the chance of a deck (player entropy): 32 bytes, in public."""

    seat: int
    seed: bytes


class SealedCards(msgspec.Struct, frozen=True):
    """One seat's hole cards as ciphertext (AES-GCM, AAD `hand/seat/hole`)."""

    seat: int
    box: bytes


class Opening(msgspec.Struct, frozen=True):
    """The proof that one position of the committed deck holds this card (RFC 6962 path)."""

    position: int
    card: str
    salt: bytes
    path: tuple[bytes, ...]


class SeatOpening(msgspec.Struct, frozen=True):
    """Both hole cards of one seat, opened to everybody."""

    seat: int
    openings: tuple[Opening, ...]


class CommitRef(msgspec.Struct, frozen=True):
    """A commit of the asker's own log, by stream and number in the stream."""

    stream: str
    n: int


# --- requests -------------------------------------------------------------------------------


@final
class PromiseDeck(Command, frozen=True, tag="dealer.promise-deck.v1"):
    """Choose the secret of this hand's deck now, before any player's seed (`PromisedDeck`)."""

    hand: str
    table: str


@final
class DealHands(Command, frozen=True, tag="dealer.deal-hands.v1"):
    """Commit to a deck for this hand and hand out the sealed hole cards (`DealtHands`).

    With player entropy, `promise` is the dealer's own, and `seeds` are those that were handed in
    since, in the order of the roster; who gave none has none.
    """

    hand: str
    table: str
    roster: tuple[DealtIn, ...]
    promise: bytes = b""
    seeds: tuple[SeatSeed, ...] = ()


@final
class DealBoard(Command, frozen=True, tag="dealer.deal-board.v1"):
    """Open the cards of the next street (`DealtBoard`); streets come in order, each once."""

    hand: str
    root: bytes
    street: Street


@final
class ViewSeat(Command, frozen=True, tag="dealer.view-seat.v1"):
    """Look at one seat's cards at showdown without opening them (`SealedReply`).

    `stated` is the asker's commit that recorded the question after betting ended; `to_key` is
    a one-time X25519 public key, and the reply is readable with its private half only.
    """

    hand: str
    root: bytes
    seat: int
    reason: str
    stated: CommitRef
    to_key: bytes


@final
class OpenSeats(Command, frozen=True, tag="dealer.open-seats.v1"):
    """Open these seats' hole cards to everybody (`OpenedSeats`)."""

    hand: str
    root: bytes
    seats: tuple[int, ...]
    stated: CommitRef


@final
class AskSeatKey(Command, frozen=True, tag="dealer.ask-seat-key.v1"):
    """Ask for the key of one seat's sealed cards (`SealedReply`); checked against the roster."""

    hand: str
    seat: int
    player: str
    to_key: bytes


@final
class Draw(Command, frozen=True, tag="dealer.draw.v1"):
    """Put so many candidates in a random order (`Drawn`); one draw id is one order, for ever.

    Who they are, and which number each has, stands in the asker's own recorded question. The
    draw id names that commit: `drw_<token>_<n>` is asked by commit n of the stream that has this
    token, and in it the question with this purpose.
    """

    draw: str
    purpose: str
    count: int


# --- replies --------------------------------------------------------------------------------


class PromisedDeck(Reply, frozen=True):
    """The hash that binds the dealer to its secret."""

    hand: str
    promise: bytes


class DealtHands(Reply, frozen=True):
    """The commitment and the sealed hole cards, in roster order."""

    hand: str
    root: bytes
    sealed: tuple[SealedCards, ...]


class DealtBoard(Reply, frozen=True):
    """The cards of one street with their proofs."""

    hand: str
    street: Street
    openings: tuple[Opening, ...]


class SealedReply(Reply, frozen=True):
    """A secret for one asker: ephemeral X25519 public key and AES-GCM ciphertext."""

    from_key: bytes
    box: bytes


class OpenedSeats(Reply, frozen=True):
    """The opened hole cards, in the order asked."""

    hand: str
    seats: tuple[SeatOpening, ...]


class Drawn(Reply, frozen=True):
    """`order[i]` is the index of the candidate that came out i-th."""

    draw: str
    order: tuple[int, ...]


# --- events ---------------------------------------------------------------------------------


@final
class DeckPromised(Event, frozen=True, tag="dealer.deck-promised.v1"):
    """The dealer is bound to a secret that this hand's deck will be made of; sealed, it is here.

    How the promise follows from the secret, and the deck from secret and seeds, is written down
    in `services/dealer/core/mixing.py`.
    """

    hand: str
    table: str
    promise: bytes
    vault_key: str
    sealed_secret: bytes


@final
class DeckCommitted(Event, frozen=True, tag="dealer.deck-committed.v1"):
    """A deck exists: its Merkle root, and everything needed to deal it, sealed.

    With a `promise` it was made of the promised secret and exactly these seeds.
    """

    hand: str
    table: str
    roster: tuple[DealtIn, ...]
    root: bytes
    vault_key: str
    sealed_deck: bytes
    sealed: tuple[SealedCards, ...]
    promise: bytes = b""
    seeds: tuple[SeatSeed, ...] = ()


@final
class DeckRepeated(Event, frozen=True, tag="dealer.deck-repeated.v1"):
    """The generator made a deck that was used before, so many times in a row: an alarm (PP-RNG).

    Nobody was dealt from it; the deck committed to in the same commit is another one.
    """

    hand: str
    times: int


@final
class BoardOpened(Event, frozen=True, tag="dealer.board-opened.v1"):
    hand: str
    street: Street
    openings: tuple[Opening, ...]


@final
class SeatViewed(Event, frozen=True, tag="dealer.seat-viewed.v1"):
    """The table looked at one seat's cards; which positions, and why, never what they were."""

    hand: str
    seat: int
    positions: tuple[int, ...]
    reason: str
    stated: CommitRef


@final
class SeatsOpened(Event, frozen=True, tag="dealer.seats-opened.v1"):
    hand: str
    seats: tuple[SeatOpening, ...]
    stated: CommitRef


@final
class DrawMade(Event, frozen=True, tag="dealer.draw-made.v1"):
    """An order, and exactly the bytes of the generator that it was made of.

    `order` follows from `source` and its own length by the algorithm that
    `services/dealer/core/shuffle.py` publishes: anybody can make it again. It puts the candidates
    in order that stand in the question that asked (see `Draw`).
    """

    draw: str
    purpose: str
    order: tuple[int, ...]
    source: bytes = b""


DealerRequest = PromiseDeck | DealHands | DealBoard | ViewSeat | OpenSeats | AskSeatKey | Draw
DeckEvent = DeckPromised | DeckCommitted | DeckRepeated
DealerEvent = DeckEvent | BoardOpened | SeatViewed | SeatsOpened | DrawMade
