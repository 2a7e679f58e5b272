"""Every message that was ever written is read alike for ever; `python -m tests.contract` adds."""

from typing import Any, Literal

import msgspec
import pytest

from shared.contracts.director import TournamentStarted, TournamentStarted1
from shared.contracts.upcasts import event_decoder
from tests.contract.golden import add_missing, complaint, lines, messages, missing
from tests.contract.samples import samples

MESSAGES = messages()


def test_every_golden_line_is_read_as_it_was_written():
    complaints = [found for line in lines() if (found := complaint(line, MESSAGES))]
    assert not complaints, "\n".join(complaints)


def test_every_message_has_its_golden_lines():
    new = sorted(
        {msgspec.json.decode(line)["type"] for one in missing(MESSAGES).values() for line in one}
    )
    assert not new, f"run `python -m tests.contract` and commit what it adds: {', '.join(new)}"


def test_an_old_start_is_read_as_how_many_players_started():
    line = next(line for line in lines() if b'"director.tournament-started.v1"' in line)
    old = msgspec.json.decode(line, type=TournamentStarted1)
    read = event_decoder(TournamentStarted1)(line)
    assert read == TournamentStarted(
        tournament=old.tournament,
        players=len(old.players),
        pool_cents=old.pool_cents,
        prizes_cents=old.prizes_cents,
    )


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_the_first_sample_of_a_message_sets_every_field(message: type[Any]):
    assert list(at_default(samples(message)[0])) == []


def at_default(value: Any, where: str = ""):
    """Yield where a value, or one within it, is what it would be anyway."""
    if isinstance(value, msgspec.Struct):
        for field in msgspec.structs.fields(value):
            inner = getattr(value, field.name)
            if inner == field.default or inner is None:
                yield f"{where}.{field.name}"
            yield from at_default(inner, f"{where}.{field.name}")
    elif isinstance(value, tuple):
        for one in value[:1]:
            yield from at_default(one, f"{where}[]")


# --- changes are found ----------------------------------------------------------------------


def struct(**fields: Any) -> type[Any]:
    """A message of these fields; a pair is a type with its default."""
    given = [
        (name, *(kind if isinstance(kind, tuple) else (kind,))) for name, kind in fields.items()
    ]
    return msgspec.defstruct("Paid", given, tag_field="type", tag="till.paid.v1", kw_only=True)


Way = Literal["cash", "card"]
Seat = msgspec.defstruct("Seat", [("seat", int)])
Blank = msgspec.defstruct("Blank", [])
Chair = msgspec.defstruct("Chair", [("chair", int)])
NEEDED = {"cents": int, "way": Way, "seats": tuple[Seat, ...]}
PAID = NEEDED | {"note": (str | None, None)}
CHANGED = {
    # the message now, what is said of it
    "a field gone": (NEEDED, ".note is not read"),
    "a field renamed": (NEEDED | {"remark": (str | None, None)}, ".note is not read"),
    "another type": (PAID | {"cents": str}, "cannot be read"),
    "a word less": (PAID | {"way": Literal["cash"]}, "cannot be read"),
    "no longer optional": (PAID | {"note": str}, "cannot be read"),
    "a field more, to be set": (PAID | {"till": str}, "cannot be read"),
    "another within": (PAID | {"seats": tuple[Chair, ...]}, "cannot be read"),
    "cut to size": (PAID | {"seats": (tuple[Blank, ...], ())}, ".seats[0].seat is not read"),
}


def golden(message: type[Any]) -> list[bytes]:
    return [msgspec.json.encode(one) for one in samples(message)]


@pytest.mark.parametrize(("now", "said"), CHANGED.values(), ids=CHANGED)
def test_a_changed_message_is_found_and_the_way_out_is_named(now: dict[str, Any], said: str):
    known = {"till.paid.v1": struct(**now)}
    complaints = [found for line in golden(struct(**PAID)) if (found := complaint(line, known))]
    assert any(said in found for found in complaints)
    assert all("upcasts.py" in found for found in complaints)


def test_a_message_that_is_gone_is_found():
    assert all("is gone" in str(complaint(line, {})) for line in golden(struct(**PAID)))


WIDER = {
    "as it was": PAID,
    "a field with a default more": PAID | {"till": (str, "")},
    "a word more": PAID | {"way": Literal["cash", "card", "cheque"]},
}


@pytest.mark.parametrize("now", WIDER.values(), ids=WIDER)
def test_a_message_may_get_wider(now: dict[str, Any]):
    known = {"till.paid.v1": struct(**now)}
    assert [complaint(line, known) for line in golden(struct(**PAID))] == [None] * 2


def test_lines_are_added_and_never_changed(tmp_path):
    narrow, wide = struct(**PAID), struct(**PAID, till=(str, ""))
    assert add_missing({"till.paid.v1": narrow}, tmp_path) == 2
    before = list(lines(tmp_path))
    assert before == golden(narrow)
    assert add_missing({"till.paid.v1": narrow}, tmp_path) == 0
    assert add_missing({"till.paid.v1": wide}, tmp_path) == 2
    assert list(lines(tmp_path)) == before + golden(wide)
