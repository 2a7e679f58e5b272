"""Settings from the environment: typed, complete before anything starts, refused when unknown."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeVar, get_origin

import msgspec

PREFIX = "ROLLFORWARD_"
UNPREFIXED = {"database_url": "DATABASE_URL", "nats_url": "NATS_URL"}
READ_BY_TOOLS = ("ROLLFORWARD_DATA",)  # Where the recorded hands lie; no service reads it.

LogLevel = Literal["debug", "info", "warning", "error"]
Port = Annotated[int, msgspec.Meta(ge=0, le=65_535)]
LeaseSeconds = Annotated[int, msgspec.Meta(ge=1, le=60)]
Instance = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{0,64}$")]
Replicas = Literal[1, 3, 5]
Shards = Annotated[int, msgspec.Meta(ge=1, le=1_024)]
Settings = TypeVar("Settings", bound=msgspec.Struct)


class RuntimeSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What every service needs; a service's own settings extend it.

    `instance` names the process among those of its service and stays the same when it restarts;
    where it is empty, host and port are the name. `nats_url` is one server, or those of a
    cluster with commas between them.
    """

    database_url: str
    nats_url: str
    http_host: str = "127.0.0.1"
    http_port: Port = 0
    build: str = "dev"
    log_level: LogLevel = "info"
    instance: Instance = ""
    lease_ttl_s: LeaseSeconds = 3
    nats_replicas: Replicas = 1
    table_shards: Shards = 4
    director_shards: Shards = 1
    dealer_shards: Shards = 1
    wallet_shards: Shards = 1
    ranking_shards: Shards = 1

    def shards(self) -> dict[str, int]:
        """Return the number of shards of every service that has a log."""
        return {
            "table": self.table_shards,
            "director": self.director_shards,
            "dealer": self.dealer_shards,
            "wallet": self.wallet_shards,
            "ranking": self.ranking_shards,
        }


class SettingsError(Exception):
    """The environment does not make sense; the message is one line for the operator."""


def variable(field: str) -> str:
    """Return the environment variable that sets a field."""
    return UNPREFIXED.get(field, PREFIX + field.upper())


def variables(cls: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return every environment variable that these settings read."""
    return tuple(variable(field) for field in cls.__struct_fields__)


def load(cls: type[Settings], environ: Mapping[str, str], known: Iterable[str] = ()) -> Settings:
    """Read the settings; `known` are variables of other services, which are no mistake here.

    An empty variable counts as not set. Messages name the variable and never its value, which
    may be a secret.
    """
    refuse_unknown(environ, {*variables(cls), *known, *READ_BY_TOOLS})
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(cls):
        name = variable(field.name)
        text = environ.get(name, "")
        if text:
            values[field.name] = parse(name, text, field.type)
        elif field.required:
            raise SettingsError(f"{name} is not set")
    return cls(**values)


def refuse_unknown(environ: Mapping[str, str], known: Iterable[str]) -> None:
    """A misspelt setting would otherwise be silently without effect."""
    names = {name.removeprefix(PREFIX): name for name in sorted(known)}
    for name in sorted(environ):
        short = name.removeprefix(PREFIX)
        if short != name and names.get(short) != name:
            nearest = difflib.get_close_matches(short, names, n=1, cutoff=0.0)
            raise SettingsError(f"{name} is not a setting; the nearest name is {names[nearest[0]]}")


def parse(name: str, text: str, kind: Any) -> Any:
    """Convert one value; a tuple is written with commas."""
    raw: Any = text
    if get_origin(kind) is tuple:
        raw = [part.strip() for part in text.split(",") if part.strip()]
    try:
        return msgspec.convert(raw, kind, strict=False)
    except msgspec.ValidationError as error:
        reason = str(error).partition(" - at ")[0]
        raise SettingsError(f"{name} is malformed: {reason}") from None
