"""What the wallet writes to people, and where to."""

from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Final

from shared.contracts.wallet import MailWarning, Person

SUBJECT: Final = "Warning {number}: your conduct"
TEXT: Final = """\
Dear {name},

your conduct has led to a warning, which is number {number}:

    {reason}

If it goes on, you may be suspended from the chat or from playing, for a time or for good, and
the licence holder may be asked to close your account.
"""


class NoAddress(Exception):
    """What somebody gave as an address is none that mail can be sent to."""


def warning(errand: MailWarning, person: Person) -> EmailMessage:
    """Write the e-mail of a warning (PP-CONDUCT); raise NoAddress.

    Its Message-ID is the warning's own: whoever gets it twice can tell.
    """
    letter = EmailMessage()
    letter["Message-ID"] = f"<warning-{errand.number}-{errand.player}@rollforward>"
    letter["To"] = address(person.email, person.name)
    letter["Subject"] = SUBJECT.format(number=errand.number)
    text = TEXT.format(name=person.name, number=errand.number, reason=errand.reason)
    letter.set_content(text)
    return letter


def address(text: str, name: str = "") -> Address:
    """Read an address as it goes into a header; raise NoAddress, which does not repeat it."""
    user, _, host = text.rpartition("@")
    try:
        return Address(name, addr_spec=f"{user}@{host.encode('idna').decode()}")
    except (ValueError, IndexError, MessageError) as error:
        raise NoAddress(type(error).__name__) from None
