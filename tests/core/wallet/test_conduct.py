"""What operators do about conduct, told as rows: each step, its refusals, and what ends itself."""

import pytest
from msgspec.structs import replace

from services.wallet.core import Mailed, TakeOutcomes, Unmailable, respond, timers
from services.wallet.core.conduct.decide import UNTIL_MAX_MS
from shared.contracts.director import EntryRequested
from shared.contracts.message import TimerFired
from shared.contracts.wallet import (
    AskForClosure,
    ChatResumed,
    ChatSuspended,
    ClosureAsked,
    EntryHeld,
    EntryRefused,
    ErrandsAwaited,
    ErrandsRun,
    MailWarning,
    PlayerWarned,
    PlayResumed,
    PlaySuspended,
    ReadAccount,
    ReportedToAuthorities,
    ReportToAuthorities,
    ResumeChat,
    ResumePlay,
    SuspendChat,
    Suspended,
    SuspendPlay,
    WarningMailed,
    WarningNotMailed,
    WarnPlayer,
)
from shared.kernel.decider import Refused
from tests.core.wallet.given import ANN, BEA, DECIDER, after, closed, entry, named, person

NOW, LATER, LATEST = 1_000, 5_000, 9_000
SAID = {"player": ANN, "author": "carla", "reason": "vulgar chat"}
OVER = {"player": ANN, "author": "", "reason": "its time is over"}
DEADLINE = TimerFired(name="deadline")

WARN = WarnPlayer(**SAID)
SUSPEND_CHAT = SuspendChat(**SAID, until_ms=LATER)
SUSPEND_PLAY = SuspendPlay(**SAID, until_ms=LATER)
RESUME_CHAT, RESUME_PLAY = ResumeChat(**SAID), ResumePlay(**SAID)
CLOSURE, REPORT = AskForClosure(**SAID), ReportToAuthorities(**SAID)

KNOWN = person(ANN)
WARNED = (*KNOWN, WARN)
NOT_HEARD = (*WARNED, SUSPEND_CHAT)
NOT_PLAYING = (*WARNED, SUSPEND_PLAY)


STEPS = [
    # case, given, when, then
    ("suspends chat", WARNED, SUSPEND_CHAT, ChatSuspended(**SAID, until_ms=LATER)),
    (
        "suspends chat for good",
        WARNED,
        replace(SUSPEND_CHAT, until_ms=None),
        ChatSuspended(**SAID, until_ms=None),
    ),
    ("suspends play", WARNED, SUSPEND_PLAY, PlaySuspended(**SAID, until_ms=LATER)),
    (
        "replaces a suspension",
        NOT_HEARD,
        replace(SUSPEND_CHAT, until_ms=LATEST),
        ChatSuspended(**SAID, until_ms=LATEST),
    ),
    (
        "replaces one for good",
        (*WARNED, replace(SUSPEND_PLAY, until_ms=None)),
        SUSPEND_PLAY,
        PlaySuspended(**SAID, until_ms=LATER),
    ),
    ("resumes chat", NOT_HEARD, RESUME_CHAT, ChatResumed(**SAID)),
    ("resumes play", NOT_PLAYING, RESUME_PLAY, PlayResumed(**SAID)),
    ("asks for closure", WARNED, CLOSURE, ClosureAsked(**SAID)),
    (
        "asks for closure once more, for another reason",
        (*WARNED, CLOSURE),
        replace(CLOSURE, reason="collusion"),
        ClosureAsked(**{**SAID, "reason": "collusion"}),
    ),
    ("reports without any warning", KNOWN, REPORT, ReportedToAuthorities(**SAID)),
]
AGAIN = [
    ("chat", (*NOT_HEARD, SUSPEND_CHAT)),
    ("play", (*NOT_PLAYING, SUSPEND_PLAY)),
    ("closure", (*WARNED, CLOSURE, CLOSURE)),
    ("report", (*KNOWN, REPORT, REPORT)),
]


@pytest.mark.parametrize(("given", "when", "then"), named(STEPS))
def test_steps(given, when, then):
    assert DECIDER.decide(after(*given), when, NOW) == (then,)


@pytest.mark.parametrize("commands", named(AGAIN))
def test_the_same_step_again_records_nothing(commands):
    wallet = after(*commands[:-1])
    assert DECIDER.step(wallet, commands[-1], NOW) == ((), wallet)


def test_every_warning_is_one_more_and_an_errand_for_the_post():
    first, batch = DECIDER.decide(after(*KNOWN), WARN, NOW)
    assert first == PlayerWarned(**SAID, number=1)
    assert batch == ErrandsAwaited(number=1, errands=(MailWarning(ANN, 1, "vulgar chat"),))
    (second,) = DECIDER.decide(after(*WARNED), WARN, NOW)
    assert second == PlayerWarned(**SAID, number=2)


@pytest.mark.parametrize(
    ("outcome", "event"),
    [
        (Mailed(ANN, 1), WarningMailed(player=ANN, number=1)),
        (
            Unmailable(ANN, 1, "address_unknown"),
            WarningNotMailed(player=ANN, number=1, why="address_unknown"),
        ),
    ],
)
def test_what_the_post_says_is_recorded(outcome, event):
    back = TakeOutcomes(number=1, outcomes=(outcome,), left=())
    assert DECIDER.decide(after(*WARNED), back, NOW) == (event, ErrandsRun(number=1, left=()))


# --- refusals -------------------------------------------------------------------------------

ACCOUNTS = {None: (), "identified": KNOWN, "closed": (*KNOWN, closed(ANN))}
# Each row mends what the row before was refused for, and nothing else.
PRECEDENCE = [
    # player, author, reason, until_ms, account, why
    ("ann", "", "", NOW, None, "player_id_invalid"),
    (ANN, "", "", NOW, None, "author_invalid"),
    (ANN, "carla", "", NOW, None, "reason_invalid"),
    (ANN, "carla", "vulgar chat", NOW, None, "until_in_the_past"),
    (ANN, "carla", "vulgar chat", NOW + UNTIL_MAX_MS + 1, None, "until_too_far"),
    (ANN, "carla", "vulgar chat", NOW + UNTIL_MAX_MS, None, "unknown_account"),
    (ANN, "carla", "vulgar chat", NOW + UNTIL_MAX_MS, "closed", "account_closed"),
    (ANN, "carla", "vulgar chat", NOW + UNTIL_MAX_MS, "identified", "not_warned"),
]


@pytest.mark.parametrize("kind", [SuspendChat, SuspendPlay])
@pytest.mark.parametrize(("player", "author", "reason", "until_ms", "account", "why"), PRECEDENCE)
def test_the_first_fault_names_the_refusal(kind, player, author, reason, until_ms, account, why):
    wallet = after(*ACCOUNTS[account])
    request = kind(player=player, author=author, reason=reason, until_ms=until_ms)
    assert DECIDER.decide(wallet, request, NOW) == Refused(why)


@pytest.mark.parametrize("author", ["", " ", "c" * 65, "car\nla", "car\u202ela"])
def test_an_author_is_a_name(author):
    refusal = DECIDER.decide(after(*KNOWN), replace(WARN, author=author), NOW)
    assert refusal == Refused("author_invalid")


@pytest.mark.parametrize("reason", ["", "   ", "r" * 1_001, "a\nb", "\x00"])
@pytest.mark.parametrize("request_", [WARN, SUSPEND_CHAT, RESUME_CHAT, RESUME_PLAY, REPORT])
def test_a_reason_is_a_line_to_read(request_, reason):
    refusal = DECIDER.decide(after(*KNOWN), replace(request_, reason=reason), NOW)
    assert refusal == Refused("reason_invalid")


def test_the_longest_reason_is_one():
    warned, _ = DECIDER.decide(after(*KNOWN), replace(WARN, reason="r" * 1_000), NOW)
    assert len(warned.reason) == 1_000


@pytest.mark.parametrize(
    ("given", "when"),
    [
        (WARNED, RESUME_CHAT),
        (NOT_PLAYING, RESUME_CHAT),
        (NOT_HEARD, RESUME_PLAY),
        ((*NOT_HEARD, RESUME_CHAT), RESUME_CHAT),
    ],
)
def test_what_is_not_suspended_cannot_be_resumed(given, when):
    assert DECIDER.decide(after(*given), when, NOW) == Refused("not_suspended")


@pytest.mark.parametrize("when", [WARN, RESUME_CHAT, RESUME_PLAY, CLOSURE])
def test_a_closed_account_is_left_alone(when):
    wallet = after(*NOT_HEARD, SUSPEND_PLAY, closed(ANN))
    assert DECIDER.decide(wallet, when, NOW) == Refused("account_closed")


def test_a_closed_account_is_no_shelter_from_the_law():
    wallet = after(*KNOWN, closed(ANN))
    assert DECIDER.decide(wallet, REPORT, NOW) == (ReportedToAuthorities(**SAID),)


# --- what ends by itself --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "end"),
    [(NOT_HEARD, ChatResumed(**OVER)), (NOT_PLAYING, PlayResumed(**OVER))],
)
def test_a_suspension_with_an_end_ends_by_itself_and_not_before(given, end):
    wallet = after(*given)
    assert timers(wallet) == (("deadline", LATER),)
    assert DECIDER.decide(wallet, DEADLINE, LATER - 1) == ()
    events, wallet = DECIDER.step(wallet, DEADLINE, LATER)
    assert events == (end,)
    assert timers(wallet) == ()
    assert DECIDER.step(wallet, DEADLINE, LATEST) == ((), wallet)


@pytest.mark.parametrize(
    ("change", "due"),
    [
        (replace(SUSPEND_CHAT, until_ms=LATEST), (("deadline", LATEST),)),
        (replace(SUSPEND_CHAT, until_ms=NOW + 1), (("deadline", NOW + 1),)),
        (replace(SUSPEND_CHAT, until_ms=None), ()),
        (RESUME_CHAT, ()),
    ],
)
def test_only_the_end_of_the_last_suspension_is_waited_for(change, due):
    wallet = after(*NOT_HEARD, change)
    assert timers(wallet) == due


def test_both_suspensions_of_a_player_end_at_the_same_moment():
    events = DECIDER.decide(after(*NOT_HEARD, SUSPEND_PLAY), DEADLINE, LATER)
    assert events == (ChatResumed(**OVER), PlayResumed(**OVER))


def test_what_is_over_cannot_be_resumed_even_before_its_end_is_recorded():
    assert DECIDER.decide(after(*NOT_HEARD), RESUME_CHAT, LATER) == Refused("not_suspended")


# --- what it means for play, and what the player sees -----------------------------------------

FREE = {"fee_cents": 0, "commission_cents": 0, "deadline_ms": LATEST}
ENTERS = EntryRequested(**entry(ANN), **FREE)


def test_who_is_suspended_from_play_enters_nothing_until_it_is_over():
    wallet = after(*NOT_PLAYING)
    refused = EntryRefused(**entry(ANN), reason="play_suspended")
    assert DECIDER.decide(wallet, ENTERS, LATER - 1) == (refused,)
    assert isinstance(DECIDER.decide(wallet, ENTERS, LATER)[0], EntryHeld)


@pytest.mark.parametrize("given", [NOT_HEARD, (*NOT_PLAYING, RESUME_PLAY)])
def test_who_is_not_suspended_from_play_enters(given):
    assert isinstance(DECIDER.decide(after(*given), ENTERS, NOW)[0], EntryHeld)


def test_a_suspension_of_one_player_is_nobody_elses():
    asked = EntryRequested(**entry(BEA), **FREE)
    wallet = after(*NOT_PLAYING, *person(BEA))
    assert isinstance(DECIDER.decide(wallet, asked, NOW)[0], EntryHeld)


def test_players_see_how_they_stand_and_not_who_said_so():
    view = respond(after(*NOT_HEARD), ReadAccount(player=ANN))
    assert (view.warnings, view.play_suspended) == (1, None)
    assert view.chat_suspended == Suspended(LATER, "vulgar chat")
    view = respond(after(*KNOWN), ReadAccount(player=ANN))
    assert (view.warnings, view.chat_suspended, view.play_suspended) == (0, None, None)
