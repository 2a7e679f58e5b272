"""`rollforward payouts roll-forward FILE`: a calculator for operators, and a check for auditors.

Exit codes: 0; 1 when the case is refused, with the reason; 2 when the file cannot be read.
"""

import sys
from pathlib import Path
from typing import Annotated, Literal

import cyclopts
import msgspec

from services.cli.payouts.showing import document, show
from services.director.core.rollforward import Case, SheetLine, roll_forward
from services.director.core.rollforward.policies import POLICIES
from services.gateway.shell.api.sheets import rows
from shared.contracts.strict import StrictDecoder
from shared.kernel.decider import Refused
from shared.runtime.settings import SettingsError

Output = Annotated[Literal["table", "json", "csv"], cyclopts.Parameter(name=["--output", "-o"])]

app = cyclopts.App(name="payouts", help="What an interrupted tournament pays, to the cent.")


@app.command(name="roll-forward")
def calculate(file: Path, /, *, output: Output = "table") -> int:
    """Compute the payout of an interrupted tournament (PP-ROLLFORWARD, BH-RF1, BH-RF2).

    Parameters
    ----------
    file
        JSON: policy, pool_cents, paid_cents, commission_cents, entry_cents, prizes_cents,
        prizes_won, survivors (player, chips, table, seat, entries, and for what else was bought
        extra_cents, extra_commission_cents; entry_cents and commission_cents where theirs differ).
    output
        For people, or one JSON document, or a row for each player; amounts are in cents.
    """
    case = read(file)
    found = case if isinstance(case, Refused) else roll_forward(case)
    if isinstance(found, Refused):
        sys.stderr.write(f"refused: {found.reason}{found.detail and f' ({found.detail})'}\n")
        return 1
    if output == "json":
        sys.stdout.write(msgspec.json.encode(document(found)).decode() + "\n")
    elif output == "csv":
        sys.stdout.write(rows(found.players, SheetLine.__struct_fields__))
    else:
        show(found, f"roll-forward by {found.policy}")
    return 0


class Named(msgspec.Struct):
    """What a case is to be paid by."""

    policy: str


def read(file: Path) -> Case | Refused:
    """Read a case, every field of it understood; or refuse a policy that nobody knows."""
    try:
        data = file.read_bytes()
        if msgspec.json.decode(data, type=Named).policy not in POLICIES:
            return Refused("unknown_policy", f"one of {', '.join(POLICIES)}")
        case: Case = StrictDecoder(Case).decode(data)
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror}") from error
    except (msgspec.MsgspecError, RecursionError) as error:
        raise SettingsError(f"{file}: {error}") from error
    return case
