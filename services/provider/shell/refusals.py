"""What the provider will not do: `{reason, detail}`, with a fitting status."""

from typing import Any, Final

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException

STATUS_OF: Final = {
    "unauthorized": 401,
    "unknown_payment": 404,
    "key_used_with_other_content": 409,
    "malformed": 400,
}
REASON_OF: Final = {404: "unknown_path", 405: "wrong_method", 413: "body_too_large"}


class Refusal(Exception):
    """Somebody gets a reason instead of an answer; other reasons than those above are a 422."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


class Problem(msgspec.Struct, frozen=True):
    """Why something was refused."""

    reason: str
    detail: str


def on_refusal(_request: Request[Any, Any, Any], refusal: Refusal) -> Response[Problem]:
    return problem(refusal.reason, refusal.detail, STATUS_OF.get(refusal.reason, 422))


def on_http(_request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """What the web framework refuses by itself."""
    reason = REASON_OF.get(error.status_code, "malformed")
    return problem(reason, "", error.status_code)


def problem(reason: str, detail: str, status: int) -> Response[Problem]:
    return Response(Problem(reason, detail[:500]), status_code=status, media_type=MediaType.JSON)
