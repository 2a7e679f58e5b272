"""Payments through the provider: players ask, operators decide, the provider tells.

A payment has a name, `pay_…`. A client that makes it up itself can ask again without paying twice.
"""

from typing import Annotated, Final

import msgspec
from litestar import delete, get, post

from services.gateway.shell.access import for_operators, for_players
from services.gateway.shell.api.players import JOURNAL
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.refusals import REFUSED, AnyRequest, Refusal
from services.gateway.shell.requests import GATEWAY
from services.gateway.shell.tokens import Caller
from shared.contracts.wallet import (
    ApproveWithdrawal,
    CancelWithdrawal,
    OpenPaymentsView,
    PaymentsView,
    PaymentView,
    ReadOpenPayments,
    ReadPayment,
    ReadPayments,
    RefuseWithdrawal,
    RequestDeposit,
    RequestWithdrawal,
    TakeWebhook,
)
from shared.runtime.asking import reply_of

SIGNATURE: Final = "payment-signature"
FOR_PLAYERS = for_players("payments")
FOR_OPERATORS = for_operators("payments")

Name = Annotated[str, msgspec.Meta(max_length=1_000)]
Reason = Annotated[str, msgspec.Meta(max_length=4_000)]


class NewPayment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much; `payment` names it, and without a name it gets one."""

    amount_cents: int
    payment: Name | None = None


class Refused(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a withdrawal is not paid; it stands in the log for ever."""

    reason: Reason


@post("/api/me/deposits", summary="Pay in", **FOR_PLAYERS)
async def request_deposit(data: NewPayment, gateway: Gateway, caller: Caller) -> PaymentView:
    """Ask for a deposit; `page`, once the provider has answered, is where the player goes on."""
    payment = gateway.new_id("pay") if data.payment is None else data.payment
    command = RequestDeposit(player=caller.id, payment=payment, amount_cents=data.amount_cents)
    return await asked(command, gateway, caller)


@post("/api/me/withdrawals", summary="Ask for money", **FOR_PLAYERS)
async def request_withdrawal(data: NewPayment, gateway: Gateway, caller: Caller) -> PaymentView:
    """Set money aside; it is paid out once an operator has approved."""
    payment = gateway.new_id("pay") if data.payment is None else data.payment
    command = RequestWithdrawal(player=caller.id, payment=payment, amount_cents=data.amount_cents)
    return await asked(command, gateway, caller)


@delete(
    "/api/me/withdrawals/{payment:str}",
    status_code=200,
    summary="Cancel a withdrawal",
    **FOR_PLAYERS,
)
async def cancel_withdrawal(payment: str, gateway: Gateway, caller: Caller) -> PaymentView:
    """Take money back that nobody has approved yet."""
    return await asked(CancelWithdrawal(player=caller.id, payment=payment), gateway, caller)


@get("/api/me/payments", summary="List the own payments", **FOR_PLAYERS)
async def my_payments(gateway: Gateway, caller: Caller) -> PaymentsView:
    """Return the newest payments through the provider, as of now."""
    return await payments_of(caller.id, gateway, caller)


@get("/api/me/payments/{payment:str}", summary="Read an own payment", **FOR_PLAYERS)
async def my_payment(payment: str, gateway: Gateway, caller: Caller) -> PaymentView:
    """Return one payment, as of now."""
    view = await view_of(payment, gateway, caller)
    if view.player != caller.id:
        raise Refusal("unknown_payment")
    return view


@get("/api/operator/payments", summary="See what waits for a decision", **FOR_OPERATORS)
async def open_payments(gateway: Gateway, caller: Caller) -> OpenPaymentsView:
    """Return withdrawals to approve, and payments of which the provider says another amount."""
    accepted = await gateway.ask("wallet", JOURNAL, ReadOpenPayments(), caller.actor)
    view: OpenPaymentsView = reply_of(accepted, OpenPaymentsView)
    return view


@get(
    "/api/operator/players/{player:str}/payments",
    summary="List a player's payments",
    **FOR_OPERATORS,
)
async def players_payments(player: str, gateway: Gateway, caller: Caller) -> PaymentsView:
    """Return a player's newest payments through the provider."""
    return await payments_of(player, gateway, caller)


@post(
    "/api/operator/withdrawals/{payment:str}/approval",
    status_code=200,
    summary="Approve a withdrawal",
    **FOR_OPERATORS,
)
async def approve_withdrawal(payment: str, gateway: Gateway, caller: Caller) -> PaymentView:
    """Let the provider pay out; from here on only the provider ends it."""
    return await asked(ApproveWithdrawal(payment=payment, author=caller.id), gateway, caller)


@post(
    "/api/operator/withdrawals/{payment:str}/refusal",
    status_code=200,
    summary="Refuse a withdrawal",
    **FOR_OPERATORS,
)
async def refuse_withdrawal(
    payment: str, data: Refused, gateway: Gateway, caller: Caller
) -> PaymentView:
    """Give the money back to the player."""
    command = RefuseWithdrawal(payment=payment, author=caller.id, reason=data.reason)
    return await asked(command, gateway, caller)


@post(
    "/api/webhooks/payments",
    status_code=204,
    responses=REFUSED,
    summary="Tell how a payment came out",
    tags=["payments"],
)
async def take_webhook(request: AnyRequest, gateway: Gateway) -> None:
    """For the provider: a body as it was signed; a 204 says that it is recorded for ever."""
    signature = request.headers.get(SIGNATURE, "")
    command = TakeWebhook(body=await request.body(), signature=signature)
    await gateway.ask("wallet", JOURNAL, command, GATEWAY)


async def asked(
    command: RequestDeposit
    | RequestWithdrawal
    | CancelWithdrawal
    | ApproveWithdrawal
    | RefuseWithdrawal,
    gateway: Gateway,
    caller: Caller,
) -> PaymentView:
    """Ask the wallet, and show the payment after it."""
    await gateway.ask("wallet", JOURNAL, command, caller.actor)
    return await view_of(command.payment, gateway, caller)


async def view_of(payment: str, gateway: Gateway, caller: Caller) -> PaymentView:
    accepted = await gateway.ask("wallet", JOURNAL, ReadPayment(payment=payment), caller.actor)
    view: PaymentView = reply_of(accepted, PaymentView)
    return view


async def payments_of(player: str, gateway: Gateway, caller: Caller) -> PaymentsView:
    accepted = await gateway.ask("wallet", JOURNAL, ReadPayments(player=player), caller.actor)
    view: PaymentsView = reply_of(accepted, PaymentsView)
    return view
