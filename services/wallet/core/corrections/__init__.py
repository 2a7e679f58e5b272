"""Corrections: what was posted stays; an operator's entry sets it right, once by its name."""
