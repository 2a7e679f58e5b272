"""What may go wrong, and how often: drawn per seed, so that seeds differ in kind, not in luck only.

Every fault is absent from about half of the seeds: what hides behind a frequent fault shows
where that one is missing.
"""

from random import Random

import msgspec

ABSENT = 0.45
MOSTLY_ABSENT = 0.92


class Faults(msgspec.Struct, frozen=True):
    """Probabilities per call, per delivery and per request.

    A process `dies`, or `freezes`, on the way to the store or right behind a transaction.
    """

    store_before: float = 0.0
    store_after: float = 0.0
    store_slow: float = 0.0
    publish_before: float = 0.0
    publish_after: float = 0.0
    delivery_dropped: float = 0.0
    delivery_doubled: float = 0.0
    delivery_late: float = 0.0
    consumer_lost: float = 0.0
    request_lost: float = 0.0
    request_doubled: float = 0.0
    request_late: float = 0.0
    reply_lost: float = 0.0
    reply_late: float = 0.0
    dies: float = 0.0
    freezes: float = 0.0

    @property
    def store_fails(self) -> bool:
        """Whether anything may happen on the way back from the store."""
        return bool(self.store_after or self.store_slow)


MOST = Faults(
    store_before=0.05,
    store_after=0.08,
    store_slow=0.15,
    publish_before=0.1,
    publish_after=0.2,
    delivery_dropped=0.2,
    delivery_doubled=0.3,
    delivery_late=0.3,
    consumer_lost=0.1,
    request_lost=0.1,
    request_doubled=0.3,
    request_late=0.2,
    reply_lost=0.15,
    reply_late=0.15,
    dies=0.01,
    freezes=0.005,
)
NONE = Faults()

PROMPT = dict.fromkeys(
    ("store_slow", "request_lost", "request_late", "reply_lost", "reply_late"), 0.0
)
"""Where gateways help each other's players, what they ask for comes in time to be judged."""

ACCIDENTS = (
    "crash",
    "rolling",
    "flawed_build",
    "second_owner",
    "freeze",
    "clock_jump",
    "clock_off",
    "gateway_lost",
    "store_away",
    "broker_away",
    "cut_off",
    "tail_lost",
    "messages_deleted",
    "stream_deleted",
    "everything_lost",
    "restored_alone",
    "snapshot_spoilt",
    "generator_set_back",
)
ATTENDANCE_LOST = {"everything_lost", "restored_alone"}
"""Then nobody knows any more whom a gateway has lost."""

HIDING = {*ATTENDANCE_LOST, "store_away", "broker_away"}
"""With these, most of what a player loses is lost by all, and given back to all."""

COSTLY = {"restored_alone"}
"""What makes a world play much of its tournament twice is no part of most."""


class Weather(msgspec.Struct, frozen=True):
    """One seed's world of trouble: small faults all the time, and accidents now and then.

    A `ranked` one has a ranking, which dies like everybody. Where players are `thoughtful`, most
    outages find a clock that runs, and many are long; where they are `strangers`, nobody has an
    account yet.
    """

    faults: Faults
    accidents: tuple[str, ...]
    pause_s: float
    skew_ms: int
    shuffle: bool
    leased: bool = False
    thoughtful: bool = False
    gateways: int = 1
    snapshots: bool = False
    ranked: bool = False
    strangers: bool = False


def drawn(chance: Random) -> Weather:
    """Draw what one seed has to live with."""
    faults = Faults(
        *(
            0.0 if chance.random() < ABSENT else chance.random() * getattr(MOST, name)
            for name in Faults.__struct_fields__
        )
    )
    accidents = tuple(
        name
        for name in ACCIDENTS
        if chance.random() > (MOSTLY_ABSENT if name in COSTLY else ABSENT)
    )
    gateways = 2 if chance.random() < 0.12 else 1
    thoughtful = chance.random() < 0.1
    slow = thoughtful or gateways > 1
    weather = Weather(
        faults=faults,
        accidents=accidents,
        pause_s=1.5 if slow else chance.choice((0.3, 0.8, 1.5)),
        skew_ms=chance.choice((0, 50, 900)),
        shuffle=chance.random() < 0.5,
        leased=chance.random() < 0.2,
        thoughtful=thoughtful,
        gateways=gateways,
        snapshots=chance.random() < 0.35,
        ranked=chance.random() < 0.14,
        strangers=chance.random() < 0.25,
    )
    return weather if gateways == 1 else in_company(weather, chance)


def in_company(weather: Weather, chance: Random) -> Weather:
    """Let what gateways do for each other's players be seen by the laws, in most of such worlds."""
    if chance.random() < 0.3:
        return weather
    return msgspec.structs.replace(
        weather,
        faults=msgspec.structs.replace(weather.faults, **PROMPT),
        accidents=tuple(
            name
            for name in ACCIDENTS
            if name == "gateway_lost" or (name in weather.accidents and name not in HIDING)
        ),
        skew_ms=min(weather.skew_ms, 50),
        thoughtful=True,
    )
