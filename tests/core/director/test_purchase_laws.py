"""Whole tournaments in which everything is bought at any moment: chips, places and money add up."""

from collections import Counter
from random import Random

import msgspec
from hypothesis import assume, given, settings, strategies as st

from services.director.core import (
    DECIDER,
    HaltReported,
    HandReported,
    awaiting,
    chips_in_play,
    is_live,
    reasons,
)
from services.director.core.buying.periods import last_level
from services.director.core.ranking import is_over
from services.director.core.rollforward.cutting import sheet_now
from services.director.core.state import tables_needed
from shared.contracts.director import (
    AddOn,
    ApproveSheet,
    BountyDue,
    CancelTournament,
    DeclineRebuy,
    DirectorEvent,
    EntriesClosed,
    EntryDeclined,
    GuaranteeDue,
    PayoutDue,
    PlayerBusted,
    PlayerEliminated,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    Rebuy,
    RebuyGranted,
    RebuyLapsed,
    Register,
    SatellitePrizes,
    SheetFinal,
    TournamentFinished,
    Unregister,
    WithdrawCancellation,
)
from shared.contracts.message import TimerFired
from shared.contracts.table import SeatVacated, TableHalted
from shared.contracts.wallet import EntryHeld, EntryRefused
from shared.kernel.pmap import dec_hook, enc_hook
from tests.core.director.director_play import (
    TOURNAMENT,
    Play,
    of,
    players_named,
    random_end,
)
from tests.core.director.purchase_terms import AT, chosen_by

REPEATABLE = HandReported | SeatVacated | EntryHeld | EntryRefused | TimerFired
COMMITS_MAX = 20_000
SHOPPING = (
    lambda player: Register(player=player),
    lambda player: Rebuy(player=player),
    lambda player: AddOn(player=player),
    lambda player: DeclineRebuy(player=player),
)


def check(play):
    """After every commit chips are what was paid for, and nobody has two seats."""
    state = play.state
    if state.phase != "running" or not state.tables:
        return
    registered = of(PlayerRegistered, play.events)
    left = of(PlayerUnregistered, play.events)
    granted = of(RebuyGranted, play.events)
    entries = len(registered) - len(left)
    assert state.sold.entries == entries
    chips = entries * play.terms.starting_chips + sum(one.chips for one in granted)
    assert chips_in_play(state) == state.chips_sold == chips
    on_tables = sum(sum(table.stacks.values()) for table in play.tables.values())
    assert on_tables + sum(fact.stack_chips for fact in play.vacated) == chips
    seats = [
        (held.player, table.table, held.seat)
        for table in state.tables.values()
        for held in table.seats + table.arriving + table.reserved
    ]
    assert max(Counter(player for player, _, _ in seats).values()) == 1
    assert max(Counter((table, seat) for _, table, seat in seats).values()) == 1
    assert len(seats) + sum(len(busts) for busts in state.unranked) == state.left
    at_rest = [table.table for table in state.tables.values() if not table.playing]
    assert [table for table, _ in reasons(state)] == at_rest
    check_selling(play, seats)
    check_bounties(play)
    check_tables(state)


def check_tables(state):
    """BH-CLOSE, tda: as few tables as possible for who sits there, is coming, or may buy again.

    A chair that is kept at a table that closes is one somewhere else only when it is bought. Once
    all who are left have won, tables stay as they are.
    """
    if state.question or state.unranked or state.cancelling or is_over(state):
        return
    if state.rule_set.moves == "peoples_poker":
        return
    if state.rule_set.moves == "tda" and not state.selling:
        return
    hall = state.tables
    kept = sum(len(hall[name].reserved) for name in hall.closing)
    least, most = (
        tables_needed(left, state.terms.seats) for left in (state.left - kept, state.left)
    )
    assert least <= hall.open_count <= most


def check_bounties(play):
    """Of each entry and each rebuy one, won or open; nobody has one who has no chips."""
    state = play.state
    brought = state.sold.entries + state.sold.rebuys
    open_cents = sum(state.bounties.values())
    assert bounties_won(play) + open_cents == brought * play.terms.bounty_cents
    gone = {bust.player for bust in state.busted}
    assert gone.isdisjoint(state.bounties)


def bounties_won(play):
    return sum(due.amount_cents for due in of(BountyDue, play.events))


def check_selling(play, seats):
    """While anything is on sale no place, no prize, no hand for hand; offers keep chairs."""
    state = play.state
    kept = {held.player for table in state.tables.values() for held in table.reserved}
    assert kept == set(state.offers)
    closed = of(EntriesClosed, play.events)
    if state.selling:
        assert not closed
        assert not state.places
        assert not state.hand_for_hand
        assert len(state.busted) + state.left - len(state.offers) == len(state.registered)
    elif last_level(play.terms):
        assert len(closed) == 1
        assert not state.offers
        assert not state.pending


def sell(play, chance, names):
    """Let players come and go until it starts."""
    while play.state.phase == "registering":
        play.tell(Register(player=chance.choice(names)))
        if chance.random() < 0.1:
            play.tell(Unregister(player=chance.choice(names)))
        if play.terms.start_at_ms and chance.random() < 0.1:
            play.now_ms = AT
            play.must(TimerFired(name="start"))
            return
        while play.asked and chance.random() < 0.8:
            play.happen(chance)


def shop(play, chance, names):
    """Let anybody ask for anything, most often who has an offer, or is not in, or out."""
    seated = {seat for table in play.tables.values() for seat in table.stacks}
    keen = sorted(play.state.offers) or [name for name in names if name not in seated]
    player = chance.choice(keen if keen and chance.random() < 0.7 else names)
    play.tell(chance.choice(SHOPPING)(player))


def play_out(chosen, seed, after_commit=check):
    play, chance = Play(chosen, after_commit), Random(seed)
    names = players_named(chosen.entries + 3)
    sell(play, chance, names)
    finish(play, chance, names)
    return play


def finish(play, chance, names):
    """Play on until it is over."""
    while is_live(play.state):
        assert len(play.commits) < COMMITS_MAX
        if chance.random() < 0.4:
            shop(play, chance, names)
        elif play.outstanding():
            play.happen(chance)
        else:
            fire_something(play)


def fire_something(play):
    """Nothing is under way but clocks: let the next one run out."""
    name, at_ms = min(play.armed(), key=lambda armed: armed[1])
    play.now_ms = max(play.now_ms, at_ms)
    play.must(TimerFired(name=name))


def check_end(play):
    """Everybody is ranked once, and what came in is what goes out."""
    finished = play.events[-1]
    if not isinstance(finished, TournamentFinished):
        return
    players = set(play.state.registered)
    places = [placing.place for placing in finished.places]
    assert places == list(range(1, len(players) + 1))
    assert {placing.player for placing in finished.places} == players
    eliminated = of(PlayerEliminated, play.events)
    out = sorted(event.place for event in eliminated)
    assert out == places[len(places) - len(out) :]
    if isinstance(play.terms.prizes, SatellitePrizes):
        check_satellite(play, finished)
    else:
        assert len(out) == len(places) - 1
    entries = len(of(PlayerRegistered, play.events)) - len(of(PlayerUnregistered, play.events))
    granted = of(RebuyGranted, play.events)
    money = entries * play.terms.fee_cents + sum(one.fee_cents for one in granted)
    added = sum(due.amount_cents for due in of(GuaranteeDue, play.events))
    assert money + added == max(money, play.terms.guarantee_cents)
    due = {event.place: event.amount_cents for event in of(PrizeDue, play.events)}
    assert due == {p.place: p.prize_cents for p in finished.places if p.prize_cents}
    assert sum(due.values()) + bounties_won(play) == money + added
    assert not play.state.bounties
    for player in players:
        bought = Counter(one.kind for one in granted if one.player == player)
        for kind, sold in (("rebuy", play.terms.rebuy), ("add_on", play.terms.add_on)):
            assert bought[kind] <= (sold.most if sold else 0)


def check_satellite(play, finished):
    """BH-SATELLITE: who is left has won the same to the cent; they are as many as can, or fewer.

    A tie for the last of the prizes has shared it.
    """
    prizes, players = play.terms.prizes, len(finished.places)
    entries, pool = play.state.sold.entries, sum(one.prize_cents for one in finished.places)
    share = entries * prizes.winners // 10_000
    wanted = pool // prizes.prize_cents if prizes.prize_cents else share
    winners = min(max(wanted, 1), players - 1)
    assert 1 <= play.state.left <= winners
    won = [one.prize_cents for one in finished.places[: play.state.left]]
    assert won[0] - won[-1] <= 1


def test_hundreds_of_tournaments_with_purchases_end_and_keep_the_laws():
    """BH-REBUY, PP-ENTRY: late entries, re-entries, rebuys and add-ons, under all rule sets."""
    seen = Counter()
    for seed in range(300):
        play = play_out(chosen_by(Random(seed)), seed)
        check_end(play)
        seen.update(type(event).__name__ for event in play.events)
        seen.update(one.kind for one in of(RebuyGranted, play.events))
        assert play.state == DECIDER.fold(play.events)
        assert awaiting(play.state) is None
    for needed in ("rebuy", "add_on", "ChipsAssigned", "PlayerBusted", "RebuyLapsed"):
        assert seen[needed], needed


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_facts_and_timers_told_again_change_nothing(seed):
    """PP-ENTRY: neither holds nor hands count twice."""

    def tell_again(play):
        if isinstance(play.told, REPEATABLE):
            assert DECIDER.step(play.state, play.told, play.now_ms) == ((), play.state)

    play_out(chosen_by(Random(seed)), seed, tell_again)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_events_and_state_survive_the_wire(seed):
    play = play_out(chosen_by(Random(seed)), seed)
    wire = msgspec.json.encode(play.events)
    assert msgspec.json.decode(wire, type=list[DirectorEvent]) == play.events
    kept = msgspec.json.encode(play.state, enc_hook=enc_hook)
    assert msgspec.json.decode(kept, type=type(play.state), dec_hook=dec_hook) == play.state


def interrupted(seed):
    """Give a tournament up after some moments of play, while much is on sale."""
    chance = Random(seed)
    play = Play(chosen_by(chance), check)
    names = players_named(play.terms.entries + 3)
    sell(play, chance, names)
    for _ in range(chance.randint(0, 150)):
        if play.state.phase == "running" and chance.random() < 0.4:
            shop(play, chance, names)
        elif play.state.phase == "running" and play.outstanding():
            play.happen(chance)
    return play, chance, names


def halt(play, chance):
    """Every table halts, most of them in the middle of a hand; who moves arrives."""
    for table in list(play.tables.values()):
        if table.hand and chance.random() < 0.4:
            play.report(random_end(table, chance))
        hand, table.hand = table.hand, None
        number = play.state.tables[table.table].number
        fact = TableHalted(
            tournament=TOURNAMENT,
            table=table.table,
            hand=hand.hand if hand else "",
            seats=play.state.tables[table.table].seats,
        )
        play.must(HaltReported(fact, f"table-{number}", len(play.events)))
    play.arrive()
    play.answer_all_draws()


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_given_up_while_purchases_are_open_all_money_goes_back(seed):
    """The cut: what has no chips is declined, an open offer is out, the rest is on the sheet."""
    play, chance, _ = interrupted(seed)
    assume(play.state.phase == "running")
    pending, offered = dict(play.state.pending.items()), set(play.state.offers)
    opened = play.must(CancelTournament(author="ops_1", reason="fire"))
    ended = {event.entry for event in opened if isinstance(event, EntryDeclined | RebuyLapsed)}
    assert ended == {one.entry for one in pending.values()}
    assert {event.player for event in of(PlayerBusted, opened)} == offered
    assert not play.state.pending
    play.asked.clear()
    halt(play, chance)
    (final,) = of(SheetFinal, play.events)
    assert final.players == play.state.left
    sheet = sheet_now(play.state)
    survivors = {line.player for line in sheet.players}
    assert sum(line.chips for line in sheet.players) == play.state.chips_sold
    assert survivors.isdisjoint({bust.player for bust in play.state.busted})
    due = play.must(ApproveSheet(author="ops_2", sheet_hash=final.sheet_hash))
    shares = of(PayoutDue, due)
    won = sum(one.amount_cents for one in of(PrizeDue, play.events)) + bounties_won(play)
    added = sum(one.amount_cents for one in of(GuaranteeDue, play.events))
    pool = play.state.collected_cents + added
    assert pool == play.state.pool_cents
    assert sum(share.pool_cents for share in shares) + won == pool
    commission = sum(share.commission_cents for share in shares)
    assert commission <= commission_taken(play)


def commission_taken(play):
    entries = play.state.sold.entries * play.terms.commission_cents
    return entries + sum(one.commission_cents for one in of(RebuyGranted, play.events))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_after_a_withdrawn_cancellation_it_is_played_to_its_end(seed):
    """What was declined stays declined; whatever is still on sale may be bought anew."""
    play, chance, names = interrupted(seed)
    assume(play.state.phase == "running")
    play.must(CancelTournament(author="ops_1", reason="fire"))
    play.asked.clear()
    halt(play, chance)
    play.must(WithdrawCancellation(author="ops_1", reason="a drill"))
    finish(play, chance, names)
    check_end(play)
