"""Lays out the npm packages: `rules-check`, which finds the program, and one package a platform that has it.

    python3 Release/npm.py PLATFORM=PROGRAM… [FOLDER]

FOLDER (npm by default) then has one folder for each package, ready for `npm publish`. npm installs only the one
package for platforms that fits. A release publishes them as `pack` makes them (rehearse).
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
        "author": release.AUTHOR,
        "keywords": release.KEYWORDS,
        **more,
    }
    # npm publishes with provenance only what names the repository that it was built from.
    home = release.home()
    if home:
        manifest["homepage"] = home
        manifest["repository"] = {"type": "git", "url": f"git+{home}.git"}
        manifest["bugs"] = {"url": f"{home}/issues"}
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
    wrapper = (release.ROOT / "Release/npm/rules-check.js").read_text(encoding="utf-8")
    (main / "bin/rules-check.js").write_text(wrapper.replace("SUPPORTED", release.SUPPORTED), encoding="utf-8")
    (main / "bin/rules-check.js").chmod(0o755)
    (main / "README.md").write_text(release.readme(), encoding="utf-8")
    return folders + [main]


def pack(package, folder):
    """Writes a laid-out package as npm packs it, and gives its path."""
    members = [
        (f"package/{path.relative_to(package).as_posix()}", path.read_bytes(),
         0o755 if path.parent.name == "bin" else 0o644)
        for path in sorted(package.rglob("*")) if path.is_file()
    ]
    return release.tarball(folder / f"{package.name}-{release.version()}.tgz", members)


if __name__ == "__main__":
    pairs = [word.split("=", 1) for word in sys.argv[1:] if "=" in word]
    rest = [word for word in sys.argv[1:] if "=" not in word]
    if not pairs or len(rest) > 1 or any(pair[0] not in release.PLATFORMS for pair in pairs):
        raise SystemExit(__doc__)
    programs = {platform: pathlib.Path(program) for platform, program in pairs}
    for each in lay_out(programs, pathlib.Path((rest + ["npm"])[0])):
        print(each)
