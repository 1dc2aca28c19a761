"""Makes a wheel that carries the program: pip install puts it on the PATH. Its checksum is put beside it.
Needs nothing but Python.

    python3 Release/wheel.py PROGRAM PLATFORM [FOLDER]
    python3 Release/wheel.py --source [FOLDER]

The second writes the source package, which pip takes on machines that no wheel fits: it fails and says why.
PLATFORM is one of those of release.py, FOLDER where the wheel goes (dist by default).
"""

import base64
import hashlib
import pathlib
import sys

import release


def metadata():
    """What the package index and pip read of a package, as bytes."""
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {release.NAME}",
        f"Version: {release.version()}",
        f"Summary: {release.SUMMARY}",
        f"Author: {release.AUTHOR}",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
        f"Keywords: {','.join(release.KEYWORDS)}",
        "Classifier: Development Status :: 4 - Beta",
        "Classifier: Environment :: Console",
        "Classifier: Intended Audience :: Developers",
        "Classifier: Operating System :: MacOS",
        "Classifier: Operating System :: POSIX :: Linux",
        "Classifier: Topic :: Security",
        "Classifier: Topic :: Software Development :: Testing",
    ]
    lines += [f"Project-URL: {label}, {address}" for label, address in release.links().items()]
    lines += ["Requires-Python: >=3.7", "Description-Content-Type: text/markdown", "", release.readme()]
    return "\n".join(lines).encode()


def wheel(program, platform, folder):
    """Writes the wheel, and gives its path."""
    tags = release.PLATFORMS[platform]["wheel"]
    version = release.version()
    info = f"rules_check-{version}.dist-info"
    lines = "".join(f"Tag: py3-none-{tag}\n" for tag in tags.split("."))
    head = f"Wheel-Version: 1.0\nGenerator: {release.NAME}\nRoot-Is-Purelib: false\n"
    members = [
        (f"rules_check-{version}.data/scripts/{release.NAME}", program.read_bytes(), 0o755),
        (f"{info}/METADATA", metadata(), 0o644),
        (f"{info}/licenses/LICENSE", (release.ROOT / "LICENSE").read_bytes(), 0o644),
        (f"{info}/WHEEL", (head + lines).encode(), 0o644),
    ]
    members.append((f"{info}/RECORD", record(members, info), 0o644))
    return release.zipped(folder / f"rules_check-{version}-py3-none-{tags}.whl", members)


def sdist(folder):
    """Writes the source package that pip takes where no wheel fits: it says why nothing is installed."""
    top = f"rules_check-{release.version()}"
    settings = '[build-system]\nrequires = []\nbuild-backend = "unsupported"\nbackend-path = ["."]\n'
    backend = (release.ROOT / "Release/pypi/unsupported.py").read_text(encoding="utf-8")
    backend = backend.replace("VERSION", release.version()).replace("SUPPORTED", release.SUPPORTED)
    return release.tarball(folder / f"{top}.tar.gz", [
        (f"{top}/PKG-INFO", metadata(), 0o644),
        (f"{top}/pyproject.toml", settings.encode(), 0o644),
        (f"{top}/unsupported.py", backend.encode(), 0o644),
        (f"{top}/LICENSE", (release.ROOT / "LICENSE").read_bytes(), 0o644),
    ])


def record(members, info):
    """RECORD of a wheel: the hash and length of each file."""
    lines = "".join(f"{path},sha256={digest(content)},{len(content)}\n" for path, content, _ in members)
    return f"{lines}{info}/RECORD,,\n".encode()


def digest(content):
    """A hash as RECORD has it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    if len(sys.argv) in (2, 3) and sys.argv[1] == "--source":
        print(sdist(pathlib.Path((sys.argv + ["dist"])[2])))
        sys.exit()
    if len(sys.argv) not in (3, 4) or sys.argv[2] not in release.PLATFORMS:
        raise SystemExit(__doc__)
    print(wheel(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path((sys.argv + ["dist"])[3])))
