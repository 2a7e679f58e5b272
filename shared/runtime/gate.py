"""A gate that is open unless something has shut it."""


class Gate:
    """Open while nothing that shut it stands; each reason opens what it has shut."""

    def __init__(self) -> None:
        self._shut_by: set[str] = set()

    @property
    def is_open(self) -> bool:
        """Whether nothing shuts it now."""
        return not self._shut_by

    def let(self, why: str, *, through: bool) -> None:
        """Shut the gate for a reason, or take that reason back."""
        if through:
            self._shut_by.discard(why)
        else:
            self._shut_by.add(why)
