"""Real engines for the tests: containers where a Docker engine answers, embedded ones elsewhere.

`ENGINES=embedded` asks no Docker engine; `ENGINES=docker` forbids the fallback.
"""

import functools
import os
import uuid
from collections.abc import Iterator

import docker
import psycopg
import pytest
import requests
from docker.errors import DockerException
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from shared.runtime.adapters import engines

POSTGRES_IMAGE = "postgres:18-alpine"
NATS_IMAGE = "nats:2.14-alpine"
CHOICES = ("", "docker", "embedded")


@functools.cache
def docker_answers() -> bool:
    choice = os.environ.get("ENGINES", "")
    if choice not in CHOICES:
        raise pytest.UsageError(f"ENGINES={choice}: say docker, embedded or nothing")
    if choice == "embedded":
        return False
    try:
        return bool(docker.from_env(timeout=3).ping())
    except (DockerException, requests.RequestException, OSError) as error:
        if choice == "docker":
            raise pytest.UsageError(
                f"ENGINES=docker, and no Docker engine answers: {error}"
            ) from None
        return False


def pytest_report_header() -> str:
    return f"engines: {'testcontainers' if docker_answers() else 'embedded'}"


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    if docker_answers():
        from testcontainers.community.postgres import PostgresContainer

        server = PostgresContainer(POSTGRES_IMAGE, driver=None)
        with server.with_command("postgres -c max_connections=200 -c fsync=off") as container:
            yield container.get_connection_url()
    else:
        with engines.postgres(durable=False) as url:
            yield url


@pytest.fixture(scope="session")
def nats_url() -> Iterator[str]:
    if docker_answers():
        from testcontainers.community.nats import NatsContainer

        with NatsContainer(NATS_IMAGE, jetstream=True) as container:
            yield container.nats_uri()
    else:
        with engines.nats_server(sync="2m") as url:
            yield url


@pytest.fixture
def dsn(postgres_url: str) -> Iterator[str]:
    """A database of its own for each test."""
    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(SQL("create database {}").format(Identifier(name)))
    yield make_conninfo(postgres_url, dbname=name)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(SQL("drop database {} with (force)").format(Identifier(name)))
