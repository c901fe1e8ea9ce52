"""The catalogue: one page a strategy, found by being here."""
