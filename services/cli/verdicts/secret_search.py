"""A search for 32-byte secrets in any bytes, however they were written down."""

import ast
import binascii
import re
from collections.abc import Iterator, Mapping

SECRET_BYTES = 32
HEX_RUN = re.compile(rb"(?<![0-9A-Fa-f])[0-9A-Fa-f]{64,}")
BASE64_RUN = re.compile(rb"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{43,}")
BYTES_REPR = re.compile(r"b'(?:[^'\\]|\\.)*'|b\"(?:[^\"\\]|\\.)*\"")
BYTES_BEGIN = re.compile(rb"b'|b\\?\"")
URL_SAFE = bytes.maketrans(b"-_", b"+/")


class SecretReader:
    """Knows all secrets; reads any bytes."""

    def __init__(self, secrets: Mapping[bytes, str]) -> None:
        self._secrets = secrets
        self._ascii = [secret for secret in secrets if secret.isascii()]

    def read(self, data: bytes) -> Iterator[str]:
        """Name every secret that these bytes contain, in each encoding that it is found in."""
        for how, plain in readings(data):
            for at in range(len(plain) - SECRET_BYTES + 1):
                what = self._secrets.get(plain[at : at + SECRET_BYTES])
                if what is not None:
                    yield f"{what}, {how}"
        if data.isascii():
            yield from (f"{self._secrets[s]}, raw" for s in self._ascii if s in data)


def readings(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield every stretch of bytes that this data can be read as.

    Text in ASCII is not read as raw bytes, nor a run of hex digits as base64: what the first
    would miss is looked for by itself, and no random secret is the second.
    """
    if not data.isascii():
        yield "raw", data
    for run in HEX_RUN.findall(data):
        yield from (("in hex", plain) for plain in from_hex(run))
    for run in BASE64_RUN.findall(data):
        if HEX_RUN.fullmatch(run) is None:
            yield from (("in base64", plain) for plain in from_base64(run.translate(URL_SAFE)))
    if BYTES_BEGIN.search(data):
        yield from (("as a repr", plain) for plain in from_reprs(data))


def from_hex(run: bytes) -> Iterator[bytes]:
    """Decode from both alignments: a run may begin with a stray digit."""
    for start in (0, 1):
        digits = run[start:]
        yield binascii.unhexlify(digits[: len(digits) & ~1])


def from_base64(run: bytes) -> Iterator[bytes]:
    """Decode from each alignment that leaves room for a secret."""
    for start in range(min(4, len(run) - 42)):
        characters = run[start:]
        whole = characters[: len(characters) - (len(characters) % 4 == 1)]
        yield binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


def from_reprs(data: bytes) -> Iterator[bytes]:
    """Read what a program printed as b'…', also where a log has escaped it once more."""
    text = data.decode("utf-8", "replace")
    for printed in (text, text.replace('\\"', '"').replace("\\\\", "\\")):
        for literal in BYTES_REPR.findall(printed):
            try:
                yield ast.literal_eval(literal)
            except (SyntaxError, ValueError):
                continue
