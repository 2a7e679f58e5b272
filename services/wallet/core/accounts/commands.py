"""What the shell makes of requests that tell who a person is: the core sees ciphertext only."""

from typing import final

from shared.contracts.message import Command


@final
class OpenSealed(Command, frozen=True, tag="wallet.open-sealed.v1"):
    """An `OpenAccount` that nothing speaks against, with its name sealed."""

    player: str
    sealed: bytes


@final
class FileSealed(Command, frozen=True, tag="wallet.file-sealed.v1"):
    """A `FileContract` that nothing speaks against, with its person sealed."""

    player: str
    sealed: bytes
