"""`rollforward status`: who works on which line, how far it is, and what waits for what."""
