"""Recorded hands that are wrong in their source: which, and what is wrong.

A hand stands here by its id only after it was looked at. It must differ: one that agrees after
all is a failure, so that the list never hides anything.
"""

SOURCE_ERRORS: dict[str, str] = {
    "fpdb-3/0118#11": "the first fold before the flop stands ahead of its turn",
}
