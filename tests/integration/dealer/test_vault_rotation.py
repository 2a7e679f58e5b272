"""The runbook on vault keys as a drill: a new key, the end of an old one, and a lost one."""

import os
from base64 import b64encode

import psycopg
import pytest

from services.dealer.shell.vault import read_vault, write_new_key
from shared.contracts.dealer import (
    AskSeatKey,
    CommitRef,
    DealBoard,
    DealHands,
    DealtBoard,
    DealtHands,
    OpenedSeats,
    OpenSeats,
    SealedReply,
    ViewSeat,
)
from shared.runtime.adapters.whole_logs import read_logs
from shared.runtime.sealed import new_reply_key, open_hole_cards, open_seat_key, open_view
from tests.core.dealer.dealer_play import roster_of
from tests.integration.dealer.conftest import DEALER
from tests.integration.runbook import Duty

BOOK = "vault-keys.md"
STATED = CommitRef("tbl_1", 9)


def deal(hand):
    return DealHands(hand=hand, table="tbl_1", roster=roster_of(2))


@pytest.fixture
def duty(dealer, key_file, database_url, tmp_path):
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    names = {"DATABASE_URL": database_url, "KEY_FILE": str(key_file), "SECRETS": str(secrets)}
    return Duty(BOOK, names, None)


class Player:
    """Asks for what only the deck's key can answer."""

    def __init__(self, asker, dealt):
        self.asker = asker
        self.dealt = dealt

    def board(self, street):
        return DealBoard(hand=self.dealt.hand, root=self.dealt.root, street=street)

    def opening(self):
        return OpenSeats(hand=self.dealt.hand, root=self.dealt.root, seats=(2,), stated=STATED)

    def asked_for_key(self, key):
        return AskSeatKey(hand=self.dealt.hand, seat=1, player="ply_1", to_key=key.public)

    def view(self, key):
        return ViewSeat(
            hand=self.dealt.hand,
            root=self.dealt.root,
            seat=1,
            reason="showdown",
            stated=STATED,
            to_key=key.public,
        )

    async def own_cards(self):
        key = new_reply_key(os.urandom)
        reply = await self.asker.reply(self.asked_for_key(key), SealedReply)
        seat_key = open_seat_key(key, reply, self.dealt.hand, 1)
        return open_hole_cards(seat_key, self.dealt.sealed[0].box, self.dealt.hand, 1)

    async def viewed_cards(self):
        key = new_reply_key(os.urandom)
        return open_view(
            key, await self.asker.reply(self.view(key), SealedReply), self.dealt.hand, 1
        )


def under(database_url):
    """Which vault key each hand was sealed under."""
    (rows,) = read_logs(database_url, [DEALER]).values()
    return [data.data.partition(b'"vault_key":"')[2].partition(b'"')[0].decode() for data in rows]


async def test_a_new_key_and_the_end_of_the_old_one(
    duty, dealer, asker, key_file, database_url, command
):
    write_new_key(key_file)
    old = read_vault(key_file).current
    dealer.start()
    await dealer.ready()
    player = Player(asker, await asker.reply(deal("hnd_1"), DealtHands))
    cards = await player.own_cards()
    flop = await asker.reply(player.board("flop"), DealtBoard)

    assert f"{old}  in use since " in duty.run("look")
    duty.run("new-key")
    duty.run("keep")
    new = read_vault(key_file).current
    assert list(read_vault(key_file).keys) == [new, old]
    assert key_file.stat().st_mode & 0o777 == 0o600
    await dealer.restart()

    assert await player.own_cards() == cards
    assert await player.viewed_cards() == cards
    assert await asker.reply(player.board("flop"), DealtBoard) == flop
    await asker.reply(player.board("turn"), DealtBoard)
    await asker.reply(deal("hnd_2"), DealtHands)
    assert [key for key in under(database_url) if key] == [old, new]
    told = duty.run("changed").splitlines()
    assert [line.split("  ")[0] for line in told] == [old, new]
    assert "key 2 of the file, 1 hands, the last at 20" in told[0]
    assert "seals the registry, key 1 of the file, 1 hands" in told[1]

    whole = key_file.read_text()
    key_file.write_text(whole.splitlines(keepends=True)[0])
    dealer.stop()
    refusal = dealer.refusal()
    assert refusal.startswith(f"dealer: vault key {old}, in use since 20")
    assert f"`rollforward vault retire {old}`" in refusal
    key_file.write_text(whole)

    duty.environ["OLD_KEY"] = old
    assert "1 hands, the last at 20" in duty.run("losses")
    assert command("vault", "keys").stdout.count("retired") == 0
    assert f"{old} is retired" in duty.run("retire")
    assert list(read_vault(key_file).keys) == [new]
    assert duty.done == [step.name for step in duty.steps]
    dealer.start()
    await dealer.ready()
    await refused_for_ever(asker, player, flop)
    assert f"{old}  retired, in use since" in command("vault", "keys").stdout


async def refused_for_ever(asker, player, flop):
    """What was opened stays on record; closed cards stay closed."""
    key = new_reply_key(os.urandom)
    for secret in (
        player.asked_for_key(key),
        player.view(key),
        player.opening(),
        player.board("river"),
    ):
        assert await asker.refusal(secret) == "vault_key_missing"
    assert await asker.reply(player.board("flop"), DealtBoard) == flop
    assert await asker.reply(deal("hnd_1"), DealtHands) == player.dealt
    later = Player(asker, await asker.reply(deal("hnd_3"), DealtHands))
    assert len((await asker.reply(later.opening(), OpenedSeats)).seats) == 1


async def test_the_current_key_is_lost(dealer, asker, key_file, database_url, command):
    write_new_key(key_file)
    lost = read_vault(key_file).current
    dealer.start()
    await dealer.ready()
    await asker.reply(deal("hnd_1"), DealtHands)
    dealer.stop()
    key_file.write_text(b64encode(os.urandom(32)).decode() + "\n")
    assert lost in dealer.refusal()

    asked = command("vault", "retire", lost)
    assert asked.returncode == 1
    assert "will not be recognised any more (PP-RNG)" in asked.stdout
    assert lost in dealer.refusal()
    assert command("vault", "retire", lost, "--yes").returncode == 0
    dealer.start()
    await dealer.ready()
    await asker.reply(deal("hnd_2"), DealtHands)
    assert under(database_url) == [lost, read_vault(key_file).current]


async def test_a_retired_key_on_top_is_refused(dealer, key_file, command):
    write_new_key(key_file)
    dealer.start()
    await dealer.ready()
    dealer.stop()
    key = read_vault(key_file).current
    assert command("vault", "retire", key, "--yes").returncode == 0
    assert dealer.refusal() == f"dealer: vault key {key} is retired: put a new key on top"


def test_what_an_operator_gets_wrong_is_one_line(database_url, command, tmp_path):
    with psycopg.connect(database_url) as connection:
        connection.execute("DELETE FROM platform.vault_keys")
    none = command("vault", "keys")
    assert (none.stdout, none.stderr) == ("no vault key was in use yet\n", "")
    unknown = command("vault", "retire", "vk_1")
    assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1)
    nowhere = command("vault", "keys", str(tmp_path / "none"))
    assert (nowhere.returncode, nowhere.stderr.count("\n")) == (2, 1)
