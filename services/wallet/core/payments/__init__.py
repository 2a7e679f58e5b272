"""Money that comes from outside and goes back there."""
