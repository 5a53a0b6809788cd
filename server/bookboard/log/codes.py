"""The characters of what people read out to each other: room codes, and the four that tell rules apart."""

CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ34679"
"""Without look-alikes: no I and O beside 1 and 0, no 2, 5, 8 beside Z, S, B."""
