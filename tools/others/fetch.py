"""Fetches sources of public projects: releases from the Python package index, commits from GitHub or from a mirror."""

import fnmatch
import io
import os
import subprocess
import sys
import tarfile
import zipfile


def release(folder, package, version, members):
    """A package's files that are wanted, unpacked; the folder that they are in."""
    into = os.path.join(folder, f"{package}-{version}")
    wheels = os.path.join(folder, "wheels")
    os.makedirs(wheels, exist_ok=True)
    start = f"{package.replace('-', '_')}-{version}-"
    if not any(name.startswith(start) for name in os.listdir(wheels)):
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":none:", "-d", wheels,
                        f"{package}=={version}"], check=True)
    wheel = next(name for name in os.listdir(wheels) if name.startswith(start))
    with zipfile.ZipFile(os.path.join(wheels, wheel)) as archive:
        for entry in archive.infolist():
            path = os.path.join(into, entry.filename)
            if any(fnmatch.fnmatch(entry.filename, pattern) for pattern in members) and not os.path.exists(path):
                archive.extract(entry, into)
                if entry.external_attr >> 16 & 0o100: # programs: extract forgets that they are
                    os.chmod(path, 0o755)
    return into


def repository(folder, mirror, name):
    """The git directory of a GitHub repository: in the mirror, or cloned, with files fetched when they are asked for."""
    if mirror:
        for at in (name, name.replace("/", "+"), os.path.basename(name), os.path.basename(name) + ".git"):
            for path in (os.path.join(mirror, at, below) for below in (".git", "repo", "")):
                if os.path.exists(os.path.join(path, "HEAD")):
                    return path
    path = os.path.join(folder, "git", name.replace("/", "+"))
    if not os.path.exists(path):
        subprocess.run(["git", "clone", "-q", "--bare", "--filter=blob:none", f"https://github.com/{name}", path], check=True)
    return path


def commit(folder, mirror, name, number, members):
    """The folders of a commit that are wanted; the folder that they are in."""
    into = os.path.join(folder, f"{name.replace('/', '+')}-{number[:12]}")
    for member in members:
        if os.path.exists(os.path.join(into, member)):
            continue
        tar = subprocess.run(["git", "-C", repository(folder, mirror, name), "archive", f"--prefix={member}/", f"{number}:{member}"],
                             stdout=subprocess.PIPE, check=True)
        with tarfile.open(fileobj=io.BytesIO(tar.stdout)) as archive:
            archive.extractall(into)
    return into
# SPDX-License-Identifier: Apache-2.0
