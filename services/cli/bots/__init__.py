"""Bots that play a tournament through the gateway's public interface, and nothing else."""
