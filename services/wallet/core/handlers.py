"""The shapes of the tables that each part of the wallet adds its own rows to."""

from collections.abc import Callable, Mapping
from typing import Any

from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import WalletEvent
from shared.kernel.decider import Refused

Decision = tuple[WalletEvent, ...] | Refused

Decides = Mapping[type[Any], Callable[[Wallet, Any, Now], Decision]]
"""What a request, an upstream fact or the outcome of an errand leads to."""

Evolves = Mapping[type[Any], Callable[[Wallet, Any], Wallet]]
"""How an event changes the state."""

Ends = Mapping[str, Callable[[Wallet, str, Now], tuple[WalletEvent, ...]]]
"""What a deadline leads to, by what it is for; given the deadline's key."""
