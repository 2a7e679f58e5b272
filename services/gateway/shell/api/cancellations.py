"""A tournament that is given up while it runs: its sheet, and who lets it be paid.

The sheet is read from the director in pages and joined up here. The author of a word is whose
token it is.
"""

import asyncio
from typing import Annotated, Final

import msgspec
from litestar import MediaType, Response, get, post

from services.gateway.shell.api.directing import (
    FOR_OPERATORS,
    TOURNAMENT,
    Because,
    directed,
)
from services.gateway.shell.api.sheets import as_csv, as_page
from services.gateway.shell.api.tournaments import tournament_id
from services.gateway.shell.api.views import TournamentSummary
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.refusals import Refusal
from services.gateway.shell.tokens import Caller
from shared.contracts.director import (
    ApproveSheet,
    LeaveTableOut,
    ReadSheet,
    SheetPage,
    WithdrawCancellation,
)
from shared.runtime.asking import reply_of

LINES_A_PAGE: Final = 500
READINGS_MAX: Final = 10


class Approval(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hash of the sheet that was seen: no other one is paid."""

    sheet_hash: Annotated[str, msgspec.Meta(max_length=64)]


@get(f"{TOURNAMENT}/sheet", summary="Read what a tournament given up pays", **FOR_OPERATORS)
async def read_sheet(tournament: str, gateway: Gateway, caller: Caller) -> SheetPage:
    """Return the whole sheet: as of now, which binds nobody, or the final one, or the one paid."""
    return await sheet_of(tournament, gateway, caller)


@get(
    f"{TOURNAMENT}/sheet.csv",
    summary="Read the sheet as a table",
    media_type="text/csv",
    **FOR_OPERATORS,
)
async def sheet_as_csv(tournament: str, gateway: Gateway, caller: Caller) -> Response[str]:
    """Return the sheet's lines, amounts in cents, for a spreadsheet."""
    sheet = await sheet_of(tournament, gateway, caller)
    named = {"Content-Disposition": f'attachment; filename="{tournament_id(tournament)}.csv"'}
    return Response(as_csv(sheet), media_type="text/csv", headers=named)


@get(
    f"{TOURNAMENT}/sheet.html",
    summary="Read the sheet as a page to print",
    media_type=MediaType.HTML,
    **FOR_OPERATORS,
)
async def sheet_to_print(tournament: str, gateway: Gateway, caller: Caller) -> Response[str]:
    """Return the sheet as one page, which loads nothing from anywhere."""
    sheet = await sheet_of(tournament, gateway, caller)
    known = gateway.lobby.get(tournament_id(tournament))
    name = "" if known is None else known.terms.name
    return Response(as_page(tournament, name, sheet), media_type=MediaType.HTML)


@post(f"{TOURNAMENT}/sheet/approval", summary="Let the sheet be paid", **FOR_OPERATORS)
async def approve(
    tournament: str, data: Approval, gateway: Gateway, caller: Caller
) -> TournamentSummary:
    """Pay the final sheet; who opened the cancellation does not approve it."""
    command = ApproveSheet(author=caller.id, sheet_hash=data.sheet_hash)
    return await directed(tournament, command, gateway, caller)


@post(f"{TOURNAMENT}/cancellation/withdrawal", summary="Play on after all", **FOR_OPERATORS)
async def withdraw(
    tournament: str, data: Because, gateway: Gateway, caller: Caller
) -> TournamentSummary:
    """Take a cancellation back; levels and breaks last as long as they would have."""
    command = WithdrawCancellation(author=caller.id, reason=data.reason)
    return await directed(tournament, command, gateway, caller)


@post(
    f"{TOURNAMENT}/tables/{{table:str}}/left-out",
    summary="Do not wait for a table to halt",
    **FOR_OPERATORS,
)
async def leave_out(
    tournament: str, table: str, data: Because, gateway: Gateway, caller: Caller
) -> TournamentSummary:
    """Let a table's last digested hand count: it cannot be undone, nor withdrawn afterwards."""
    command = LeaveTableOut(table=table, author=caller.id, reason=data.reason)
    return await directed(tournament, command, gateway, caller)


async def sheet_of(tournament: str, gateway: Gateway, caller: Caller) -> SheetPage:
    """Join the pages up; those of a tournament that plays on may be of different moments."""
    stream = tournament_id(tournament)

    async def page(after: int) -> SheetPage:
        read = ReadSheet(after=after, limit=LINES_A_PAGE)
        accepted = await gateway.ask("director", stream, read, caller.actor)
        found: SheetPage = reply_of(accepted, SheetPage)
        return found

    for _ in range(READINGS_MAX):
        first = await page(0)
        afters = range(len(first.lines), first.players, LINES_A_PAGE)
        pages = (first, *await asyncio.gather(*map(page, afters)))
        if len({one.sheet_hash for one in pages}) == 1:
            lines = tuple(line for one in pages for line in one.lines)
            return msgspec.structs.replace(first, lines=lines)
    raise Refusal("sheet_changing", "hands end faster than the sheet can be read; pause it")
