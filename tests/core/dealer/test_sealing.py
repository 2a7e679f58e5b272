"""The formats that must stay readable for ever, and the vault that reads them."""

import base64
import stat

import pytest
from msgspec.structs import replace

from services.dealer.settings import DealerSettings
from services.dealer.shell.sealing import (
    deck_of,
    seal_deck,
    seal_hands,
    sealed_hand,
    seat_key,
    unseal_deck,
)
from services.dealer.shell.vault import (
    VaultUnusable,
    key_id,
    open_vault,
    read_vault,
    vault_of,
    write_new_key,
)
from shared.kernel.hashing import digest
from shared.poker.deck import CARDS
from shared.runtime.sealed import Unreadable, open_hole_cards, public_of, seal_reply, view_context
from shared.runtime.settings import SettingsError, load
from tests.core.dealer.dealer_play import HAND, VAULT_KEY, Dealer, deal, roster_of

FACTORY_ORDER = tuple(sorted(CARDS))
SEED = bytes(range(32, 64))
KEY_TEXT = base64.b64encode(VAULT_KEY).decode()
SETTING = "ROLLFORWARD_DEALER_VAULT_KEY"
ENGINES = {"DATABASE_URL": "postgresql://x", "NATS_URL": "nats://x"}


GOLDEN = {
    "root": "c02b394d20c4101ece19a2716b4ba235d3f01cd1d636ca28291dee0b136e1136",
    "salt 51": "a2b89a32d0652e4d36b6db696fbb5a82245969d17e9a3d78875b67b016e6e7d6",
    "sealed deck": "863ddada299672848b8061e359e2f183fd42118a032a96698d9ac76f9ea2f3bc",
    "sealed hand": "38970a30d3138cc813b89e4a578112142211afce",
    "key id": "vk_e9df11b3c842a03d",
    "reply": "8f40c5adb68f25624ae5b214ea767a6ec94d829d3d7b5e1ad1ba6f3e2138285f"
    "c28b91889b2a9eda03889c9e5d45a91baa652d3a",
}


def known_deck():
    return deck_of(HAND, FACTORY_ORDER, SEED)


def test_sealing_twice_gives_the_same_bytes():
    deck, roster = known_deck(), roster_of(9)
    assert seal_hands(VAULT_KEY, deck, roster) == seal_hands(VAULT_KEY, deck, roster)


def test_every_sealed_hand_has_the_same_length_and_its_own_key():
    deck, roster = known_deck(), roster_of(23)
    boxes = [sealed.box for sealed in seal_hands(VAULT_KEY, deck, roster)]
    assert {len(box) for box in boxes} == {4 + 16}
    keys = {seat_key(VAULT_KEY, HAND, deck.tree.root, seat) for seat in range(1, 24)}
    assert len(keys) == 23
    assert len({seat_key(VAULT_KEY, HAND, digest(bytes((n,))), 1) for n in range(5)}) == 5


@pytest.mark.parametrize(("hand", "seat"), [("hnd_2", 1), (HAND, 2)])
def test_a_sealed_hand_opens_as_itself_only(hand, seat):
    deck = known_deck()
    key = seat_key(VAULT_KEY, HAND, deck.tree.root, 1)
    box = sealed_hand(VAULT_KEY, deck, roster_of(3), 1)
    assert open_hole_cards(key, box, HAND, 1) == (FACTORY_ORDER[0], FACTORY_ORDER[3])
    with pytest.raises(Unreadable):
        open_hole_cards(key, box, hand, seat)
    with pytest.raises(Unreadable):
        open_hole_cards(seat_key(VAULT_KEY, HAND, deck.tree.root, 2), box, HAND, 1)


def test_formats_are_frozen():
    deck = known_deck()
    fixed = bytes(range(64, 76))
    sealed = seal_deck(VAULT_KEY, deck, lambda _: fixed)
    reply = seal_reply(b"AhKd", public_of(SEED), view_context(HAND, 2), lambda _: VAULT_KEY)
    assert {
        "root": deck.tree.root.hex(),
        "salt 51": deck.salts[51].hex(),
        "sealed deck": digest(sealed).hex(),
        "sealed hand": sealed_hand(VAULT_KEY, deck, roster_of(2), 2).hex(),
        "key id": key_id(VAULT_KEY),
        "reply": (reply.from_key + reply.box).hex(),
    } == GOLDEN


@pytest.mark.parametrize(
    "changes",
    [
        {"hand": "hnd_2"},
        {"sealed_deck": b""},
        {"sealed_deck": bytes(200)},
    ],
)
def test_a_sealed_deck_opens_for_its_hand_only(changes):
    dealer = Dealer()
    dealer.ask(deal())
    with pytest.raises(Unreadable):
        unseal_deck(VAULT_KEY, replace(dealer.state.deck, **changes))
    with pytest.raises(Unreadable):
        unseal_deck(bytes(32), dealer.state.deck)


def test_a_sealed_deck_that_was_not_committed_to_is_a_fault():
    dealer = Dealer()
    dealer.ask(deal())
    with pytest.raises(ValueError, match="not the one committed to"):
        unseal_deck(VAULT_KEY, replace(dealer.state.deck, root=bytes(32)))


# --- the vault ------------------------------------------------------------------------------


def test_a_new_key_file_is_the_owners_alone_and_never_overwritten(tmp_path):
    path = tmp_path / "vault.key"
    write_new_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    vault = read_vault(path)
    assert list(vault.keys) == [vault.current]
    with pytest.raises(FileExistsError):
        write_new_key(path)
    assert read_vault(path) == vault


def test_a_new_line_on_top_is_the_current_key_and_the_old_one_still_opens(tmp_path):
    old, new = Dealer(), bytes(32)
    old.ask(deal())
    path = tmp_path / "vault.key"
    path.write_text(f"# newest first\n{new.hex()}\n\n{KEY_TEXT}\n")
    vault = read_vault(path)
    assert vault.current == key_id(new)
    later = Dealer(vault=vault)
    later.state = old.state
    assert later.board("flop") == old.board("flop")


@pytest.mark.parametrize(
    "text", [KEY_TEXT, VAULT_KEY.hex(), VAULT_KEY.hex().upper(), f" {KEY_TEXT}\n"]
)
def test_a_key_may_be_hex_or_base64(text):
    assert open_vault("", text) == vault_of([VAULT_KEY])


SECRET_LOOKING = "c2VjcmV0"


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        (None, "FileNotFoundError"),
        ("", "there is no vault key"),
        ("# nothing\n", "there is no vault key"),
        (f"{KEY_TEXT}\n{SECRET_LOOKING}\n", "line 2: a vault key has 32 bytes"),
        (f"{SECRET_LOOKING}!\n", "line 1: a vault key is hex or base64"),
        ("z" * 64, "line 1: a vault key is hex or base64"),
        ("é", "UnicodeDecodeError"),
    ],
)
def test_a_bad_key_file_is_refused_without_saying_what_is_in_it(tmp_path, written, complaint):
    path = tmp_path / "vault.key"
    if written is not None:
        path.write_text(written, encoding="utf-8")
    with pytest.raises(VaultUnusable, match=complaint) as refused:
        open_vault(str(path), "")
    assert SECRET_LOOKING not in str(refused.value)


def test_exactly_one_setting_is_set(tmp_path):
    with pytest.raises(VaultUnusable, match="are both set"):
        open_vault(str(tmp_path / "vault.key"), KEY_TEXT)
    with pytest.raises(VaultUnusable, match=f"set {SETTING}_FILE or {SETTING}"):
        open_vault("", "")


def test_settings_read_the_key_and_never_show_it():
    settings = load(DealerSettings, {**ENGINES, SETTING: KEY_TEXT})
    assert open_vault(settings.dealer_vault_key_file, settings.dealer_vault_key) == vault_of(
        [VAULT_KEY]
    )
    assert KEY_TEXT not in repr(settings)
    with pytest.raises(SettingsError, match=f"nearest name is {SETTING}"):
        load(DealerSettings, {**ENGINES, "ROLLFORWARD_DEALER_VALT_KEY": KEY_TEXT})
