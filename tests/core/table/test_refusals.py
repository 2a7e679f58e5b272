"""What players may not do: every refusal in its order of precedence, in every limit."""

import pytest
from msgspec.structs import replace

from services.table.core import legal_actions, show_or_muck
from shared.contracts.message import TimerFired
from shared.contracts.table import Call, Check, ComeBack, Fold, GoOut, Muck, RaiseTo, Show
from shared.poker.rule_sets import BIG_HOLDEM
from tests.core.table.hand_play import dealt
from tests.core.table.table_play import Play, assigned

STACKS = {1: 1_000, 2: 1_000, 3: 1_000}
HAND = TimerFired(name="hand")
FIXED = replace(BIG_HOLDEM, limit="fixed_limit")
POT = replace(BIG_HOLDEM, limit="pot_limit")
CHOOSING = replace(BIG_HOLDEM, show_or_muck_ms=5_000)


def at_second_decision(rules=BIG_HOLDEM):
    """Seats 1 to 3 are dealt in, the button folded, seat 1 is to act; seat 5 came later."""
    play = Play(STACKS, button=3, rules=rules)
    play.start()
    play.tell(assigned("ply_5", 5, 400))
    play.play("fold")
    return play


# Each row mends what the row before was refused for, and nothing else.
BEFORE_THE_AMOUNT = [
    # hand, player, decision, to_chips
    (("hnd_7", "ply_9", 1, -5), "unknown_hand"),
    (("hnd_1", "ply_9", 1, -5), "not_seated"),
    (("hnd_1", "ply_5", 1, -5), "not_dealt_in"),
    (("hnd_1", "ply_2", 1, -5), "decision_passed"),
    (("hnd_1", "ply_2", 3, -5), "decision_not_open"),
    (("hnd_1", "ply_2", 2, -5), "not_your_turn"),
    (("hnd_1", "ply_1", 2, -5), "amount_must_be_positive"),
    (("hnd_1", "ply_1", 2, 0), "amount_must_be_positive"),
    (("hnd_1", "ply_1", 2, 2**70), "not_enough_chips"),
    (("hnd_1", "ply_1", 2, 1_001), "not_enough_chips"),
]
AMOUNTS = {
    # Seat 1 has 5 of the 10 to match in, and 15 lie in the middle.
    BIG_HOLDEM: [(19, "raise_below_minimum"), (1, "raise_below_minimum")],
    POT: [
        (1_000, "raise_above_maximum"),
        (26, "raise_above_maximum"),
        (19, "raise_below_minimum"),
    ],
    FIXED: [
        (1_000, "raise_above_maximum"),
        (21, "raise_above_maximum"),
        (19, "raise_below_minimum"),
    ],
}
PRECEDENCE = [
    (rules, fields, reason)
    for rules, amounts in AMOUNTS.items()
    for fields, reason in (
        *BEFORE_THE_AMOUNT,
        *((("hnd_1", "ply_1", 2, to), reason) for to, reason in amounts),
    )
]


@pytest.mark.parametrize(("rules", "fields", "reason"), PRECEDENCE)
def test_the_first_fault_names_the_refusal(rules, fields, reason):
    hand, player, decision, to = fields
    command = RaiseTo(hand=hand, player=player, decision=decision, to_chips=to)
    assert at_second_decision(rules).refused(command) == reason


@pytest.mark.parametrize("rules", AMOUNTS)
def test_the_smallest_legal_raise_is_accepted_after_all_that(rules):
    play = at_second_decision(rules)
    play.tell(RaiseTo(hand="hnd_1", player="ply_1", decision=2, to_chips=20))
    assert legal_actions(play.table).call_chips == 10


@pytest.mark.parametrize(
    ("to", "reason"),
    [(-1, "amount_must_be_positive"), (9_999, "raise_not_allowed"), (131, "raise_not_allowed")],
)
def test_raise_not_allowed_goes_before_the_amount(to, reason):
    play = Play({1: 1_000, 2: 1_000, 3: 130}, button=3)
    play.start(big=10)
    play.play("call", 100, "call", 130, "call")  # 3 calls, 1 to 100, 2 calls, 3 all-in, 1 calls.
    assert legal_actions(play.table).player == "ply_2"
    assert play.refused(play.action(RaiseTo, to=to)) == reason


@pytest.mark.parametrize(
    ("moves", "kind", "reason"),
    [
        ((), Check, "cannot_check"),
        (("call", "call"), Call, "nothing_to_call"),
    ],
)
def test_checks_and_calls_that_are_none(moves, kind, reason):
    play = Play(STACKS, button=3)
    play.start()
    play.play(*moves)
    assert play.refused(play.action(kind)) == reason


@pytest.mark.parametrize("kind", [Fold, Check, Call])
def test_every_action_is_fenced_by_its_decision(kind):
    play = at_second_decision()
    late = kind(hand="hnd_1", player="ply_1", decision=1)
    early = kind(hand="hnd_1", player="ply_1", decision=3)
    other = kind(hand="hnd_1", player="ply_2", decision=2)
    assert [play.refused(action) for action in (late, early, other)] == [
        "decision_passed",
        "decision_not_open",
        "not_your_turn",
    ]


def test_no_action_is_legal_while_a_question_is_open():
    play = Play(STACKS, button=3)
    play.begin()
    assert play.refused(Fold(hand="hnd_1", player="ply_3", decision=1)) == "decision_not_open"
    play.answer()
    play.play("call", "call")
    last = play.action(Check)
    play.tell(last)
    assert play.refused(last) == "decision_passed"
    ahead = Check(hand="hnd_1", player="ply_1", decision=4)
    assert play.refused(ahead) == "decision_not_open"
    play.answer()
    play.tell(ahead)


def test_there_is_no_hand_before_the_first_and_after_the_last():
    play = Play(STACKS, button=3)
    fold = Fold(hand="hnd_1", player="ply_3", decision=1)
    assert play.refused(fold) == "unknown_hand"
    play.tell(play.cleared())
    assert play.refused(fold) == "unknown_hand"
    play.at_ms += 1_000
    play.tell(HAND)
    play.answer()
    play.play("fold", "fold")
    assert play.refused(fold) == "unknown_hand"


@pytest.mark.parametrize(
    ("to", "reason"), [(0, "amount_must_be_positive"), (50, "raise_not_allowed")]
)
def test_a_capped_street_refuses_every_amount(to, reason):
    play = Play(STACKS, button=3, rules=FIXED)
    play.start()
    play.play(20, 30, 40)
    assert play.refused(play.action(RaiseTo, to=to)) == reason
    assert play.refused(play.action(RaiseTo, to=9_999)) == "raise_not_allowed"


# --- show or muck ---------------------------------------------------------------------------


def at_choice():
    """Seats 1 to 3 checked it down; seat 3 is beaten and chooses; seat 5 came later."""
    play = Play(STACKS, button=3, rules=CHOOSING)
    play.deck = dealt("KsKh", "AsAh", "QsQh")
    play.start()
    play.tell(assigned("ply_5", 5, 400))
    play.play("call", "call", "check", *["check"] * 9)
    assert show_or_muck(play.table).decision == 13
    return play


CHOICE_ROWS = [
    # hand, player, decision
    (("hnd_7", "ply_9", 1), "unknown_hand"),
    (("hnd_1", "ply_9", 1), "not_seated"),
    (("hnd_1", "ply_5", 1), "not_dealt_in"),
    (("hnd_1", "ply_2", 12), "decision_passed"),
    (("hnd_1", "ply_2", 14), "decision_not_open"),
    (("hnd_1", "ply_2", 13), "not_your_turn"),
]


@pytest.mark.parametrize("kind", [Show, Muck])
@pytest.mark.parametrize(("fields", "reason"), CHOICE_ROWS)
def test_the_first_fault_names_the_refusal_of_a_choice(fields, reason, kind):
    hand, player, decision = fields
    play = at_choice()
    assert play.refused(kind(hand=hand, player=player, decision=decision)) == reason
    play.tell(kind(hand="hnd_1", player="ply_3", decision=13))


@pytest.mark.parametrize("kind", [Show, Muck])
def test_there_is_no_choice_while_a_seat_is_to_act(kind):
    play = at_second_decision(CHOOSING)
    assert play.refused(play.action(kind)) == "no_choice_open"
    other = play.action(kind, player="ply_2")
    assert play.refused(other) == "no_choice_open"


@pytest.mark.parametrize("kind", [Fold, Check, Call])
def test_nobody_acts_while_a_choice_is_open(kind):
    play = at_choice()
    assert play.refused(play.action(kind)) == "not_your_turn"
    assert play.refused(play.action(RaiseTo, to=20)) == "not_your_turn"


@pytest.mark.parametrize("kind", [Show, Muck])
def test_a_choice_is_made_once(kind):
    play = at_choice()
    chosen = play.action(kind)
    play.tell(chosen)
    reason = "decision_passed" if kind is Show else "unknown_hand"
    assert play.refused(chosen) == reason


# --- Out ------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [GoOut(player="ply_9"), ComeBack(player="ply_9")])
def test_pp_out_is_for_those_who_sit_here(command):
    assert Play(STACKS).refused(command) == "not_seated"
