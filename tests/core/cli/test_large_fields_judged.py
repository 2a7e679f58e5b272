"""A field whose places and names take several events, judged as any other."""

from msgspec.structs import replace

from shared.contracts.dealer import DrawMade
from shared.contracts.director import DrawAwaited, DrawTaken, PlacesTold
from tests.core.cli.test_verdicts import DRAWS, PRIZES, dropped, false_in, tournament
from tests.core.cli.tournament_world import changed, copies_of, told_in_parts


def without_names(commits):
    """Let the draw of the seats name nobody, as for a field too large for one event."""

    def nameless(event):
        if getattr(event, "purpose", "") != "seats" or isinstance(event, DrawMade):
            return event
        count = len(event.candidates)
        unnamed = {"unnamed": count} if isinstance(event, DrawAwaited) else {}
        return replace(event, candidates=(), **unnamed)

    return [one._replace(events=tuple(map(nameless, one.events))) for one in commits]


def test_a_large_fields_places_and_seats_are_added_up():
    commits = told_in_parts(without_names(tournament().commits))
    assert false_in(copies_of(commits)) == set()
    for wrong, kind, change in (
        (PRIZES, PlacesTold, dropped),
        (PRIZES, PlacesTold, lambda e: replace(e, places=e.places[1:])),
        (DRAWS, DrawAwaited, lambda e: replace(e, unnamed=e.unnamed + 1)),
        (DRAWS, DrawTaken, lambda e: replace(e, order=e.order[::-1])),
    ):
        assert false_in(copies_of(changed(commits, kind, change))) == {wrong}
