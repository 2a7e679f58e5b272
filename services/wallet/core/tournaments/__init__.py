"""The money of tournaments, from the director's facts, which nobody can decline."""
