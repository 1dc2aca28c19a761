"""Writes the list of what a release is made of (CycloneDX 1.6): rules-check-VERSION.cdx.json.

    python3 Release/sbom.py FOLDER

The program has no packages: in it are this repository and the libraries of the Swift toolchain, on Linux also the C
library, to which it is linked statically. The extension for Visual Studio Code carries the packages of its lock file.
"""

import base64
import json
import pathlib
import sys

import release


def npm(path, package):
    """A package of the extension's lock file."""
    name = path.removeprefix("node_modules/")
    digest = base64.b64decode(package["integrity"].removeprefix("sha512-")).hex()
    return {
        "type": "library", "bom-ref": f"pkg:npm/{name}@{package['version']}", "name": name,
        "version": package["version"], "purl": f"pkg:npm/{name}@{package['version']}",
        "licenses": [{"license": {"id": package["license"]}}],
        "hashes": [{"alg": "SHA-512", "content": digest}],
    }


def linked(name, identifier):
    """A library that the toolchain of the build brings; the provenance of the release names that toolchain."""
    key = "expression" if " " in identifier else "license"
    words = {key: identifier} if key == "expression" else {key: {"id": identifier}}
    return {"type": "library", "bom-ref": name, "name": name, "licenses": [words]}


def bill():
    """The whole list."""
    locked = json.loads((release.ROOT / "Editors/vscode/package-lock.json").read_text(encoding="utf-8"))["packages"]
    program = {
        "type": "application", "bom-ref": release.NAME, "name": release.NAME, "version": release.version(),
        "description": release.SUMMARY, "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    libraries = [
        linked("swift-runtime", "Apache-2.0 WITH Swift-exception"),
        linked("glibc (Linux)", "LGPL-2.1-or-later"),
    ]
    packages = [npm(path, package) for path, package in locked.items() if path]
    extension = {
        "type": "application", "bom-ref": "vscode-extension", "name": "rules-check for Visual Studio Code",
        "version": release.version(), "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    needed = {
        locked_path.removeprefix("node_modules/"): package for locked_path, package in locked.items() if locked_path
    }
    reference = {name: f"pkg:npm/{name}@{package['version']}" for name, package in needed.items()}
    depends = [
        {"ref": release.NAME, "dependsOn": [library["bom-ref"] for library in libraries]},
        {"ref": "vscode-extension", "dependsOn": [reference[name] for name in locked[""]["dependencies"]]},
        *({"ref": reference[name], "dependsOn": [reference[each] for each in package.get("dependencies", {})]}
          for name, package in needed.items()),
    ]
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": program, "supplier": {"name": release.AUTHOR}},
        "components": libraries + [extension] + packages, "dependencies": depends,
    }


def write(folder):
    """Writes the list, and gives its path."""
    path = folder / f"{release.NAME}-{release.version()}.cdx.json"
    path.write_text(json.dumps(bill(), indent=2) + "\n", encoding="utf-8")
    return release.checksum(path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    print(write(pathlib.Path(sys.argv[1])))
