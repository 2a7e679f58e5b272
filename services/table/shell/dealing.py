"""The table's questions, put to the dealer: recorded first, asked until answered."""

from collections.abc import Awaitable, Callable
from typing import assert_never

from services.table.core import (
    AwaitBoard,
    AwaitDeal,
    AwaitOpening,
    AwaitPromise,
    AwaitView,
    Question,
    SeatSeen,
    TableAnswer,
)
from shared.contracts.dealer import (
    CommitRef,
    DealBoard,
    DealHands,
    DealtBoard,
    DealtHands,
    OpenedSeats,
    OpenSeats,
    PromisedDeck,
    PromiseDeck,
    SealedReply,
    ViewSeat,
)
from shared.runtime.aggregate import Asked
from shared.runtime.asking import Asking
from shared.runtime.dealer_client import ask_dealer
from shared.runtime.ports import Entropy
from shared.runtime.sealed import new_reply_key, open_view

SHOWDOWN = "showdown"


def asking_the_dealer(
    asking: Asking, entropy: Entropy
) -> Callable[[Asked], Awaitable[TableAnswer]]:
    """Return the `ask` of the table's aggregate."""

    async def ask(asked: Asked) -> TableAnswer:
        question: Question = asked.question
        stated = CommitRef(asked.stream, asked.n)
        match question:
            case AwaitPromise(hand, table):
                promise = PromiseDeck(hand=hand, table=table)
                return await ask_dealer(asking, hand, promise, PromisedDeck)
            case AwaitDeal():
                return await ask_dealer(asking, question.hand, deal_of(question), DealtHands)
            case AwaitBoard(hand, root, street):
                board = DealBoard(hand=hand, root=root, street=street)
                return await ask_dealer(asking, hand, board, DealtBoard)
            case AwaitOpening(hand, root, seats):
                opening = OpenSeats(hand=hand, root=root, seats=seats, stated=stated)
                return await ask_dealer(asking, hand, opening, OpenedSeats)
            case AwaitView():
                return await view(asking, entropy, question, stated)
            case _:
                assert_never(question)

    return ask


def deal_of(question: AwaitDeal) -> DealHands:
    return DealHands(
        hand=question.hand,
        table=question.table,
        roster=question.roster,
        promise=question.promise,
        seeds=question.seeds,
    )


async def view(
    asking: Asking, entropy: Entropy, question: AwaitView, stated: CommitRef
) -> SeatSeen:
    """Look at one hand with a key that is forgotten at once."""
    key = new_reply_key(entropy)
    request = ViewSeat(
        hand=question.hand,
        root=question.root,
        seat=question.seat,
        reason=SHOWDOWN,
        stated=stated,
        to_key=key.public,
    )
    reply = await ask_dealer(asking, question.hand, request, SealedReply)
    cards = open_view(key, reply, question.hand, question.seat)
    return SeatSeen(question.hand, question.seat, cards)
