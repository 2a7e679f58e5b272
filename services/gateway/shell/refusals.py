"""Every refusal leaves as `{reason, detail}` with a fitting status; nothing else ever does.

Reasons are those of the services' cores and of their intake, passed on as they are, and the
gateway's own: `unauthorized`, `forbidden`, `malformed`, `not_json`, `body_too_large`,
`unknown_path`, `wrong_method`, `unknown_tournament`, `unknown_table`, `hand_not_found`,
`hand_not_ended`, `chat_suspended`, `sheet_changing`, `unknown_target`, `target_not_registering`,
`not_a_later_stage`, `target_not_sold`.
"""

from typing import Any, Final

import msgspec
import structlog
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec

from services.gateway.shell.metrics import REFUSALS
from shared.contracts.edge import Declined

STATUS_OF: Final = {
    "unauthorized": 401,
    "forbidden": 403,
    "not_seated": 403,
    "not_dealt_in": 403,
    "chat_suspended": 403,
    "unknown_path": 404,
    "unknown_tournament": 404,
    "unknown_table": 404,
    "hand_not_found": 404,
    "unknown_account": 404,
    "unknown_payment": 404,
    "unknown_commit": 404,
    "webhook_forged": 401,
    "webhook_stale": 401,
    "webhook_malformed": 400,
    "payment_invalid": 422,
    "stream_invalid": 404,
    "wrong_method": 405,
    "body_too_large": 413,
    "request_too_large": 413,
    "not_json": 415,
    "malformed": 400,
    "name_invalid": 422,
    "born_invalid": 422,
    "email_invalid": 422,
    "document_invalid": 422,
    "under_age": 422,
    "reference_invalid": 422,
    "terms_invalid": 422,
    "unknown_target": 422,
    "not_a_later_stage": 422,
    "target_not_sold": 422,
    "player_id_invalid": 422,
    "command_id_invalid": 422,
    "amount_must_be_positive": 422,
    "bad_seed": 422,
    "text_invalid": 422,
    "amount_too_large": 422,
    "limit_invalid": 422,
    "until_in_the_past": 422,
    "until_too_far": 422,
    "account_invalid": 422,
    "period_invalid": 422,
    "prefix_invalid": 422,
    "correction_invalid": 422,
    "corrects_invalid": 422,
    "lines_invalid": 422,
    "does_not_balance": 422,
    "unknown_ledger_account": 422,
    "author_invalid": 422,
    "reason_invalid": 422,
    "event_too_large": 422,
    "too_many_messages": 429,
    "internal_error": 502,
    "line_stopped": 503,
    "unavailable": 503,
}
REASON_OF: Final = {
    401: "unauthorized",
    403: "forbidden",
    404: "unknown_path",
    405: "wrong_method",
    413: "body_too_large",
    415: "not_json",
}
DETAIL_CHARACTERS_MAX: Final = 500

log = structlog.get_logger()


class Refusal(Exception):
    """Somebody gets a reason instead of an answer; nothing was changed."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused: `reason` is for programs, `detail` for people."""

    reason: str
    detail: str


def refused(description: str) -> ResponseSpec:
    """Describe a refusal for the OpenAPI document."""
    return ResponseSpec(Problem, description=description, generate_examples=False)


REFUSED: Final = {
    400: refused("Not of the declared shape"),
    404: refused("No such thing"),
    409: refused("Against the state of things"),
    422: refused("Well-formed, and still not acceptable"),
    503: refused("The owner cannot be reached; try again"),
}
REFUSED_WITH_TOKEN: Final = {
    401: refused("Without a right token"),
    403: refused("Not for this caller"),
    **REFUSED,
}

AnyRequest = Request[Any, Any, Any]


def refusal_of(declined: Declined) -> Refusal:
    """Pass on what an owner refused."""
    return Refusal(declined.reason, declined.detail)


def status_of(reason: str) -> int:
    """Return the HTTP status; what contradicts the state of things is a conflict."""
    return STATUS_OF.get(reason, 409)


def refused_text(re: str | None, refusal: Refusal) -> str:
    """Write a refusal as a socket's message."""
    REFUSALS.labels(refusal.reason).inc()
    answer = {
        "re": re,
        "answer": "refused",
        "reason": refusal.reason,
        "detail": refusal.detail[:DETAIL_CHARACTERS_MAX],
    }
    return msgspec.json.encode(answer).decode()


def problem(reason: str, detail: str, status: int) -> Response[Problem]:
    """Put a refusal into a response."""
    REFUSALS.labels(reason).inc()
    return Response(
        Problem(reason, detail[:DETAIL_CHARACTERS_MAX]),
        status_code=status,
        media_type=MediaType.JSON,
    )


def on_refusal(_request: AnyRequest, refusal: Refusal) -> Response[Problem]:
    return problem(refusal.reason, refusal.detail, status_of(refusal.reason))


def on_invalid(_request: AnyRequest, error: ValidationException) -> Response[Problem]:
    """What does not fit the schema: say which part, never the value."""
    return problem("malformed", detail_of(error), 400)


def on_http(_request: AnyRequest, error: HTTPException) -> Response[Problem]:
    """What the web framework refuses by itself."""
    reason = REASON_OF.get(error.status_code, "malformed")
    status = error.status_code if error.status_code in REASON_OF else 400
    return problem(reason, detail_of(error) if status == 400 else "", status)


def on_fault(request: AnyRequest, error: Exception) -> Response[Problem]:
    """A fault of ours is for the log; the caller learns that it was not the request."""
    log.error("request_fell", path=request.scope["path"], exc_info=error)
    return problem("internal_error", "", 500)


def detail_of(error: HTTPException) -> str:
    """Join what the framework says about each part of a request."""
    extra = error.extra if isinstance(error.extra, list) else []
    parts = [
        ": ".join(str(part[key]) for key in ("key", "message") if part.get(key))
        for part in extra
        if isinstance(part, dict)
    ]
    return "; ".join(parts) or error.detail
