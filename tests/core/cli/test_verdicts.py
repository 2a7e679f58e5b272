"""The verdicts see: a tournament left alone is all true, one thing wrong makes one false."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts import LineCopy, judge
from services.dealer.shell.sealing import unseal_deck
from shared.contracts.dealer import BoardOpened, DeckCommitted, DrawMade, SeatsOpened, SeatViewed
from shared.contracts.director import (
    DrawAwaited,
    HandDigested,
    MoveDecided,
    PlayerRegistered,
    PrizeDue,
    SeatAssigned,
    TableFormed,
    TournamentFinished,
    TournamentStarted,
)
from shared.contracts.hand import (
    AntePosted,
    BlindPosted,
    BoardDealt,
    HandEnded,
    HandMucked,
    HandsDealt,
    HandShown,
    HandStarted,
    OpeningAwaited,
    PlayerCalled,
    PlayerChecked,
    PlayerRaised,
    PotAwarded,
    UncalledReturned,
    ViewAwaited,
)
from shared.contracts.table import PlayerCameBack, SeatTaken, SeatVacated
from shared.contracts.wallet import EntryHeld, EntryPosted, PrizePaid
from shared.runtime.ports import Line
from tests.core.cli.tournament_world import VAULT_KEY, World, changed, copies_of, messages_of

CHIPS, JOURNAL, PRIZES = "chips conserved", "journal sums to zero", "prizes = pool"
STREAM, CARDS = "log = stream", "shown cards = commitments"
DRAWS = "draws = their bytes"
HELD = {JOURNAL, PRIZES}
SEED = 3


@cache
def tournament():
    return World(SEED).play()


@cache
def copies():
    return copies_of(tournament().commits)


def false_in(found):
    return {verdict.name for verdict in judge(found) if not verdict.true}


def test_a_tournament_left_alone_is_all_true():
    found = judge(copies())
    assert [verdict.name for verdict in found] == [CHIPS, JOURNAL, PRIZES, STREAM, CARDS, DRAWS]
    assert all(verdict.true for verdict in found), found


def test_the_tournament_has_everything_that_the_tampering_below_touches():
    kinds = {type(event) for commit in tournament().commits for event in commit.events}
    assert {SeatTaken, HandMucked, SeatViewed, UncalledReturned, AntePosted} <= kinds


@pytest.mark.parametrize("seed", range(20, 26))
def test_other_tournaments_are_true_as_well(seed):
    assert false_in(copies_of(World(seed).play().commits)) == set()


def test_verdicts_about_nothing_are_false():
    assert false_in({Line("table", 0): LineCopy((), ())}) == {
        *(CHIPS, JOURNAL, PRIZES, STREAM, CARDS, DRAWS)
    }


# --- facts changed, and every log and stream chained anew -------------------------------------


def first(items, **changes):
    return (replace(items[0], **changes), *items[1:])


def more(field, by=1):
    return lambda event: replace(event, **{field: getattr(event, field) + by})


def richer_seat(event):
    seat = event.seats[0]
    return replace(event, seats=first(event.seats, stack_chips=seat.stack_chips + 1))


def two_seats_swapped(event):
    one, two, *others = event.seats
    if one.stack_chips == two.stack_chips:
        return None
    swapped = (
        replace(one, stack_chips=two.stack_chips),
        replace(two, stack_chips=one.stack_chips),
    )
    return replace(event, seats=(*swapped, *others))


def richer_share(event):
    share = event.shares[0]
    return replace(event, shares=first(event.shares, chips=share.chips + 1))


def winner_of_pot(event):
    share = event.shares[0]
    return replace(event, shares=first(event.shares, seat=share.seat % 3 + 1))


def other_posting(field, value):
    def change(event):
        old = getattr(event.postings[-1], field)
        posting = replace(event.postings[-1], **{field: value(old)})
        return replace(event, postings=(*event.postings[:-1], posting))

    return change


def place(number, **changes):
    def change(event):
        return replace(event, **changes) if event.place == number else None

    return change


def finished_with(number, **changes):
    def change(event):
        return replace(
            event,
            places=tuple(
                replace(placing, **changes) if placing.place == number else placing
                for placing in event.places
            ),
        )

    return change


def dropped(_event):
    return ()


def came_back(event):
    """Something else happened in the same commit, so that all others keep their numbers."""
    return PlayerCameBack(player=event.player, seat=event.seat)


def cards_turned(event):
    return replace(event, cards=tuple(reversed(event.cards))) if len(event.cards) > 1 else None


def opened_twice(event):
    return replace(event, openings=(event.openings[0], *event.openings[:-1]))


def other_opening(**changes):
    return lambda event: replace(event, openings=first(event.openings, **changes))


def other_card(event):
    card = "2c" if event.openings[0].card != "2c" else "2d"
    return replace(event, openings=first(event.openings, card=card))


def deck_of(committed):
    return unseal_deck(VAULT_KEY, committed)


FACTS = [
    # case, events of, change, what must turn false; HELD: the hold left over is seen as well
    ("stack off by one at a hand's end", HandEnded, richer_seat, {CHIPS}),
    ("two stacks swapped at a hand's end", HandEnded, two_seats_swapped, {CHIPS}),
    ("stack off by one at a hand's start", HandStarted, richer_seat, {CHIPS}),
    ("stack digested off by one", HandDigested, richer_seat, {CHIPS}),
    ("a hand never digested", HandDigested, dropped, {CHIPS}),
    ("another hand's end digested", HandDigested, more("upstream_number"), {CHIPS}),
    ("table formed with one chip more", TableFormed, richer_seat, {CHIPS}),
    ("pot awards one more", PotAwarded, richer_share, {CHIPS}),
    ("pot awarded to another seat", PotAwarded, winner_of_pot, {CHIPS}),
    ("pot not awarded", PotAwarded, dropped, {CHIPS}),
    ("one more returned", UncalledReturned, more("by_chips"), {CHIPS}),
    ("one more called", PlayerCalled, more("by_chips"), {CHIPS}),
    ("raised to one more", PlayerRaised, more("to_chips"), {CHIPS}),
    ("blind of one more", BlindPosted, more("by_chips"), {CHIPS}),
    ("ante of one more", AntePosted, more("by_chips"), {CHIPS}),
    ("left with one less", SeatVacated, more("stack_chips", -1), {CHIPS}),
    ("assigned one more", SeatAssigned, more("stack_chips"), {CHIPS}),
    ("came with one more", SeatTaken, more("stack_chips"), {CHIPS}),
    ("never came", SeatTaken, came_back, {CHIPS}),
    ("moved without a decision", MoveDecided, dropped, {CHIPS}),
    ("posting changed", EntryPosted, other_posting("amount_cents", lambda old: old + 1), {JOURNAL}),
    ("balance changed", EntryHeld, other_posting("balance_cents", lambda old: old + 1), {JOURNAL}),
    ("account changed", EntryHeld, other_posting("account", lambda _: "hold/ply_9"), HELD),
    ("hold forgotten", EntryHeld, lambda event: replace(event, postings=()), HELD),
    ("one prize twice, another never", PrizePaid, place(2, place=1), {PRIZES}),
    ("prize paid to another", PrizePaid, place(1, player="ply_9"), {PRIZES}),
    ("prize of one cent more due", PrizeDue, place(1, amount_cents=9_999), {PRIZES}),
    ("prize due but not paid", PrizeDue, place(2, place=3), {PRIZES}),
    ("a place with another prize", TournamentFinished, finished_with(2, prize_cents=1), {PRIZES}),
    ("a place twice", TournamentFinished, finished_with(4, place=3), {PRIZES}),
    ("a player with two places", TournamentFinished, finished_with(4, player="ply_1"), {PRIZES}),
    ("another pool announced", TournamentStarted, more("pool_cents"), {PRIZES}),
    ("fee said to be higher", EntryPosted, more("fee_cents"), {PRIZES}),
    ("an entry nobody paid", PlayerRegistered, lambda e: replace(e, entry="x"), {PRIZES}),
    ("board card changed", BoardDealt, cards_turned, {CARDS}),
    ("shown cards swapped", HandShown, cards_turned, {CARDS}),
    ("another's cards shown", HandShown, lambda e: replace(e, seat=e.seat % 3 + 1), {CARDS}),
    ("table's root replaced", HandsDealt, lambda e: replace(e, root=bytes(32)), {CARDS}),
    ("dealer's root replaced", DeckCommitted, lambda e: replace(e, root=bytes(32)), {CARDS}),
    ("sealed cards replaced", HandsDealt, lambda e: replace(e, sealed=e.sealed[:-1]), {CARDS}),
    ("roster turned", DeckCommitted, lambda e: replace(e, roster=e.roster[::-1]), {CARDS}),
    ("made for another table", DeckCommitted, lambda e: replace(e, table="tbl_x"), {CARDS}),
    ("no deck", DeckCommitted, dropped, {CARDS}),
    ("no draw", DrawMade, dropped, {DRAWS}),
    ("another order drawn", DrawMade, lambda e: replace(e, order=e.order[::-1]), {DRAWS}),
    ("drawn of other bytes", DrawMade, lambda e: replace(e, source=e.source[:-1]), {DRAWS}),
    ("drawn for something else", DrawMade, lambda e: replace(e, purpose="tie 1"), {DRAWS}),
    ("asked of others", DrawAwaited, lambda e: replace(e, candidates=e.candidates[1:]), {DRAWS}),
    ("a deck of no hand", DeckCommitted, lambda e: replace(e, hand="hnd_x"), {CARDS}),
    ("a hand never dealt", HandsDealt, dropped, {CARDS}),
    ("other card opened", BoardOpened, other_card, {CARDS}),
    ("other salt", BoardOpened, other_opening(salt=bytes(32)), {CARDS}),
    ("shortened path", BoardOpened, other_opening(path=()), {CARDS}),
    ("other position", BoardOpened, other_opening(position=51), {CARDS}),
    ("one card opened twice", BoardOpened, opened_twice, {CARDS}),
    ("other street", BoardOpened, lambda event: replace(event, street="river"), {CARDS}),
    ("street never opened", BoardOpened, dropped, {CARDS}),
    ("board never dealt", BoardDealt, lambda e: () if e.street == "river" else None, {CARDS}),
    ("hand never opened", SeatsOpened, dropped, {CARDS}),
    ("viewed elsewhere", SeatViewed, lambda e: replace(e, positions=(50, 51)), {CARDS}),
    (
        "viewed without a question",
        SeatViewed,
        lambda e: replace(e, stated=replace(e.stated, n=e.stated.n - 1)),
        {CARDS},
    ),
    (
        "opened without a question",
        SeatsOpened,
        lambda e: replace(e, stated=replace(e.stated, stream="tbl_x")),
        {CARDS},
    ),
    (
        "dealt from the button on",
        HandStarted,
        lambda e: replace(e, button_seat=e.seats[-2].seat),
        {CARDS},
    ),
]


@pytest.mark.parametrize(
    ("kind", "change", "expected"), [row[1:] for row in FACTS], ids=[row[0] for row in FACTS]
)
def test_one_fact_changed_makes_its_verdict_false(kind, change, expected):
    """The first of a kind, and the second where there is one."""
    for which in range(min(2, number_of(kind, change))):
        found = copies_of(changed(tournament().commits, kind, change, which))
        assert false_in(found) == expected


def number_of(kind, change):
    events = [event for commit in tournament().commits for event in commit.events]
    number = sum(isinstance(event, kind) and change(event) is not None for event in events)
    assert number, f"no {kind.__name__} to change"
    return number


def test_chips_out_of_nothing_are_seen_even_when_all_tables_agree():
    """Every fact about one stack says one chip more: the hand does not add up."""
    hand = next(e for c in tournament().commits for e in c.events if isinstance(e, HandEnded)).hand
    commits = tournament().commits
    for kind in (HandEnded, HandDigested):
        commits = changed(commits, kind, lambda e: richer_seat(e) if e.hand == hand else None)
    assert false_in(copies_of(commits)) == {CHIPS}


@pytest.mark.parametrize("question", [OpeningAwaited, ViewAwaited])
def test_a_card_seen_before_the_betting_was_over_is_seen(question):
    """The question is on record, and so is the answer; and after it somebody checks."""
    commits = list(tournament().commits)
    at = next(i for i, c in enumerate(commits) for e in c.events if isinstance(e, question))
    (dealt,) = [e for e in decks_of(commits) if e.hand == commits[at].events[-1].hand]
    checked = PlayerChecked(seat=dealt.roster[0].seat)
    commits[at] = commits[at]._replace(events=(*commits[at].events, checked))
    assert false_in(copies_of(commits)) == {CARDS}


def test_a_look_at_a_hand_that_has_ended_is_seen():
    """The table asks on record for cards that nobody has to show any more."""
    commits = list(tournament().commits)
    at, looked = next(
        (i, e) for i, c in enumerate(commits) for e in c.events if isinstance(e, SeatViewed)
    )
    table = [c for c in commits if c.stream == looked.stated.stream]
    asked = ViewAwaited(hand=looked.hand, seat=looked.seat)
    commits.append(table[-1]._replace(events=(asked,)))
    late = replace(looked, stated=replace(looked.stated, n=len(table) + 1))
    for stated, expected in ((looked.stated, set()), (late.stated, {CARDS})):
        found = replace(looked, stated=stated)
        commits[at] = commits[at]._replace(
            events=tuple(found if isinstance(e, SeatViewed) else e for e in commits[at].events)
        )
        assert false_in(copies_of(commits)) == expected


def test_an_entry_that_stays_held_is_seen():
    """Never posted, and the fee was never in the pool: prizes are paid from others' money."""
    commits = changed(tournament().commits, EntryPosted, dropped, which=5)
    assert PRIZES in false_in(copies_of(commits))


def decks_of(commits):
    return [e for c in commits for e in c.events if isinstance(e, DeckCommitted)]


def test_a_deck_used_again_is_seen():
    """The second hand is dealt from the first hand's deck, and table and dealer agree on it."""
    decks = decks_of(tournament().commits)
    used, again = next(
        (one, two)
        for one in decks
        for two in decks
        if one.hand != two.hand and one.roster == two.roster
    )

    def reuse(event):
        if event.hand != again.hand:
            return None
        same = {"root": used.root, "sealed": used.sealed}
        if isinstance(event, DeckCommitted):
            same["sealed_deck"] = used.sealed_deck
        return replace(event, **same)

    commits = changed(tournament().commits, DeckCommitted, reuse)
    assert false_in(copies_of(changed(commits, HandsDealt, reuse))) == {CARDS}


def test_a_board_from_deeper_in_the_deck_is_seen():
    """A burn card: proofs and cards are right, positions are not those that were promised."""
    decks = {
        e.hand: deck_of(e)
        for c in tournament().commits
        for e in c.events
        if isinstance(e, DeckCommitted)
    }
    told = {}

    def burnt(event):
        if event.street != "river":
            return None
        (opening,) = decks[event.hand].opened((event.openings[0].position + 1,))
        told.setdefault(event.hand, opening.card)
        return replace(event, openings=(opening,))

    commits = changed(tournament().commits, BoardOpened, burnt)
    (hand, card), *_ = told.items()
    table_of = next(
        c.stream for c in commits for e in c.events if isinstance(e, HandsDealt) and e.hand == hand
    )
    at = next(
        i
        for i, c in enumerate(commits)
        for e in c.events
        if c.stream == table_of and isinstance(e, HandsDealt) and e.hand == hand
    )
    river = next(
        e
        for c in commits[at:]
        for e in c.events
        if c.stream == table_of and isinstance(e, BoardDealt) and e.street == "river"
    )
    commits = changed(
        commits, BoardDealt, lambda e: replace(e, cards=(card,)) if e is river else None
    )
    assert false_in(copies_of(commits)) == {CARDS}


def test_an_event_that_nobody_knows_leaves_no_verdict_on_facts_true():
    line = Line("director", 0)
    (row, *rows), rest = copies()[line].rows, copies()
    odd = replace(row, data=row.data.replace(b"director.tournament-created.v1", b"director.odd.v1"))
    found = {**rest, line: LineCopy([odd, *rows], messages_of(line, [odd, *rows]))}
    assert {CHIPS, JOURNAL, PRIZES, CARDS} <= false_in(found)
