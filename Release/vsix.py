"""Packs the extension for Visual Studio Code, with the checksums of the release's programs.

    python3 Release/vsix.py DIST [--without-client]

DIST has the archives of the release, and gets rules-check-VERSION.vsix. The extension's folder needs its language
client: `npm ci --omit=dev --ignore-scripts` in Editors/vscode fetches what package-lock.json names. A rehearsal can
do without the client; the package that it makes shows its pages and does not start.

Needs nothing but Python: a .vsix is a zip file with a manifest and a list of content types (Open Packaging
Conventions).
"""

import fnmatch
import json
import pathlib
import sys
from xml.sax.saxutils import quoteattr, escape

import release

HOME = release.ROOT / "Editors/vscode"
# How Node names the machines that each archive is for.
MACHINES = {
    "linux-x86_64": ["linux-x64"],
    "linux-aarch64": ["linux-arm64"],
    "macos-universal": ["darwin-arm64", "darwin-x64"],
}
TYPES = {
    ".json": "application/json", ".js": "application/javascript", ".md": "text/markdown", ".png": "image/png",
    ".sh": "application/x-sh", ".txt": "text/plain", ".vsixmanifest": "text/xml",
}


def manifest():
    """package.json as it is released: with the version, and with addresses once the place is known."""
    found = json.loads((HOME / "package.json").read_text(encoding="utf-8"))
    found["version"] = release.version()
    home = release.home()
    if home:
        found["repository"] = {"type": "git", "url": f"{home}.git", "directory": "Editors/vscode"}
        found["bugs"] = {"url": f"{home}/issues"}
        found["homepage"] = f"{home}/blob/v{release.version()}/Docs/Editors.md"
        found["qna"] = f"{home}/issues"
    return found


def programs(dist):
    """Where the extension finds the program of its release, and the checksum that it compares."""
    archives = {}
    for platform, machines in MACHINES.items():
        name = f"{release.NAME}-{release.version()}-{platform}.tar.gz"
        digest = (dist / f"{name}.sha256").read_text().split()[0]
        address = f"{release.home()}/releases/download/v{release.version()}/{name}"
        archives.update({machine: {"url": address, "sha256": digest} for machine in machines})
    return {"version": release.version(), "archives": archives}


def wanted(path):
    """True if .vscodeignore lets a file into the package."""
    lines = (HOME / ".vscodeignore").read_text(encoding="utf-8").splitlines()
    patterns = [line[1:].replace("/**/", "/*") for line in lines if line.startswith("!")]
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)


def client():
    """What is wrong with the language client of the folder; nothing if it is what package-lock.json names."""
    locked = json.loads((HOME / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    wrong = []
    for path, package in locked.items():
        file = HOME / path / "package.json"
        if not path:
            continue
        found = json.loads(file.read_text(encoding="utf-8"))["version"] if file.exists() else "missing"
        if found != package["version"]:
            wrong.append(f"{path} is {found}, package-lock.json says {package['version']}")
    return wrong


def files(dist):
    """What the package carries: path, bytes, mode."""
    made = {"package.json": json.dumps(manifest(), indent=2) + "\n"}
    for name in ["README.md", "CHANGELOG.md"]:
        made[name] = release.page(f"Editors/vscode/{name}")
    if release.home():
        made["release.json"] = json.dumps(programs(dist), indent=2) + "\n"
    members = [(name, text.encode(), 0o644) for name, text in made.items()]
    for path in sorted(HOME.rglob("*")):
        name = path.relative_to(HOME).as_posix()
        if path.is_file() and name not in made and wanted(name):
            members.append((name, path.read_bytes(), 0o755 if path.suffix == ".sh" else 0o644))
    return sorted(members)


def description(package):
    """extension.vsixmanifest: what the marketplace and the editor read before they unpack anything."""
    services, code = "Microsoft.VisualStudio.Services", "Microsoft.VisualStudio.Code"
    properties = {
        f"{code}.Engine": package["engines"]["vscode"],
        f"{code}.ExtensionDependencies": "",
        f"{code}.ExtensionPack": "",
        f"{code}.ExtensionKind": ",".join(package["extensionKind"]),
        f"{code}.LocalizedLanguages": "",
        f"{code}.ExecutesCode": "true",
        f"{services}.Branding.Color": package["galleryBanner"]["color"],
        f"{services}.Branding.Theme": package["galleryBanner"]["theme"],
        f"{services}.GitHubFlavoredMarkdown": "true",
        f"{services}.Content.Pricing": package["pricing"],
    }
    if "repository" in package:
        address = package["repository"]["url"]
        properties.update({
            f"{services}.Links.Source": address,
            f"{services}.Links.Getstarted": address,
            f"{services}.Links.GitHub": address,
            f"{services}.Links.Support": package["bugs"]["url"],
            f"{services}.Links.Learn": package["homepage"],
            f"{services}.CustomerQnALink": package["qna"],
        })
    assets = {
        f"{code}.Manifest": "package.json",
        f"{services}.Content.Details": "README.md",
        f"{services}.Content.Changelog": "CHANGELOG.md",
        f"{services}.Content.License": "LICENSE.txt",
        f"{services}.Icons.Default": package["icon"],
    }
    tags = package["keywords"] + [f"__ext_{name}" for name in ["rules"]]
    identity = {
        "Language": "en-US", "Id": package["name"], "Version": package["version"],
        "Publisher": package["publisher"],
    }
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">',
        "  <Metadata>",
        "    <Identity " + " ".join(f"{key}={quoteattr(text)}" for key, text in identity.items()) + " />",
        f"    <DisplayName>{escape(package['displayName'])}</DisplayName>",
        f'    <Description xml:space="preserve">{escape(package["description"])}</Description>',
        f"    <Tags>{escape(','.join(tags))}</Tags>",
        f"    <Categories>{escape(','.join(package['categories']))}</Categories>",
        "    <GalleryFlags>Public</GalleryFlags>",
        "    <Properties>",
        *(f'      <Property Id="{key}" Value={quoteattr(text)} />' for key, text in properties.items()),
        "    </Properties>",
        "    <License>extension/LICENSE.txt</License>",
        f"    <Icon>extension/{package['icon']}</Icon>",
        "  </Metadata>",
        '  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code" /></Installation>',
        "  <Dependencies />",
        "  <Assets>",
        *(f'    <Asset Type="{key}" Path="extension/{path}" Addressable="true" />' for key, path in assets.items()),
        "  </Assets>",
        "</PackageManifest>",
    ]
    return "\n".join(lines) + "\n"


def types(members):
    """[Content_Types].xml: one line for each ending."""
    found = sorted({pathlib.PurePosixPath(name).suffix for name, _, _ in members})
    lines = [
        f'<Default Extension="{ending}" ContentType="{TYPES.get(ending, "application/octet-stream")}" />'
        for ending in found if ending
    ]
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' + "".join(lines) + "</Types>\n"
    )


def pack(dist, without_client=False):
    """Writes the package, and gives its path."""
    wrong = [] if without_client else client()
    if wrong:
        raise SystemExit("\n".join(wrong + ["run npm ci --omit=dev --ignore-scripts in Editors/vscode"]))
    members = [
        (f"extension/{'LICENSE.txt' if name == 'LICENSE' else name}", content, mode)
        for name, content, mode in files(dist)
        if not (without_client and name.startswith("node_modules/"))
    ]
    members.insert(0, ("extension.vsixmanifest", description(manifest()).encode(), 0o644))
    members.insert(0, ("[Content_Types].xml", types(members).encode(), 0o644))
    return release.zipped(dist / f"{release.NAME}-{release.version()}.vsix", members)


if __name__ == "__main__":
    rest = [word for word in sys.argv[1:] if not word.startswith("-")]
    options = [word for word in sys.argv[1:] if word.startswith("-")]
    if len(rest) != 1 or options not in ([], ["--without-client"]):
        raise SystemExit(__doc__)
    print(pack(pathlib.Path(rest[0]), bool(options)))
