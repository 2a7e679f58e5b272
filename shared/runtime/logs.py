"""Logs: one JSON object a line on standard error, from our own code and from the libraries."""

import logging
import sys
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger


def configure(service: str, build: str, level: str) -> None:
    """Bind service and build to every line of this process, below `level` say nothing."""
    threshold = logging.getLevelNamesMapping()[level.upper()]
    common = common_processors(service, build)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=common,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(threshold)
    structlog.configure(
        processors=[*common, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


def common_processors(service: str, build: str) -> list[Processor]:
    """Return what makes every line say when, how grave and from whom."""

    def say_who(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        who: dict[str, Any] = {"service": service, "build": build}
        return {**who, **event}

    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        structlog.processors.format_exc_info,
        say_who,
    ]
