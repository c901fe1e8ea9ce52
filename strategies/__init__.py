"""Strategies, one page each: a file dropped in here can be played by its name."""
