"""A search for hidden things in bytes that have left: streams, logs, metrics, what bots received.

What it sees:

- secrets of 32 bytes (salts of closed positions, seeds, keys) anywhere: raw, hex, base64 in both
  alphabets, also inside longer encoded bytes, and as the repr of bytes;
- hidden cards in JSON: any text that is a card, a run of cards such as `AhKd` or `Ah Kd`, or both
  cards of a seat in base64 or hex, inside a message that belongs to the card's hand: the nearest
  object around it that names a hand says which, else the hand that its stream is playing;
- hidden cards in lines of text (logs, metrics): in any line that names the hand;
- names and what players filed of themselves, anywhere (`personal.py`).

A viewer's own cards are no leak to that viewer, and what players say in chat is their own word,
whatever cards they name. It cannot see cards as numbers or in words, cards
without their hand near them, what is encrypted or compressed, or a card that was told early and
opened to everybody later. A report names places and never repeats a secret.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from services.cli.verdicts.card_search import CardReader, cards_in_lines
from services.cli.verdicts.hidden import NO_KEYS, Hidden, hidden_in
from services.cli.verdicts.history import history_of
from services.cli.verdicts.personal import PersonalReader
from services.cli.verdicts.secret_search import SecretReader
from services.cli.verdicts.streams import LineCopy
from services.dealer.shell.vault import read_vault
from shared.runtime.ports import Line


class Sent(NamedTuple):
    """Bytes that left: JSON messages of one sender in order, or text; `viewer` may know cards."""

    where: str
    parts: Iterable[bytes]
    form: Literal["json", "text"]
    viewer: str = ""


class Leak(NamedTuple):
    """Something hidden that was found: where, and what it is."""

    where: str
    what: str


def find_leaks(hidden: Hidden, sent: Iterable[Sent]) -> tuple[Leak, ...]:
    """Search everything that was sent; nothing found is what must be true."""
    secrets, personal = SecretReader(hidden.secrets), PersonalReader(hidden.personal)
    return tuple(leak for source in sent for leak in leaks_of(hidden, secrets, personal, source))


def leaks_of(
    hidden: Hidden, secrets: SecretReader, personal: PersonalReader, source: Sent
) -> Iterator[Leak]:
    """Search one source, part by part."""
    cards = CardReader(hidden, source.viewer)
    for number, part in enumerate(source.parts, 1):
        where = f"{source.where}, part {number}"
        yield from (Leak(where, what) for what in secrets.read(part))
        yield from (Leak(where, what) for what in personal.read(part))
        if source.form == "json":
            yield from (Leak(where, what) for what in cards.read(part))
        else:
            yield from (
                Leak(f"{where}, line {line}", what) for line, what in cards_in_lines(hidden, part)
            )


def search(
    copies: Mapping[Line, LineCopy],
    vault_key_file: Path,
    *,
    logs: Iterable[Path] = (),
    pages: Mapping[str, bytes] | None = None,
    frames: Mapping[str, Iterable[bytes]] | None = None,
    person_keys: Mapping[str, bytes] = NO_KEYS,
) -> tuple[Leak, ...]:
    """Search all streams, and these log files, metrics pages and frames by player who got them."""
    history = history_of({line: copy.rows for line, copy in copies.items()})
    hidden = hidden_in(history, read_vault(vault_key_file), person_keys)
    sent = [
        *(Sent(line.stream, [m.data for m in c.messages], "json") for line, c in copies.items()),
        *(Sent(str(path), [path.read_bytes()], "text") for path in logs),
        *(Sent(name, [page], "text") for name, page in (pages or {}).items()),
        *(Sent(f"frames of {to}", got, "json", to) for to, got in (frames or {}).items()),
    ]
    return find_leaks(hidden, sent)
