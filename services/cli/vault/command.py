"""`rollforward vault keys` lists the dealer's vault keys; `rollforward vault retire` gives one up.

Both read `$DATABASE_URL`; keys are named by their fingerprints, and are never shown.
"""

import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import cyclopts

from services.cli.database.command import database_settings
from services.cli.platform import lines_of
from services.dealer.shell.vault import read_vault
from shared.runtime.adapters import database_care
from shared.runtime.adapters.database_care import HandsSealed
from shared.runtime.adapters.decks import PostgresDecks
from shared.runtime.decks import KeyUse

Sealed = Mapping[str, HandsSealed]
NONE_SEALED = HandsSealed("", 0, "")

app = cyclopts.App(name="vault", help="The keys that the dealer seals its decks under.")


@app.command
def keys(file: Path | None = None, /) -> int:
    """List every vault key that has sealed decks, the oldest first.

    Parameters
    ----------
    file
        The dealer's key file: say of each key where it stands there.
    """
    in_file = list(read_vault(file).keys) if file else None
    with decks() as (found, sealed):
        for line in asyncio.run(listed(found, sealed, in_file)):
            print(line)
    return 0


@app.command
def retire(key: str, /, *, yes: bool = False) -> int:
    """Give up the hands of a vault key for good, so that the dealer starts without it.

    Parameters
    ----------
    key
        Its id, as `rollforward vault keys` shows it.
    yes
        Do it; without this, only say what would be lost.
    """
    with decks() as (found, sealed):
        return asyncio.run(retired(found, sealed, key, yes=yes))


@contextmanager
def decks() -> Iterator[tuple[PostgresDecks, Sealed]]:
    """Open the used decks of the platform in the database, with its hands by vault key."""
    database_url = database_settings().database_url
    lines = lines_of(database_care.read(database_url).shards)
    sealed = database_care.hands_sealed(database_url, [x for x in lines if x.service == "dealer"])
    found = PostgresDecks(database_url)
    try:
        yield found, sealed
    finally:
        found.close()


async def listed(found: PostgresDecks, sealed: Sealed, in_file: Sequence[str] | None) -> list[str]:
    """Write one line a key; those of the file that were never used come last."""
    uses, sealing = await found.vault_keys(), await found.sealing_key()
    told = {use.key: standing(use, sealing) for use in uses}
    told |= {key: "not in use yet" for key in in_file or () if key not in told}
    lines = [
        f"{key}  {what}{place(key, in_file)}, {hands_of(sealed.get(key, NONE_SEALED))}"
        for key, what in told.items()
    ]
    return lines or ["no vault key was in use yet"]


def place(key: str, in_file: Sequence[str] | None) -> str:
    """Say where a key stands in the file, if there is one."""
    if in_file is None:
        return ""
    return f", key {in_file.index(key) + 1} of the file" if key in in_file else ", not in the file"


def standing(use: KeyUse, sealing: str) -> str:
    """Say what a key is for now."""
    if use.retired:
        return f"retired, in use since {use.since}"
    return f"in use since {use.since}" + (", seals the registry" if use.key == sealing else "")


def hands_of(sealed: HandsSealed) -> str:
    if not sealed.hands:
        return "no hands"
    return f"{sealed.hands:,} hands, the last at {sealed.last_at}"


async def retired(found: PostgresDecks, sealed: Sealed, key: str, *, yes: bool) -> int:
    """Say what is lost with a key, and give it up if that is wanted."""
    if key not in [use.key for use in await found.vault_keys()]:
        print(f"{key!r} has never been in use; see `rollforward vault keys`", file=sys.stderr)
        return 2
    sealing = await found.sealing_key() == key
    for loss in losses(key, sealed.get(key, NONE_SEALED), registry=sealing):
        print(loss)
    if not yes:
        print("nothing was done; say --yes to do it", file=sys.stderr)
        return 1
    await found.retire(key)
    if sealing:
        await found.forget_registry_key(key)
    print(f"{key} is retired: take it out of the dealer's key file, and start the dealer")
    return 0


def losses(key: str, sealed: HandsSealed, *, registry: bool) -> Iterator[str]:
    """Say in words what nobody can answer any more."""
    yield f"{key}: {hands_of(sealed)}"
    if sealed.hands:
        yield (
            "once it is out of the key file, nobody can show their closed cards again: no player,"
            " no table, no auditor. Boards, hands and draws that were opened stay on record. A hand"
            " that is still being played waits for ever: see first that there is none."
        )
    if registry:
        yield (
            "the registry of used decks is sealed under it: put a new key on top and start the"
            " dealer first, or decks dealt so far will not be recognised any more (PP-RNG)"
        )
