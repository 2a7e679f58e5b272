"""Recorded hands against the production core: what differs, hand by hand, and the count."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from services.cli.hands.neutral import read_neutral
from services.cli.hands.phh import read_phh
from services.cli.hands.recorded import Broken, Pot, Read, RecordedHand, Result, Skipped
from services.cli.hands.replay import Outcome, replay
from services.cli.hands.source_errors import SOURCE_ERRORS
from services.cli.hands.unknown import with_losing_cards
from shared.poker.rule_sets import RuleSet


class Verdict(msgspec.Struct, frozen=True):
    """One hand: right, skipped for a reason, wrong in its source, or failed with what is wrong."""

    file: str
    hand: str
    failed: str = ""
    skipped: str = ""
    source_error: str = ""

    def line(self) -> str:
        """How a failure, or an error of the source, is reported."""
        error = f"source error: {self.source_error}" if self.source_error else ""
        parts = (self.file, self.hand, self.failed or error)
        return ": ".join(one_line(part) for part in parts if part)


class Tally(msgspec.Struct):
    """What a whole run came to."""

    right: int = 0
    failed: int = 0
    skipped: Counter[str] = msgspec.field(default_factory=Counter)
    source_errors: int = 0

    def add(self, verdict: Verdict) -> None:
        if verdict.failed:
            self.failed += 1
        elif verdict.source_error:
            self.source_errors += 1
        elif verdict.skipped:
            self.skipped[one_line(verdict.skipped)] += 1
        else:
            self.right += 1

    def passed(self) -> bool:
        """Nothing failed, and something was tested."""
        return not self.failed and self.right > 0

    def lines(self) -> Iterator[str]:
        """Skipped hands by reason, if any, and the last line."""
        if self.skipped:
            reasons = sorted(self.skipped.items(), key=lambda item: (-item[1], item[0]))
            yield "skipped: " + ", ".join(f"{count} {reason}" for reason, count in reasons)
        skipped = self.skipped.total()
        hands = self.right + self.failed + skipped + self.source_errors
        errors = f", {self.source_errors} source errors" if self.source_errors else ""
        yield f"{hands} hands: {self.right} ok, {self.failed} failed, {skipped} skipped{errors}"


def check_files(files: Iterable[Path], rules: RuleSet) -> Iterator[Verdict]:
    """Check every hand of every file; a file that cannot be read is one failure."""
    for file in files:
        yield from check_file(file, rules)


def check_file(file: Path, rules: RuleSet) -> Iterator[Verdict]:
    try:
        for read in read_file(file):
            yield check_hand(str(file), read, rules)
    except Broken as broken:
        yield Verdict(str(file), "", failed=str(broken))


def read_file(file: Path) -> Iterator[Read]:
    """The name says which form a file has."""
    match file.suffix:
        case ".jsonl":
            yield from read_neutral(lines_of(file))
        case ".phh" | ".phhs":
            try:
                text = content_of(file).decode()
            except UnicodeDecodeError as error:
                raise Broken(f"not UTF-8: {error.reason} at byte {error.start}") from None
            yield from read_phh(text, file.suffix, file.stem)
        case _:
            content_of(file)
            raise Broken("not a .jsonl, .phh or .phhs file")


def lines_of(file: Path) -> list[bytes]:
    return content_of(file).splitlines()


def content_of(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise Broken((error.strerror or "cannot be read").lower()) from None


def check_hand(file: str, read: Read, rules: RuleSet) -> Verdict:
    """Replay one hand and compare; what is wrong with its source is known by its id."""
    return judged(replayed(file, read, rules), SOURCE_ERRORS)


def judged(verdict: Verdict, source_errors: Mapping[str, str]) -> Verdict:
    """A known source error has to show; one that does not is a failure of the list."""
    reason = source_errors.get(verdict.hand)
    if reason is None:
        return verdict
    if verdict.failed:
        return Verdict(verdict.file, verdict.hand, source_error=f"{reason} ({verdict.failed})")
    return Verdict(verdict.file, verdict.hand, failed=f"listed as a source error: {reason}")


def replayed(file: str, read: Read, rules: RuleSet) -> Verdict:
    try:
        hand = understood(read)
        differences = "; ".join(compare(hand.result, replay(with_losing_cards(hand), rules)))
    except Broken as broken:
        return Verdict(file, read.name, failed=str(broken))
    except Skipped as skipped:
        return Verdict(file, read.name, skipped=str(skipped))
    return Verdict(file, read.name, failed=differences)


def understood(read: Read) -> RecordedHand:
    if isinstance(read.hand, RecordedHand):
        return read.hand
    raise read.hand


def compare(recorded: Result | None, played: Outcome) -> Iterator[str]:
    """Say what differs; what the record leaves out differs from nothing."""
    if recorded is None:
        return
    if recorded.pots is not None and sorted(recorded.pots) != sorted(played.pots):
        yield f"pots: expected {pots_text(recorded.pots)}, got {pots_text(played.pots)}"
    if recorded.uncalled is not None and recorded.uncalled != played.uncalled:
        yield f"uncalled: expected {pot_text(recorded.uncalled)}, got {pot_text(played.uncalled)}"
    if recorded.final_stacks != played.final_stacks:
        expected, got = list(recorded.final_stacks), list(played.final_stacks)
        yield f"final stacks: expected {expected}, got {got}"


def one_line(text: str) -> str:
    """A record may call itself anything; a report keeps to its line."""
    return " ".join(text.splitlines())


def pots_text(pots: Iterable[Pot]) -> str:
    return " and ".join(pot_text(pot) for pot in sorted(pots)) or "none"


def pot_text(pot: Pot) -> str:
    return " ".join(f"p{player}:{chips}" for player, chips in pot) or "none"
