"""`rollforward deal export` and `rollforward deal verify`.

Exit codes of `verify`: 0 when something is in the files and all of it is right, 1 when anything
is wrong, 2 when a file cannot be read as an export.
"""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import cyclopts
import msgspec

from services.cli.deal.auditing import sealed_findings
from services.cli.deal.file import Export, NotAnExport, contradictions, read
from services.cli.deal.judging import Finding, findings
from services.cli.printable import printable
from services.cli.verdicts.unsealing import VaultKeys, read_keys
from shared.contracts.edge import LogRow
from shared.kernel.sharding import shard_of
from shared.runtime.adapters import database_care
from shared.runtime.adapters.reading import patient_stores
from shared.runtime.exports import NotExported, draw_lines, hand_lines, played_lines
from shared.runtime.ports import Line
from shared.runtime.settings import SettingsError

app = cyclopts.App(name="deal", help="Take a hand or a draw out of the log, and check it.")


@app.command
def export(what: str, /, *, out: Path | None = None, hands: bool = False) -> int:
    """Write an ended hand, or all draws of a tournament, from `$DATABASE_URL`; no service is asked.

    Parameters
    ----------
    what
        `hnd_…` or `trn_…`.
    out
        The file; else the commits go to the standard output.
    hands
        Of a tournament, also all hands that have ended.
    """
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        raise SettingsError("DATABASE_URL is not set")
    try:
        lines = asyncio.run(exported(url, what, hands=hands))
    except NotExported as error:
        sys.stderr.write(f"rollforward: {error}\n")
        return 1
    data = b"".join(line + b"\n" for line in lines)
    try:
        if out is None:
            sys.stdout.buffer.write(data)
        else:
            out.write_bytes(data)
    except OSError as error:
        raise SettingsError(f"{out or 'standard output'}: {error.strerror}") from error
    return 0


async def exported(database_url: str, what: str, *, hands: bool = False) -> list[bytes]:
    """Read what is named; raise NotExported."""
    shards = database_care.read(database_url).shards

    async def read_stream(service: str, stream: str) -> list[LogRow]:
        line = Line(service, shard_of(stream, shards[service]))
        with patient_stores(database_url, [line]) as stores:
            return await stores[line].read_stream(stream)

    if not what.startswith("trn_"):
        return await hand_lines(what, read_stream)
    drawn = await draw_lines(what, read_stream)
    return drawn + await played_lines(what, read_stream) if hands else drawn


@app.command
def verify(
    files: list[Path],
    /,
    *,
    json: bool = False,
    vault_key_file: Path | None = None,
    show: bool = False,
) -> int:
    """Check exported hands and draws, with nothing but the files.

    Parameters
    ----------
    files
        What `export` or the gateway wrote, also several together in one; of several files it is
        checked that they go together.
    json
        For programs: one object per hand and draw.
    vault_key_file
        For auditors: the dealer's keys, to open every sealed deck and compare it whole.
    show
        With the keys: tell the cards of every deck, folded ones too.
    """
    vault_keys = {} if vault_key_file is None else read_keys(vault_key_file)
    exports, unreadable = [], False
    for path in files:
        try:
            exports.append(read(path))
        except NotAnExport as error:
            sys.stderr.write(f"rollforward: {error}\n")
            unreadable = True
    found = judged(exports, vault_keys, show=show)
    for finding in found:
        print(msgspec.json.encode(finding).decode() if json else sentence(finding))
    if unreadable:
        return 2
    return 0 if found and all(finding.right for finding in found) else 1


def judged(exports: Sequence[Export], vault_keys: VaultKeys, *, show: bool) -> list[Finding]:
    """Judge each file, and whether they go together."""
    found: list[Finding] = []
    for one in exports:
        found += findings(one)
        if vault_keys:
            found += sealed_findings(one, vault_keys, show=show)
    if len(exports) > 1:
        told = dict.fromkeys(contradictions(exports))
        found += [Finding(stream, right=False, detail=what) for stream, what in told]
    return found


def sentence(finding: Finding) -> str:
    """Write a finding as one line, whatever the file says in it."""
    line = f"{'right' if finding.right else 'WRONG'} {finding.what} {finding.detail}"
    return printable(line)
