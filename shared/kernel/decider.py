"""The decider: the one shape that every aggregate in this repository has."""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Generic, TypeVar

import msgspec

State = TypeVar("State")
Command = TypeVar("Command")
Event = TypeVar("Event")


class Refused(msgspec.Struct, frozen=True):
    """A command that the rules refuse: an outcome to report, not a fault to raise."""

    reason: str
    detail: str = ""


class Decider(msgspec.Struct, Generic[State, Command, Event], frozen=True):
    """Three pure values; everything that stores, sends or times lives in the shell.

    `step` takes the state, a command (a request, an upstream fact, an answer or a timer) and
    the moment its commit will carry, in milliseconds since 1970 UTC. It returns the events and
    the state after them, so that nothing is folded twice, or a refusal.
    """

    initial: State
    step: Callable[[State, Command, int], tuple[tuple[Event, ...], State] | Refused]
    evolve: Callable[[State, Event], State]

    def decide(self, state: State, command: Command, at_ms: int) -> tuple[Event, ...] | Refused:
        """Return only what `step` would record."""
        stepped = self.step(state, command, at_ms)
        return stepped if isinstance(stepped, Refused) else stepped[0]

    def fold(self, events: Iterable[Event]) -> State:
        """Return the state that this history leads to."""
        return reduce(self.evolve, events, self.initial)
