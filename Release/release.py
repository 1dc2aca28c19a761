"""What the packages have in common: the version, the platforms, and files of which two runs make the same."""

import gzip
import hashlib
import io
import os
import pathlib
import posixpath
import re
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "rules-check"
# The file that says where the project lives, as OWNER/REPOSITORY; empty until somebody decides (place.py).
PLACE = ROOT / "Release/place"
SUMMARY = "Check, test and prove Firestore security rules"
AUTHOR = "the rules-check authors"
KEYWORDS = ["firestore", "firebase", "security-rules", "testing", "verification"]
# Where there are programs, as package managers say it on a machine that has none.
SUPPORTED = "There are builds for Linux (x86-64 and arm64) and for macOS 15 and newer."

# The platforms of a release: what its archives are called, and what each kind of package calls it. The
# program for Linux is static, so it runs beside any C library.
PLATFORMS = {
    "linux-x86_64": {
        "wheel": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        "npm": ("linux", "x64"),
    },
    "linux-aarch64": {
        "wheel": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        "npm": ("linux", "arm64"),
    },
    # One program for both processors; npm has a package for each.
    "macos-universal": {"wheel": "macosx_15_0_universal2", "npm": ("darwin", None)},
}

# The earliest time that a zip file can say.
EPOCH = (1980, 1, 1, 0, 0, 0)


def version():
    """The version: it stands in the program and nowhere else."""
    source = (ROOT / "Sources/RulesReport/Text/Product.swift").read_text(encoding="utf-8")
    found = re.search(r'static let version = "(\d+\.\d+\.\d+)"', source)
    if not found:
        raise SystemExit("Product.swift names no version")
    return found.group(1)


def place():
    """OWNER/REPOSITORY; nothing while the place is not set."""
    return PLACE.read_text(encoding="utf-8").strip() or None


def home():
    """The address of the repository that is released; nothing while nobody knows it."""
    repository = os.environ.get("GITHUB_REPOSITORY") or place()
    return f"https://github.com/{repository}" if repository else None


def links():
    """Where packages say that the project is: label and address; nothing while nobody knows it."""
    if not home():
        return {}
    return {
        "Source": home(),
        "Documentation": f"{home()}/tree/v{version()}/Docs",
        "Changelog": f"{home()}/blob/v{version()}/CHANGELOG.md",
        "Issues": f"{home()}/issues",
    }


def checksum(path):
    """Puts the checksum of a file beside it, in the form that sha256sum reads."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_name(path.name + ".sha256").write_text(f"{digest}  {path.name}\n")
    return path


def tarball(path, members):
    """Writes a compressed archive of (path, bytes, mode); two runs make the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, content, mode in members:
                member = tarfile.TarInfo(name)
                member.size, member.mode, member.mtime = len(content), mode, 499162500
                archive.addfile(member, io.BytesIO(content))
    return checksum(path)


def write_zip(path, members):
    """Writes a zip file of (path, bytes, mode); two runs make the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in members:
            member = zipfile.ZipInfo(name, EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3
            member.external_attr = (0o100000 | mode) << 16
            archive.writestr(member, content)


def zipped(path, members):
    """Writes a zip file as `write_zip` does, with its checksum beside it."""
    write_zip(path, members)
    return checksum(path)


def page(path):
    """A page as package indexes show it: links and pictures lead to the repository."""
    text = (ROOT / path).read_text(encoding="utf-8")
    # What holds only until there is a release is no part of one.
    text = re.sub(r"<!-- until the first release -->.*?<!-- end -->\n+", "", text, flags=re.DOTALL)
    if not home():
        return text
    folder = pathlib.PurePosixPath(path).parent

    def absolute(match):
        start, target, end = match.groups()
        kind = "raw" if start.startswith(("![", "<img", "src")) else "blob"
        target = posixpath.normpath((folder / target).as_posix())
        return f"{start}{home()}/{kind}/v{version()}/{target}{end}"

    text = re.sub(r'(!?\[[^\]]*\]\()(?![a-z]+:|#)([^)\s]+)(\))', absolute, text)
    return re.sub(r'(src=")(?![a-z]+:)([^"]+)(")', absolute, text)


def readme():
    """README as package indexes show it."""
    return page("README.md")


if __name__ == "__main__":
    print(version())
