"""Whatever terms are accepted, their tournament ends: everybody ranked, money in is money out.

Terms are drawn over all options at once, most of them off; what `problems` refuses is drawn anew.
"""

from collections import Counter

from hypothesis import HealthCheck, assume, given, settings, strategies as st

from services.director.core import DECIDER, awaiting, chips_in_play, is_live, reasons
from services.director.core.terms import problems
from shared.contracts.director import (
    ApproveSheet,
    BigShoot,
    BountyDue,
    Break,
    CancelTournament,
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    GuaranteeDue,
    Level,
    PayoutDue,
    PlayerEliminated,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    Purchase,
    QualifiersNamed,
    QualifyingPrizes,
    RebuyGranted,
    RebuyLapsed,
    RebuyRequested,
    SatellitePrizes,
    SheetFinal,
    Stage,
    StageEnded,
    StandardPrizes,
    TournamentCancelled,
    TournamentFinished,
    WithdrawCancellation,
)
from shared.poker.rule_sets import PRESETS
from tests.core.director.any_play import AnyPlay
from tests.core.director.director_play import (
    START_MS,
    equal_winners,
    held,
    of,
    terms,
    winners,
)
from tests.core.director.test_interrupted_laws import halt_all
from tests.core.director.test_purchase_laws import check_bounties

AT = START_MS + 60_000
LEVELS_MAX = 5
ENTRIES_MAX = 24


def seldom(strategy, default):
    """An option that most tournaments do not have."""
    return st.one_of(st.just(default), st.just(default), strategy)


purchases = st.builds(
    Purchase,
    fee_cents=st.sampled_from((0, 1, 500)),
    commission_cents=st.sampled_from((0, 50)),
    chips=st.sampled_from((1, 900, 3_000)),
    until_level=st.integers(1, LEVELS_MAX - 1),
    most=st.integers(1, 2),
)


@st.composite
def prizes(draw, entries):
    return draw(
        st.one_of(
            st.just(StandardPrizes()),
            st.integers(1, entries).map(equal_winners),
            st.just(winners(6_000, 4_000)),
            st.builds(
                SatellitePrizes,
                winners=st.integers(1, 9_999),
                target=st.sampled_from(("", "trn_final")),
            ),
            st.builds(
                SatellitePrizes,
                prize_cents=st.integers(1, 20_000),
                target=st.sampled_from(("", "trn_final")),
            ),
            st.builds(
                QualifyingPrizes,
                winners=st.integers(1, 9_999),
                target=st.just("trn_final"),
                withdrawal_cents=st.sampled_from((0, 100)),
            ),
        )
    )


@st.composite
def courses(draw, seats):
    """Two or three stages; the first has the tables of the terms."""
    stages = [Stage(seats=seats, go_on=draw(st.integers(1, max(seats - 1, 1))))]
    for last in draw(st.sampled_from(((True,), (False, True)))):
        before = stages[-1].go_on
        size = 10 if last else draw(st.integers(2, 10))
        ranks = st.lists(st.integers(1, 3_000), min_size=before, max_size=before)
        stages.append(
            Stage(
                seats=size,
                go_on=1 if last else draw(st.integers(1, size - 1)),
                stacks_chips=draw(
                    st.one_of(
                        st.just(()),
                        st.tuples(st.integers(1, 3_000)),
                        ranks.map(lambda found: tuple(sorted(found, reverse=True))),
                    )
                ),
                first_level=draw(st.integers(0, LEVELS_MAX)),
            )
        )
    return tuple(stages)


@st.composite
def accepted_terms(draw):
    """Draw every option by itself, and keep what fits together."""
    entries, seats = draw(st.integers(2, ENTRIES_MAX)), draw(st.integers(2, 10))
    form = draw(prizes(entries))
    is_stage = isinstance(form, QualifyingPrizes)
    fee_cents = draw(st.sampled_from((0, 1, 997, 1_000)))
    bounty_cents = draw(seldom(st.integers(1, max(fee_cents - 1, 1)), 0))
    by_hands, scheduled = draw(st.booleans()), draw(st.booleans())
    late_levels = draw(seldom(st.integers(1, LEVELS_MAX - 1), 0)) if scheduled else 0
    chosen = terms(
        rule_set=draw(st.sampled_from(sorted(PRESETS))),
        limit=draw(st.sampled_from(("no_limit", "pot_limit", "fixed_limit"))),
        entries=entries,
        seats=seats,
        fee_cents=fee_cents,
        commission_cents=draw(st.sampled_from((0, 1, 100))),
        bounty_cents=bounty_cents,
        progressive=bounty_cents > 0 and draw(st.booleans()),
        starting_chips=draw(st.sampled_from((1, 7, 1_000))),
        levels=tuple(Level(10 * n, 20 * n) for n in range(1, LEVELS_MAX + 1)),
        level_ms=0 if by_hands else draw(st.sampled_from((1, 60_000))),
        level_hands=draw(st.sampled_from((1, 5))) if by_hands else 0,
        pause_ms=draw(st.sampled_from((0, 500))),
        prizes=form,
        big_shoot=BigShoot(series=form.target, stage=1) if is_stage else None,
        final_table_players=draw(seldom(st.integers(seats, 10), 0)),
        start_at_ms=AT if scheduled else 0,
        entries_min=draw(st.integers(0, entries)) if scheduled else 0,
        leave_before_ms=draw(st.sampled_from((0, 30_000))) if scheduled else 0,
        cancellation_charge=draw(st.sampled_from((0, 333, 10_000))),
        guarantee_cents=draw(seldom(st.integers(1, 100_000), 0)),
        breaks=tuple(
            Break(after, 30_000)
            for after in range(1, LEVELS_MAX)
            if draw(seldom(st.booleans(), False))
        ),
        stages=draw(seldom(courses(seats), ())),
        rating_min=draw(seldom(st.just(200), 0)),
        rating_max=draw(seldom(st.just(800), 0)),
        deals=draw(st.booleans()),
        late_levels=late_levels,
        reentries=draw(st.integers(0, 2)) if late_levels else 0,
        rebuy=draw(seldom(purchases, None)),
        add_on=draw(seldom(purchases, None)),
        rebuy_offer_ms=draw(st.sampled_from((1, 60_000))),
        roll_forward=draw(
            seldom(st.sampled_from(("peoples_poker", "big_holdem", "tda", "refund_all")), None)
        ),
    )
    assume(not problems(chosen))
    return chosen


def check(play):
    """After every commit: all chips are there, one seat a player, a reason for every rest."""
    state = play.state
    if state.phase != "running" or not state.tables:
        return
    ends = of(StageEnded, play.events)
    whole = sum(one.stack_chips for one in ends[-1].standings) if ends else state.chips_sold
    assert chips_in_play(state) == whole
    at_tables = sum(sum(table.stacks.values()) for table in play.tables.values())
    assert at_tables + sum(fact.stack_chips for fact in play.vacated) == whole
    chairs = [
        (table.table, seat.player, seat.seat)
        for table in state.tables.values()
        for seat in table.seats + table.arriving + table.reserved
    ]
    assert max(Counter(player for _, player, _ in chairs).values()) == 1
    assert max(Counter((table, seat) for table, _, seat in chairs).values()) == 1
    assert state.left == len(chairs) + sum(map(len, state.unranked))
    at_rest = [table.table for table in state.tables.values() if not table.playing]
    assert [table for table, _ in reasons(state)] == at_rest
    check_bounties(play)


def pool_of(play):
    """What there was to win, by the events alone: fees and what lacked of the guarantee."""
    entries = len(of(PlayerRegistered, play.events)) - len(of(PlayerUnregistered, play.events))
    extras = sum(one.fee_cents for one in of(RebuyGranted, play.events))
    collected = entries * play.terms.fee_cents + extras
    added = sum(one.amount_cents for one in of(GuaranteeDue, play.events))
    assert collected + added == max(collected, play.terms.guarantee_cents)
    return collected + added


def won_by(play):
    """Add up what has left the pool for players, or for the next stage."""
    prizes_won = sum(one.amount_cents for one in of((PrizeDue, QualifiersNamed), play.events))
    return prizes_won + sum(one.amount_cents for one in of(BountyDue, play.events))


def check_purchases(play):
    """Every purchase that was asked for came to one end."""
    asked = [one.entry for one in of((EntryRequested, RebuyRequested), play.events)]
    ends = (PlayerRegistered, EntryDeclined, EntryExpired, RebuyGranted, RebuyLapsed)
    assert sorted(one.entry for one in of(ends, play.events)) == sorted(asked)


def check_finished(play):
    """Everybody has one place, and its prize; nothing is left to do."""
    (finished,), players = of(TournamentFinished, play.events), set(play.state.registered)
    assert finished in play.commits[-1]
    assert [one.place for one in finished.places] == list(range(1, len(players) + 1))
    assert {one.player for one in finished.places} == players
    amounts = [one.prize_cents for one in finished.places]
    assert amounts == sorted(amounts, reverse=True)
    due = [(one.place, one.player, one.amount_cents) for one in of(PrizeDue, play.events)]
    assert sorted(due) == [
        (one.place, one.player, one.prize_cents) for one in finished.places if one.prize_cents
    ]
    assert won_by(play) == pool_of(play)
    out = [one.place for one in of(PlayerEliminated, play.events)]
    assert sorted(out) == list(range(len(players) - len(out) + 1, len(players) + 1))
    assert not play.state.bounties
    assert not play.armed()
    for late in play.asked:
        assert play.must(held(late)) == ()
    assert not play.tables
    assert not play.vacated


def going_on_without_chips(play):
    """Who is out and has qualified all the same is still in (BH-BIGSHOOT)."""
    if play.terms.big_shoot is None:
        return set()
    last = len(play.state.prizes_cents)
    return {one.player for one in of(PlayerEliminated, play.events) if one.place <= last}


def check_called_off(play):
    """Too few have come: everybody who has paid gets the whole price back."""
    (cancelled,) = of(TournamentCancelled, play.events)
    assert cancelled.reason == "too few players"
    price = play.terms.fee_cents + play.terms.commission_cents
    backs = of(PlayerUnregistered, play.commits[-1])
    assert {one.refund_cents for one in backs} <= {price}
    left = len(of(PlayerUnregistered, play.events))
    assert left == len(of(PlayerRegistered, play.events))


EXAMPLES = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


@EXAMPLES
@given(accepted_terms(), st.integers(0, 2**32))
def test_every_accepted_tournament_ends_with_all_money_paid_out(chosen, seed):
    """PP-LOBBY: nobody has paid for a tournament that cannot be played."""
    play = AnyPlay(chosen, seed, check).to_the_end()
    assert play.state == DECIDER.fold(play.events)
    assert awaiting(play.state) is None
    check_purchases(play)
    if play.state.phase == "finished":
        check_finished(play)
    else:
        check_called_off(play)


@EXAMPLES
@given(accepted_terms(), st.integers(0, 2**32), st.integers(0, 200))
def test_given_up_at_any_moment_all_money_goes_back(chosen, seed, moments):
    """PP-ROLLFORWARD, BH-RF1, BH-RF2: prizes, bounties and shares are the pool."""
    play = given_up(chosen, seed, moments)
    (final,) = of(SheetFinal, play.events)
    everybody = final.policy == "refund_all"
    without_chips = going_on_without_chips(play)
    still_in = play.state.left + len(without_chips)
    assert final.players == (len(play.state.registered) if everybody else still_in)
    play.must(ApproveSheet(author="ops_2", sheet_hash=final.sheet_hash))
    check_purchases(play)
    shares = of(PayoutDue, play.events)
    assert won_by(play) + sum(one.pool_cents for one in shares) == pool_of(play)
    assert not play.state.bounties
    out = {one.player for one in of(PlayerEliminated, play.events)} - without_chips
    assert everybody or out.isdisjoint(one.player for one in shares)
    assert not play.armed()


@EXAMPLES
@given(accepted_terms(), st.integers(0, 2**32), st.integers(0, 200))
def test_after_a_withdrawn_cancellation_it_is_played_to_its_end(chosen, seed, moments):
    play = given_up(chosen, seed, moments)
    play.must(WithdrawCancellation(author="ops_1", reason="a drill"))
    play.to_the_end()
    check_purchases(play)
    check_finished(play)


def given_up(chosen, seed, moments):
    """Play for some moments, then cancel; every table halts."""
    play = AnyPlay(chosen, seed, check)
    while play.state.phase == "registering" or (moments > 0 and is_live(play.state)):
        moments -= play.state.phase == "running"
        play.something()
    assume(play.state.phase == "running")
    play.must(CancelTournament(author="ops_1", reason="fire"))
    assert not play.state.pending
    play.asked.clear()
    play.unrated.clear()
    halt_all(play, play.chance)
    for table in play.tables.values():
        table.hand = None
    return play
