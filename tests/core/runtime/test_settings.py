"""Settings: what the environment may say, and the one line that refuses the rest."""

from typing import Literal

import pytest

from shared.runtime.settings import RuntimeSettings, SettingsError, load, variables

URLS = {"DATABASE_URL": "postgresql://db/x", "NATS_URL": "nats://broker"}


class TableSettings(RuntimeSettings, frozen=True, kw_only=True):
    shards: int = 4
    verbose: bool = False
    operators: tuple[str, ...] = ()
    mode: Literal["fast", "safe"] = "safe"


def test_defaults_need_only_the_two_addresses():
    loaded = load(RuntimeSettings, URLS)
    assert loaded == RuntimeSettings(database_url="postgresql://db/x", nats_url="nats://broker")


VALUES = [
    # variable, text, field, value
    ("ROLLFORWARD_SHARDS", "64", "shards", 64),
    ("ROLLFORWARD_VERBOSE", "true", "verbose", True),
    ("ROLLFORWARD_VERBOSE", "0", "verbose", False),
    ("ROLLFORWARD_OPERATORS", "ann, bob,", "operators", ("ann", "bob")),
    ("ROLLFORWARD_MODE", "fast", "mode", "fast"),
    ("ROLLFORWARD_BUILD", "1234", "build", "1234"),
    ("ROLLFORWARD_HTTP_PORT", "8080", "http_port", 8080),
    ("ROLLFORWARD_SHARDS", "", "shards", 4),
]


@pytest.mark.parametrize(("name", "text", "field", "value"), VALUES)
def test_values_take_the_type_of_their_field(name, text, field, value):
    assert getattr(load(TableSettings, {**URLS, name: text}), field) == value


REFUSALS = [
    # case, environment, the line
    ("missing", {"NATS_URL": "n"}, "DATABASE_URL is not set"),
    ("empty", {**URLS, "NATS_URL": ""}, "NATS_URL is not set"),
    (
        "misspelt",
        {**URLS, "ROLLFORWARD_SHARD": "4"},
        "ROLLFORWARD_SHARD is not a setting; the nearest name is ROLLFORWARD_SHARDS",
    ),
    (
        "prefixed address",
        {**URLS, "ROLLFORWARD_DATABASE_URL": "x"},
        "ROLLFORWARD_DATABASE_URL is not a setting; the nearest name is DATABASE_URL",
    ),
    (
        "not a number",
        {**URLS, "ROLLFORWARD_SHARDS": "many"},
        "ROLLFORWARD_SHARDS is malformed: Expected `int`, got `str`",
    ),
    (
        "not a truth value",
        {**URLS, "ROLLFORWARD_VERBOSE": "perhaps"},
        "ROLLFORWARD_VERBOSE is malformed: Expected `bool`, got `str`",
    ),
    (
        "port out of range",
        {**URLS, "ROLLFORWARD_HTTP_PORT": "65536"},
        "ROLLFORWARD_HTTP_PORT is malformed: Expected `int` <= 65535",
    ),
]


@pytest.mark.parametrize(
    ("case", "environ", "line"), REFUSALS, ids=[refusal[0] for refusal in REFUSALS]
)
def test_refusals_are_one_clear_line(case, environ, line):
    with pytest.raises(SettingsError) as refused:
        load(TableSettings, environ)
    assert str(refused.value) == line


def test_a_malformed_secret_is_not_repeated():
    with pytest.raises(SettingsError) as refused:
        load(TableSettings, {**URLS, "ROLLFORWARD_SHARDS": "hunter2"})
    assert "hunter2" not in str(refused.value)


def test_variables_of_other_services_and_of_the_shell_are_no_mistake():
    environ = {**URLS, "ROLLFORWARD_SHARDS": "8", "ROLLFORWARD_DATA": "/data", "HOME": "/root"}
    assert load(RuntimeSettings, environ, known=variables(TableSettings)).build == "dev"
