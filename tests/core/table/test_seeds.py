"""Player entropy at the table: who may give a seed, who is waited for, and what the dealer gets."""

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.table.core import AwaitDeal, AwaitPromise, awaiting, timers
from shared.contracts.dealer import DealtIn, PromisedDeck, SeatSeed
from shared.contracts.director import TableBroken
from shared.contracts.hand import (
    DealAwaited,
    HandScheduled,
    HandStarted,
    PromiseAwaited,
    SeedGiven,
    SeedsInvited,
)
from shared.contracts.message import OutageOver, TimerFired
from shared.contracts.table import ComeBack, GiveSeed, GoOut
from tests.core.table.table_play import TABLE, TOURNAMENT, Play, assigned, kinds, move, player_of

SEED_MS = 2_000
STACKS = {1: 1_000, 2: 1_000, 3: 1_000}
HAND = TimerFired(name="hand")
PROMISE = PromisedDeck(hand="hnd_1", promise=b"promise")
SEEDS = {seat: bytes((seat,)) * 32 for seat in range(1, 10)}


def seed(seat, hand="hnd_1", **more):
    return replace(GiveSeed(hand=hand, player=player_of(seat), seed=SEEDS[seat]), **more)


def scheduled(stacks=STACKS, **more):
    """A table whose first hand is cleared for one second from now; the dealer is asked."""
    play = Play(stacks, button=3, seed_ms=SEED_MS, **more)
    play.tell(play.cleared())
    return play


def invited(**more):
    play = scheduled(**more)
    play.answer()
    return play


def due_ms(play):
    """How long the hand waits from now, unless something comes."""
    return dict(timers(play.table))["hand"] - play.at_ms


def dealt(play):
    """Let the timer of the hand fire; return the question to the dealer."""
    play.at_ms = dict(timers(play.table))["hand"]
    question = play.tell(HAND)[-1]
    assert type(question) is DealAwaited
    return question


# --- the order of things ----------------------------------------------------------------------


def test_the_dealer_is_bound_before_any_seed_and_has_all_of_them_before_any_card():
    play = Play(STACKS, button=3, seed_ms=SEED_MS)
    assert kinds(play.tell(play.cleared())) == [HandScheduled, PromiseAwaited]
    assert awaiting(play.table) == AwaitPromise("hnd_1", TABLE)
    assert timers(play.table) == ()
    assert play.refused(seed(1)) == "seeds_not_open"
    until_ms = play.at_ms + SEED_MS
    invitation = SeedsInvited(hand="hnd_1", promise=b"promise", until_ms=until_ms)
    assert play.answer() == (invitation,)
    for seat in (3, 1, 2):
        given = SeedGiven(hand="hnd_1", seat=seat, player=player_of(seat), seed=SEEDS[seat])
        assert play.tell(seed(seat)) == (given,)
    roster = tuple(DealtIn(seat, player_of(seat)) for seat in (1, 2, 3))
    seeds = tuple(SeatSeed(seat, SEEDS[seat]) for seat in (1, 2, 3))
    asked = dealt(play)
    assert asked == DealAwaited(hand="hnd_1", roster=roster, promise=b"promise", seeds=seeds)
    assert awaiting(play.table) == AwaitDeal("hnd_1", TABLE, roster, b"promise", seeds)


def test_seeds_go_in_dealing_order_whoever_was_first():
    play = Play(STACKS, button=1, seed_ms=SEED_MS)
    play.tell(play.cleared())
    play.answer()
    play.tell(seed(1))
    play.tell(seed(3))
    asked = dealt(play)
    assert [one.seat for one in asked.roster] == [2, 3, 1]
    assert [one.seat for one in asked.seeds] == [3, 1]


def test_without_player_entropy_nothing_is_asked_and_nothing_taken():
    play = Play(STACKS, button=3)
    assert kinds(play.tell(play.cleared())) == [HandScheduled]
    assert play.refused(seed(1)) == "no_player_entropy"
    assert dealt(play) == DealAwaited(hand="hnd_1", roster=play.table.hand.asked.roster)


def test_every_hand_has_its_own_promise_and_its_own_seeds():
    play = invited()
    play.tell(seed(1))
    dealt(play)
    play.answer()
    play.play("fold", "fold")
    assert kinds(play.tell(play.cleared())) == [HandScheduled, PromiseAwaited]
    assert play.refused(seed(1)) == "unknown_hand"
    play.answer()
    play.tell(seed(2, "hnd_2"))
    assert [one.seat for one in dealt(play).seeds] == [2]


# --- who is waited for ------------------------------------------------------------------------


def test_once_all_have_given_the_hand_starts_when_it_may():
    play = invited()
    assert due_ms(play) == SEED_MS
    play.tell(seed(1))
    play.tell(seed(2))
    assert due_ms(play) == SEED_MS
    play.tell(seed(3))
    assert due_ms(play) == 1_000
    assert play.tell(HAND) == ()
    play.at_ms += 1_000
    assert kinds(play.tell(HAND))[0] is HandStarted


def test_a_silent_player_delays_the_hand_no_longer_than_the_terms_say_and_leaves_out_one_seed():
    play = invited()
    play.tell(seed(1))
    play.tell(seed(3))
    play.at_ms += SEED_MS - 1
    assert play.tell(HAND) == ()
    play.at_ms += 1
    question = play.tell(HAND)[-1]
    assert [one.seat for one in question.seeds] == [1, 3]


def test_when_all_are_silent_the_promise_alone_makes_the_deck():
    play = invited()
    question = dealt(play)
    assert (question.promise, question.seeds) == (b"promise", ())


def test_a_hand_that_may_not_begin_for_long_takes_seeds_until_then():
    play = Play(STACKS, button=3, seed_ms=SEED_MS)
    play.tell(replace(play.cleared(), not_before_ms=play.at_ms + 60_000))
    play.answer()
    assert due_ms(play) == 60_000
    play.at_ms += 59_999
    assert kinds(play.tell(seed(2))) == [SeedGiven]


def test_who_is_out_is_not_waited_for_and_may_give_all_the_same():
    play = invited()
    play.tell(seed(1))
    play.tell(GoOut(player=player_of(2)))
    assert due_ms(play) == SEED_MS
    play.tell(GoOut(player=player_of(3)))
    assert due_ms(play) == 1_000
    play.tell(ComeBack(player=player_of(3)))
    assert due_ms(play) == SEED_MS
    play.tell(seed(2))
    play.tell(seed(3))
    assert [one.seat for one in dealt(play).seeds] == [1, 2, 3]


def test_when_all_are_out_nobody_is_waited_for():
    play = scheduled()
    for seat in STACKS:
        play.tell(GoOut(player=player_of(seat)))
    play.answer()
    assert due_ms(play) == 1_000


def test_a_seed_in_the_last_moment_counts_and_one_after_the_start_does_not():
    play = invited()
    play.at_ms += SEED_MS
    assert kinds(play.tell(seed(1))) == [SeedGiven]
    assert [one.seat for one in dealt(play).seeds] == [1]
    assert play.refused(seed(2)) == "seeds_not_open"
    play.answer()
    assert play.refused(seed(2)) == "seeds_not_open"
    play.play("fold", "fold")
    assert play.refused(seed(2)) == "unknown_hand"


def test_an_outage_gives_nobody_more_time_for_a_seed():
    play = invited()
    outage = OutageOver(down_from_ms=play.at_ms, up_at_ms=play.at_ms + 500)
    play.at_ms += 500
    assert play.tell(outage) == ()
    assert due_ms(play) == SEED_MS - 500


def test_the_promise_takes_as_long_as_it_takes():
    play = scheduled()
    play.at_ms += 600_000
    assert play.tell(HAND) == ()
    play.answer()
    assert due_ms(play) == SEED_MS


# --- refusals ---------------------------------------------------------------------------------

REFUSALS = [
    # what is said, why not; each row holds whatever the rows below it forbid
    (seed(4, "hnd_9", seed=b""), "unknown_hand"),
    (seed(9, seed=b""), "not_seated"),
    (seed(4, seed=b""), "not_dealt_in"),
    (seed(2, seed=b""), "seed_given"),
    (seed(2), "seed_given"),
    (seed(3, seed=b"x" * 31), "bad_seed"),
    (seed(3, seed=b"x" * 33), "bad_seed"),
]


@pytest.mark.parametrize(("said", "reason"), REFUSALS)
def test_a_seed_is_refused_for_the_first_reason_that_holds(said, reason):
    play = invited()
    play.tell(assigned(player_of(4), 4, 1_000))
    play.tell(seed(2))
    assert play.refused(said) == reason


def test_a_seed_counts_for_the_player_in_whose_name_it_comes():
    """The gateway writes the name of the token into the request: none gives for another."""
    play = invited()
    play.tell(seed(2, player=player_of(1)))
    assert play.refused(seed(1)) == "seed_given"
    assert [one.seat for one in dealt(play).seeds] == [1]


ANSWERS = [
    (replace(PROMISE, hand="hnd_2"), "unknown_hand"),
    (replace(PROMISE, promise=b""), "no_promise"),
]


@pytest.mark.parametrize(("answer", "reason"), ANSWERS)
def test_an_answer_that_binds_nobody_is_refused(answer, reason):
    play = scheduled()
    assert play.refused(answer) == reason
    assert awaiting(play.table) is not None


def test_a_second_promise_changes_nothing():
    play = invited()
    assert play.refused(replace(PROMISE, promise=b"other")) == "not_awaited"


# --- who comes and goes -----------------------------------------------------------------------


def test_a_player_who_is_to_move_gives_a_seed_for_the_last_hand_here():
    play = invited()
    play.tell(move(player_of(3)))
    play.tell(seed(3))
    assert [one.seat for one in dealt(play).seeds] == [3]


def test_a_table_that_is_broken_asks_nothing_any_more():
    play = scheduled()
    play.tell(TableBroken(tournament=TOURNAMENT, table=TABLE))
    assert awaiting(play.table) is None
    assert play.refused(PROMISE) == "unknown_hand"
    assert play.refused(seed(1)) == "unknown_hand"


# --- a law ------------------------------------------------------------------------------------

WORDS = st.lists(
    st.one_of(
        st.tuples(st.just("seed"), st.integers(1, 4)),
        st.tuples(st.just("out"), st.integers(1, 3)),
        st.tuples(st.just("back"), st.integers(1, 3)),
        st.tuples(st.just("later"), st.integers(1, 900)),
        st.tuples(st.just("timer"), st.just(0)),
    ),
    max_size=30,
)


@given(WORDS)
def test_whatever_players_do_the_hand_starts_in_time_with_exactly_the_seeds_on_record(words):
    play = invited()
    until_ms = play.at_ms + SEED_MS
    for word, value in words:
        if play.table.hand is not None:
            break
        match word:
            case "seed" if play.table.seeding and all(
                one.player != player_of(value) for one in play.table.seeding.given
            ):
                if value <= 3:
                    play.tell(seed(value))
                else:
                    assert play.refused(seed(value)) == "not_seated"
            case "out":
                play.tell(GoOut(player=player_of(value)))
            case "back":
                play.tell(ComeBack(player=player_of(value)))
            case "later":
                play.at_ms += value
            case "timer":
                play.tell(HAND)
    if play.table.hand is None:
        assert dict(timers(play.table))["hand"] <= until_ms
        play.at_ms = max(play.at_ms, dict(timers(play.table))["hand"])
        play.tell(HAND)
    question = play.table.hand.asked
    given = {one.seat: one.seed for one in play.log if isinstance(one, SeedGiven)}
    assert {one.seat: one.seed for one in question.seeds} == given
    assert [one.seat for one in question.seeds] == sorted(given)
