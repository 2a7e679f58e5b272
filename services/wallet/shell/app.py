"""The wallet put together: one stream, `journal`, decided by the core."""

from pathlib import Path
from typing import get_args

from services.wallet.core import Wallet, awaiting, timers
from services.wallet.settings import WalletSettings
from services.wallet.shell.errands import Errands
from services.wallet.shell.letters import NoAddress, address
from services.wallet.shell.outside import Outside
from services.wallet.shell.payments import PaymentProvider
from services.wallet.shell.persons import Persons
from services.wallet.shell.post import NotAServer, Outbox, Post, SmtpPost, mail_server
from services.wallet.shell.projections import rows_of
from services.wallet.shell.provider import HttpProvider, NotAnAddress
from services.wallet.shell.reactions import JOURNAL, REACTIONS
from services.wallet.shell.reports import READS
from services.wallet.shell.webhooks import Webhooks
from shared.contracts.wallet import WalletEvent, WalletRequest
from shared.runtime.adapters.person_keys import PostgresPersonKeys
from shared.runtime.adapters.roles import role_of
from shared.runtime.aggregate import Aggregate
from shared.runtime.service import World, main
from shared.runtime.settings import SettingsError


def compose(settings: WalletSettings, world: World, outside: Outside) -> Aggregate:
    """The wallet follows the director; what it needs from outside it asks for as errands."""
    persons = Persons(settings.rules(), outside.person_keys, world.entropy, world.asking)
    return Aggregate(
        owns=lambda stream: stream == JOURNAL,
        decider=Webhooks(settings.wallet_provider_secret).heard_by(persons.decider),
        events=get_args(WalletEvent),
        state=Wallet,
        state_version=2,
        requests=get_args(WalletRequest),
        reactions=REACTIONS,
        rows_of=rows_of,
        reads=READS,
        awaiting=awaiting,
        timers=timers,
        ask=Errands(outside, persons, world.clock.sleep).ask,
        respond=persons.respond,
        prepare=persons.prepare,
    )


def composed(settings: WalletSettings, world: World) -> Aggregate:
    """Put the wallet together with the world outside as the settings name it."""
    keys = PostgresPersonKeys(settings.database_url, role_of("wallet"))
    return compose(
        settings, world, Outside(keys, post=post(settings), provider=provider(settings, world))
    )


def provider(settings: WalletSettings, world: World) -> PaymentProvider | None:
    """Return whom payments go through, if anybody; raise SettingsError."""
    if not settings.wallet_provider_url:
        return None
    secret = settings.wallet_provider_secret[0]
    try:
        return HttpProvider(
            settings.wallet_provider_url, secret, settings.wallet_provider_timeout_s, world.clock
        )
    except NotAnAddress as error:
        raise SettingsError(f"ROLLFORWARD_WALLET_PROVIDER_URL is malformed: {error}") from None


def post(settings: WalletSettings) -> Post:
    """Return how e-mail goes out; raise SettingsError."""
    try:
        sender = address(settings.wallet_mail_from, "Rollforward")
    except NoAddress:
        raise SettingsError("ROLLFORWARD_WALLET_MAIL_FROM is no e-mail address") from None
    if not settings.wallet_smtp_url:
        return Outbox(Path(settings.wallet_outbox), sender)
    try:
        server = mail_server(settings.wallet_smtp_url)
    except NotAServer as error:
        raise SettingsError(f"ROLLFORWARD_WALLET_SMTP_URL is malformed: {error}") from None
    return SmtpPost(server, settings.wallet_smtp_timeout_s, sender)


def run() -> None:
    """Run the wallet until SIGTERM."""
    main("wallet", WalletSettings, composed)
