"""Every setting is told where an operator looks for it: its service's README, or the runbook."""

import importlib
from pathlib import Path

import msgspec
import pytest

from services.cli.platform import SERVICES
from shared.runtime.settings import RuntimeSettings, variables

ROOT = Path(__file__).resolve().parents[2]


def settings_of(service: str) -> type[msgspec.Struct]:
    module = importlib.import_module(f"services.{service}.settings")
    (found,) = (
        thing
        for thing in vars(module).values()
        if isinstance(thing, type)
        and issubclass(thing, RuntimeSettings)
        and thing.__module__ == module.__name__
    )
    return found


def untold(names: tuple[str, ...], document: str) -> list[str]:
    text = (ROOT / document).read_text()
    return [name for name in names if f"`{name}`" not in text and f"`{name}=" not in text]


@pytest.mark.parametrize("service", SERVICES)
def test_a_services_own_settings_stand_in_its_readme(service):
    common = variables(RuntimeSettings)
    own = tuple(name for name in variables(settings_of(service)) if name not in common)
    assert untold(own, f"services/{service}/README.md") == []


def test_settings_that_all_services_read_stand_in_the_runbook():
    assert untold(variables(RuntimeSettings), "deploy/runbooks/settings.md") == []
