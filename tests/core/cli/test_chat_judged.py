"""A tournament in which everybody talks, also of their cards: every verdict and proof stands."""

import asyncio
from functools import cache

from services.cli.deal.file import export_of
from services.cli.deal.judging import findings
from services.cli.verdicts import judge, search
from services.dealer.shell.sealing import unseal_deck
from shared.contracts.dealer import DeckCommitted
from shared.contracts.table import Said, Say
from shared.runtime.exports import hand_lines
from tests.core.cli.tournament_world import VAULT_KEY, World, copies_of


class Talkative(World):
    """Before anybody acts, everybody at some table who is dealt in names their own cards."""

    def act(self) -> bool:
        playing = [
            (stream, state)
            for (service, stream), state in self.states.items()
            if service == "table" and state.hand is not None
        ]
        for stream, state in playing[:1]:
            for dealt in state.hand.started.seats:
                self.at_ms += 400
                text = self.cards_of(state.hand.started.hand, dealt.seat)
                self.tell("table", stream, Say(player=dealt.player, text=text))
        return super().act()

    def cards_of(self, hand: str, seat: int) -> str:
        decks = [e for c in self.commits for e in c.events if isinstance(e, DeckCommitted)]
        committed = next((deck for deck in decks if deck.hand == hand), None)
        if committed is None:
            return "deal!"
        return " ".join(unseal_deck(VAULT_KEY, committed).hole_cards(committed.roster, seat))


@cache
def tournament():
    return Talkative(3).play()


def test_all_of_it_is_logged_in_the_middle_of_hands():
    said = [e for c in tournament().commits for e in c.events if isinstance(e, Said)]
    assert len(said) > 50
    assert len({one.text for one in said}) > 10


def test_every_verdict_stands_and_nothing_has_leaked(tmp_path):
    copies = copies_of(tournament().commits)
    assert not [verdict for verdict in judge(copies) if not verdict.true]
    key_file = tmp_path / "vault.key"
    key_file.write_text(VAULT_KEY.hex())
    frames = {"ply_1": [m.data for copy in copies.values() for m in copy.messages]}
    assert search(copies, key_file, frames=frames) == ()


def test_every_hand_that_is_taken_home_is_right():
    rows = [row for copy in copies_of(tournament().commits).values() for row in copy.rows]

    async def read_stream(_service, stream):
        return [row for row in rows if row.stream == stream]

    hands = {row.stream for row in rows if row.stream.startswith("hnd_")}
    talkative = 0
    for hand in sorted(hands):
        lines = asyncio.run(hand_lines(hand, read_stream))
        talkative += any(b"table.said.v1" in line for line in lines)
        assert all(finding.right for finding in findings(export_of(lines)))
    assert talkative > 5
