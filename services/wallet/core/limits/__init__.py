"""BP-RESPONSIBLE: what players allow themselves, what they have used of it, and staying away."""
