"""A crew of bots and the operator who lets them in: one tournament from sign-up to last prize."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Self

import httpx
import msgspec

from services.cli.bots.player import Player
from shared.contracts.director import Terms

LOOK_SECONDS = 0.25
AT_ONCE = 8


class Crew:
    """Bots with money in their accounts; what happens is read from the public lobby."""

    def __init__(
        self,
        url: str,
        operator_token: str,
        count: int,
        seed: int,
        *others: str,
        keep_frames: bool = False,
    ) -> None:
        """With the addresses of further gateways, players spread over all of them."""
        self.hands: set[str] = set()
        urls = (url, *others)
        self.players = [
            Player(
                turned(urls, number),
                f"Bot {number:02d}",
                f"{seed}/{number}",
                self.hands,
                keep_frames=keep_frames,
            )
            for number in range(1, count + 1)
        ]
        self._urls = urls
        self._operator = httpx.AsyncClient(
            base_url=url, timeout=30, headers={"Authorization": f"Bearer {operator_token}"}
        )
        self._playing: list[asyncio.Task[None]] = []

    async def start(self, terms: Terms) -> str:
        """Sign everybody up with money, announce the tournament, enter it; return its id."""
        await in_turns([self._welcome(player, terms) for player in self.players])
        answer = await self._operator.post(
            "/api/operator/tournaments", json={"terms": msgspec.to_builtins(terms)}
        )
        answer.raise_for_status()
        tournament = str(answer.json()["tournament"])
        self._playing = [asyncio.create_task(player.play()) for player in self.players]
        await in_turns([player.register(tournament) for player in self.players])
        return tournament

    async def _welcome(self, player: Player, terms: Terms) -> None:
        """Sign up, file the contract, be identified, and bring the price of the entry."""
        name = await player.sign_up()
        await player.file_contract()
        price = terms.fee_cents + terms.commission_cents
        identified = await self._operator.post(f"/api/operator/players/{name}/identification")
        identified.raise_for_status()
        paid_in = await self._operator.post(
            f"/api/operator/players/{name}/deposits",
            json={"amount_cents": max(price, 1), "reference": f"cash-desk/{name}"},
        )
        paid_in.raise_for_status()

    async def lobby(self, tournament: str) -> dict[str, Any]:
        """Read the tournament as anybody can, from the first gateway that answers."""
        *others, last = self._urls
        for url in others:
            with suppress(httpx.TransportError):
                return await self._lobby_at(url, tournament)
        return await self._lobby_at(last, tournament)

    async def _lobby_at(self, url: str, tournament: str) -> dict[str, Any]:
        answer = await self._operator.get(f"{url}/api/tournaments/{tournament}")
        answer.raise_for_status()
        return dict(answer.json())

    async def close(self) -> None:
        """Everybody leaves."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        for player in self.players:
            await player.close()
        await self._operator.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def turned(urls: Sequence[str], by: int) -> Sequence[str]:
    """Begin elsewhere, and go on in the same order."""
    begin = by % len(urls)
    return [*urls[begin:], *urls[:begin]]


async def in_turns(work: Sequence[Any]) -> None:
    """Do all of it, a few at a time."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(task: Any) -> None:
        async with slots:
            await task

    await asyncio.gather(*[one(task) for task in work])
