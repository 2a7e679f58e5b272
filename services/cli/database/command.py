"""`rollforward migrate` prepares a database; `rollforward deployment` says which platform it is."""

import os

import cyclopts

from services.cli.platform import lines_of
from shared.runtime.adapters import database_care, deployment as migration
from shared.runtime.ports import Deployment
from shared.runtime.service import of_other_services
from shared.runtime.settings import RuntimeSettings, load


class DatabaseSettings(RuntimeSettings, frozen=True, kw_only=True):
    """Where the database is, and into how many shards the settings divide each service."""

    nats_url: str = ""


deployment = cyclopts.App(name="deployment", help="Which platform the database holds.")


def migrate() -> int:
    """Create what the services need in `$DATABASE_URL`; harmless when it is there."""
    settings = database_settings()
    migration.migrate(settings.database_url, lines_of(settings.shards()))
    print(told(database_care.read(settings.database_url)))
    return 0


@deployment.default
def shown() -> int:
    """Print the platform's id and its shards."""
    print(told(database_care.read(database_settings().database_url)))
    return 0


@deployment.command
def renew() -> int:
    """Give a restored database an id of its own, before anything starts on it.

    Services of the database that it was restored from refuse its NATS from then on, and its own
    services refuse theirs.
    """
    print(told(database_care.renew(database_settings().database_url)))
    return 0


def database_settings() -> DatabaseSettings:
    """Read the environment."""
    return load(DatabaseSettings, os.environ, of_other_services("", os.environ))


def told(found: Deployment) -> str:
    """Write a platform as one line, such as `deployment dep_1: table 4, wallet 1`."""
    shards = ", ".join(f"{service} {count}" for service, count in found.shards.items())
    return f"deployment {found.id}: {shards}"
