"""How fast it is: `python -m benchmarks`. What the rows mean: README.md beside this file."""
