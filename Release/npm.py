"""Lays out the npm packages: `rules-check`, which finds the program, and one package a platform that has it.

    python3 Release/npm.py PLATFORM=PROGRAM… [FOLDER]

FOLDER (npm by default) then has one folder a package, ready for `npm publish`. npm installs of the packages
for platforms only the one that fits.
"""

import json
import pathlib
import shutil
import sys

import release


def package(name, **more):
    """What is said of every package."""
    manifest = {
        "name": name,
        "version": release.version(),
        "description": release.SUMMARY,
        "license": "Apache-2.0",
        **more,
    }
    # npm publishes with provenance only what names the repository that it was built from.
    home = release.home()
    if home:
        manifest["homepage"] = home
        manifest["repository"] = {"type": "git", "url": f"git+{home}.git"}
    return manifest


def write(folder, manifest):
    """Writes a package's folder but for what it carries."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    shutil.copy(release.ROOT / "LICENSE", folder / "LICENSE")


def lay_out(programs, folder):
    """Writes all packages, and gives their folders."""
    folders = []
    optional = {}
    for platform, program in programs.items():
        system, processor = release.PLATFORMS[platform]["npm"]
        for one in [processor] if processor else ["arm64", "x64"]:
            name = f"{release.NAME}-{system}-{one}"
            own = folder / name
            write(own, package(name, os=[system], cpu=[one], files=["bin"]))
            shutil.copy(program, own / "bin" / release.NAME)
            (own / "bin" / release.NAME).chmod(0o755)
            optional[name] = release.version()
            folders.append(own)
    main = folder / release.NAME
    write(
        main,
        package(
            release.NAME,
            bin={release.NAME: "bin/rules-check.js"},
            files=["bin"],
            engines={"node": ">=16"},
            optionalDependencies=optional,
        ),
    )
    shutil.copy(pathlib.Path(__file__).parent / "npm/rules-check.js", main / "bin/rules-check.js")
    (main / "README.md").write_text(release.readme(), encoding="utf-8")
    return folders + [main]


if __name__ == "__main__":
    pairs = [word.split("=", 1) for word in sys.argv[1:] if "=" in word]
    rest = [word for word in sys.argv[1:] if "=" not in word]
    if not pairs or len(rest) > 1 or any(pair[0] not in release.PLATFORMS for pair in pairs):
        raise SystemExit(__doc__)
    for each in lay_out(dict(pairs), pathlib.Path((rest + ["npm"])[0])):
        print(each)
