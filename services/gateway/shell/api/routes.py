"""The application: every route, what handlers may ask for, and how it refuses."""

from functools import cache
from typing import Any

import msgspec
from litestar import Litestar, Response, Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from services.gateway.settings import GatewaySettings
from services.gateway.shell import play
from services.gateway.shell.access import caller_of
from services.gateway.shell.api import (
    about,
    accounts,
    big_shoots,
    cancellations,
    conduct,
    corrections,
    deals,
    directing,
    docs,
    limits,
    operators,
    payments,
    players,
    probes,
    proofs,
    purchases,
    rankings,
    reports,
    standings,
    tables,
    tournaments,
)
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.refusals import (
    AnyRequest,
    Refusal,
    on_fault,
    on_http,
    on_invalid,
    on_refusal,
    problem,
)
from shared.contracts.strict import StrictDecoder

BODY_BYTES_MAX = 64 * 1024
JSON = "application/json"

HANDLERS = [
    about.about,
    players.sign_up,
    players.me,
    players.my_tickets,
    limits.read_limits,
    limits.set_limit,
    limits.exclude_self,
    accounts.file_contract,
    accounts.read_player,
    accounts.identify,
    accounts.suspend,
    accounts.reinstate,
    accounts.close,
    accounts.erase,
    operators.deposit,
    operators.announce,
    payments.request_deposit,
    payments.request_withdrawal,
    payments.cancel_withdrawal,
    payments.my_payments,
    payments.my_payment,
    payments.open_payments,
    payments.players_payments,
    payments.approve_withdrawal,
    payments.refuse_withdrawal,
    payments.take_webhook,
    reports.trial_balance,
    reports.balances,
    reports.postings,
    reports.journal_commit,
    corrections.correct,
    conduct.read_conduct,
    conduct.warn,
    conduct.suspend_chat,
    conduct.resume_chat,
    conduct.suspend_play,
    conduct.resume_play,
    conduct.ask_for_closure,
    conduct.report,
    directing.cancel,
    directing.pause,
    directing.resume,
    directing.void_hand,
    cancellations.read_sheet,
    cancellations.sheet_as_csv,
    cancellations.sheet_to_print,
    cancellations.approve,
    cancellations.withdraw,
    cancellations.leave_out,
    tournaments.list_tournaments,
    tournaments.read_tournament,
    standings.read_standings,
    standings.read_feed,
    tournaments.enter,
    tournaments.leave,
    deals.offer,
    deals.answer,
    purchases.rebuy,
    purchases.decline_rebuy,
    purchases.add_on,
    big_shoots.withdraw,
    tables.act,
    tables.give_seed,
    tables.say,
    tables.go_out,
    tables.come_back,
    rankings.read_rating,
    rankings.read_board,
    proofs.hand_proof,
    proofs.draws_proof,
    play.play,
    probes.livez,
    probes.readyz,
    probes.metrics,
    docs.page,
]


def application(gateway: Gateway) -> Litestar:
    """Put the routes together."""
    return Litestar(
        HANDLERS,
        dependencies={
            "gateway": Provide(lambda: gateway, sync_to_thread=False),
            "caller": Provide(caller_of, sync_to_thread=False),
        },
        state=State({"tokens": gateway.tokens}),
        before_request=strictly_json,
        request_max_body_size=BODY_BYTES_MAX,
        exception_handlers={
            Refusal: on_refusal,
            ValidationException: on_invalid,
            HTTPException: on_http,
            Exception: on_fault,
        },
        openapi_config=description(gateway.settings),
        logging_config=None,
    )


@cache
def strict(body: type[Any]) -> StrictDecoder:
    """Make a body's decoder once."""
    return StrictDecoder(body)


async def strictly_json(request: AnyRequest) -> None:
    """A body is JSON of exactly the declared shape; the framework alone would take "5" for 5."""
    given = request.headers.get("content-type", JSON).partition(";")[0].strip().lower()
    if given != JSON:
        raise Refusal("not_json", "send application/json")
    declared = request.route_handler.parsed_data_field
    if declared is None:
        return
    try:
        strict(declared.annotation).decode(await request.body())
    except msgspec.MsgspecError as error:
        raise Refusal("malformed", str(error)) from None
    except RecursionError:
        raise Refusal("malformed", "nested too deeply") from None


def description(settings: GatewaySettings) -> OpenAPIConfig:
    """The OpenAPI document, served as JSON only: pages of others would load from elsewhere."""
    return OpenAPIConfig(
        title="Rollforward",
        version=settings.build,
        description="Tournament poker: accounts, lobby, entries and play. Bodies are JSON, amounts "
        "integer cents; every refusal is a reason for programs and a detail for people."
        + (f" Licence {settings.gateway_licence}." if settings.gateway_licence else ""),
        use_handler_docstrings=True,
        openapi_router=Router(
            "/schema", route_handlers=[], include_in_schema=False, after_request=not_a_page
        ),
        render_plugins=[JsonRenderPlugin()],
        components=Components(
            security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}
        ),
    )


async def not_a_page(response: Response[Any]) -> Response[Any]:
    """The framework answers a wrong path beside the document with a page of its own."""
    return problem("unknown_path", "", 404) if response.status_code == 404 else response
