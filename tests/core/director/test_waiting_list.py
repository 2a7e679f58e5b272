"""The waiting list of a full tournament, as given/when/then rows (PP-ENTRY)."""

import pytest
from msgspec.structs import replace

from services.director.core import DECIDER
from services.director.core.buying.waiting_list import WAITING_MAX
from shared.contracts.director import (
    CancelTournament,
    EntryDeclined,
    EntryExpired,
    Register,
    Unregister,
    WaitingListClosed,
    WaitingListJoined,
    WaitingListLeft,
)
from shared.contracts.message import TimerFired
from shared.kernel.decider import Refused
from tests.core.director.director_play import TOURNAMENT, held, refusal
from tests.core.director.test_director_rows import (
    A1_LEFT,
    ANN,
    ANN_IN,
    B1,
    C1,
    CAT,
    DEADLINE_MS,
    SEATS_ASKED,
    STARTED,
    about,
    entered,
)

C1_ADMITTED = replace(C1, deadline_ms=DEADLINE_MS + 10_000)
CAT_WAITS = WaitingListJoined(tournament=TOURNAMENT, player=CAT, position=1)
TICKET = "trn_0000/1"
CAT_WAITS_WITH_TICKET = replace(CAT_WAITS, ticket=TICKET)
CAT_LEFT = WaitingListLeft(tournament=TOURNAMENT, player=CAT)
CAT_TOLD = WaitingListClosed(tournament=TOURNAMENT, players=(CAT,))
DAN_WAITS = WaitingListJoined(tournament=TOURNAMENT, player="ply_dan", position=2)

ROWS = [
    # case, given, when, then; at the moment of the deadline
    ("full with a pending one", (*ANN_IN, B1), Register(player=CAT), (CAT_WAITS,)),
    (
        "with a ticket",
        (*ANN_IN, B1),
        Register(player=CAT, ticket=TICKET),
        (CAT_WAITS_WITH_TICKET,),
    ),
    (
        "waits once",
        (*ANN_IN, B1, CAT_WAITS),
        Register(player=CAT),
        Refused("already_waiting", "position 1"),
    ),
    ("waits no more", (*ANN_IN, B1, CAT_WAITS), Unregister(player=CAT), (CAT_LEFT,)),
    (
        "the first who waits comes in for who is refused",
        (*ANN_IN, B1, CAT_WAITS),
        refusal(B1),
        (about(B1, EntryDeclined, reason="insufficient_funds"), C1_ADMITTED),
    ),
    (
        "by the ticket that was named",
        (*ANN_IN, B1, CAT_WAITS_WITH_TICKET),
        refusal(B1),
        (
            about(B1, EntryDeclined, reason="insufficient_funds"),
            replace(C1_ADMITTED, ticket=TICKET),
        ),
    ),
    (
        "and for who leaves",
        (*ANN_IN, B1, CAT_WAITS),
        Unregister(player=ANN),
        (A1_LEFT, C1_ADMITTED),
    ),
    (
        "whoever waits at the start is told",
        (*ANN_IN, B1, CAT_WAITS),
        held(B1),
        (entered(B1), STARTED, CAT_TOLD, SEATS_ASKED),
    ),
    (
        "the next one waits behind",
        (*ANN_IN, B1, CAT_WAITS),
        Register(player="ply_dan"),
        (DAN_WAITS,),
    ),
    (
        "who comes in does not wait any more, the others move up",
        (*ANN_IN, B1, CAT_WAITS, DAN_WAITS, about(B1, EntryDeclined, reason="x"), C1_ADMITTED),
        Register(player="ply_dan"),
        Refused("already_waiting", "position 1"),
    ),
    (
        "who expires makes room as well",
        (*ANN_IN, B1, CAT_WAITS),
        TimerFired(name=f"entry {B1.entry}"),
        (about(B1, EntryExpired), C1_ADMITTED),
    ),
]


@pytest.mark.parametrize(("case", "past", "when", "then"), ROWS, ids=[row[0] for row in ROWS])
def test_pp_entry_who_is_too_many_waits(case, past, when, then):
    """PP-ENTRY: first come, first asked; nothing is held for who waits."""
    assert DECIDER.decide(DECIDER.fold(past), when, DEADLINE_MS) == then


def test_pp_entry_when_it_is_cancelled_whoever_waits_is_told():
    """PP-ENTRY."""
    request = CancelTournament(author="ops", reason="fire")
    state = DECIDER.fold((*ANN_IN, B1, CAT_WAITS))
    events = DECIDER.decide(state, request, DEADLINE_MS)
    assert events[-1] == CAT_TOLD
    assert DECIDER.fold((*ANN_IN, B1, CAT_WAITS, *events)).waiting == ()


def test_pp_entry_the_list_has_an_end():
    """PP-ENTRY."""
    joined = [replace(CAT_WAITS, player=f"ply_{n}") for n in range(WAITING_MAX)]
    state = DECIDER.fold((*ANN_IN, B1, *joined))
    refused = DECIDER.decide(state, Register(player="ply_x"), DEADLINE_MS)
    assert refused == Refused("waiting_list_full", f"{WAITING_MAX} players wait")
