"""What the wallet needs done outside: queued, asked for in batches, answered (law 2)."""
