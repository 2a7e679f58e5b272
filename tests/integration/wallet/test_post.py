"""E-mail over the wire: what a mail server gets, how privately, and what it may refuse."""

import mailbox
import smtplib
import socket
import ssl
from email.headerregistry import Address

import pytest

from services.wallet.core import Mailed
from services.wallet.settings import WalletSettings
from services.wallet.shell.app import post
from services.wallet.shell.letters import warning
from services.wallet.shell.mailing import Mailing
from services.wallet.shell.post import AddressRefused, MailServer, NotTaken, Outbox, SmtpPost
from shared.contracts.wallet import MailWarning, Person
from tests.integration.wallet.smtp_server import SmtpServer, certified

ANN = Person(name="Ann Bò", born="1990-01-02", email="ann@example.com", document="AX 1234567")
SENDER = Address("The Room", "room", "example.org")
TIMEOUT_S = 5
LOGIN = ("room", "p@ss word")


def letter(reason: str = "vulgar chat", person: Person = ANN):
    return warning(MailWarning("ply_ann", 2, reason), person)


def post_to(server: SmtpServer, tls: str = "none", login=("", ""), trusted=None, timeout_s=None):
    where = MailServer("localhost", server.port, tls, *login)
    return SmtpPost(where, timeout_s or TIMEOUT_S, SENDER, trusted)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    return certified(tmp_path_factory.mktemp("certificates"))


async def test_a_letter_arrives_with_everything_that_it_says():
    async with SmtpServer().serving() as server:
        await post_to(server).send(letter("è vietato: €, \U0001f0a1"))
    (received,) = server.received
    assert (received.sender, received.recipients) == ("room@example.org", ("ann@example.com",))
    read = received.letter
    assert read["To"].addresses[0].display_name == "Ann Bò"
    assert read["From"] == "The Room <room@example.org>"
    assert read["Message-ID"] == "<warning-2-ply_ann@rollforward>"
    assert "2" in read["Subject"]
    assert read["Date"].datetime is not None
    assert "è vietato: €, \U0001f0a1" in read.get_content()


@pytest.mark.parametrize(("tls", "at_once"), [("starttls", False), ("at_once", True)])
async def test_with_tls_the_letter_and_the_password_go_through_it(certificates, tls, at_once):
    shows, trusts = certificates
    async with SmtpServer(tls=shows, at_once=at_once, login=LOGIN).serving() as server:
        await post_to(server, tls, LOGIN, trusts).send(letter())
    (received,) = server.received
    assert (received.private, received.user) == (True, "room")


@pytest.mark.parametrize(("tls", "at_once"), [("starttls", False), ("at_once", True)])
async def test_a_server_that_nobody_vouches_for_gets_nothing(certificates, tls, at_once):
    shows, _ = certificates
    async with SmtpServer(tls=shows, at_once=at_once, login=LOGIN).serving() as server:
        with pytest.raises(ssl.SSLCertVerificationError):
            await post_to(server, tls, LOGIN).send(letter())
    assert {"AUTH", "MAIL", "DATA"}.isdisjoint(server.commands)


async def test_where_tls_is_wanted_and_not_offered_nothing_is_sent():
    async with SmtpServer(login=LOGIN).serving() as server:
        with pytest.raises(smtplib.SMTPNotSupportedError):
            await post_to(server, "starttls", LOGIN).send(letter())
    assert {"AUTH", "MAIL", "DATA"}.isdisjoint(server.commands)


@pytest.mark.parametrize(("code", "raised"), [(550, AddressRefused), (450, NotTaken)])
async def test_an_address_is_refused_for_ever_or_for_now(code, raised):
    async with SmtpServer(codes={"ann@example.com": code}).serving() as server:
        with pytest.raises(raised) as refusal:
            await post_to(server).send(letter())
    assert server.received == []
    assert "ann" not in str(refusal.value)


async def test_a_wrong_password_is_told_without_it(certificates):
    shows, trusts = certificates
    async with SmtpServer(tls=shows, login=("room", "another")).serving() as server:
        with pytest.raises(NotTaken, match="535") as refusal:
            await post_to(server, "starttls", LOGIN, trusts).send(letter())
    assert not {"room", "p@ss word"} & {*str(refusal.value).split()}


async def test_a_server_that_says_nothing_is_not_waited_for():
    async with SmtpServer(silent=True).serving() as server:
        with pytest.raises(OSError, match="timed out"):
            await post_to(server, timeout_s=0.1).send(letter())


async def test_where_nobody_listens_nothing_is_taken():
    server = SmtpServer()
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        server.port = nobody.getsockname()[1]
        with pytest.raises(OSError, match="refused"):
            await post_to(server).send(letter())


class Known:
    """Knows Ann."""

    async def person(self, player):
        return ANN if player == "ply_ann" else None


async def test_a_warning_goes_through_the_server_of_the_settings():
    async with SmtpServer().serving() as server:
        settings = WalletSettings(
            database_url="",
            nats_url="",
            wallet_smtp_url=f"smtp://localhost:{server.port}",
            wallet_mail_from="conduct@example.org",
        )
        mailing = Mailing(Known(), post(settings))
        assert await mailing.warn(MailWarning("ply_ann", 1, "vulgar chat")) == Mailed("ply_ann", 1)
    (received,) = server.received
    assert (received.sender, received.recipients) == ("conduct@example.org", ("ann@example.com",))
    assert "vulgar chat" in received.letter.get_content()


async def test_the_outbox_is_a_maildir_in_which_the_same_letter_lies_once(tmp_path):
    outbox = Outbox(tmp_path / "room" / "outbox", SENDER)
    await outbox.send(letter("è vietato"))
    await outbox.send(letter("è vietato"))
    (found,) = mailbox.Maildir(tmp_path / "room" / "outbox", create=False)
    assert found["Message-ID"] == "<warning-2-ply_ann@rollforward>"
    assert found["From"] == "The Room <room@example.org>"
    assert "è vietato" in found.get_payload(decode=True).decode()


async def test_the_outbox_may_be_an_empty_folder_that_is_there(tmp_path):
    await Outbox(tmp_path, SENDER).send(letter())
    assert len(mailbox.Maildir(tmp_path, create=False)) == 1
