"""The commands of `cooncan`, a few to a module; each module lists its own in `COMMANDS`.

What a command needs of the engine is imported when it runs, so that `--help` stays quick.
"""
