"""Who people are: sealed before the core sees it, opened for whoever asks, gone with the key."""

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from services.wallet.core import KeyErased, TakeOutcomes, WalletRules
from services.wallet.shell import persons as module
from services.wallet.shell.persons import Persons
from services.wallet.shell.sealing import open_name, open_person, seal_name, seal_person
from shared.contracts.commit import raw
from shared.contracts.edge import Accepted, Declined
from shared.contracts.wallet import (
    AccountOpened,
    ContractFiled,
    ErasePerson,
    FileContract,
    IdentifyAccount,
    OpenAccount,
    ReadAccount,
    ReadNames,
    ReadPerson,
)
from shared.kernel.decider import Refused
from shared.runtime.ports import BrokerUnavailable, StoreUnavailable
from shared.runtime.sealed import Unreadable
from tests.core.wallet.given import ANN, BEA, NOBODY, after, closed, person as old_account
from tests.people import PERSON
from tests.person_keys import KeysInMemory
from tests.used_decks import finished

NOW = 1_800_000_000_000
OPEN = OpenAccount(player=ANN, name="Ann")
FILE = FileContract(player=ANN, person=PERSON)
KEY, OTHER_KEY = bytes(range(32)), bytes(32)


class Desk:
    """A wallet with its shell around it, one command after the other."""

    def __init__(self, keys=None, wallet=None, asking=None, seed=1):
        self.keys = KeysInMemory() if keys is None else keys
        self.persons = Persons(WalletRules(), self.keys, Random(seed).randbytes, asking)
        self.wallet = self.persons.decider.initial if wallet is None else wallet

    def tell(self, command, at_ms=NOW):
        """Decide; return the events, or the refusal."""
        finished(self.persons.prepare([(self.wallet, command)]))
        stepped = self.persons.decider.step(self.wallet, command, at_ms)
        if isinstance(stepped, Refused):
            return stepped
        events, self.wallet = stepped
        return events

    def ask(self, command):
        """Read."""
        assert self.tell(command) == ()
        return self.persons.respond(self.wallet, command)

    def names(self, *players):
        return self.ask(ReadNames(players=players)).names

    def erase(self):
        """Close Ann's account and forget her, the errand included."""
        self.wallet = self.persons.decider.evolve(self.wallet, closed(ANN))
        assert self.tell(ErasePerson(player=ANN, author="opr_1"))
        finished(self.persons.destroy(ANN))
        assert self.tell(TakeOutcomes(number=1, outcomes=(KeyErased(ANN),), left=()))


class Away(KeysInMemory):
    """Keys that do not answer."""

    async def find(self, players):
        raise StoreUnavailable("away")

    obtain = destroy = find


@pytest.fixture
def desk():
    desk = Desk()
    for command in (OPEN, FILE, IdentifyAccount(player=ANN)):
        assert desk.tell(command)
    return desk


# --- sealing ----------------------------------------------------------------------------------


def test_sealing_twice_gives_the_same_bytes_and_other_content_another_nonce():
    assert seal_person(KEY, ANN, PERSON) == seal_person(KEY, ANN, PERSON)
    boxes = [
        seal_name(KEY, ANN, "Ann"),
        seal_name(KEY, ANN, "Anna"),
        seal_name(KEY, BEA, "Ann"),
        seal_name(OTHER_KEY, ANN, "Ann"),
    ]
    assert len({box[:12] for box in boxes}) == len(boxes)
    assert {len(box) for box in boxes} == {12 + 32 + 16}


def test_a_box_opens_with_its_own_key_for_its_own_player_and_use_only():
    name, somebody = seal_name(KEY, ANN, "Ann"), seal_person(KEY, ANN, PERSON)
    assert open_name(KEY, ANN, name) == "Ann"
    assert open_person(KEY, ANN, somebody) == PERSON
    for opened in (
        lambda: open_name(OTHER_KEY, ANN, name),
        lambda: open_name(KEY, BEA, name),
        lambda: open_person(KEY, ANN, name),
        lambda: open_name(KEY, ANN, somebody),
        lambda: open_name(KEY, ANN, name[:-1] + b"\0"),
        lambda: open_name(KEY, ANN, b""),
    ):
        with pytest.raises(Unreadable):
            opened()


def test_names_of_every_script_come_back():
    for name in ("Ａｎｎ", "Ömer Şahin", "王小明", "x" * 64, "🂡"):
        assert open_name(KEY, ANN, seal_name(KEY, ANN, name)) == name


def test_no_repr_tells_who_a_person_is():
    told = repr((OPEN, FILE, PERSON, [FILE]))
    assert not any(word in told for word in ("Ann", *msgspec.structs.astuple(PERSON)))


# --- in and out -------------------------------------------------------------------------------


def test_what_is_recorded_tells_nothing_and_what_is_asked_for_everything(desk):
    fresh = Desk()
    opened, filed = (*fresh.tell(OPEN), *fresh.tell(FILE))
    assert isinstance(opened, AccountOpened)
    assert isinstance(filed, ContractFiled)
    assert opened.name == ""
    written = msgspec.json.encode((opened, filed, fresh.wallet.accounts[ANN]))
    assert b"Ann" not in written.replace(b"ply_ann", b"")
    assert desk.ask(ReadAccount(player=ANN)).name == "Ann"
    assert desk.ask(ReadPerson(player=ANN)).person == PERSON
    assert desk.names(ANN, NOBODY) == {ANN: "Ann"}


def test_retries_are_harmless_and_other_content_is_another_matter(desk):
    assert desk.tell(OPEN) == ()
    assert desk.tell(FILE) == ()
    other = replace(OPEN, name="Bea")
    assert desk.tell(other) == Refused("exists_with_different_content")
    again = replace(FILE, person=replace(PERSON, document="passport Y"))
    assert desk.tell(again) == Refused("not_pending", "the account is identified")


def test_a_new_filing_replaces_the_old_one_while_pending():
    desk = Desk()
    for document in ("passport X", "passport Y"):
        desk.tell(OPEN)
        desk.tell(replace(FILE, person=replace(PERSON, document=document)))
        assert desk.ask(ReadPerson(player=ANN)).person.document == document


def test_another_process_with_the_same_keys_seals_and_reads_alike(desk):
    other = Desk(desk.keys, desk.wallet, seed=2)
    assert other.tell(OPEN) == other.tell(FILE) == ()
    assert other.names(ANN) == {ANN: "Ann"}


FAULTS = [
    # case, request, refusal
    ("nonsense opens", replace(OPEN, player="Ann"), "player_id_invalid"),
    ("no name", replace(OPEN, name=""), "name_invalid"),
    ("a blank name", replace(OPEN, name=" "), "name_invalid"),
    ("a line break", replace(OPEN, name="A\nB"), "name_invalid"),
    ("a long name", replace(OPEN, name="A" * 65), "name_invalid"),
    ("nonsense files", replace(FILE, player="Ann"), "player_id_invalid"),
    ("nobody files", replace(FILE, player=NOBODY), "unknown_account"),
    ("nameless", {"name": ""}, "name_invalid"),
    ("two lines", {"name": "Ann\nOther"}, "name_invalid"),
    ("no such day", {"born": "1990-02-30"}, "born_invalid"),
    ("a child", {"born": "2015-01-01"}, "under_age"),
    ("no address", {"email": "ann"}, "email_invalid"),
    ("no host", {"email": "ann@"}, "email_invalid"),
    ("two addresses", {"email": "a@b.example, c@d.example"}, "email_invalid"),
    ("a header", {"email": "a@b.example\nBcc: c@d.example"}, "email_invalid"),
    ("a long address", {"email": "a" * 250 + "@b.example"}, "email_invalid"),
    ("no document", {"document": " "}, "document_invalid"),
]


@pytest.mark.parametrize(
    ("request_", "reason"), [pytest.param(*row[1:], id=row[0]) for row in FAULTS]
)
def test_what_is_refused_is_never_sealed_and_makes_no_key(request_, reason):
    desk = Desk()
    if isinstance(request_, dict):
        desk.tell(OPEN)
        request_ = replace(FILE, person=replace(PERSON, **request_))
    keys, wallet = dict(desk.keys.keys), desk.wallet
    refused = desk.tell(request_)
    assert refused.reason == reason
    assert "Ann" not in refused.detail
    assert desk.keys.keys.keys() - keys.keys() == set()
    assert desk.wallet == wallet


def test_where_keys_do_not_answer_only_what_needs_them_waits(desk):
    away = Desk(Away(), desk.wallet)
    for command in (OPEN, FILE, ReadPerson(player=ANN)):
        assert away.tell(command).reason == "unavailable"
    assert away.ask(ReadAccount(player=ANN)).name == ""
    assert away.names(ANN) == {}
    assert away.tell(IdentifyAccount(player=ANN)) == ()


def test_keys_are_kept_boundedly(desk, monkeypatch):
    monkeypatch.setattr(module, "KEYS_MAX", 3)
    for number in range(10):
        desk.tell(OpenAccount(player=f"ply_{number}", name=f"Number {number}"))
    assert len(desk.persons._keys) == 3
    assert desk.names("ply_0", ANN) == {"ply_0": "Number 0", ANN: "Ann"}


def test_a_key_that_is_lost_opens_nothing_and_is_seen(desk):
    for keys in ({}, {ANN: OTHER_KEY}):
        lost = Desk(KeysInMemory(), desk.wallet)
        lost.keys.keys = dict(keys)
        assert lost.names(ANN) == {}
        assert lost.ask(ReadPerson(player=ANN)).person is None


# --- old commits ------------------------------------------------------------------------------


def test_a_name_in_clear_from_an_old_commit_still_works():
    old = after(*old_account(ANN))
    desk = Desk(wallet=old)
    assert desk.names(ANN) == {ANN: ANN}
    assert desk.ask(ReadAccount(player=ANN)).name == ANN
    assert desk.tell(OpenAccount(player=ANN, name=ANN)) == ()
    assert desk.tell(OPEN) == Refused("exists_with_different_content")
    assert desk.keys.keys == {}
    desk.erase()
    assert desk.names(ANN) == {ANN: ""}


# --- erasure ----------------------------------------------------------------------------------


def test_who_is_erased_is_unreadable_for_ever_and_gets_no_other_key(desk):
    sealed = desk.wallet.accounts[ANN].sealed
    desk.erase()
    assert desk.keys.keys == {ANN: None}
    assert desk.names(ANN) == {ANN: ""}
    assert desk.ask(ReadAccount(player=ANN)).name == ""
    assert desk.ask(ReadPerson(player=ANN)).person is None
    for command in (OPEN, FILE):
        assert desk.tell(command) == Refused("person_erased")
    assert desk.keys.keys == {ANN: None}
    assert sealed not in msgspec.json.encode(desk.wallet.accounts[ANN])


def test_from_the_order_on_nothing_is_shown_or_sealed(desk):
    desk.wallet = desk.persons.decider.evolve(desk.wallet, closed(ANN))
    desk.tell(ErasePerson(player=ANN, author="opr_1"))
    assert desk.keys.keys[ANN] is not None
    assert desk.names(ANN) == {ANN: ""}
    assert desk.ask(ReadPerson(player=ANN)).person is None
    assert desk.tell(FILE) == Refused("person_erased")


def test_a_tombstone_stands_against_a_wallet_that_does_not_know_of_it_yet():
    desk = Desk()
    finished(desk.keys.destroy([ANN]))
    assert desk.tell(OPEN) == Refused("person_erased")


def test_keys_that_came_back_with_a_backup_are_destroyed_before_any_is_used(desk):
    backup = desk.keys.copied()
    desk.erase()
    later = Desk(backup, desk.wallet)
    assert later.names(ANN, BEA) == {ANN: ""}
    assert backup.keys == {ANN: None}


def test_as_long_as_they_cannot_be_destroyed_none_is_used(desk):
    class Stubborn(KeysInMemory):
        async def destroy(self, players):
            raise StoreUnavailable("read only")

    desk.tell(OpenAccount(player=BEA, name="Bea"))
    backup = Stubborn()
    backup.keys = dict(desk.keys.keys)
    desk.erase()
    assert Desk(backup, desk.wallet).names(ANN, BEA) == {ANN: ""}


# --- for errands ------------------------------------------------------------------------------


class Owner:
    """The journal's owner, asked as a gateway asks."""

    def __init__(self, desk, answers=True):
        self.desk, self.answers = desk, answers

    async def ask(self, service, stream, command):
        if not self.answers:
            return Declined(reason="unavailable")
        assert (service, stream) == ("wallet", "journal")
        return Accepted(stream=stream, n=1, reply=raw(self.desk.ask(command)))


def test_an_errand_learns_who_somebody_is(desk):
    assert finished(Desk(asking=Owner(desk)).persons.person(ANN)) == PERSON
    desk.erase()
    assert finished(Desk(asking=Owner(desk)).persons.person(ANN)) is None
    with pytest.raises(BrokerUnavailable):
        finished(Desk(asking=Owner(desk, answers=False)).persons.person(ANN))
