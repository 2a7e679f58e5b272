"""`rollforward deal verify` on files: exit codes, files that go together, and an auditor's keys."""

import asyncio
import base64
import hmac
from hashlib import sha256

import msgspec
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.cli.deal.auditing import sealed_findings
from services.cli.deal.command import verify
from services.cli.deal.file import contradictions, export_of
from services.cli.deal.judging import findings
from services.cli.verdicts.mixing import root_of
from services.cli.verdicts.unsealing import derived, read_keys
from services.dealer.shell.vault import read_vault
from shared.contracts.dealer import DeckCommitted
from shared.runtime import sealed
from shared.runtime.exports import played_lines
from shared.runtime.settings import SettingsError
from tests.core.cli.exported_deals import (
    BOARD,
    CARD,
    MADE,
    SHOWN,
    are_right,
    chained,
    draws,
    edited,
    hands,
    other,
    read_stream,
    tags_of,
    telling,
    without,
)
from tests.core.cli.test_seeds_judged import commits as seeded_commits
from tests.core.cli.tournament_world import TOURNAMENT, VAULT, VAULT_KEY, copies_of


@pytest.fixture
def file(tmp_path):
    """Writes lines as a file."""

    def written(name, lines):
        path = tmp_path / name
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return path

    return written


def test_each_hand_and_each_draw_is_one_line_and_the_exit_code_says_all(file, capsys):
    right = file("right", [*telling(SHOWN, BOARD), *draws()])
    wrong = file("wrong", edited(telling(SHOWN, BOARD), CARD, lambda e: e.update(table="tbl_x")))
    assert verify([right]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(findings(export_of([*telling(SHOWN, BOARD), *draws()])))
    assert all(line.startswith(("right hnd_", "right drw_")) for line in lines)
    assert verify([wrong]) == 1
    assert capsys.readouterr().out.startswith("WRONG hnd_")
    assert verify([right, wrong], json=True) == 1
    told = [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]
    assert {finding["right"] for finding in told} == {True, False}


def test_what_cannot_be_read_is_2_and_the_other_files_are_judged_all_the_same(file, capsys):
    right = file("right", draws())
    for unreadable in (file("empty", []), file("json", [b"{}"]), right.parent / "nowhere"):
        assert verify([unreadable, right]) == 2
        said = capsys.readouterr()
        assert "right drw_" in said.out
        assert said.err.startswith("rollforward: ")
        assert said.err.count("\n") == 1
    newer = msgspec.json.encode({**msgspec.json.decode(draws()[0]), "v": 2})
    assert verify([file("newer", [newer])]) == 2


def test_a_file_in_which_nothing_is_found_is_wrong(file, capsys):
    commits = [msgspec.json.decode(line) for line in telling(BOARD)]
    nothing = {**commits[0], "events": []}
    between = {**next(c for c in commits if c["stream"].startswith("tbl_")), "events": []}
    for commit in (nothing, between, {**between, "stream": "trn_other"}):
        assert verify([file("nothing", [msgspec.json.encode(commit)])]) == 1
        assert "holds no hand and no draw" in capsys.readouterr().out
        assert not are_right([*draws(), msgspec.json.encode(commit)])


def test_a_file_cannot_write_lines_of_its_own(file, capsys):
    evil = "seats\nright hnd_x \x1b[2J"

    def renamed(event):
        event["purpose"] = evil

    lines = draws()
    for tag in ("director.draw-awaited.v1", MADE, "director.draw-taken.v1"):
        lines = edited(lines, tag, renamed)
    assert verify([file("evil", lines)]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == len(findings(export_of(draws())))
    assert "\x1b" not in out


def test_all_hands_of_a_tournament_are_one_file_with_its_draws(file):
    played = asyncio.run(played_lines(TOURNAMENT, read_stream))
    assert sorted(played) == sorted(line for lines in hands().values() for line in lines)
    found = findings(export_of([*draws(), *played]))
    assert {finding.what for finding in found} > set(hands())
    assert all(finding.right for finding in found), found

    async def nothing_ended(service, stream):
        rows = await read_stream(service, stream)
        return [row for row in rows if b"table.hand-ended.v1" not in row.data]

    assert asyncio.run(played_lines(TOURNAMENT, nothing_ended)) == []


def test_hands_with_player_entropy_are_right_and_every_seed_counts():
    logs = {line: copy.rows for line, copy in copies_of(seeded_commits()).items()}

    async def read(service, stream):
        return [
            row
            for line, rows in logs.items()
            if line.service == service
            for row in rows
            if row.stream == stream
        ]

    played = asyncio.run(played_lines(TOURNAMENT, read))
    export = export_of(played)
    found = [*findings(export), *sealed_findings(export, VAULT.keys)]
    assert all(finding.right for finding in found), found
    for tag in ("dealer.deck-promised.v1", "table.seeds-invited.v1", "table.seed-given.v1"):
        assert not are_right(without(played, tag)), tag
    for tag, change in (
        ("table.seed-given.v1", lambda e: e.update(seed=other(e["seed"]))),
        ("table.seeds-invited.v1", lambda e: e.update(promise=other(e["promise"]))),
        ("dealer.deck-promised.v1", lambda e: e.update(promise=other(e["promise"]))),
        (CARD, lambda e: e["seeds"].reverse()),
    ):
        assert not are_right(edited(played, tag, change)), tag


def test_between_two_hands_a_table_may_leave_out_what_is_of_no_hand_and_nothing_else():
    played = asyncio.run(played_lines(TOURNAMENT, read_stream))
    streams = [msgspec.json.decode(line) for line in played]
    at_table = [n for n, c in enumerate(streams) if c["stream"].startswith("tbl_")]
    starts = [n for n in at_table if "table.hand-scheduled.v1" in tags_of(streams[n])]
    ends = [n for n in at_table if "table.hand-ended.v1" in tags_of(streams[n])]
    for number in (starts[1], ends[0], starts[1] + 1, ends[0] - 1):
        assert not are_right([*played[:number], *played[number + 1 :]])


def test_two_copies_of_one_hand_that_differ_do_not_go_together(file, capsys):
    """The last commit of a stream, and a file that was written anew, are held by other copies."""
    mine = telling(SHOWN, BOARD)
    commits = [msgspec.json.decode(line) for line in mine]
    commits[-1]["at"] = "2999-01-01T00:00:00.000Z"
    later = chained(commits)
    commits[0]["build"] = "other"
    anew = chained(commits)
    assert not list(contradictions([export_of(mine), export_of(draws()), export_of(mine)]))
    for forged in (later, anew):
        assert are_right(forged)
        assert list(contradictions([export_of(mine), export_of(forged)]))
        assert verify([file("mine", mine), file("forged", forged)]) == 1
        assert "more than one commit" in capsys.readouterr().out


def test_files_of_neighbouring_commits_hold_each_other():
    lines = list(telling(SHOWN, BOARD))
    cut = len(lines) - 2
    assert not list(contradictions([export_of(lines[:cut]), export_of(lines[cut:])]))
    commits = [msgspec.json.decode(line) for line in lines[:cut]]
    commits[-1]["build"] = "other"
    first = export_of(chained(commits))
    found = list(contradictions([first, export_of(lines[cut:])]))
    assert found == [
        (commits[-1]["stream"], f"has another commit {commits[-1]['n']} in another file")
    ]


# --- with the vault keys --------------------------------------------------------------------


def audited(lines, **how):
    """What an auditor finds of the deck in these lines."""
    return next(sealed_findings(export_of(lines), VAULT.keys, **how))


def test_an_auditor_opens_every_sealed_deck_and_finds_it_committed_to():
    lines = [line for hand in hands().values() for line in hand]
    found = list(sealed_findings(export_of(lines), VAULT.keys))
    assert len(found) == len(hands()) + 1
    assert all(finding.right for finding in found), found
    foreign = next(sealed_findings(export_of(lines), {"vk_0": bytes(32)}))
    assert "does not open" in foreign.detail


def test_an_auditor_sees_a_deck_that_is_not_the_one_committed_to():
    lines = telling(SHOWN, BOARD)
    assert audited(lines).right
    root = audited(edited(lines, CARD, lambda e: e.update(root=other(e["root"]))))
    assert root.detail == "is not the one committed to"
    other_deck = audited(edited(lines, CARD, lambda e: e.update(sealed_deck=e["root"])))
    assert other_deck.detail == "does not open with the vault keys at hand"


def test_an_auditor_sees_a_box_with_other_cards_where_an_outsider_cannot():
    def swapped(event):
        first, second = event["sealed"][:2]
        first["box"], second["box"] = second["box"], first["box"]

    lines = edited(edited(telling(SHOWN, BOARD), CARD, swapped), "table.hands-dealt.v1", swapped)
    assert are_right(lines)
    assert "does not hold its cards" in audited(lines).detail


def test_an_auditor_sees_a_deck_in_which_a_card_is_twice():
    """Nobody else could: cards that were not opened are not known."""
    lines = telling(SHOWN, BOARD)
    hand = msgspec.json.decode(lines[0])["stream"]
    cards, seed, nonce = ("Ah",) * 52, bytes(32), bytes(12)
    key = derived(VAULT_KEY, f"rollforward/deck-key/v1/{hand}")
    box = AESGCM(key).encrypt(nonce, "".join(cards).encode() + seed, f"{hand}/deck".encode())

    def stacked(event):
        event["sealed_deck"] = base64.b64encode(nonce + box).decode()
        event["root"] = base64.b64encode(root_of(hand, cards, seed)).decode()

    assert audited(edited(lines, CARD, stacked)).detail == "is not 52 different cards"


def test_cards_are_told_only_to_an_auditor_who_asks(file, tmp_path, capsys):
    lines = telling(SHOWN, BOARD)
    keys = tmp_path / "keys"
    keys.write_text(VAULT_KEY.hex() + "\n")
    (deck,) = [
        f.event for f in export_of(lines).history.of("dealer") if type(f.event) is DeckCommitted
    ]
    path = file("hand", lines)
    assert verify([path], vault_key_file=keys) == 0
    quiet = capsys.readouterr().out
    assert verify([path], vault_key_file=keys, show=True) == 0
    told = capsys.readouterr().out
    assert len(told.split()) == len(quiet.split()) + 52
    assert f"right {deck.hand} sealed deck" in quiet
    assert VAULT_KEY.hex() not in told


KEYS = [bytes(range(n, n + 32)) for n in (0, 100, 220)]


def test_a_key_file_is_read_as_the_dealer_reads_it(tmp_path):
    path = tmp_path / "keys"
    urlsafe, plain = base64.urlsafe_b64encode(KEYS[2]), base64.b64encode(KEYS[1])
    path.write_text(f"# new\n {KEYS[0].hex()} \n\n{plain.decode()}\n{urlsafe.decode()}\n")
    assert read_keys(path) == read_vault(path).keys
    assert list(read_keys(path)) == list(read_vault(path).keys)


@pytest.mark.parametrize("text", ["", "# none\n", "?\n", "AAAA\n", "é\n", "g" * 64])
def test_what_is_no_key_file_is_refused_without_showing_what_was_in_it(tmp_path, text):
    path = tmp_path / "keys"
    path.write_text(text)
    with pytest.raises(SettingsError) as refused:
        read_keys(path)
    assert not text.strip() or text.strip() not in str(refused.value)
    with pytest.raises(SettingsError):
        read_keys(tmp_path / "nowhere")


@pytest.mark.parametrize("length", [12, 32])
def test_keys_are_derived_as_published(length):
    for salt in (b"", sha256(b"root").digest()):
        mine = derived(KEYS[0], "a/context", salt, length)
        assert mine == sealed.derived(KEYS[0], "a/context", salt=salt, length=length)
    assert hmac.compare_digest(derived(KEYS[0], "a"), sealed.derived(KEYS[0], "a"))
