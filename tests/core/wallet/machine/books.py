"""A second set of books, kept from what was recorded alone: it must agree with the wallet."""

from shared.contracts.wallet import (
    BountyPaid,
    CorrectionPosted,
    DepositRequested,
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    EntryRefused,
    EntryReleased,
    GuaranteePosted,
    MoneyDeposited,
    PayoutPaid,
    PoolCarried,
    PrizePaid,
    StagePrizePaid,
    TicketIssued,
    TicketPaidOut,
    TicketsVoided,
    WebhookTaken,
    WithdrawalHeld,
)

MAY_OWE = {"external", "promotions", "top-up", "chargebacks", "house"}

ONCE = {
    # of each of these kinds there is one for ever under one name
    MoneyDeposited: lambda event: ("deposit", event.reference),
    PrizePaid: lambda event: ("prize", event.tournament, event.place),
    TicketIssued: lambda event: ("prize", event.tournament, event.place),
    TicketsVoided: lambda event: ("cancelled", event.tournament),
    TicketPaidOut: lambda event: ("paid out", event.ticket),
    PayoutPaid: lambda event: ("share", event.tournament, event.player),
    BountyPaid: lambda event: (
        "bounty",
        event.tournament,
        event.hand,
        event.knocked_out,
        event.player,
    ),
    PoolCarried: lambda event: ("carried", event.from_tournament),
    StagePrizePaid: lambda event: (
        "instead",
        event.tournament,
        event.from_tournament,
        event.player,
    ),
    GuaranteePosted: lambda event: ("guarantee", event.tournament),
    CorrectionPosted: lambda event: ("correction", event.correction),
    EntryHeld: lambda event: ("entry", event.entry),
    EntryRefused: lambda event: ("entry", event.entry),
    DepositRequested: lambda event: ("payment", event.payment),
    WithdrawalHeld: lambda event: ("payment", event.payment),
    WebhookTaken: lambda event: ("word", event.payment, event.sequence),
}


class Books:
    """Balances from amounts, what is held for whom, and what may not happen again."""

    def __init__(self):
        self.balances = {}
        self.held = {}
        self.posted = {}
        self.ended = set()
        self.done = set()
        self.tickets = {}
        self.worth = {}
        self.used = {}

    def enter(self, event):
        self.follow_postings(getattr(event, "postings", ()))
        if type(event) in ONCE:
            name = ONCE[type(event)](event)
            assert name not in self.done, f"{name} twice"
            self.done.add(name)
        self.follow_entry(event)
        self.follow_ticket(event)

    def follow_postings(self, postings):
        """Lines sum to zero, each states the balance after it, and only some may owe."""
        assert sum(posting.amount_cents for posting in postings) == 0
        accounts = [posting.account for posting in postings]
        assert len(set(accounts)) == len(accounts)
        for posting in postings:
            after = self.balances.get(posting.account, 0) + posting.amount_cents
            assert posting.amount_cents != 0
            assert posting.balance_cents == after
            assert after >= 0 or posting.account in MAY_OWE
            self.balances[posting.account] = after

    def follow_entry(self, event):
        """A hold ends once at most: posted, or released; and what is posted is refunded once."""
        match event:
            case EntryHeld():
                assert event.entry not in self.ended
                self.held[event.entry] = (event.player, event.price_cents)
            case EntryPosted():
                player, price = self.held.pop(event.entry)
                assert (player, price) == (event.player, event.fee_cents + event.commission_cents)
                self.posted[event.entry] = event
            case EntryReleased():
                _, price = self.held.pop(event.entry, ("", 0))
                assert price == event.price_cents
                assert event.entry not in self.posted
                assert event.entry not in self.ended
                self.ended.add(event.entry)
            case EntryRefunded():
                assert self.posted.pop(event.entry).player == event.player
                self.ended.add(event.entry)

    def follow_ticket(self, event):
        """A ticket pays for one entry at a time, of its owner, to its tournament.

        However often it comes back, it is never worth more than when it was won.
        """
        match event:
            case TicketIssued():
                self.tickets[event.ticket] = (event.player, event.target)
                self.worth[f"ticket/{event.ticket}"] = event.value_cents
            case CorrectionPosted():
                for posting in event.postings:
                    if posting.account in self.worth:
                        self.worth[posting.account] += max(posting.amount_cents, 0)
            case EntryHeld() if event.ticket:
                assert self.tickets[event.ticket] == (event.player, event.tournament)
                assert event.ticket_cents <= event.price_cents
                assert event.ticket not in self.used.values()
                self.used[event.entry] = event.ticket
            case TicketPaidOut():
                assert self.tickets[event.ticket] == (event.player, event.target)
                assert event.ticket not in self.used.values()
                assert event.amount_cents <= self.worth[f"ticket/{event.ticket}"]
                assert not self.balances.get(f"ticket/{event.ticket}")
            case EntryPosted() if event.entry in self.used:
                assert not self.balances.get(f"ticket/{self.used[event.entry]}")
            case EntryReleased() | EntryRefunded() if event.ticket:
                assert self.used.pop(event.entry) == event.ticket
                account = f"ticket/{event.ticket}"
                assert self.balances.get(account, 0) <= self.worth[account]

    def held_for(self, player):
        return sum(cents for whose, cents in self.held.values() if whose == player)
