"""Sending e-mail: through an SMTP server, or into a Maildir where none is configured."""

import asyncio
import os
import smtplib
import ssl
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path
from typing import Final, Literal, NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

PERMANENT: Final = 500
MAILDIR: Final = ("tmp", "new", "cur")
SENDER: Final = Address("Rollforward", "rollforward", "localhost")

Tls = Literal["none", "starttls", "at_once"]


class AddressRefused(Exception):
    """The mail server serves no such address and never will; a repetition is no use."""


class NotTaken(Exception):
    """The mail server does not take a letter now.

    Only its code is told: what it says in words goes into no log, since it may name people.
    """


class NotAServer(Exception):
    """A text names no mail server; the message says why and does not repeat the text."""


class Post(Protocol):
    """Takes letters; whatever it raises but AddressRefused may be over the next time."""

    async def send(self, letter: EmailMessage) -> None:
        """Return once somebody else is answerable for it; the same letter may come again."""
        ...


class MailServer(NamedTuple):
    """Where an SMTP server is, how the way there is kept private, and as whom we come."""

    host: str
    port: int
    tls: Tls
    user: str = ""
    password: str = ""


SCHEMES: Final[dict[str, tuple[Tls, int]]] = {
    "smtp": ("none", 25),
    "smtp+starttls": ("starttls", 587),
    "smtps": ("at_once", 465),
}


def mail_server(url: str) -> MailServer:
    """Read `smtps://user:password@host:port`; raise NotAServer.

    Also `smtp+starttls`, and `smtp` for a server nearby, which gets no password.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise NotAServer("it is no URL") from None
    if parts.scheme not in SCHEMES or not host or parts.path.strip("/") or parts.query:
        raise NotAServer("write smtps://user:password@host:port, or smtp+starttls:// or smtp://")
    tls, usual_port = SCHEMES[parts.scheme]
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if password and tls == "none":
        raise NotAServer("a password goes through smtps:// or smtp+starttls:// only")
    return MailServer(host, port or usual_port, tls, user, password)


class SmtpPost:
    """Hands letters over to an SMTP server, each in a conversation of its own."""

    def __init__(
        self,
        server: MailServer,
        timeout_s: float,
        sender: Address = SENDER,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        self._server = server
        self._timeout_s = timeout_s
        self._sender = sender
        self._trusted = trusted or ssl.create_default_context()

    async def send(self, letter: EmailMessage) -> None:
        """Return when the server has taken it; raise AddressRefused, NotTaken or OSError."""
        try:
            await asyncio.to_thread(self._send, outgoing(letter, self._sender))
        except smtplib.SMTPRecipientsRefused as refused:
            codes = [code for code, _ in refused.recipients.values()]
            if min(codes) >= PERMANENT:
                raise AddressRefused from None
            raise NotTaken(f"code {min(codes)}") from None
        except smtplib.SMTPResponseException as refused:
            raise NotTaken(f"{type(refused).__name__}, code {refused.smtp_code}") from None

    def _send(self, letter: EmailMessage) -> None:
        with self._connected() as smtp:
            if self._server.tls == "starttls":
                smtp.starttls(context=self._trusted)
            if self._server.user:
                smtp.login(self._server.user, self._server.password)
            smtp.send_message(letter)

    def _connected(self) -> smtplib.SMTP:
        host, port = self._server.host, self._server.port
        if self._server.tls == "at_once":
            return smtplib.SMTP_SSL(host, port, timeout=self._timeout_s, context=self._trusted)
        return smtplib.SMTP(host, port, timeout=self._timeout_s)


class Outbox:
    """Puts letters into a Maildir for whoever sends them on; the same letter lies there once."""

    def __init__(self, folder: Path, sender: Address = SENDER) -> None:
        self.folder = folder
        self._sender = sender

    async def send(self, letter: EmailMessage) -> None:
        """Return when it lies there; raise OSError."""
        await asyncio.to_thread(self._put, outgoing(letter, self._sender))

    def _put(self, letter: EmailMessage) -> None:
        """Deliver as into any Maildir, by a name that the letter's id gives."""
        for part in MAILDIR:
            (self.folder / part).mkdir(mode=0o700, parents=True, exist_ok=True)
        name = letter["Message-ID"].strip("<>")
        written = self.folder / "tmp" / name
        with written.open("wb") as file:
            file.write(bytes(letter))
            file.flush()
            os.fsync(file.fileno())
        written.rename(self.folder / "new" / name)


def outgoing(letter: EmailMessage, sender: Address) -> EmailMessage:
    """Say from whom a letter comes, and when it goes out."""
    letter["From"] = sender
    letter["Date"] = formatdate()
    return letter
