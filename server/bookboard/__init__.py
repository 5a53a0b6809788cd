"""Bookboard: the live scoreboard for card-table league nights."""
