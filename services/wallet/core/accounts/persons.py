"""What can be found against a request that tells who a person is, before that is sealed.

The shell asks here first, so that nothing is sealed, and no key made, for a request that is
refused. Reasons in order of precedence:

    OpenAccount    player_id_invalid, name_invalid, person_erased
    FileContract   player_id_invalid, unknown_account, person_erased, name_invalid, born_invalid,
                   email_invalid, document_invalid, under_age

What is sealed is compared with what was sealed before in `decide.py`.
"""

from typing import Final, Literal

from services.wallet.core.accounts.age import comes_of_age_ms, date_of
from services.wallet.core.accounts.finding import account_of
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import FileContract, OpenAccount, Person
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id

NAME_CHARACTERS_MAX: Final = 64
PERSON_CHARACTERS_MAX: Final = 200
EMAIL_CHARACTERS_MAX: Final = 254

Verdict = Refused | Literal["recorded", "due"]


def verdict_on_opening(wallet: Wallet, request: OpenAccount) -> Verdict:
    """Refuse, find an account that old commits opened with this name in clear, or let it be."""
    if not is_derived_id(request.player, "ply"):
        return Refused("player_id_invalid")
    if not is_name(request.name):
        return Refused("name_invalid")
    if request.player in wallet.erasures:
        return Refused("person_erased")
    account = wallet.accounts.get(request.player)
    if account is None or not account.name:
        return "due"
    return "recorded" if account.name == request.name else Refused("exists_with_different_content")


def verdict_on_filing(wallet: Wallet, request: FileContract, now: Now | None = None) -> Verdict:
    """Refuse what is no contract of this player's; without a moment, whatever the age is."""
    account = account_of(wallet, request.player)
    if isinstance(account, Refused):
        return account
    if request.player in wallet.erasures:
        return Refused("person_erased")
    if problem := problem_with(request.person):
        return Refused(problem)
    if now is not None and is_under_age(request.person, now):
        return Refused("under_age", f"players are {now.rules.adult_years} years old or more")
    return "due"


def problem_with(person: Person) -> str | None:
    """Return what cannot be as a person is described, as a refusal's reason."""
    if not is_name(person.name, PERSON_CHARACTERS_MAX):
        return "name_invalid"
    if date_of(person.born) is None:
        return "born_invalid"
    if not is_email(person.email):
        return "email_invalid"
    return None if is_name(person.document, PERSON_CHARACTERS_MAX) else "document_invalid"


def is_under_age(person: Person, now: Now) -> bool:
    """PP-ACCOUNT: tell whether somebody is too young for a contract at a moment."""
    born = date_of(person.born)
    return born is None or comes_of_age_ms(born, now.rules.adult_years) > now.at_ms


def is_name(text: str, characters_max: int = NAME_CHARACTERS_MAX) -> bool:
    """A name can be shown on one line and does not hide behind blanks."""
    return 0 < len(text) <= characters_max and text.isprintable() and text == text.strip()


def is_email(text: str) -> bool:
    """Something before an @ and something behind it, on one line, without blanks."""
    name, _, host = text.rpartition("@")
    return (
        bool(name and host)
        and len(text) <= EMAIL_CHARACTERS_MAX
        and text.isprintable()
        and " " not in text
    )
