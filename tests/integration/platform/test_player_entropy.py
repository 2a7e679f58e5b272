"""Player entropy on real engines: a silent player, and a dealer killed between promise and deck."""

import asyncio

import msgspec

from services.cli.bots.crew import Crew
from services.cli.bots.player import Player
from services.cli.platform import Platform
from services.cli.run.terms import quick_terms
from services.cli.verdicts import judge, search
from services.cli.verdicts.history import History, history_of
from services.cli.verdicts.mixed_decks import decks_follow_from_seeds
from services.dealer.shell.vault import read_vault
from shared.contracts.dealer import DeckCommitted, DeckPromised, DeckRepeated
from shared.contracts.hand import SeedGiven
from tests.integration.platform.watching import ended, settled
from tests.person_keys import keys_in

PLAYERS = 4
SEED_MS = 1_000
KILLS = 1  # Everybody is there for the first hand, and for no other for certain.
ENDS_WITHIN_SECONDS = 180


async def test_the_dealer_may_die_between_promise_and_deck_and_a_silent_player_blocks_nothing(
    platform: Platform,
):
    terms = quick_terms(PLAYERS, PLAYERS, player_entropy=True)
    terms = msgspec.structs.replace(terms, seed_ms=SEED_MS)
    async with Crew(
        platform.url("gateway"), platform.operator_token, PLAYERS, seed=3, keep_frames=True
    ) as crew:
        silent = crew.players[0]
        giving = silent._start_giving
        silent._start_giving = lambda _table, _hand: None
        name = await crew.start(terms)
        async with asyncio.timeout(ENDS_WITHIN_SECONDS):
            hands = [await dealer_killed(platform, silent, kill) for kill in range(KILLS)]
            silent._start_giving = giving
            await ended(crew, name)
        frames = {player.player: list(player.frames) for player in crew.players}
    copies = await settled(platform)
    assert not [verdict for verdict in judge(copies) if not verdict.true]
    history = history_of({line: copy.rows for line, copy in copies.items()})
    key_file = platform.home / "vault.key"
    verdict = decks_follow_from_seeds(history, read_vault(key_file).keys)
    assert verdict.true, verdict
    assert all_seeds_but_of(silent.player, hands, history)
    logs = [platform.log(service) for service in ("table", "dealer", "gateway")]
    keys = keys_in(platform.settings.database_url)
    assert not search(copies, key_file, logs=logs, frames=frames, person_keys=keys)


async def dealer_killed(platform: Platform, silent: Player, kill: int) -> str:
    """Kill the dealer when a hand waits for a seed, and start it when the hand has begun."""
    hand = await told(silent, b'"table.seeds-invited.v1"', kill + 1)
    await asyncio.to_thread(platform.kill, "dealer")
    started = await told(silent, b'"table.hand-started.v1"', kill + 1)
    platform.spawn("dealer")
    assert started == hand
    return hand


async def told(player: Player, kind: bytes, times: int) -> str:
    """Wait until a player has been told this so many times; return the hand of the last."""
    while True:
        messages = [msgspec.json.decode(frame) for frame in player.frames if kind in frame]
        hands = [str(told["event"]["hand"]) for told in messages if "event" in told]
        if len(hands) >= times:
            return hands[times - 1]
        await asyncio.sleep(0.02)


def all_seeds_but_of(silent: str, hands: list[str], history: History) -> bool:
    """Each of these hands has one promise, one deck, and the seeds of everybody else."""
    events = [fact.event for fact in history.of("dealer")]
    given = [fact.event for fact in history.of("table") if isinstance(fact.event, SeedGiven)]
    assert not any(isinstance(event, DeckRepeated) for event in events)
    for hand in hands:
        (_,) = [e for e in events if isinstance(e, DeckPromised) and e.hand == hand]
        (deck,) = [e for e in events if isinstance(e, DeckCommitted) and e.hand == hand]
        others = {dealt.player for dealt in deck.roster} - {silent}
        assert {seed.player for seed in given if seed.hand == hand} == others
        assert len(deck.seeds) == len(others)
    return len(hands) == KILLS
