"""`rollforward deal export` and `rollforward deal verify`.

Exit codes of `verify`: 0 when everything in the files is right, 1 when anything is wrong, 2 when
a file cannot be read as an export.
"""

import asyncio
import os
import sys
from pathlib import Path

import cyclopts
import msgspec

from services.cli.deal.auditing import sealed_findings
from services.cli.deal.file import NotAnExport, read
from services.cli.deal.judging import Finding, findings
from services.dealer.shell.vault import read_vault
from shared.contracts.edge import LogRow
from shared.kernel.sharding import shard_of
from shared.runtime.adapters import database_care
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.exports import NotExported, draw_lines, hand_lines
from shared.runtime.ports import Line
from shared.runtime.settings import SettingsError

app = cyclopts.App(name="deal", help="Take a hand or a draw out of the log, and check it.")


@app.command
def export(what: str, /, *, out: Path | None = None) -> int:
    """Write an ended hand, or all draws of a tournament, from `$DATABASE_URL`.

    Parameters
    ----------
    what
        `hnd_…` or `trn_…`.
    out
        The file; else the commits go to the standard output.
    """
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        raise SettingsError("DATABASE_URL is not set")
    try:
        lines = asyncio.run(exported(url, what))
    except NotExported as error:
        sys.stderr.write(f"rollforward: {error}\n")
        return 1
    data = b"".join(line + b"\n" for line in lines)
    if out is None:
        sys.stdout.buffer.write(data)
    else:
        out.write_bytes(data)
    return 0


async def exported(database_url: str, what: str) -> list[bytes]:
    """Read what is named; raise NotExported."""
    shards = database_care.read(database_url).shards
    threads = Threads()

    async def read_stream(service: str, stream: str) -> list[LogRow]:
        line = Line(service, shard_of(stream, shards[service]))
        store = PostgresStore(database_url, line, threads)
        try:
            return await store.read_stream(stream)
        finally:
            store.close()

    try:
        if what.startswith("trn_"):
            return await draw_lines(what, read_stream)
        return await hand_lines(what, read_stream)
    finally:
        threads.close()


@app.command
def verify(files: list[Path], /, *, json: bool = False, vault_key_file: Path | None = None) -> int:
    """Check exported hands and draws, with nothing but the files.

    Parameters
    ----------
    files
        What `export` or the gateway wrote; a hand and its tournament's draws may be in one.
    json
        For programs: one object per hand and draw.
    vault_key_file
        For auditors: the dealer's keys, to open every sealed deck and compare it whole.
    """
    vault_keys = {} if vault_key_file is None else read_vault(vault_key_file).keys
    right = True
    for path in files:
        try:
            export = read(path)
        except NotAnExport as error:
            sys.stderr.write(f"rollforward: {error}\n")
            return 2
        found = findings(export)
        if vault_keys:
            found += sealed_findings(export, vault_keys)
        right = right and all(finding.right for finding in found)
        for finding in found:
            print(msgspec.json.encode(finding).decode() if json else sentence(finding))
    return 0 if right else 1


def sentence(finding: Finding) -> str:
    """Write a finding as one line."""
    return f"{'right' if finding.right else 'WRONG'} {finding.what} {finding.detail}"
