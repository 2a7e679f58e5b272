"""PP-ACCOUNT, PP-BONUS: who plays here, and in which state their account is."""
