"""`rollforward verify`: the verdicts on a platform as it stands, playing or not."""
