"""The laws of chips, cards, seats and money, checked at every event of every service."""

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from services.cli.verdicts.hand_sums import wrong_sums
from services.cli.verdicts.history import Fact, PlayedHand
from services.cli.verdicts.journal import MAY_OWE
from services.dealer.shell import dealing
from shared.contracts import dealer, director, hand as hands, table, wallet
from shared.contracts.hand import HandStarted
from tests.simulation.laws_of_clocks import ClockLaws
from tests.simulation.laws_of_series import SeriesLaws
from tests.simulation.node import VAULT_KEY

ON_THE_WAY = "on the way"
PLANNED = "planned "


class PlayLaws:
    """What the facts so far say of seats, chips, cards and money."""

    def __init__(self, broken: Callable[[str, str], None]) -> None:
        self._broken = broken
        self._clocks = ClockLaws(broken)
        self._handlers: dict[type[Any], Callable[[Fact], None]] = {
            **SeriesLaws(broken).handlers,
            director.TableFormed: self._formed,
            director.StageEnded: self._stage_ended,
            director.SeatAssigned: self._assigned,
            table.TableOpened: self._opened,
            table.SeatVacated: self._vacated,
            table.SeatTaken: self._taken,
            table.HandVoided: self._voided,
            table.TableHalted: self._halted,
            table.TableWentOn: self._went_on,
            table.ChipsAdded: self._added,
            hands.HandStarted: self._started,
            hands.HandEnded: self._ended,
            hands.HandsDealt: self._dealt,
            hands.BoardDealt: self._board,
            hands.HandShown: self._shown,
            dealer.DeckCommitted: self._committed,
            dealer.BoardOpened: self._board_opened,
            dealer.SeatsOpened: self._seats_opened,
            dealer.DrawMade: self._drawn,
        }
        self.places: dict[tuple[str, str], tuple[str, int]] = {}
        self._tournaments: dict[str, str] = {}
        self._totals: Counter[str] = Counter()
        self.hands_played = 0
        self._hands: dict[str, HandStarted] = {}
        self._left_alone: set[str] = set()
        self._still: set[str] = set()
        self._during: dict[str, list[Fact]] = {}
        self._roots: dict[str, bytes] = {}
        self._decks: set[tuple[str, ...]] = set()
        self._open_cards: defaultdict[str, dict[int, str]] = defaultdict(dict)
        self._open_seats: dict[tuple[str, int], tuple[str, ...]] = {}
        self._seen: defaultdict[str, list[str]] = defaultdict(list)
        self._draws: set[str] = set()
        self.balances: defaultdict[str, int] = defaultdict(int)

    def see(self, fact: Fact, at: str) -> None:
        """Check one event, and remember what it says."""
        self._clocks.see(fact, at)
        if fact.line.service == "table":
            if fact.stream in self._during:
                self._during[fact.stream].append(fact)
        elif fact.line.service == "wallet":
            self._posted(fact)
        handler = self._handlers.get(type(fact.event))
        if handler is not None:
            handler(fact)

    # --- chips and seats ----------------------------------------------------------------------

    def _formed(self, fact: Fact) -> None:
        self._tournaments[fact.event.table] = fact.event.tournament
        for seat in fact.event.seats:
            self._move(fact, seat.player, "", 0, PLANNED + fact.event.table, seat.stack_chips)
        self._totals[fact.event.tournament] += sum(seat.stack_chips for seat in fact.event.seats)

    def _stage_ended(self, fact: Fact) -> None:
        """All chips of a stage leave together; those of the next come with its tables.

        A table with nothing to play, since somebody sits there alone, may open after that.
        """
        for who in [who for who in self.places if who[0] == fact.event.tournament]:
            place, chips = self.places.pop(who)
            self._totals[fact.event.tournament] -= chips
            self._left_alone |= {place.removeprefix(PLANNED)} if PLANNED in place else set()

    def _opened(self, fact: Fact) -> None:
        if fact.stream in self._left_alone and len(fact.event.seats) == 1:
            return
        for seat in fact.event.seats:
            chips = seat.stack_chips
            self._move(fact, seat.player, PLANNED + fact.stream, chips, fact.stream, chips)

    def _assigned(self, fact: Fact) -> None:
        """Who comes from no table has bought these chips."""
        came, who = fact.event, (fact.event.tournament, fact.event.player)
        if who not in self.places:
            self.places[who] = (ON_THE_WAY, came.stack_chips)
            self._totals[came.tournament] += came.stack_chips

    def _added(self, fact: Fact) -> None:
        who = fact.event.tournament, fact.event.player
        table, chips = self.places[who]
        self._stands(fact, who, fact.stream, chips)
        self.places[who] = (table, chips + fact.event.chips)
        self._totals[fact.event.tournament] += fact.event.chips

    def _vacated(self, fact: Fact) -> None:
        left = fact.event
        self._move(fact, left.player, fact.stream, left.stack_chips, ON_THE_WAY, left.stack_chips)

    def _taken(self, fact: Fact) -> None:
        came = fact.event
        self._move(fact, came.player, ON_THE_WAY, came.stack_chips, fact.stream, came.stack_chips)

    def _voided(self, fact: Fact) -> None:
        """Whatever was bet is where it was when the hand began."""
        self._hands.pop(fact.stream, None)
        self._during.pop(fact.stream, None)

    def _halted(self, fact: Fact) -> None:
        self._still.add(fact.stream)
        for seat in fact.event.seats:
            who = fact.event.tournament, seat.player
            self._stands(fact, who, fact.stream, seat.stack_chips)

    def _went_on(self, fact: Fact) -> None:
        self._still.remove(fact.stream)

    def _started(self, fact: Fact) -> None:
        if fact.stream in self._still:
            self._broken("a table that has halted plays no hand", fact.where)
        for seat in fact.event.seats:
            who = self._tournaments[fact.stream], seat.player
            self._stands(fact, who, fact.stream, seat.stack_chips)
        self._hands[fact.stream] = fact.event
        self._during[fact.stream] = [fact]

    def _ended(self, fact: Fact) -> None:
        """Every pot paid is what was contributed, and all chips are still there."""
        started = self._hands.pop(fact.stream)
        facts = tuple(self._during.pop(fact.stream))
        for what in wrong_sums(PlayedHand(fact.stream, started, facts, fact.event)):
            self._broken("every pot paid is what was contributed", f"{fact.stream}: {what}")
        for seat in fact.event.seats:
            who = fact.event.tournament, seat.player
            self.places[who] = (fact.stream, seat.stack_chips)
            if not seat.stack_chips:
                del self.places[who]
        self._all_there(fact.event.tournament, started.hand)
        self.hands_played += 1

    def _all_there(self, tournament: str, hand: str) -> None:
        there = sum(chips for who, (_, chips) in self.places.items() if who[0] == tournament)
        if there != self._totals[tournament]:
            what = f"{there} of {self._totals[tournament]} in {tournament} after {hand}"
            self._broken("chips are constant", what)

    def _move(
        self, fact: Fact, player: str, from_: str, chips: int, to: str, chips_after: int
    ) -> None:
        who = fact.event.tournament, player
        if from_ or who in self.places:
            self._stands(fact, who, from_, chips)
        self.places[who] = (to, chips_after)

    def _stands(self, fact: Fact, who: tuple[str, str], place: str, chips: int) -> None:
        """One seat a player and tournament, and the chips that the last fact left there."""
        if self.places.get(who) != (place, chips):
            what = f"{who} with {chips} at {place or 'no table'}, was {self.places.get(who)}"
            self._broken("one seat a player, with the same chips", f"{fact.where}: {what}")

    # --- cards --------------------------------------------------------------------------------

    def _committed(self, fact: Fact) -> None:
        if fact.event.hand in self._roots:
            self._broken("one hand is one deck", f"{fact.where}: {fact.event.hand}")
        self._roots[fact.event.hand] = fact.event.root
        deck = dealing.unseal_deck(VAULT_KEY, fact.event)
        if deck.cards in self._decks:
            self._broken("no deck is dealt twice", f"{fact.where}: {fact.event.hand}")
        self._decks.add(deck.cards)

    def _drawn(self, fact: Fact) -> None:
        if fact.event.draw in self._draws:
            self._broken("one draw is one order", f"{fact.where}: {fact.event.draw}")
        self._draws.add(fact.event.draw)

    def _board_opened(self, fact: Fact) -> None:
        self._open(fact, fact.event.hand, fact.event.openings)

    def _seats_opened(self, fact: Fact) -> None:
        for seat in fact.event.seats:
            self._open(fact, fact.event.hand, seat.openings)
            cards = tuple(opening.card for opening in seat.openings)
            self._open_seats[fact.event.hand, seat.seat] = cards

    def _open(self, fact: Fact, hand: str, openings: tuple[dealer.Opening, ...]) -> None:
        cards = self._open_cards[hand]
        for opening in openings:
            if cards.setdefault(opening.position, opening.card) != opening.card:
                self._broken("cards dealt are cards committed", f"{fact.where}: {hand}")
        if len({*cards.values()}) < len(cards):
            self._broken("no card twice", f"{fact.where}: {hand}")

    def _dealt(self, fact: Fact) -> None:
        if self._roots.get(fact.event.hand) != fact.event.root:
            self._broken("cards dealt are cards committed", f"{fact.where}: another root")

    def _board(self, fact: Fact) -> None:
        hand = self._hands[fact.stream].hand
        self._show(fact, hand, fact.event.cards)
        if not {*fact.event.cards} <= {*self._open_cards[hand].values()}:
            self._broken("cards dealt are cards committed", f"{fact.where}: {hand}")

    def _shown(self, fact: Fact) -> None:
        hand = self._hands[fact.stream].hand
        self._show(fact, hand, fact.event.cards)
        if self._open_seats.get((hand, fact.event.seat)) != fact.event.cards:
            self._broken("cards dealt are cards committed", f"{fact.where}: {hand}")

    def _show(self, fact: Fact, hand: str, cards: tuple[str, ...]) -> None:
        self._seen[hand] += cards
        if len({*self._seen[hand]}) < len(self._seen[hand]):
            self._broken("no card twice", f"{fact.where}: {' '.join(self._seen[hand])}")

    # --- money --------------------------------------------------------------------------------

    def _posted(self, fact: Fact) -> None:
        """The journal sums to zero, and every posting says what its account holds after it."""
        postings: tuple[wallet.Posting, ...] = getattr(fact.event, "postings", ())
        if sum(posting.amount_cents for posting in postings):
            self._broken("the journal sums to zero", fact.where)
        for posting in postings:
            self.balances[posting.account] += posting.amount_cents
            if self.balances[posting.account] != posting.balance_cents:
                self._broken("the journal sums to zero", f"{fact.where}: {posting.account}")
            if posting.balance_cents < 0 and posting.account not in MAY_OWE:
                self._broken("no account is overdrawn", f"{fact.where}: {posting.account}")
