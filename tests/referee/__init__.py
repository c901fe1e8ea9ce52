"""The rules once more, slow and obvious, to judge what the engine plays.

Nothing here imports the engine: both sides know the rules document only, so that a mistake has to
be made twice to go unseen. Cards are plain text throughout.
"""
