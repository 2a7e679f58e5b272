"""A dealer to ask in tests: seeded entropy, its log, and a verifier written from the docstring."""

from hashlib import sha256
from random import Random

from services.dealer.shell.dealing import make_decider, make_respond
from services.dealer.shell.vault import vault_of
from shared.contracts.dealer import CommitRef, DealBoard, DealHands, DealtIn, OpenSeats, ViewSeat
from shared.kernel.decider import Refused
from tests.used_decks import finished, shuffles_of

VAULT_KEY = bytes(range(32))
VAULT = vault_of([VAULT_KEY])
HAND, TABLE = "hnd_1", "tbl_1"
STATED = CommitRef(stream=TABLE, n=17)
STREETS = ("flop", "turn", "river")


def roster_of(players, first_seat=1):
    return tuple(
        DealtIn(seat=seat, player=f"ply_{seat}") for seat in range(first_seat, first_seat + players)
    )


def deal(players=3, hand=HAND):
    return DealHands(hand=hand, table=TABLE, roster=roster_of(players))


class Dealer:
    """One stream of the real dealer, decided and answered as the runtime does it."""

    def __init__(self, seed=0, vault=VAULT, used=None):
        self.entropy = Random(seed).randbytes
        self.shuffles = shuffles_of(vault, self.entropy, used)
        self.decider = make_decider(vault, self.entropy, self.shuffles)
        self.respond = make_respond(vault, self.entropy)
        self.state = self.decider.initial
        self.log = []

    def ask(self, request):
        """Return the reply, or the refusal; recorded events go to the log."""
        finished(self.shuffles.prepare([(self.state, request)]))
        stepped = self.decider.step(self.state, request, 0)
        if isinstance(stepped, Refused):
            return stepped
        events, self.state = stepped
        self.log += events
        return self.respond(self.state, request)

    def board(self, street, root=None):
        return self.ask(DealBoard(hand=self.hand, root=root or self.root, street=street))

    def open(self, *seats, stated=STATED):
        return self.ask(OpenSeats(hand=self.hand, root=self.root, seats=seats, stated=stated))

    def view(self, seat, to_key, reason="showdown"):
        return self.ask(
            ViewSeat(
                hand=self.hand,
                root=self.root,
                seat=seat,
                reason=reason,
                stated=STATED,
                to_key=to_key,
            )
        )

    @property
    def hand(self):
        return self.state.deck.hand

    @property
    def root(self):
        return self.state.deck.root


def outsider_verifies(root, hand, opening):
    """Check an opening as the words of `core/commitment.py` say, with SHA-256 and no more."""
    name = hand.encode()
    node = sha256(
        b"\x00rollforward/deck-leaf/v1\x00"
        + len(name).to_bytes(2, "big")
        + name
        + bytes((opening.position,))
        + opening.card.encode()
        + opening.salt
    ).digest()
    index, last, path = opening.position, 51, list(opening.path)
    while last:
        if index % 2:
            node = sha256(b"\x01" + path.pop(0) + node).digest()
        elif index < last:
            node = sha256(b"\x01" + node + path.pop(0)).digest()
        index, last = index // 2, last // 2
    return node == root and not path


def outsider_draws(n, source):
    """Make an order from its source as the words of `core/shuffle.py` say."""
    at, names = 0, list(range(n))
    for last in range(n - 1, 0, -1):
        limit = last + 1
        width = 1 if limit <= 256 else 2
        accepted = 256**width - 256**width % limit
        while True:
            number = int.from_bytes(source[at : at + width], "big")
            at += width
            if number < accepted:
                break
        pick = number % limit
        names[last], names[pick] = names[pick], names[last]
    assert at == len(source)
    return tuple(names)
