"""BP-REGULATOR-IDS: the messages of the Italian protocol, derived from what is recorded.

200 session start · 220 right bought · 230 right cancelled · 240 prize plan · 250 validation of
the rights that play · 260 winners · 280 prize or payout credited · 300 session end. One
tournament, played or cancelled, is one session, one entry (rebuys and add-ons too) is one right.
The same log gives the same messages with the same numbers. Each stage of a Big Shoot is a session
of its own: rights are bought in stage 1, whose winners go on with the whole plan instead of money.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from services.cli.wallet.acts import Act
from shared.contracts.director import (
    BountyDue,
    EntriesClosed,
    PayoutDue,
    PlacesTold,
    PlayerUnregistered,
    PrizeDue,
    QualifiersNamed,
    StagePrizeDue,
    TournamentCancelled,
    TournamentCreated,
    TournamentFinished,
    TournamentStarted,
)
from shared.contracts.wallet import (
    BountyPaid,
    EntryPosted,
    EntryRefunded,
    ParticipationIdIssued,
    PayoutPaid,
    PrizePaid,
    SessionIdIssued,
    StagePrizePaid,
    TicketIssued,
)

Code = Literal[200, 220, 230, 240, 250, 260, 280, 300]


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message; `number` counts a session's messages, `commit` is the fact it is derived from.

    `prizes_cents` is the whole plan (240) or what each winner gets (260, `players` likewise).
    """

    session_id: str
    number: int
    code: Code
    at: str
    tournament: str
    commit: str
    sha256: str
    participation_id: str = ""
    player: str = ""
    place: int = 0
    amount_cents: int = 0
    fee_cents: int = 0
    commission_cents: int = 0
    participations: int = 0
    players: tuple[str, ...] = ()
    prizes_cents: tuple[int, ...] = ()


class Session(msgspec.Struct, frozen=True):
    """A tournament's messages, and what is still missing before it is complete."""

    tournament: str
    messages: tuple[Message, ...]
    missing: tuple[str, ...]


class Ids(msgspec.Struct, frozen=True):
    """What the regulator has issued: by tournament, and by entry."""

    sessions: dict[str, str]
    participations: dict[str, str]


def sessions_of(acts: Iterable[Act]) -> tuple[Session, ...]:
    """Derive all sessions' messages from the facts of director and wallet."""
    known = list(acts)
    ids = ids_of(known)
    by_tournament: dict[str, list[Act]] = {}
    for act in known:
        tournament = getattr(act.event, "tournament", None)
        if tournament is not None:
            by_tournament.setdefault(tournament, []).append(act)
    return tuple(session_of(name, by_tournament[name], ids) for name in sorted(by_tournament))


def ids_of(acts: Iterable[Act]) -> Ids:
    """Collect the regulator's ids."""
    ids = Ids({}, {})
    for act in acts:
        match act.event:
            case SessionIdIssued():
                ids.sessions[act.event.tournament] = act.event.session_id
            case ParticipationIdIssued():
                ids.participations[act.event.entry] = act.event.participation_id
            case _:
                pass
    return ids


def session_of(tournament: str, acts: Iterable[Act], ids: Ids) -> Session:
    """Derive one session: by moment, and at the same moment in the order of the codes."""
    known = list(acts)
    drafts = [(act, code, told) for act in known for code, told in drafts_of(act.event, ids)]
    drafts.sort(key=lambda draft: (draft[0].at, draft[1]))
    ending = ending_of(known, drafts)
    messages = tuple(
        Message(
            session_id=ids.sessions.get(tournament, ""),
            number=number,
            code=code,
            at=act.at,
            tournament=tournament,
            commit=f"{act.line} {act.number}",
            sha256=act.sha256,
            **told,
        )
        for number, (act, code, told) in enumerate([*drafts, *ending], start=1)
    )
    return Session(tournament, messages, tuple(missing_in(messages)))


def drafts_of(event: object, ids: Ids) -> Iterator[tuple[Code, dict[str, Any]]]:
    """Yield the messages that one fact gives, without their envelope."""
    match event:
        case TournamentCreated():
            terms = event.terms
            price = terms.fee_cents + terms.commission_cents
            fees = {"fee_cents": terms.fee_cents, "commission_cents": terms.commission_cents}
            yield 200, {"amount_cents": price, **fees}
        case EntryPosted():
            fees = {"fee_cents": event.fee_cents, "commission_cents": event.commission_cents}
            price = event.fee_cents + event.commission_cents
            yield 220, {**right(event.entry, event.player, ids), "amount_cents": price, **fees}
        case EntryRefunded():
            told = right(event.entry, event.player, ids)
            yield 230, {**told, "amount_cents": event.refund_cents}
        case TournamentStarted() | EntriesClosed():
            yield from plan(event)
        case PlacesTold() | TournamentFinished():
            yield from winners(event)
        case QualifiersNamed() if event.players:
            yield 260, {"players": event.players, "amount_cents": event.amount_cents}
        case BountyDue() | StagePrizeDue():
            players, prizes = (event.player,), (event.amount_cents,)
            yield 260, {"players": players, "prizes_cents": prizes, "amount_cents": sum(prizes)}
        case PrizePaid() | TicketIssued() | PayoutPaid() | BountyPaid() | StagePrizePaid():
            yield 280, credited(event)
        case _:
            pass


def winners(event: PlacesTold | TournamentFinished) -> Iterator[tuple[Code, dict[str, Any]]]:
    """Who won a prize; of a stage whose winners go on that is told by itself."""
    won = [placing for placing in event.places if placing.prize_cents]
    players = tuple(placing.player for placing in won)
    prizes = tuple(placing.prize_cents for placing in won)
    if won:
        yield 260, {"players": players, "prizes_cents": prizes, "amount_cents": sum(prizes)}


def plan(event: TournamentStarted | EntriesClosed) -> Iterator[tuple[Code, dict[str, Any]]]:
    """The prizes once they are certain; which rights play is said at the start, and anew then."""
    if event.prizes_cents:
        yield 240, {"amount_cents": event.pool_cents, "prizes_cents": event.prizes_cents}
    play = event.players if isinstance(event, TournamentStarted) else event.entries
    yield 250, {"participations": play}


def right(entry: str, player: str, ids: Ids) -> dict[str, Any]:
    """Name a right."""
    return {"participation_id": ids.participations.get(entry, ""), "player": player}


def credited(
    event: PrizePaid | TicketIssued | PayoutPaid | BountyPaid | StagePrizePaid,
) -> dict[str, Any]:
    """Say what a player was credited with."""
    match event:
        case PrizePaid():
            cents, place = event.amount_cents, event.place
        case TicketIssued():
            cents, place = event.value_cents, event.place
        case BountyPaid() | StagePrizePaid():
            cents, place = event.amount_cents, 0
        case PayoutPaid():
            cents, place = event.pool_cents + event.commission_cents + event.top_up_cents, 0
    return {"player": event.player, "place": place, "amount_cents": cents}


Draft = tuple[Act, Code, dict[str, Any]]


def ending_of(acts: Iterable[Act], drafts: list[Draft]) -> list[Draft]:
    """A session ends once nobody is owed anything of it: with the last that was told before.

    Finished or cancelled, what is due is what the director has promised: prizes, bounties, shares,
    what is paid instead of playing on, and the price of each right that was given back.
    """
    known = list(acts)
    over = [act for act in known if isinstance(act.event, TournamentFinished | TournamentCancelled)]
    credited = sum(told["amount_cents"] for _, code, told in drafts if code == 280)
    due = sum(promised(act.event) for act in known)
    if not over or credited != due or unreturned(known):
        return []
    last = max(drafts[-1][0], over[-1], key=lambda act: act.at)
    return [(last, 300, {"amount_cents": due})]


def promised(event: object) -> int:
    """Return what the director promised a player by one fact."""
    match event:
        case PrizeDue() | BountyDue() | StagePrizeDue():
            return event.amount_cents
        case PayoutDue():
            return event.pool_cents + event.commission_cents + event.top_up_cents
        case _:
            return 0


def unreturned(acts: Iterable[Act]) -> set[str]:
    """Name the entries that are over by the director's word, and not given back yet."""
    left: set[str] = set()
    returned: set[str] = set()
    for act in acts:
        match act.event:
            case PlayerUnregistered():
                left.add(act.event.entry)
            case EntryRefunded():
                returned.add(act.event.entry)
            case _:
                pass
    return left - returned


def missing_in(messages: Iterable[Message]) -> Iterator[str]:
    """Name ids that were not issued yet, and say if the session has not ended."""
    codes = set()
    for message in messages:
        codes.add(message.code)
        if message.code in (220, 230) and not message.participation_id:
            yield f"{message.commit}: the right of {message.player} has no id yet"
    if 220 in codes and not any(message.session_id for message in messages):
        yield "the session has no id yet"
    if 300 not in codes:
        yield "the session has not ended"
