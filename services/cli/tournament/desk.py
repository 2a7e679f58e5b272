"""The operator's desk: requests to the gateway, each answered or refused in words."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import httpx
import msgspec
from cyclopts import Parameter

from shared.contracts.director import SheetPage, Terms
from shared.runtime.settings import SettingsError

TOURNAMENTS = "/api/operator/tournaments"
TABLES = "/api/operator/tables"
ANSWER_SECONDS = 30.0
TOKEN = "OPERATOR_TOKEN"  # noqa: S105 - the name of a variable


class NotDone(Exception):
    """The gateway refused, or did not answer; the message says which."""


@Parameter(name="*")
@dataclass(frozen=True)
class Desk:
    """Where the gateway is, and as whom to speak.

    Parameters
    ----------
    gateway
        The gateway's address, such as `http://127.0.0.1:8000`.
    token_file
        A file with an operator's token; without one it is `$OPERATOR_TOKEN`.
    """

    gateway: Annotated[str, Parameter(env_var="GATEWAY_URL")] = ""
    token_file: Annotated[Path | None, Parameter(env_var="OPERATOR_TOKEN_FILE")] = None

    def announce(self, terms: Terms) -> str:
        """Announce a tournament; return its id."""
        return str(self._asked(TOURNAMENTS, terms=msgspec.to_builtins(terms))["tournament"])

    def act(self, tournament: str, act: str, **said: str) -> None:
        """Do something to a tournament, such as `cancellation`, `pause` or `sheet/approval`."""
        self._asked(f"{TOURNAMENTS}/{quote(tournament, safe='')}/{act}", **said)

    def void_hand(self, table: str, hand: str, reason: str) -> bool:
        """Give up a hand; tell whether it is void, or was only doubted so far."""
        path = f"{TABLES}/{quote(table, safe='')}/hands/{quote(hand, safe='')}/void"
        return bool(self._asked(path, reason=reason)["void"])

    def sheet(self, tournament: str) -> SheetPage:
        """Read what a tournament pays that is given up: as of now, or as it is final."""
        told = self._answered(httpx.get, f"{TOURNAMENTS}/{quote(tournament, safe='')}/sheet")
        try:
            return msgspec.convert(told, SheetPage)
        except msgspec.ValidationError as error:
            raise NotDone(f"{self.gateway} answers with no sheet: {error}") from None

    def token(self) -> str:
        """Return the operator's token; raise SettingsError."""
        if self.token_file is None:
            token = os.environ.get(TOKEN, "")
        else:
            try:
                token = self.token_file.read_text().strip()
            except (OSError, ValueError) as error:
                raise SettingsError(f"{self.token_file}: {error}") from error
        if not token or not token.isascii() or not token.isprintable():
            raise SettingsError(f"no operator's token: --token-file or ${TOKEN}")
        return token

    def _asked(self, path: str, **body: Any) -> dict[str, Any]:
        """Ask for something to be done, and return the answer."""
        return self._answered(httpx.post, path, json=body)

    def _answered(
        self, ask: Callable[..., httpx.Response], path: str, **request: Any
    ) -> dict[str, Any]:
        """Ask, and return the answer; raise NotDone, or SettingsError when it cannot be asked."""
        headers = {"Authorization": f"Bearer {self.token()}"}
        try:
            answer = ask(
                f"{self._address()}{path}", headers=headers, timeout=ANSWER_SECONDS, **request
            )
            told = answer.json()
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise SettingsError(f"{self.gateway}: {error}") from None
        except httpx.HTTPError as error:
            why = "whether it was done, the lobby shows"
            raise NotDone(f"{self.gateway} does not answer ({error!r}); {why}") from None
        except ValueError:
            raise NotDone(f"{self.gateway} answers {answer.status_code}, as no gateway") from None
        if answer.is_error:
            detail = told.get("detail", "") if isinstance(told, dict) else ""
            reason = told.get("reason", "") if isinstance(told, dict) else ""
            raise NotDone(f"refused: {reason or answer.status_code}{detail and f' ({detail})'}")
        return dict(told)

    def _address(self) -> str:
        if not self.gateway:
            raise SettingsError("no gateway is named: --gateway or $GATEWAY_URL")
        return self.gateway.rstrip("/")


NOWHERE = Desk()
