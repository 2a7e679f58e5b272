"""Secrets in transit and at rest: one implementation of the formats, for the dealer and readers.

Keys are derived with HKDF-SHA-256 and used by AES-256-GCM. Every use has a context, such as
`hnd_1/3/hole`: it goes into the derivation or into the AAD, so that no box opens as another.
A key derived for one message has its nonce derived from it, so sealing twice gives the same
bytes. What is secret is wrapped in a `Withheld` Struct, which no repr shows.

    hole cards   key: the seat's · AAD `hand/seat/hole` · four ASCII characters, such as `AhKd`
    view         reply to a one-time key · AAD `view/hand/seat` · the same four characters
    seat key     reply to a one-time key · AAD `seat-key/hand/seat` · 32 bytes
"""

from typing import Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from shared.contracts.dealer import SealedReply
from shared.runtime.ports import Entropy

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
CARD_CHARACTERS: Final = 2
HOLE_CHARACTERS: Final = 4

HoleCards = tuple[str, str]


class Unreadable(ValueError):
    """A box that this key and context do not open: made for another, or tampered with."""


class BadKey(ValueError):
    """Not an X25519 public key that a secret could be agreed with."""


class Withheld(msgspec.Struct, frozen=True):
    """Base of what holds a secret: its repr says what it is, never what is in it."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} withheld>"

    def __rich_repr__(self) -> list[tuple[str, str]]:
        return [("withheld", "…")]


class ReplyKey(Withheld, frozen=True):
    """A one-time key pair: `public` goes into the request, `private` opens the one reply."""

    private: bytes
    public: bytes


def derived(secret: bytes, context: str, *, salt: bytes = b"", length: int = KEY_BYTES) -> bytes:
    """Derive bytes for one use from a secret (HKDF-SHA-256, RFC 5869)."""
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=context.encode()).derive(secret)


def seal(key: bytes, nonce: bytes, plain: bytes, context: str) -> bytes:
    """Encrypt and authenticate; the context is authenticated too."""
    return AESGCM(key).encrypt(nonce, plain, context.encode())


def unseal(key: bytes, nonce: bytes, box: bytes, context: str) -> bytes:
    """Decrypt what `seal` made with the same key, nonce and context."""
    try:
        return AESGCM(key).decrypt(nonce, box, context.encode())
    except (InvalidTag, ValueError):
        raise Unreadable(f"the box of {context} does not open") from None


# --- one-time replies -----------------------------------------------------------------------


def new_reply_key(entropy: Entropy) -> ReplyKey:
    """Make a key pair for one question; keep it until the reply has come, then forget it."""
    private = entropy(KEY_BYTES)
    return ReplyKey(private=private, public=public_of(private))


def public_of(private: bytes) -> bytes:
    """Return the public half of an X25519 key."""
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def seal_reply(plain: bytes, to_key: bytes, context: str, entropy: Entropy) -> SealedReply:
    """Seal a secret so that only the holder of `to_key`'s private half can read it."""
    ephemeral = entropy(KEY_BYTES)
    from_key = public_of(ephemeral)
    key, nonce = reply_secrets(agreed(ephemeral, to_key), from_key, to_key, context)
    return SealedReply(from_key=from_key, box=seal(key, nonce, plain, context))


def open_reply(reply_key: ReplyKey, reply: SealedReply, context: str) -> bytes:
    """Return the secret of a reply to this key; raise Unreadable if it is not one."""
    try:
        shared = agreed(reply_key.private, reply.from_key)
    except BadKey:
        raise Unreadable(f"the reply to {context} carries no key") from None
    key, nonce = reply_secrets(shared, reply.from_key, reply_key.public, context)
    return unseal(key, nonce, reply.box, context)


def reply_secrets(
    shared: bytes, from_key: bytes, to_key: bytes, context: str
) -> tuple[bytes, bytes]:
    """Derive key and nonce of one reply, bound to both public keys and to the context."""
    both = derived(
        shared,
        f"rollforward/reply/v1/{context}",
        salt=from_key + to_key,
        length=KEY_BYTES + NONCE_BYTES,
    )
    return both[:KEY_BYTES], both[KEY_BYTES:]


def agreed(private: bytes, public: bytes) -> bytes:
    """Agree on a secret; raise BadKey for a key of which everybody knows the result."""
    try:
        other = X25519PublicKey.from_public_bytes(public)
        return X25519PrivateKey.from_private_bytes(private).exchange(other)
    except ValueError:
        raise BadKey("not a usable X25519 public key") from None


# --- cards and seat keys --------------------------------------------------------------------


def view_context(hand: str, seat: int) -> str:
    """Name the reply to a look at one seat."""
    return f"view/{hand}/{seat}"


def seat_key_context(hand: str, seat: int) -> str:
    """Name the reply that carries one seat's key."""
    return f"seat-key/{hand}/{seat}"


def open_view(reply_key: ReplyKey, reply: SealedReply, hand: str, seat: int) -> HoleCards:
    """Return the cards that a look at one seat showed."""
    return cards_of(open_reply(reply_key, reply, view_context(hand, seat)))


def open_seat_key(reply_key: ReplyKey, reply: SealedReply, hand: str, seat: int) -> bytes:
    """Return the key of one seat's sealed cards."""
    return open_reply(reply_key, reply, seat_key_context(hand, seat))


def seal_hole_cards(seat_key: bytes, cards: HoleCards, hand: str, seat: int) -> bytes:
    """Seal both cards of a seat; a seat key seals this one message in its life."""
    return seal(seat_key, hole_nonce(seat_key), bytes_of(cards), hole_context(hand, seat))


def open_hole_cards(seat_key: bytes, box: bytes, hand: str, seat: int) -> HoleCards:
    """Return both cards of a seat."""
    return cards_of(unseal(seat_key, hole_nonce(seat_key), box, hole_context(hand, seat)))


def hole_context(hand: str, seat: int) -> str:
    return f"{hand}/{seat}/hole"


def hole_nonce(seat_key: bytes) -> bytes:
    """Derive the nonce of a seat key's only message."""
    return derived(seat_key, "rollforward/hole-nonce/v1", length=NONCE_BYTES)


def bytes_of(cards: HoleCards) -> bytes:
    """Put two cards into bytes of constant length."""
    plain = "".join(cards).encode("ascii")
    if len(plain) != HOLE_CHARACTERS:
        raise ValueError("hole cards are two cards of two characters")
    return plain


def cards_of(plain: bytes) -> HoleCards:
    """Read two cards out of a box that was opened."""
    if len(plain) != HOLE_CHARACTERS:
        raise Unreadable("the box holds no hole cards")
    text = plain.decode("ascii")
    return text[:CARD_CHARACTERS], text[CARD_CHARACTERS:]
