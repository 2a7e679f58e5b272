"""What an operator of the platform may set for all tournaments; terms hold what is theirs."""

import msgspec


class DirectorRules(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the sheet of a cancelled tournament needs another operator than who opened it."""

    second_operator: bool = True
