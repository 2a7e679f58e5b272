"""Laws of any hand: what is opened verifies, no card twice, and nothing else ever leaves."""

import base64
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from services.dealer.core import DECIDER, verify_opening
from services.dealer.core.requests import CANDIDATES_MAX
from services.dealer.core.shuffle import source_bytes_max
from services.dealer.shell.sealing import deck_of, seal_hands, seat_key, unseal_deck
from shared.contracts.dealer import (
    AskSeatKey,
    DealerEvent,
    DeckCommitted,
    Draw,
    DrawMade,
    SealedReply,
    SeatsOpened,
)
from shared.poker.deck import CARDS
from shared.runtime.deciding import EVENTS_BYTES_MAX
from shared.runtime.sealed import (
    Unreadable,
    new_reply_key,
    open_hole_cards,
    open_seat_key,
    open_view,
)
from tests.core.dealer.dealer_play import (
    HAND,
    STREETS,
    VAULT_KEY,
    Dealer,
    deal,
    outsider_draws,
    outsider_verifies,
)

hands = given(seed=st.integers(0, 2**32), players=st.integers(1, 23))
modest = settings(max_examples=40, deadline=None)


def dealt(seed, players):
    dealer = Dealer(seed)
    dealer.ask(deal(players))
    return dealer


def all_openings(dealer, seats):
    """Open everything that can be opened, seat by seat and street by street."""
    shown = [dealer.open(seat).seats[0].openings for seat in seats]
    return [o for openings in shown for o in openings] + [
        o for street in STREETS for o in dealer.board(street).openings
    ]


@hands
@modest
def test_every_dealt_position_opens_and_verifies_and_no_card_comes_twice(seed, players):
    dealer = dealt(seed, players)
    openings = all_openings(dealer, range(1, players + 1))
    assert sorted(o.position for o in openings) == list(range(2 * players + 5))
    assert len({o.card for o in openings}) == 2 * players + 5
    for opening in openings:
        assert verify_opening(dealer.root, HAND, opening)
        assert outsider_verifies(dealer.root, HAND, opening)


@hands
@modest
def test_a_tampered_opening_fails(seed, players):
    dealer = dealt(seed, players)
    opening = dealer.board("flop").openings[0]
    other_card = next(card for card in CARDS if card != opening.card)
    for changes in (
        {"card": other_card},
        {"card": "1h"},
        {"card": "A♥"},
        {"card": opening.card.swapcase()},
        {"position": opening.position + 1},
        {"position": opening.position + 52},
        {"position": -1},
        {"salt": bytes(32)},
        {"salt": opening.salt + b"\x00"},
        {"path": opening.path[1:]},
        {"path": opening.path[::-1]},
        {"path": (*opening.path, bytes(32))},
        {"path": (bytes(32), *opening.path[1:])},
    ):
        assert not verify_opening(dealer.root, HAND, replace(opening, **changes))
    assert not verify_opening(bytes(32), HAND, opening)
    assert not verify_opening(dealer.root, "hnd_11", opening)


@hands
@modest
def test_a_player_reads_the_cards_that_are_later_opened(seed, players):
    dealer = dealt(seed, players)
    reply_key = new_reply_key(dealer.entropy)
    sealed = {box.seat: box.box for box in dealer.state.deck.sealed}
    for seat in range(1, players + 1):
        ask = AskSeatKey(hand=HAND, seat=seat, player=f"ply_{seat}", to_key=reply_key.public)
        key = open_seat_key(reply_key, dealer.ask(ask), HAND, seat)
        held = open_hole_cards(key, sealed[seat], HAND, seat)
        assert open_view(reply_key, dealer.view(seat, reply_key.public), HAND, seat) == held
        assert tuple(o.card for o in dealer.open(seat).seats[0].openings) == held


@hands
@modest
def test_the_log_and_the_vault_key_rebuild_everything(seed, players):
    dealer = dealt(seed, players)
    committed = msgspec.json.decode(msgspec.json.encode(dealer.log[0]), type=DeckCommitted)
    deck = unseal_deck(VAULT_KEY, committed)
    assert sorted(deck.cards) == sorted(CARDS)
    assert deck_of(HAND, deck.cards, deck.seed) == deck
    assert seal_hands(VAULT_KEY, deck, committed.roster) == committed.sealed


@given(seed=st.integers(0, 2**32), count=st.integers(1, 700))
@modest
def test_a_draw_is_an_order_of_its_candidates_that_anybody_can_make_again(seed, count):
    dealer = Dealer(seed)
    drawn = dealer.ask(Draw(draw="drw_1", purpose="seats", count=count))
    assert sorted(drawn.order) == list(range(count))
    assert dealer.log == [
        DrawMade(draw="drw_1", purpose="seats", order=drawn.order, source=dealer.log[0].source)
    ]
    assert outsider_draws(count, dealer.log[0].source) == drawn.order


def test_the_largest_draw_fits_in_a_commit():
    dealer = Dealer()
    dealer.ask(Draw(draw="drw_" + "x" * 76, purpose="x" * 200, count=CANDIDATES_MAX))
    longest = replace(dealer.log[0], source=bytes(source_bytes_max(CANDIDATES_MAX)))
    assert len(dealer.log[0].source) < len(longest.source)
    assert 150_000 < len(msgspec.json.encode(longest)) < EVENTS_BYTES_MAX


@hands
@modest
def test_a_replayed_log_leads_to_the_same_state(seed, players):
    dealer = dealt(seed, players)
    all_openings(dealer, range(1, players + 1))
    dealer.view(1, b"\x09" + bytes(31))
    wire = msgspec.json.encode(dealer.log)
    log = msgspec.json.decode(wire, type=list[DealerEvent])
    assert log == dealer.log
    assert DECIDER.fold(log) == dealer.state


# --- nothing hidden leaves ------------------------------------------------------------------


def fields_of(value) -> Iterator[str | bytes]:
    """Walk every text and every byte string in a message."""
    if isinstance(value, str | bytes):
        yield value
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from fields_of(getattr(value, field))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from fields_of(item)


def spelled(secret):
    """The ways in which bytes get written down."""
    padded = [base64.b64encode(bytes(shift) + secret)[4:-4] for shift in range(3)]
    return [secret, secret.hex().encode(), repr(secret)[2:-1].encode(), *padded]


def secrets_of(dealer, closed):
    """All that must stay inside: keys, seed, and the salts of positions that stay closed."""
    deck = unseal_deck(VAULT_KEY, dealer.state.deck)
    seats = [box.seat for box in dealer.state.deck.sealed]
    keys = [seat_key(VAULT_KEY, HAND, dealer.root, seat) for seat in seats]
    return [VAULT_KEY, deck.seed, *keys, *(deck.salts[position] for position in closed)]


@given(
    seed=st.integers(0, 2**32),
    players=st.integers(2, 23),
    shown=st.sets(st.integers(1, 23), max_size=5),
    streets=st.integers(0, 3),
)
@modest
def test_no_secret_and_no_hidden_card_is_in_the_log_or_in_any_answer(seed, players, shown, streets):
    dealer = dealt(seed, players)
    key = new_reply_key(dealer.entropy)
    replies = [dealer.board(street) for street in STREETS[:streets]]
    for seat in range(1, players + 1):
        replies.append(dealer.view(seat, key.public))
        ask = AskSeatKey(hand=HAND, seat=seat, player=f"ply_{seat}", to_key=key.public)
        replies.append(dealer.ask(ask))
    replies += [dealer.open(seat) for seat in sorted(shown) if seat <= players]
    refused = [dealer.open(40), dealer.board("flop", root=b"?"), dealer.view(1, bytes(32))]

    opened = {o.position for said in replies for o in openings_in(said)}
    hidden = [position for position in range(52) if position not in opened]
    outgoing = [*dealer.log, *replies, *refused]
    deck = unseal_deck(VAULT_KEY, dealer.state.deck)

    wire = b"".join(msgspec.json.encode(said) + repr(said).encode() for said in outgoing)
    for secret in secrets_of(dealer, hidden):
        assert not any(spelling in wire for spelling in spelled(secret))
    hidden_cards = {deck.cards[position] for position in hidden}
    words = {word for said in outgoing for word in fields_of(said)}
    assert not hidden_cards & words
    assert not {card.encode() for card in hidden_cards} & words


def openings_in(said):
    if hasattr(said, "openings"):
        return said.openings
    return [o for seat in getattr(said, "seats", ()) for o in seat.openings]


def test_the_search_would_find_what_it_looks_for():
    dealer = dealt(1, 2)
    shown = dealer.open(1)
    assert isinstance(dealer.log[-1], SeatsOpened)
    salt, card = shown.seats[0].openings[0].salt, shown.seats[0].openings[0].card
    wire = msgspec.json.encode(dealer.log[-1])
    assert any(spelling in wire for spelling in spelled(salt))
    assert card in set(fields_of(dealer.log[-1]))


def test_an_opening_says_nothing_about_another_leaf():
    dealer = dealt(5, 2)
    one, two = dealer.open(1).seats[0].openings
    for opening, other in ((one, two), (two, one)):
        for card in CARDS:
            guess = replace(opening, position=other.position, card=card, path=other.path)
            assert not verify_opening(dealer.root, HAND, guess)


def test_what_holds_a_secret_does_not_show_it():
    dealer = dealt(1, 2)
    deck = unseal_deck(VAULT_KEY, dealer.state.deck)
    key = new_reply_key(dealer.entropy)
    for holder in (deck, key, dealer.decider, dealer.respond, [deck], {"vault": deck}):
        for secret in (deck.seed, VAULT_KEY, key.private, *deck.salts):
            assert not any(s in repr(holder).encode() for s in spelled(secret))
    assert repr(deck) == "<Deck withheld>"
    assert "Ah" not in f"{deck} {deck!r} {deck.__rich_repr__()}"


def test_a_reply_is_for_one_key_one_hand_one_seat_and_one_purpose():
    dealer = dealt(1, 3)
    key, other = new_reply_key(dealer.entropy), new_reply_key(dealer.entropy)
    reply = dealer.view(2, key.public)
    assert len(open_view(key, reply, HAND, 2)) == 2
    wrong = [
        lambda: open_view(other, reply, HAND, 2),
        lambda: open_view(key, reply, HAND, 3),
        lambda: open_view(key, reply, "hnd_2", 2),
        lambda: open_seat_key(key, reply, HAND, 2),
        lambda: open_view(key, replace(reply, box=reply.box[:-1] + b"\x00\x00"), HAND, 2),
        lambda: open_view(key, SealedReply(from_key=bytes(32), box=reply.box), HAND, 2),
        lambda: open_view(key, SealedReply(from_key=b"", box=b""), HAND, 2),
    ]
    for opening in wrong:
        with pytest.raises(Unreadable):
            opening()
