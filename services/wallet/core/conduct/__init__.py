"""PP-CONDUCT: warnings, suspensions of chat and of play, closure asked for, reports."""
