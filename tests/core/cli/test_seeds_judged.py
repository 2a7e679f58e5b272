"""A tournament with player entropy: all true when left alone, and each wrong seed is seen."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts import judge, judge_moment
from services.cli.verdicts.hidden import hidden_in
from services.cli.verdicts.history import history_of
from services.cli.verdicts.leaks import Sent, find_leaks
from services.cli.verdicts.mixed_decks import decks_follow_from_seeds
from services.dealer.core.mixing import promise_of
from services.dealer.shell.promising import seal_secret, unseal_secret
from shared.contracts.dealer import DeckCommitted, DeckPromised, DeckRepeated, SeatSeed
from shared.contracts.hand import DealAwaited, HandStarted, SeedGiven, SeedsInvited
from shared.contracts.table import GiveSeed
from tests.core.cli.tournament_world import TERMS, VAULT, VAULT_KEY, World, changed, copies_of

CARDS, CHIPS = "shown cards = commitments", "chips conserved"
SEED = 3


class SeededWorld(World):
    """Players hand in seeds before a hand starts; some forget it now and then."""

    def fire_timers(self):
        for (service, stream), state in list(self.states.items()):
            if service == "table" and state.seeding is not None and state.seeding.promise:
                for dealt in state.scheduled.roster:
                    if self.chance.random() < 0.7:
                        seed = self.chance.randbytes(32)
                        hand = state.scheduled.hand
                        give = GiveSeed(hand=hand, player=dealt.player, seed=seed)
                        assert self.tell("table", stream, give)
        return super().fire_timers()


@cache
def commits():
    terms = replace(TERMS, player_entropy=True, seed_ms=500)
    return tuple(SeededWorld(SEED, terms).play().commits)


def history(found):
    return history_of({line: copy.rows for line, copy in copies_of(found).items()})


def false_in(found):
    return {verdict.name for verdict in judge(copies_of(found)) if not verdict.true}


def follows(found, keys=VAULT.keys):
    return decks_follow_from_seeds(history(found), keys)


def events(kind, found=None):
    return [e for c in found or commits() for e in c.events if isinstance(e, kind)]


def test_a_tournament_left_alone_is_all_true():
    assert false_in(commits()) == set()
    verdict = follows(commits())
    assert verdict.true, verdict
    decks = events(DeckCommitted)
    assert verdict.detail == f"{len(decks)} promised decks made again"
    assert {len(deck.seeds) for deck in decks} >= {1, 2, 3}


def test_every_moment_of_a_tournament_is_true_for_an_auditor_as_well():
    for end in range(20, len(commits()), 23):
        logs = {line: copy.rows for line, copy in copies_of(commits()[:end]).items()}
        found = judge_moment(logs, vault_keys=VAULT.keys)
        assert all(verdict.true for verdict in found), (end, found)
        assert found[-1].name == "decks = promises + seeds"


def dropped(_event):
    return ()


def other_seed(event):
    return replace(event, seed=bytes(32))


def other_seeds(event):
    return replace(event, seeds=event.seeds[1:]) if event.seeds else None


def foreign_seeds(event):
    return replace(event, seeds=(*event.seeds, SeatSeed(9, bytes(32))))


def unpromised(event):
    return replace(event, promise=b"", seeds=())


FACTS = [
    # case, events of, change
    ("a seed left out of the deck", DeckCommitted, other_seeds),
    ("a seed that nobody gave in the deck", DeckCommitted, foreign_seeds),
    ("a deck that says nothing of its promise", DeckCommitted, unpromised),
    ("a deck by another promise", DeckCommitted, lambda e: replace(e, promise=bytes(32))),
    ("a seed left out of the question", DealAwaited, other_seeds),
    ("a question without the promise", DealAwaited, unpromised),
    ("a seed changed on record", SeedGiven, other_seed),
    ("a seed forgotten", SeedGiven, dropped),
    ("a seed of another seat", SeedGiven, lambda e: replace(e, seat=e.seat % 3 + 1)),
    ("a seed of a stranger", SeedGiven, lambda e: replace(e, player="ply_x")),
    ("a seed of another hand", SeedGiven, lambda e: replace(e, hand="hnd_x")),
    ("no invitation", SeedsInvited, dropped),
    ("an invitation by another promise", SeedsInvited, lambda e: replace(e, promise=bytes(32))),
    ("a promise that the dealer never gave", DeckPromised, dropped),
    ("another promise by the dealer", DeckPromised, lambda e: replace(e, promise=bytes(32))),
]


@pytest.mark.parametrize(("kind", "change"), [row[1:] for row in FACTS], ids=[f[0] for f in FACTS])
def test_one_fact_changed_is_seen_by_anybody(kind, change):
    """A commit that is gone numbers its line anew, which the chips see as well."""
    for which in range(2):
        seen = false_in(changed(commits(), kind, change, which))
        assert CARDS in seen
        assert seen <= ({CARDS, CHIPS} if change is dropped else {CARDS})


def place_of(found, kind, hand):
    """Where the first commit is with an event of this type and hand."""
    return next(
        i for i, c in enumerate(found) for e in c.events if isinstance(e, kind) and e.hand == hand
    )


def moved(found, kind, hand, behind):
    """Move the commit of a hand's event of a type behind another one."""
    found = list(found)
    commit = found.pop(place_of(found, kind, hand))
    to = place_of(found, behind, hand)
    found.insert(to + 1, commit._replace(at_ms=found[to].at_ms))
    return found


def test_a_seed_after_the_start_is_seen():
    hand = events(SeedGiven)[0].hand
    assert false_in(moved(commits(), SeedGiven, hand, HandStarted)) == {CARDS}


def test_a_promise_after_the_seeds_is_seen():
    """The table has its invitation when seeds are there already."""
    hand = events(SeedGiven)[0].hand
    assert false_in(moved(commits(), SeedsInvited, hand, SeedGiven)) == {CARDS}


def test_a_promise_after_the_deck_is_seen():
    hand = events(DeckPromised)[0].hand
    assert false_in(moved(commits(), DeckPromised, hand, DeckCommitted)) == {CARDS}


# --- what takes the vault key -----------------------------------------------------------------


def with_secret(promised, secret):
    sealed = seal_secret(VAULT_KEY, promised.hand, secret, bytes)
    promise = promise_of(promised.hand, secret)
    return replace(promised, promise=promise, sealed_secret=sealed)


def test_a_deck_of_another_secret_is_seen_with_the_vault_key():
    """Public facts all agree on the promise; the deck was made of something else."""
    hand = events(DeckPromised)[0].hand
    promise = promise_of(hand, bytes(32))
    found = changed(
        commits(), DeckPromised, lambda e: with_secret(e, bytes(32)) if e.hand == hand else None
    )
    for kind in (SeedsInvited, DealAwaited, DeckCommitted):
        found = changed(
            found, kind, lambda e: replace(e, promise=promise) if e.hand == hand else None
        )
    assert false_in(found) == set()
    verdict = follows(found)
    assert not verdict.true
    assert verdict.detail == f"{hand}: the deck does not follow from secret and seeds"


def test_a_sealed_secret_that_was_not_promised_is_seen():
    secret = seal_secret(VAULT_KEY, events(DeckPromised)[0].hand, bytes(32), bytes)
    found = changed(commits(), DeckPromised, lambda e: replace(e, sealed_secret=secret))
    assert false_in(found) == set()
    assert "the sealed secret is not the promised one" in follows(found).detail


def test_a_sealed_deck_that_was_not_committed_to_is_seen():
    found = changed(commits(), DeckCommitted, lambda e: replace(e, root=bytes(32)))
    assert "the sealed deck is not the one committed to" in follows(found).detail


def test_decks_thrown_away_without_need_are_seen():
    """A dealer that repeats until it likes the deck says that others had those decks."""
    hand = events(DeckCommitted)[0].hand
    found = [
        c._replace(events=(DeckRepeated(hand=hand, times=1), *c.events)) if is_deck(c, hand) else c
        for c in commits()
    ]
    detail = follows(found).detail
    assert f"{hand}: attempt 0 was thrown away, and no other hand had that deck" in detail


def is_deck(commit, hand):
    return any(isinstance(e, DeckCommitted) and e.hand == hand for e in commit.events)


def test_without_its_vault_key_nothing_is_claimed():
    assert "do not open" in follows(commits(), {}).detail


def test_the_promised_secret_would_be_found_wherever_it_leaked():
    hidden = hidden_in(history(commits()), VAULT)
    promised = events(DeckPromised)[0]
    secret = unseal_secret(VAULT_KEY, promised)
    assert find_leaks(hidden, [Sent("a log", [secret.hex().encode()], "text")])
    streams = [
        Sent(str(line), [m.data for m in copy.messages], "json")
        for line, copy in copies_of(commits()).items()
    ]
    assert find_leaks(hidden, streams) == ()
