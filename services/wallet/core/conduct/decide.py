"""PP-CONDUCT: what operators do about a player, step by step, and what ends by itself.

A step is refused for the first of these that holds:

    player_id_invalid
    author_invalid     1 to 64 printable characters say who acts
    reason_invalid     1 to 1,000 printable characters say why
    until_in_the_past  a suspension would be over already
    until_too_far      it would last for more than ten years; for good is without an end
    unknown_account
    account_closed     but ReportToAuthorities is possible for ever
    not_warned         suspensions, AskForClosure: a warning comes first
    not_suspended      ResumeChat, ResumePlay

A warning counts from the moment it is recorded, even where no address takes it: a player who
gives none must not be out of reach for it. The same suspension, request for closure or report
again records nothing; every warning is one more.
"""

from services.wallet.core.accounts.finding import account_of
from services.wallet.core.authors import authorship_problem
from services.wallet.core.conduct.evolve import CHAT, PLAY
from services.wallet.core.conduct.standing import conduct_of, runs
from services.wallet.core.conduct.state import Conduct, Step, Suspension
from services.wallet.core.handlers import Decides, Decision, Ends
from services.wallet.core.rules import DAY_MS, Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    AskForClosure,
    ChatResumed,
    ChatSuspended,
    ClosureAsked,
    ConductRequest,
    PlayerWarned,
    PlayResumed,
    PlaySuspended,
    ReportedToAuthorities,
    ReportToAuthorities,
    ResumeChat,
    ResumePlay,
    SuspendChat,
    SuspendPlay,
    WalletEvent,
    WarnPlayer,
)
from shared.kernel.decider import Refused

UNTIL_MAX_MS = 3_653 * DAY_MS
NOBODY = ""
OVER = "its time is over"


def warn_player(wallet: Wallet, request: WarnPlayer, _now: Now) -> Decision:
    """The first step; it may be taken again."""
    conduct = conduct_in(wallet, request)
    if isinstance(conduct, Refused):
        return conduct
    warned = PlayerWarned(
        player=request.player,
        number=conduct.warnings + 1,
        author=request.author,
        reason=request.reason,
    )
    return (warned,)


def suspend_chat(wallet: Wallet, request: SuspendChat, now: Now) -> Decision:
    """The player is not heard; a suspension replaces the one before, longer or shorter."""
    conduct = warned_before(wallet, request, ending_in(request.until_ms, now))
    if isinstance(conduct, Refused):
        return conduct
    if conduct.chat == suspension_of(request):
        return ()
    suspended = ChatSuspended(
        player=request.player,
        until_ms=request.until_ms,
        author=request.author,
        reason=request.reason,
    )
    return (suspended,)


def resume_chat(wallet: Wallet, request: ResumeChat, now: Now) -> Decision:
    """The player is heard again before the time is over."""
    conduct = conduct_in(wallet, request)
    if isinstance(conduct, Refused):
        return conduct
    if not runs(conduct.chat, now.at_ms):
        return Refused("not_suspended")
    return (ChatResumed(player=request.player, author=request.author, reason=request.reason),)


def suspend_play(wallet: Wallet, request: SuspendPlay, now: Now) -> Decision:
    """The player enters nothing; a suspension replaces the one before, longer or shorter."""
    conduct = warned_before(wallet, request, ending_in(request.until_ms, now))
    if isinstance(conduct, Refused):
        return conduct
    if conduct.play == suspension_of(request):
        return ()
    suspended = PlaySuspended(
        player=request.player,
        until_ms=request.until_ms,
        author=request.author,
        reason=request.reason,
    )
    return (suspended,)


def resume_play(wallet: Wallet, request: ResumePlay, now: Now) -> Decision:
    """The player may enter again before the time is over."""
    conduct = conduct_in(wallet, request)
    if isinstance(conduct, Refused):
        return conduct
    if not runs(conduct.play, now.at_ms):
        return Refused("not_suspended")
    return (PlayResumed(player=request.player, author=request.author, reason=request.reason),)


def ask_for_closure(wallet: Wallet, request: AskForClosure, _now: Now) -> Decision:
    """The room cannot close an account for conduct: it asks the licence holder to."""
    conduct = warned_before(wallet, request)
    if isinstance(conduct, Refused):
        return conduct
    if conduct.closure == step_of(request):
        return ()
    return (ClosureAsked(player=request.player, author=request.author, reason=request.reason),)


def report_to_authorities(wallet: Wallet, request: ReportToAuthorities, _now: Now) -> Decision:
    """Where the law was broken no warning comes first, and a closed account is no shelter."""
    conduct = conduct_in(wallet, request, open_only=False)
    if isinstance(conduct, Refused):
        return conduct
    if conduct.report == step_of(request):
        return ()
    reported = ReportedToAuthorities(
        player=request.player, author=request.author, reason=request.reason
    )
    return (reported,)


def conduct_in(
    wallet: Wallet,
    request: ConductRequest,
    ending: str | None = None,
    *,
    open_only: bool = True,
) -> Conduct | Refused:
    """Return what was done so far about the player whom a step names."""
    account = account_of(wallet, request.player)
    if isinstance(account, Refused) and account.reason == "player_id_invalid":
        return account
    problem = authorship_problem(request.author, request.reason) or ending
    if problem is not None:
        return Refused(problem)
    if isinstance(account, Refused):
        return account
    if open_only and account.status == "closed":
        return Refused("account_closed")
    return conduct_of(wallet, request.player)


def warned_before(
    wallet: Wallet, request: ConductRequest, ending: str | None = None
) -> Conduct | Refused:
    """Return what was done so far, which has to have begun with a warning."""
    conduct = conduct_in(wallet, request, ending)
    if isinstance(conduct, Conduct) and not conduct.warnings:
        return Refused("not_warned")
    return conduct


def ending_in(until_ms: int | None, now: Now) -> str | None:
    """Return what is wrong with the end of a suspension."""
    if until_ms is None:
        return None
    if until_ms <= now.at_ms:
        return "until_in_the_past"
    return "until_too_far" if until_ms > now.at_ms + UNTIL_MAX_MS else None


def step_of(request: ConductRequest) -> Step:
    return Step(request.author, request.reason)


def suspension_of(request: SuspendChat | SuspendPlay) -> Suspension:
    return Suspension(request.until_ms, step_of(request))


def chat_is_over(_wallet: Wallet, player: str, _now: Now) -> tuple[WalletEvent, ...]:
    """Nobody has to remember: a suspension of chat ends by itself."""
    return (ChatResumed(player=player, author=NOBODY, reason=OVER),)


def play_is_over(_wallet: Wallet, player: str, _now: Now) -> tuple[WalletEvent, ...]:
    """Nobody has to remember: a suspension of play ends by itself."""
    return (PlayResumed(player=player, author=NOBODY, reason=OVER),)


DECIDES: Decides = {
    WarnPlayer: warn_player,
    SuspendChat: suspend_chat,
    ResumeChat: resume_chat,
    SuspendPlay: suspend_play,
    ResumePlay: resume_play,
    AskForClosure: ask_for_closure,
    ReportToAuthorities: report_to_authorities,
}
ENDS: Ends = {CHAT: chat_is_over, PLAY: play_is_over}
