#!/usr/bin/env python3
"""Says which names of the Swift toolchain the product uses that are newer than `platforms:` of Package.swift.

Apple's systems bring their own standard library, so a name that is newer than the oldest system named there
cannot be used; a compiler for Linux does not notice. This reads what the toolchain's modules say of each of
their names (their symbol graphs) and which of the names the last debug build refers to (its index).

Usage: Release/platforms.py [BUILD]     BUILD is the folder of a debug build: .build/debug if none is named.

Exit code 0 if there is none, 1 if there is one, 2 if the question could not be asked. Not seen: what a newer
compiler needs of the system's library without a name (a conformance, a feature of the language).
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import release

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
# The toolchain's modules that the sources import.
MODULES = ["Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Foundation", "FoundationEssentials"]


def stop(text):
    print(f"platforms: {text}", file=sys.stderr)
    sys.exit(2)


def oldest(manifest):
    """The oldest system of each kind that the manifest names: {"macOS": 15, "iOS": 18}."""
    found = re.findall(r"\.(macOS|iOS)\(\.v(\d+)\)", manifest)
    if {name for name, _ in found} != {"macOS", "iOS"}:
        stop("Package.swift names no platforms")
    return {name: int(version) for name, version in found}


def target():
    """The triple that the toolchain builds for."""
    answer = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)["target"]["unversionedTriple"]


def newer_names(platforms, folder):
    """By the compiler's name for it, each name that is newer than `platforms`: how it reads and since when."""
    triple, found, seen = target(), {}, 0
    for module in MODULES:
        subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", module, "-target", triple, "-output-dir", folder,
             "-minimum-access-level", "public"], check=True, stderr=subprocess.DEVNULL)
    for graph in pathlib.Path(folder).glob("*.json"):
        for symbol in json.loads(graph.read_text())["symbols"]:
            seen += 1
            for since in symbol.get("availability", []):
                system, version = since.get("domain"), since.get("introduced", {}).get("major", 0)
                if version > platforms.get(system, version):
                    name = ".".join(symbol["pathComponents"])
                    found[symbol["identifier"]["precise"].encode()] = f"{name} ({system} {version})"
    if seen == 0 or not found:
        stop("the toolchain's modules name nothing that is newer: its symbol graphs cannot be read")
    return found


def main():
    build = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / ".build/debug"
    platforms = oldest((PACKAGE / "Package.swift").read_text())
    tag, wanted = release.PLATFORMS["macos-universal"]["wheel"], f"macosx_{platforms['macOS']}_0_universal2"
    if tag != wanted:
        stop(f"wheels say {tag}, Package.swift {wanted}")
    sources = {path.name: path for path in (PACKAGE / "Sources").rglob("*.swift")}
    with tempfile.TemporaryDirectory() as folder:
        newer = newer_names(platforms, folder)
    asked, wrong = set(), []
    for record in (build / "index/store/v5/records").rglob("*.swift-*"):
        name = record.name.rsplit("-", 1)[0]
        if name not in sources:
            continue
        asked.add(name)
        text = record.read_bytes()
        if b"s:" not in text:
            continue
        wrong += [f"{sources[name].relative_to(PACKAGE)}: {newer[usr]}" for usr in newer if usr in text]
    missing = len(sources) - len(asked)
    if not asked:
        stop(f"{build} has no index: build in debug first")
    for line in sorted(set(wrong)):
        print(line)
    systems = ", ".join(f"{name} {version}" for name, version in sorted(platforms.items()))
    print(f"{len(asked)} files use {len(set(wrong))} of {len(newer)} names that are newer than {systems}"
          + (f"; {missing} files are not in the index" if missing else ""))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
