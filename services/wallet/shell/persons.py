"""Who people are: in clear on the way in and out of the wallet's shell, sealed everywhere else.

This wraps the pure core, which sees ciphertext only. Keys are made ready before a decision that
needs them (`prepare`); where they do not answer, what needs one is `unavailable` and all other
money goes on. A decision never makes a key: it takes what is ready.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

import structlog
from msgspec.structs import replace

from services.wallet.core import (
    FileSealed,
    Now,
    OpenSealed,
    Wallet,
    WalletRules,
    make_decider,
    respond,
    verdict_on_filing,
    verdict_on_opening,
)
from services.wallet.shell.reactions import JOURNAL
from services.wallet.shell.sealing import open_name, open_person, seal_name, seal_person
from shared.contracts.edge import Declined
from shared.contracts.message import Reply
from shared.contracts.wallet import (
    NAMES_MAX,
    AccountView,
    FileContract,
    NamesView,
    OpenAccount,
    Person,
    PersonView,
    ReadAccount,
    ReadNames,
    ReadPerson,
    WalletEvent,
)
from shared.kernel.decider import Decider, Refused
from shared.runtime.asking import Asking, reply_of
from shared.runtime.person_keys import PersonKey, PersonKeys
from shared.runtime.ports import BrokerUnavailable, Entropy, StoreUnavailable
from shared.runtime.sealed import KEY_BYTES, Unreadable

KEYS_MAX: Final = 100_000
UNAVAILABLE: Final = Refused("unavailable", "the keys of persons do not answer")
PERSONAL: Final = (ReadAccount, ReadNames, ReadPerson)

Stepped = tuple[tuple[WalletEvent, ...], Wallet] | Refused
T = TypeVar("T")

log = structlog.get_logger()


class Persons:
    """Seals what comes in, opens what is asked for, destroys keys; keeps those read last."""

    def __init__(
        self, rules: WalletRules, keys: PersonKeys, entropy: Entropy, asking: Asking
    ) -> None:
        self._rules = rules
        self._core = make_decider(rules)
        self._stored = keys
        self._entropy = entropy
        self._asking = asking
        self._keys: OrderedDict[str, PersonKey] = OrderedDict()
        self._destroyed_again = False

    @property
    def decider(self) -> Decider[Wallet, Any, WalletEvent]:
        """The decider whose commands are the requests themselves."""
        return replace(self._core, step=self.step)

    # --- before a decision ----------------------------------------------------------------------

    async def prepare(self, group: Sequence[tuple[Wallet, Any]]) -> None:
        """Have the keys ready that this group may need."""
        try:
            if group and not self._destroyed_again:
                await self._destroy_again(group[0][0])
            await self._make(player for state in group for player in sealing(*state))
            await self._find(player for state in group for player in opening(*state))
        except StoreUnavailable as error:
            log.warning("person_keys_wait", why=str(error))

    async def _destroy_again(self, wallet: Wallet) -> None:
        """Keys restored from a backup may have come back to people who are recorded as erased."""
        erased = [player for player, done in wallet.erasures.items() if done]
        if erased:
            await self._stored.destroy(erased)
        self._destroyed_again = True

    async def _make(self, players: Iterable[str]) -> None:
        """Read keys, and make those that never were."""
        wanted = [player for player in dict.fromkeys(players) if self._keys.get(player) is None]
        if wanted:
            offered = {player: self._entropy(KEY_BYTES) for player in wanted}
            self._keep(await self._stored.obtain(offered))

    async def _find(self, players: Iterable[str]) -> None:
        """Read keys of what was sealed before; one that is lost opens nothing."""
        wanted = [player for player in dict.fromkeys(players) if player not in self._keys]
        if wanted:
            self._keep(dict.fromkeys(wanted) | await self._stored.find(wanted))

    def _keep(self, found: dict[str, PersonKey]) -> None:
        """Keep keys for what is decided next; those that came longest ago go."""
        self._keys.update(found)
        while len(self._keys) > KEYS_MAX:
            self._keys.popitem(last=False)

    # --- the decision ---------------------------------------------------------------------------

    def step(self, wallet: Wallet, command: Any, at_ms: int) -> Stepped:
        """Let the core decide; what tells who a person is, only once that is sealed."""
        match command:
            case OpenAccount():
                verdict = verdict_on_opening(wallet, command)
            case FileContract():
                verdict = verdict_on_filing(wallet, command, Now(at_ms, self._rules))
            case ReadPerson() if not self._is_ready(wallet, command):
                return UNAVAILABLE
            case _:
                return self._core.step(wallet, command, at_ms)
        if isinstance(verdict, Refused):
            return verdict
        if verdict == "recorded":
            return (), wallet
        return self._sealed(wallet, command, at_ms)

    def _sealed(self, wallet: Wallet, request: OpenAccount | FileContract, at_ms: int) -> Stepped:
        """Give a request to the core that nothing speaks against."""
        player = request.player
        if player not in self._keys:
            return UNAVAILABLE
        key = self._keys[player]
        if key is None:
            return Refused("person_erased")
        command: OpenSealed | FileSealed
        if isinstance(request, OpenAccount):
            command = OpenSealed(player=player, sealed=seal_name(key, player, request.name))
        else:
            command = FileSealed(player=player, sealed=seal_person(key, player, request.person))
        return self._core.step(wallet, command, at_ms)

    def _is_ready(self, wallet: Wallet, request: ReadPerson) -> bool:
        return all(player in self._keys for player in opening(wallet, request))

    # --- after it -------------------------------------------------------------------------------

    def respond(self, wallet: Wallet, request: Any) -> Reply | None:
        """Answer what was asked, with names and persons as they are in clear."""
        view = respond(wallet, request)
        if not isinstance(request, PERSONAL):
            return view
        match request:
            case ReadAccount() if isinstance(view, AccountView):
                return replace(view, name=self._name(wallet, request.player) or "")
            case ReadNames():
                names = {player: self._name(wallet, player) for player in request.players}
                return NamesView(names={k: name for k, name in names.items() if name is not None})
            case ReadPerson():
                return PersonView(
                    player=request.player, person=self._person(wallet, request.player)
                )
            case _:
                return view

    def _name(self, wallet: Wallet, player: str) -> str | None:
        """Return what a player goes by: "" once erased, None where it cannot be read."""
        account = wallet.accounts.get(player)
        if account is None:
            return None
        if player in wallet.erasures:
            return ""
        return account.name or self._opened(open_name, player, account.sealed)

    def _person(self, wallet: Wallet, player: str) -> Person | None:
        account = wallet.accounts.get(player)
        if account is None or not account.contract or player in wallet.erasures:
            return None
        return self._opened(open_person, player, account.contract)

    def _opened(
        self, open_box: Callable[[bytes, str, bytes], T], player: str, box: bytes
    ) -> T | None:
        """Open a box with the player's key; a lost one is for operators to see."""
        key = self._keys.get(player)
        if key is None:
            return None
        try:
            return open_box(key, player, box)
        except Unreadable:
            log.exception("person_unreadable", player=player)
            return None

    # --- errands --------------------------------------------------------------------------------

    async def person(self, player: str) -> Person | None:
        """Return who a player is, None where nobody knows it any more, or yet.

        An errand has no state: it asks the journal's owner, whoever that is, as a gateway does.
        Raise BrokerUnavailable when nobody answers.
        """
        answer = await self._asking.ask("wallet", JOURNAL, ReadPerson(player=player))
        if isinstance(answer, Declined):
            raise BrokerUnavailable(f"{answer.reason} {answer.detail}")
        view: PersonView = reply_of(answer, PersonView)
        return view.person

    async def destroy(self, player: str) -> None:
        """Destroy the key of a person, here too."""
        await self._stored.destroy([player])
        self._keep({player: None})


def sealing(wallet: Wallet, command: Any) -> tuple[str, ...]:
    """Return for whom a command may seal something."""
    match command:
        case OpenAccount():
            verdict = verdict_on_opening(wallet, command)
        case FileContract():
            verdict = verdict_on_filing(wallet, command)
        case _:
            return ()
    return (command.player,) if verdict == "due" else ()


def opening(wallet: Wallet, command: Any) -> tuple[str, ...]:
    """Return of whom something sealed is to be shown."""
    match command:
        case ReadAccount() | ReadPerson():
            players: tuple[str, ...] = (command.player,)
        case ReadNames():
            players = command.players[:NAMES_MAX]
        case _:
            return ()
    return tuple(player for player in players if is_sealed(wallet, player))


def is_sealed(wallet: Wallet, player: str) -> bool:
    """Tell whether there is something under this player's key that may be shown."""
    account = wallet.accounts.get(player)
    if account is None or player in wallet.erasures:
        return False
    return bool(account.sealed or account.contract)
