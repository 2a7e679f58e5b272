"""PP-CONDUCT: warnings, suspensions, closure, reports; each with its author and reason.

A suspension with `until_ms` ends by itself, without one it lasts until somebody ends it.
"""

from typing import Literal, final

import msgspec

from shared.contracts.message import Command, Event

WhyNotMailed = Literal["address_unknown", "address_refused"]


class Suspended(msgspec.Struct, frozen=True):
    """A suspension as the player sees it: until when, None for good, and why."""

    until_ms: int | None
    reason: str


@final
class WarnPlayer(Command, frozen=True, tag="wallet.warn-player.v1"):
    """The first step: a warning by e-mail."""

    player: str
    author: str
    reason: str


@final
class SuspendChat(Command, frozen=True, tag="wallet.suspend-chat.v1"):
    """The player is not heard from the next message on."""

    player: str
    author: str
    reason: str
    until_ms: int | None = None


@final
class ResumeChat(Command, frozen=True, tag="wallet.resume-chat.v1"):
    player: str
    author: str
    reason: str


@final
class SuspendPlay(Command, frozen=True, tag="wallet.suspend-play.v1"):
    """The player enters nothing from now on; seats already bought are played to their end."""

    player: str
    author: str
    reason: str
    until_ms: int | None = None


@final
class ResumePlay(Command, frozen=True, tag="wallet.resume-play.v1"):
    player: str
    author: str
    reason: str


@final
class AskForClosure(Command, frozen=True, tag="wallet.ask-for-closure.v1"):
    """The room asks the licence holder to close the account."""

    player: str
    author: str
    reason: str


@final
class ReportToAuthorities(Command, frozen=True, tag="wallet.report-to-authorities.v1"):
    """The law was broken; this needs no warning."""

    player: str
    author: str
    reason: str


@final
class PlayerWarned(Event, frozen=True, tag="wallet.player-warned.v1"):
    """`number` counts this player's warnings from 1."""

    player: str
    number: int
    author: str
    reason: str


@final
class WarningMailed(Event, frozen=True, tag="wallet.warning-mailed.v1"):
    """A mail server, or the outbox, has taken it."""

    player: str
    number: int


@final
class WarningNotMailed(Event, frozen=True, tag="wallet.warning-not-mailed.v1"):
    """It will never be: nobody knows where to, or no such address is served; the warning counts."""

    player: str
    number: int
    why: WhyNotMailed


@final
class ChatSuspended(Event, frozen=True, tag="wallet.chat-suspended.v1"):
    player: str
    until_ms: int | None
    author: str
    reason: str


@final
class ChatResumed(Event, frozen=True, tag="wallet.chat-resumed.v1"):
    """Without an author it ended by itself."""

    player: str
    author: str
    reason: str


@final
class PlaySuspended(Event, frozen=True, tag="wallet.play-suspended.v1"):
    player: str
    until_ms: int | None
    author: str
    reason: str


@final
class PlayResumed(Event, frozen=True, tag="wallet.play-resumed.v1"):
    """Without an author it ended by itself."""

    player: str
    author: str
    reason: str


@final
class ClosureAsked(Event, frozen=True, tag="wallet.closure-asked.v1"):
    player: str
    author: str
    reason: str


@final
class ReportedToAuthorities(Event, frozen=True, tag="wallet.reported-to-authorities.v1"):
    player: str
    author: str
    reason: str


ConductRequest = (
    WarnPlayer
    | SuspendChat
    | ResumeChat
    | SuspendPlay
    | ResumePlay
    | AskForClosure
    | ReportToAuthorities
)
ConductEvent = (
    PlayerWarned
    | WarningMailed
    | WarningNotMailed
    | ChatSuspended
    | ChatResumed
    | PlaySuspended
    | PlayResumed
    | ClosureAsked
    | ReportedToAuthorities
)
