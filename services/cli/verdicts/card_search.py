"""A search for hidden cards in JSON messages and in lines of text, hand by hand."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from services.cli.verdicts.hidden import Hidden, HiddenHand, encoded_cards
from shared.contracts.message import tag_of
from shared.contracts.table import Said

CARD = r"[2-9TJQKA][cdhs]"
CARDS = rf"{CARD}(?:[ ,/-]*{CARD})*"
ONE_CARD = re.compile(CARD)
CARDS_ALONE = re.compile(CARDS)
CARDS_IN_LINE = re.compile(rf"(?<![A-Za-z0-9])(?:{CARD})+(?![A-Za-z0-9])")
HAND_NAME = re.compile(r"hnd_[a-z0-9_]+")
WORTH_READING = re.compile(rf'"(?:{CARDS}|[A-Za-z0-9+/]{{6}}==|[0-9a-f]{{8}})"'.encode())
HANDS_IN_JSON = re.compile(rb'"hand":\s*"(hnd_[a-z0-9_]+)"')
CHAT = tag_of(Said)
STREAMS_IN_JSON = re.compile(rb'"stream":\s*"([a-z0-9_]+)"')


class CardReader:
    """Reads one sender's messages in order, knowing which hand each stream is playing."""

    def __init__(self, hidden: Hidden, viewer: str = "") -> None:
        self._hidden = hidden
        self._viewer = viewer
        self._playing: dict[str, str] = {}

    def read(self, data: bytes) -> Iterator[str]:
        """Name every hidden card in one message."""
        if WORTH_READING.search(data) is None and self._noted(data):
            return
        try:
            document = msgspec.json.decode(data)
        except msgspec.MsgspecError:
            yield from (what for _, what in cards_in_lines(self._hidden, data))
            return
        yield from self._walk(document, "", "")

    def _noted(self, data: bytes) -> bool:
        """Remember the hand of a message with nothing like a card; False if it takes a walk."""
        hands = HANDS_IN_JSON.findall(data)
        if not hands:
            return True
        streams = {*STREAMS_IN_JSON.findall(data)}
        if len(streams) != 1:
            return False
        self._playing[streams.pop().decode()] = hands[-1].decode()
        return True

    def _walk(self, node: Any, stream: str, hand: str) -> Iterator[str]:
        """Go through a document in its order; an object names the hand for all that is in it."""
        if isinstance(node, str):
            yield from self._text(node, hand or self._playing.get(stream, ""))
        elif isinstance(node, list):
            for item in node:
                yield from self._walk(item, stream, hand)
        elif isinstance(node, dict):
            stream, hand = self._scope(node, stream, hand)
            if node.get("type") == CHAT:
                return
            for key, value in node.items():
                yield from self._walk(key, stream, hand)
                yield from self._walk(value, stream, hand)

    def _scope(self, node: dict[str, Any], stream: str, hand: str) -> tuple[str, str]:
        """Return which stream and hand an object is about; the dealer's streams are hands."""
        if isinstance(node.get("stream"), str):
            stream = node["stream"]
            hand = stream if stream in self._hidden.hands else ""
        if isinstance(node.get("hand"), str):
            hand = self._playing[stream] = node["hand"]
        return stream, hand

    def _text(self, text: str, hand: str) -> Iterator[str]:
        """Look at one text of a message that belongs to a hand."""
        hidden = self._hidden.hands.get(hand)
        if hidden is None:
            return
        own = hidden.own.get(self._viewer)
        if text in hidden.boxed and not (own and text in encoded_cards(own)):
            yield f"{hidden.boxed[text]} of {hand}, encoded"
        if CARDS_ALONE.fullmatch(text):
            yield from named_cards(hidden, text, own or ())


def named_cards(hidden: HiddenHand, text: str, own: tuple[str, ...] = ()) -> Iterator[str]:
    """Name, without saying them, the closed cards in a run of cards."""
    for card in ONE_CARD.findall(text):
        if card in hidden.closed and card not in own:
            yield f"{hidden.closed[card]} of {hidden.hand}"


def cards_in_lines(hidden: Hidden, data: bytes) -> Iterator[tuple[int, str]]:
    """Name every hidden card in a line of text that names its hand."""
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        for hand in dict.fromkeys(HAND_NAME.findall(line)):
            if hand in hidden.hands:
                for run in CARDS_IN_LINE.findall(line):
                    yield from ((number, w) for w in named_cards(hidden.hands[hand], run))
