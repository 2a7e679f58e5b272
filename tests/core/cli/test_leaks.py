"""The search for hidden things finds each kind of leak that is planted, and nothing else."""

import base64
import json
from collections import defaultdict
from functools import cache

import msgspec
import pytest

from services.cli.verdicts.hidden import hidden_in
from services.cli.verdicts.history import history_of
from services.cli.verdicts.leaks import Sent, find_leaks, search
from services.cli.verdicts.personal import PersonalReader
from services.dealer.shell.sealing import deck_key, seat_key, unseal_deck
from shared.contracts.dealer import BoardOpened, DeckCommitted, SeatsOpened
from tests.core.cli.tournament_world import VAULT, VAULT_KEY, World, copies_of
from tests.people import person_of

SEED = 3


@cache
def tournament():
    return World(SEED).play()


@cache
def copies():
    return copies_of(tournament().commits)


@cache
def hidden():
    history = history_of({line: copy.rows for line, copy in copies().items()})
    return hidden_in(history, VAULT, tournament().person_keys.keys)


def events(kind):
    return [e for c in tournament().commits for e in c.events if isinstance(e, kind)]


class Example:
    """One hand with a flop and a showdown, and what is hidden of it."""

    def __init__(self, committed, flop, shown):
        self.committed, self.flop = committed, flop
        self.hand, self.table = committed.hand, committed.table
        self.deck = unseal_deck(VAULT_KEY, committed)
        self.folded = next(dealt for dealt in committed.roster if dealt.seat not in shown)
        self.other = next(dealt for dealt in committed.roster if dealt != self.folded)
        self.place = committed.roster.index(self.folded)
        self.cards = self.deck.hole_cards(committed.roster, self.folded.seat)
        self.seat_key = seat_key(VAULT_KEY, self.hand, committed.root, self.folded.seat)


@cache
def example():
    flops = {board.hand: board.openings for board in events(BoardOpened) if board.street == "flop"}
    shown = defaultdict(set)
    for opened in events(SeatsOpened):
        shown[opened.hand] |= {seat.seat for seat in opened.seats}
    committed = next(
        deck
        for deck in events(DeckCommitted)
        if deck.hand in flops and 0 < len(shown[deck.hand]) < len(deck.roster)
    )
    return Example(committed, flops[committed.hand], shown[committed.hand])


def found_in(part, form="json", viewer="", before=()):
    sent = Sent("somewhere", [*before, part], form, viewer)
    return find_leaks(hidden(), [sent])


def as_json(value):
    return json.dumps(value).encode()


def test_a_tournament_left_alone_leaks_nothing(tmp_path):
    key_file, log, page = tmp_path / "vault.key", tmp_path / "table.log", b"# HELP commits_total\n"
    key_file.write_text(VAULT_KEY.hex())
    log.write_bytes(as_json({"event": "ready", "service": "table"}) + b"\n")
    facts = {"ply_1": [m.data for copy in copies().values() for m in copy.messages]}
    keys = tournament().person_keys.keys
    pages = {"metrics": page}
    found = search(copies(), key_file, logs=[log], pages=pages, frames=facts, person_keys=keys)
    assert found == ()


# --- salts, seeds and keys ------------------------------------------------------------------


SECRETS = {
    "salt of a closed position": lambda hand: hand.deck.salts[51],
    "salt of a folded card": lambda hand: hand.deck.salts[hand.place],
    "seed": lambda hand: hand.deck.seed,
    "seat key": lambda hand: hand.seat_key,
    "deck key": lambda hand: deck_key(VAULT_KEY, hand.hand),
    "vault key": lambda hand: VAULT_KEY,
}
WRITTEN = {
    "raw": lambda secret: b"before" + secret + b"after",
    "raw, at the end": lambda secret: secret,
    "hex": lambda secret: as_json({"salt": secret.hex()}),
    "upper-case hex": lambda secret: as_json({"salt": secret.hex().upper()}),
    "hex behind a stray digit": lambda secret: b"0" + secret.hex().encode(),
    "base64": lambda secret: as_json({"salt": base64.b64encode(secret).decode()}),
    "url-safe base64": base64.urlsafe_b64encode,
    "base64 without padding": lambda secret: base64.b64encode(secret).rstrip(b"="),
    "inside longer base64": lambda secret: base64.b64encode(b"x" + secret + b"yz"),
    "deeper inside longer base64": lambda secret: base64.b64encode(b"xy" + secret + b"z" * 50),
    "base64 behind other letters": lambda secret: b"ab" + base64.b64encode(secret),
    "repr": lambda secret: f"<Deck seed={secret!r}>".encode(),
    "repr in a JSON log line": lambda secret: as_json({"error": f"Deck(seed={secret!r})"}),
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("form", ["json", "text"])
def test_secrets_are_found_however_they_are_written(secret, write, form):
    leaks = found_in(write(secret(example())), form)
    assert leaks
    assert {leak.where.partition(",")[0] for leak in leaks} == {"somewhere"}


def test_a_salt_that_was_opened_is_no_secret():
    for opening in example().flop:
        assert found_in(as_json({"salt": base64.b64encode(opening.salt).decode()})) == ()


def test_a_report_never_repeats_the_secret():
    hand = example()
    line = as_json({"hand": hand.hand, "salt": hand.deck.seed.hex(), "cards": hand.cards})
    told = str(found_in(line))
    assert hand.deck.seed.hex() not in told
    assert not any(repr(card) in told for card in hand.cards)


# --- cards ----------------------------------------------------------------------------------


def table_event(example, /, **event):
    return as_json({"stream": example.table, "n": 1, "events": [event]})


def started(hand):
    return table_event(hand, type="table.hand-started.v1", hand=hand.hand)


CARD_LEAKS = {
    "in the hand's own object": lambda hand: as_json({"hand": hand.hand, "card": hand.cards[0]}),
    "deeper in it": lambda hand: as_json({"hand": hand.hand, "seats": [{"c": [hand.cards[1]]}]}),
    "in a commit of the table": lambda hand: table_event(hand, seat=2, cards=hand.cards),
    "in a commit of the dealer": lambda hand: as_json({"stream": hand.hand, "x": hand.cards[0]}),
    "both in one word": lambda hand: table_event(hand, cards="".join(hand.cards)),
    "both turned round": lambda hand: table_event(hand, cards="".join(reversed(hand.cards))),
    "both with a blank": lambda hand: table_event(hand, cards=" ".join(hand.cards)),
    "both in base64": lambda hand: table_event(
        hand, cards=base64.b64encode("".join(hand.cards).encode()).decode()
    ),
    "both in hex": lambda hand: table_event(hand, cards="".join(hand.cards).encode().hex()),
    "as a key": lambda hand: table_event(hand, odds={hand.cards[0]: 0.5}),
    "an undealt card": lambda hand: table_event(hand, next=hand.deck.cards[51]),
    "the whole deck": lambda hand: table_event(hand, deck="".join(hand.deck.cards)),
    "in a fact as players get it": lambda hand: as_json(
        {"line": "table-0", "stream": hand.table, "event": {"seat": 1, "cards": hand.cards}}
    ),
    "in a snapshot": lambda hand: as_json(
        {"snapshot": {"facts": [{"stream": hand.table, "event": {"cards": hand.cards}}]}}
    ),
}


@pytest.mark.parametrize("plant", CARD_LEAKS.values(), ids=CARD_LEAKS)
def test_hidden_cards_are_found_in_messages_of_their_hand(plant):
    hand = example()
    assert found_in(plant(hand), before=[started(hand)])


LINES = {
    "a list": lambda hand: f"hand={hand.hand} cards={list(hand.cards)}",
    "one word": lambda hand: f"{hand.hand}: {''.join(hand.cards)}",
    "JSON": lambda hand: json.dumps({"event": "dealt", "hand": hand.hand, "c": hand.cards}),
    "a repr in JSON": lambda hand: json.dumps({"error": f"Seen({hand.hand!r}, {hand.cards!r})"}),
    "a label of a metric": lambda hand: f'seen{{hand="{hand.hand}",card="{hand.cards[0]}"}} 1',
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_hidden_cards_are_found_in_lines_that_name_their_hand(line):
    text = f"nothing here\n{line(example())}\n".encode()
    (leak, *_) = found_in(text, "text")
    assert leak.where == "somewhere, part 1, line 2"


def test_players_may_see_their_own_cards_and_nobody_elses():
    hand = example()
    frame = as_json({"own_cards": {"hand": hand.hand, "seat": 1, "cards": hand.cards}})
    assert found_in(frame, viewer=hand.folded.player) == ()
    assert found_in(frame, viewer=hand.other.player)
    assert found_in(frame)
    word = table_event(hand, cards="".join(hand.cards))
    assert found_in(word, viewer=hand.folded.player, before=[started(hand)]) == ()


def test_cards_that_players_name_in_chat_are_their_own_word():
    hand = example()
    said = {"type": "table.said.v1", "player": "ply_1", "seat": 1, "at_ms": 1}
    chat = table_event(hand, **said, text="".join(hand.cards))
    assert found_in(chat, before=[started(hand)]) == ()
    after = table_event(hand, type="table.player-folded.v1", cards=hand.cards)
    assert found_in(after, before=[started(hand), chat])


def test_what_was_opened_to_everybody_is_no_leak():
    hand = example()
    board = table_event(hand, street="flop", cards=[opening.card for opening in hand.flop])
    assert found_in(board, before=[started(hand)]) == ()


def test_the_same_card_in_another_hand_is_no_leak():
    """A card is hidden in one hand; in another one it lies on the table."""
    other = next(deck for deck in events(DeckCommitted) if deck.hand != example().hand)
    seen = hidden().hands[other.hand]
    card = next(card for card in example().deck.cards if card not in seen.closed)
    assert found_in(as_json({"hand": other.hand, "card": card})) == ()
    assert found_in(as_json({"hand": "hnd_unknown", "cards": example().cards})) == ()


def test_each_stream_has_its_own_hand():
    """Two tables in one sender's messages: the card belongs to the hand of its own table."""
    hand = example()
    elsewhere = as_json({"stream": "tbl_other", "events": [{"type": "x", "hand": "hnd_elsewhere"}]})
    card = as_json({"stream": hand.table, "events": [{"cards": hand.cards}]})
    assert found_in(card, before=[started(hand), elsewhere])
    assert (
        found_in(
            as_json({"stream": "tbl_other", "c": hand.cards}), before=[started(hand), elsewhere]
        )
        == ()
    )


# --- persons --------------------------------------------------------------------------------

NAMED = "ply_3"
KNOWN = ("Called ply_3", *msgspec.structs.astuple(person_of(NAMED)))
TOLD = {
    "as it is": lambda text: text.encode(),
    "in JSON": lambda text: as_json({"error": f"no mail to <{text}>"}),
    "as a repr": lambda text: repr({"name": text}).encode(),
    "in hex": lambda text: text.encode().hex().encode(),
    "in base64": lambda text: base64.b64encode(text.encode()),
    "deeper in base64": lambda text: base64.b64encode(b"x" + text.encode() + b"yz"),
    "deepest in base64": lambda text: base64.b64encode(b"xy" + text.encode() + b"yz"),
    "a label of a metric": lambda text: f'warned{{who="{text}"}} 1'.encode(),
}


@pytest.mark.parametrize("text", KNOWN)
@pytest.mark.parametrize("tell", TOLD.values(), ids=TOLD)
def test_whatever_tells_who_a_person_is_is_found(text, tell):
    (leak, *_) = found_in(tell(text), "text")
    assert leak.what.startswith(("the name of ply_", "the contract of ply_"))
    assert text not in str(leak)


def test_a_name_is_found_in_every_script():
    reader = PersonalReader({"Ömer Şahin": "a name", "王小明和家人": "another"})
    for text in ("Ömer Şahin", "王小明和家人"):
        for tell in TOLD.values():
            assert list(reader.read(tell(text)))
    assert not list(reader.read(b"Omer Sahin"))


def test_the_key_of_a_person_is_a_secret():
    key = tournament().person_keys.keys[NAMED]
    assert found_in(as_json({"key": base64.b64encode(key).decode()}))


def test_of_who_is_erased_there_is_nothing_to_look_for():
    history = history_of({line: copy.rows for line, copy in copies().items()})
    assert hidden_in(history, VAULT).personal == {}
    assert find_leaks(hidden_in(history, VAULT), [Sent("x", [b"Called ply_3"], "text")]) == ()
