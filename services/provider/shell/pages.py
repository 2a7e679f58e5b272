"""The page on which a person confirms or declines a deposit: a plain form, nothing from elsewhere.

Its address is the permission: the reference in it cannot be guessed.
"""

from html import escape
from typing import Any, Final

from litestar import MediaType, Request, Response, get, post

from services.provider.core import Payment, is_decided, state_of
from services.provider.shell.provider import Provider
from services.provider.shell.refusals import Refusal

HEADERS: Final = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self';"
    " frame-ancestors 'none'; base-uri 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
}
STYLE: Final = """
body { font: 18px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem }
button { font: inherit; padding: .5rem 1.5rem; margin-right: 1rem }
"""
FORM: Final = """
<form method="post"><button name="decision" value="confirm">Confirm</button>
<button name="decision" value="decline">Decline</button></form>
"""
OUTCOMES: Final = {
    "succeeded": "You have paid. You can close this page.",
    "failed": "Nothing was paid. You can close this page.",
    "charged_back": "The money goes back to you.",
}


@get("/pay/{reference:str}")
async def show_page(reference: str, provider: Provider) -> Response[str]:
    """Show what is to be paid, or what has come of it."""
    return page(found(provider, reference))


@post("/pay/{reference:str}", status_code=200)
async def decide(
    reference: str, request: Request[Any, Any, Any], provider: Provider
) -> Response[str]:
    """Take a person's decision, the first one."""
    payment = found(provider, reference)
    decision = (await request.form()).get("decision")
    if decision == "confirm":
        return page(provider.confirm(payment))
    if decision == "decline":
        return page(provider.decline(payment))
    raise Refusal("malformed", "decision is confirm or decline")


def found(provider: Provider, reference: str) -> Payment:
    payment = provider.store.by_reference(reference)
    if payment is None or payment.order.kind != "deposit":
        raise Refusal("unknown_payment")
    return payment


def page(payment: Payment) -> Response[str]:
    """Write the page."""
    euros, cents = divmod(payment.order.amount_cents, 100)
    body = OUTCOMES.get(state_of(payment), "") if is_decided(payment) else FORM
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Payment</title>'
        f"<style>{STYLE}</style></head><body><h1>{euros}.{cents:02d} {payment.order.currency}</h1>"
        f"<p>Payment {escape(payment.key)}. This is a provider for tests: no money moves.</p>"
        f"{body}</body></html>"
    )
    return Response(text, media_type=MediaType.HTML, headers=HEADERS)
