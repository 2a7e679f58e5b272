"""A small SMTP server (RFC 5321) with STARTTLS and AUTH PLAIN, which keeps what it is sent."""

import asyncio
import base64
import email.policy
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from ipaddress import IPv4Address
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Received(NamedTuple):
    """A letter, and how it came."""

    sender: str
    recipients: tuple[str, ...]
    letter: EmailMessage
    private: bool
    user: str


class SmtpServer:
    """Serves on a free port; says `codes[address]` to recipients named there."""

    def __init__(
        self,
        *,
        tls: ssl.SSLContext | None = None,
        at_once: bool = False,
        login: tuple[str, str] | None = None,
        codes: dict[str, int] | None = None,
        silent: bool = False,
    ) -> None:
        self.received: list[Received] = []
        self.commands: list[str] = []
        self.port = 0
        self._tls = tls
        self._at_once = at_once
        self._login = login
        self._codes = codes or {}
        self._silent = silent

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["SmtpServer"]:
        context = self._tls if self._at_once else None
        server = await asyncio.start_server(self._talk, "127.0.0.1", 0, ssl=context)
        async with server:
            self.port = server.sockets[0].getsockname()[1]
            yield self

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await Talk(self, reader, writer).run()
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            writer.close()


class Talk:
    """One conversation."""

    def __init__(
        self, server: SmtpServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._server = server
        self._reader = reader
        self._writer = writer
        self._private = server._at_once
        self._user = ""
        self._sender = ""
        self._recipients: list[str] = []

    async def run(self) -> None:
        if self._server._silent:
            await self._reader.read()
            return
        await self._say("220 ready")
        while line := (await self._reader.readline()).decode().strip():
            verb, _, rest = line.partition(" ")
            self._server.commands.append(verb.upper())
            await self._answer(verb.upper(), rest)
            if verb.upper() == "QUIT":
                return

    async def _say(self, *lines: str) -> None:
        self._writer.write("".join(f"{line}\r\n" for line in lines).encode())
        await self._writer.drain()

    async def _answer(self, verb: str, rest: str) -> None:
        match verb:
            case "EHLO":
                offers = ["STARTTLS"] if self._server._tls and not self._private else []
                offers += ["AUTH PLAIN"] if self._server._login else []
                await self._say(*(f"250-{offer}" for offer in ["here", *offers]), "250 8BITMIME")
            case "STARTTLS":
                await self._say("220 go on")
                await self._writer.start_tls(self._server._tls)
                self._private = True
            case "AUTH":
                await self._admit(base64.b64decode(rest.partition(" ")[2]).split(b"\0"))
            case "MAIL":
                await self._mail(rest)
            case "RCPT":
                await self._recipient(address_in(rest))
            case "DATA":
                await self._take()
            case "QUIT":
                await self._say("221 bye")
            case _:
                await self._say("250 fine")

    async def _admit(self, said: list[bytes]) -> None:
        _, user, password = (part.decode() for part in said)
        if (user, password) != self._server._login:
            await self._say(f"535 not you, {user}")
            return
        self._user = user
        await self._say("235 welcome")

    async def _mail(self, rest: str) -> None:
        if self._server._login and not self._user:
            await self._say("530 who are you")
            return
        self._sender = address_in(rest)
        await self._say("250 fine")

    async def _recipient(self, address: str) -> None:
        code = self._server._codes.get(address, 250)
        if code == 250:
            self._recipients.append(address)
        await self._say(f"{code} {address}")

    async def _take(self) -> None:
        await self._say("354 go on")
        data = (await self._reader.readuntil(b"\r\n.\r\n")).removesuffix(b".\r\n")
        letter = message_from_bytes(data, policy=email.policy.default)
        self._server.received.append(
            Received(self._sender, tuple(self._recipients), letter, self._private, self._user)
        )
        await self._say("250 taken")


def address_in(text: str) -> str:
    return text.partition("<")[2].partition(">")[0]


def certified(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return what a server on this machine shows, and what trusts that and nothing else."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail.test")])
    here = [x509.DNSName("localhost"), x509.IPAddress(IPv4Address("127.0.0.1"))]
    today = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(here), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "server.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    shows = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shows.load_cert_chain(file)
    trusts = ssl.create_default_context(cadata=pem(certificate))
    return shows, trusts


def pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(serialization.Encoding.PEM).decode()
