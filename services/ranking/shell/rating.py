"""The recorded question put to the model, apart from the loop that everything else lives on."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import msgspec

from services.ranking.core import AwaitRatings, Belief, TakeRatings
from shared.runtime.aggregate import Asked

MODEL_SECONDS: Final = 300.0
MODEL: Final = (sys.executable, "-m", "services.ranking.shell.worker")

Beliefs = tuple[Belief, ...]
Rate = Callable[[Sequence[Belief]], Awaitable[Beliefs]]

encode = msgspec.msgpack.Encoder().encode
decode: Callable[[bytes], Beliefs] = msgspec.msgpack.Decoder(Beliefs).decode


class ModelFailed(Exception):
    """The model gave no answer: the question stays open and is asked again."""


def asking_the_model(rate: Rate) -> Callable[[Asked], Awaitable[TakeRatings]]:
    """Return the `ask` of the ranking's aggregate."""

    async def ask(asked: Asked) -> TakeRatings:
        question: AwaitRatings = asked.question
        return TakeRatings(question.tournament, await rate(question.beliefs))

    return ask


async def rate_apart(beliefs: Sequence[Belief]) -> Beliefs:
    """Let a process of its own compute; it lives no longer than whoever waits for it."""
    model = await asyncio.create_subprocess_exec(*MODEL, stdin=PIPE, stdout=PIPE)
    try:
        async with asyncio.timeout(MODEL_SECONDS):
            answer, _ = await model.communicate(encode(beliefs))
    finally:
        if model.returncode is None:
            model.kill()
            await model.wait()
    if model.returncode:
        raise ModelFailed(f"exit code {model.returncode}")
    return decode(answer)
