"""Which core folds which stream, by how the stream is named."""

from typing import Any, NamedTuple, get_args

from services.dealer import core as dealer
from services.director import core as director
from services.ranking import core as ranking
from services.ranking.shell.reactions import RATINGS
from services.table import core as table
from services.wallet import core as wallet
from services.wallet.shell.reactions import JOURNAL
from shared.contracts.dealer import DealerEvent
from shared.contracts.director import DirectorEvent
from shared.contracts.ranking import RankingEvent
from shared.contracts.table import TableEvent
from shared.contracts.wallet import WalletEvent
from shared.kernel.decider import Decider
from shared.runtime.settings import SettingsError


class Kind(NamedTuple):
    """A service's core, and the events that its logs hold."""

    service: str
    decider: Decider[Any, Any, Any]
    events: tuple[type[Any], ...]


DEALER = Kind("dealer", dealer.DECIDER, get_args(DealerEvent))
KINDS = {
    "trn_": Kind("director", director.DECIDER, get_args(DirectorEvent)),
    "tbl_": Kind("table", table.DECIDER, get_args(TableEvent)),
    "hnd_": DEALER,
    "drw_": DEALER,
}
BY_STREAM = {
    JOURNAL: Kind("wallet", wallet.DECIDER, get_args(WalletEvent)),
    RATINGS: Kind("ranking", ranking.DECIDER, get_args(RankingEvent)),
}


def kind_of(stream: str) -> Kind:
    """Find a stream's core; raise SettingsError."""
    kind = BY_STREAM.get(stream) or KINDS.get(stream[:4])
    if kind is None:
        names = ", ".join(f"{prefix}…" for prefix in KINDS)
        raise SettingsError(f"{stream!r} is no stream: {names}, {' or '.join(BY_STREAM)}")
    return kind
