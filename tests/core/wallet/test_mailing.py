"""Warnings by e-mail: what is written to whom, what the post may say, and how it is configured."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from msgspec.structs import replace

from services.wallet.core import Mailed, Unmailable
from services.wallet.settings import WalletSettings
from services.wallet.shell.app import post
from services.wallet.shell.letters import warning
from services.wallet.shell.mailing import Mailing
from services.wallet.shell.post import (
    AddressRefused,
    MailServer,
    NotAServer,
    NotTaken,
    Outbox,
    SmtpPost,
    mail_server,
)
from shared.contracts.wallet import MailWarning, Person
from shared.runtime.settings import SettingsError

ANN = Person(name="Ann", born="1990-01-02", email="ann@example.com", document="AX 1")
ERRAND = MailWarning("ply_ann", 2, "vulgar chat")


@dataclass
class Known:
    """Knows one person, or nobody."""

    who: Person | None

    async def person(self, player):
        assert player == "ply_ann"
        return self.who


@dataclass
class Counter:
    """A post office: takes letters, or says why not."""

    refuses: Exception | None = None
    letters: list = field(default_factory=list)

    async def send(self, letter):
        if self.refuses:
            raise self.refuses
        self.letters.append(letter)


async def test_a_warning_is_mailed_to_the_address_in_the_contract():
    office = Counter()
    assert await Mailing(Known(ANN), office).warn(ERRAND) == Mailed("ply_ann", 2)
    (letter,) = office.letters
    assert letter["To"] == "Ann <ann@example.com>"
    assert letter["Message-ID"] == "<warning-2-ply_ann@rollforward>"
    text = letter.get_content()
    assert "Dear Ann" in text
    assert "number 2" in text
    assert "vulgar chat" in text


async def test_where_nobody_knows_the_address_it_is_not_mailed_for_good():
    office = Counter()
    outcome = await Mailing(Known(None), office).warn(ERRAND)
    assert outcome == Unmailable("ply_ann", 2, "address_unknown")
    assert office.letters == []


async def test_where_the_address_is_refused_it_is_not_mailed_for_good():
    outcome = await Mailing(Known(ANN), Counter(AddressRefused())).warn(ERRAND)
    assert outcome == Unmailable("ply_ann", 2, "address_refused")


@pytest.mark.parametrize(
    "address",
    [
        *("ann", "ann@", "@example.com", "a b@example.com", "a,b@example.com", "<a@b>", "a@b@c"),
        *("ü@example.com", "a@example.com>", "a@.example..com", f"a@{'x' * 70}.com", "@@"),
    ],
)
async def test_what_is_no_address_is_not_mailed_to(address):
    known = Known(replace(ANN, email=address))
    outcome = await Mailing(known, Counter()).warn(ERRAND)
    assert outcome == Unmailable("ply_ann", 2, "address_refused")


async def test_what_may_be_over_soon_is_tried_again():
    with pytest.raises(NotTaken):
        await Mailing(Known(ANN), Counter(NotTaken("code 450"))).warn(ERRAND)


def test_a_host_with_letters_of_its_language_is_written_as_mail_has_it():
    letter = warning(ERRAND, replace(ANN, email="ann@bücher.example"))
    assert letter["To"].addresses[0].addr_spec == "ann@xn--bcher-kva.example"


SERVERS = {
    "smtp://localhost": MailServer("localhost", 25, "none"),
    "smtp://10.0.0.7:2525/": MailServer("10.0.0.7", 2525, "none"),
    "smtp+starttls://u:p%40ss@mail.example": MailServer(
        "mail.example", 587, "starttls", "u", "p@ss"
    ),
    "smtps://mail.example:4650": MailServer("mail.example", 4650, "at_once"),
}
NO_SERVERS = [
    *("", "localhost", "localhost:25", "http://mail.example", "smtp://", "smtps://:25"),
    *("smtps://mail.example:port", "smtps://mail.example:99999", "smtps://mail.example/path"),
    *("smtps://mail.example?tls=no", "smtp://[::1", "smtp://user:hunter2@mail.example"),
]


@pytest.mark.parametrize("url", SERVERS)
def test_a_mail_server_is_a_url(url):
    assert mail_server(url) == SERVERS[url]


@pytest.mark.parametrize("url", NO_SERVERS)
def test_what_is_no_mail_server_is_refused_without_its_password(url):
    with pytest.raises(NotAServer) as complaint:
        mail_server(url)
    assert "hunter2" not in str(complaint.value)


def settings(**given):
    return WalletSettings(database_url="", nats_url="", **given)


def test_mail_goes_to_the_server_that_is_configured_or_lies_in_the_outbox():
    assert isinstance(post(settings(wallet_smtp_url="smtp://localhost")), SmtpPost)
    outbox = post(settings(wallet_outbox="/var/mail/out"))
    assert isinstance(outbox, Outbox)
    assert outbox.folder == Path("/var/mail/out")


@pytest.mark.parametrize(
    ("given", "variable"),
    [
        ({"wallet_smtp_url": "smtp://user:hunter2@mail"}, "ROLLFORWARD_WALLET_SMTP_URL"),
        ({"wallet_mail_from": "nobody"}, "ROLLFORWARD_WALLET_MAIL_FROM"),
    ],
)
def test_settings_that_make_no_sense_are_refused_by_name(given, variable):
    with pytest.raises(SettingsError, match=variable) as complaint:
        post(settings(**given))
    assert "hunter2" not in str(complaint.value)
