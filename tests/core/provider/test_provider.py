"""The local provider: what it says of payments, how it delivers, and what it remembers."""

import pytest

from services.provider.core import (
    SCENARIOS,
    Order,
    Payment,
    decided,
    dues_of,
    saying,
    scenario_for,
    state_of,
)
from services.provider.shell.store import Store, Waiting

ORDER = Order("deposit", 2_000, "EUR", "ply_ann")
PAYMENT = Payment("pay_1", "prv_1", ORDER, "plain")
PAUSE, LATE = 300, 5_000


def course(name, kind="deposit"):
    """When each word of a scenario is delivered, in the order of delivery."""
    scenario = SCENARIOS[name]
    payment = decided(PAYMENT, scenario.words(kind), 1_000, PAUSE)
    dues = dues_of(payment.words, scenario.delivery, PAUSE, LATE)
    said = {one.sequence: one.word for one in payment.words}
    return [(due.at_ms, due.sequence, said[due.sequence]) for due in sorted(dues, key=at_ms)]


def at_ms(due):
    return due.at_ms


COURSES = {
    "plain": [(1_000, 1, "succeeded")],
    "fails": [(1_000, 1, "failed")],
    "duplicate": [(1_000, 1, "succeeded"), (1_300, 1, "succeeded"), (1_600, 1, "succeeded")],
    "late": [(6_000, 1, "succeeded")],
    "out_of_order": [(1_000, 2, "succeeded"), (1_300, 1, "failed")],
    "fails_after_success": [(1_000, 1, "succeeded"), (1_300, 2, "failed")],
    "charged_back": [(1_000, 1, "succeeded"), (1_300, 2, "charged_back")],
    "never": [],
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_takes_its_course(name):
    assert course(name) == COURSES[name]


def test_a_payout_comes_back_where_a_deposit_is_charged_back():
    assert [word for _, _, word in course("charged_back", "payout")] == ["succeeded", "returned"]


def test_the_last_digits_of_an_amount_choose_a_scenario():
    chosen = {cents: scenario_for(10_000 + cents) for cents in range(100)}
    assert [chosen[cents] for cents in range(91, 98)] == [*SCENARIOS][1:]
    assert {chosen[cents] for cents in range(100) if not 91 <= cents <= 97} == {"plain"}


def test_words_are_numbered_and_the_last_one_holds():
    payment = saying(saying(PAYMENT, "succeeded", "", 1), "charged_back", "stolen", 2)
    assert [said.sequence for said in payment.words] == [1, 2]
    assert len({said.event for said in payment.words}) == 2
    assert (state_of(PAYMENT), state_of(payment)) == ("open", "charged_back")


def test_a_restart_forgets_nothing(tmp_path):
    path = str(tmp_path / "payments.sqlite")
    store = Store(path)
    payment = decided(PAYMENT, ("succeeded",), 1_000, PAUSE)
    store.keep(PAYMENT, ())
    store.keep(payment, dues_of(payment.words, "three_times", PAUSE, LATE))
    store.choose("pay_2", "late")
    (first,) = store.due(1_000, 9)
    store.note(first, delivered=True, again_ms=9)
    store.close()
    again = Store(path)
    assert again.by_key("pay_1") == again.by_reference("prv_1") == payment
    assert again.by_key("pay_2") is again.by_reference("prv_2") is None
    assert (again.chosen("pay_2"), again.chosen("pay_1")) == ("late", None)
    assert again.due(1_299, 9) == []
    assert [waiting.sequence for waiting in again.due(9_999, 9)] == [1, 1]
    assert [one.delivered for one in again.deliveries("pay_1")] == [True, False, False]
    again.close()


def test_what_was_not_taken_comes_back_later():
    store = Store("")
    store.keep(PAYMENT, dues_of(saying(PAYMENT, "succeeded", "", 5).words, "once", PAUSE, LATE))
    (first,) = store.due(5, 9)
    store.note(first, delivered=False, again_ms=700)
    assert store.due(699, 9) == []
    assert store.due(700, 9) == [Waiting(first.id, "pay_1", 1, 1)]
