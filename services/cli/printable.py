"""Text from outside on a terminal."""


def printable(text: str) -> str:
    """Keep it from writing lines or colours of its own."""
    return "".join(character if character.isprintable() else "?" for character in text)
