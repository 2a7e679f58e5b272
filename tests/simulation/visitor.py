"""Somebody who signs up, thinks better of it, and is forgotten, whatever fails meanwhile."""

from typing import TYPE_CHECKING, Any

from shared.contracts.commit import Actor
from shared.contracts.wallet import CloseAccount, ErasePerson, PersonErased
from tests.people import signing_up
from tests.simulation.loop import Broken

if TYPE_CHECKING:
    from tests.simulation.players import Crowd
    from tests.simulation.world import World

VISITOR = "ply_visitor"
OPERATOR = Actor("operator", "operator")


async def visit(crowd: "Crowd") -> None:
    """Sign up, file a contract, and have it all undone; after a restore some of it stands."""
    opening, filing, _ = signing_up(VISITOR)
    by = Actor("player", VISITOR)
    about = {"player": VISITOR, "author": OPERATOR.id}
    for command in (opening, filing):
        await crowd.tell("wallet", "journal", command, by)
    for command in (CloseAccount(**about, reason="as asked"), ErasePerson(**about)):
        await crowd.tell("wallet", "journal", command, OPERATOR)


def forgotten(world: "World", events: list[Any]) -> None:
    """Who was erased has no key, in the end and for ever."""
    erased = [event.player for event in events if isinstance(event, PersonErased)]
    keys = world.person_keys.keys
    if erased != [VISITOR] or keys.get(VISITOR, b"") is not None:
        raise Broken("who is erased has no key", f"{erased}: {sorted(keys)}")
