"""Coon Can and its family, settled by playing them."""
