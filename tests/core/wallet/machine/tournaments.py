"""The director: what it may say about money of three tournaments, in the order it would.

`registering` → `started` → perhaps `interrupted`; or `registering` → `cancelled`. A guarantee and
prizes come once started, first entries and who leaves before, rebuys and add-ons after.
"""

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule
from msgspec.structs import replace

from services.wallet.core import DECIDER, JournalContradicted
from shared.contracts.director import (
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    GuaranteeDue,
    PayoutDue,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    QualifiersNamed,
    RebuyGranted,
    RebuyLapsed,
    RebuyRequested,
    StagePrizeDue,
    TournamentCancelled,
)
from shared.contracts.wallet import EntryHeld, EntryRefused
from tests.core.wallet.machine.journal import NOBODY, PLAYERS, Journal, anybody, players

PRICES = {
    "trn_1": {"fee_cents": 1_000, "commission_cents": 100},
    "trn_2": {"fee_cents": 2_500, "commission_cents": 250},
    "trn_3": {"fee_cents": 0, "commission_cents": 0},
}
MORE = {"fee_cents": 500, "commission_cents": 50}
FATES = ("bought", "bought", "bought", "later", "declined", "expired")
TOLD_OTHERWISE = {
    # what cannot be said of the same thing again with something else in it
    EntryRequested: ("player", "tournament"),
    PlayerRegistered: ("player", "tournament", "fee_cents"),
    EntryDeclined: ("player", "tournament"),
    PlayerUnregistered: ("player", "tournament"),
    RebuyRequested: ("player", "tournament"),
    RebuyGranted: ("player", "tournament", "commission_cents"),
    RebuyLapsed: ("player", "tournament"),
    PrizeDue: ("player", "amount_cents", "ticket_for"),
    GuaranteeDue: ("amount_cents",),
    PayoutDue: ("pool_cents", "commission_cents", "top_up_cents"),
    TournamentCancelled: ("reason",),
    QualifiersNamed: ("series", "target", "amount_cents", "withdrawal_cents"),
    StagePrizeDue: ("amount_cents",),
}

tournaments = st.sampled_from(sorted(PRICES))


class Tournaments(Journal):
    """Rules about entries, rebuys, prizes, tickets, guarantees and shares."""

    def __init__(self):
        super().__init__()
        self.stage = dict.fromkeys(PRICES, "registering")
        self.facts = []
        self.pending = {}
        self.bought = {}
        self.numbers = 0

    def tell(self, fact):
        """Say a fact; return what the wallet makes of it first, None if nothing or parked."""
        barred = {player for player in (*PLAYERS, NOBODY) if not self.can_be_paid(player)}
        events = self.hear(fact)
        if events is not None:
            self.facts.append(fact)
        for posting in (one for event in events or () for one in getattr(event, "postings", ())):
            kind, _, name = posting.account.partition("/")
            whose = self.books.tickets[name][0] if kind == "ticket" else name
            assert whose not in barred or posting.amount_cents < 0, "it should wait unclaimed"
        return events[0] if events else None

    def can_be_paid(self, player):
        account = self.wallet.accounts.get(player)
        return account is not None and account.status not in ("suspended", "closed")

    def new_entry(self, tournament, player):
        self.numbers += 1
        entry = f"{tournament}/{player}/{self.numbers}"
        return {"tournament": tournament, "entry": entry, "player": player}

    def want(self, fact):
        answer = self.tell(fact)
        assert isinstance(answer, EntryHeld | EntryRefused)
        self.pending[fact.entry] = (fact, isinstance(answer, EntryHeld))

    def enter(self, tournament, player, ticket=""):
        """Let somebody be registered."""
        about = self.new_entry(tournament, player)
        self.want(EntryRequested(**about, **PRICES[tournament], deadline_ms=0, ticket=ticket))
        self.decide(about["entry"], "bought")

    def win_tickets(self, tournament, targets):
        """Let the whole pool be won as tickets, by player the tournament that theirs is for."""
        self.start(tournament)
        worth = self.cents(f"pool/{tournament}") // len(targets)
        for player, target in targets.items():
            self.prize(tournament, player, worth, target)

    @rule(tournament=tournaments, player=anybody, data=st.data(), fate=st.sampled_from(FATES))
    def request_an_entry(self, tournament, player, data, fate):
        if self.stage[tournament] == "registering":
            ticket = data.draw(st.sampled_from(["", "", "", "trn_1/99", *self.wallet.tickets]))
            about = self.new_entry(tournament, player)
            price = PRICES[tournament]
            self.want(EntryRequested(**about, **price, deadline_ms=0, ticket=ticket))
            self.decide(about["entry"], fate)

    @precondition(lambda self: self.tickets_to_use())
    @rule(data=st.data(), fate=st.sampled_from(FATES))
    def use_a_ticket(self, data, fate):
        name, ticket = data.draw(st.sampled_from(self.tickets_to_use()))
        about = self.new_entry(ticket.target, ticket.player)
        self.want(EntryRequested(**about, **PRICES[ticket.target], deadline_ms=0, ticket=name))
        self.decide(about["entry"], fate)

    def tickets_to_use(self):
        tickets = self.wallet.tickets.items()
        return [one for one in tickets if self.stage[one[1].target] == "registering"]

    @rule(
        tournament=tournaments,
        player=players,
        kind=st.sampled_from(["rebuy", "add_on"]),
        fate=st.sampled_from(FATES),
    )
    def request_more_chips(self, tournament, player, kind, fate):
        if self.stage[tournament] == "started":
            about = self.new_entry(tournament, player)
            self.want(RebuyRequested(**about, **MORE, kind=kind, deadline_ms=0))
            self.decide(about["entry"], fate)

    @precondition(lambda self: self.pending)
    @rule(data=st.data(), fate=st.sampled_from(FATES))
    def decide_what_is_pending(self, data, fate):
        self.decide(data.draw(st.sampled_from(sorted(self.pending))), fate)

    def decide(self, entry, fate):
        """Say what becomes of an entry, unless the director thinks about it longer."""
        if fate == "later":
            return
        wanted, held = self.pending[entry]
        bought = held and fate == "bought"
        self.tell(bought_by(wanted) if bought else ended_by(wanted, fate))
        del self.pending[wanted.entry]
        if bought:
            self.bought[wanted.entry] = wanted

    @precondition(lambda self: self.numbers % 4 == 1)
    @rule(tournament=tournaments, player=anybody)
    def end_an_entry_before_it_was_heard_of(self, tournament, player):
        about = self.new_entry(tournament, player)
        self.tell(EntryExpired(**about))
        late = EntryRequested(**about, **PRICES[tournament], deadline_ms=0)
        assert self.tell(late) is None

    @precondition(lambda self: self.who_may_leave())
    @rule(data=st.data(), charge=st.sampled_from([0, 5, 100]), cancelled=st.booleans())
    def leave(self, data, charge, cancelled):
        entry = data.draw(st.sampled_from(self.who_may_leave()))
        wanted = self.bought[entry]
        price = wanted.fee_cents + wanted.commission_cents
        about = {"tournament": wanted.tournament, "entry": entry, "player": wanted.player}
        refund = price * (100 - charge) // 100
        gone = PlayerUnregistered(**about, refund_cents=refund, tournament_cancelled=cancelled)
        refunded = self.tell(gone)
        del self.bought[entry]
        if refunded is not None:
            comes_back = not cancelled and self.can_be_paid(wanted.player)
            assert refunded.ticket == (wanted.ticket if comes_back else "")

    def who_may_leave(self):
        return [e for e, w in self.bought.items() if self.stage[w.tournament] == "registering"]

    @rule(tournament=tournaments)
    def start(self, tournament):
        if self.stage[tournament] == "registering" and any(
            wanted.tournament == tournament for wanted in self.bought.values()
        ):
            self.stage[tournament] = "started"

    @precondition(lambda self: self.numbers % 5 == 4)
    @rule(tournament=tournaments)
    def cancel(self, tournament):
        """Everybody gets everything back, and whoever had a ticket its worth."""
        if self.stage[tournament] != "registering":
            return
        self.stage[tournament] = "cancelled"
        self.tell_cancelled(tournament)
        for entry in [e for e, (w, _) in self.pending.items() if w.tournament == tournament]:
            self.decide(entry, "declined")
        for entry in [e for e, w in self.bought.items() if w.tournament == tournament]:
            wanted = self.bought.pop(entry)
            about = {"tournament": tournament, "entry": entry, "player": wanted.player}
            price = wanted.fee_cents + wanted.commission_cents
            self.tell(PlayerUnregistered(**about, refund_cents=price, tournament_cancelled=True))
        if not self.taken_by_operators:
            tickets = self.wallet.tickets.items()
            worth = [self.cents(f"ticket/{name}") for name, t in tickets if t.target == tournament]
            assert not any(worth)

    def tell_cancelled(self, tournament):
        self.tell(TournamentCancelled(tournament=tournament, author="opr_1", reason="rain"))

    @rule(tournament=tournaments, cents=st.sampled_from([0, 700]))
    def guarantee(self, tournament, cents):
        known = [fact for fact in self.facts if isinstance(fact, GuaranteeDue)]
        if self.stage[tournament] == "started" and all(f.tournament != tournament for f in known):
            self.tell(GuaranteeDue(tournament=tournament, amount_cents=cents))

    @precondition(lambda self: "started" in self.stage.values())
    @rule(
        data=st.data(),
        player=anybody,
        percent=st.sampled_from([0, 40, 100]),
        ticket_for=st.sampled_from(["", "trn_1", "trn_2", "trn_3"]),
    )
    def pay_a_prize(self, data, player, percent, ticket_for):
        started = [one for one, stage in self.stage.items() if stage == "started"]
        tournament = data.draw(st.sampled_from(started))
        cents = self.cents(f"pool/{tournament}") * percent // 100
        self.prize(tournament, player, cents, ticket_for)

    def prize(self, tournament, player, cents, ticket_for):
        self.numbers += 1
        due = PrizeDue(
            tournament=tournament,
            place=self.numbers,
            player=player,
            amount_cents=cents,
            ticket_for=ticket_for,
        )
        assert self.tell(due) is not None

    @precondition(lambda self: "started" in self.stage.values())
    @rule(data=st.data(), top_up=st.sampled_from([0, 5]))
    def interrupt(self, data, top_up):
        """The pool is split; everybody gets back the commission that they paid."""
        started = [one for one, stage in self.stage.items() if stage == "started"]
        tournament = data.draw(st.sampled_from(started))
        paid = [one for one in self.bought.values() if one.tournament == tournament]
        everybody = sorted({one.player for one in paid})
        pool = self.cents(f"pool/{tournament}")
        self.tell_cancelled(tournament)
        for nth, player in enumerate(everybody):
            commission = sum(one.commission_cents for one in paid if one.player == player)
            share = PayoutDue(
                tournament=tournament,
                player=player,
                pool_cents=(pool + nth) // len(everybody),
                commission_cents=commission,
                top_up_cents=top_up,
            )
            self.tell(share)
        self.stage[tournament] = "interrupted"
        if not self.taken_by_operators:
            assert self.cents(f"pool/{tournament}") == 0

    @precondition(lambda self: self.facts)
    @rule(data=st.data())
    def say_something_else_of_the_same(self, data):
        """It contradicts what is known, or is too late to matter: nothing changes."""
        fact = data.draw(st.sampled_from(self.facts))
        field = data.draw(st.sampled_from(TOLD_OTHERWISE.get(type(fact), ("player",))))
        old = getattr(fact, field)
        other = old + 1 if isinstance(old, int) else f"{old}_x"
        try:
            stepped = DECIDER.step(self.wallet, replace(fact, **{field: other}), self.at_ms)
        except JournalContradicted:
            return
        assert stepped == ((), self.wallet)


def bought_by(wanted):
    about = {"tournament": wanted.tournament, "entry": wanted.entry, "player": wanted.player}
    money = {"fee_cents": wanted.fee_cents, "commission_cents": wanted.commission_cents}
    if isinstance(wanted, RebuyRequested):
        return RebuyGranted(**about, **money, kind=wanted.kind, chips=1_000)
    return PlayerRegistered(**about, **money)


def ended_by(wanted, fate):
    about = {"tournament": wanted.tournament, "entry": wanted.entry, "player": wanted.player}
    if isinstance(wanted, RebuyRequested):
        return RebuyLapsed(**about, reason=fate)
    return EntryExpired(**about) if fate == "expired" else EntryDeclined(**about, reason=fate)
