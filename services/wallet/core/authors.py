"""Who acts for the operator, and why: both stand in the event for ever."""

AUTHOR_CHARACTERS_MAX = 64
REASON_CHARACTERS_MAX = 1_000


def authorship_problem(author: str, reason: str) -> str | None:
    """Return what is wrong with an operator's name or reason, as a refusal's reason."""
    if not is_line(author, AUTHOR_CHARACTERS_MAX):
        return "author_invalid"
    return None if is_line(reason, REASON_CHARACTERS_MAX) else "reason_invalid"


def is_line(text: str, characters_max: int) -> bool:
    """A text can be shown on one line, and there is something to see."""
    return 0 < len(text) <= characters_max and text.isprintable() and not text.isspace()
