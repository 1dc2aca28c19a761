"""What the packages have in common: the version, the platforms, and files of which two runs make the same."""

import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "rules-check"
# The file that says where the project lives, as OWNER/REPOSITORY; empty until somebody decides (place.py).
PLACE = ROOT / "Release/place"
SUMMARY = "Check, test and prove Firestore security rules"

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


def readme():
    """What package indexes show: README, whose links and pictures lead to the repository from there."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    if not home():
        return text

    def absolute(match):
        start, path, end = match.groups()
        kind = "raw" if start.startswith(("![", "<img", "src")) else "blob"
        return f"{start}{home()}/{kind}/v{version()}/{path}{end}"

    text = re.sub(r'(!?\[[^\]]*\]\()(?![a-z]+:|#)([^)\s]+)(\))', absolute, text)
    return re.sub(r'(src=")(?![a-z]+:)([^"]+)(")', absolute, text)


if __name__ == "__main__":
    print(version())
