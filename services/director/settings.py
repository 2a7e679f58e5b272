"""The director's settings, read from the environment once, at its start."""

from services.director.core import DirectorRules
from shared.runtime.settings import RuntimeSettings


class DirectorSettings(RuntimeSettings, frozen=True, kw_only=True):
    """Terms come with tournaments; who approves the sheet of a cancelled one is set here.

    `director_second_operator`: another operator than the one who opened the cancellation.
    """

    director_second_operator: bool = True

    def rules(self) -> DirectorRules:
        """Return what decisions go by."""
        return DirectorRules(second_operator=self.director_second_operator)
