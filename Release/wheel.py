"""Makes a wheel that carries the program: pip install puts it on the PATH. Its checksum is put beside it.
Needs nothing but Python.

    python3 Release/wheel.py PROGRAM PLATFORM [FOLDER]

PLATFORM is one of those of release.py, FOLDER where the wheel goes (dist by default).
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

import release


def files(program):
    """The files of the wheel but for its RECORD: path, bytes, mode."""
    version = release.version()
    info = f"rules_check-{version}.dist-info"
    home = f"Project-URL: Source, {release.home()}\n" if release.home() else ""
    metadata = (
        "Metadata-Version: 2.1\n"
        f"Name: {release.NAME}\n"
        f"Version: {version}\n"
        f"Summary: {release.SUMMARY}\n"
        "License: Apache-2.0\n"
        "Keywords: firestore,firebase,security-rules,testing,verification\n"
        "Classifier: Environment :: Console\n"
        "Classifier: License :: OSI Approved :: Apache Software License\n"
        "Classifier: Topic :: Software Development :: Testing\n"
        f"{home}Requires-Python: >=3.7\n"
        "Description-Content-Type: text/markdown\n"
        "\n" + release.readme()
    )
    return info, [
        (f"rules_check-{version}.data/scripts/{release.NAME}", program.read_bytes(), 0o755),
        (f"{info}/METADATA", metadata.encode(), 0o644),
        (f"{info}/licenses/LICENSE", (release.ROOT / "LICENSE").read_bytes(), 0o644),
    ]


def wheel(program, platform, folder):
    """Writes the wheel, and gives its path."""
    tags = release.PLATFORMS[platform]["wheel"]
    info, members = files(program)
    lines = "".join(f"Tag: py3-none-{tag}\n" for tag in tags.split("."))
    head = f"Wheel-Version: 1.0\nGenerator: {release.NAME}\nRoot-Is-Purelib: false\n"
    members.append((f"{info}/WHEEL", (head + lines).encode(), 0o644))
    record = "".join(
        f"{path},sha256={digest(content)},{len(content)}\n" for path, content, _ in members
    )
    members.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"rules_check-{release.version()}-py3-none-{tags}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in members:
            member = zipfile.ZipInfo(name, release.EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3
            member.external_attr = (0o100000 | mode) << 16
            archive.writestr(member, content)
    total = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_name(path.name + ".sha256").write_text(f"{total}  {path.name}\n")
    return path


def digest(content):
    """A hash as RECORD has it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[2] not in release.PLATFORMS:
        raise SystemExit(__doc__)
    print(wheel(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path((sys.argv + ["dist"])[3])))
