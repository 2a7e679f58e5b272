"""The director's draws as the dealer is asked for them: how many, by the commit that asks."""

from services.director.core import AwaitDraw
from services.director.core.terms import ENTRIES_MAX
from services.director.shell.drawing import asking_for_draws
from shared.contracts.commit import raw
from shared.contracts.dealer import Draw, Drawn
from shared.contracts.edge import Accepted
from shared.runtime.aggregate import Asked
from tests.used_decks import finished


class Dealer:
    """Keeps what it is asked, and leaves everything in its order."""

    async def ask(self, service, stream, command, **_):
        self.asked = service, stream, command
        order = tuple(range(command.count))
        return Accepted(stream=stream, n=1, reply=raw(Drawn(draw=stream, order=order)))


def test_the_largest_field_is_drawn_by_number_and_by_the_commit_that_asks():
    dealer = Dealer()
    asked = Asked("trn_abc", 7, AwaitDraw("seats", (), ENTRIES_MAX))
    drawn = finished(asking_for_draws(dealer)(asked))
    assert len(drawn.order) == ENTRIES_MAX
    assert dealer.asked == (
        "dealer",
        "drw_abc_7",
        Draw(draw="drw_abc_7", purpose="seats", count=ENTRIES_MAX),
    )
