"""The shape of the tables that each part of the fold adds its own rows to."""

from collections.abc import Callable, Mapping
from typing import Any

from services.director.core.state import Tournament

Rows = Mapping[type[Any], Callable[[Tournament, Any], Tournament]]
