"""`rollforward migrate` and `rollforward deployment`: what a database is made for."""
